import { integerIn, isInstruction, type DecodedCall } from '../reading';
import type { TransactionContext } from '../context';
import { REVIEW_PROGRAMS } from '../knownPrograms';
import { ZAPS_IN } from './zapRoles';

/** The most that a zap-in takes of the pool's tokens, raw units; `undefined`: the ledger was filled before this operation. */
export interface LedgerAmounts {
  readonly a: bigint | undefined;
  readonly b: bigint | undefined;
}

const UNKNOWN: LedgerAmounts = { a: undefined, b: undefined };
const NOTHING: LedgerAmounts = { a: 0n, b: 0n };

/**
 * Gives what the owner's ledger in Meteora Zap holds at most when a zap-in comes to it, by the instructions of the same transaction before
 * it: a new ledger holds nothing; an amount is set, or is what a swap has brought, up to a limit. What a zap-in leaves in it has
 * been counted with that zap-in. Other transactions may not land: the ledger then holds what an earlier operation left in it.
 */
export function ledgerBefore(zapIn: DecodedCall, { transaction }: TransactionContext): LedgerAmounts {
  return transaction.readings.filter(({ index }) => index < zapIn.index).reduce(amountsAfter, UNKNOWN);
}

function amountsAfter(before: LedgerAmounts, reading: DecodedCall): LedgerAmounts {
  const is = (...names: readonly string[]): boolean => isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...names) && reading.args !== undefined;
  if (is('initialize_ledger_account', ...ZAPS_IN)) {
    return NOTHING;
  }
  if (is('set_ledger_balance', 'update_ledger_balance_after_swap')) {
    const amount = integerIn(reading.args, 'amount') ?? integerIn(reading.args, 'max_transfer_amount');
    return reading.args?.['is_token_a'] === true ? { ...before, a: amount } : { ...before, b: amount };
  }
  return before;
}
