import type { View, ViewDependencies } from './types.ts';

/** One JSON object a line; the last one is the summary. */
export function jsonView({ write, seconds }: ViewDependencies): View {
  const line = (value: object): void => write(`${JSON.stringify(value)}\n`);
  return {
    note: (who, text) => line({ type: 'note', seconds: round(seconds()), who, text }),
    event: (node, logged, news) =>
      line({ type: 'event', seconds: round(seconds()), node, height: logged.height, news, event: logged.event }),
    summary: (summary, pages) => {
      line({ type: 'pages', pages });
      line(summary);
    },
    close: () => undefined,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
