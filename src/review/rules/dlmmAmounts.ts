import { PROGRAMS, WRAPPED_SOL_MINT } from '../../solana/programs';
import { integerAt, recordsAt } from '../argumentValues';
import { ownedMint, type TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, isInstruction, type Reading } from '../reading';
import { isPoolSwap } from './dlmmRoles';

/** Notes what a DLMM instruction takes from the owner at most, and what it guarantees at least. */
export function noteDlmmAmounts(reading: Reading, context: TransactionContext, notes: PlaceNotes): void {
  const into = isPoolSwap(reading) ? 'swap' : 'position';
  for (const [role, amountRaw] of amountsTaken(reading)) {
    noteSpend(addressIn(reading, role), amountRaw, into, context, notes);
  }
  const out = reading.args?.['min_amount_out'] ?? reading.args?.['out_amount'];
  if (into === 'swap' && typeof out === 'bigint') {
    const mint = ownedMint(context, addressIn(reading, 'user_token_out'));
    notes.effect({ kind: 'minimumOut', mint, amountRaw: out, from: 'swap in the pool' });
  }
}

/** Notes that up to `amountRaw` leaves one of the owner's token accounts: wrapped SOL counts against the limits. */
export function noteSpend(
  account: ReturnType<typeof addressIn>,
  amountRaw: bigint,
  into: 'swap' | 'position',
  context: TransactionContext,
  notes: PlaceNotes,
): void {
  const mint = ownedMint(context, account);
  if (mint === WRAPPED_SOL_MINT) {
    notes.effect({ kind: 'consume', lamports: amountRaw });
  } else if (amountRaw > 0n) {
    notes.effect({ kind: 'spendToken', mint, amountRaw, into });
  }
}

/** Token account roles with the most that the instruction may take from them. */
function amountsTaken(reading: Reading): readonly (readonly [string, bigint])[] {
  const { args } = reading;
  const amount = (...path: readonly string[]): bigint => integerAt(args, ...path) ?? 0n;
  if (isPoolSwap(reading)) {
    return [['user_token_in', integerAt(args, 'amount_in') ?? amount('max_in_amount')]];
  }
  if (isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity')) {
    return [
      ['user_token_x', amount('params', 'max_deposit_x_amount')],
      ['user_token_y', amount('params', 'max_deposit_y_amount')],
    ];
  }
  if (isInstruction(reading, PROGRAMS.dlmm, 'add_liquidity_one_side_precise')) {
    const multiplier = amount('parameter', 'decompress_multiplier');
    const units = recordsAt(args, 'parameter', 'bins').reduce((sum, bin) => sum + (integerAt(bin, 'amount') ?? 0n), 0n);
    return [['user_token', units * multiplier]];
  }
  const oneSide = integerAt(args, 'liquidity_parameter', 'amount') ?? integerAt(args, 'liquidity_parameter', 'max_amount');
  if (oneSide !== undefined) {
    return [['user_token', oneSide]];
  }
  return [
    ['user_token_x', amount('liquidity_parameter', 'amount_x')],
    ['user_token_y', amount('liquidity_parameter', 'amount_y')],
  ];
}
