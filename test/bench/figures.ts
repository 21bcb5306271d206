/** Milliseconds that a function takes, including its promise. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The quantile of the values: `share` (0 to 1) of them lie below it. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** "2.8 ms", "640 ms" */
export function milliseconds(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

/** Prints a line of the report. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
