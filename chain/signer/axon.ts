import { memberOf, type StateReader, safeIntegerOf } from '../rpc/index.ts';
import type { Signer, SubmitResult } from './signer.ts';

export interface AxonAddress {
  readonly netuid: number;
  /** The node's version as an integer. */
  readonly version: number;
  /** The address as an integer: 32 bits for IPv4, 128 for IPv6. */
  readonly ip: bigint;
  readonly ipType: 4 | 6;
  /** 1..65535. */
  readonly port: number;
  readonly protocol: number;
}

/**
 * Publishes where this hotkey listens. Finalized when `Axons` holds the address; nothing is sent if it does already,
 * since an address needs no renewal.
 */
export function serveAxon(signer: Signer, axon: AxonAddress, signal?: AbortSignal): Promise<SubmitResult> {
  const { netuid, version, ip, port, ipType, protocol } = axon;
  return signer.submit({
    call: (runtime) =>
      runtime.call('SubtensorModule', 'serve_axon', [netuid, version, ip, port, ipType, protocol, 0, 0]),
    confirmed: async (state) =>
      sameAxon(await state.get('SubtensorModule', 'Axons', [netuid, signer.hotkey], signal), axon),
    ...(signal === undefined ? {} : { signal }),
  });
}

function sameAxon(stored: Awaited<ReturnType<StateReader['get']>>, axon: AxonAddress): boolean {
  if (stored === null) return false;
  const field = 'SubtensorModule.Axons';
  const number = (name: string) => safeIntegerOf(memberOf(stored, name, field), `${field}.${name}`);
  return (
    memberOf(stored, 'ip', field).toString() === axon.ip.toString() &&
    number('port') === axon.port &&
    number('ipType') === axon.ipType &&
    number('version') === axon.version &&
    number('protocol') === axon.protocol
  );
}
