/** What the account of a bin says of fees (lb_clmm, `Bin`), as decimal text: the supply of liquidity, and fees for each unit of it so far, Q64.64 that wrap around. */
export interface WireBinCounters {
  readonly binId: number;
  readonly supply: string;
  readonly feeX: string;
  readonly feeY: string;
}

/** The counters of bins at one moment. */
export interface WireCounterSnapshot {
  /** Seconds since 1970, by the clock of the chain. */
  readonly timeS: number;
  readonly slot: number;
  readonly activeBinId: number;
  /** What the active bin holds, raw. */
  readonly activeX: string;
  readonly activeY: string;
  /** Ascending; fewer than asked for where the reading covered fewer. */
  readonly bins: readonly WireBinCounters[];
}

/** The answer to counters: readings that were kept, oldest first, and one of now. */
export interface WireCounters {
  readonly binStepBps: number;
  readonly snapshots: readonly WireCounterSnapshot[];
  /** The liquidity of the position that was asked for, now, in the bins of the answer in which it has some. */
  readonly position?: readonly { readonly binId: number; readonly share: string }[];
}
