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
 * Says why a position that is on the chain already must not be filled; `undefined` where it is the user's alone, in the pool that was
 * asked for. An operator can close a position in DLMM once it is empty, and whoever has the position's key can then open it for
 * somebody else, before a signed deposit lands: so there must be none.
 */
export function objectionTo({ pool, owner, powers, isRestricted }: PositionFact, intent: ZapInIntent): string | undefined {
  if (owner !== intent.owner) {
    return l10n.t`it belongs to ${owner}`;
  }
  const [power] = powers;
  if (power !== undefined) {
    return l10n.t`${power} has powers over it`;
  }
  if (pool !== intent.pool) {
    return l10n.t`it is in another pool, ${pool}`;
  }
  return isRestricted ? l10n.t('it is locked, frozen, or lets others act on it') : undefined;
}

/** Gives a position that the chain shows to be the user's alone, at the commitment *finalized*; `undefined` for any other, or one that was not asked about. */
export function ownPosition(position: Address, intent: ZapInIntent, { facts }: OperationContext): PositionFact | undefined {
  const fact = facts.positions?.get(position);
  return fact !== undefined && objectionTo(fact, intent) === undefined ? fact : undefined;
}

/**
 * DLMM-10 and DLMM-7 for positions that are on the chain already, as the facts or the accounts before the simulation show them: one that is
 * not the user's alone is refused, whatever the transactions open.
 */
export function reviewKnownPositions(positions: Iterable<Address>, intent: ZapInIntent, { facts }: OperationContext, notes: Notes): void {
  const before = facts.simulation?.transactions[0]?.before;
  for (const position of positions) {
    const known = facts.positions?.get(position);
    const simulated = before?.get(position);
    const present = [known, simulated && dlmmPositionFact(simulated)].filter((fact) => fact !== undefined);
    const [objection] = present.flatMap((fact) => objectionTo(fact, intent) ?? []);
    if (objection !== undefined) {
      notes.operation(
        'DLMM-10',
        'block',
        l10n.t`The position ${position} exists already, and ${objection}. What is deposited could be lost to you.`,
        { address: position },
      );
    } else if (present.length === 0 && simulated !== undefined && simulated.program !== PROGRAMS.system) {
      // Anybody may send SOL to an address: that does not make it a position.
      notes.operation(
        'DLMM-10',
        'block',
        l10n.t`The position ${position}, which the operation opens, exists already: what is deposited could be somebody else's.`,
        { address: position },
      );
    }
    for (const { lowerBinId, upperBinId } of present.filter((fact) => objection === undefined && isElsewhere(fact, intent)).slice(0, 1)) {
      notes.operation(
        'DLMM-7',
        'confirm',
        l10n.t`The position ${position} exists already, with the bins ${String(lowerBinId)} to ${String(upperBinId)}; you asked for ${rangeText(intent)}.`,
        { address: position },
      );
    }
  }
}

/** Says whether a position has other bins than a new one would have. */
function isElsewhere({ lowerBinId, upperBinId }: PositionFact, intent: ZapInIntent): boolean {
  return (
    lowerBinId !== undefined && upperBinId !== undefined && (lowerBinId !== intent.fromBinId || !isWithin(intent, lowerBinId, upperBinId))
  );
}
