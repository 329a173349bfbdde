import { describe } from './describe.ts';
import { summaryLines } from './table.ts';
import type { View, ViewDependencies } from './types.ts';

/** Plain lines, for a pipe or a log. */
export function plainView({ board, write, seconds }: ViewDependencies): View {
  const line = (who: string, text: string): void =>
    write(`${seconds().toFixed(1).padStart(6)}s  ${who.padEnd(11)} ${text}\n`);
  return {
    note: line,
    event: (node, logged, news) => {
      const text = news ? describe(logged.event, board) : null;
      if (text !== null) line(node, text);
    },
    summary: (summary, pages) => write(`${summaryLines(summary, board, pages).join('\n')}\n`),
    close: () => undefined,
  };
}
