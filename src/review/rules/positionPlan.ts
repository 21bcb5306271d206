import * as l10n from '@vscode/l10n';
import { BINS_PER_DEFAULT_POSITION } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { allowsStep, compoundedFees, type DepositIntent, deposits } from '../intents';
import type { OperationContext, OperationRule } from '../context';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import { dlmmPositionFact } from '../facts/accounts';
import type { PositionFact } from '../facts/facts';
import type { Notes, PlaceNotes } from '../notes';
import { coverRange, haveExactShape } from './depositShape';
import { depositBins, isWithin, rangeText } from './dlmmRange';
import { createsPosition, fillsPosition, extendsPosition, targetedPositions, ZAPS_IN } from '../decode/meteora';
import { type PositionRange, joined, openedRange, OtherRents, positionRent, rangeAfter, rentOfGrowth } from './positionRent';

/**
 * Says why an existing position must not be filled; `undefined` if it is the user's alone, in the chosen pool. There must be no operator:
 * an operator can close an empty DLMM position, and the holder of the position's key can then open it for another owner before a signed
 * deposit lands.
 */
function objectionTo(position: Address, { pool, owner, powers, isRestricted }: PositionFact, intent: DepositIntent): string | undefined {
  if (owner !== intent.owner) {
    return l10n.t`The position ${position} already exists and belongs to ${owner}. You could lose your deposit.`;
  }
  const [power] = powers;
  if (power !== undefined) {
    return l10n.t`The position ${position} already exists and ${power} can act on it. You could lose your deposit.`;
  }
  if (pool !== intent.pool) {
    return l10n.t`The position ${position} already exists in another pool, ${pool}. You could lose your deposit.`;
  }
  return isRestricted
    ? l10n.t`The position ${position} already exists and is locked, frozen or open to others. You could lose your deposit.`
    : undefined;
}

/** Returns a position that the chain shows, *finalized*, to be the user's alone; `undefined` for any other, or if the RPC was not asked. */
function ownPosition(position: Address, intent: DepositIntent, { facts }: OperationContext): PositionFact | undefined {
  const fact = facts.positions?.get(position);
  return fact !== undefined && objectionTo(position, fact, intent) === undefined ? fact : undefined;
}

/**
 * DLMM-10 and DLMM-7 for positions that already exist, as the facts or the accounts before the simulation show them: one that is not the
 * user's alone is blocked, whatever the transactions open.
 */
function reviewKnownPositions(positions: Iterable<Address>, intent: DepositIntent, { facts }: OperationContext, notes: Notes): void {
  const before = facts.simulation?.transactions[0]?.before;
  for (const position of positions) {
    const known = facts.positions?.get(position);
    const simulated = before?.get(position);
    const present = [known, simulated && dlmmPositionFact(simulated)].filter((fact) => fact !== undefined);
    const [objection] = present.flatMap((fact) => objectionTo(position, fact, intent) ?? []);
    if (objection !== undefined) {
      notes.operation('DLMM-10', 'block', objection, { address: position });
    } else if (present.length === 0 && simulated !== undefined && simulated.program !== PROGRAMS.system) {
      // An address that only holds SOL is not a position: anyone can send SOL there.
      notes.operation(
        'DLMM-10',
        'block',
        l10n.t`The operation opens the position ${position}, but that account already exists. Your deposit could go to another owner.`,
        { address: position },
      );
    }
    for (const { lowerBinId, upperBinId } of present.filter((fact) => objection === undefined && isElsewhere(fact, intent)).slice(0, 1)) {
      const words = isToExist(intent)
        ? l10n.t`The position ${position} has the bins ${String(lowerBinId)} to ${String(upperBinId)}. You chose ${rangeText(intent)}.`
        : l10n.t`The position ${position} already exists with the bins ${String(lowerBinId)} to ${String(upperBinId)}. You chose ${rangeText(intent)}.`;
      notes.operation('DLMM-7', 'confirm', words, { address: position });
    }
  }
}

/** Returns whether an existing position has other bins than the chosen ones. Those of a position that is added to may have more. */
function isElsewhere({ lowerBinId, upperBinId }: PositionFact, intent: DepositIntent): boolean {
  if (lowerBinId === undefined || upperBinId === undefined) {
    return false;
  }
  const { fromBinId, toBinId } = intent;
  return isToExist(intent)
    ? fromBinId === undefined || toBinId === undefined || fromBinId < lowerBinId || toBinId > upperBinId
    : lowerBinId !== fromBinId || !isWithin(intent, lowerBinId, upperBinId);
}

/** Whether the user adds to a position that exists already. */
function isToExist(intent: DepositIntent): boolean {
  return !allowsStep(intent, 'open');
}

