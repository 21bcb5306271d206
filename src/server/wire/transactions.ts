/** Fields of all builds. `lastValidBlock` is the published contract's name of the height. */
interface WireBuild {
  readonly lastValidBlockHeight: number;
  readonly lastValidBlock: number;
  /** Swaps, without and with a tip. Transactions are base64. */
  readonly swapTxs: readonly string[];
  readonly swapTxsWithJito: readonly string[];
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
    /** Lamports of the input that go to each side. */
    readonly solForX: string;
    readonly solForY: string;
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

/** What a part of a position is worth (contract: /position/decrease-quotes). Amounts: whole tokens as decimal text. */
export interface WireDecreaseQuote {
  /** US dollars for one whole token. */
  readonly price: { readonly token0: number; readonly token1: number };
  /** What comes out before any swap; `fee` is not in `amount`. */
  readonly token0: WireTokenAmount & { readonly fee: string };
  readonly token1: WireTokenAmount & { readonly fee: string };
  readonly value: number;
  readonly valueNative: number;
  /** What the wallet gets for each `output` that decrease-tx takes, fees included, swaps at their present price. Where no way leads to a token, what cannot be swapped comes as it is. */
  readonly outputs: Readonly<Record<'allBaseToken' | 'allToken0' | 'allToken1' | 'both', readonly WireTokenAmount[]>>;
}
