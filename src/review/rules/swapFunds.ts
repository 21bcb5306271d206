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
 * SWP-7 over the whole operation: swaps sell what the operation itself brings, and not what else is in the wallet. What a zap-in
 * swaps of wrapped SOL has to be wrapped by then, in the same transaction or an earlier one; that it is not more than was asked
 * for is LIM-1. What a zap-in deposits of other tokens has to come out of its swaps: the policy is silent about that, and nothing else
 * bounds it; but for tokens that the user puts in as they are, which tokensAtHand.ts bounds. What a zap-out sells is a matter of soldTokens.ts.
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
 * Gives the most that a swap may count on of a token, with the tolerance that it is measured with; `undefined` where nothing is
 * known about it.
 */
export function availableRaw({ intent, policy }: OperationContext, mint: Address | undefined): bigint | undefined {
  const all = BASIS_POINTS;
  if (intent.kind === 'zapIn') {
    return mint === WRAPPED_SOL_MINT ? (intent.inputLamports * (all + policy.inputToleranceBps)) / all : undefined;
  }
  const worth = intent.worth?.find((one) => one.mint === mint)?.amountRaw;
  return worth === undefined ? undefined : (worth * (all + WORTH_TOLERANCE_BPS)) / all;
}

/** Goes through what is wrapped, unwrapped and used in the order in which it happens. */
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
        l10n.t`The swap takes ${lamportsToSol(lamports)} SOL more than was wrapped for it: it would use wrapped SOL that you already have.`,
        { amountRaw: lamports },
      );
  }
}

/**
 * Compares what is deposited of tokens other than SOL with what swaps are expected to give of them. Where it is not known that the
 * transactions are all of the operation, a token that no swap gives may have been bought by others.
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
      const words = l10n.t`Up to ${String(amountRaw)} raw units of ${mint} would go into the position, of which the swaps are expected to give ${String(expected)}`;
      notes.operation('SWP-7', 'confirm', l10n.t`${words}: the rest would come out of your wallet, besides the SOL that you asked for.`, {
        address: mint,
        amountRaw,
      });
    }
  }
}
