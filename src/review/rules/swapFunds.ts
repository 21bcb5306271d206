import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext, OperationRule } from '../context';
import type { Notes } from '../notes';
import type { ZapInIntent } from '../types';
import { reviewSold, WORTH_TOLERANCE_BPS } from './soldTokens';

/**
 * SWP-7 over the whole operation: swaps sell only what the operation itself provides, not what else is in the wallet. A zap-in must wrap
 * the SOL that it swaps, in the same transaction or an earlier one; LIM-1 limits the amount. Other tokens that a zap-in deposits must come
 * from its swaps, unless the user deposits tokens without a swap (tokensAtHand.ts). For a zap-out, see soldTokens.ts.
 */
export const reviewSwapFunds: OperationRule = (context, notes) => {
  if (context.intent.kind === 'zapIn') {
    reviewWrapped(notes);
    if (context.intent.tokens === undefined) {
      reviewDeposited(context.intent, notes);
    }
  } else {
    reviewSold(context, context.intent, notes);
  }
};

/**
 * Returns the most of a token that a swap can rely on, raw units with tolerance; `undefined` if nothing is known.
 */
export function availableRaw({ intent, policy }: OperationContext, mint: Address | undefined): bigint | undefined {
  const all = BASIS_POINTS;
  if (intent.kind === 'zapIn') {
    return mint === WRAPPED_SOL_MINT ? (intent.inputLamports * (all + policy.inputToleranceBps)) / all : undefined;
  }
  const worth = intent.worth?.find((one) => one.mint === mint)?.amountRaw;
  return worth === undefined ? undefined : (worth * (all + WORTH_TOLERANCE_BPS)) / all;
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
        l10n.t`The swap takes ${lamportsToSol(lamports)} SOL more than the operation wraps for it. It would use wrapped SOL that you already have.`,
        { amountRaw: lamports },
      );
  }
}

/**
 * Compares the deposit of tokens other than SOL with the quotes of the swaps that buy them. If the transactions may not be the whole
 * operation, a token that no swap here buys may come from another one.
 */
function reviewDeposited({ isSolOnly = false }: ZapInIntent, notes: Notes): void {
  const bought = new Map<Address, bigint>();
  const deposited = new Map<Address, bigint>();
  const add = (sums: Map<Address, bigint>, mint: Address | undefined, amountRaw: bigint): void => {
    if (mint !== undefined) {
      sums.set(mint, (sums.get(mint) ?? 0n) + amountRaw);
    }
  };
  for (const effect of notes.effects) {
    if (effect.kind === 'minimumOut') {
      add(bought, effect.mint, effect.quotedRaw ?? effect.amountRaw);
    } else if (effect.kind === 'spendToken' && effect.into === 'position') {
      add(deposited, effect.mint, effect.amountRaw);
    }
  }
  for (const [mint, amountRaw] of deposited) {
    const expected = bought.get(mint) ?? 0n;
    if ((isSolOnly || expected > 0n) && amountRaw * BASIS_POINTS > expected * (BASIS_POINTS + WORTH_TOLERANCE_BPS)) {
      const words = l10n.t`Up to ${String(amountRaw)} raw units of ${mint} would go into the position, but the swaps are quoted at ${String(expected)}. The rest would come out of your wallet, in addition to your SOL.`;
      notes.operation('SWP-7', 'confirm', words, { address: mint, amountRaw });
    }
  }
}
