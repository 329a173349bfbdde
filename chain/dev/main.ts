import { parseArgs } from 'node:util';
import { CacheonError, EXIT } from '../../config/errors.ts';
import { readConfig } from './config.ts';
import { startDevChain } from './start.ts';

const USAGE = 'usage: scripts/node24 chain/dev/main.ts --config FILE';

/** Starts the chain, prints one JSON line when it is ready, and stops on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const path = configPath();
  if (path === null) return exit(EXIT.usage, USAGE);
  try {
    const onFailure = (error: unknown): void => exit(EXIT.failed, describe(error));
    const onRpcError = (error: unknown): void => complain(describe(error));
    const chain = await startDevChain(readConfig(path), { now: Date.now, onFailure, onRpcError });
    const stop = (): void => {
      chain.close().then(
        () => process.exit(EXIT.done),
        (error: unknown) => exit(EXIT.failed, describe(error)),
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.stdout.write(`${JSON.stringify({ type: 'ready', port: chain.port, genesis: chain.genesis })}\n`);
  } catch (error) {
    const operator = error instanceof CacheonError && error.fault === 'operator';
    exit(operator ? EXIT.operator : EXIT.failed, describe(error));
  }
}

function configPath(): string | null {
  try {
    return parseArgs({ options: { config: { type: 'string' } } }).values.config ?? null;
  } catch {
    return null;
  }
}

function describe(error: unknown): string {
  if (error instanceof CacheonError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function complain(message: string): void {
  process.stderr.write(`cacheon dev chain: ${message}\n`);
}

function exit(code: number, message: string): void {
  complain(message);
  process.exit(code);
}

await main();
