import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { integer, readOptional } from '../db/rows.ts';
import { StoreError } from '../errors.ts';

/** The chain, subnet and hotkey a data directory belongs to. */
export interface Identity {
  readonly genesis_hash: string;
  readonly netuid: number;
  /** SS58, prefix 42. */
  readonly hotkey: string;
}

export interface MetaTable {
  identity(): Identity | null;
  /**
   * Pins the identity at the first start and compares it at every later one.
   * @throws StoreError STORE_FOREIGN naming the field that differs
   */
  pin(identity: Identity): void;
  /** Name of this data directory, made by `init`; null before that. */
  nodeId(): string | null;
  /** Stores the name; a second one is refused. */
  setNodeId(nodeId: string): void;
}

const identityRow = z.strictObject({ genesis_hash: z.string(), netuid: integer, hotkey: z.string() });

export function metaTable(db: Database): MetaTable {
  const select = db.prepare('SELECT genesis_hash, netuid, hotkey FROM meta');
  const insert = db.prepare('INSERT INTO meta (id, genesis_hash, netuid, hotkey) VALUES (1, ?, ?, ?)');
  const selectId = db.prepare('SELECT node_id FROM node_id');
  const insertId = db.prepare('INSERT INTO node_id (id, node_id) VALUES (1, ?)');
  const identity = (): Identity | null => readOptional(identityRow, 'meta', select.get());
  return {
    identity,
    pin(wanted) {
      const stored = identity();
      if (stored === null) {
        insert.run(wanted.genesis_hash, wanted.netuid, wanted.hotkey);
        return;
      }
      for (const field of ['genesis_hash', 'netuid', 'hotkey'] as const) {
        if (stored[field] !== wanted[field]) {
          throw new StoreError('STORE_FOREIGN', `stored ${stored[field]}, configured ${wanted[field]}`, { field });
        }
      }
    },
    nodeId: () => readOptional(z.strictObject({ node_id: z.string() }), 'node_id', selectId.get())?.node_id ?? null,
    setNodeId: (nodeId) => {
      insertId.run(nodeId);
    },
  };
}
