import { noFields, ScaleWriter, shapeOf, type TypeShape, u32, variant, vec, wrapped } from '../scale/index.ts';
import type { PalletEvent } from './pallet.ts';
import { h256 } from './types/account.ts';

const phase = variant('frame_system::Phase', {
  ApplyExtrinsic: { index: 0, fields: wrapped(u32) },
  Finalization: { index: 1, fields: noFields },
  Initialization: { index: 2, fields: noFields },
});
/** Null: before the first extrinsic (phase Initialization). Else the extrinsic's index in the block. */
export type EventPhase = number | null;

const NO_TOPICS = 0;

export function eventRecordShape(event: TypeShape): TypeShape {
  const fields = [
    { name: 'phase', type: phase.shape },
    { name: 'event', type: event },
    { name: 'topics', type: vec(h256).shape },
  ];
  return shapeOf({ kind: 'composite', fields }, 'frame_system::EventRecord', [
    { name: 'E', type: event },
    { name: 'T', type: h256.shape },
  ]);
}

export function eventRecord<T>(at: EventPhase, event: PalletEvent<T>, value: T): Uint8Array {
  const out = new ScaleWriter();
  if (at === null) phase.encode({ kind: 'Initialization', value: null }, out);
  else phase.encode({ kind: 'ApplyExtrinsic', value: at }, out);
  out.u8(event.pallet);
  out.u8(event.index);
  event.fields.encode(value, out);
  out.compact(NO_TOPICS);
  return out.finish();
}
