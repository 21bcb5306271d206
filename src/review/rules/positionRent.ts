import { PROGRAMS, RENT_LAMPORTS } from '../../base/solana/programs';
import { integerAt, numberAt } from '../decode/arguments';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { lengthensPosition } from '../positions';
import { BITMAP_EXTENSION_LAMPORTS } from './binArrays';
import { BINS_PER_ARRAY, depositBins } from './dlmmRange';

/** On which side `increase_position_length` adds bins (DLMM IDL, ResizeSide). */
const UPPER_SIDE = 1;

/** Bins of a position. Both ends are in it. */
export interface BinRange {
  readonly lowerBinId: number;
  readonly upperBinId: number;
}

/** Gives the bins of a position as an instruction opens it; `undefined` in DAMM v2, whose positions have none. */
export function openedRange(reading: DecodedCall): BinRange | undefined {
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

/** Gives the bins of a position after an instruction that fills or lengthens it. A rebalance makes a position as long as it needs. */
export function rangeAfter(reading: DecodedCall, before: BinRange): BinRange {
  if (lengthensPosition(reading)) {
    return lengthened(reading, before);
  }
  const bins = isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity') ? depositBins(reading) : [];
  return { lowerBinId: Math.min(before.lowerBinId, ...bins), upperBinId: Math.max(before.upperBinId, ...bins) };
}

/** Gives the least range that holds both. */
export function joined(one: BinRange, other: BinRange): BinRange {
  return { lowerBinId: Math.min(one.lowerBinId, other.lowerBinId), upperBinId: Math.max(one.upperBinId, other.upperBinId) };
}

export function widthOf({ lowerBinId, upperBinId }: BinRange): number {
  return upperBinId - lowerBinId + 1;
}

function lengthened(reading: DecodedCall, { lowerBinId, upperBinId }: BinRange): BinRange {
  const added = numberAt(reading.args, 'length_to_add') ?? 0;
  const minimumUpperBinId = numberAt(reading.args, 'minimum_upper_bin_id');
  if (minimumUpperBinId !== undefined) {
    return { lowerBinId, upperBinId: Math.max(upperBinId, minimumUpperBinId) };
  }
  return numberAt(reading.args, 'side') === UPPER_SIDE
    ? { lowerBinId, upperBinId: upperBinId + added }
    : { lowerBinId: lowerBinId - added, upperBinId };
}

/** Rent of a position in DAMM v2 with its NFT, rounded up generously (policy, RNT-1): the NFT's metadata decides what it is exactly. */
const PRODUCT_POSITION_LAMPORTS = 20_000_000n;

/** Rent of the owner's ledger in Meteora Zap: an address and two amounts behind eight bytes that name it (zap IDL), at 6,960 a byte and for 128 more. */
const ZAP_LEDGER_LAMPORTS = 6_960n * (8n + 32n + 8n + 8n + 128n);

/** Instructions that pay a rent and do nothing else that matters here. */
const RENTS = [
  [PROGRAMS.dlmm, 'initialize_bin_array_bitmap_extension', BITMAP_EXTENSION_LAMPORTS, false],
  [REVIEW_PROGRAMS.meteoraZap, 'initialize_ledger_account', ZAP_LEDGER_LAMPORTS, true],
] as const;

/** Counts the rent of what is made besides positions, over all transactions of an operation. */
export class OtherRents {
  /** By pool and index: how often one transaction has made a bin array, at most. */
  readonly #binArrays = new Map<string, number>();
  #ofTransaction = new Map<string, number>();
  #fillsPosition = false;

  /** To be called before the instructions of each transaction; `fillsPosition`: it puts in liquidity. */
  beginTransaction(fillsPosition: boolean): void {
    this.#ofTransaction = new Map();
    this.#fillsPosition = fillsPosition;
  }

  /**
   * Notes the rent of what an instruction makes. Making a bin array that is there does nothing (DLMM program), and each transaction that
   * puts in liquidity may make those that it needs: it costs once.
   * @returns whether the instruction is one that makes such things
   */
  note(reading: DecodedCall, notes: PlaceNotes): boolean {
    if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array')) {
      const name = `${addressIn(reading, 'lb_pair') ?? ''} ${integerAt(reading.args, 'index') ?? ''}`;
      const count = (this.#ofTransaction.get(name) ?? 0) + 1;
      this.#ofTransaction.set(name, count);
      if (!this.#fillsPosition || count > (this.#binArrays.get(name) ?? 0)) {
        this.#binArrays.set(name, Math.max(count, this.#binArrays.get(name) ?? 0));
        notes.effect({ kind: 'rent', lamports: RENT_LAMPORTS.binArray, refundable: false });
      }
      return true;
    }
    const rent = RENTS.find(([program, name]) => isInstruction(reading, program, name));
    if (rent !== undefined) {
      const [, , lamports, refundable] = rent;
      notes.effect({ kind: 'rent', lamports, refundable });
    }
    return rent !== undefined;
  }
}

/** Gives the rent of a new position, lamports. `range` is `undefined` in DAMM v2. */
export function positionRent(range: BinRange | undefined): bigint {
  return range === undefined ? PRODUCT_POSITION_LAMPORTS : RENT_LAMPORTS.position + rentOfGrowth(undefined, range);
}

/** Gives what a position costs more when it grows, lamports: the rent of each bin above the first 70. It comes back when the position is closed. */
export function rentOfGrowth(before: BinRange | undefined, after: BinRange): bigint {
  const paidBins = Math.max(widthOf(after), BINS_PER_ARRAY) - Math.max(before === undefined ? 0 : widthOf(before), BINS_PER_ARRAY);
  return RENT_LAMPORTS.positionPerBinAbove70 * BigInt(Math.max(paidBins, 0));
}
