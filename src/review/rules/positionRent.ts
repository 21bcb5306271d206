import * as l10n from '@vscode/l10n';
import { BINS_PER_ARRAY } from '../../base/dlmm/bins';
import { lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import { type DepositIntent, deposits } from '../intents';
import type { TransactionContext } from '../context';
import { addressIn, type DecodedCall, integerAt, isInstruction, numberAt } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { depositBins } from './dlmmRange';
import { extendsPosition } from '../decode/meteora';

/** The bin arrays that a pool's own bitmap covers (DLMM, `BIN_ARRAY_BITMAP_SIZE`: 512 on each side). Others need the extension. */
const FIRST_ARRAY_IN_BITMAP = -512n;
const LAST_ARRAY_IN_BITMAP = 511n;

/**
 * RNT-1: the rent of bin arrays and of the bitmap extension is not refundable, so paying for one that the range does not need is a question.
 */
export function reviewBinArray(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent, rent } = context;
  if (!deposits(intent)) {
    return;
  }
  const needed = arraysOf(intent);
  if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array')) {
    const index = integerAt(reading.args, 'index') ?? 0n;
    const isTouched = needed !== undefined && index >= needed.first && index <= needed.last;
    if (!isTouched && !isDemanded(reading, index, needed, context)) {
      notes.confirm('RNT-1', uselessRentWords(rent.binArray, `BinArray ${String(index)}`), { amountRaw: rent.binArray });
    }
  } else if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array_bitmap_extension')) {
    if (needed === undefined || (needed.first >= FIRST_ARRAY_IN_BITMAP && needed.last <= LAST_ARRAY_IN_BITMAP)) {
      notes.confirm('RNT-1', uselessRentWords(rent.bitmapExtension, 'BinArrayBitmapExtension'), { amountRaw: rent.bitmapExtension });
    }
  }
}

/** @param account the kind of account by the IDL */
const uselessRentWords = (lamports: bigint, account: string): string =>
  l10n.t`You would pay ${lamportsToSol(lamports)} SOL of non-refundable rent that your range does not need (${account}).`;

/** The first and the last bin array of a range. */
interface Arrays {
  readonly first: bigint;
  readonly last: bigint;
}

function arraysOf({ fromBinId, toBinId }: DepositIntent): Arrays | undefined {
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

/** On which side `increase_position_length` adds bins (DLMM IDL, ResizeSide). */
const UPPER_SIDE = 1;

/** The bins of a position, both ends included. */
export interface PositionRange {
  readonly lowerBinId: number;
  readonly upperBinId: number;
}

/** Returns the bins of the position that an instruction opens; `undefined` in DAMM v2, whose positions have none. */
export function openedRange(reading: DecodedCall): PositionRange | undefined {
  if (reading.view.program === PROGRAMS.dammV2) {
    return undefined;
  }
  if (reading.view.program === REVIEW_PROGRAMS.meteoraZap) {
    const bins = depositBins(reading);
    return { lowerBinId: Math.min(...bins), upperBinId: Math.max(...bins) };
  }
  const lowerBinId = numberAt(reading.args, 'lower_bin_id') ?? 0;
  return { lowerBinId, upperBinId: lowerBinId + (numberAt(reading.args, 'width') ?? 0) - 1 };
}

/** Returns the bins of a position after an instruction fills or extends it. A rebalance extends a position as far as it needs. */
export function rangeAfter(reading: DecodedCall, before: PositionRange): PositionRange {
  if (extendsPosition(reading)) {
    return extended(reading, before);
  }
  const bins = isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity') ? depositBins(reading) : [];
  return { lowerBinId: Math.min(before.lowerBinId, ...bins), upperBinId: Math.max(before.upperBinId, ...bins) };
}

/** Returns the smallest range that contains both. */
export function joined(one: PositionRange, other: PositionRange): PositionRange {
  return { lowerBinId: Math.min(one.lowerBinId, other.lowerBinId), upperBinId: Math.max(one.upperBinId, other.upperBinId) };
}

function binCount({ lowerBinId, upperBinId }: PositionRange): number {
  return upperBinId - lowerBinId + 1;
}

function extended(reading: DecodedCall, { lowerBinId, upperBinId }: PositionRange): PositionRange {
  const added = numberAt(reading.args, 'length_to_add') ?? 0;
  const minimumUpperBinId = numberAt(reading.args, 'minimum_upper_bin_id');
  if (minimumUpperBinId !== undefined) {
    return { lowerBinId, upperBinId: Math.max(upperBinId, minimumUpperBinId) };
  }
  return numberAt(reading.args, 'side') === UPPER_SIDE
    ? { lowerBinId, upperBinId: upperBinId + added }
    : { lowerBinId: lowerBinId - added, upperBinId };
}

/** Other instructions that pay rent: program, name, amount, refundable. */
const RENTS = [
  [PROGRAMS.dlmm, 'initialize_bin_array_bitmap_extension', 'bitmapExtension', false],
  [REVIEW_PROGRAMS.meteoraZap, 'initialize_ledger_account', 'zapLedger', true],
] as const;

/** Sums the rent of accounts other than positions over all transactions of an operation. */
export class OtherRents {
  /** By pool and index: the most often that one transaction creates a bin array. */
  readonly #binArrays = new Map<string, number>();
  readonly #rate: RentRate;
  #ofTransaction = new Map<string, number>();
  #fillsPosition = false;

  constructor(rate: RentRate) {
    this.#rate = rate;
  }

  /** Call before the instructions of each transaction. `fillsPosition`: the transaction deposits liquidity. */
  beginTransaction(fillsPosition: boolean): void {
    this.#ofTransaction = new Map();
    this.#fillsPosition = fillsPosition;
  }

  /**
   * Notes the rent of the accounts that an instruction creates. Creating an existing bin array does nothing (DLMM program), and each
   * transaction that deposits may create those that it needs, so an array's rent counts once among them.
   * @returns whether the instruction creates such an account
   */
  note(reading: DecodedCall, notes: PlaceNotes): boolean {
    if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array')) {
      const name = `${addressIn(reading, 'lb_pair') ?? ''} ${integerAt(reading.args, 'index') ?? ''}`;
      const count = (this.#ofTransaction.get(name) ?? 0) + 1;
      this.#ofTransaction.set(name, count);
      if (!this.#fillsPosition || count > (this.#binArrays.get(name) ?? 0)) {
        this.#binArrays.set(name, Math.max(count, this.#binArrays.get(name) ?? 0));
        notes.effect({ kind: 'rent', lamports: this.#rate.binArray, refundable: false });
      }
      return true;
    }
    const rent = RENTS.find(([program, name]) => isInstruction(reading, program, name));
    if (rent !== undefined) {
      const [, , amount, refundable] = rent;
      notes.effect({ kind: 'rent', lamports: this.#rate[amount], refundable });
    }
    return rent !== undefined;
  }
}

/** Returns the rent of a new position in lamports. `range` is `undefined` in DAMM v2, where the position's NFT is included. */
export function positionRent(range: PositionRange | undefined, rate: RentRate): bigint {
  return range === undefined ? rate.productPositionWithNft : rate.positionOf(binCount(range));
}

/** Returns the additional rent of a position that grows, in lamports: for each bin above the first 70. It is refundable. */
export function rentOfGrowth(before: PositionRange, after: PositionRange, rate: RentRate): bigint {
  const more = rate.positionOf(binCount(after)) - rate.positionOf(binCount(before));
  return more > 0n ? more : 0n;
}
