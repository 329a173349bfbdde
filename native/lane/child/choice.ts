import type { SlotName } from '../../wire/kinds.ts';
import { callFields } from '../../wire/slots.ts';
import type { SlotCode } from './instance.ts';

/** True if the call lies in the domain; a field that the call does not have matches nothing. */
export function matches(domain: SlotCode['row']['domain'], fields: Readonly<Record<string, number | string>>): boolean {
  for (const [field, range] of Object.entries(domain)) {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (value === undefined) return false;
    if (range.oneOf !== undefined && !range.oneOf.includes(value)) return false;
    if (range.min !== undefined && !(typeof value === 'number' && value >= range.min)) return false;
    if (range.max !== undefined && !(typeof value === 'number' && value <= range.max)) return false;
  }
  return true;
}

/** Index among `codes`, which are one slot's, of the module that serves a call: the first match, stock being last. */
export function chosen(slot: SlotName, args: readonly number[], codes: readonly SlotCode[]): number {
  const fields = callFields(slot, args);
  const index = codes.findIndex((code) => !code.row.candidate || matches(code.row.domain, fields));
  if (index < 0) throw new Error(`no stock module for ${slot}`);
  return index;
}
