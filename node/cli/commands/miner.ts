import { resolve } from 'node:path';
import { connectChain } from '../../../chain/rpc/index.ts';
import { createSigner, loadHotkey, SUBMIT_DEADLINE_MS } from '../../../chain/signer/index.ts';
import { EXIT } from '../../../config/errors.ts';
import { encodePayload } from '../../../evaluator/peer/index.ts';
import { packFiles } from '../../intake/index.ts';
import {
  type CommitContext,
  checkBundle,
  commitUnderTimelock,
  followProposal,
  isRegistered,
  MinerError,
  proposalState,
  readBundle,
} from '../../miner/index.ts';
import type { CliIo, CommandResult } from '../io.ts';

/** Milliseconds for everything before and after the extrinsic itself. */
const READ_DEADLINE_MS = 120_000;
const MS_PER_SECOND = 1000;

export interface CommitRequest {
  readonly endpoints: readonly string[];
  /** Pin of the chain; null takes what the endpoint serves. */
  readonly genesis: string | null;
  readonly netuid: number;
  readonly hotkeyFile: string;
  readonly url: string;
  /** A folder or archive that is checked first, or the content hash alone. */
  readonly source: { readonly bundle: string } | { readonly contentHash: string };
  readonly revealIn: number;
  readonly force: boolean;
}

/** `miner commit`: commits a proposal under timelock; done when finalized state holds it. */
export async function minerCommitCommand(request: CommitRequest): Promise<CommandResult> {
  const signal = AbortSignal.timeout(READ_DEADLINE_MS + SUBMIT_DEADLINE_MS);
  const contentHash = await contentHashOf(request.source, signal);
  const payload = encodePayload({ content_hash: contentHash, url: request.url, payment: null });
  const pair = await loadHotkey({ file: resolve(request.hotkeyFile) });
  const chain = await connectChain(
    { endpoints: request.endpoints, genesisHash: request.genesis },
    { random: Math.random },
    signal,
  );
  try {
    const context = { chain, signer: createSigner(chain, pair), netuid: request.netuid, now: Date.now };
    const head = { hotkey: pair.address, genesis_hash: chain.rpc.genesisHash, content_hash: contentHash };
    return await committed(context, payload, request, head, signal);
  } finally {
    await chain.close();
  }
}

async function committed(
  context: CommitContext,
  payload: string,
  { netuid, revealIn, force }: CommitRequest,
  head: { readonly hotkey: string; readonly genesis_hash: string; readonly content_hash: string },
  signal: AbortSignal,
): Promise<CommandResult> {
  const { chain } = context;
  if (!(await isRegistered(chain, netuid, head.hotkey, signal))) {
    throw new MinerError('HOTKEY_UNREGISTERED', undefined, { field: head.hotkey });
  }
  const before = await proposalState(chain, netuid, head.hotkey, payload, signal);
  if (before.kind === 'pending' && !force) {
    throw new MinerError('COMMIT_PENDING', undefined, { field: `round ${before.revealRound}` });
  }
  if (before.kind === 'revealed' && !force) {
    return {
      result: { ...head, state: 'revealed', block: before.block },
      text: `this proposal was revealed at block ${before.block}; nothing was committed (--force commits it again)`,
    };
  }
  const done = await commitUnderTimelock(context, payload, { inRounds: revealIn }, signal);
  const due = new Date(done.revealTime * MS_PER_SECOND).toISOString();
  return {
    result: {
      ...head,
      state: 'committed',
      block: done.height,
      block_hash: done.hash,
      reveal_round: done.revealRound,
      reveal_due: due,
    },
    text: `committed at finalized block ${done.height}, hotkey ${head.hotkey}
content hash ${head.content_hash}
revealed by round ${done.revealRound}, due ${due}`,
  };
}

async function contentHashOf(source: CommitRequest['source'], signal: AbortSignal): Promise<string> {
  if ('contentHash' in source) return source.contentHash;
  const files = await readBundle(resolve(source.bundle), signal);
  checkBundle(files);
  return (await packFiles(files)).contentHash;
}

export interface FollowCommandRequest {
  readonly status: string;
  readonly subject: string;
  readonly once: boolean;
  readonly timeoutSeconds: number;
}

/** `miner follow`: 0 if the newest proposal was crowned, 1 if it ended otherwise, 75 while it has not ended. */
export async function minerFollowCommand(
  io: CliIo,
  json: boolean,
  request: FollowCommandRequest,
): Promise<CommandResult> {
  const signal = AbortSignal.timeout(request.timeoutSeconds * MS_PER_SECOND);
  const followed = await followProposal(
    { status: request.status, subject: request.subject, once: request.once },
    ({ height, text }) => json || io.out(`${height === null ? '' : `block ${height}  `}${text}\n`),
    signal,
  );
  const { standings, queue, ended, steps } = followed;
  const proposals = standings.map((one) => ({ ...one, queue_position: queue.get(one.reservation_id) ?? null }));
  const lines = proposals.map(({ reservation_id, ended: over, disposition, reason, queue_position }) => {
    const state = over
      ? `ended, ${disposition}`
      : queue_position === null
        ? 'open'
        : `place ${queue_position} in the queue`;
    return `reservation ${reservation_id}: ${state}${reason === null ? '' : ` (${reason})`}`;
  });
  const unknown = 'this node knows no such proposal yet: it is not revealed, not valid, or not finalized';
  const crowned = standings.at(-1)?.disposition === 'crowned';
  return {
    result: { ended, proposals, steps },
    text: lines.length === 0 ? unknown : lines.join('\n'),
    exit: !ended ? EXIT.tryAgain : crowned ? EXIT.done : EXIT.failed,
  };
}
