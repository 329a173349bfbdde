import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEvidenceRoot } from '../../evaluator/evidence/index.ts';
import { contentHash, parseStrictJson, sha256Hex } from '../../evaluator/identity/index.ts';
import { consensusDigest, decodeAnchorHex, decodePayload, readConsensus } from '../../evaluator/peer/index.ts';
import {
  ed25519PublicKey,
  parseEnvelope,
  parseStatement,
  receiptDigest,
  verifyEnvelope,
} from '../../evaluator/statement/index.ts';
import { unpack } from '../../node/store/bundles/pack.ts';
import { decodeFrame } from '../../p2p/wire/wire-stream.ts';
import { protocolExamples } from '../../scripts/docs/examples.ts';
import { protocolDocument, shownExamples, writtenProtocol } from '../../scripts/docs/protocol.ts';

const text = writtenProtocol();

/** The text of one example as a reader finds it. */
function example(name: string): string {
  const body = new RegExp(`^\`\`\`[a-z]+ example:${name}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(text)?.[1];
  assert.ok(body !== undefined, name);
  return body;
}

function bytes(name: string): Buffer {
  return Buffer.from(example(name).replaceAll(/\s/g, ''), 'hex');
}

test('every example of docs/PROTOCOL.md is what the code makes, and none is missing', async () => {
  assert.equal(text, await protocolDocument(text), 'run scripts/node24 scripts/docs/all.ts');
  const shown = shownExamples(text);
  assert.deepEqual([...shown].sort(), [...(await protocolExamples()).keys()].sort());
});

test('the readers take what the page shows', () => {
  assert.deepEqual({ ...(decodeFrame(bytes('frame').subarray(4)) as object) }, { accepted: true });
  assert.equal(bytes('frame').readUInt32BE(0), bytes('frame').length - 4);
  assert.equal(contentHash(unpack(bytes('pack'))), example('content-hash'));
  assert.equal(sha256Hex(bytes('pack')), example('content-hash'));
  assert.equal(decodePayload(example('payload'))?.content_hash, example('content-hash'));
  assert.equal(consensusDigest(readConsensus(example('consensus'))), example('consensus-digest'));
  assert.equal(sha256Hex(example('auth-envelope')), bytes('auth-message').toString('hex'));
  const kinds = ['ready', 'attempt', 'receipt', 'ballot', 'policy'];
  for (const kind of kinds) assert.equal(decodeAnchorHex(bytes(`anchor-${kind}`).toString('hex'))?.kind, kind);
});

test('the result it shows hangs together: anchor, statement, root, files, binding, envelope', () => {
  const statement = Buffer.from(example('statement'));
  const { predicate, evidenceRoot } = parseStatement(statement);
  const anchored = decodeAnchorHex(bytes('anchor-receipt').toString('hex'));
  assert.ok(anchored?.kind === 'receipt');
  assert.deepEqual(
    [anchored.digest, anchored.cohort_index, anchored.place],
    [receiptDigest(statement), predicate.cohort_index, predicate.place],
  );
  assert.equal(example('receipt-digest'), anchored.digest);
  assert.equal(sha256Hex(example('root')), evidenceRoot);
  const root = parseEvidenceRoot(Buffer.from(example('root')));
  assert.equal(root.find(({ name }) => name === 'attempt.json')?.sha256, sha256Hex(example('attempt')));
  assert.equal(predicate.attempt_digest, example('attempt-digest'));
  // A binding is fetched by its digest: the bytes are the envelope that the digest hashes.
  assert.equal(predicate.binding_digest, sha256Hex(example('binding-envelope')));
  assert.ok(example('binding-message').includes(predicate.binding_digest));

  const envelope = Buffer.from(example('dsse'));
  const { keyId } = parseEnvelope(envelope);
  const binding = parseStrictJson(example('binding-envelope')) as unknown as { payload: { node_public_key: string } };
  assert.equal(keyId, binding.payload.node_public_key);
  assert.deepEqual(Buffer.from(verifyEnvelope(envelope, ed25519PublicKey(Buffer.from(keyId, 'hex')))), statement);
});
