import type { Board, Summary } from '../board.ts';
import { short } from './describe.ts';

/** Lines of a table with columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The summary as a person reads it. */
export function summaryLines(summary: Summary, board: Board, pages: Readonly<Record<string, string>>): string[] {
  const proposals = [...board.proposals.values()].map((p) => {
    const speeds = [...p.verdicts]
      .sort(([a], [b]) => a - b)
      .map(([, v]) => (v.speedup === null ? v.result : `x${Number(v.speedup).toFixed(3)}`));
    return [p.miner, p.outcome ?? p.stage, p.reason ?? '', speeds.join(' '), short(p.reservation)];
  });
  const nodes = Object.keys(summary.records).map((name) => [
    name,
    short(summary.records[name] ?? '-'),
    short(summary.heads[name] ?? '-'),
    short(summary.stacks[name] ?? '-'),
    summary.weightsConfirmed[name] === true ? 'read back' : 'missing',
    pages[name] ?? '',
  ]);
  return [
    '',
    ...table([['proposal', 'outcome', 'reason', 'sides', 'reservation'], ...proposals]),
    '',
    ...table([['node', 'record', 'journal', 'stack', 'weights', 'status page'], ...nodes]),
    '',
    `${summary.ok ? 'All nodes agree' : 'NOT as it should be'} after ${summary.seconds} s.`,
  ];
}
