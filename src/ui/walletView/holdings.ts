import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { TokenBalance } from '../../service/tokens';

/** A larger worth in US dollars is no real one: a token can report any price. */
const LARGEST_USD = 1e12;

/** A token that the wallet holds. */
export interface WalletHolding {
  readonly balance: TokenBalance;
  /** Whole tokens, for display. */
  readonly amount: number;
  /** US dollars; `undefined`: no price is known. */
  readonly worthUsd: number | undefined;
}

/** What a wallet holds. */
export interface Holdings {
  /** `undefined`: the service reports none. */
  readonly sol: WalletHolding | undefined;
  /** The other tokens with a known worth, largest first. */
  readonly priced: readonly WalletHolding[];
  /** Tokens without a known price, by symbol. Many of them are sent unasked. */
  readonly unpriced: readonly WalletHolding[];
  /** Sum of what has a price, in US dollars; `undefined` if nothing has one, or the worth of the SOL is not known. */
  readonly worthUsd: number | undefined;
}

/** Sorts balances for display: SOL first, then by worth. Tokens with an amount of exactly 0 are left out, except SOL. */
export function holdingsOf(balances: readonly TokenBalance[]): Holdings {
  const holdings = balances.map(holdingOf).filter(({ balance, amount }) => balance.mint === WRAPPED_SOL_MINT || amount !== 0);
  const others = holdings.filter(({ balance }) => balance.mint !== WRAPPED_SOL_MINT);
  const worths = holdings.flatMap(({ worthUsd }) => worthUsd ?? []);
  const sol = holdings.find(({ balance }) => balance.mint === WRAPPED_SOL_MINT);
  // Tokens without a price are mostly sent unasked and worth nothing, but SOL never is.
  const isSolKnown = sol !== undefined && (sol.worthUsd !== undefined || sol.amount === 0);
  return {
    sol,
    priced: others.filter(({ worthUsd }) => worthUsd !== undefined).sort((a, b) => (b.worthUsd ?? 0) - (a.worthUsd ?? 0) || byMint(a, b)),
    unpriced: others
      .filter(({ worthUsd }) => worthUsd === undefined)
      .sort((a, b) => (a.balance.symbol ?? '').localeCompare(b.balance.symbol ?? '') || byMint(a, b)),
    worthUsd: worths.length === 0 || !isSolKnown ? undefined : worths.reduce((sum, worth) => sum + worth, 0),
  };
}

function holdingOf(balance: TokenBalance): WalletHolding {
  const amount = Number(balance.amountText);
  const worth = balance.priceUsd === undefined ? NaN : amount * balance.priceUsd;
  // A price of 0 is none: price sources use it for tokens that they don't know.
  const isKnown = worth <= LARGEST_USD && (worth > 0 || amount === 0);
  return { balance, amount, worthUsd: isKnown ? worth : undefined };
}

function byMint(one: WalletHolding, other: WalletHolding): number {
  return one.balance.mint < other.balance.mint ? -1 : 1;
}
