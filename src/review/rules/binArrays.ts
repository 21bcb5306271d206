import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS, RENT_LAMPORTS } from '../../base/solana/programs';
import type { TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, integerIn, isInstruction, type DecodedCall } from '../decode/instructions';
import type { ZapInIntent } from '../types';
import { BINS_PER_ARRAY } from './dlmmRange';

/** Rent of a pool's bin array bitmap extension (RNT-1). */
export const BITMAP_EXTENSION_LAMPORTS = 11_804_160n;

/** The bin arrays that a pool's own bitmap covers (DLMM, `BIN_ARRAY_BITMAP_SIZE`: 512 on each side). Others need the extension. */
const FIRST_ARRAY_IN_BITMAP = -512n;
const LAST_ARRAY_IN_BITMAP = 511n;

/**
 * RNT-1: the rent of bin arrays and of the bitmap extension is not refundable, so paying for one that the range does not need is a question.
 */
export function reviewBinArray(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent } = context;
  if (intent.kind !== 'zapIn') {
    return;
  }
  const needed = arraysOf(intent);
  if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array')) {
    const index = integerIn(reading.args, 'index') ?? 0n;
    const isTouched = needed !== undefined && index >= needed.first && index <= needed.last;
    if (!isTouched && !isDemanded(reading, index, needed, context)) {
      notes.confirm(
        'RNT-1',
        l10n.t`You would pay ${lamportsToSol(RENT_LAMPORTS.binArray)} SOL of non-refundable rent for the bin array ${String(index)}, which your range does not need.`,
        { amountRaw: RENT_LAMPORTS.binArray },
      );
    }
  } else if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array_bitmap_extension')) {
    if (needed === undefined || (needed.first >= FIRST_ARRAY_IN_BITMAP && needed.last <= LAST_ARRAY_IN_BITMAP)) {
      notes.confirm(
        'RNT-1',
        l10n.t`You would pay ${lamportsToSol(BITMAP_EXTENSION_LAMPORTS)} SOL of non-refundable rent for an extension of the pool's bitmap, which your range does not need.`,
        { amountRaw: BITMAP_EXTENSION_LAMPORTS },
      );
    }
  }
}

/** The first and the last bin array of a range. */
interface Arrays {
  readonly first: bigint;
  readonly last: bigint;
}

function arraysOf({ fromBinId, toBinId }: ZapInIntent): Arrays | undefined {
  const arrayOf = (bin: number): bigint => BigInt(Math.floor(bin / BINS_PER_ARRAY));
  return fromBinId === undefined || toBinId === undefined ? undefined : { first: arrayOf(fromBinId), last: arrayOf(toBinId) };
}

/**
 * The first versions of the deposits take exactly two different arrays (IDL: `bin_array_lower`, `bin_array_upper`). For a range within one
 * array the official SDK also creates the array above it.
 */
function isDemanded(reading: DecodedCall, index: bigint, needed: Arrays | undefined, { transaction }: TransactionContext): boolean {
  const account = addressIn(reading, 'bin_array');
  const isNext = needed !== undefined && needed.first === needed.last && index === needed.last + 1n;
  return (
    isNext &&
    account !== undefined &&
    transaction.readings.some((other) => other.view.program === PROGRAMS.dlmm && addressIn(other, 'bin_array_upper') === account)
  );
}
