import { sortedSet } from '../fields/index.ts';
import { CatalogError, type CatalogErrorCode } from './errors.ts';
import { closures, findCycle } from './graph.ts';
import type { TargetSpec } from './targets.ts';

export type Targets = ReadonlyMap<string, TargetSpec>;

/** What each target displaces and requires, directly or not. */
export interface Relations {
  readonly displacement: ReadonlyMap<string, ReadonlySet<string>>;
  readonly requirement: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Checks how the targets relate to each other (`protocol.md` section 5, Relations) and returns the closures.
 * @throws CatalogError CATALOG_ATOMIC, CATALOG_MEMBERS, CATALOG_RELATION, CATALOG_CYCLE, CATALOG_REQUIRES
 */
export function checkRelations(targets: Targets): Relations {
  for (const target of targets.values()) checkOwn(target, targets);
  const displacement = closures(new Map([...targets].map(([id, target]) => [id, target.displaces])));
  const requirement = closures(new Map([...targets].map(([id, target]) => [id, target.requires])));
  const cycle = findCycle(displacement) ?? findCycle(requirement);
  if (cycle !== null) refuse('CATALOG_CYCLE', cycle);
  const relations = { displacement, requirement };
  const list = [...targets.values()];
  list.forEach((target, i) => {
    for (const other of list.slice(i + 1)) checkPair(target, other, relations);
    checkRequirements(target.target_id, relations);
  });
  return relations;
}

function checkOwn(target: TargetSpec, targets: Targets): void {
  const id = target.target_id;
  if (target.kind === 'atomic' && target.members.some((member) => targets.get(member)?.kind !== 'slot')) {
    refuse('CATALOG_ATOMIC', id, 'a member is not a registered slot');
  }
  for (const related of [...target.displaces, ...target.compatible_with, ...target.requires]) {
    if (related === id) refuse('CATALOG_RELATION', id, 'a relation to itself');
    if (!targets.has(related)) refuse('CATALOG_RELATION', id, 'a relation to an unknown target');
  }
  const displaced = new Set(target.displaces);
  if ([...target.compatible_with, ...target.requires].some((related) => displaced.has(related))) {
    refuse('CATALOG_RELATION', id, 'displaces what it is compatible with or requires');
  }
  if (target.compatible_with.some((other) => !targets.get(other)?.compatible_with.includes(id))) {
    refuse('CATALOG_RELATION', id, 'compatible_with is not symmetric');
  }
}

function checkPair(a: TargetSpec, b: TargetSpec, { displacement }: Relations): void {
  const displaces =
    displacement.get(a.target_id)?.has(b.target_id) === true ||
    displacement.get(b.target_id)?.has(a.target_id) === true;
  if (displaces && a.compatible_with.includes(b.target_id)) {
    refuse('CATALOG_RELATION', a.target_id, 'compatible with a target that displaces it, or is displaced by it');
  }
  if (sortedSet(a.members).join() === sortedSet(b.members).join()) {
    refuse('CATALOG_MEMBERS', a.target_id, `the same members as ${b.target_id}`);
  }
  if (!displaces && a.members.some((member) => b.members.includes(member))) {
    refuse('CATALOG_MEMBERS', a.target_id, `shares members with ${b.target_id} and neither displaces the other`);
  }
}

function checkRequirements(id: string, { displacement, requirement }: Relations): void {
  for (const required of requirement.get(id) ?? []) {
    if (displacement.get(id)?.has(required)) refuse('CATALOG_REQUIRES', id, 'requires what it displaces');
    if (displacement.get(required)?.has(id)) refuse('CATALOG_REQUIRES', id, 'requires a target that displaces it');
  }
}

function refuse(code: CatalogErrorCode, target: string, message?: string): never {
  throw new CatalogError(code, message, { field: `targets.${target}` });
}
