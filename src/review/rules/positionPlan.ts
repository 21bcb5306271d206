import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { OperationContext, OperationRule } from '../context';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PositionFact } from '../facts/facts';
import type { Notes, PlaceNotes } from '../notes';
import { createsPosition, fillsPosition, lengthensPosition, targetedPositions } from '../positions';
import type { ZapInIntent } from '../types';
import { depositBins, isWithin, rangeText } from './dlmmRange';
import { ownPosition, reviewKnownPositions } from './knownPositions';
import { ZAPS_IN } from './meteora';
import { type BinRange, joined, openedRange, OtherRents, positionRent, rangeAfter, rentOfGrowth } from './positionRent';

/** A position that the operation opens. */
interface NewPosition {
  /** Its first opening; `undefined`: it is on the chain already. */
  readonly opening: DecodedCall | undefined;
  /** As wide as it can become, whichever of the transactions land; `undefined` in DAMM v2. */
  readonly widest: BinRange | undefined;
}

/** What the operation has opened so far, and in the transaction at hand alone. */
interface Progress {
  readonly inOperation: Map<Address, NewPosition>;
  /** By position: its bins as this transaction opens it, or `undefined` in DAMM v2. Only openings with the user as the owner, in the asked pool. */
  readonly inTransaction: Map<Address, BinRange | undefined>;
  /** Positions that this transaction opens again, and has not filled yet. */
  readonly repeated: Set<Address>;
  readonly otherRents: OtherRents;
}

/**
 * Policy §9, DLMM-10 as amended by §17 (A1), with the bounds of DLMM-7 on positions, BND-5 and the rents of RNT-1, for all of Meteora's
 * programs. Each transaction may land alone. So liquidity may only go into a position that the same transaction has opened before, for the
 * user and with the bins that were asked for; or into one that the chain shows to be the user's alone.
 */
export const reviewPositionPlan: OperationRule = (context, notes) => {
  const inOperation = new Map<Address, NewPosition>();
  const otherRents = new OtherRents();
  for (const { view, readings } of context.transactions) {
    const progress = { inOperation, inTransaction: new Map<Address, BinRange | undefined>(), repeated: new Set<Address>(), otherRents };
    otherRents.beginTransaction(readings.some(fillsPosition));
    for (const reading of readings) {
      if (reading.args !== undefined) {
        follow(reading, progress, context, notes.at(view.index, reading.index));
      }
    }
    for (const address of progress.repeated) {
      notes
        .at(view.index)
        .block('BND-5', l10n.t`The position ${address} is opened twice, and this transaction puts nothing into it.`, { address });
    }
  }
  if (context.intent.kind === 'zapIn') {
    const named = context.position === undefined ? [] : [context.position];
    reviewKnownPositions(new Set([...targetedPositions(context.transactions), ...named]), context.intent, context, notes);
  }
  reviewCoverage(context, notes);
};

function follow(reading: DecodedCall, progress: Progress, context: OperationContext, notes: PlaceNotes): void {
  if (createsPosition(reading)) {
    open(reading, progress, context, notes);
  } else if (
    !progress.otherRents.note(reading, notes) &&
    context.intent.kind === 'zapIn' &&
    (fillsPosition(reading) || lengthensPosition(reading))
  ) {
    fill(reading, progress, context.intent, context, notes);
  }
}

function open(reading: DecodedCall, progress: Progress, { intent }: OperationContext, notes: PlaceNotes): void {
  const address = addressIn(reading, 'position');
  const range = openedRange(reading);
  const earlier = address === undefined ? undefined : progress.inOperation.get(address);
  if (address === undefined || earlier === undefined) {
    notes.effect({ kind: 'rent', lamports: positionRent(range), refundable: true });
  } else if (!isRepetition(reading, earlier.opening) || progress.inTransaction.has(address)) {
    notes.block('BND-5', l10n.t`The position ${address} is opened twice.`, { address });
  } else {
    progress.repeated.add(address);
  }
  if (address === undefined) {
    return;
  }
  const widest = earlier?.widest === undefined || range === undefined ? range : joined(earlier.widest, range);
  progress.inOperation.set(address, { opening: earlier?.opening ?? reading, widest });
  if (intent.kind !== 'zapIn') {
    return;
  }
  // A pool that only a lookup table names is asked about by DLMM-1.
  const pool = addressIn(reading, 'lb_pair') ?? addressIn(reading, 'pool') ?? intent.pool;
  if (addressIn(reading, 'owner') === intent.owner && pool === intent.pool) {
    progress.inTransaction.set(address, range);
  }
  if (range !== undefined && !isAskedRange(range, intent)) {
    notes.confirm(
      'DLMM-7',
      l10n.t`The position spans the bins ${range.lowerBinId} to ${range.upperBinId}; you asked for ${rangeText(intent)}.`,
    );
  }
  if (fillsPosition(reading)) {
    reviewOpenedRange(address, range, intent, notes);
  }
}

/**
 * Says whether an opening repeats an earlier one. Of all instructions that open a position only `initialize_position2` may be carried out
 * again (DLMM program): it does nothing where the position is there and has that owner, and fails where it has another (6088). It
 * compares neither the bins nor the operator.
 */
