import { createFollower, type Follower } from '../../chain/follower/index.ts';
import { type Metagraph, readAxons, readMetagraph } from '../../chain/metagraph/index.ts';
import type { Chain } from '../../chain/rpc/index.ts';
import {
  anchorCommitment,
  createSigner,
  readCommitmentBudget,
  type Signer,
  serveAxon,
} from '../../chain/signer/index.ts';
import { WeightsPublisher } from '../../chain/weights/index.ts';
import type { FoldBlock, FoldState } from '../../evaluator/peer/index.ts';
import type { Ledger } from '../../evaluator/settle/index.ts';
import { signEnvelope } from '../../evaluator/statement/index.ts';
import type { PeerNetwork } from '../../p2p/index.ts';
import type { Applier } from './apply/index.ts';
import { announcedAxon } from './axon.ts';
import { endsTheNode, RunError } from './errors.ts';
import type { NodeEvent } from './events.ts';
import { followChain } from './follow.ts';
import { standing } from './head.ts';
import { Keeper } from './keeper.ts';
import type { Troubles } from './status/troubles.ts';
import { divergence } from './status/troubles.ts';
import { Tasks } from './tasks.ts';
import { Change, sleep, Watermark } from './waits.ts';
import { epochWeights, storedTarget, targetJson, weightsEvent, weightsJournal } from './weights.ts';
import { composeWork, type Work, type WorkSubject } from './work.ts';

/** Duties are looked at again so often even if nothing happens: failures rest and then are due, milliseconds. */
const LOOK_EVERY_MS = 1000;

export interface DaemonSubject extends WorkSubject {
  readonly netuid: number;
  /** Version of this release. */
  readonly version: string;
  /** Places of one cohort to declare as of a state. */
  capacity(state: FoldState): number;
}

export interface DaemonDependencies {
  readonly chain: Chain;
  readonly troubles: Troubles;
  readonly applier: Applier;
  readonly signal: AbortSignal;
  /** Ends everything that runs on `signal`. */
  end(): void;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** The loops of one node over what was composed: follow the chain, do the duties, publish weights. */
export class Daemon {
  readonly #subject: DaemonSubject;
  readonly #deps: DaemonDependencies;
  readonly #tasks: Tasks;
  readonly #change = new Change();
  /** Rejected by what no retry can mend. */
  readonly #fatal = Promise.withResolvers<never>();
  readonly #stepped: Watermark;
  readonly follower: Follower;
  readonly work: Work;
  readonly #keeper: Keeper;
  readonly #publisher: WeightsPublisher;
  readonly #signer: Signer;
  #isAxonServed = false;
  #members: ReadonlySet<string> = new Set();
  #metagraph: { readonly height: number; readonly metagraph: Metagraph } | null = null;
  #weightsAgainAt = 0;
  #anchorsLeft: number | null = null;

