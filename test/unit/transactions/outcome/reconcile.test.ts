import { type Reason, told } from '../../../../src/base/reasons/reason';
import { wordsOf } from '../../../support/transactions/words';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mayFollow, recordOf } from '../../../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../../../src/transactions/journal/types';
import { causeOf } from '../../../../src/transactions/outcome/attribution';
import { canLand, conclude, type Conclusion, type Observations } from '../../../../src/transactions/outcome/reconcile';
import { NO_SPENDS } from '../../../../src/review/spends';
import type { SignatureStatus } from '../../../../src/rpc/types';
import { POSITION } from '../../../support/review/bundles';
import { zapInCreated, zapOutCreated } from '../../../support/transactions/records';
import type { NetworkObservation } from '../../../../src/transactions/outcome/observations';

const BUILT_AT = 1_000_000;
const LAST_VALID = 5_000;
const DAY = 86_400_000;

const built = {
  atMs: BUILT_AT,
  kind: 'built',
  position: POSITION,
  transactions: 2,
  messageHashes: ['a', 'b'],
  blockhashes: ['hash'],
  lastValidBlockHeight: LAST_VALID,
} as const;
const toSigned: readonly JournalEvent[] = [
  { atMs: BUILT_AT, kind: 'reviewed', verdict: 'allow', rules: [] },
  { atMs: BUILT_AT, kind: 'approved', by: 'user' },
  { atMs: BUILT_AT, kind: 'signed', signatures: ['one', 'two'], spends: NO_SPENDS },
];
const submitted: JournalEvent = { atMs: BUILT_AT, kind: 'submitted', lamportsBefore: undefined };
const landed: JournalEvent = { atMs: BUILT_AT, kind: 'landed', signature: 'two' };
const unconfirmed: JournalEvent = { atMs: BUILT_AT, kind: 'unconfirmed', reason: told('x') };

const TAILS: Readonly<Record<string, readonly JournalEvent[]>> = {
  submitted: [submitted],
  unconfirmed: [submitted, unconfirmed],
  landed: [submitted, landed],
  'landed, unconfirmed': [submitted, landed, unconfirmed],
};

function recordWith(tail: readonly JournalEvent[]): OperationRecord {
  return recordOf('it', [zapInCreated(BUILT_AT), built, ...toSigned, ...tail]);
}

const ok: SignatureStatus = { slot: 1n, error: undefined };
const bad: SignatureStatus = { slot: 1n, error: 'InstructionError' };

/** A network that is past the last block, and knows nothing of it. */
const past = (part: Partial<NetworkObservation> = {}): NetworkObservation => ({
  blockHeight: BigInt(LAST_VALID) + 33n,
  isBlockhashValid: false,
  statuses: [undefined, undefined],
  ...part,
});
const seen = (part: Partial<Observations> = {}): Observations => ({
  nowMs: BUILT_AT + 30_000,
  network: undefined,
  showing: 0,
  notShowing: 0,
  ...part,
});

function isUnclear(conclusion: Conclusion | undefined): conclusion is Extract<Conclusion, { kind: 'failed' }> {
  return conclusion?.kind === 'failed' && conclusion.isUnclear === true;
}

