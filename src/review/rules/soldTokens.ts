import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext } from '../context';
import type { Notes, PlacedEffect } from '../notes';
import type { TokenAmount, ZapOutIntent } from '../types';
import { isRemoval, poolIn } from './meteora';
import { mostRemovedBps } from './removals';

/**
 * How far amounts may differ from the figures that the user was shown, in basis points of the figures: prices move, and with them how much
 * of each token is in a position.
 */
export const WORTH_TOLERANCE_BPS = 1_000n;

/**
 * SWP-7 for a zap-out: its swaps sell only what it takes out of the position, and nothing else that the wallet holds. The bound is what the
 * user was shown: the worth of the share over all swaps together, and the holdings of the share for each token. Where a figure is missing,
 * or the figures contradict each other, a swap is a question. What the transactions really take out is a matter of operationBalances.ts,
 * where they were simulated.
 *
 * The bound holds for each transaction alone. A swap that lands without its withdrawal sells tokens that the wallet already had, but not
 * more of them than the position holds, at a price that SWP-9 has checked, and the proceeds go to the owner.
 */
export function reviewSold(context: OperationContext, intent: ZapOutIntent, notes: Notes): void {
  const sold = soldByMint(notes.effects);
  if (sold.size === 0) {
    return;
  }
  reviewWorth(sold, context, intent.worth, notes);
  if (intent.holdings !== undefined) {
    reviewHoldings(sold, context, { ...intent, holdings: intent.holdings }, notes);
  }
}

/** What swaps sell at most of each token that is known, raw units. */
export function soldByMint(effects: readonly PlacedEffect[]): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  const add = (mint: Address, amount: bigint): void => {
    sums.set(mint, (sums.get(mint) ?? 0n) + amount);
  };
  for (const effect of effects) {
    if (effect.kind === 'consume' && effect.into === 'swap' && effect.lamports > 0n) {
      add(WRAPPED_SOL_MINT, effect.lamports);
    } else if (effect.kind === 'spendToken' && effect.into === 'swap' && effect.mint !== undefined) {
      add(effect.mint, effect.amountRaw);
    }
  }
  return sums;
}

/** Adds up what is sold, each token as a share of what the withdrawal is worth in it: together at most one whole, and the tolerance. */
function reviewWorth(
  sold: ReadonlyMap<Address, bigint>,
  { poolTokens }: OperationContext,
  worth: readonly TokenAmount[] | undefined,
  notes: Notes,
): void {
  const shares: Fraction[] = [];
  for (const [mint, amountRaw] of sold) {
    const most = amountOf(worth ?? [], mint);
    if (!poolTokens.has(mint)) {
      const words = l10n.t`Swaps would sell ${mint}, which is not one of the pool's tokens. It does not come out of the position, so it would come out of your wallet.`;
      notes.operation('SWP-7', 'confirm', words, { address: mint, amountRaw });
    } else if (most === undefined) {
      const words = l10n.t`You were not shown what the position is worth in ${mint}. Swaps would sell ${String(amountRaw)} raw units of it, and nothing limits that to what you withdraw. The rest would come out of your wallet.`;
      notes.operation('SWP-7', 'confirm', words, { address: mint, amountRaw });
    } else if (most <= 0n) {
      notes.operation(
        'SWP-7',
        'confirm',
        l10n.t`Swaps would sell ${mint}, which does not come out of the position by the figures that you were shown. It would come out of your wallet.`,
        { address: mint, amountRaw },
      );
    } else {
      shares.push({ part: amountRaw, whole: most });
    }
  }
  const { part, whole } = shares.reduce(sum, NOTHING);
  if (exceeds(part, whole)) {
    const words = l10n.t`Swaps would sell ${String((part * 100n) / whole)} % of what is taken out of the position, by the figures that you were shown`;
    notes.operation('SWP-7', 'confirm', l10n.t`${words}: the rest would come out of your wallet.`);
  }
}