  constructor(subject: DaemonSubject, deps: DaemonDependencies) {
    this.#subject = subject;
    this.#deps = deps;
    const { chain, applier, signal, log } = deps;
    this.#stepped = new Watermark(applier.state.height);
    deps.troubles.raise('SYNCING', 'no finalized block is taken yet', null);
    applier.onApplied = (block, state, ledger) => this.#onStep(block, state, ledger);
    this.#tasks = new Tasks(signal, {
      now: () => performance.now(),
      onFailure: (key, error) => {
        if (endsTheNode(error)) this.#fatal.reject(error);
        else log.warn({ task: key, err: error }, 'will be tried again');
      },
      onEnd: () => this.#change.signal(),
    });
    const cursor = subject.resources.store.cursor.get() ?? subject.start;
    this.follower = createFollower(
      chain,
      { cursor },
      {
        onStall: (quietMs) => this.#deps.troubles.raise('CHAIN_STALLED', `${Math.round(quietMs / 1000)} s quiet`, null),
        onRecovered: () => this.#deps.troubles.clear('CHAIN_STALLED'),
        onRetry: (error) => log.warn({ err: error }, 'chain read is tried again'),
      },
    );
    const signer = createSigner(chain, subject.resources.hotkey);
    this.#signer = signer;
    this.work = composeWork(subject, {
      applier,
      tell: (event) => this.tell(event),
      height: () => this.height(),
      membership: () => this.#members,
    });
    const { store } = subject.resources;
    this.#keeper = new Keeper(
      { hotkey: signer.hotkey, capacity: (state) => subject.capacity(state) },
      {
        ...this.work.keeper,
        store,
        tasks: this.#tasks,
        tell: (event) => this.tell(event),
        announce: (receipt) => this.#announce(receipt),
        anchorsLeft: () => this.#anchorsLeft,
        anchor: async (bytes, after, abort) => {
          const result = await anchorCommitment(chain, signer, bytes, { netuid: subject.netuid, after, signal: abort });
          if (result.kind !== 'finalized') {
            const why = result.kind === 'rejected' ? `${result.error} ${result.detail}` : result.reason;
            throw new RunError('ANCHOR_NOT_FINALIZED', why.trim());
          }
          if (this.#anchorsLeft !== null) this.#anchorsLeft = Math.max(0, this.#anchorsLeft - 1);
          // The fold decides whether it counted; until it has stepped that block the duty still looks due.
          await this.#stepped.reached(result.height, abort);
        },
      },
    );
    this.#publisher = new WeightsPublisher({ netuid: subject.netuid }, { chain, signer, store: weightsJournal(store) });
  }

  get network(): PeerNetwork {
    return this.work.network;
  }

  get anchorsLeft(): number | null {
    return this.#anchorsLeft;
  }

  /** Highest finalized height known here. */
  height(): number {
    // Before the activation height the fold stands above the chain.
    return this.follower.status().finalized ?? this.#stepped.level;
  }

  /** Tasks that run now, for the lanes' status. */
  running(): readonly string[] {
    return this.#tasks.running();
  }

  /** Tells people; never read back as state. */
  tell(event: NodeEvent): void {
    this.#subject.resources.store.events.append(this.height(), event.type, event as never);
    this.#deps.log.info({ event }, event.type);
  }

  /** What the transaction of an applied step adds: the vector of an epoch height. */
  #onStep(block: FoldBlock, state: FoldState, ledger: Ledger): readonly NodeEvent[] {
    const at = this.#metagraph;
    // Which heights are epoch heights is for the object to say that rules at them, so it is asked after the step.
    if (block.height % state.consensus.epoch_blocks !== 0) return [];
    if (at === null || at.height !== block.height) throw new Error(`no metagraph of epoch height ${block.height}`);
    const { troubles } = this.#deps;
    const weights = epochWeights(block.height, ledger, at.metagraph);
    if (weights.kind === 'NO_BURN_TARGET') {
      troubles.raise('NO_BURN_TARGET', `${weights.ownerHotkey} has no uid`, block.height);
      return [];
    }
    troubles.clear('NO_BURN_TARGET');
    this.#subject.resources.store.weights.putTarget(targetJson(weights.target));
    this.#weightsAgainAt = 0;
    return [];
  }

  /** Runs until the signal fires. @throws operator errors, the signal's reason */
  async run(): Promise<never> {
    const { chain, applier, signal, troubles, log } = this.#deps;
    const { netuid } = this.#subject;
    await this.#readMembers(signal);
    await this.work.restore(applier.state);
    await this.network.start();
    const looking = this.#lookForever(signal);
    this.#fatal.promise.catch(() => undefined);
    try {
      const following = followChain(
        {
          chain,
          follower: this.follower,
          applier,
          netuid,
          onMetagraph: (height, metagraph) => this.#takeMetagraph(height, metagraph),
          onApplied: (block) => this.#applied(block),
          onHeldUp: (held) => {
            if (held.kind === 'waiting') {
              if (!troubles.has('WAITING_FOR_BYTES')) this.tell({ type: 'waiting', missing: held.receipts.length });
              troubles.raise('WAITING_FOR_BYTES', `${held.receipts.length} results`, applier.state.height);
              this.#look();
            } else if (held.kind === 'consensus_unknown') {
              troubles.raise('CONSENSUS_UNKNOWN', held.digest, applier.state.height);
            }
          },
          onRetry: (error) => log.warn({ err: error }, 'block read is tried again'),
          changed: () => this.#change.next(),
          sleep,
        },
        signal,
      );
      return await Promise.race([following, this.#fatal.promise]);
    } finally {
      this.#deps.end();
      await Promise.allSettled([looking, this.#tasks.settled()]);
      await this.network.stop();
    }
  }

  #applied(block: FoldBlock): void {
    const { troubles, applier } = this.#deps;
    troubles.clear('WAITING_FOR_BYTES');
    troubles.clear('CONSENSUS_UNKNOWN');
    this.work.follow(applier.state);
    const diverged = divergence(applier.state);
    // It shows in the ballots of one cohort; what was divergent stays so until somebody has looked.
    if (diverged !== null) troubles.raise('DIVERGED', diverged, block.height);
    this.#stepped.raise(block.height);
    if (this.#standing() !== 'behind') troubles.clear('SYNCING');
    else troubles.raise('SYNCING', `${this.height() - block.height} blocks behind`, block.height);
    this.#change.signal();
  }

  #standing(): ReturnType<typeof standing> {
    return standing(this.follower.status().finalized, this.#stepped.level);
  }

  async #lookForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#look();
      } catch (error) {
        this.#fatal.reject(error);
        return;
      }
      await Promise.race([sleep(LOOK_EVERY_MS, signal), this.#change.next()]).catch(() => undefined);
    }
  }

  /** Starts whatever is due; only at the head, because older duties are over. */
  #look(): void {
    const { applier, troubles } = this.#deps;
    this.#joinConsensus(applier.state.consensus_digest);
    const where = this.#standing();
    const isHeld = where === 'behind' && troubles.has('WAITING_FOR_BYTES');
    if (where !== 'at_head' && !isHeld) return;
    if (troubles.has('DIVERGED')) return;
    this.#renewBinding();
    this.#keeper.look(applier.state, applier.ledger, this.height());
    this.#publish();
    this.#serveAxon();
  }

  /** Peers of one consensus object exchange evidence: when another rules, the network is joined anew. */
  #joinConsensus(digest: string): void {
    const { state, consensus_digest: joined } = this.network.describeNetwork();
    if (state === 'running' && joined === digest) return;
    this.#tasks.start('join', async () => {
      await this.network.setConsensusDigest(digest);
      await this.network.start();
    });
  }

  #renewBinding(): void {
    if (!this.#subject.bindings.renew(this.height())) return;
    this.tell({ type: 'state', state: 'BINDING_RENEWED', detail: this.#subject.bindings.current.digest });
    this.#tasks.start('binding', () => this.work.showBinding());
  }

  /** Tells the chain where peers reach this node, once per process: an address needs no renewal. */
  #serveAxon(): void {
    const { config, netuid, version } = this.#subject;
    const axon = this.#isAxonServed ? null : announcedAxon(config.p2p.announce, netuid, version);
    if (axon === null) return;
    this.#tasks.start('axon', async (signal) => {
      const result = await serveAxon(this.#signer, axon, signal);
      if (result.kind !== 'finalized') throw new RunError('ANCHOR_NOT_FINALIZED', result.kind, { field: 'axon' });
      this.#isAxonServed = true;
    });
  }

  #publish(): void {
    const { store } = this.#subject.resources;
    const target = storedTarget(store);
    if (target === null || this.#stepped.level < this.#weightsAgainAt) return;
    const before = store.weights.get(target.epoch_height)?.state ?? null;
    if (before === 'confirmed' || before === 'held') return;
    this.#tasks.start('weights', async (signal) => {
      const outcome = await this.#publisher.advance(target, signal);
      this.#weightsAgainAt = outcome.againAtHeight ?? 0;
      const event = weightsEvent(outcome, before);
      if (event !== null) this.tell(event);
    });
  }

  async #announce(receipt: string): Promise<void> {
    const { nodeKey, blobs } = this.#subject.resources;
    const statement = await blobs.get(receipt);
    await this.network.publish(signEnvelope(statement, nodeKey.privateKey, nodeKey.publicKey));
  }

  async #readMembers(signal: AbortSignal): Promise<void> {
    const { chain } = this.#deps;
    const head = await chain.finalizedHead(signal);
    const state = await chain.stateAt(head.hash, signal);
    const metagraph = await readMetagraph(state, this.#subject.netuid, signal);
    this.#members = new Set(metagraph.neurons.map((neuron) => neuron.hotkey));
    this.network.refreshMembership();
    const { netuid } = this.#subject;
    const { address: hotkey } = this.#subject.resources.hotkey;
    const axons = (await readAxons(state, metagraph, signal)).filter((axon) => axon.hotkey !== hotkey);
    this.network.setKnownPeers(axons.map((axon) => ({ hotkey: axon.hotkey, addresses: [axon.address] })));
    const budget = await readCommitmentBudget(state, { netuid, hotkey, height: head.height }, signal);
    this.#anchorsLeft = budget.anchorsLeft;
  }

  #takeMetagraph(height: number, metagraph: Metagraph): void {
    this.#metagraph = { height, metagraph };
    // Who may be a peer is read at the head: while old blocks are taken their members are those of the past.
    this.#tasks.start('members', (signal) => this.#readMembers(signal));
  }
}
