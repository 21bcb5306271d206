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
import { choseRangeWords, depositBins, hasBinsWords, isWithin, liquidityWords, otherShapeWords } from './dlmmRange';
import { createsPosition, fillsPosition, extendsPosition, targetedPositions, ZAPS_IN } from '../decode/meteora';
import { type PositionRange, joined, openedRange, OtherRents, positionRent, rangeAfter, rentOfGrowth } from './positionRent';
import { unknownAccount, unreadTableWords } from './words';

/**
 * Says why an existing position must not be filled; `undefined` if it is the user's alone, in the chosen pool. There must be no operator:
 * an operator can close an empty DLMM position, and the holder of the position's key can then open it for another owner before a signed
 * deposit lands.
 */
function objectionTo(position: Address, { pool, owner, powers, isRestricted }: PositionFact, intent: DepositIntent): string | undefined {
  if (owner !== intent.owner) {
    return objectionWords(position, l10n.t`It belongs to ${owner}.`);
  }
  const [power] = powers;
  if (power !== undefined) {
    return objectionWords(position, l10n.t`${power} can act on it.`);
  }
  if (pool !== intent.pool) {
    return objectionWords(position, l10n.t`It is in the pool ${pool}.`);
  }
  return isRestricted ? objectionWords(position, l10n.t('It is locked, frozen or open to others.')) : undefined;
}

const existsWords = (position: Address): string => l10n.t`The position ${position} already exists.`;
const objectionWords = (position: Address, reason: string): string =>
  `${existsWords(position)} ${reason} ${l10n.t('You could lose your deposit.')}`;

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
      notes.operation('DLMM-10', 'block', objectionWords(position, l10n.t('It could have another owner.')), { address: position });
    }
    const [elsewhere] = present
      .filter((fact) => objection === undefined && isElsewhere(fact, intent))
      .flatMap((fact) => rangeOf(fact) ?? []);
    if (elsewhere !== undefined) {
      const words = [...(isToExist(intent) ? [] : [existsWords(position)]), rangeWords(elsewhere, intent)].join(' ');
      notes.operation('DLMM-7', 'confirm', words, { address: position });
    }
  }
}

/** Says which bins a position has, and which the user chose. */
function rangeWords({ lowerBinId, upperBinId }: PositionRange, intent: DepositIntent): string {
  return `${hasBinsWords(lowerBinId, upperBinId)} ${choseRangeWords(intent)}`;
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
      notes.at(view.index).block('BND-5', openedTwiceWords(address), { address });
    }
  }
  if (deposits(context.intent)) {
    const named = context.position === undefined || isToExist(context.intent) ? [] : [context.position];
    reviewKnownPositions(new Set([...targetedPositions(context.transactions), ...named]), context.intent, context, notes);
  }
  reviewCoverage(context, notes);
};

const openedTwiceWords = (position: Address): string => l10n.t`The position ${position} would be opened twice.`;

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
    notes.block('BND-5', openedTwiceWords(address), { address });
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
    notes.confirm('DLMM-7', rangeWords(range, intent));
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
    notes.block('DLMM-10', `${liquidityIntoWords(unknownAccount())} ${unreadTableWords()}`);
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
    notes.confirm('DLMM-7', rangeWords(after, intent));
  }
}

/**
 * DLMM-10: an opening with other than the chosen bins does not count. If the position already exists with the bins of an earlier opening,
 * the program ignores the difference. If the chosen bins are unknown, that is a question (DLMM-7).
 */
function reviewOpenedRange(address: Address, opened: PositionRange | undefined, intent: DepositIntent, notes: PlaceNotes): void {
  if (opened !== undefined && intent.fromBinId !== undefined && intent.toBinId !== undefined && !isAskedRange(opened, intent)) {
    notes.block('DLMM-10', `${liquidityIntoWords(address)} ${rangeWords(opened, intent)}`, { address });
  }
}

function rangeOf({ lowerBinId, upperBinId }: PositionFact): PositionRange | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : { lowerBinId, upperBinId };
}

/** DLMM-10 for a position that the transaction does not open: transactions that open it may never land. What the user adds to is proven by the chain alone. */
function reviewUnopened(address: Address, isOwn: boolean, intent: DepositIntent, notes: PlaceNotes): void {
  if (isToExist(intent)) {
    if (!isOwn) {
      const reason = l10n.t('Only an RPC can show that it is yours alone: set one with Connect to Service…, or try again.');
      notes.block('DLMM-10', `${liquidityIntoWords(address)} ${reason}`, { address });
    }
    return;
  }
  if (isOwn) {
    notes.confirm('DLMM-10', l10n.t`Liquidity would go into your existing position ${address}, not into a new one.`, { address });
    return;
  }
  const reason = l10n.t('This transaction does not open it for you first, so another wallet could own it when the deposit lands.');
  notes.block('DLMM-10', `${liquidityIntoWords(address)} ${reason}`, { address });
}

const liquidityIntoWords = (position: string): string => l10n.t`Liquidity would go into ${position}.`;

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
    notes.operation('DLMM-7', 'confirm', liquidityWords(lowest, highest, intent));
  }
  if (!haveExactShape(intent, context)) {
    notes.operation('DLMM-7', 'confirm', otherShapeWords(intent));
  }
  if (!isInParts && !coverRange(intent, context)) {
    notes.operation('DLMM-7', 'confirm', `${l10n.t('Some bins get no liquidity.')} ${choseRangeWords(intent)}`);
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
