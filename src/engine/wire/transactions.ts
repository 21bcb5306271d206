/** Fields of all builds. `lastValidBlock` is the published contract's name of the height. */
interface WireBuild {
  readonly lastValidBlockHeight: number;
  readonly lastValidBlock: number;
  /** Swaps, without and with a tip. Transactions are base64. */
  readonly swapTxs: readonly string[];
  readonly swapTxsWithJito: readonly string[];
  /** How many of the transactions (of one variant) were executed in a simulation. Absent: the engine executes them itself. */
  readonly simulation?: { readonly transactions: number; readonly simulated: number } | undefined;
}

/** An unsigned withdrawal. The lists without tips are for clients that send transactions themselves. */
export interface WireDecrease extends WireBuild {
  readonly closeTxs: readonly string[];
  readonly closeTxsWithJito: readonly string[];
}

/** An unsigned entry. Some clients read the lists without tips. */
export interface WireAdd extends WireBuild {
  readonly addLiquidityTxs: readonly string[];
  readonly addLiquidityTxsWithJito: readonly string[];
  readonly meta: {
    readonly positionPubKey: string;
    readonly provider: string;
    /** Lamports of the input for each token. */
    readonly solForX: string;
    readonly solForY: string;
    /** Only where fees are deposited. */
    readonly positions?: readonly WireCompoundedPosition[] | undefined;
  };
}

/** An unsigned claim of fees: each transaction stands alone. */
export interface WireClaim extends Omit<WireBuild, 'swapTxs' | 'swapTxsWithJito'> {
  readonly claimTxs: readonly string[];
  readonly claimTxsWithJito: readonly string[];
  readonly meta: { readonly positions: readonly WireClaimedPosition[] };
}

/** What a claim takes from a position: raw amounts, as the chain has them before transfer fees. */
interface WireClaimedPosition {
  readonly position: string;
  readonly feeX: string;
  readonly feeY: string;
  /** By the number of the reward in the pool. */
  readonly rewards: readonly string[];
}

/** What becomes of the fees of a position that go into it again: raw amounts. */
interface WireCompoundedPosition extends WireClaimedPosition {
  /** What goes into the position at the present price. */
  readonly depositX: string;
  readonly depositY: string;
  /** What arrives in the wallet and stays there: the bins do not take it. */
  readonly leftX: string;
  readonly leftY: string;
}

/** An unsigned swap, or unwrapping of SOL. */
export interface WireSwap extends WireBuild {
  /** Raw amounts. */
  readonly quote: {
    readonly sold: string;
    /** By the quote. Unwrapped SOL is exact; the rent of its account comes on top. */
    readonly expected: string;
    /** The least that arrives: else the swap fails, and nothing is sold. */
    readonly guaranteed: string;
    readonly provider: string;
  };
}

/** What landing answers. */
export interface WireLanded {
  readonly method: 'JITO';
  readonly signature: string;
}

/** An amount of one token, whole tokens as decimal text. */
export interface WireTokenAmount {
  readonly address: string;
  readonly amount: string;
}

/** Value of a share of a position (contract: /position/decrease-quotes). Amounts are whole tokens as decimal text. */
export interface WireDecreaseQuote {
  /** US dollars for one whole token. */
  readonly price: { readonly token0: number | null; readonly token1: number | null };
  /** Amounts before swaps; `amount` does not include `fee`. */
  readonly token0: WireTokenAmount & { readonly fee: string };
  readonly token1: WireTokenAmount & { readonly fee: string };
  /** `null`: a price is not known. */
  readonly value: number | null;
  readonly valueNative: number | null;
  /** Proceeds for each `output` of decrease-tx: fees included, swaps at present prices. Tokens without a route to the output stay as they are. */
  readonly outputs: Readonly<Record<'allBaseToken' | 'allToken0' | 'allToken1' | 'both', readonly WireTokenAmount[]>>;
}