describe('outcome: two zap-outs of one position', () => {
  const out = (id: string, shareBps: number, tail: readonly JournalEvent[]) =>
    recordOf(id, [zapOutCreated(BUILT_AT, shareBps), built, ...toSigned, submitted, ...tail]);
  const done: JournalEvent = { atMs: BUILT_AT + 1_000, kind: 'settled', lamportsBack: undefined, shortfall: undefined };
  const late = { nowMs: BUILT_AT + 400_000, showing: 2, cause: 'another' } as const;
  const kindOf = (record: OperationRecord, part: Partial<Observations>) => conclude(record, seen({ ...late, ...part }))?.kind;

  it('The extension does not credit the joint effect to an operation without evidence of its landing', () => {
    const whole = out('one', 10_000, []);
    assert.equal(causeOf(whole, [whole, out('other', 10_000, [done])]), 'another');
    assert.equal(kindOf(whole, { nowMs: BUILT_AT + 30_000 }), 'unconfirmed', 'while it may land');
    for (const shareBps of [5_000, 10_000]) {
      assert.equal(kindOf(out('one', shareBps, []), { network: past(), silent: 2 }), 'expired', 'the network would know');
      assert.ok(isUnclear(conclude(out('one', shareBps, []), seen(late))), 'without the chain nothing is known not to have landed');
    }
  });

  it('The extension credits the effect with evidence of a landing or if no other operation exists', () => {
    const whole = out('one', 10_000, []);
    assert.equal(kindOf(out('one', 10_000, [landed]), {}), 'settled');
    assert.equal(kindOf(whole, { network: past({ statuses: [ok, ok] }) }), 'settled');
    for (const others of [
      [],
      [out('other', 10_000, [{ ...done, atMs: BUILT_AT - 1 }])],
      [out('other', 10_000, [{ atMs: BUILT_AT, kind: 'failed', reason: told('x') }])],
    ]) {
      assert.equal(causeOf(whole, [whole, ...others]), 'own');
    }
  });

  /** A zap-out of 40% that was sent later, from a listing with these amounts. */
  const laterOut = (amount0: string, amount1: string, shareBps = 4_000, tail: readonly JournalEvent[] = [done]) => {
    const created = zapOutCreated(BUILT_AT, shareBps);
    assert.ok(created.plan.kind === 'zapOut');
    const { plan } = created;
    const sent: JournalEvent = { ...submitted, atMs: BUILT_AT + 500 };
    return recordOf('later', [
      { ...created, plan: { ...plan, before: { ...plan.before, amount0, amount1 } } },
      built,
      ...toSigned,
      sent,
      ...tail,
    ]);
  };
  const REDUCED = ['600', '0.3'] as const;
  const UNREDUCED = ['1000', '0.5'] as const;

  it('The extension credits each zap-out with its effect if the later one was begun from a listing of the earlier effect', () => {
    const earlier = out('earlier', 4_000, []);
    for (const shareBps of [4_000, 10_000]) {
      assert.notEqual(causeOf(earlier, [earlier, laterOut(...REDUCED, shareBps)]), 'another');
      assert.equal(causeOf(earlier, [earlier, laterOut(...UNREDUCED, shareBps)]), 'another', 'the effect is that of the later one');
    }
    const settledLate = out('earlier', 4_000, [done]);
    assert.notEqual(causeOf(laterOut(...REDUCED, 4_000, []), [settledLate]), 'another');
    assert.equal(causeOf(laterOut(...UNREDUCED, 4_000, []), [settledLate]), 'another', 'the listing may have been out of date');
    assert.equal(causeOf(earlier, [laterOut(...REDUCED), laterOut(...UNREDUCED)]), 'another', 'one of them can have done it');
  });

  it('A withdrawn share does not count as the cause of a closed position', () => {
    assert.notEqual(causeOf(laterOut(...UNREDUCED, 10_000, []), [out('earlier', 4_000, [done])]), 'another');
  });

  it('The extension awaits the end of a later zap-out before it credits its possible effect to an earlier one', () => {
    const earlier = out('earlier', 4_000, []);
    const open = laterOut(...UNREDUCED, 4_000, []);
    assert.equal(causeOf(earlier, [earlier, open]), 'awaited');
    assert.equal(causeOf(open, [earlier, open]), 'own', 'the later one does not wait');
    assert.equal(causeOf(earlier, [laterOut(...REDUCED, 4_000, [])]), 'own', 'the effect was listed before');
    assert.equal(causeOf(earlier, [laterOut(...UNREDUCED, 4_000, [{ atMs: BUILT_AT, kind: 'expired', reason: told('x') }])]), 'own');
    const waits = { cause: 'awaited' } as const;
    assert.equal(kindOf(earlier, waits), 'unconfirmed');
    assert.equal(kindOf(out('earlier', 4_000, [unconfirmed]), waits), undefined);
    assert.equal(kindOf(out('earlier', 4_000, [unconfirmed]), { ...waits, nowMs: BUILT_AT + DAY }), 'failed', 'not for ever');
    assert.equal(kindOf(out('earlier', 4_000, [landed]), waits), 'settled', 'the service reported the landing');
    assert.equal(kindOf(earlier, { ...waits, network: past({ statuses: [ok, ok] }) }), 'settled', 'the chain has it');
  });
});