/** A position that the operation opens. */
interface NewPosition {
  /** Its first opening; `undefined`: it already exists on the chain. */
  readonly opening: DecodedCall | undefined;
  /** The widest that it can become, whichever transactions land; `undefined` in DAMM v2. */
  readonly widest: PositionRange | undefined;
}

/** The positions opened so far, in the operation and in the current transaction. */
interface Progress {
  readonly inOperation: Map<Address, NewPosition>;
  /** By position: its bins as this transaction opens it, `undefined` in DAMM v2. Only openings for the user, in the chosen pool. */
  readonly inTransaction: Map<Address, PositionRange | undefined>;
  /** Positions that this transaction opens again and has not filled yet. */
  readonly repeated: Set<Address>;
  readonly otherRents: OtherRents;
}

/**
 * DLMM-10, DLMM-7 for positions, BND-5 and the rents of RNT-1, for all of Meteora's programs. Each transaction may land alone. So liquidity
 * may go only into a position that the same transaction opened before, for the user and with the chosen bins, or into one that the chain
 * shows to be the user's alone.
 */
export const reviewPositionPlan: OperationRule = (context, notes) => {
  const inOperation = new Map<Address, NewPosition>();
  const otherRents = new OtherRents(context.rent);
  for (const { view, readings } of context.transactions) {
    const progress = {
      inOperation,
      inTransaction: new Map<Address, PositionRange | undefined>(),
      repeated: new Set<Address>(),
      otherRents,
    };
    otherRents.beginTransaction(readings.some(fillsPosition));
    for (const reading of readings) {
      if (reading.args !== undefined) {
        follow(reading, progress, context, notes.at(view.index, reading.index));
      }
    }
    for (const address of progress.repeated) {
      notes
        .at(view.index)
        .block('BND-5', l10n.t`The position ${address} would be opened a second time, and this transaction deposits nothing into it.`, {
          address,
        });
    }
  }
  if (deposits(context.intent)) {
    const named = context.position === undefined || isToExist(context.intent) ? [] : [context.position];
    reviewKnownPositions(new Set([...targetedPositions(context.transactions), ...named]), context.intent, context, notes);
  }
  reviewCoverage(context, notes);
};

function follow(reading: DecodedCall, progress: Progress, context: OperationContext, notes: PlaceNotes): void {
  if (createsPosition(reading)) {
    open(reading, progress, context, notes);
  } else if (
    !progress.otherRents.note(reading, notes) &&
    deposits(context.intent) &&
    (fillsPosition(reading) || extendsPosition(reading))
  ) {
    fill(reading, progress, context.intent, context, notes);
  }
}

function open(reading: DecodedCall, progress: Progress, { intent, rent }: OperationContext, notes: PlaceNotes): void {
  const address = addressIn(reading, 'position');
  const range = openedRange(reading);
  const earlier = address === undefined ? undefined : progress.inOperation.get(address);
  if (address === undefined || earlier === undefined) {
    notes.effect({ kind: 'rent', lamports: positionRent(range, rent), refundable: true });
  } else if (!isRepetition(reading, earlier.opening) || progress.inTransaction.has(address)) {
    notes.block('BND-5', l10n.t`The position ${address} would be opened twice.`, { address });
  } else {
    progress.repeated.add(address);
  }
  if (address === undefined) {
    return;
  }
  const widest = earlier?.widest === undefined || range === undefined ? range : joined(earlier.widest, range);
  progress.inOperation.set(address, { opening: earlier?.opening ?? reading, widest });
  if (!deposits(intent)) {
    return;
  }
  // DLMM-1 covers a pool from an unread lookup table.
  const pool = addressIn(reading, 'lb_pair') ?? addressIn(reading, 'pool') ?? intent.pool;
  if (addressIn(reading, 'owner') === intent.owner && pool === intent.pool) {
    progress.inTransaction.set(address, range);
  }
  if (range !== undefined && !isAskedRange(range, intent)) {
    notes.confirm(
      'DLMM-7',
      l10n.t`The new position has the bins ${range.lowerBinId} to ${range.upperBinId}. You chose ${rangeText(intent)}.`,
    );
  }
  if (fillsPosition(reading)) {
    reviewOpenedRange(address, range, intent, notes);
  }
}

/**
 * Returns whether an opening repeats an earlier one. Only `initialize_position2` can be executed again (DLMM program): it does nothing if
 * the position exists with that owner, and fails with 6088 if it has another. It compares neither the bins nor the operator.
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

/** DLMM-7: a position starts at the lowest chosen bin and does not extend beyond the highest. */
function isAskedRange({ lowerBinId, upperBinId }: PositionRange, intent: DepositIntent): boolean {
  return lowerBinId === intent.fromBinId && upperBinId >= lowerBinId && isWithin(intent, lowerBinId, upperBinId);
}

