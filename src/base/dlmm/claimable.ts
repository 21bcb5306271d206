/** What tells whether a claim can bring something. */
interface Claimable {
  readonly poolType: string;
  /** Whole tokens; `undefined`: not reported. */
  readonly uncollectedFee0?: number | undefined;
  readonly uncollectedFee1?: number | undefined;
}

/** Whether a position may have fees, in a pool that Binsight knows. Amounts that are not reported count as some. */
export function mayHaveFees({ poolType, uncollectedFee0 = 1, uncollectedFee1 = 1 }: Claimable): boolean {
  return poolType !== 'other' && uncollectedFee0 + uncollectedFee1 > 0;
}