function isRepetition(reading: DecodedCall, earlier: DecodedCall | undefined): boolean {
  return (
    earlier !== undefined &&
    isInstruction(reading, PROGRAMS.dlmm, 'initialize_position2') &&
    isInstruction(earlier, PROGRAMS.dlmm, 'initialize_position2') &&
    Buffer.compare(reading.view.data, earlier.view.data) === 0 &&
    ['payer', 'lb_pair', 'owner'].every((role) => addressIn(reading, role) === addressIn(earlier, role))
  );
}

/** DLMM-7: a position begins at the lowest bin that was asked for, and does not reach beyond the highest. */
function isAskedRange({ lowerBinId, upperBinId }: BinRange, intent: ZapInIntent): boolean {
  return lowerBinId === intent.fromBinId && upperBinId >= lowerBinId && isWithin(intent, lowerBinId, upperBinId);
}

/** DLMM-10: what is filled or lengthened has been opened before, in this transaction, or is on the chain as the user's. */
function fill(
  reading: DecodedCall,
  { inOperation, inTransaction, repeated }: Progress,
  intent: ZapInIntent,
  context: OperationContext,
  notes: PlaceNotes,
): void {
  const address = addressIn(reading, 'position');
  if (address === undefined) {
    notes.block('DLMM-10', l10n.t('Liquidity would go into a position that only a lookup table names.'));
    return;
  }
  repeated.delete(address);
  const known = ownPosition(address, intent, context);
  if (inTransaction.has(address)) {
    reviewOpenedRange(address, inTransaction.get(address), intent, notes);
  } else {
    reviewUnopened(address, known !== undefined, notes);
  }
  const before = inOperation.get(address) ?? { opening: undefined, widest: known && rangeOf(known) };
  if (before.widest === undefined) {
    return;
  }
  const after = rangeAfter(reading, before.widest);
  inOperation.set(address, { ...before, widest: after });
  const lamports = rentOfGrowth(before.widest, after);
  if (lamports > 0n) {
    notes.effect({ kind: 'rent', lamports, refundable: true });
  }
  if (lengthensPosition(reading) && !isWithin(intent, after.lowerBinId, after.upperBinId)) {
    notes.confirm(
      'DLMM-7',
      l10n.t`The position grows to the bins ${after.lowerBinId} to ${after.upperBinId}; you asked for ${rangeText(intent)}.`,
    );
  }
}

/**
 * DLMM-10: an opening with other bins than were asked for does not count. Where the position is there already, with the bins of an earlier
 * opening, the program passes over the difference. Which bins were asked for may not be known: that is a question (DLMM-7).
 */
function reviewOpenedRange(address: Address, opened: BinRange | undefined, intent: ZapInIntent, notes: PlaceNotes): void {
  if (opened !== undefined && intent.fromBinId !== undefined && intent.toBinId !== undefined && !isAskedRange(opened, intent)) {
    const words = l10n.t`which this transaction opens for the bins ${opened.lowerBinId} to ${opened.upperBinId}; you asked for ${rangeText(intent)}.`;
    notes.block('DLMM-10', l10n.t`Liquidity would go into the position ${address}, ${words}`, { address });
  }
}

function rangeOf({ lowerBinId, upperBinId }: PositionFact): BinRange | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : { lowerBinId, upperBinId };
}

/** DLMM-10 where the transaction does not open the position: whatever other transactions do may never land. */
function reviewUnopened(address: Address, isOwn: boolean, notes: PlaceNotes): void {
  if (isOwn) {
    notes.confirm('DLMM-10', l10n.t`Liquidity goes into the position ${address}, which you have already; you asked for a new one.`, {
      address,
    });
    return;
  }
  const words = l10n.t(
    "which this transaction does not open for you first. The position could be somebody else's when it lands, and so would be your deposit.",
  );
  notes.block('DLMM-10', l10n.t`Liquidity would go into the position ${address}, ${words}`, { address });
}

/** DLMM-7: the deposits together reach from one end of the intended range to the other. */
function reviewCoverage({ intent, transactions }: OperationContext, notes: Notes): void {
  if (intent.kind !== 'zapIn' || intent.fromBinId === undefined || intent.toBinId === undefined) {
    return;
  }
  const shaped = transactions
    .flatMap(({ readings }) => readings)
    .filter(isShaped)
    .flatMap(depositBins);
  const [lowest, highest] = [Math.min(...shaped), Math.max(...shaped)];
  if (shaped.length > 0 && (lowest > intent.fromBinId || highest < intent.toBinId)) {
    notes.operation(
      'DLMM-7',
      'confirm',
      l10n.t`Liquidity goes only into the bins ${lowest} to ${highest}; you asked for ${rangeText(intent)}.`,
    );
  }
}

/** Says whether a deposit is spread by a shape from one bin to another. */
function isShaped(reading: DecodedCall): boolean {
  return (
    isInstruction(
      reading,
      PROGRAMS.dlmm,
      'add_liquidity_by_strategy',
      'add_liquidity_by_strategy2',
      'add_liquidity_by_strategy_one_side',
    ) || isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...ZAPS_IN)
  );
}
