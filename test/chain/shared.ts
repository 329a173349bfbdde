import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Path of a file of the shared chain data, which lies beside the repository and not in it; null where it is absent.
 * CACHEON_REQUIRE_SHARED=1 makes its absence a failure.
 */
export function sharedChainFile(name: string): string | null {
  const path = fileURLToPath(new URL(`../../../shared/chain/${name}`, import.meta.url));
  if (existsSync(path)) return path;
  if (process.env['CACHEON_REQUIRE_SHARED'] === '1') throw new Error(`shared chain data is missing: ${name}`);
  console.log(`skipped: ${name} is not beside this repository`);
  return null;
}