describe('outcome: time during which a transaction may land', () => {
  const record = recordWith([submitted]);
  const mayLand = (ageMs: number, network?: NetworkObservation, of = record) => canLand(of, { nowMs: BUILT_AT + ageMs, network });

  it('Without an RPC, a transaction may land for five minutes', () => {
    assert.deepEqual(
      [0, 299_999, 300_000].map((ageMs) => mayLand(ageMs)),
      [true, true, false],
    );
    assert.equal(mayLand(-1_000_000), true, 'on a clock that was set back');
  });

  it('With an RPC, a transaction may land until its last block plus a margin or while its blockhash is valid', () => {
    assert.equal(mayLand(30_000, past()), false);
    assert.equal(mayLand(30_000, past({ blockHeight: BigInt(LAST_VALID) + 32n })), true);
    assert.equal(mayLand(30_000, past({ isBlockhashValid: true })), true);
    assert.equal(mayLand(19_999, past()), true);
    assert.equal(mayLand(10_000_000, past({ blockHeight: 10n })), true, 'a chain that stands still');
  });

  it('An operation is over at once if the network executed none of its transactions successfully', () => {
    const young = past({ blockHeight: 10n, isBlockhashValid: true });
    assert.equal(mayLand(1_000, { ...young, statuses: [bad, bad] }), false);
    assert.equal(mayLand(1_000, { ...young, statuses: [ok, bad] }), true, 'what landed in part is not hurried: listings may lag');
    assert.equal(mayLand(1_000, { ...young, statuses: [bad, undefined] }), true, 'each may land by itself');
    assert.equal(mayLand(1_000, { ...young, statuses: [bad, { ...bad, isProvisional: true }] }), true, 'the block may be given up');
    const failed = conclude(record, seen({ nowMs: BUILT_AT + 1_000, network: { ...young, statuses: [bad, bad] } }));
    assert.ok(failed?.kind === 'failed' && /only its network fees were paid/.test(wordsOf(failed.reason)));
  });

  it('An RPC of another network does not decide whether a transaction may land', () => {
    const elsewhere = past({ blockHeight: 300_000_000n });
    assert.deepEqual(
      [30_000, 299_999, 300_000].map((ageMs) => mayLand(ageMs, elsewhere)),
      [true, true, false],
    );
    const withoutHeight = recordOf('it', [zapInCreated(BUILT_AT), { ...built, lastValidBlockHeight: undefined }, ...toSigned, submitted]);
    assert.deepEqual(
      [30_000, 300_000].map((ageMs) => mayLand(ageMs, past(), withoutHeight)),
      [true, false],
    );
  });
});