/** The same token by token: no more than is in the position, with a tenth of its worth on top, because a moving price turns one token into the other. */
function reviewHoldings(
  sold: ReadonlyMap<Address, bigint>,
  { transactions, poolTokens }: OperationContext,
  { pool, shareBps, worth = [], holdings }: ZapOutIntent & { readonly holdings: readonly TokenAmount[] },
  notes: Notes,
): void {
  const removals = transactions.flatMap(({ readings }) => readings.filter((reading) => isRemoval(reading) && poolIn(reading) === pool));
  const removedBps = mostRemovedBps(removals) ?? shareBps;
  if (removals.length > 0 && removedBps < shareBps) {
    notes.operation(
      'SWP-7',
      'confirm',
      l10n.t`Swaps would sell tokens, and only ${removedBps / 100}% of the liquidity is taken out; you asked for ${shareBps / 100}%. The rest of what is sold would come out of your wallet.`,
    );
  }
  if (removals.length === 0) {
    notes.operation(
      'SWP-7',
      'confirm',
      l10n.t(
        'Swaps would sell tokens, and no transaction takes liquidity out of the pool. All that is sold would come out of your wallet.',
      ),
    );
    return;
  }
  for (const [mint, amountRaw] of [...sold].filter(([one]) => poolTokens.has(one))) {
    const held = amountOf(holdings, mint);
    const detail = { address: mint, amountRaw };
    if (held === undefined) {
      notes.operation(
        'SWP-7',
        'confirm',
        l10n.t`You were not shown how much of ${mint} the position holds. Swaps would sell ${String(amountRaw)} raw units of it, and some of that could come out of your wallet.`,
        detail,
      );
    } else if (amountRaw > held + toleranceOf(held, amountOf(worth, mint))) {
      notes.operation(
        'SWP-7',
        'confirm',
        l10n.t`Swaps would sell ${String(amountRaw)} raw units of ${mint}; by the figures that you were shown ${String(held)} come out of the position. The rest would come out of your wallet.`,
        detail,
      );
    }
  }
  reviewContradiction(worth, holdings, notes);
}

/** What a share holds and what it is worth are the same amount in different units: each token's part of its worth adds up to one whole. */
function reviewContradiction(worth: readonly TokenAmount[], holdings: readonly TokenAmount[], notes: Notes): void {
  const shares = worth.map(({ mint, amountRaw }) => ({ part: amountOf(holdings, mint), whole: amountRaw }));
  const known = shares.flatMap(({ part, whole }) => (part === undefined || whole <= 0n ? [] : [{ part, whole }]));
  if (known.length < TOKENS_OF_A_POOL || known.length < shares.length) {
    notes.operation(
      'SWP-7',
      'confirm',
      l10n.t(
        "You were not shown amounts and prices of both of the pool's tokens. What the position holds cannot be compared with what it is worth, so nothing reliable limits what is sold.",
      ),
    );
    return;
  }
  const { part, whole } = known.reduce(sum, NOTHING);
  if (exceeds(part, whole) || exceeds(whole, part)) {
    notes.operation(
      'SWP-7',
      'confirm',
      l10n.t`The figures that you were shown contradict each other: what the position holds is ${String((part * 100n) / whole)} % of what it is said to be worth. One of them is wrong, so nothing reliable limits what is sold.`,
    );
  }
}

const TOKENS_OF_A_POOL = 2;

function amountOf(amounts: readonly TokenAmount[], mint: Address): bigint | undefined {
  return amounts.find((one) => one.mint === mint)?.amountRaw;
}

/** So many times as much as a position was shown to hold of a token may be sold at most. */
const MOST_TIMES_HELD = 10n;

/**
 * By how much more than is held may be sold: a tenth of the worth, because a moving price turns one token into the other. The worth depends on
 * a price, which may be wrong by any factor, so what is held bounds that as well. A token of which nothing is held is not sold.
 */
function toleranceOf(held: bigint, worth = held): bigint {
  const [byWorth, byHeld] = [(worth * WORTH_TOLERANCE_BPS) / BASIS_POINTS, held * (MOST_TIMES_HELD - 1n)];
  return byWorth < byHeld ? byWorth : byHeld;
}

/** Whether one amount is larger than another by more than the tolerance. */
function exceeds(one: bigint, other: bigint): boolean {
  return one * BASIS_POINTS > other * (BASIS_POINTS + WORTH_TOLERANCE_BPS);
}

/** A share, exactly; `whole` is above 0. */
interface Fraction {
  readonly part: bigint;
  readonly whole: bigint;
}

const NOTHING: Fraction = { part: 0n, whole: 1n };

function sum(one: Fraction, other: Fraction): Fraction {
  return { part: one.part * other.whole + other.part * one.whole, whole: one.whole * other.whole };
}
