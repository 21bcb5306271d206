import { WHOLE_BPS } from '../../base/basisPoints';
import type { AmountLeft } from '../../base/reasons/reason';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { JournalPlan } from '../journal/plans';
import type { OperationRecord } from '../journal/types';
import { isSamePosition } from './evidence';
import type { Measured } from './measure';
import { amountOf, explained, type Known, type LandedPart, least, type Remainder, wrappedLamportsOf } from './remainder';

/** What is left of a zap-out of which a part landed: the rest of the position, or what came back of it. */
export function restOfZapOut(plan: JournalPlan<'zapOut'>, record: OperationRecord, known: Known, landed: LandedPart): Remainder {
  const { listed, changed, hasExplorer } = known;
  if (listed === undefined) {
    return explained({ code: 'positionsUnread', ...landed }, 'again');
  }
  const position = listed.find((one) => one.id === plan.positionId || isSamePosition(one, plan.position));
  if (position !== undefined) {
    return plan.shareBps === WHOLE_BPS
      ? { kind: 'zapOut', of: record, position, reason: { code: 'restOfPosition', ...landed } }
      : explained({ code: 'shareWithdrawnInPart', ...landed, shareBps: plan.shareBps }, 'seen');
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return explained({ code: 'proceedsUnknown', ...landed, hasExplorer: hasExplorer === true }, 'asked');
  }
  return explained(
    { code: 'proceedsLeft', ...landed, amounts: leftovers(changed, known), wrappedLamports: wrappedLamportsOf(changed, known) },
    'seen',
  );
}

/** Received tokens besides SOL that the wallet still has. */
function leftovers({ tokens }: Measured, { held, pool }: Known): AmountLeft[] {
  return [...tokens].flatMap(([mint, raw]) => {
    const there = held === undefined ? raw : least(raw, held.get(mint) ?? 0n);
    const facts = pool?.tokens.find((token) => token.address === mint);
    return mint === WRAPPED_SOL_MINT || there <= 0n ? [] : [amountOf(mint, there, facts)];
  });
}
