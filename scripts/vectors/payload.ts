import { decodePayload, encodePayload, isHotkeyName, PeerError } from '../../evaluator/peer/index.ts';
import type { VectorFamily } from './family.ts';

export const family: VectorFamily = {
  family: 'payload',
  run(input) {
    return input['op'] === 'encode' ? encode(input) : decode(input);
  },
};

function encode(input: Record<string, unknown>): Record<string, unknown> {
  const [block, index] = [integer(input['payment_block']), integer(input['payment_extrinsic_index'])];
  const payment = block === 0n && index === 0n ? null : { block, extrinsic_index: index };
  const data = encodePayload({
    content_hash: input['content_hash'] as string,
    url: input['url'] as string,
    payment,
  });
  return { data };
}

function decode(input: Record<string, unknown>): Record<string, unknown> {
  const { hotkey, data } = input as { hotkey: string; data: string };
  const block = integer(input['block']);
  const payload = decodePayload(data);
  if (payload === null || block < 0n || !isHotkeyName(hotkey)) throw new PeerError('PAYLOAD_MALFORMED');
  const ref = {
    hotkey,
    content_hash: payload.content_hash,
    url: payload.url,
    block,
    payment_block: payload.payment?.block ?? 0,
    payment_extrinsic_index: payload.payment?.extrinsic_index ?? 0,
  };
  return { ref };
}

function integer(value: unknown): bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value as bigint | number);
  throw new PeerError('PAYLOAD_MALFORMED', 'not an exact integer');
}
