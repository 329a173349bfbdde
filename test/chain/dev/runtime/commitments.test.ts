import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { timelockEncrypt, verifyPulse } from '../../../../chain/timelock/index.ts';
import {
  call,
  dispatch,
  eventsAt,
  key,
  manualChain,
  manualOptions,
  NETUID,
  storage,
  type TestChain,
} from '../support.ts';

const raw = (text: string) => ({ [`Raw${text.length}`]: `0x${Buffer.from(text).toString('hex')}` });
const setFields = ({ api }: TestChain, ...fields: object[]) =>
  call(api, 'commitments', 'setCommitment', NETUID, { fields });

/** A field that opens with the pulse of `round` of this chain's own beacon, whose key is read from the chain. */
async function locked({ api }: TestChain, plaintext: string, round: number): Promise<object> {
  const config = (await storage(api, 'drand', 'beaconConfig')()).toJSON() as { publicKey: string };
  const encrypted = timelockEncrypt(
    { plaintext: Buffer.from(plaintext), round, publicKey: Buffer.from(config.publicKey.slice(2), 'hex') },
    { randomBytes: (size) => Uint8Array.from(randomBytes(size)) },
  );
  return { TimelockEncrypted: { encrypted: `0x${Buffer.from(encrypted).toString('hex')}`, revealRound: round } };
}

async function roundStored({ api }: TestChain): Promise<number> {
  return Number((await storage(api, 'drand', 'lastStoredRound')()).toString());
}

/** Makes blocks until the chain has the pulse of `round`; gives the hash of the block that stored it. */
async function untilRound(dev: TestChain, round: number): Promise<string> {
  let hash = dev.chain.genesis;
  while ((await roundStored(dev)) < round) hash = dev.chain.produceBlock().hash;
  return hash;
}

async function revealed({ api }: TestChain, uri: string): Promise<[string, number][]> {
  const list = (await storage(api, 'commitments', 'revealedCommitments')(NETUID, key(uri).address)).toJSON();
  return ((list ?? []) as [string, number][]).map(([hex, at]) => [Buffer.from(hex.slice(2), 'hex').toString(), at]);
}

const revealEvents = (uri: string, events: Awaited<ReturnType<typeof eventsAt>>) =>
  events.filter(
    ({ name, data }) => name === 'commitments.CommitmentRevealed' && (data as unknown[])[1] === key(uri).address,
  );

test('a Raw commitment gives the Commitment event and is read back with its block', async (t) => {
  const dev = await manualChain(t);
  const miner = key('//Miner0');
  const { error, events } = await dispatch(dev, setFields(dev, raw('anchor')), miner);
  assert.equal(error, null);
  const commitment = events.find(({ name }) => name === 'commitments.Commitment');
  assert.deepEqual(commitment?.data, [NETUID, miner.address]);
  const stored = (await storage(dev.api, 'commitments', 'commitmentOf')(NETUID, miner.address)).toJSON();
  const hex = `0x${Buffer.from('anchor').toString('hex')}`;
  assert.deepEqual(stored, { deposit: 0, block: 1, info: { fields: [{ raw6: hex }] } });
  const used = (await storage(dev.api, 'commitments', 'usedSpaceOf')(NETUID, miner.address)).toJSON();
  assert.deepEqual(used, { lastEpoch: 0, usedSpace: 100 }, 'at least 100 bytes are charged');
});

test('only registered hotkeys may commit, and only on this subnet', async (t) => {
  const dev = await manualChain(t);
  const stranger = await dispatch(dev, setFields(dev, raw('x')), key('//Validator0//cold'));
  assert.equal(stranger.error, 'AccountNotAllowedCommit');
  const elsewhere = call(dev.api, 'commitments', 'setCommitment', NETUID + 1, { fields: [raw('x')] });
  assert.equal((await dispatch(dev, elsewhere, key('//Miner0'))).error, 'AccountNotAllowedCommit');
});

test('a hotkey may commit 3,100 bytes an epoch, and starts afresh in the next', async (t) => {
  const dev = await manualChain(t, { genesis: { ...(await manualOptions()).genesis, tempo: 9 } });
  const miner = key('//Miner0');
  const big = { BigRaw: `0x${'ab'.repeat(512)}` };
  const outcomes: (string | null)[] = [];
  for (let i = 0; i < 3; i += 1) outcomes.push((await dispatch(dev, setFields(dev, big, big), miner)).error);
  assert.deepEqual(outcomes, [null, null, null]); // 3 * 1024
  const refused = await dispatch(dev, setFields(dev, raw('a')), miner);
  assert.equal(refused.error, 'SpaceLimitExceeded');
  const before = (await storage(dev.api, 'commitments', 'commitmentOf')(NETUID, miner.address)).toJSON();
  assert.equal((before as { block: number }).block, 3, 'a refused call changes nothing');
  for (let number = 5; number <= 11; number += 1) dev.chain.produceBlock();
  assert.equal((await dispatch(dev, setFields(dev, raw('a')), miner)).error, null);
});

