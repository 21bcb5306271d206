import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type OperationContext, type OperationRule, transactionContext } from '../context';
import type { DecodedCall, ReadTransaction } from '../decode/instructions';
import { fillsPosition, isFeeClaim } from '../decode/meteora';
import { compoundedFees } from '../intents';
import type { Notes, PlacedEffect } from '../notes';
import { byTransaction } from '../spends';
import type { TokenAmount } from '../types';
import { claimedRaw } from './claimedFees';
import { isShownWhole } from './relaxations';
import { WORTH_TOLERANCE_BPS } from './swapFunds';
import { intoPositionWords, rawAmountText, missingFromWalletWords, shownWords } from './words';

/**
 * ADD-1: where the user compounds fees, what goes into the position is what its fees pay. Each transaction may land alone, so each claims before it
 * deposits. Its bytes do not say how much a claim pays: the fees that the user was shown limit the deposits of all of them together, and in
 * the simulation each of them claims at least what it may deposit.
 */
export const reviewCompounding: OperationRule = (context, notes) => {
  const fees = compoundedFees(context.intent);
  if (fees === undefined) {
    return;
  }
  reviewShownFees(fees, notes);
  const placed = byTransaction(notes.effects);
  for (const transaction of context.transactions) {
    reviewClaimed(transaction, depositedByMint(placed.get(transaction.view.index) ?? []), context, notes);
  }
};

/** Fees grow from the figures that the user was shown until the transactions are built, by a tenth at most. */
function reviewShownFees(fees: readonly TokenAmount[], notes: Notes): void {
  for (const [mint, amountRaw] of depositedByMint(notes.effects)) {
    const shown = fees.reduce((total, fee) => (fee.mint === mint ? total + fee.amountRaw : total), 0n);
    if (amountRaw * BASIS_POINTS > shown * (BASIS_POINTS + WORTH_TOLERANCE_BPS)) {
      const words = [
        intoPositionWords(rawAmountText(mint, amountRaw)),
        shownWords(rawAmountText(mint, shown)),
        l10n.t('Refresh, then try again.'),
      ].join(' ');
      notes.operation('ADD-1', 'block', words, { address: mint, amountRaw });
    }
  }
}

function reviewClaimed(
  transaction: ReadTransaction,
  deposited: ReadonlyMap<Address | undefined, bigint>,
  context: OperationContext,
  notes: Notes,
): void {
  const { view, readings } = transaction;
  const deposits = readings.filter((reading) => reading.args !== undefined && fillsPosition(reading));
  const [first, last] = [deposits[0], deposits.at(-1)];
  if (first === undefined || last === undefined) {
    return;
  }
  if (!readings.some((reading) => isClaimBefore(reading, first))) {
    const words = l10n.t('This transaction deposits out of your wallet, without claiming fees first.');
    notes.at(view.index, first.index).block('ADD-1', words);
  }
  const simulated = context.facts.simulation?.transactions[view.index];
  const claims = readings.filter((reading) => isClaimBefore(reading, last)).map(({ index }) => index);
  // Some nodes simulate without what programs call: then the balances of the operation are compared (SIM-2).
  const isShown = simulated?.innerInstructions?.some(({ calledBy }) => calledBy !== undefined && claims.includes(calledBy)) === true;
  if (simulated === undefined || !isShown || !isShownWhole(simulated)) {
    return;
  }
  for (const [mint, amountRaw] of deposited) {
    const claimed = mint === undefined ? 0n : claimedRaw(mint, last, simulated, transactionContext(context, transaction));
    if (amountRaw > claimed) {
      const words = [
        intoPositionWords(rawAmountText(mint, amountRaw)),
        l10n.t`In the simulation, the transaction claims only ${rawAmountText(mint, claimed)}.`,
        missingFromWalletWords(),
      ].join(' ');
      notes.at(view.index, last.index).block('ADD-1', words, { address: mint, amountRaw });
    }
  }
}

/** Claims of other positions are a finding of their own (DLMM-1, DAMM-1). */
function isClaimBefore(reading: DecodedCall, deposit: DecodedCall): boolean {
  return reading.index < deposit.index && reading.args !== undefined && isFeeClaim(reading);
}

/** The most that goes into the position. */
function depositedByMint(effects: readonly PlacedEffect[]): ReadonlyMap<Address | undefined, bigint> {
  const sums = new Map<Address | undefined, bigint>();
  for (const effect of effects) {
    if (effect.kind === 'spendToken' && effect.into === 'position') {
      sums.set(effect.mint, (sums.get(effect.mint) ?? 0n) + effect.amountRaw);
    } else if (effect.kind === 'consume' && effect.into !== 'swap') {
      sums.set(WRAPPED_SOL_MINT, (sums.get(WRAPPED_SOL_MINT) ?? 0n) + effect.lamports);
    }
  }
  return sums;
}
