import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcedAxon } from '../../../node/run/axon.ts';

test('the first public address with a literal IP is what the chain is told', () => {
  const addresses = ['/dns4/peer.example.org/tcp/9740', '/ip4/10.0.0.1/tcp/9740', '/ip4/1.2.3.4/tcp/9741'];
  assert.deepEqual(announcedAxon(addresses, 14, '0.1.20'), {
    netuid: 14,
    version: 1020,
    ip: 0x01020304n,
    ipType: 4,
    port: 9741,
    protocol: 4,
  });
  const v6 = announcedAxon(['/ip6/2606:4700::1/tcp/9740'], 14, '1.0.0');
  assert.equal(v6?.ipType, 6);
  assert.equal(v6?.ip, 0x26064700000000000000000000000001n);
});

test('loopback, private and unspecified addresses are never published', () => {
  for (const address of ['/ip4/127.0.0.1/tcp/1', '/ip4/192.168.1.1/tcp/1', '/ip4/0.0.0.0/tcp/1', '/ip6/::1/tcp/1']) {
    assert.equal(announcedAxon([address], 14, '0.1.0'), null);
  }
  assert.equal(announcedAxon([], 14, '0.1.0'), null);
});
