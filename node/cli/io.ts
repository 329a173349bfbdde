import type { Environment } from '../../config/load/index.ts';

/** What a command may touch of its process. */
export interface CliIo {
  readonly environment: Environment;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What a command has to say: an object for `--json`, and text for people. */
export interface CommandResult {
  readonly result: unknown;
  readonly text: string;
  /** Exit code; 0 if absent. */
  readonly exit?: number;
}

/** Version of the objects that `--json` prints. */
export const CLI_SCHEMA = 'cacheon.cli.v1';

/** Rows of equal width, two spaces apart; for people only. */
export function columns(rows: readonly (readonly (string | number | null)[])[]): string {
  const text = rows.map((row) => row.map((cell) => (cell === null ? '-' : String(cell))));
  const widths = (text[0] ?? []).map((_, i) => Math.max(...text.map((row) => row[i]?.length ?? 0)));
  return text
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
