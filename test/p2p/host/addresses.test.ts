import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announceAddresses, foreignAddresses, isPublicAddress, parseAddress } from '../../../p2p/host/addresses.ts';

test('multiaddrs and host:port are read; anything else is refused', () => {
  const id = '12D3KooWD4K1aFREp72V2ovizM9Bgyb3bZBo9Bgzc9P9cJBTiusS';
  const read: Record<string, string> = {
    '192.0.2.1:9740': '/ip4/192.0.2.1/tcp/9740',
    '[2001:db8::1]:9740': '/ip6/2001:db8::1/tcp/9740',
    'node.example.org:1': '/dns/node.example.org/tcp/1',
    [`/ip4/192.0.2.1/tcp/9740/p2p/${id}`]: `/ip4/192.0.2.1/tcp/9740/p2p/${id}`,
    '/dns4/node.example.org/tcp/9740': '/dns4/node.example.org/tcp/9740',
  };
  for (const [text, expected] of Object.entries(read)) assert.equal(parseAddress(text).toString(), expected);
  for (const text of [
    '',
    'node.example.org',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    'a b:1',
    'http://example.org:80',
    '/ip4/192.0.2.1/udp/9740',
    '/ip4/192.0.2.1/tcp/9740/ws',
    `/ip4/192.0.2.1/tcp/9740/p2p/${id}/p2p-circuit`,
    '/unix/tmp',
    `/dns4/${'x'.repeat(300)}/tcp/1`,
  ]) {
    assert.throws(() => parseAddress(text), { code: 'ADDRESS_INVALID' }, text);
  }
});

test('public means routed on the internet', () => {
  const verdicts: Record<string, boolean> = {
    '8.8.8.8:1': true,
    '[2606:4700::1]:1': true,
    '127.0.0.1:1': false,
    '10.1.2.3:1': false,
    '172.16.0.1:1': false,
    '192.168.0.1:1': false,
    '169.254.1.1:1': false,
    '100.64.0.1:1': false,
    '0.0.0.0:1': false,
    '224.0.0.1:1': false,
    '[::1]:1': false,
    '[fe80::1]:1': false,
    '[fd00::1]:1': false,
    '[::ffff:127.0.0.1]:1': false,
    'example.org:1': false,
  };
  for (const [text, expected] of Object.entries(verdicts)) {
    assert.equal(isPublicAddress(parseAddress(text)), expected, text);
  }
});

test('of foreign addresses the first four usable ones are kept, and no names', () => {
  const many = [
    'example.org:1',
    '127.0.0.1:1',
    'nonsense',
    ...Array.from({ length: 10_000 }, (_, i) => `8.8.8.8:${i + 1}`),
  ];
  assert.deepEqual(
    foreignAddresses(many, false),
    [1, 2, 3, 4].map((port) => `/ip4/8.8.8.8/tcp/${port}`),
  );
  assert.deepEqual(foreignAddresses(many.slice(0, 3), true), ['/ip4/127.0.0.1/tcp/1']);
});

test('an operator may announce names; never an unspecified address', () => {
  assert.deepEqual(announceAddresses(['example.org:1'], false), ['/dns/example.org/tcp/1']);
  assert.deepEqual(announceAddresses(['127.0.0.1:1'], true), ['/ip4/127.0.0.1/tcp/1']);
  assert.throws(() => announceAddresses(['127.0.0.1:1'], false), { code: 'ADDRESS_PRIVATE' });
  assert.throws(() => announceAddresses(['0.0.0.0:1'], true), { code: 'ADDRESS_PRIVATE' });
});
