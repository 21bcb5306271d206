/** An owner's balance of one token, also under the published contract's names. */
export interface WireTokenBalance {
  readonly address: string;
  /** Whole tokens, decimal text. */
  readonly uiAmount: string;
  readonly tokenAddress: string;
  readonly balance: number;
  /** Raw, decimal text. */
  readonly rawBalance: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logo: string;
  readonly balanceInUsd: number;
  readonly price: number;
}
