/** An unsigned withdrawal: spec §4.8, and the published contract's name of the height. Transactions are base64. */
export interface WireDecrease {
  readonly lastValidBlockHeight: number;
  readonly lastValidBlock: number;
  readonly closeTxs: readonly string[];
  readonly swapTxs: readonly string[];
  readonly closeTxsWithJito: readonly string[];
  readonly swapTxsWithJito: readonly string[];
}

/** An unsigned entry: spec §4.10. */
export interface WireAdd {
  readonly lastValidBlockHeight: number;
  readonly swapTxsWithJito: readonly string[];
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

/** What a part of a position is worth. Amounts: whole tokens as decimal text. */
export interface WireDecreaseQuote {
  readonly price: { readonly token0: number; readonly token1: number };
  readonly token0: { readonly address: string; readonly amount: string; readonly fee: string };
  readonly token1: { readonly address: string; readonly amount: string; readonly fee: string };
  readonly value: number;
  readonly valueNative: number;
}
