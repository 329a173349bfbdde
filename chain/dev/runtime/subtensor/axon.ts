import { named, u8, u16, u32, u128 } from '../../scale/index.ts';
import { signedCall } from '../pallet.ts';
import { failSubtensor as fail, subtensorEvents } from './events.ts';
import * as storage from './storage.ts';

const IPV4_LOCALHOST = 0x7f000001n;
const IPV4_BROADCAST = 0xffff_ffffn;
const IPV6_LOCALHOST = 1n;
const U128_MAX = (1n << 128n) - 1n;

/** `serve_axon`: announces where a neuron can be reached. */
export const serveAxon = signedCall(
  {
    index: 4,
    class: 'Normal',
    paysFee: 'No',
    fields: named({
      netuid: u16,
      version: u32,
      ip: u128,
      port: u16,
      ipType: u8,
      protocol: u8,
      placeholder1: u8,
      placeholder2: u8,
    }),
  },
  (context, who, { netuid, ...axon }) => {
    const { state, number } = context;
    if (!storage.networksAdded.get(state, netuid)) fail('SubnetNotExists');
    if (storage.uids.get(state, netuid, who) === null) fail('HotKeyNotRegisteredInNetwork');
    if (axon.ipType !== 4 && axon.ipType !== 6) fail('InvalidIpType');
    if (!addressAllowed(axon.ipType, axon.ip)) fail('InvalidIpAddress');
    const last = storage.axons.get(state, netuid, who)?.block ?? 0n;
    const limit = storage.servingRateLimit.get(state, netuid);
    if (limit > 0n && last > 0n && BigInt(number) - last < limit) fail('ServingRateLimitExceeded');
    if (axon.port === 0) fail('InvalidPort');
    storage.axons.put(state, [netuid, who], { ...axon, block: BigInt(number) });
    context.deposit(subtensorEvents.AxonServed, [netuid, who]);
  },
);

/** Zero is allowed, localhost and the all-ones address are not. */
function addressAllowed(ipType: number, ip: bigint): boolean {
  return ipType === 4 ? ip < IPV4_BROADCAST && ip !== IPV4_LOCALHOST : ip !== U128_MAX && ip !== IPV6_LOCALHOST;
}
