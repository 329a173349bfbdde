import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { minerBundle } from '../../../node/devnet/miner/bundle.ts';
import { temporaryFolder } from '../store/support.ts';

/** A folder with a bundle that is admitted. */
export function bundleFolder(t: TestContext): string {
  const root = temporaryFolder(t);
  for (const { path, data } of minerBundle('faster')) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), data);
  }
  return root;
}

/** Changes a bundle's manifest. */
export function editManifest(folder: string, edit: (text: string) => string): void {
  const file = join(folder, 'manifest.toml');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

/** A hotkey file as `--hotkey-file` wants it. */
export function hotkeyFile(t: TestContext, secret: string): string {
  const file = join(temporaryFolder(t), 'hotkey');
  writeFileSync(file, secret, { mode: 0o600 });
  return file;
}
