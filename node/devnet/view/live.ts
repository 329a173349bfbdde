import { describe, short } from './describe.ts';
import { summaryLines, table } from './table.ts';
import type { View, ViewDependencies } from './types.ts';

/** Lines of recent news under the tables. */
const RECENT_LINES = 12;
/** Least time between two drawings, milliseconds. */
const REDRAW_MS = 150;

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** A live view: proposals, nodes and the latest news, drawn over itself. */
export function liveView({ board, write, seconds }: ViewDependencies, columns: () => number): View {
  const recent: string[] = [];
  let drawn = 0;
  let timer: NodeJS.Timeout | null = null;

  const erase = (): string => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`);
  const draw = (): void => {
    timer = null;
    const lines = frame(board, recent, seconds()).map((line) => line.slice(0, columns() - 1));
    write(`${drawn === 0 ? HIDE_CURSOR : ''}${erase()}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const later = (): void => {
    timer ??= setTimeout(draw, REDRAW_MS);
  };
  const tell = (who: string, text: string): void => {
    recent.push(`${seconds().toFixed(1).padStart(6)}s  ${who.padEnd(11)} ${text}`);
    if (recent.length > RECENT_LINES) recent.shift();
    later();
  };
  return {
    note: tell,
    event: (node, logged, news) => {
      const text = news ? describe(logged.event, board) : null;
      if (text === null) later();
      else tell(node, text);
    },
    summary: (summary, pages) => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      write(`${erase()}${recent.join('\n')}\n${summaryLines(summary, board, pages).join('\n')}\n`);
      drawn = 0;
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      write(SHOW_CURSOR);
    },
  };
}

function frame(board: ViewDependencies['board'], recent: readonly string[], seconds: number): string[] {
  const height = Math.max(0, ...[...board.nodes.values()].map((node) => node.height));
  const proposals = [...board.proposals.values()].map((p) => {
    const sides = [...p.verdicts]
      .sort(([a], [b]) => a - b)
      .map(([, v]) => v.result + (v.speedup === null ? '' : ` x${Number(v.speedup).toFixed(2)}`));
    return [p.miner, p.stage, p.reason ?? '', sides.join(', ')];
  });
  const nodes = [...board.nodes].map(([name, n]) => [
    name,
    String(n.height),
    n.record === null ? '-' : short(n.record),
    n.stack === null ? '-' : short(n.stack),
    n.doing,
  ]);
  return [
    `cacheon devnet   finalized height ${height}   ${seconds.toFixed(0)} s`,
    '',
    ...table([['proposal', 'stage', 'reason', 'sides'], ...proposals]),
    '',
    ...table([['node', 'height', 'record', 'stack', 'now'], ...nodes]),
    '',
    ...recent,
  ];
}