test('a timelocked commitment is revealed in the block after its pulse, in phase Initialization', async (t) => {
  const dev = await manualChain(t);
  const round = 3;
  const set = await dispatch(dev, setFields(dev, raw('kept'), await locked(dev, 'payload', round)), key('//Miner0'));
  const locking = set.events.find(({ name }) => name === 'commitments.TimelockCommitment');
  assert.deepEqual(locking?.data, [NETUID, key('//Miner0').address, round]);

  const pulseBlock = await untilRound(dev, round);
  assert.deepEqual(revealEvents('//Miner0', await eventsAt(dev.api, pulseBlock)), [], 'not in the block of the pulse');
  const { hash, number } = dev.chain.produceBlock();
  const events = await eventsAt(dev.api, hash);
  assert.deepEqual(
    revealEvents('//Miner0', events).map(({ extrinsic }) => extrinsic),
    [null],
  );
  assert.deepEqual(await revealed(dev, '//Miner0'), [['payload', number]]);
  const left = (await storage(dev.api, 'commitments', 'commitmentOf')(NETUID, key('//Miner0').address)).toJSON();
  assert.deepEqual((left as { info: object }).info, { fields: [{ raw4: `0x${Buffer.from('kept').toString('hex')}` }] });
  assert.deepEqual((await storage(dev.api, 'commitments', 'timelockedIndex')()).toJSON(), []);
});

test('reveals of one block come in account order, one event for each revealed field', async (t) => {
  const dev = await manualChain(t);
  const uris = ['//Miner1', '//Miner0', '//Validator0'];
  for (const uri of uris) {
    const fields = uri === '//Miner0' ? ['one', 'two'] : [uri];
    const data = await Promise.all(fields.map((text) => locked(dev, text, 2)));
    await setFields(dev, ...data).signAndSend(key(uri));
  }
  await untilRound(dev, 2);
  const { hash } = dev.chain.produceBlock();
  const seen = (await eventsAt(dev.api, hash))
    .filter(({ name }) => name === 'commitments.CommitmentRevealed')
    .map(({ data }) => (data as string[])[1]);
  const byAccount = uris.map(key).sort((a, b) => Buffer.compare(a.publicKey, b.publicKey));
  const expected = byAccount.flatMap(({ address }) =>
    address === key('//Miner0').address ? [address, address] : [address],
  );
  assert.deepEqual(seen, expected);
  assert.deepEqual(
    (await revealed(dev, '//Miner0')).map(([text]) => text),
    ['one', 'two'],
  );
});

test('what does not open is dropped without a trace; what was overwritten never appears', async (t) => {
  const dev = await manualChain(t);
  const garbage = { TimelockEncrypted: { encrypted: `0x${'07'.repeat(300)}`, revealRound: 2 } };
  const wrongRound = (await locked(dev, 'for another round', 9)) as { TimelockEncrypted: { revealRound: number } };
  wrongRound.TimelockEncrypted.revealRound = 2;
  await setFields(dev, garbage, wrongRound).signAndSend(key('//Miner0'));
  await setFields(dev, await locked(dev, 'overwritten', 2)).signAndSend(key('//Miner1'));
  dev.chain.produceBlock();
  await dispatch(dev, setFields(dev, raw('instead')), key('//Miner1'));
  await untilRound(dev, 2);
  const { hash } = dev.chain.produceBlock();
  const events = await eventsAt(dev.api, hash);
  for (const uri of ['//Miner0', '//Miner1']) {
    assert.deepEqual(revealEvents(uri, events), []);
    assert.deepEqual(await revealed(dev, uri), []);
  }
  const gone = await storage(dev.api, 'commitments', 'commitmentOf')(NETUID, key('//Miner0').address);
  assert.equal(gone.toJSON(), null);
});

test('a round that is over already is accepted and revealed in the next block; the newest ten are kept', async (t) => {
  const dev = await manualChain(t);
  const names: string[] = [];
  for (let i = 0; i < 6; i += 1) {
    names.push(`${i}-a`, `${i}-b`);
    const data = [await locked(dev, `${i}-a`, 1), await locked(dev, `${i}-b`, 1)];
    assert.equal((await dispatch(dev, setFields(dev, ...data), key('//Miner0'))).error, null);
    dev.chain.produceBlock();
  }
  assert.deepEqual(
    (await revealed(dev, '//Miner0')).map(([text]) => text),
    names.slice(-10),
  );
});

test('every stored pulse is a signature of the chain key over its round, without gaps', async (t) => {
  const dev = await manualChain(t);
  await untilRound(dev, 4);
  const config = (await storage(dev.api, 'drand', 'beaconConfig')()).toJSON() as { publicKey: string; period: number };
  assert.equal(config.period, 3);
  for (let round = 1; round <= 4; round += 1) {
    const pulse = (await storage(dev.api, 'drand', 'pulses')(round)).toJSON() as Record<string, string>;
    const signature = Buffer.from(pulse['signature']!.slice(2), 'hex');
    assert.ok(verifyPulse(round, signature, Buffer.from(config.publicKey.slice(2), 'hex')));
    assert.equal(pulse['randomness'], `0x${createHash('sha256').update(signature).digest('hex')}`);
  }
  assert.equal((await storage(dev.api, 'drand', 'oldestStoredRound')()).toString(), '1');
});