/** DLMM-10: a position that is filled or extended was opened earlier in this transaction, or exists on the chain as the user's. */
function fill(
  reading: DecodedCall,
  { inOperation, inTransaction, repeated }: Progress,
  intent: DepositIntent,
  context: OperationContext,
  notes: PlaceNotes,
): void {
  const address = addressIn(reading, 'position');
  if (address === undefined) {
    notes.block('DLMM-10', l10n.t('Liquidity would go into a position from an unread lookup table, which could belong to anyone.'));
    return;
  }
  repeated.delete(address);
  const known = ownPosition(address, intent, context);
  if (inTransaction.has(address)) {
    reviewOpenedRange(address, inTransaction.get(address), intent, notes);
  } else {
    reviewUnopened(address, known !== undefined, intent, notes);
  }
  const before = inOperation.get(address) ?? { opening: undefined, widest: known && rangeOf(known) };
  if (before.widest === undefined) {
    return;
  }
  const after = rangeAfter(reading, before.widest);
  inOperation.set(address, { ...before, widest: after });
  const lamports = rentOfGrowth(before.widest, after, context.rent);
  if (lamports > 0n) {
    notes.effect({ kind: 'rent', lamports, refundable: true });
  }
  if (extendsPosition(reading) && !isWithin(intent, after.lowerBinId, after.upperBinId)) {
    notes.confirm(
      'DLMM-7',
      l10n.t`The position grows to the bins ${after.lowerBinId} to ${after.upperBinId}. You chose ${rangeText(intent)}.`,
    );
  }
}

/**
 * DLMM-10: an opening with other than the chosen bins does not count. If the position already exists with the bins of an earlier opening,
 * the program ignores the difference. If the chosen bins are unknown, that is a question (DLMM-7).
 */
function reviewOpenedRange(address: Address, opened: PositionRange | undefined, intent: DepositIntent, notes: PlaceNotes): void {
  if (opened !== undefined && intent.fromBinId !== undefined && intent.toBinId !== undefined && !isAskedRange(opened, intent)) {
    const words = l10n.t`Liquidity would go into the position ${address}, which this transaction opens for the bins ${opened.lowerBinId} to ${opened.upperBinId}. You chose ${rangeText(intent)}.`;
    notes.block('DLMM-10', words, { address });
  }
}

function rangeOf({ lowerBinId, upperBinId }: PositionFact): PositionRange | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : { lowerBinId, upperBinId };
}

/** DLMM-10 for a position that the transaction does not open: transactions that open it may never land. What the user adds to is proven by the chain alone. */
function reviewUnopened(address: Address, isOwn: boolean, intent: DepositIntent, notes: PlaceNotes): void {
  if (isToExist(intent)) {
    if (!isOwn) {
      const words = l10n.t`Liquidity would go into the position ${address}. Only a Solana RPC can show that it is yours alone, and none has. Set one with Connect to Service…, or try again.`;
      notes.block('DLMM-10', words, { address });
    }
    return;
  }
  if (isOwn) {
    notes.confirm('DLMM-10', l10n.t`Liquidity goes into your existing position ${address}. You asked for a new one.`, { address });
    return;
  }
  const words = l10n.t`Liquidity would go into the position ${address}, which this transaction does not open for you first. Another wallet could own the position, and your deposit, when the transaction lands.`;
  notes.block('DLMM-10', words, { address });
}

/**
 * DLMM-7: the deposits together cover the chosen range. Fees of a position that takes several claims go back to where they were claimed: what the bins
 * of one claim have not earned is not deposited there.
 */
function reviewCoverage(context: OperationContext, notes: Notes): void {
  const { intent, transactions } = context;
  if (!deposits(intent) || intent.fromBinId === undefined || intent.toBinId === undefined) {
    return;
  }
  const isInParts = compoundedFees(intent) !== undefined && intent.toBinId - intent.fromBinId >= BINS_PER_DEFAULT_POSITION;
  const shaped = transactions
    .flatMap(({ readings }) => readings)
    .filter(isShaped)
    .flatMap(depositBins);
  const [lowest, highest] = [Math.min(...shaped), Math.max(...shaped)];
  if (!isInParts && shaped.length > 0 && (lowest > intent.fromBinId || highest < intent.toBinId)) {
    notes.operation(
      'DLMM-7',
      'confirm',
      l10n.t`Liquidity goes only into the bins ${lowest} to ${highest}. You chose ${rangeText(intent)}.`,
    );
  }
  if (!haveExactShape(intent, context)) {
    notes.operation(
      'DLMM-7',
      'confirm',
      l10n.t`Liquidity is not spread as ${intent.strategy ?? l10n.t('an unknown shape')}, which you chose.`,
    );
  }
  if (!isInParts && !coverRange(intent, context)) {
    notes.operation('DLMM-7', 'confirm', l10n.t`Some bins get no liquidity. You chose ${rangeText(intent)}.`);
  }
}

/** Returns whether a deposit is spread by a shape over a range of bins. */
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
