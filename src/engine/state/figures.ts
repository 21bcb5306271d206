/** A figure of a record; null: not known. What is computed from an unknown figure is unknown. */
export type KnownOrNull = number | null;

/** A value in US dollars and in SOL. */
export interface UsdAndNative {
  readonly usd: KnownOrNull;
  readonly native: KnownOrNull;
}

/** The two currencies. */
export type Unit = keyof UsdAndNative;

/** Nothing, in both currencies. */
export const NO_WORTH: UsdAndNative = { usd: 0, native: 0 };

/** Not known, in both currencies. */
export const UNKNOWN_WORTH: UsdAndNative = { usd: null, native: null };

export function sumOf(...figures: readonly KnownOrNull[]): KnownOrNull {
  return figures.reduce((sum, figure) => (sum === null || figure === null ? null : sum + figure));
}

/** The first less the second. */
export function difference(from: KnownOrNull, less: KnownOrNull): KnownOrNull {
  return from === null || less === null ? null : from - less;
}

export function product(one: KnownOrNull, other: KnownOrNull): KnownOrNull {
  return one === null || other === null ? null : one * other;
}

/** A quotient; 0 if the divisor is 0. */
export function quotient(part: KnownOrNull, of: KnownOrNull): KnownOrNull {
  return part === null || of === null ? null : ratio(part, of);
}

/** A quotient; 0 if the divisor is 0. */
export function ratio(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

/** Applies a function to a known figure. */
export function mapped<Result>(figure: KnownOrNull, to: (known: number) => Result): Result | null {
  return figure === null ? null : to(figure);
}

/** Applies an operation in both currencies. */
export function inBoth(of: (unit: Unit) => KnownOrNull): UsdAndNative {
  return { usd: of('usd'), native: of('native') };
}

/** The sums in both currencies. */
export function sumOfWorths(...worths: readonly UsdAndNative[]): UsdAndNative {
  return inBoth((unit) => worths.reduce<KnownOrNull>((sum, worth) => sumOf(sum, worth[unit]), 0));
}
