import { type Block, headerJson } from '../block/index.ts';
import type { Chain, ChainListener } from '../chain/index.ts';
import { toHex } from '../hex.ts';
import { invalidParams } from './errors.ts';
import { type Feed, type Method, type MethodTable, type Params, type ServedChain, unsubscribe } from './method.ts';

const HASHES_PER_CALL_MAX = 1000;

/** Whether a head that is due now is announced (dev_skipHeads). */
export interface HeadGate {
  passes(): boolean;
}

/** `chain_*`. */
export function chainMethods(served: ServedChain, gate: HeadGate): MethodTable {
  const heads = (kind: 'best' | 'finalized'): Feed => {
    return (push) => {
      const send = ({ header }: Block): void => {
        if (gate.passes()) push(headerJson(header));
      };
      push(headerJson(headOf(served.chain(), kind).header));
      const quiet = (): void => undefined;
      const listener: ChainListener =
        kind === 'best' ? { onBest: send, onFinalized: quiet } : { onBest: quiet, onFinalized: send };
      return served.listen(listener);
    };
  };
  return {
    chain_getBlockHash: (params) => blockHash(served.chain(), params),
    chain_getHead: () => toHex(served.chain().best.hash),
    chain_getFinalizedHead: () => toHex(headOf(served.chain(), 'finalized').hash),
    chain_getHeader: (params) => {
      const block = blockOf(served.chain(), params);
      return block === null ? null : headerJson(block.header);
    },
    chain_getBlock: (params) => {
      const block = blockOf(served.chain(), params);
      if (block === null) return null;
      return {
        block: { header: headerJson(block.header), extrinsics: block.extrinsics.map(toHex) },
        justifications: null,
      };
    },
    ...subscriptionNames('NewHead', 'chain_newHead', heads('best')),
    ...subscriptionNames('AllHead', 'chain_allHead', heads('best')),
    ...subscriptionNames('FinalizedHead', 'chain_finalizedHead', heads('finalized')),
  };
}

/** Substrate's names end in "Heads"; clients also use the singular. */
function subscriptionNames(name: string, notification: string, feed: Feed): MethodTable {
  const subscribe: Method = (_, caller) => caller.subscribe(notification, feed);
  const names = [name, `${name}s`];
  return Object.fromEntries(
    names.flatMap((one) => [
      [`chain_subscribe${one}`, subscribe],
      [`chain_unsubscribe${one}`, unsubscribe],
    ]),
  );
}

export function headOf(chain: Chain, kind: 'best' | 'finalized'): Block {
  return kind === 'best' ? chain.best : (chain.block(chain.finalizedHeight) ?? chain.best);
}

/** The block of an optional hash, the best one without it; null if unknown. */
function blockOf(chain: Chain, params: Params): Block | null {
  const hash = params.optionalBytes(0);
  if (hash === null) return chain.best;
  const height = chain.heightOf(hash);
  return height === null ? null : chain.block(height);
}

/** One hash for a height (a number or 0x and hex), a list for a list; the best one's without a parameter. */
function blockHash(chain: Chain, params: Params): string | null | (string | null)[] {
  const asked = params.raw(0);
  if (asked === null) return toHex(chain.best.hash);
  if (!Array.isArray(asked)) return hashAt(chain, asked);
  if (asked.length > HASHES_PER_CALL_MAX) throw invalidParams('too many heights');
  return asked.map((height: unknown) => hashAt(chain, height));
}

function hashAt(chain: Chain, asked: unknown): string | null {
  const text = typeof asked === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(asked);
  const height = text ? Number.parseInt(asked, 16) : asked;
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0) throw invalidParams('not a height');
  const block = chain.block(height);
  return block === null ? null : toHex(block.hash);
}
