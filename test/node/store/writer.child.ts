import { canonicalDigest } from '../../../evaluator/identity/index.ts';
import { openBlobStore, openStore } from '../../../node/store/index.ts';

/** Writes for ever: a blob, then one transaction with a journal event, the cursor and the blob's row; says each number. */
const [dataDir = '', database = ''] = process.argv.slice(2);
const blobs = await openBlobStore(dataDir, { reservedFreeBytes: 0 });
const store = openStore(database, { create: true });
for (let n = store.journal.count(); ; n++) {
  const bytes = Buffer.from(`evidence ${n} `.repeat(500));
  const sha256 = await blobs.put(bytes);
  store.transaction(() => {
    store.blobs.add({ sha256, size: bytes.length, kind: 'evidence-file', created_height: n });
    store.journal.append({ sequence: n, previous_event_digest: store.journal.last()?.digest ?? '', reason: 'test' });
    store.cursor.advance({ height: n, hash: `0x${canonicalDigest('test', n)}` });
  });
  process.stdout.write(`${n}\n`);
}
