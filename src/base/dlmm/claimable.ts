/** US dollars and SOL; `undefined`: not known. */
interface Worth {
  readonly usd: number | undefined;
  readonly native: number | undefined;
}

/** What tells whether a claim can bring something. */
interface Claimable {
  readonly poolType: string;
  /** Whole tokens; `undefined`: not reported. */
  readonly uncollectedFee0?: number | undefined;
  readonly uncollectedFee1?: number | undefined;
  readonly uncollectedRewards?: readonly { readonly amount: number | undefined }[] | undefined;
}

/** Whether a position may have fees, in a pool that Binsight knows. Amounts that are not reported count as some. */
export function mayHaveFees({ poolType, uncollectedFee0 = 1, uncollectedFee1 = 1 }: Claimable): boolean {
  return poolType !== 'other' && uncollectedFee0 + uncollectedFee1 > 0;
}

/** Whether a position may have something to claim: fees, or rewards of its pool. */
export function mayHaveClaims(position: Claimable): boolean {
  const { poolType, uncollectedRewards = [] } = position;
  return mayHaveFees(position) || (poolType !== 'other' && uncollectedRewards.some(({ amount = 1 }) => amount > 0));
}

/** What waits in a position, by its listing. */
interface Waiting {
  readonly value: Worth;
  readonly uncollectedFee: Worth;
  readonly uncollectedRewards?: readonly { readonly worth: Worth }[] | undefined;
}

/** Fees and rewards in US dollars; rewards without a price do not count. `undefined`: the fees have no known value. */
export function claimableUsd({ uncollectedFee: { usd }, uncollectedRewards = [] }: Omit<Waiting, 'value'>): number | undefined {
  return usd === undefined ? undefined : uncollectedRewards.reduce((sum, { worth }) => sum + (worth.usd ?? 0), usd);
}

/**
 * What a claim from one position costs with the services that Binsight runs: the sandbox's tip, network fee and priority fee. Over a chain it
 * is less where priority fees are low. The rent of a token account that it may open is not among it: that comes back.
 */
const CLAIM_COST_SOL = 0.000_21;

/** {@link claimableUsd} less what a claim costs; `undefined`: that, or the price of SOL, is not known. */
export function worthClaimingUsd(position: Waiting): number | undefined {
  const gross = claimableUsd(position);
  const priceOfSol = [position.value, position.uncollectedFee].flatMap(({ usd, native }) =>
    usd !== undefined && native !== undefined && native > 0 ? [usd / native] : [],
  )[0];
  return gross === undefined || priceOfSol === undefined ? undefined : gross - CLAIM_COST_SOL * priceOfSol;
}
