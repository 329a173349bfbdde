import type { CompositionRule } from '../../config/arena/catalog-types.ts';
import { isSortedSet, ObjectReader, TARGET_ID } from '../fields/index.ts';
import { compareCodePoints } from '../identity/index.ts';
import { CatalogError, type CatalogErrorCode } from './errors.ts';
import { closures, findCycle } from './graph.ts';
import type { Targets } from './relations.ts';

const KEYS = [
  'schema_version',
  'rule_id',
  'target_ids',
  'precedence',
  'mode',
  'binding_family_id',
  'binding_contract_digest',
];

/**
 * Reads one composition rule; the digest may be all zero.
 * @throws FieldError, CatalogError CATALOG_RULE
 */
export function readRule(value: unknown, at: string): CompositionRule {
  const reader = new ObjectReader(value, at, KEYS);
  const targetIds = reader.texts('target_ids', TARGET_ID, 2, 2);
  const precedence = reader.texts('precedence', TARGET_ID, 2, 2);
  if (!isSortedSet(targetIds)) reader.fail('FIELD_ORDER', 'target_ids');
  const isPermutation = isSortedSet([...precedence].sort(compareCodePoints));
  if (!isPermutation || precedence.some((id) => !targetIds.includes(id))) {
    throw new CatalogError('CATALOG_RULE', 'precedence is no permutation', { field: reader.at('precedence') });
  }
  return {
    schema_version: reader.literal('schema_version', 1),
    rule_id: reader.text('rule_id', TARGET_ID),
    target_ids: targetIds,
    precedence,
    mode: reader.literal('mode', 'first_applicable'),
    binding_family_id: reader.text('binding_family_id', TARGET_ID),
    binding_contract_digest: reader.hexDigest('binding_contract_digest'),
  };
}

/**
 * Checks that the rules fit the targets: exactly one per compatible pair and none otherwise, unique ids, the
 * family of each slot contract, and an acyclic combined precedence.
 * @throws CatalogError CATALOG_RULE, CATALOG_CYCLE
 */
export function checkRules(rules: readonly CompositionRule[], targets: Targets): void {
  const ids = new Set(rules.map((rule) => rule.rule_id));
  if (ids.size !== rules.length) refuse('CATALOG_RULE', 'a rule id twice');
  const pairs = new Set<string>();
  for (const rule of rules) {
    const [first, second] = rule.target_ids as [string, string];
    const isCompatible = targets.get(first)?.compatible_with.includes(second) === true;
    if (!isCompatible) refuse('CATALOG_RULE', 'a rule for targets that are not compatible', rule);
    if (pairs.has(`${first} ${second}`)) refuse('CATALOG_RULE', 'a second rule for a pair', rule);
    pairs.add(`${first} ${second}`);
    for (const id of rule.target_ids) {
      const contract = targets.get(id)?.contract_ref ?? null;
      if (contract !== null && contract.binding_family_id !== rule.binding_family_id) {
        refuse('CATALOG_RULE', "not the binding family of the slot's contract", rule);
      }
    }
  }
  for (const target of targets.values()) {
    for (const other of target.compatible_with) {
      const pair = [target.target_id, other].sort(compareCodePoints).join(' ');
      if (!pairs.has(pair)) refuse('CATALOG_RULE', `no rule for the compatible pair ${pair}`);
    }
  }
  const edges = new Map([...targets.keys()].map((id) => [id, successors(id, rules)]));
  if (findCycle(closures(edges)) !== null) refuse('CATALOG_CYCLE', 'precedence has a cycle');
}

/** Pairs [first, second] of all rules. */
export function precedencePairs(rules: readonly CompositionRule[]): (readonly [string, string])[] {
  return rules.map((rule) => rule.precedence as [string, string]);
}

function successors(id: string, rules: readonly CompositionRule[]): string[] {
  return precedencePairs(rules)
    .filter(([first]) => first === id)
    .map(([, second]) => second);
}

function refuse(code: CatalogErrorCode, message: string, rule?: CompositionRule): never {
  throw new CatalogError(code, message, { field: `composition_rules${rule === undefined ? '' : `.${rule.rule_id}`}` });
}
