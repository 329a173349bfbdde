import { canonicalBytes, canonicalDigest, parseStrictJson } from '../../evaluator/identity/index.ts';
import type { VectorFamily } from './family.ts';

export const family: VectorFamily = {
  family: 'canonical_digest',
  run(input) {
    const repeat = input['payload_repeat'] as { open: string; close: string; count: number } | undefined;
    const text =
      repeat === undefined
        ? (input['payload_json'] as string)
        : repeat.open.repeat(repeat.count) + repeat.close.repeat(repeat.count);
    const payload = parseStrictJson(text);
    const digest = canonicalDigest(input['domain'] as string, payload, input['schema_version'] as number);
    return { digest, canonical_b64: Buffer.from(canonicalBytes(payload)).toString('base64') };
  },
};
