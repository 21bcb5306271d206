import { PROGRAMS } from '../../solana/programs';
import { integerAt, recordsAt } from '../argumentValues';
import type { TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, isInstruction, type DecodedCall } from '../reading';
import { noteSpend } from './spending';

/** Notes what a DLMM instruction takes from the owner into a position at most. */
export function noteDlmmAmounts(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  for (const [account, mint, amountRaw] of amountsTaken(reading)) {
    noteSpend(addressIn(reading, account), amountRaw, 'position', context, notes, addressIn(reading, mint));
  }
}

/** Roles of token accounts and of their mints, with the most that the instruction may take from them. */
function amountsTaken(reading: DecodedCall): readonly (readonly [string, string, bigint])[] {
  const { args } = reading;
  const amount = (...path: readonly string[]): bigint => integerAt(args, ...path) ?? 0n;
  const both = (x: bigint, y: bigint): readonly (readonly [string, string, bigint])[] =>
    x === 0n && y === 0n ? [] : [['user_token_x', 'token_x_mint', x], ['user_token_y', 'token_y_mint', y]];
  if (isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')) {
    return both(amount('params', 'max_deposit_x_amount'), amount('params', 'max_deposit_y_amount'));
  }
  if (isInstruction(reading, PROGRAMS.dlmm, 'add_liquidity_one_side_precise')) {
    const multiplier = amount('parameter', 'decompress_multiplier');
    const units = recordsAt(args, 'parameter', 'bins').reduce((sum, bin) => sum + (integerAt(bin, 'amount') ?? 0n), 0n);
    return [['user_token', 'token_mint', units * multiplier]];
  }
  const oneSide = integerAt(args, 'liquidity_parameter', 'amount') ?? integerAt(args, 'liquidity_parameter', 'max_amount');
  if (oneSide !== undefined) {
    return [['user_token', 'token_mint', oneSide]];
  }
  return both(amount('liquidity_parameter', 'amount_x'), amount('liquidity_parameter', 'amount_y'));
}
