import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAdmittedAddress } from '../../../node/intake/address.ts';
import { resolveHost } from '../../../node/intake/resolve.ts';

const PUBLIC = ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1', '::ffff:101:101'];
const OWN = [
  '127.0.0.1',
  '127.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::7f00:1',
];
const NEVER = [
  '0.0.0.0',
  '0.1.2.3',
  '255.255.255.255',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '192.0.0.1',
  '::',
  'ff02::1',
  '2001:db8::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '::ffff:0.0.0.0',
  '::ffff:224.0.0.1',
  'localhost',
  '',
  '1.2.3',
  '0x7f000001',
  '1.1.1.1 ',
];

test('only public unicast is admitted; private ranges on request; the rest never', () => {
  for (const address of PUBLIC) assert.equal(isAdmittedAddress(address, false), true, address);
  for (const address of OWN) {
    assert.equal(isAdmittedAddress(address, false), false, address);
    assert.equal(isAdmittedAddress(address, true), true, address);
  }
  for (const address of NEVER) {
    assert.equal(isAdmittedAddress(address, false), false, address);
    assert.equal(isAdmittedAddress(address, true), false, address);
  }
});

test('one private address in a DNS answer refuses the host', async () => {
  const signal = AbortSignal.timeout(5000);
  const answers =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: 4 }));
  const resolve = (hostname: string, lookup: Parameters<typeof resolveHost>[2]) =>
    resolveHost(hostname, false, lookup, signal);
  assert.equal((await resolve('x.example', answers('1.1.1.1', '1.0.0.1'))).length, 2);
  await assert.rejects(resolve('x.example', answers('1.1.1.1', '127.0.0.1')), { code: 'ADDRESS_REFUSED' });
  await assert.rejects(resolve('x.example', answers()), { code: 'DNS_FAILED' });
  await assert.rejects(resolve('x.example', answers(...Array(33).fill('1.1.1.1'))), { code: 'DNS_FAILED' });
  await assert.rejects(
    resolve('x.example', () => Promise.reject(new Error('ENOTFOUND'))),
    { code: 'DNS_FAILED' },
  );
  const never = () => assert.fail('a literal is not looked up');
  await assert.rejects(resolve('127.0.0.1', never), { code: 'ADDRESS_REFUSED' });
  await assert.rejects(resolve('[::ffff:7f00:1]', never), { code: 'ADDRESS_REFUSED' });
  assert.deepEqual(await resolve('1.1.1.1', never), [{ address: '1.1.1.1', family: 4 }]);
});

test('waiting for a name that never resolves ends with the signal', async () => {
  const controller = new AbortController();
  const waiting = resolveHost('x.example', false, () => new Promise(() => undefined), controller.signal);
  controller.abort(new Error('given up'));
  await assert.rejects(waiting, /given up/);
});
