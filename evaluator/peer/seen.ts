import { type Anchor, decodeAnchorHex } from './anchors.ts';
import type { BlockAnchor } from './types.ts';

/** A well-formed anchor and who made it. */
export interface SeenAnchor {
  readonly hotkey: string;
  readonly anchor: Anchor;
}

/** The anchors of a block that are seen: each hotkey's last value, if that is well-formed (section 3). */
export function seenAnchors(anchors: readonly BlockAnchor[]): SeenAnchor[] {
  const last = new Map(anchors.map(({ hotkey, payload }) => [hotkey, payload]));
  const seen: SeenAnchor[] = [];
  for (const [hotkey, payload] of last) {
    const anchor = decodeAnchorHex(payload);
    if (anchor !== null) seen.push({ hotkey, anchor });
  }
  return seen;
}
