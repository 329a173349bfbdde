import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { connectChain } from '../../../chain/rpc/index.ts';
import { createSigner, loadHotkey } from '../../../chain/signer/index.ts';
import { endWithStdin, requireNode } from '../../../config/entry.ts';
import { EXIT } from '../../../config/errors.ts';
import { encodePayload } from '../../../evaluator/peer/index.ts';
import { packFiles } from '../../intake/index.ts';
import { checkBundle, commitUnderTimelock, proposalState } from '../../miner/index.ts';
import { minerBundle } from './bundle.ts';
import { ARCHIVE_PATH, serveArchive } from './serve.ts';

/** Rounds from now to the reveal if the planned one is over already: after a late restart. */
const LATE_REVEAL_ROUNDS = 3;
/** Milliseconds between two looks at whether the payload is revealed. */
const LOOK_MS = 1000;

const schema = z.strictObject({
  endpoint: z.string(),
  genesis: z.string(),
  netuid: z.int(),
  hotkeyUri: z.string(),
  kind: z.enum(['faster', 'wrong', 'copy']),
  port: z.int(),
  certificate: z.string(),
  privateKey: z.string(),
  revealRound: z.int(),
});

/**
 * A devnet miner, start to end: package, check as a validator would, serve over HTTPS, commit under timelock, follow
 * until it is revealed, and go on serving. Says each step as one JSON line.
 */
async function main(configFile: string): Promise<void> {
  const config = schema.parse(JSON.parse(readFileSync(configFile, 'utf8')));
  const say = (step: string, detail: string): void => {
    process.stdout.write(`${JSON.stringify({ step, detail })}\n`);
  };
  const files = minerBundle(config.kind);
  const { targetId, contentHash } = checkBundle(files);
  const { archive } = await packFiles(files);
  say('checked', `${targetId}, content hash ${contentHash}`);
  await serveArchive(archive, config, config.port);
  const url = `https://localhost:${config.port}${ARCHIVE_PATH}`;
  const payload = encodePayload({ content_hash: contentHash, url, payment: null });
  const chain = await connectChain(
    { endpoints: [config.endpoint], genesisHash: config.genesis },
    { random: Math.random },
  );
  const pair = await loadHotkey({ developmentUri: config.hotkeyUri });
  const state = (): ReturnType<typeof proposalState> => proposalState(chain, config.netuid, pair.address, payload);
  if ((await state()).kind === 'absent') {
    const context = { chain, signer: createSigner(chain, pair), netuid: config.netuid, now: Date.now };
    const reveal = { inRounds: LATE_REVEAL_ROUNDS, notBefore: config.revealRound };
    const { revealRound } = await commitUnderTimelock(context, payload, reveal);
    say('committed', `under timelock, revealed at round ${revealRound}`);
  }
  while ((await state()).kind !== 'revealed') await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  say('revealed', 'the payload is finalized');
}

requireNode();
const end = (): void => process.exit(EXIT.done);
process.once('SIGTERM', end).once('SIGINT', end);
endWithStdin(end);
const [configFile] = process.argv.slice(2);
if (configFile === undefined) {
  process.stderr.write('usage: scripts/node24 node/devnet/miner/main.ts FILE\n');
  process.exit(EXIT.usage);
}
await main(configFile);
