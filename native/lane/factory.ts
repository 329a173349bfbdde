import type { WasmArena } from '../engine/index.ts';
import { SLOTS, STOCK } from '../engine/index.ts';
import { type Command, FramedProcess, ownNode, sandboxCommand } from '../sandbox/index.ts';
import { checkModule } from '../wasm/index.ts';
import { KIND, type LoadModule, type LoadRequest } from '../wire/kinds.ts';
import { MEMORY_PAGES } from '../wire/slots.ts';
import { readHello, readReady } from './answers.ts';
import { LaneError } from './errors.ts';
import { laneEnd, WasmLane } from './lane.ts';
import { LANE_CPU_SECONDS, LANE_HEAP_MIB, LANE_MAX_MODULES, LANE_RESIDENT_BYTES } from './limits.ts';
import type { Lane, LaneFactory, LaneSpec } from './types.ts';

export interface WasmLaneOptions {
  /** Resident memory at which a lane is killed, bytes. */
  readonly residentBytes?: number;
  /** CPU time of one lane over its life, seconds. */
  readonly cpuSeconds?: number;
}

export interface WasmLaneDependencies {
  readonly arena: WasmArena;
  /** Replaces the lane's program in tests of hostile lanes. */
  readonly command?: Command;
}

const NS_PER_MS = 1_000_000n;

/** The command of a lane's process: it may read its own program and nothing else. */
export function laneCommand(arena: WasmArena, cpuSeconds: number = LANE_CPU_SECONDS): Command {
  return sandboxCommand(arena.sandbox, {
    node: ownNode(),
    program: arena.programs.lane,
    args: [],
    readable: [arena.programs.folder],
    heapMiB: LANE_HEAP_MIB,
    cpuSeconds,
    addressSpaceKiB: null,
  });
}

function loadRequest(arena: WasmArena, spec: LaneSpec): { json: LoadRequest; parts: Uint8Array[] } {
  const { config } = arena;
  if (spec.modules.length > LANE_MAX_MODULES) throw new LaneError('REQUEST', undefined, { field: 'modules' });
  const candidates = spec.modules.map((module): LoadModule => {
    const { slot, variant, entry, prepare, domain, wasm } = module;
    checkModule(wasm, module);
    return { slot, variant, candidate: true, entry, prepare, domain, bytes: wasm.length };
  });
  const stock = SLOTS.map((slot): LoadModule => {
    const { entry } = STOCK[slot];
    const bytes = arena.stock[slot].length;
    return { slot, variant: 'stock', candidate: false, entry, prepare: null, domain: {}, bytes };
  });
  return {
    json: {
      engineBytes: arena.engine.length,
      shape: config.shape,
      prefillRows: config.prefillRows,
      rmsEps: Number(config.rmsEps),
      seed: config.seed,
      modules: [...candidates, ...stock],
    },
    parts: [arena.engine, ...spec.modules.map(({ wasm }) => wasm), ...SLOTS.map((slot) => arena.stock[slot])],
  };
}

/**
 * Lanes of the embedded arena: one process each, started, loaded and ready when `open` resolves. Modules are checked
 * again before they are sent, whatever the prebuild said.
 * @throws LaneError, or WasmError for a module that its row does not allow
 */
export function createWasmLaneFactory(options: WasmLaneOptions, dependencies: WasmLaneDependencies): LaneFactory {
  const { arena } = dependencies;
  const residentBytes = options.residentBytes ?? LANE_RESIDENT_BYTES;
  const cpuSeconds = options.cpuSeconds ?? LANE_CPU_SECONDS;
  return {
    async open(spec: LaneSpec, signal: AbortSignal): Promise<Lane> {
      const { json, parts } = loadRequest(arena, spec);
      const hasCandidate = spec.modules.length > 0;
      const process = new FramedProcess(dependencies.command ?? laneCommand(arena, cpuSeconds), residentBytes);
      let loading = false;
      try {
        const started = await process.hello(signal);
        const { node, environment } = readHello(started.frame);
        loading = true;
        const ready = await process.request(KIND.load, json, parts, signal);
        readReady(ready.frame);
        return new WasmLane(process, arena.config.shape, hasCandidate, {
          pid: process.pid,
          node,
          environment_variables: environment,
          sandbox: arena.sandbox.kind,
          death_signal: arena.sandbox.kind === 'bwrap' || arena.sandbox.tools.setpriv !== null,
          start_ms: Number(started.elapsedNs / NS_PER_MS),
          load_ms: Number(ready.elapsedNs / NS_PER_MS),
          heap_mib: LANE_HEAP_MIB,
          resident_bytes: residentBytes,
          cpu_seconds: cpuSeconds,
          memory_pages: MEMORY_PAGES,
          lane_slot: spec.slotIndex,
        });
      } catch (error) {
        await process.close();
        throw laneEnd(error, hasCandidate && loading, signal);
      }
    },
  };
}
