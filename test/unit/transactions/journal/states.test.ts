import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JournalError } from '../../../../src/transactions/journal/errors';
import { isEnd, maySettle, mayFollow, recordOf } from '../../../../src/transactions/journal/states';
import { OPERATION_KINDS, type OperationKind } from '../../../../src/base/operationKinds';
import type { JournalEvent } from '../../../../src/transactions/journal/types';
import { created, FOLLOWING_KINDS, GOING_WELL, HAPPENINGS, PLANS, type FollowingKind } from '../../../support/transactions/journal/events';

/** What may happen to an operation, put the other way round: by what was done so far, not by the name of a state. */
class Reference {
  readonly #operation: OperationKind;
  #isSent = false;
  #isOver = false;
  /** What may be left of it can be told. */
  #hasEffect = false;
  /** What has been done to the transactions at hand. */
  #hasBuilt = false;
  #hasReviewed = false;
  #hasApproved = false;
  #hasSigned = false;
  #word: FollowingKind | undefined;

  constructor(operation: OperationKind) {
    this.#operation = operation;
  }

  allows(kind: FollowingKind): boolean {
    if (this.#isOver) {
      return kind === 'seen' && this.#hasEffect && this.#operation !== 'rebalance';
    }
    if (this.#operation === 'rebalance') {
      return kind === 'settled' || kind === 'failed' || kind === 'abandoned';
    }
    if (this.#isSent) {
      // What the service did not take for too many requests is sent again: the same bytes, and only where no event came after it.
      const isSentAgain = kind === 'submitted' && this.#word === 'unconfirmed';
      return (
        isSentAgain || ['settled', 'expired', 'failed'].includes(kind) || (['landed', 'unconfirmed'].includes(kind) && kind !== this.#word)
      );
    }
    const isNext: Partial<Record<FollowingKind, boolean>> = {
      built: true,
      reviewed: this.#hasBuilt && !this.#hasSigned,
      approved: this.#hasReviewed && !this.#hasApproved,
      signed: this.#hasApproved && !this.#hasSigned,
      submitted: this.#hasSigned,
      failed: true,
      abandoned: true,
    };
    return isNext[kind] ?? false;
  }

  did(kind: FollowingKind): void {
    this.#hasEffect ||= kind === 'settled' || kind === 'failed';
    this.#isOver ||= ['settled', 'expired', 'failed', 'abandoned'].includes(kind);
    this.#isSent ||= kind === 'submitted';
    this.#word = kind;
    const done = GOING_WELL.indexOf(kind);
    if (done >= 0 && done <= GOING_WELL.indexOf('signed')) {
      this.#hasBuilt = true;
      this.#hasReviewed = done >= GOING_WELL.indexOf('reviewed');
      this.#hasApproved = done >= GOING_WELL.indexOf('approved');
      this.#hasSigned = done >= GOING_WELL.indexOf('signed');
    }
  }
}

const eventsOf = (operation: OperationKind, kinds: readonly FollowingKind[]): readonly JournalEvent[] => [
  created({ operation, plan: PLANS[operation] }),
  ...kinds.map((kind, index): JournalEvent => ({ atMs: 2_000 + index, ...HAPPENINGS[kind] })),
];

const STATES = FOLLOWING_KINDS.filter((kind) => kind !== 'seen');

const isNotFollowing = (error: unknown): boolean => error instanceof JournalError && error.kind === 'notFollowing';

describe('journal: states of an operation', function () {
  it('The states allow exactly the events that the reference model allows, from every state', () => {
    const operations = fc.constantFrom<OperationKind>(...OPERATION_KINDS);
    const reached = new Set<string>();
    fc.assert(
      fc.property(operations, fc.noBias(fc.array(fc.nat(), { minLength: 12, maxLength: 12 })), (operation, choices) => {
        const reference = new Reference(operation);
        const kinds: FollowingKind[] = [];
        for (const choice of choices) {
          const allowed = FOLLOWING_KINDS.filter((kind) => reference.allows(kind));
          const { state } = recordOf('id', eventsOf(operation, kinds));
          assert.deepEqual([...mayFollow(operation, state)].sort(), [...allowed].sort(), `after ${state}`);
          for (const kind of FOLLOWING_KINDS.filter((one) => !allowed.includes(one))) {
            assert.throws(() => recordOf('id', eventsOf(operation, [...kinds, kind])), isNotFollowing);
          }
          // Most runs go on for a while: what is not reached is not tested.
          const goingOn = allowed.filter((one) => !['settled', 'expired', 'failed', 'abandoned', 'built'].includes(one));
          const likely = choice % 4 > 0 && goingOn.length > 0 ? goingOn : allowed;
          const kind = likely[(choice >> 2) % likely.length];
          reached.add(state);
          if (kind === undefined) {
            return;
          }
          reference.did(kind);
          kinds.push(kind);
        }
      }),
      { numRuns: 600 },
    );
    assert.deepEqual([...reached].sort(), ['created', ...STATES].sort());
  });

  it('The record tells what happened last', () => {
    const { id, state, updatedAtMs, built, signatures, landingSignature, lamportsBack, reason, events } = recordOf(
      'the-id',
      eventsOf('zapOut', GOING_WELL),
    );
    assert.deepEqual(
      { id, state, updatedAtMs, signatures, landingSignature, lamportsBack, reason },
      {
        id: 'the-id',
        state: 'settled',
        updatedAtMs: 2_006,
        signatures: ['s1', 's2'],
        landingSignature: 's2',
        lamportsBack: 1_999_000_000n,
        reason: undefined,
      },
    );
    assert.equal(built?.lastValidBlockHeight, 1_234);
    assert.equal(events.length, 8);
  });

  it('The record drops the signatures of earlier transactions when the operation is built again', () => {
    assert.deepEqual(recordOf('id', eventsOf('zapIn', ['built', 'reviewed', 'approved', 'signed', 'built'])).signatures, []);
  });

  it('The record keeps a reason only while it applies', () => {
    const sent: readonly FollowingKind[] = ['built', 'reviewed', 'approved', 'signed', 'submitted', 'unconfirmed'];
    assert.equal(recordOf('id', eventsOf('zapIn', sent)).reason, HAPPENINGS.unconfirmed.reason);
    assert.equal(recordOf('id', eventsOf('zapIn', [...sent, 'landed'])).reason, undefined);
    const half = recordOf('id', [
      ...eventsOf('zapIn', sent),
      { atMs: 9, kind: 'settled', lamportsBack: undefined, shortfall: told('one half') },
    ]);
    assert.deepEqual(half.reason, told('one half'));
  });

  it('The record keeps the landing signature when a later landing event contains none', () => {
    const sent: readonly FollowingKind[] = ['built', 'reviewed', 'approved', 'signed', 'submitted', 'landed', 'unconfirmed'];
    assert.equal(recordOf('id', [...eventsOf('zapIn', sent), { atMs: 9, kind: 'landed', signature: undefined }]).landingSignature, 's2');
  });

  it('The record begins with "created" and the plan of that operation', () => {
    assert.throws(() => recordOf('id', []), isNotFollowing);
    assert.throws(() => recordOf('id', eventsOf('zapIn', ['built']).slice(1)), isNotFollowing);
    assert.throws(() => recordOf('id', [created(), created()]), isNotFollowing);
    assert.throws(() => recordOf('id', [created({ operation: 'zapIn', plan: PLANS.zapOut })]), isNotFollowing);
  });

  it('The states tell which operations ended and which may still settle', () => {
    const all = ['created', ...STATES] as const;
    assert.deepEqual(all.filter(isEnd), ['settled', 'expired', 'failed', 'abandoned']);
    assert.deepEqual(all.filter(maySettle), ['submitted', 'landed', 'unconfirmed']);
  });
});
