export { type AxonRecord, readAxons } from './axons.ts';
export { type Metagraph, type Neuron, readMetagraph, subnetState, ZERO_ACCOUNT } from './metagraph.ts';
