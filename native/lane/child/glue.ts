import type { LoadRequest, SlotName } from '../../wire/kinds.ts';
import { aligned, HOST_START, preparedBytes } from '../../wire/slots.ts';
import { chosen } from './choice.ts';
import { slotFault } from './fault.ts';
import { assertAttached, instantiate, runPrepare, type SlotCode, type SlotInstance } from './instance.ts';
import type { Engine, EngineImports } from './model.ts';

type CodesOf = (slot: SlotName) => readonly SlotCode[];

/** Copies n floats between two memories; counts and addresses are in floats. */
function copy(to: Float32Array, at: number, from: Float32Array, source: number, n: number): void {
  to.set(from.subarray(source, source + n), at);
}

/** Serves one call: inputs are in place, `run` calls the entry. Whatever comes out is the module's. */
function guarded(instance: SlotInstance, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    throw slotFault('trap', instance, error);
  }
  assertAttached(instance);
}

/**
 * Connects the engine's four slots with the modules that serve them. Which module serves a call is looked up in tables
 * made here, so the glue costs the same whatever the domains are.
 */
export function connect(engine: Engine, request: LoadRequest, codesOf: CodesOf, slots: EngineImports): void {
  connectMatmul(engine, request, codesOf('linear.matmul'), slots);
  connectAttention(engine, request, codesOf('attention.decode'), slots);
  connectActivation(engine, request, codesOf('activation.silu_and_mul'), slots);
  connectNorm(engine, request, codesOf('norm.rmsnorm'), slots);
}

function table(count: number, choose: (index: number) => SlotInstance): readonly SlotInstance[] {
  // Calls have at least one row (or position), so entry 0 only fills the place.
  return Array.from({ length: count + 1 }, (_, index) => choose(Math.max(index, 1)));
}

function connectMatmul(engine: Engine, request: LoadRequest, codes: readonly SlotCode[], slots: EngineImports): void {
  const { exports, floats } = engine;
  const widths = Array.from({ length: exports.matrixCount() }, (_, matrix) => ({
    k: exports.matrixK(matrix),
    n: exports.matrixN(matrix),
  }));
  let next = HOST_START;
  const weights = widths.map(({ k, n }) => {
    const at = next;
    next = aligned(at + preparedBytes(k, n));
    return at;
  });
  const x = next;
  const out = aligned(x + 4 * request.prefillRows * Math.max(...widths.map(({ k }) => k)));
  const instances = codes.map(instantiate);
  for (const instance of instances) {
    widths.forEach(({ k, n }, matrix) => {
      const source = exports.matrixAddress(matrix) / 4;
      const at = weights[matrix] as number;
      if (instance.prepare === null) {
        copy(instance.floats, at / 4, floats, source, k * n);
        return;
      }
      copy(instance.floats, x / 4, floats, source, k * n);
      runPrepare(instance, at, x, k, n, preparedBytes(k, n));
      instance.floats.fill(Number.NaN, x / 4, x / 4 + k * n);
    });
  }
  const choice = widths.map(({ k, n }) =>
    table(request.prefillRows, (rows) => instances[chosen('linear.matmul', [rows, k, n], codes)] as SlotInstance),
  );
  slots.matmul = (to, from, matrix, rows) => {
    const { k, n } = widths[matrix] as { k: number; n: number };
    const instance = choice[matrix]?.[rows] as SlotInstance;
    copy(instance.floats, x >> 2, floats, from >> 2, rows * k);
    guarded(instance, () => instance.entry(out, x, weights[matrix] as number, rows, k, n));
    copy(floats, to >> 2, instance.floats, out >> 2, rows * n);
  };
}

function connectAttention(
  engine: Engine,
  request: LoadRequest,
  codes: readonly SlotCode[],
  slots: EngineImports,
): void {
  const { floats } = engine;
  const { dim, layers, heads, context } = request.shape;
  const headDim = dim / heads;
  const cacheBytes = 4 * context * dim;
  const keys = HOST_START;
  const values = keys + layers * cacheBytes;
  const q = values + layers * cacheBytes;
  const out = aligned(q + 4 * dim);
  const engineKeys = engine.exports.keys.value;
  const engineValues = engine.exports.values.value;
  const instances = codes.map(instantiate);
  const choice = table(
    context,
    (length) => instances[chosen('attention.decode', [heads, headDim, length], codes)] as SlotInstance,
  );
  slots.keep = (layer, position) => {
    const row = (layer * context + position) * dim;
    for (const instance of instances) {
      copy(instance.floats, (keys >> 2) + row, floats, (engineKeys >> 2) + row, dim);
      copy(instance.floats, (values >> 2) + row, floats, (engineValues >> 2) + row, dim);
    }
  };
  slots.attention = (to, from, layer, length) => {
    const instance = choice[length] as SlotInstance;
    const offset = layer * cacheBytes;
    copy(instance.floats, q >> 2, floats, from >> 2, dim);
    guarded(instance, () => instance.entry(out, q, keys + offset, values + offset, heads, headDim, length));
    copy(floats, to >> 2, instance.floats, out >> 2, dim);
  };
}

function connectActivation(
  engine: Engine,
  request: LoadRequest,
  codes: readonly SlotCode[],
  slots: EngineImports,
): void {
  const { floats } = engine;
  const { hidden } = request.shape;
  const x = HOST_START;
  const out = aligned(x + 8 * request.prefillRows * hidden);
  const instances = codes.map(instantiate);
  const choice = table(
    request.prefillRows,
    (rows) => instances[chosen('activation.silu_and_mul', [rows, hidden], codes)] as SlotInstance,
  );
  slots.silu_and_mul = (to, from, rows) => {
    const instance = choice[rows] as SlotInstance;
    copy(instance.floats, x >> 2, floats, from >> 2, 2 * rows * hidden);
    guarded(instance, () => instance.entry(out, x, rows, hidden));
    copy(floats, to >> 2, instance.floats, out >> 2, rows * hidden);
  };
}

function connectNorm(engine: Engine, request: LoadRequest, codes: readonly SlotCode[], slots: EngineImports): void {
  const { floats } = engine;
  const { dim, layers } = request.shape;
  const norms = 2 * layers + 1;
  const weights = HOST_START;
  const x = aligned(weights + 4 * norms * dim);
  const out = aligned(x + 4 * request.prefillRows * dim);
  const instances = codes.map(instantiate);
  for (const instance of instances) {
    copy(instance.floats, weights >> 2, floats, engine.exports.norms.value >> 2, norms * dim);
  }
  const choice = table(
    request.prefillRows,
    (rows) => instances[chosen('norm.rmsnorm', [rows, dim], codes)] as SlotInstance,
  );
  slots.rmsnorm = (to, from, norm, rows) => {
    const instance = choice[rows] as SlotInstance;
    copy(instance.floats, x >> 2, floats, from >> 2, rows * dim);
    guarded(instance, () => instance.entry(out, x, weights + 4 * norm * dim, rows, dim, request.rmsEps));
    copy(floats, to >> 2, instance.floats, out >> 2, rows * dim);
  };
}
