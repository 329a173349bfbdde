import { readSync, writeSync } from 'node:fs';
import { encodeFrame, FRAME_MAX_BYTES } from '../../../native/wire/frame.ts';
import { KIND } from '../../../native/wire/kinds.ts';
import { readFrame, writeFrame } from '../../../native/wire/sync.ts';

/** A lane's process that behaves until its first request and then does what its argument says. */
const mode = process.argv[2];
const HELLO = { node: 'v24.0.0', environment: 0 };

function raw(...parts: Uint8Array[]): void {
  const bytes = Buffer.concat(parts);
  let at = 0;
  while (at < bytes.length) at += writeSync(1, bytes, at);
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Waits for the end of input without answering. */
function wait(): never {
  while (readSync(0, Buffer.alloc(65_536)) > 0);
  process.exit(0);
}

if (mode === 'mute') wait();
if (mode === 'dies') process.exit(3);
if (mode === 'greets wrongly') raw(encodeFrame(KIND.hello, 0, '{"node":"v24.0.0"}'));
if (mode === 'early') raw(encodeFrame(KIND.hello, 0, JSON.stringify(HELLO)), encodeFrame(KIND.ready, 7, '{}'));
if (mode !== 'early' && mode !== 'greets wrongly') writeFrame(KIND.hello, 0, HELLO);
const load = readFrame();
if (mode === 'late') raw(encodeFrame(KIND.ready, load?.sequence ?? 0, '{}'), encodeFrame(KIND.ready, 1, '{}'));
else writeFrame(KIND.ready, load?.sequence ?? 0, {});

const request = readFrame();
if (request === null) process.exit(0);
const tokens = Uint8Array.of(1, 0, 2, 0);
const answer = (sequence = request.sequence, kind: number = KIND.tokens, json = '{}', body = tokens) =>
  encodeFrame(kind, sequence, json, [body]);

switch (mode) {
  case 'well':
    raw(answer());
    break;
  case 'short':
    raw(u32(3), Uint8Array.of(1, 2, 3));
    break;
  case 'oversized':
    raw(u32(FRAME_MAX_BYTES + 1));
    break;
  case 'half':
    raw(answer().subarray(0, 17));
    process.exit(0);
    break;
  case 'other sequence':
    raw(answer(request.sequence + 1));
    break;
  case 'other kind':
    raw(answer(request.sequence, KIND.grades));
    break;
  case 'no json':
    raw(answer(request.sequence, KIND.tokens, '{'));
    break;
  case 'more json':
    raw(answer(request.sequence, KIND.tokens, '{"more":1}'));
    break;
  case 'few tokens':
    raw(answer(request.sequence, KIND.tokens, '{}', tokens.subarray(0, 2)));
    break;
  case 'many tokens':
    raw(answer(request.sequence, KIND.tokens, '{}', Uint8Array.of(1, 0, 2, 0, 3, 0)));
    break;
  case 'no token':
    raw(answer(request.sequence, KIND.tokens, '{}', Uint8Array.of(1, 0, 0, 1)));
    break;
  case 'flood':
    for (;;) raw(new Uint8Array(65_536).fill(0xff));
  case 'frames':
    for (;;) raw(answer());
  case 'trickle':
    raw(answer().subarray(0, 17));
    break;
}
wait();
