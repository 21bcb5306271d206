import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { ReadTransaction } from '../decode/instructions';
import type { PlacedEffect } from '../notes';
import { isDeposit, isWithdrawal } from '../decode/meteora';
import { byTransaction } from '../spends';
import { mintKey, SLIPPAGE_SCALE, type TermSheet } from '../terms';

// Each transaction may land alone, so a guarantee is worth something only beside what the same transaction sells. The swaps of two tokens are
// compared transaction by transaction: the first one that swaps them with the first one of the approved build, and so on. If each sells no
// more and guarantees no less, then no part of the transactions that lands is worse than the same part of the approved ones. How a
// transaction divides its swaps of two tokens over routes is not compared: it lands as a whole.

type Swap = PlacedEffect & { readonly kind: 'swap' };

/** Adds the terms of the swaps, and the tokens of the user that the operation takes where a swap does not land. */
export function addSwaps(effects: readonly PlacedEffect[], transactions: readonly ReadTransaction[], sheet: TermSheet): void {
  const places = new Map<string, number>();
  for (const [transaction, noted] of byTransaction(effects)) {
    const swaps = noted.filter((effect) => effect.kind === 'swap');
    const isApart = !transactions.some(
      ({ view, readings }) => view.index === transaction && readings.some((reading) => isWithdrawal(reading) || isDeposit(reading)),
    );
    for (const [pair, list] of byPair(swaps)) {
      const place = (places.get(pair) ?? 0) + 1;
      places.set(pair, place);
      addPair(`${pair} ${place}`, list, sheet);
      if (isApart) {
        sheet.add('swappedApart', pair, 1n);
      }
    }
    addOwnTokens(noted, sheet);
  }
}

/** By "MINT MINT": the sold and the bought token. */
function byPair(swaps: readonly Swap[]): ReadonlyMap<string, readonly Swap[]> {
  const pairs = new Map<string, Swap[]>();
  for (const swap of swaps) {
    const pair = `${mintKey(swap.sold)} ${mintKey(swap.bought)}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), swap]);
  }
  return pairs;
}

/** The swaps of two tokens in one transaction. */
function addPair(of: string, swaps: readonly Swap[], sheet: TermSheet): void {
  const sold = soldBy(swaps);
  sheet.add('swapped', of, sold);
  let tolerated = 0n;
  for (const { soldMost = 0n, boughtLeast = 0n, slippageBps = 0 } of swaps) {
    sheet.add('guaranteedBySwaps', of, boughtLeast);
    tolerated += soldMost * BigInt(slippageBps);
  }
  if (sold > 0n) {
    // The widest of several tolerances would hide a change of the others.
    sheet.add('swapSlippage', of, (tolerated * SLIPPAGE_SCALE) / sold);
  }
}

function soldBy(swaps: readonly Swap[]): bigint {
  return swaps.reduce((total, { soldMost = 0n }) => total + soldMost, 0n);
}

/**
 * What each transaction takes of a token beyond what its own swaps and withdrawals guarantee. The sum of these is the most that leaves the
 * wallet, whichever of the transactions land.
 */
function addOwnTokens(effects: readonly PlacedEffect[], sheet: TermSheet): void {
  const taken = new Map<Address | undefined, bigint>();
  const add = (mint: Address | undefined, amountRaw: bigint): void => {
    taken.set(mint, (taken.get(mint) ?? 0n) + amountRaw);
  };
  for (const effect of effects) {
    if (effect.kind === 'spendToken' || effect.kind === 'giveToken') {
      add(effect.mint, effect.amountRaw);
    } else if (effect.kind === 'minimumOut' && effect.mint !== WRAPPED_SOL_MINT) {
      add(effect.mint, -effect.amountRaw);
    } else if (effect.kind === 'swap' && effect.bought !== WRAPPED_SOL_MINT) {
      add(effect.bought, -(effect.boughtLeast ?? 0n));
    }
  }
  taken.forEach((amountRaw, mint) => {
    if (amountRaw > 0n) {
      sheet.add('ownTokens', mintKey(mint), amountRaw);
    }
  });
}
