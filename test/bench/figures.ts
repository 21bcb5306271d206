/** Milliseconds that some work takes, waited for where it is a promise. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The value below which `share` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** "2.8 ms", "640 ms" */
export function milliseconds(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

/** A line for whoever runs the benchmark. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