describe('outcome: conclusions about an unattended operation', () => {
  it('The extension concludes that an operation was abandoned if nothing was sent', () => {
    for (let length = 1; length <= 5; length += 1) {
      const record = recordOf('it', [zapOutCreated(0), built, ...toSigned].slice(0, length));
      assert.deepEqual(conclude(record, seen()), { kind: 'abandoned', reason: { code: 'closedBeforeSending' } });
    }
  });

  it("The extension concludes that it did not land and keeps the service's answer, in whatever language it was written", () => {
    const reasonAfter = (reason: Reason) => {
      const record = recordWith([submitted, { atMs: BUILT_AT, kind: 'unconfirmed', reason }]);
      const conclusion = conclude(record, seen({ silent: 2, network: past() }));
      assert.equal(conclusion?.kind, 'expired');
      return wordsOf(conclusion.reason);
    };
    const nothing = 'It did not land: nothing happened.';
    const translated = 'Gesendet; der Dienst antwortete 422 (Slippage exceeded).';
    assert.equal(reasonAfter({ ...told(translated), meaning: 'serviceAnswered' }), `${nothing} ${translated}`);
    assert.equal(
      reasonAfter({ code: 'answered', answer: { kind: 'status', status: 422, said: 'Slippage exceeded' } }),
      `${nothing} It was sent, and the service answered 422 (Slippage exceeded).`,
    );
    assert.equal(reasonAfter({ code: 'answered', answer: { kind: 'none', error: 'timed out' } }), nothing);
  });

  it('Without an RPC, an operation settles by one listing with the answer of the service, or by two', () => {
    for (const [name, tail] of Object.entries(TAILS)) {
      const least = name.startsWith('landed') ? 1 : 2;
      assert.equal(conclude(recordWith(tail), seen({ showing: least }))?.kind, 'settled', name);
      assert.notEqual(conclude(recordWith(tail), seen({ showing: least - 1 }))?.kind, 'settled', name);
    }
  });

  it('With an RPC, an operation settles only once all of its own transactions are on the chain for good', () => {
    const others: readonly (readonly (SignatureStatus | undefined)[])[] = [
      [undefined, undefined],
      [ok, undefined],
      [ok, bad],
      [ok, { ...ok, isProvisional: true }],
    ];
    for (const [name, tail] of Object.entries(TAILS)) {
      const young = (statuses: readonly (SignatureStatus | undefined)[]) =>
        conclude(recordWith(tail), seen({ showing: 9, network: past({ statuses, isBlockhashValid: true }) }))?.kind;
      assert.equal(young([ok, ok]), 'settled', name);
      assert.deepEqual(others.map(young).includes('settled'), false, name);
      for (const ageMs of [30_000, 400_000, 3_600_000]) {
        const silent = conclude(recordWith(tail), seen({ showing: 9, hasRpc: true, nowMs: BUILT_AT + ageMs }));
        assert.ok(silent === undefined || silent.kind === 'unconfirmed', `${name}: a silent RPC is waited for`);
      }
    }
  });

  it('With an RPC that has none of its transactions, a listed effect is unclear and credited to nothing', () => {
    for (const [name, tail] of Object.entries(TAILS)) {
      const end = conclude(recordWith(tail), seen({ showing: 9, silent: 2, network: past() }));
      assert.ok(isUnclear(end), name);
      assert.match(
        wordsOf(end.reason),
        /^Your positions show the change\. Your RPC has none of its transactions: .* Look up its signatures/,
      );
    }
  });

  it('The extension concludes that it did not land only if the chain, which would know, twice has nothing of it', () => {
    const record = recordWith([submitted, unconfirmed]);
    for (const notShowing of [0, 2]) {
      assert.deepEqual(conclude(record, seen({ notShowing, silent: 2, network: past() })), {
        kind: 'expired',
        reason: { code: 'notLanded', isBesideAnother: false, answered: undefined },
      });
      assert.equal(conclude(record, seen({ notShowing, silent: 1, network: past() })), undefined);
    }
    assert.notEqual(
      conclude(record, seen({ silent: 2, network: past(), nowMs: BUILT_AT + 600_000 }))?.kind,
      'expired',
      'nodes may have forgotten it',
    );
    const elsewhere = past({ blockHeight: 10n ** 12n });
    assert.equal(conclude(record, seen({ silent: 9, notShowing: 9, network: elsewhere })), undefined, 'of another network');
  });

  describe('without proof by the chain', () => {
    const alone = recordOf('it', [
      zapInCreated(BUILT_AT),
      built,
      ...toSigned.slice(0, 2),
      { atMs: BUILT_AT, kind: 'signed', signatures: ['one'], spends: NO_SPENDS },
      submitted,
      unconfirmed,
    ]);
    const several = recordWith([submitted, unconfirmed]);
    const late = (record: OperationRecord, part: Partial<Observations> = {}) =>
      conclude(record, seen({ notShowing: 9, nowMs: BUILT_AT + 300_000, ...part }));

    it('The outcome is unclear whatever the number of transactions, and the user is told to look up the signature first', () => {
      for (const [record, what] of [
        [alone, /Look up its signatures, or connect an RPC, before you repeat it\.$/],
        [several, /do not show it\. Look up its signatures, or connect an RPC/],
      ] as const) {
        const end = late(record);
        assert.ok(isUnclear(end) && end.landedTransactions === undefined);
        assert.doesNotMatch(wordsOf(end.reason), /nothing (?:happened|landed)|did not land|not moved/i);
        assert.match(wordsOf(end.reason), what);
        assert.equal(conclude(record, seen({ notShowing: 9 })), undefined, 'not while it may land');
      }
    });

    it('A silent RPC is waited for as long as it would know the answer, whatever the number of transactions', () => {
      for (const record of [alone, several]) {
        assert.equal(late(record, { hasRpc: true }), undefined);
        assert.equal(late(record, { network: past({ blockHeight: 10n ** 12n }) }), undefined, 'of another network');
        assert.ok(isUnclear(late(record, { hasRpc: true, nowMs: BUILT_AT + 600_000 })));
      }
    });
  });

  it("The extension concludes no expiry against the service's answer unless the network would know", () => {
    const record = recordWith([submitted, landed, unconfirmed]);
    assert.equal(conclude(record, seen({ notShowing: 9, nowMs: BUILT_AT + 3_600_000 })), undefined);
    assert.ok(isUnclear(conclude(record, seen({ notShowing: 9, nowMs: BUILT_AT + 3_600_000, network: past() }))));
    assert.equal(conclude(record, seen({ silent: 2, network: past() }))?.kind, 'expired');
    assert.equal(conclude(record, seen({ nowMs: BUILT_AT + DAY }))?.kind, 'failed', 'after a day it is not looked for any more');
  });

  it('The extension concludes a landing by the network if the listing lags, and finally against the listing', () => {
    const network = past({ statuses: [ok, ok] });
    assert.deepEqual(conclude(recordWith([submitted]), seen({ notShowing: 5, network })), { kind: 'landed', signature: 'two' });
    assert.equal(conclude(recordWith([submitted, landed]), seen({ notShowing: 5, network })), undefined);
    const late = conclude(recordWith([submitted, landed]), seen({ notShowing: 5, network, nowMs: BUILT_AT + 600_000 }));
    assert.ok(late?.kind === 'settled' && wordsOf(late.shortfall).startsWith('It landed. The service does not list'));
  });

  it('The extension concludes a partial execution if only some transactions landed and the rest cannot', () => {
    const network = past({ statuses: [ok, undefined] });
    const record = recordWith([submitted, unconfirmed]);
    const half = conclude(record, seen({ notShowing: 2, network }));
    assert.ok(half?.kind === 'failed' && half.landedTransactions === 1 && wordsOf(half.reason).startsWith('1 of 2 transactions landed'));
    const shown = conclude(record, seen({ showing: 2, network }));
    assert.ok(
      shown?.kind === 'settled' && shown.landedTransactions === 1 && wordsOf(shown.shortfall).startsWith('1 of 2 transactions landed'),
    );
    const open = { ...network, isBlockhashValid: true };
    assert.equal(conclude(record, seen({ showing: 2, network: open })), undefined, 'the rest may still come');
    assert.equal(conclude(record, seen({ network })), undefined, 'a list that cannot tell is waited for');
    const unclear = conclude(record, seen({ network, nowMs: BUILT_AT + 600_000 }));
    assert.ok(unclear?.kind === 'failed' && unclear.landedTransactions === 1, 'but not without end');
    const late = { network, nowMs: BUILT_AT + 600_000 };
    assert.equal(conclude(record, seen({ ...late, showing: 1 })), undefined, 'a list that shows it is read once more');
    assert.equal(conclude(record, seen({ ...late, showing: 2 }))?.kind, 'settled');
    const failed = conclude(record, seen({ silent: 2, network: past({ statuses: [bad, undefined] }) }));
    assert.ok(failed?.kind === 'failed' && wordsOf(failed.reason).includes('InstructionError'));
  });

  it('The extension marks an operation as unconfirmed once if nothing is known', () => {
    assert.equal(conclude(recordWith([submitted]), seen())?.kind, 'unconfirmed');
    for (const tail of [
      [submitted, unconfirmed],
      [submitted, landed],
      [submitted, landed, unconfirmed],
    ]) {
      assert.equal(conclude(recordWith(tail), seen()), undefined);
    }
  });

  it('Every conclusion is a valid next event, ends no operation that may land, and denies no observed landing', () => {
    const status = fc.constantFrom<(SignatureStatus | undefined)[]>(undefined, ok, bad);
    const network = fc.option(
      fc.record({ blockHeight: fc.bigInt({ min: 0n, max: 20_000n }), isBlockhashValid: fc.boolean(), statuses: fc.tuple(status, status) }),
      { nil: undefined },
    );
    const observations = fc
      .record({
        nowMs: fc.integer({ min: BUILT_AT - DAY, max: BUILT_AT + 2 * DAY }),
        network,
        showing: fc.nat({ max: 3 }),
        notShowing: fc.nat({ max: 3 }),
        silent: fc.nat({ max: 3 }),
        hasRpc: fc.boolean(),
      })
      .map((observed) => ({ ...observed, hasRpc: observed.hasRpc || observed.network !== undefined }))
      .filter(({ showing, notShowing }) => showing === 0 || notShowing === 0);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(TAILS)), observations, (name, observed) => {
        const record = recordWith(TAILS[name] ?? []);
        const conclusion = conclude(record, observed);
        if (conclusion === undefined) {
          return;
        }
        assert.ok(mayFollow('zapIn', record.state).includes(conclusion.kind));
        const succeeded = observed.network?.statuses.filter((one) => one === ok).length ?? 0;
        switch (conclusion.kind) {
          case 'expired':
            assert.ok(!canLand(record, observed) && observed.network !== undefined && observed.silent >= 2 && succeeded === 0);
            return;
          case 'failed':
            assert.ok(!canLand(record, observed) && succeeded < 2);
            return;
          case 'settled':
            assert.ok(observed.hasRpc ? succeeded === 2 || conclusion.landedTransactions === succeeded : observed.showing > 0);
            assert.equal(conclusion.shortfall === undefined, observed.showing > 0 && succeeded !== 1);
            return;
          case 'landed':
            assert.equal(succeeded, 2);
            return;
          case 'unconfirmed':
            assert.equal(record.state, 'submitted');
            return;
          case 'abandoned':
            assert.fail('it was sent');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
