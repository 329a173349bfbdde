import { type Integer, ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { readHotkey } from './claims.ts';
import { DOMAIN } from './constants.ts';
import { EconomicsError } from './errors.ts';

/** One registered neuron. */
export interface MetagraphMember {
  readonly uid: Integer;
  readonly hotkey: string;
}

/** The block and membership that weights are projected for (`protocol.md` section 13). */
export interface ProjectionContext {
  readonly chain_scope_digest: string;
  readonly validator_hotkey: string;
  readonly current_block: Integer;
  /** "0x" and 64 hex digits. */
  readonly current_block_hash: string;
  /** By ascending uid. */
  readonly metagraph_members: readonly MetagraphMember[];
}

const KEYS = ['chain_scope_digest', 'validator_hotkey', 'current_block', 'current_block_hash', 'metagraph_members'];

/**
 * Parses a closed projection context.
 * @throws FieldError, EconomicsError CONTEXT_*
 */
export function parseProjectionContext(value: unknown, at = 'context'): ProjectionContext {
  const reader = new ObjectReader(value, at, KEYS);
  const hash = reader.raw('current_block_hash');
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/.test(hash)) {
    throw new EconomicsError('CONTEXT_BLOCK_HASH', undefined, { field: reader.at('current_block_hash') });
  }
  const context: ProjectionContext = {
    chain_scope_digest: reader.digest('chain_scope_digest'),
    validator_hotkey: readHotkey(reader, 'validator_hotkey'),
    current_block: reader.wideInteger('current_block', 0),
    current_block_hash: hash,
    metagraph_members: parseMembers(reader.array('metagraph_members'), reader.at('metagraph_members')),
  };
  if (!context.metagraph_members.some((member) => member.hotkey === context.validator_hotkey)) {
    throw new EconomicsError('CONTEXT_VALIDATOR_ABSENT', undefined, { field: reader.at('validator_hotkey') });
  }
  return context;
}

/**
 * Parses members: closed rows, ascending uids, each hotkey once.
 * @throws FieldError, EconomicsError CONTEXT_MEMBERS
 */
export function parseMembers(rows: readonly unknown[], at = 'members'): MetagraphMember[] {
  const members = rows.map((row, i) => {
    const reader = new ObjectReader(row, `${at}[${i}]`, ['uid', 'hotkey']);
    return { uid: reader.wideInteger('uid', 0), hotkey: readHotkey(reader, 'hotkey') };
  });
  const isAscending = members.every((member, i) => i === 0 || (members[i - 1] as MetagraphMember).uid < member.uid);
  if (!isAscending || new Set(members.map((member) => member.hotkey)).size !== members.length) {
    throw new EconomicsError('CONTEXT_MEMBERS', undefined, { field: at });
  }
  return members;
}

export function membershipDigest(context: ProjectionContext): string {
  return canonicalDigest(DOMAIN.membership, {
    block: context.current_block,
    block_hash: context.current_block_hash,
    chain_scope_digest: context.chain_scope_digest,
    members: context.metagraph_members,
  });
}

/** The context as identity covers it: with the digest of its membership. */
export function contextObject(context: ProjectionContext): ProjectionContext & { readonly metagraph_digest: string } {
  return { ...context, metagraph_digest: membershipDigest(context) };
}

export function projectionContextDigest(context: ProjectionContext): string {
  return canonicalDigest(DOMAIN.globalContext, contextObject(context));
}
