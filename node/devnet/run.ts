import { writeFileSync } from 'node:fs';
import { Keyring } from '@polkadot/keyring';
import { roundAt } from '../../chain/timelock/index.ts';
import { openEmbeddedArena } from '../arena/index.ts';
import type { LoggedEvent } from '../run/events.ts';
import { Board, type Summary } from './board.ts';
import { startChain } from './chain.ts';
import { makeLayout, planMiners, planValidators, type ValidatorPlan } from './layout.ts';
import type { DevnetOptions } from './options.ts';
import { EventPoller } from './poll.ts';
import { freePorts } from './ports.ts';
import { startMiner, startValidators, writeConsensus } from './processes.ts';
import { Supervisor } from './supervisor.ts';
import { makeCertificates } from './tls.ts';
import type { View } from './view/types.ts';

const SS58_PREFIX = 42;
/** Milliseconds between two rounds of asking every node for its events. */
const POLL_MS = 400;
/** Rounds from the moment all validators are ready to the reveal: time for three commitments to be finalized. */
const REVEAL_IN_ROUNDS = 6;
const BEACON_PERIOD_SECONDS = 3;

export interface DevnetDependencies {
  /** Where this run's files lie, and the compiled modules that runs share. */
  readonly root: string;
  readonly cache: string;
  readonly makeView: (board: Board) => View;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface DevnetRun {
  readonly summary: Summary;
  readonly pages: Readonly<Record<string, string>>;
  readonly view: View;
  readonly supervisor: Supervisor;
}

/**
 * Runs a devnet until every proposal has ended on every node and the weights that follow are read back, or time is up.
 * The caller stops the supervisor, whatever happened.
 */
export class Devnet {
  readonly supervisor: Supervisor;
  readonly #options: DevnetOptions;
  readonly #deps: DevnetDependencies;
  readonly #board: Board;
  readonly view: View;
  readonly #started: number;
  readonly #ready = new Set<string>();

  constructor(options: DevnetOptions, deps: DevnetDependencies) {
    this.#options = options;
    this.#deps = deps;
    this.#started = deps.now();
    const names = Array.from({ length: options.validators }, (_, i) => `validator${i}`);
    this.#board = new Board(names, minerNames());
    this.view = deps.makeView(this.#board);
    this.supervisor = new Supervisor({
      started: (name, pid, restarts) =>
        this.view.note(name, `${restarts === 0 ? 'started' : `started again (${restarts})`}, process ${pid}`),
      ended: (name, code, signal, final) =>
        this.view.note(name, `ended with ${signal ?? `exit code ${code}`}${final ? ', not started again' : ''}`),
    });
  }

  get seconds(): number {
    return (this.#deps.now() - this.#started) / 1000;
  }

  /** @throws the signal's reason, or what kept the devnet from starting */
  async run(): Promise<Omit<DevnetRun, 'view' | 'supervisor'>> {
    const { root, cache, signal } = this.#deps;
    const layout = makeLayout(root, cache);
    const validators = await planValidators(layout, this.#options.validators);
    const miners = await planMiners();
    const certificates = await makeCertificates(new Date(this.#deps.now()));
    writeFileSync(layout.authorityFile, certificates.authority);
    this.view.note('devnet', `files of this run in ${root}`);
    const [chainPort] = await freePorts(1);
    const size = { validators: validators.length, miners: miners.length };
    const starting = startChain(this.supervisor, layout, size, chainPort as number, this.#deps.now());
    this.view.note('devnet', 'opening the arena: engine and stock kernels are compiled on first use');
    const [chain, arena] = await Promise.all([starting, openEmbeddedArena(cache, signal)]);
    this.view.note(
      'devnet',
      `arena ${arena.subject.arena_digest.slice(0, 10)} open, lanes run in ${arena.native.sandbox.kind}`,
    );
    writeConsensus(layout, chain, arena.subject);
    startValidators(this.supervisor, layout, validators, chain);
    const pollers = validators.map((plan) => ({ plan, poller: new EventPoller(plan.statusPort) }));
    const pages = Object.fromEntries(validators.map((plan) => [plan.name, `http://127.0.0.1:${plan.statusPort}/`]));
    let mining = false;
    while (!this.#board.isComplete(miners.length) && this.seconds < this.#options.timeout) {
      signal.throwIfAborted();
      await this.#poll(pollers);
      if (!mining && this.#ready.size === validators.length) {
        mining = true;
        const schedule = { genesisTime: chain.beaconGenesis, periodSeconds: BEACON_PERIOD_SECONDS };
        const round = roundAt(this.#deps.now() / 1000, schedule) + REVEAL_IN_ROUNDS;
        for (const plan of miners) {
          startMiner(this.supervisor, layout, plan, chain, certificates, round, (step, detail) =>
            this.view.note(plan.name, `${step}: ${detail}`),
          );
        }
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return { summary: this.#board.summary(this.seconds), pages };
  }

  async #poll(pollers: readonly { readonly plan: ValidatorPlan; readonly poller: EventPoller }[]): Promise<void> {
    const answers = await Promise.all(pollers.map(async ({ plan, poller }) => ({ plan, events: await poller.poll() })));
    for (const { plan, events } of answers) for (const event of events) this.#take(plan.name, event);
  }

  #take(node: string, logged: LoggedEvent): void {
    const news = this.#board.take(node, logged);
    if (logged.event.type === 'state' && logged.event.state === 'READY') this.#ready.add(node);
    this.view.event(node, logged, news);
  }
}

function minerNames(): ReadonlyMap<string, string> {
  const keyring = new Keyring({ type: 'sr25519', ss58Format: SS58_PREFIX });
  return new Map([0, 1, 2].map((i) => [keyring.addFromUri(`//Miner${i}`).address, `miner${i + 1}`]));
}
