import type { Address } from '../../solana/address';
import { PROGRAMS, RENT_LAMPORTS } from '../../solana/programs';
import { numberAt } from '../argumentValues';
import type { OperationContext } from '../context';
import type { Notes, PlaceNotes } from '../notes';
import { createsPosition } from '../positions';
import { addressIn, isInstruction, type Reading } from '../reading';
import type { ZapInIntent } from '../types';
import { BINS_PER_ARRAY, depositBins } from './dlmmRange';
import { isDeposit } from './dlmmRoles';
import type { OperationRule } from './rule';

/** Rent of a pool's bin array bitmap extension (policy, RNT-1). */
const BITMAP_EXTENSION_LAMPORTS = 11_804_160n;

/** On which side `increase_position_length` adds bins (DLMM IDL, ResizeSide). */
const UPPER_SIDE = 1;

/** A position that the operation opens, as it grows. Both ends are in it. */
interface NewPosition {
  lowerBinId: number;
  upperBinId: number;
}

/**
 * Policy §9, DLMM-10, with the bounds of DLMM-7 on positions, BND-5 and the rents of RNT-1: follows the operation through
 * in order, because liquidity may only go into a position that this operation has opened before.
 */
export const reviewPositionPlan: OperationRule = (context, notes) => {
  const opened = new Map<Address, NewPosition>();
  for (const { view, readings } of context.transactions) {
    for (const reading of readings) {
      if (reading.view.program === PROGRAMS.dlmm && reading.args !== undefined) {
        follow(reading, opened, context, notes.at(view.index, reading.index));
      }
    }
  }
  reviewCoverage(context, notes);
};

function follow(reading: Reading, opened: Map<Address, NewPosition>, context: OperationContext, notes: PlaceNotes): void {
  const { intent } = context;
  if (createsPosition(reading)) {
    open(reading, opened, context, notes);
  } else if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array')) {
    notes.effect({ kind: 'rent', lamports: RENT_LAMPORTS.binArray, refundable: false });
  } else if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array_bitmap_extension')) {
    notes.effect({ kind: 'rent', lamports: BITMAP_EXTENSION_LAMPORTS, refundable: false });
  } else if (intent.kind === 'zapIn' && (isDeposit(reading) || isLengthening(reading))) {
    const address = addressIn(reading, 'position');
    const position = address === undefined ? undefined : opened.get(address);
    if (position === undefined) {
      notes.block('DLMM-10', `Liquidity would go into ${address ?? 'a position that only a lookup table names'}, which this operation has not opened.`, { address });
    } else if (isLengthening(reading)) {
      lengthen(reading, position, intent, notes);
    }
  }
}

function open(reading: Reading, opened: Map<Address, NewPosition>, context: OperationContext, notes: PlaceNotes): void {
  const { intent } = context;
  const lowerBinId = numberAt(reading.args, 'lower_bin_id') ?? 0;
  const upperBinId = lowerBinId + (numberAt(reading.args, 'width') ?? 0) - 1;
  const address = addressIn(reading, 'position');
  notes.effect({ kind: 'rent', lamports: RENT_LAMPORTS.position, refundable: true });
  if (address === undefined) {
    return;
  }
  if (opened.has(address)) {
    notes.block('BND-5', `The position ${address} is opened twice.`, { address });
  }
  opened.set(address, { lowerBinId, upperBinId });
  if (intent.kind === 'zapIn' && (lowerBinId !== intent.fromBinId || upperBinId > intent.toBinId || upperBinId < lowerBinId)) {
    notes.confirm('DLMM-7', `The position spans the bins ${lowerBinId} to ${upperBinId}; you asked for ${intent.fromBinId} to ${intent.toBinId}.`);
  }
}

function isLengthening(reading: Reading): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, 'increase_position_length', 'increase_position_length2');
}

/** The rent of each bin above the first 70 is paid when the position grows, and comes back when it is closed. */
function lengthen(reading: Reading, position: NewPosition, intent: ZapInIntent, notes: PlaceNotes): void {
  const widthBefore = position.upperBinId - position.lowerBinId + 1;
  const added = numberAt(reading.args, 'length_to_add') ?? 0;
  const minimumUpperBinId = numberAt(reading.args, 'minimum_upper_bin_id');
  if (minimumUpperBinId !== undefined) {
    position.upperBinId = Math.max(position.upperBinId, minimumUpperBinId);
  } else if (numberAt(reading.args, 'side') === UPPER_SIDE) {
    position.upperBinId += added;
  } else {
    position.lowerBinId -= added;
  }
  const width = position.upperBinId - position.lowerBinId + 1;
  const paidBins = Math.max(width, BINS_PER_ARRAY) - Math.max(widthBefore, BINS_PER_ARRAY);
  notes.effect({ kind: 'rent', lamports: RENT_LAMPORTS.positionPerBinAbove70 * BigInt(paidBins), refundable: true });
  if (position.lowerBinId < intent.fromBinId || position.upperBinId > intent.toBinId) {
    notes.confirm('DLMM-7', `The position grows to the bins ${position.lowerBinId} to ${position.upperBinId}; you asked for ${intent.fromBinId} to ${intent.toBinId}.`);
  }
}

/** DLMM-7: the deposits together reach from one end of the intended range to the other. */
function reviewCoverage(context: OperationContext, notes: Notes): void {
  const { intent } = context;
  if (intent.kind !== 'zapIn') {
    return;
  }
  const shaped = context.transactions
    .flatMap(({ readings }) => readings)
    .filter((reading) => isInstruction(reading, PROGRAMS.dlmm, 'add_liquidity_by_strategy', 'add_liquidity_by_strategy2', 'add_liquidity_by_strategy_one_side'))
    .flatMap(depositBins);
  if (shaped.length > 0 && (Math.min(...shaped) > intent.fromBinId || Math.max(...shaped) < intent.toBinId)) {
    notes.operation('DLMM-7', 'confirm', `Liquidity goes only into the bins ${Math.min(...shaped)} to ${Math.max(...shaped)}; you asked for ${intent.fromBinId} to ${intent.toBinId}.`);
  }
}
