import type { Address } from '../../solana/address';
import { PROGRAMS, RENT_LAMPORTS } from '../../solana/programs';
import { numberAt } from '../argumentValues';
import type { OperationContext } from '../context';
import { REVIEW_PROGRAMS } from '../knownPrograms';
import type { Notes, PlaceNotes } from '../notes';
import { createsPosition } from '../positions';
import { addressIn, isInstruction, type Reading } from '../reading';
import type { ZapInIntent } from '../types';
import { BITMAP_EXTENSION_LAMPORTS } from './binArrays';
import { BINS_PER_ARRAY, depositBins, isWithin, rangeText } from './dlmmRange';
import { isDeposit } from './meteora';
import type { OperationRule } from './rule';
import { ZAPS_IN } from './zapRoles';

/** Rent of a position in DAMM v2 with its NFT, rounded up generously (policy, RNT-1): what it is exactly hangs on the NFT's metadata. */
const PRODUCT_POSITION_LAMPORTS = 20_000_000n;

/** Rent of the owner's ledger in Meteora Zap: an address and two amounts behind eight bytes that name it (zap IDL), at 6,960 a byte and for 128 more. */
const ZAP_LEDGER_LAMPORTS = 6_960n * (8n + 32n + 8n + 8n + 128n);

/** On which side `increase_position_length` adds bins (DLMM IDL, ResizeSide). */
const UPPER_SIDE = 1;

/** Bins of a position. Both ends are in it. */
interface BinRange {
  readonly lowerBinId: number;
  readonly upperBinId: number;
}

/** A position that the operation opens, as it grows; `undefined` where it has no bins. */
type NewPosition = BinRange | undefined;

/** What has been opened so far. */
type Opened = Map<Address, NewPosition>;

/**
 * Policy §9, DLMM-10, with the bounds of DLMM-7 on positions, BND-5 and the rents of RNT-1: follows the operation through
 * in order, because liquidity may only go into a position that this operation has opened before. For all of Meteora's programs.
 */
export const reviewPositionPlan: OperationRule = (context, notes) => {
  const opened: Opened = new Map();
  for (const { view, readings } of context.transactions) {
    for (const reading of readings) {
      if (reading.args !== undefined) {
        follow(reading, opened, context, notes.at(view.index, reading.index));
      }
    }
  }
  reviewNewness(opened, context, notes);
  reviewCoverage(context, notes);
};

function follow(reading: Reading, opened: Opened, context: OperationContext, notes: PlaceNotes): void {
  if (createsPosition(reading)) {
    open(reading, opened, context, notes);
    return;
  }
  const rent = RENTS.find(([program, name]) => isInstruction(reading, program, name));
  if (rent !== undefined) {
    const [, , lamports, refundable] = rent;
    notes.effect({ kind: 'rent', lamports, refundable });
  } else if (context.intent.kind === 'zapIn' && (fills(reading) || isLengthening(reading))) {
    fill(reading, opened, context.intent, notes);
  }
}

/** Instructions that pay a rent and do nothing else that matters here. */
const RENTS = [
  [PROGRAMS.dlmm, 'initialize_bin_array', RENT_LAMPORTS.binArray, false],
  [PROGRAMS.dlmm, 'initialize_bin_array_bitmap_extension', BITMAP_EXTENSION_LAMPORTS, false],
  [REVIEW_PROGRAMS.meteoraZap, 'initialize_ledger_account', ZAP_LEDGER_LAMPORTS, true],
] as const;

function fills(reading: Reading): boolean {
  return isDeposit(reading) || isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...ZAPS_IN);
}

function isLengthening(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, 'increase_position_length', 'increase_position_length2');
}

function open(reading: Reading, opened: Opened, { intent }: OperationContext, notes: PlaceNotes): void {
  const address = addressIn(reading, 'position');
  const range = openedRange(reading);
  notes.effect({ kind: 'rent', lamports: range === undefined ? PRODUCT_POSITION_LAMPORTS : RENT_LAMPORTS.position + rentAbove(0, widthOf(range)), refundable: true });
  if (address === undefined) {
    return;
  }
  if (opened.has(address)) {
    notes.block('BND-5', `The position ${address} is opened twice.`, { address });
  }
  opened.set(address, range);
  if (intent.kind !== 'zapIn' || range === undefined) {
    return;
  }
  const { lowerBinId, upperBinId } = range;
  if (lowerBinId !== intent.fromBinId || upperBinId < lowerBinId || !isWithin(intent, lowerBinId, upperBinId)) {
    notes.confirm('DLMM-7', `The position spans the bins ${lowerBinId} to ${upperBinId}; you asked for ${rangeText(intent)}.`);
  }
}

