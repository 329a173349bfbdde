import { toHex } from '../hex.ts';
import type { MethodTable, ServedChain } from './method.ts';
import { unsubscribe } from './method.ts';

/** `author_*`: transactions are checked before they are answered; refusals are Substrate's error codes. */
export function authorMethods(served: ServedChain): MethodTable {
  return {
    author_submitExtrinsic: (params) => toHex(served.chain().submit(params.bytes(0)).extrinsic.hash),
    author_pendingExtrinsics: () =>
      served
        .chain()
        .pending()
        .map(({ bytes }) => toHex(bytes)),
    author_submitAndWatchExtrinsic: (params, caller) => {
      const chain = served.chain();
      const { extrinsic, ready } = chain.submit(params.bytes(0));
      return caller.subscribe('author_extrinsicUpdate', (push) => {
        push(ready ? 'ready' : 'future');
        return chain.watchers.watch(extrinsic.hash, push);
      });
    },
    author_unwatchExtrinsic: unsubscribe,
  };
}
