import type { WasmModelShape } from '../../config/arena/wasm-engine.ts';
import { FRAME_MAX_BYTES } from '../wire/frame.ts';
import { auditLayout } from '../wire/layout.ts';
import { MEMORY_BYTES, shapeArguments, slotSizes } from '../wire/slots.ts';
import { LaneError } from './errors.ts';
import { AUDIT_MAX_CALLS, REQUEST_MAX_SEQUENCES } from './limits.ts';
import type { AuditCall, Sequence, SlotId } from './types.ts';

/** Room left in a frame for header and JSON text, bytes. */
const FRAME_RESERVE_BYTES = 512 * 1024;

function refuse(message: string, field: string): never {
  throw new LaneError('REQUEST', message, { field });
}

function checkTokens(tokens: readonly number[], vocab: number, field: string): void {
  for (const token of tokens) {
    if (!Number.isInteger(token) || token < 0 || token >= vocab) refuse('not a token', field);
  }
}

function words(lists: readonly (readonly number[])[]): Uint8Array {
  const view = Uint16Array.from(lists.flat());
  return new Uint8Array(view.buffer);
}

function checkCount(count: number, max: number, field: string): void {
  if (count < 1 || count > max) refuse(`1 to ${max} of them`, field);
}

/** Body of a `generate` frame: per sequence prompt length, tokens to decode, prompt; all u16, little-endian. */
export function generateBody(sequences: readonly Sequence[], shape: WasmModelShape): Uint8Array {
  checkCount(sequences.length, REQUEST_MAX_SEQUENCES, 'sequences');
  sequences.forEach(({ prompt, decode }, index) => {
    const field = `sequences[${index}]`;
    const whole = Number.isInteger(decode) && decode >= 1 && prompt.length >= 1;
    if (!whole || prompt.length + decode > shape.context) refuse('does not fit the context', field);
    checkTokens(prompt, shape.vocab, `${field}.prompt`);
  });
  return words(sequences.map(({ prompt, decode }) => [prompt.length, decode, ...prompt]));
}

export interface Continuation {
  readonly prompt: readonly number[];
  readonly tokens: readonly number[];
}

/** Body of a `grade` frame: per sequence prompt length, continuation length, prompt, continuation; all u16. */
export function gradeBody(sequences: readonly Continuation[], shape: WasmModelShape): Uint8Array {
  checkCount(sequences.length, REQUEST_MAX_SEQUENCES, 'sequences');
  sequences.forEach(({ prompt, tokens }, index) => {
    const field = `sequences[${index}]`;
    const some = prompt.length >= 1 && tokens.length >= 1;
    if (!some || prompt.length + tokens.length > shape.context) refuse('does not fit the context', field);
    checkTokens(prompt, shape.vocab, `${field}.prompt`);
    checkTokens(tokens, shape.vocab, `${field}.tokens`);
  });
  return words(sequences.map(({ prompt, tokens }) => [prompt.length, tokens.length, ...prompt, ...tokens]));
}

export interface AuditRequest {
  readonly json: { readonly calls: readonly Pick<AuditCall, 'slot' | 'shape'>[] };
  readonly parts: readonly Uint8Array[];
  /** Elements of each call's output. */
  readonly outputs: readonly number[];
}

/**
 * An `audit` frame: slots and shapes as JSON, all inputs as f32 in the body. The calls of one slot must fit the memory
 * of one module, as if a single one served them all, and inputs and outputs must each fit a frame.
 */
export function auditRequest(calls: readonly AuditCall[]): AuditRequest {
  checkCount(calls.length, AUDIT_MAX_CALLS, 'calls');
  const bySlot = new Map<SlotId, number[][]>();
  const outputs: number[] = [];
  let floatsIn = 0;
  for (const [index, { slot, shape, inputs }] of calls.entries()) {
    const field = `calls[${index}]`;
    const args = shapeArguments(slot, shape);
    if (args === null) refuse('not the shape of its slot', `${field}.shape`);
    const sizes = slotSizes(slot, args);
    const fits = inputs.length === sizes.inputs.length && inputs.every((data, i) => data.length === sizes.inputs[i]);
    if (!fits) refuse('not the sizes that its shape says', `${field}.inputs`);
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), args]);
    outputs.push(sizes.output);
    floatsIn += sizes.inputs.reduce((sum, count) => sum + count, 0);
  }
  const floats = Math.max(
    floatsIn,
    outputs.reduce((sum, count) => sum + count, 0),
  );
  if (4 * floats > FRAME_MAX_BYTES - FRAME_RESERVE_BYTES) refuse('does not fit a frame', 'calls');
  for (const [slot, list] of bySlot) {
    if (auditLayout(slot, list).end > MEMORY_BYTES) refuse('does not fit the memory of a module', 'calls');
  }
  return {
    json: { calls: calls.map(({ slot, shape }) => ({ slot, shape })) },
    parts: calls.flatMap(({ inputs }) =>
      inputs.map((data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
    ),
    outputs,
  };
}
