import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeAddress as polkadotEncode } from '@polkadot/util-crypto';
import fc from 'fast-check';
import { compareBytes } from '../../../evaluator/identity/index.ts';
import {
  AddressCache,
  compareAddresses,
  decodeAddress,
  encodeAddress,
  isAddressForm,
  PeerError,
} from '../../../evaluator/peer/index.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('addresses equal those of another implementation, at both ends of the range too', () => {
  const extremes = [new Uint8Array(32), new Uint8Array(32).fill(255)];
  for (const bytes of extremes) assert.equal(encodeAddress(bytes), polkadotEncode(bytes, 42));
  fc.assert(fc.property(key, (bytes) => encodeAddress(bytes) === polkadotEncode(bytes, 42)));
});

test('decoding gives the key back and refuses one changed character', () => {
  fc.assert(
    fc.property(key, fc.nat(47), fc.constantFrom(...'123ABCxyz'), (bytes, at, digit) => {
      const address = encodeAddress(bytes);
      assert.deepEqual(decodeAddress(address), bytes);
      const other = address.slice(0, at) + digit + address.slice(at + 1);
      if (other !== address) assert.equal(decodeAddress(other), null);
    }),
  );
});

test('another prefix, another length and other texts are no addresses', () => {
  assert.equal(decodeAddress(polkadotEncode(new Uint8Array(32).fill(7), 0)), null);
  assert.equal(decodeAddress(polkadotEncode(new Uint8Array(8).fill(7), 42)), null);
  fc.assert(fc.property(fc.string(), (text) => decodeAddress(text) === null));
  assert.throws(() => encodeAddress(new Uint8Array(31)), PeerError);
});

test('the order of addresses is that of their bytes', () => {
  const near = fc.tuple(key, fc.nat(31), fc.nat(255)).map(([bytes, at, value]) => {
    const other = Uint8Array.from(bytes);
    other[at] = value;
    return [bytes, other] as const;
  });
  fc.assert(
    fc.property(near, ([a, b]) => {
      const [x, y] = [encodeAddress(a), encodeAddress(b)];
      assert.ok(isAddressForm(x) && isAddressForm(y));
      assert.equal(compareAddresses(x, y), Math.sign(compareBytes(a, b)));
    }),
  );
});

test('the cache gives the same addresses before and after it is full', () => {
  const cache = new AddressCache({ capacity: 2 });
  const keys = [1, 2, 3, 1, 2].map((n) => new Uint8Array(32).fill(n));
  assert.deepEqual(
    keys.map((k) => cache.address(k)),
    keys.map(encodeAddress),
  );
});
