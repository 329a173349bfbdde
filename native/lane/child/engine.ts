import type { LoadModule, LoadRequest, SlotName } from '../../wire/kinds.ts';
import { type AuditAnswer, type AuditJob, audit } from './audit.ts';
import { connect } from './glue.ts';
import { compileSlot, type SlotCode } from './instance.ts';
import { type Engine, type EngineImports, startEngine } from './model.ts';

/** Bytes of one grade: best token (i32), its logit and the graded token's logit (f32), little-endian. */
const GRADE_BYTES = 12;

/** The loaded lane: engine, weights and slot modules. One sequence at a time, each from an empty cache. */
export class LoadedLane {
  readonly #codes: readonly SlotCode[];
  readonly #rmsEps: number;
  readonly #engine: Engine;

  /** `body` is the engine's bytes and then those of the modules, as the request says. */
  constructor(request: LoadRequest, body: Uint8Array) {
    let at = 0;
    const next = (bytes: number): Uint8Array<ArrayBuffer> => {
      at += bytes;
      return new Uint8Array(body.subarray(at - bytes, at));
    };
    const engineBytes = next(request.engineBytes);
    this.#codes = request.modules.map((row: LoadModule) => compileSlot(row, next(row.bytes)));
    this.#rmsEps = request.rmsEps;
    // The engine's imports are resolved when it is instantiated, the modules need its addresses: hence the object.
    const slots = {} as EngineImports;
    this.#engine = startEngine(engineBytes, request, {
      matmul: (out, x, matrix, rows) => slots.matmul(out, x, matrix, rows),
      keep: (layer, position) => slots.keep(layer, position),
      attention: (out, q, layer, length) => slots.attention(out, q, layer, length),
      silu_and_mul: (out, gateUp, rows) => slots.silu_and_mul(out, gateUp, rows),
      rmsnorm: (out, x, norm, rows) => slots.rmsnorm(out, x, norm, rows),
    });
    const codesOf = (slot: SlotName) => this.#codes.filter((code) => code.row.slot === slot);
    connect(this.#engine, request, codesOf, slots);
  }

  /** Greedy tokens after the prompt, `decode` of them. */
  generate(prompt: Uint16Array, decode: number): Uint16Array {
    const { exports, ints } = this.#engine;
    const at = exports.tokens.value >> 2;
    ints.set(prompt, at);
    exports.decode(prompt.length, decode);
    return Uint16Array.from(ints.subarray(at + prompt.length, at + prompt.length + decode));
  }

  /** Grades of the tokens after the prompt, teacher-forced. */
  grade(tokens: Uint16Array, promptLength: number): Uint8Array {
    const { exports, ints, bytes } = this.#engine;
    ints.set(tokens, exports.tokens.value >> 2);
    exports.gradeAll(promptLength, tokens.length);
    const at = exports.grades.value;
    return bytes.slice(at, at + GRADE_BYTES * (tokens.length - promptLength));
  }

  audit(jobs: readonly AuditJob[]): AuditAnswer[] {
    return audit(jobs, this.#codes, this.#rmsEps);
  }
}
