import type { OperationKind, SingleKind } from '../../base/operationKinds';
import type { Reason } from '../../base/reasons/reason';
import type { OpenPosition } from '../../service/positions';
import type { JournalPlan } from '../journal/plans';
import type { OperationRecord } from '../journal/types';
import { type Evidence, evidenceOfClaim, evidenceOfDeposit, evidenceOfOpening, evidenceOfWithdrawal } from './evidence';
import { exchanged, leftoversOf } from './leftovers';
import { explained, type Known, type LandedPart, type Remainder } from './remainder';
import { restOfZapIn } from './restOfZapIn';
import { restOfZapOut } from './restOfZapOut';

/** How the outcome of a kind of operation is found: one row a kind. */
interface Outcome<Kind extends OperationKind> {
  /** The evidence in a listing of the operation's owner and service, by the journal alone. */
  evidence(plan: JournalPlan<Kind>, record: OperationRecord, listed: readonly OpenPosition[]): Evidence;
  /** What is left to do when a part of it landed, and the rest no longer can. */
  rest(plan: JournalPlan<Kind>, record: OperationRecord, known: Known, landed: LandedPart): Remainder;
}

const OUTCOMES: { readonly [Kind in SingleKind]: Outcome<Kind> } = {
  zapOut: { evidence: (plan, _, listed) => evidenceOfWithdrawal(plan, listed), rest: restOfZapOut },
  zapIn: {
    evidence: ({ openBefore }, { created: { pool }, built }, listed) =>
      pool === undefined ? 'unclear' : evidenceOfOpening(built?.position, pool, openBefore, listed),
    rest: restOfZapIn,
  },
  claim: {
    evidence: ({ positions }, _, listed) => evidenceOfClaim(positions, listed),
    // Each transaction claims for itself: what did not land is still in the positions.
    rest: (_plan, record, known, landed) => exchangedOrExplained(record, known, { code: 'claimedInPart', ...landed }),
  },
  addLiquidity: {
    evidence: (plan, _, listed) => evidenceOfDeposit(plan, listed),
    // Compounding claims and deposits in each transaction. Of a deposit from the wallet, what did not land is still in the wallet.
    rest: ({ source }, record, known, landed) =>
      exchangedOrExplained(record, known, { code: source === 'fees' ? 'compoundedInPart' : 'addedInPart', ...landed }),
  },
  // Only the chain shows it.
  swap: {
    evidence: () => 'unclear',
    rest: (_plan, record, known, landed) => exchangedOrExplained(record, known, { code: 'swappedInPart', ...landed }),
  },
  unwrap: {
    evidence: () => 'unclear',
    rest: (_plan, record, known, landed) => exchangedOrExplained(record, known, { code: 'swappedInPart', ...landed }),
  },
};

function exchangedOrExplained(record: OperationRecord, known: Known, reason: Reason): Remainder {
  const { changed } = known;
  return changed?.from === 'transactions' ? exchanged(record, leftoversOf(record, changed, known), reason) : explained(reason, 'seen');
}

/** The evidence in a listing of the operation's owner and service, by the journal alone. That of a rebalance is that of its parts. */
export function evidenceOf(record: OperationRecord, listed: readonly OpenPosition[]): Evidence {
  const { plan } = record.created;
  return plan.kind === 'rebalance' ? 'unclear' : evidenceBy(plan, record, listed);
}

function evidenceBy<Kind extends SingleKind>(plan: JournalPlan<Kind>, record: OperationRecord, listed: readonly OpenPosition[]): Evidence {
  return OUTCOMES[plan.kind].evidence(plan, record, listed);
}

/** What is left to do of an operation of which a part landed. */
export function restOf<Kind extends SingleKind>(
  plan: JournalPlan<Kind>,
  record: OperationRecord,
  known: Known,
  landed: LandedPart,
): Remainder {
  return OUTCOMES[plan.kind].rest(plan, record, known, landed);
}
