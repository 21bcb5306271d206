import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type DepositIntent, deposits, exchanges, mostOf, spendsOf, type WithdrawalIntent, withdraws } from '../intents';
import type { OperationContext, OperationRule } from '../context';
import type { Notes, PlacedEffect, NotedSwap } from '../notes';
import type { TokenAmount } from '../types';
import { isRemoval, poolIn } from '../decode/meteora';
import { mostRemovedBps } from './removals';
import { choseWords, intoPositionWords, notPartWords, rawAmountText, missingFromWalletWords } from './words';

/**
 * Tolerance between amounts and the figures that the user was shown, in basis points of the figures: prices move, and so do the amounts of
 * each token in a position.
 */
export const WORTH_TOLERANCE_BPS = 1_000n;

/**
 * SWP-7 for a zap-out: its swaps sell only what it withdraws from the position. The limits are the figures that the user was shown: the
 * value of the share over all swaps together, and the holdings of the share for each token. If a figure is missing, or the figures
 * contradict each other, a swap is a question. With a simulation, simulatedBalances.ts checks what the transactions really withdraw.
 *
 * The limit holds for each transaction alone. A swap that lands without its withdrawal sells tokens that the wallet already had, but no more
 * than the position holds, at a price that SWP-9 has checked, and the proceeds go to the owner.
 */
function reviewSold(context: OperationContext, withdrawal: WithdrawalIntent | undefined, notes: Notes): void {
  const sold = soldByMint(notes.effects);
  if (sold.size === 0) {
    return;
  }
  reviewWorth(sold, context, withdrawal?.worth, notes);
  if (withdrawal?.holdings !== undefined) {
    reviewHoldings(sold, context, { ...withdrawal, holdings: withdrawal.holdings }, notes);
  }
}

/** Returns the most that swaps sell of each known token, raw units. */
function soldByMint(effects: readonly PlacedEffect[]): ReadonlyMap<Address, bigint> {
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

/** Adds up the sold tokens, each as a share of the withdrawal's value in that token: together at most one whole plus the tolerance. */
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
      notes.operation('SWP-7', 'confirm', saleWords(mint, amountRaw, notPartWords()), { address: mint, amountRaw });
    } else if (most === undefined) {
      notes.operation('SWP-7', 'confirm', saleWords(mint, amountRaw, notShownWords()), { address: mint, amountRaw });
    } else if (most <= 0n) {
      notes.operation('SWP-7', 'confirm', saleWords(mint, amountRaw, holdsWords(mint, 0n)), { address: mint, amountRaw });
    } else {
      shares.push({ part: amountRaw, whole: most });
    }
  }
  const { part, whole } = shares.reduce(sum, NOTHING);
  if (exceeds(part, whole)) {
    const words = l10n.t`By the figures that you were shown, swaps would sell ${String((part * 100n) / whole)}% of the withdrawal.`;
    notes.operation('SWP-7', 'confirm', `${words} ${missingFromWalletWords()}`);
  }
}

const saleWords = (mint: Address, amountRaw: bigint, reason: string): string =>
  `${l10n.t`Swaps would sell ${rawAmountText(mint, amountRaw)}.`} ${reason} ${missingFromWalletWords()}`;
const notShownWords = (): string => l10n.t('You were not shown how much of it the position holds.');
const holdsWords = (mint: Address, raw: bigint): string =>
  l10n.t`By the figures that you were shown, the withdrawal contains only ${rawAmountText(mint, raw)}.`;

/** The same for each token: at most the holdings plus a tenth of the value, because a moving price turns one token into the other. */
function reviewHoldings(
  sold: ReadonlyMap<Address, bigint>,
  { transactions, poolTokens }: OperationContext,
  { pool, shareBps, worth = [], holdings }: WithdrawalIntent & { readonly holdings: readonly TokenAmount[] },
  notes: Notes,
): void {
  const removals = transactions.flatMap(({ readings }) => readings.filter((reading) => isRemoval(reading) && poolIn(reading) === pool));
  const removedBps = mostRemovedBps(removals) ?? shareBps;
  const removed = removals.length === 0 ? 0 : removedBps;
  if (removed < shareBps) {
    const words = l10n.t`The transactions withdraw only ${removed / 100}% of the liquidity.`;
    notes.operation('SWP-7', 'confirm', `${words} ${choseWords(`${shareBps / 100}%`)} ${missingFromWalletWords()}`);
  }
  if (removals.length === 0) {
    return;
  }
  for (const [mint, amountRaw] of [...sold].filter(([one]) => poolTokens.has(one))) {
    const held = amountOf(holdings, mint);
    const detail = { address: mint, amountRaw };
    if (held === undefined) {
      notes.operation('SWP-7', 'confirm', saleWords(mint, amountRaw, notShownWords()), detail);
    } else if (amountRaw > held + toleranceOf(held, amountOf(worth, mint))) {
      notes.operation('SWP-7', 'confirm', saleWords(mint, amountRaw, holdsWords(mint, held)), detail);
    }
  }
  reviewContradiction(worth, holdings, notes);
}

/** Holdings and value are the same amount in different units: the tokens' parts of the value must add up to one whole. */
function reviewContradiction(worth: readonly TokenAmount[], holdings: readonly TokenAmount[], notes: Notes): void {
  const shares = worth.map(({ mint, amountRaw }) => ({ part: amountOf(holdings, mint), whole: amountRaw }));
  const known = shares.flatMap(({ part, whole }) => (part === undefined || whole <= 0n ? [] : [{ part, whole }]));
  if (known.length < TOKENS_OF_A_POOL || known.length < shares.length) {
    notes.operation('SWP-7', 'confirm', `${l10n.t('You were not shown amounts and prices of both tokens.')} ${unlimitedWords()}`);
    return;
  }
  const { part, whole } = known.reduce(sum, NOTHING);
  if (exceeds(part, whole) || exceeds(whole, part)) {
    const words = l10n.t`By the figures that you were shown, the tokens add up to ${String((part * 100n) / whole)}% of the position's value.`;
    notes.operation('SWP-7', 'confirm', `${words} ${unlimitedWords()}`);
  }
}

