import { PROGRAMS, RENT_LAMPORTS } from '../../solana/programs';
import { integerAt } from '../argumentValues';
import { REVIEW_PROGRAMS } from '../knownPrograms';
import type { PlaceNotes } from '../notes';
import { addressIn, isInstruction, type DecodedCall } from '../reading';
import { BITMAP_EXTENSION_LAMPORTS } from './binArrays';
import { BINS_PER_ARRAY } from './dlmmRange';
import { widthOf, type BinRange } from './positionRanges';

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
