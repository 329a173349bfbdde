import type { Pallet } from '../pallet.ts';
import { serveAxon } from './axon.ts';
import { SUBTENSOR_INDEX, subtensorErrors, subtensorEvents } from './events.ts';
import * as storage from './storage.ts';
import { setWeights } from './weights.ts';

export const subtensorPallet: Pallet = {
  name: 'SubtensorModule',
  index: SUBTENSOR_INDEX,
  path: 'pallet_subtensor',
  storage: Object.values(storage),
  calls: { set_weights: setWeights, serve_axon: serveAxon },
  events: subtensorEvents,
  errors: subtensorErrors,
  constants: [],
};
