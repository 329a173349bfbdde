/**
 * Compares two strings by Unicode code point, not by UTF-16 unit: U+FFFF sorts before U+10000.
 * Returns a negative, zero or positive number. (`protocol.md` section 1.)
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates above the rest of the basic plane, where the code points they encode belong. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** Compares POSIX paths component by component, so that `a/b` sorts before `a.b`. (`protocol.md` section 9.) */
export function comparePathComponents(a: string, b: string): number {
  const x = a.split('/');
  const y = b.split('/');
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i++) {
    const order = compareCodePoints(x[i] as string, y[i] as string);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}

/** Compares byte strings lexicographically, as hotkeys and coldkeys are sorted. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
