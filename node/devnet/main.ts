import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { requireNode } from '../../config/entry.ts';
import { EXIT } from '../../config/errors.ts';
import type { Board } from './board.ts';
import { readOptions } from './options.ts';
import { Devnet } from './run.ts';
import { jsonView } from './view/json.ts';
import { liveView } from './view/live.ts';
import { plainView } from './view/plain.ts';
import type { View } from './view/types.ts';

/** Exit code of a shell command ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130;
const DEFAULT_COLUMNS = 120;

requireNode();
await cryptoWaitReady();
const options = readOptions(process.argv);
const stop = new AbortController();
const started = Date.now();
const root = options.dataDir === null ? mkdtempSync(join(tmpdir(), 'cacheon-devnet-')) : resolve(options.dataDir);

function makeView(board: Board): View {
  const dependencies = {
    board,
    write: (text: string) => void process.stdout.write(text),
    seconds: () => (Date.now() - started) / 1000,
  };
  if (options.json) return jsonView(dependencies);
  if (!process.stdout.isTTY) return plainView(dependencies);
  return liveView(dependencies, () => process.stdout.columns ?? DEFAULT_COLUMNS);
}

const devnet = new Devnet(options, {
  root,
  cache: fileURLToPath(new URL('../../.cache/wasm', import.meta.url)),
  makeView,
  now: Date.now,
  signal: stop.signal,
});

async function main(): Promise<number> {
  try {
    const { summary, pages } = await Promise.race([devnet.run(), aborted(stop.signal)]);
    if (options.keep && summary.ok) {
      devnet.view.summary(summary, pages);
      devnet.view.note('devnet', 'everything goes on running; Ctrl-C ends it');
      await aborted(stop.signal);
    }
    await devnet.supervisor.stop();
    if (!options.keep || !summary.ok) devnet.view.summary(summary, pages);
    if (summary.ok && options.dataDir === null) rmSync(root, { recursive: true, force: true });
    return summary.ok ? EXIT.done : EXIT.failed;
  } catch (error) {
    await devnet.supervisor.stop();
    if (stop.signal.aborted) {
      if (options.dataDir === null) rmSync(root, { recursive: true, force: true });
      return EXIT_INTERRUPTED;
    }
    process.stderr.write(`devnet: ${error instanceof Error ? error.message : String(error)}; logs in ${root}/logs\n`);
    return EXIT.failed;
  } finally {
    devnet.view.close();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const interrupt = (): void => stop.abort(new Error('interrupted'));
process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
process.exitCode = await main();
process.exit();
