/** A measured figure. */
export interface BenchRow {
  /** What was measured. */
  readonly what: string;
  /** What was measured beside it in the same run; left out where there is nothing to compare with. */
  readonly beside?: string;
  readonly result: string;
  /** How it was measured: how often, of what, from when to when. */
  readonly how: string;
}

/** The environment variable with the file to which a benchmark reports its rows. */
export const ROWS_VARIABLE: string;

/** Reports a row of the table; without a file, it only prints it. */
export function reportRow(row: BenchRow): void;

/** The rows that a benchmark has reported. @throws where the file holds anything else */
export function readRows(file: string): readonly BenchRow[];

/** The table: a line for each row, under the name of its benchmark. */
export function tableOf(benches: readonly { readonly name: string; readonly rows: readonly BenchRow[] }[]): string;