/** The bins of a position as it is opened; none in DAMM v2. */
function openedRange(reading: Reading): NewPosition {
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

/** DLMM-10: what is filled or lengthened must have been opened before, in this operation. */
function fill(reading: Reading, opened: Opened, intent: ZapInIntent, notes: PlaceNotes): void {
  const address = addressIn(reading, 'position');
  if (address === undefined || !opened.has(address)) {
    notes.block('DLMM-10', `Liquidity would go into ${address ?? 'a position that only a lookup table names'}, which this operation has not opened.`, { address });
    return;
  }
  const before = opened.get(address);
  if (before === undefined) {
    return;
  }
  const after = isLengthening(reading) ? lengthened(reading, before) : covering(before, isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity') ? depositBins(reading) : []);
  opened.set(address, after);
  const lamports = rentAbove(widthOf(before), widthOf(after));
  if (lamports > 0n) {
    notes.effect({ kind: 'rent', lamports, refundable: true });
  }
  if (isLengthening(reading) && !isWithin(intent, after.lowerBinId, after.upperBinId)) {
    notes.confirm('DLMM-7', `The position grows to the bins ${after.lowerBinId} to ${after.upperBinId}; you asked for ${rangeText(intent)}.`);
  }
}

function lengthened(reading: Reading, { lowerBinId, upperBinId }: BinRange): BinRange {
  const added = numberAt(reading.args, 'length_to_add') ?? 0;
  const minimumUpperBinId = numberAt(reading.args, 'minimum_upper_bin_id');
  if (minimumUpperBinId !== undefined) {
    return { lowerBinId, upperBinId: Math.max(upperBinId, minimumUpperBinId) };
  }
  return numberAt(reading.args, 'side') === UPPER_SIDE ? { lowerBinId, upperBinId: upperBinId + added } : { lowerBinId: lowerBinId - added, upperBinId };
}

/** A rebalance makes a position as long as it needs. */
function covering({ lowerBinId, upperBinId }: BinRange, bins: readonly number[]): BinRange {
  return { lowerBinId: Math.min(lowerBinId, ...bins), upperBinId: Math.max(upperBinId, ...bins) };
}

function widthOf({ lowerBinId, upperBinId }: BinRange): number {
  return upperBinId - lowerBinId + 1;
}

/** The rent of each bin above the first 70 is paid when the position grows, and comes back when it is closed. */
function rentAbove(widthBefore: number, width: number): bigint {
  const paidBins = Math.max(width, BINS_PER_ARRAY) - Math.max(widthBefore, BINS_PER_ARRAY);
  return RENT_LAMPORTS.positionPerBinAbove70 * BigInt(Math.max(paidBins, 0));
}

/**
 * DLMM-10: what is opened must not be there yet. Whoever lands the transactions may leave out the one that opens a position which is
 * somebody else's already: what the other transactions deposit would be that one's. Only a simulation shows it; without one it is
 * said where the opening is not part of the same transaction as each deposit, so that it could be left out.
 */
function reviewNewness(opened: Opened, context: OperationContext, notes: Notes): void {
  const { intent, transactions, position, facts } = context;
  const before = facts.simulation?.transactions[0]?.before;
  if (intent.kind !== 'zapIn') {
    return;
  }
  if (before?.has(intent.owner) !== true) {
    const later = transactions.find(({ readings }) => readings.some(fills) && !readings.some(createsPosition));
    if (later !== undefined && opened.size > 0) {
      notes.at(later.view.index).info('DLMM-10', 'This deposits into a position that another transaction opens. That the position is new can only be told with an RPC and a simulation.');
    }
    return;
  }
  for (const address of new Set([...opened.keys(), ...(position === undefined ? [] : [position])])) {
    const state = before.get(address);
    // Anybody may send SOL to an address: that does not make it a position.
    if (state !== undefined && state.program !== PROGRAMS.system) {
      notes.operation('DLMM-10', 'block', `The position ${address}, which the operation opens, exists already: what is deposited could be somebody else's.`, { address });
    }
  }
}

/** DLMM-7: the deposits together reach from one end of the intended range to the other. */
function reviewCoverage({ intent, transactions }: OperationContext, notes: Notes): void {
  if (intent.kind !== 'zapIn' || intent.fromBinId === undefined || intent.toBinId === undefined) {
    return;
  }
  const shaped = transactions.flatMap(({ readings }) => readings).filter(isShaped).flatMap(depositBins);
  const [lowest, highest] = [Math.min(...shaped), Math.max(...shaped)];
  if (shaped.length > 0 && (lowest > intent.fromBinId || highest < intent.toBinId)) {
    notes.operation('DLMM-7', 'confirm', `Liquidity goes only into the bins ${lowest} to ${highest}; you asked for ${rangeText(intent)}.`);
  }
}

/** Says whether a deposit is spread by a shape from one bin to another. */
function isShaped(reading: Reading): boolean {
  return (
    isInstruction(reading, PROGRAMS.dlmm, 'add_liquidity_by_strategy', 'add_liquidity_by_strategy2', 'add_liquidity_by_strategy_one_side') ||
    isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...ZAPS_IN)
  );
}
