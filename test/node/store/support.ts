import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openStore, type Store } from '../../../node/store/index.ts';

/** A folder that goes away with the test. */
export function temporaryFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cacheon-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A new store in a folder of its own. */
export function temporaryStore(t: TestContext): { store: Store; path: string } {
  const path = join(temporaryFolder(t), 'node.sqlite');
  const store = openStore(path, { create: true });
  t.after(() => store.close());
  return { store, path };
}
