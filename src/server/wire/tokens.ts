/** What an owner holds of one token: spec §4.7, and the published contract's names for the same. */
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
