import type { Frame } from '../../wire/frame.ts';
import { KIND, type LoadRequest, type SlotName } from '../../wire/kinds.ts';
import { shapeArguments, slotSizes } from '../../wire/slots.ts';
import { LoadedLane } from './engine.ts';

export interface Answer {
  readonly kind: number;
  readonly json: unknown;
  readonly parts: readonly Uint8Array[];
}

function u16s(body: Uint8Array): Uint16Array {
  return new Uint16Array(body.slice().buffer);
}

function bytesOf(view: Uint16Array | Float32Array): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Sequences of a `generate` or `grade` frame: first count, second count, then tokens, all u16. */
function* sequences(body: Uint8Array, tokensOf: (first: number, second: number) => number) {
  const words = u16s(body);
  for (let at = 0; at < words.length; ) {
    const first = words[at] as number;
    const second = words[at + 1] as number;
    const count = tokensOf(first, second);
    yield { first, second, tokens: words.subarray(at + 2, at + 2 + count) };
    at += 2 + count;
  }
}

function audit(lane: LoadedLane, frame: Frame): Answer {
  const { calls } = JSON.parse(frame.json) as { calls: { slot: SlotName; shape: Record<string, number> }[] };
  const floats = new Float32Array(frame.body.slice().buffer);
  let at = 0;
  const jobs = calls.map(({ slot, shape }) => {
    const args = shapeArguments(slot, shape);
    if (args === null) throw new Error('shape of another slot');
    const inputs = slotSizes(slot, args).inputs.map((count) => {
      at += count;
      return floats.subarray(at - count, at);
    });
    return { slot, args, inputs };
  });
  const answers = lane.audit(jobs);
  return {
    kind: KIND.outputs,
    json: { calls: answers.map(({ clean, candidate }) => ({ clean, candidate })) },
    parts: answers.map(({ output }) => bytesOf(output)),
  };
}

/** Serves the requests of one lane, in the order in which they come. The host has checked what it sends. */
export class LaneServer {
  #lane: LoadedLane | null = null;

  answer(frame: Frame): Answer {
    if (frame.kind === KIND.load) {
      this.#lane = new LoadedLane(JSON.parse(frame.json) as LoadRequest, frame.body);
      return { kind: KIND.ready, json: {}, parts: [] };
    }
    const lane = this.#lane;
    if (lane === null) throw new Error('nothing is loaded');
    if (frame.kind === KIND.generate) {
      const parts = [...sequences(frame.body, (prompt) => prompt)].map(({ tokens, second }) =>
        bytesOf(lane.generate(tokens, second)),
      );
      return { kind: KIND.tokens, json: {}, parts };
    }
    if (frame.kind === KIND.grade) {
      const parts = [...sequences(frame.body, (prompt, count) => prompt + count)].map(({ tokens, first }) =>
        lane.grade(tokens, first),
      );
      return { kind: KIND.grades, json: {}, parts };
    }
    if (frame.kind === KIND.audit) return audit(lane, frame);
    throw new Error('unknown kind of frame');
  }
}