const unlimitedWords = (): string => l10n.t('So nothing limits what the swaps sell.');

const TOKENS_OF_A_POOL = 2;

function amountOf(amounts: readonly TokenAmount[], mint: Address): bigint | undefined {
  return amounts.find((one) => one.mint === mint)?.amountRaw;
}

/** The most that may be sold of a token, as a multiple of the shown holdings. */
const MOST_TIMES_HELD = 10n;

/**
 * The amount that may be sold beyond the holdings: a tenth of the value, because a moving price turns one token into the other. The value
 * depends on a price that may be wrong by any factor, so the holdings limit it as well. A token with no holdings must not be sold.
 */
function toleranceOf(held: bigint, worth = held): bigint {
  const [byWorth, byHeld] = [(worth * WORTH_TOLERANCE_BPS) / BASIS_POINTS, held * (MOST_TIMES_HELD - 1n)];
  return byWorth < byHeld ? byWorth : byHeld;
}

/** Returns whether one amount exceeds another by more than the tolerance. */
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

/**
 * SWP-7 over the whole operation: swaps sell only what the operation itself provides, not what else is in the wallet. A zap-in must wrap
 * the SOL that it swaps, in the same transaction or an earlier one; LIM-1 limits the amount. Other tokens that a zap-in deposits must come
 * from its swaps, unless the user deposits tokens without a swap (tokensAtHand.ts). For a zap-out, see {@link reviewSold}. What the user swaps is
 * in the wallet, and limited by LIM-1.
 */
export const reviewSwapFunds: OperationRule = (context, notes) => {
  const { intent } = context;
  if (spendsOf(intent).lamports !== undefined) {
    reviewWrapped(notes);
  }
  if (deposits(intent)) {
    if (intent.tokens === undefined) {
      reviewDeposited(intent, notes);
    }
  } else if (!exchanges(intent)) {
    reviewSold(context, withdraws(intent) ? intent : undefined, notes);
  }
};

/**
 * Returns the most of a token that a swap can rely on, raw units with tolerance; `undefined` if nothing is known.
 */
export function availableRaw({ intent, policy }: OperationContext, mint: Address | undefined): bigint | undefined {
  const { lamports: input } = spendsOf(intent);
  if (input !== undefined) {
    return mint === WRAPPED_SOL_MINT ? mostOf(input, intent, policy) : undefined;
  }
  const worth = withdraws(intent) ? intent.worth?.find((one) => one.mint === mint)?.amountRaw : undefined;
  return worth === undefined ? undefined : (worth * (BASIS_POINTS + WORTH_TOLERANCE_BPS)) / BASIS_POINTS;
}

/** Follows wrapped SOL through wrapping, unwrapping and use, in order. */
function reviewWrapped(notes: Notes): void {
  const taken = new Map<number, bigint>();
  let wrapped = 0n;
  for (const effect of notes.effects) {
    if (effect.kind === 'wrap') {
      wrapped += effect.lamports;
    } else if (effect.kind === 'unwrap') {
      wrapped = 0n;
    } else if (effect.kind === 'consume') {
      const missing = effect.lamports - wrapped;
      if (effect.into === 'swap' && missing > 0n) {
        taken.set(effect.transaction, (taken.get(effect.transaction) ?? 0n) + missing);
      }
      wrapped = missing > 0n ? 0n : -missing;
    }
  }
  for (const [transaction, lamports] of taken) {
    notes
      .at(transaction)
      .confirm(
        'SWP-7',
        `${l10n.t`The swap takes ${lamportsToSol(lamports)} SOL more than the operation wraps for it.`} ${missingFromWalletWords()}`,
        { amountRaw: lamports },
      );
  }
}

/**
 * Compares the deposit of tokens other than SOL with what its swaps buy: by the lowest known price of the sold amount, and by no more than
 * the quote. Never by the quote alone: the service states it, and the deposit may land without the swap. If the transactions may not be
 * the whole operation, a token that no swap here buys may come from another one.
 */
function reviewDeposited({ isSolOnly = false }: DepositIntent, notes: Notes): void {
  const { effects } = notes;
  const swaps = effects.filter((effect) => effect.kind === 'swap');
  const deposited = new Map<Address, bigint>();
  for (const effect of effects) {
    if (effect.kind === 'spendToken' && effect.into === 'position' && effect.mint !== undefined) {
      deposited.set(effect.mint, (deposited.get(effect.mint) ?? 0n) + effect.amountRaw);
    }
  }
  for (const [mint, amountRaw] of deposited) {
    const buying = swaps.filter(({ bought }) => bought === mint);
    const most = buying.reduce((total, swap) => total + mostBought(swap), 0n);
    if ((isSolOnly || buying.length > 0) && exceeds(amountRaw, most)) {
      const words = [
        intoPositionWords(rawAmountText(mint, amountRaw)),
        l10n.t`By the known prices, the swaps buy only ${rawAmountText(mint, most)}.`,
        missingFromWalletWords(),
      ].join(' ');
      notes.operation('SWP-7', 'confirm', words, { address: mint, amountRaw });
    }
  }
}

/** Without a known price or a stated amount, nothing is known to be bought. */
function mostBought({ worth = 0n, quotedBought, boughtLeast }: NotedSwap): bigint {
  const quoted = quotedBought ?? boughtLeast ?? 0n;
  return quoted < worth ? quoted : worth;
}
