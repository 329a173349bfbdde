import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CohortRecord } from '../../../../evaluator/peer/record.ts';
import { headOf } from '../../../../node/run/apply/index.ts';
import { openStore } from '../../../../node/store/index.ts';
import { temporaryFolder } from '../../store/support.ts';
import { applierOf } from './chain.ts';

const CHILD = fileURLToPath(new URL('applier.child.ts', import.meta.url));

test('kill -9 between and in steps: fold, ledger, records, journal and cursor are of one height', async (t) => {
  const database = join(temporaryFolder(t), 'node.sqlite');
  let said = 0;
  for (const more of [5, 9, 14, 40]) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, database], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    assert.ok(child.stdout);
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      assert.ok(Number(line) > said || lines === 0, 'no height is applied twice');
      said = Number(line);
      if (++lines >= more) child.kill('SIGKILL');
    }
    assert.deepEqual(await exited, [null, 'SIGKILL']);

    const store = openStore(database);
    const { state, ledger } = applierOf(store);
    assert.ok(state.height >= said);
    assert.equal(store.cursor.get()?.height, state.height);
    assert.deepEqual(headOf(ledger), state.ledger);
    assert.equal(store.records.last()?.digest ?? '', state.record_digest);
    assert.equal(store.journal.last()?.digest ?? '', state.ledger.journal_head);
    const record = store.records.last()?.record as unknown as CohortRecord | undefined;
    if (record !== undefined) assert.equal(record.journal_head, state.ledger.journal_head);
    store.journal.verify();
    store.close();
  }
});
