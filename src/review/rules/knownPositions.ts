import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { OperationContext } from '../context';
import type { PositionFact } from '../facts/facts';
import type { Notes } from '../notes';
import { dlmmPositionFact } from '../facts/positionState';
import type { ZapInIntent } from '../types';
import { isWithin, rangeText } from './dlmmRange';

/**
 * Says why an existing position must not be filled; `undefined` if it is the user's alone, in the chosen pool. There must be no operator:
 * an operator can close an empty DLMM position, and the holder of the position's key can then open it for another owner before a signed
 * deposit lands.
 */
export function objectionTo(
  position: Address,
  { pool, owner, powers, isRestricted }: PositionFact,
  intent: ZapInIntent,
): string | undefined {
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
export function ownPosition(position: Address, intent: ZapInIntent, { facts }: OperationContext): PositionFact | undefined {
  const fact = facts.positions?.get(position);
  return fact !== undefined && objectionTo(position, fact, intent) === undefined ? fact : undefined;
}

/**
 * DLMM-10 and DLMM-7 for positions that already exist, as the facts or the accounts before the simulation show them: one that is not the
 * user's alone is blocked, whatever the transactions open.
 */
export function reviewKnownPositions(positions: Iterable<Address>, intent: ZapInIntent, { facts }: OperationContext, notes: Notes): void {
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
      notes.operation(
        'DLMM-7',
        'confirm',
        l10n.t`The position ${position} already exists with the bins ${String(lowerBinId)} to ${String(upperBinId)}. You chose ${rangeText(intent)}.`,
        { address: position },
      );
    }
  }
}

/** Returns whether an existing position has other bins than the chosen ones. */
function isElsewhere({ lowerBinId, upperBinId }: PositionFact, intent: ZapInIntent): boolean {
  return (
    lowerBinId !== undefined && upperBinId !== undefined && (lowerBinId !== intent.fromBinId || !isWithin(intent, lowerBinId, upperBinId))
  );
}
