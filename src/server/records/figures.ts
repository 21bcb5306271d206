/** A figure of a record; null: not known. What is computed from an unknown figure is unknown. */
export type Figure = number | null;

/** A value in US dollars and in SOL. */
export interface Worth {
  readonly usd: Figure;
  readonly native: Figure;
}

/** The two currencies. */
export type Unit = keyof Worth;

/** Nothing, in both currencies. */
export const NO_WORTH: Worth = { usd: 0, native: 0 };

/** The sum. */
export function sumOf(...figures: readonly Figure[]): Figure {
  return figures.reduce((sum, figure) => (sum === null || figure === null ? null : sum + figure));
}

/** The first less the second. */
export function difference(from: Figure, less: Figure): Figure {
  return from === null || less === null ? null : from - less;
}

/** The product. */
export function product(one: Figure, other: Figure): Figure {
  return one === null || other === null ? null : one * other;
}

/** A quotient; 0 if the divisor is 0. */
export function quotient(part: Figure, of: Figure): Figure {
  return part === null || of === null ? null : ratio(part, of);
}

/** A quotient; 0 if the divisor is 0. */
export function ratio(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

/** Applies a function to a known figure. */
export function mapped<Result>(figure: Figure, to: (known: number) => Result): Result | null {
  return figure === null ? null : to(figure);
}

/** Applies an operation in both currencies. */
export function inBoth(of: (unit: Unit) => Figure): Worth {
  return { usd: of('usd'), native: of('native') };
}

/** The sums in both currencies. */
export function sumOfWorths(...worths: readonly Worth[]): Worth {
  return inBoth((unit) => worths.reduce<Figure>((sum, worth) => sumOf(sum, worth[unit]), 0));
}
