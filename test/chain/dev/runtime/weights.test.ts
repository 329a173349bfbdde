import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxUpscale } from '../../../../chain/dev/runtime/subtensor/weights.ts';
import { call, dispatch, key, manualChain, manualOptions, NETUID, storage, type TestChain } from '../support.ts';

const VERSION_KEY = 7;
const setWeights = ({ api }: TestChain, dests: number[], weights: number[], version = VERSION_KEY) =>
  call(api, 'subtensorModule', 'setWeights', NETUID, dests, weights, version);

async function chainWith(t: Parameters<typeof manualChain>[0], genesis: object = {}): Promise<TestChain> {
  const options = await manualOptions();
  return manualChain(t, { genesis: { ...options.genesis, weights_version_key: VERSION_KEY, ...genesis } });
}

test('weights are scaled up, stored at the uid, dated and announced', async (t) => {
  const dev = await chainWith(t);
  const { error, events } = await dispatch(dev, setWeights(dev, [0, 3, 4], [1, 2, 4]), key('//Validator1'));
  assert.equal(error, null);
  assert.deepEqual(events.find(({ name }) => name === 'subtensorModule.WeightsSet')?.data, [NETUID, 2]);
  const weights = (await storage(dev.api, 'subtensorModule', 'weights')(NETUID, 2)).toJSON();
  assert.deepEqual(weights, [
    [0, 16_384],
    [3, 32_768],
    [4, 65_535],
  ]);
  const dated = (await storage(dev.api, 'subtensorModule', 'lastUpdate')(NETUID)).toJSON();
  assert.deepEqual(dated, [0, 0, 1, 0, 0]);
});

test('a second setting waits for the rate limit, and is allowed exactly when it is over', async (t) => {
  const dev = await chainWith(t);
  const validator = key('//Validator0');
  assert.equal((await dispatch(dev, setWeights(dev, [3], [1]), validator)).error, null); // block 1
  assert.equal((await dispatch(dev, setWeights(dev, [4], [1]), validator)).error, 'SettingWeightsTooFast');
  for (let number = 3; number <= 9; number += 1) dev.chain.produceBlock();
  assert.equal((await dispatch(dev, setWeights(dev, [4], [1]), validator)).error, 'SettingWeightsTooFast'); // block 10
  assert.equal((await dispatch(dev, setWeights(dev, [4], [1]), validator)).error, null); // block 11
  const weights = (await storage(dev.api, 'subtensorModule', 'weights')(NETUID, 1)).toJSON();
  assert.deepEqual(weights, [[4, 65_535]]);
});

const REFUSALS: readonly (readonly [
  error: string,
  signer: string,
  dests: number[],
  weights: number[],
  version?: number,
])[] = [
  ['WeightVecNotEqualSize', '//Validator0', [1, 2], [1]],
  ['UidsLengthExceedUidsInSubNet', '//Validator0', [0, 1, 2, 3, 4, 5], [1, 1, 1, 1, 1, 1]],
  ['HotKeyNotRegisteredInSubNet', '//Validator0//cold', [1], [1]],
  ['IncorrectWeightVersionKey', '//Validator0', [1], [1], VERSION_KEY - 1],
  ['NeuronNoValidatorPermit', '//Miner0', [1], [1]],
  ['DuplicateUids', '//Validator0', [1, 1], [1, 1]],
  ['UidVecContainInvalidOne', '//Validator0', [5], [1]],
];

test('each of subtensor refusals has its error, and leaves no weights', async (t) => {
  const dev = await chainWith(t);
  for (const [error, signer, dests, weights, version] of REFUSALS) {
    const outcome = await dispatch(dev, setWeights(dev, dests, weights, version), key(signer));
    assert.equal(outcome.error, error);
  }
  assert.deepEqual((await storage(dev.api, 'subtensorModule', 'weights')(NETUID, 1)).toJSON(), []);
});

test('a miner may set a weight on itself only', async (t) => {
  const dev = await chainWith(t);
  assert.equal((await dispatch(dev, setWeights(dev, [3], [1]), key('//Miner0'))).error, null);
});

test('plain weights are refused where commit-reveal is on', async (t) => {
  const dev = await chainWith(t, { commit_reveal_weights: true });
  assert.equal((await dispatch(dev, setWeights(dev, [3], [1]), key('//Validator0'))).error, 'CommitRevealEnabled');
});

test('scaling keeps 65535 as the largest and zero as zero', () => {
  assert.deepEqual(maxUpscale([0, 0]), [0, 0]);
  assert.deepEqual(maxUpscale([65_535, 1, 0]), [65_535, 1, 0]);
  for (let largest = 1; largest < 65_535; largest += 97) assert.equal(maxUpscale([largest])[0], 65_535);
});

test('serve_axon is stored and announced, checked and rate limited', async (t) => {
  const dev = await chainWith(t);
  const serve = (ip: string, port: number, ipType = 4) =>
    call(dev.api, 'subtensorModule', 'serveAxon', NETUID, 1, ip, port, ipType, 0, 0, 0);
  const signer = key('//Validator0');
  const outcome = async (tx: ReturnType<typeof serve>, who = signer) => (await dispatch(dev, tx, who)).error;
  assert.equal(await outcome(serve('2130706433', 9740)), 'InvalidIpAddress');
  assert.equal(await outcome(serve('16909060', 9740, 5)), 'InvalidIpType');
  assert.equal(await outcome(serve('16909060', 0)), 'InvalidPort');
  assert.equal(await outcome(serve('16909060', 9740), key('//Miner0//cold')), 'HotKeyNotRegisteredInNetwork');
  const served = await dispatch(dev, serve('16909060', 9740), signer);
  assert.equal(served.error, null);
  assert.deepEqual(served.events.find(({ name }) => name === 'subtensorModule.AxonServed')?.data, [
    NETUID,
    signer.address,
  ]);
  const axon = (await storage(dev.api, 'subtensorModule', 'axons')(NETUID, signer.address)).toJSON();
  assert.deepEqual(axon, {
    block: 5,
    version: 1,
    ip: 16_909_060,
    port: 9740,
    ipType: 4,
    protocol: 0,
    placeholder1: 0,
    placeholder2: 0,
  });
  assert.equal(await outcome(serve('16909061', 9740)), 'ServingRateLimitExceeded');
});
