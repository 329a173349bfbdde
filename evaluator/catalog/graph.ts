import { compareCodePoints } from '../identity/index.ts';

export type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * Everything reachable from each node, itself left out unless it is on a cycle.
 * @param edges every node with its direct successors
 */
export function closures(edges: Edges): Map<string, ReadonlySet<string>> {
  const result = new Map<string, ReadonlySet<string>>();
  for (const start of edges.keys()) {
    const reached = new Set<string>();
    const open = [...(edges.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...(edges.get(next) ?? []));
    }
    result.set(start, reached);
  }
  return result;
}

/** The first node that reaches itself, or null. */
export function findCycle(reach: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  for (const [node, reached] of reach) if (reached.has(node)) return node;
  return null;
}

/**
 * Kahn's order of an acyclic graph, always taking the smallest ready node by code point.
 * @param before pairs [first, second]; pairs that name another node than those given do not count
 */
export function topologicalOrder(nodes: readonly string[], before: readonly (readonly [string, string])[]): string[] {
  const left = new Set(nodes);
  const edges = before.filter(([first, second]) => left.has(first) && left.has(second));
  const order: string[] = [];
  while (left.size > 0) {
    const ready = [...left].filter((node) => !edges.some(([first, second]) => second === node && left.has(first)));
    const next = ready.sort(compareCodePoints)[0];
    if (next === undefined) throw new RangeError('topologicalOrder needs an acyclic graph');
    order.push(next);
    left.delete(next);
  }
  return order;
}
