import { poolFieldsOf } from '../../../../src/review/intents';
import assert from 'node:assert/strict';
import { parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { OperationRequests } from '../../../../src/service/budget/operationRequests';
import type { LiquidityService } from '../../../../src/service/service';
import type { OperationResult } from '../../../../src/transactions/types';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import { COVERED, NOT_COVERED, NOT_COVERED_AS_BUILT, withFee } from '../../../corpus/laterBuilds';
import { COVERED_VERSION_1, NOT_COVERED_VERSION_1 } from '../../../corpus/laterBuildsVersion1';
import { addressOf, base64Of, type Draft, honestZapOut, objections, route, THIEF, transferSol } from '../../../support/review/bundles';
import { bench, type Bench, failureOf, META, recordsOf, until, zapInPlan, zapOutPlan } from '../../../support/transactions/harness';

const runOut = ({ dependencies, host, abort }: Bench) => runZapOut(zapOutPlan(), dependencies, host, abort.signal);
const runIn = ({ dependencies, host, abort }: Bench) => runZapIn(zapInPlan(), dependencies, host, abort.signal);

/** A service that builds what it is told, each time with another blockhash. @param draftsOf by the number of the build, from 1 */
function building(draftsOf: (build: number) => readonly Draft[]): Pick<LiquidityService, 'buildDecrease' | 'buildAdd'> {
  let build = 0;
  const next = () => {
    build += 1;
    const drafts = draftsOf(build).map((draft) => ({ ...draft, blockhash: addressOf(`blockhash ${build}`) }));
    return (group: Draft['group']) => drafts.filter((draft) => draft.group === group).map(base64Of);
  };
  return {
    buildDecrease: () => {
      const of = next();
      return Promise.resolve({ closeTransactions: of('close'), swapTransactions: of('swap'), lastValidBlockHeight: 1_000 + build });
    },
    buildAdd: () => {
      const of = next();
      return Promise.resolve({
        swapTransactions: of('swap'),
        addTransactions: of('add'),
        lastValidBlockHeight: 1_000 + build,
        meta: META,
        position: undefined,
      });
    },
  };
}

/** A user who reads for so long and then agrees; the second time they decline at once. */
async function reading(ms: number, service: Partial<LiquidityService>, part: Parameters<typeof bench>[0] = {}): Promise<Bench> {
  const fixture: Bench = await bench({
    ...part,
    service,
    host: {
      approve: async (_, reason) => {
        if (reason !== undefined) {
          return false;
        }
        await fixture.clock.advance(ms);
        return true;
      },
    },
  });
  return fixture;
}

/** The builds that were handed over to be landed. */
function landedBuilds({ trace }: Bench): readonly number[] {
  const signed = trace.landings.flatMap((landing) =>
    'closeTransactions' in landing
      ? [...landing.closeTransactions, ...landing.swapTransactions]
      : [...landing.swapTransactions, ...landing.addTransactions],
  );
  const hashes = signed.map((base64) => parseTransaction(new Uint8Array(Buffer.from(base64, 'base64'))).recentBlockhash);
  return [...new Set(hashes)].map(
    (hash) => Array.from({ length: 99 }, (_, index) => index + 1).find((build) => addressOf(`blockhash ${build}`) === hash) ?? 0,
  );
}

const quoting = (lamports: bigint): readonly Draft[] => {
  const [close, swap, rest] = honestZapOut();
  return [close, { ...swap, instructions: [...swap.instructions.slice(0, -1), route({ quoted_out_amount: lamports })] }, rest];
};

describe('operation: quotes that are renewed while the user reads', () => {
  it('A user who reads for 45 seconds agrees once, and a quote that is hardly older than their decision lands', async () => {
    const fixture = await reading(
      45_000,
      building(() => honestZapOut()),
    );
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined]);
    // Built at 0, 12, 24 and 36 s: the last one is signed.
    assert.equal(fixture.trace.builds.length, 4);
    assert.deepEqual(landedBuilds(fixture), [4]);
  });

  it('The journal has what was approved and what was signed', async () => {
    const fixture = await reading(
      45_000,
      building(() => honestZapOut()),
    );
    await runOut(fixture);
    const [record] = await recordsOf(fixture);
    assert.ok(record !== undefined);
    assert.deepEqual(
      record.events.slice(0, 8).map(({ kind }) => kind),
      ['created', 'built', 'reviewed', 'approved', 'built', 'reviewed', 'approved', 'signed'],
    );
    const [shown, renewed] = record.events.filter((event) => event.kind === 'built');
    const [first, second] = record.events.filter((event) => event.kind === 'approved');
    const [signed] = record.events.filter((event) => event.kind === 'signed');
    assert.deepEqual(first?.messageHashes, shown?.messageHashes);
    assert.equal(first?.isCarriedOver, undefined);
    assert.deepEqual([second?.messageHashes, second?.terms, second?.isCarriedOver], [first?.messageHashes, first?.terms, true]);
    assert.deepEqual(signed?.messageHashes, renewed?.messageHashes);
    assert.notDeepEqual(signed?.messageHashes, shown?.messageHashes);
    assert.equal(record.built?.blockhashes[0], addressOf('blockhash 4'));
  });

  it('A zap-in lands with the position of the quote that was signed, in whichever format it is built', async () => {
    for (const { approved, later } of [...COVERED, ...COVERED_VERSION_1].filter(({ name }) => name.startsWith('zap-in'))) {
      const fixture = await reading(
        45_000,
        building((build) => (build === 1 ? approved : later)),
        { listed: [] },
      );
      assert.notEqual((await runIn(fixture)).kind, 'declined');
      assert.deepEqual(fixture.trace.reasons, [undefined]);
      assert.deepEqual(landedBuilds(fixture), [4]);
    }
  });

  // Those into other pools have an intent of their own, which these plans do not have; the tests of the approved terms compare them.
  const ofPlans = [...NOT_COVERED, ...NOT_COVERED_AS_BUILT, ...NOT_COVERED_VERSION_1].filter(
    ({ intent }) => poolFieldsOf(intent).poolType !== 'dammV2',
  );
  for (const { name, approved, later, worse } of ofPlans) {
    it(`A service that turns hostile once the question is open gets no signature (${name})`, async () => {
      const isZapIn = name.startsWith('zap-in');
      const fixture = await reading(
        45_000,
        building((build) => (build === 1 ? approved : later)),
        isZapIn ? { listed: [] } : {},
      );
      const result: OperationResult = isZapIn ? await runIn(fixture) : await runOut(fixture);
      assert.equal(result.kind, worse.includes('blocked') ? 'blocked' : 'declined');
      assert.deepEqual(fixture.trace.reasons, [undefined, 'otherTerms']);
      const topics = new Set(fixture.trace.details[1]?.changes.map(({ topic }) => topic));
      assert.ok(
        worse.every((topic) => topics.has(topic)),
        [...topics].join(', '),
      );
      assert.deepEqual([fixture.trace.signersAsked, fixture.trace.landings.length], [0, 0]);
    });
  }

  it('A service that asks for a little more each time is found out at the first build, whatever it built meanwhile', async () => {
    const fixture = await reading(
      45_000,
      building((build) => quoting(400_000_000n - 100n * BigInt(build))),
    );
    assert.equal((await runOut(fixture)).kind, 'declined');
    const [change] = fixture.trace.details[1]?.changes.filter(({ topic }) => topic === 'guaranteedBySwaps') ?? [];
    // Compared with the first build, which was approved, not with the one before.
    assert.ok(change !== undefined && change.approved - change.fresh > 200n, String(change?.fresh));
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A service that raises the fee of version 1 by a lamport each time is found out, whatever it built meanwhile', async () => {
    const fixture = await reading(
      45_000,
      building((build) => withFee(honestZapOut(1), 20_000n + BigInt(build))),
    );
    assert.equal((await runOut(fixture)).kind, 'declined');
    const changes = fixture.trace.details[1]?.changes.map(({ topic, approved, fresh }) => [topic, fresh - approved]);
    // The fourth build: compared with the first one, which was approved, not with the third.
    assert.deepEqual(changes, [
      ['outflow', 3n],
      ['priorityFee', 3n],
    ]);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('After a second question the comparison is with what was approved last', async () => {
    const quotes = [400_000_000n, 390_000_000n, 390_000_000n];
    const fixture: Bench = await bench({
      service: building((build) => quoting(quotes[build - 1] ?? 390_000_000n)),
      host: {
        approve: async () => {
          await fixture.clock.advance(30_000);
          return true;
        },
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined, 'otherTerms']);
  });

  it('A quote that is covered is signed while it holds, even if a later one is worse', async () => {
    const fixture = await reading(
      26_000,
      building((build) => quoting(build === 3 ? 390_000_000n : 400_000_000n)),
    );
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined]);
    assert.deepEqual(landedBuilds(fixture), [2]);
  });

  it('A decision about a finding is carried over only to the same finding', async () => {
    const withFee = (lamports: bigint): readonly Draft[] => {
      const [close, ...rest] = honestZapOut();
      return [{ ...close, instructions: [...close.instructions, transferSol(THIEF, lamports)] }, ...rest];
    };
    const same = await reading(
      45_000,
      building(() => withFee(1_000n)),
    );
    assert.equal((await runOut(same)).kind, 'settled');
    assert.deepEqual(same.trace.reviews.map(objections), [['confirm SYS-1']]);
    const more = await reading(
      45_000,
      building((build) => withFee(build === 1 ? 1_000n : 1_001n)),
    );
    assert.equal((await runOut(more)).kind, 'declined');
    assert.deepEqual(more.trace.reasons, [undefined, 'otherTerms']);
  });

  it('Renewals that fail do no harm: a quote is built once the user has agreed', async () => {
    let builds = 0;
    const honest = building(() => honestZapOut());
    const fixture = await reading(45_000, {
      buildDecrease: (...request) => {
        builds += 1;
        return builds > 1 && builds < 5 ? Promise.reject(new Error('The service is down.')) : honest.buildDecrease(...request);
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.equal(builds, 5);
    const broken = await reading(45_000, {
      buildDecrease: (...request) =>
        broken.trace.builds.length > 1 ? Promise.reject(new Error('Down.')) : honest.buildDecrease(...request),
    });
    assert.equal((await failureOf(runOut(broken))).kind, 'notBuilt');
    assert.equal(broken.trace.landings.length, 0);
  });

  it('The question tells for how long the quote holds, second by second', async () => {
    const left: (number | undefined)[] = [];
    const fixture: Bench = await bench({
      service: building(() => honestZapOut()),
      host: {
        report: (step, leftMs) => void (step === 'waitingForApproval' && left.push(leftMs)),
        approve: async () => {
          await fixture.clock.advance(14_000);
          return true;
        },
      },
    });
    await runOut(fixture);
    assert.deepEqual(left, [
      undefined,
      ...Array.from({ length: 12 }, (_, second) => 19_000 - 1_000 * second),
      // Renewed after 12 seconds, and covered by what the user reads.
      19_000,
      18_000,
    ]);
    assert.equal(fixture.trace.details[0]?.isRenewed, true);
  });
});

describe('operation: limits of renewals', () => {
  /** The requests of an operation on a plan. */
  function plan(perMinute: number, couldKeep: () => boolean): OperationRequests {
    return new OperationRequests(false, {
      keep: () => Promise.resolve(),
      couldKeep,
      changed: () => undefined,
      ended: () => undefined,
      onWait: () => undefined,
      perMinute: () => perMinute,
    });
  }

  it('Renewals use at most half of a small plan, and stop after two minutes', async () => {
    for (const [perMinute, expected] of [
      [5, 5],
      [20, 10],
    ] as const) {
      const fixture = await reading(
        600_000,
        building(() => honestZapOut()),
        { dependencies: { requests: plan(perMinute, () => true) } },
      );
      assert.equal((await runOut(fixture)).kind, 'settled');
      const renewals = fixture.trace.builds.length - 2;
      assert.ok(perMinute === 5 ? renewals <= 10 : renewals === expected, String(renewals));
      const inTwoMinutes = await reading(
        125_000,
        building(() => honestZapOut()),
        { dependencies: { requests: plan(perMinute, () => true) } },
      );
      await runOut(inTwoMinutes);
      assert.ok(inTwoMinutes.trace.builds.length - 1 <= expected, String(inTwoMinutes.trace.builds.length));
    }
  });

  it('Nothing is renewed while the plan has no room, or another service is in use', async () => {
    const full = await reading(
      45_000,
      building(() => honestZapOut()),
      { dependencies: { requests: plan(5, () => false) } },
    );
    assert.equal((await runOut(full)).kind, 'settled');
    assert.equal(full.trace.builds.length, 2);
    const switched: Bench = await bench({
      service: building(() => honestZapOut()),
      host: {
        approve: async () => {
          switched.isServiceInUse = false;
          await switched.clock.advance(45_000);
          return false;
        },
      },
    });
    assert.equal((await runOut(switched)).kind, 'declined');
    assert.equal(switched.trace.builds.length, 1);
  });

  it('Nothing is renewed after the question is closed, and a renewal in progress is aborted', async () => {
    for (const end of ['decline', 'cancel'] as const) {
      let aborted = 0;
      const honest = building(() => honestZapOut());
      const fixture: Bench = await bench({
        service: {
          buildDecrease: (request, options) => {
            if (fixture.trace.builds.length === 1) {
              return honest.buildDecrease(request, options);
            }
            options?.signal?.addEventListener('abort', () => (aborted += 1));
            return new Promise(() => undefined);
          },
        },
        host: {
          approve: async () => {
            await fixture.clock.advance(20_000);
            if (end === 'decline') {
              return false;
            }
            fixture.abort.abort();
            return new Promise(() => undefined);
          },
        },
      });
      assert.equal((await runOut(fixture)).kind, 'declined');
      assert.deepEqual([fixture.trace.builds.length, aborted, fixture.clock.timers], [2, 1, 0]);
      await fixture.clock.advance(60_000);
      assert.equal(fixture.trace.builds.length, 2);
    }
  });

  it('A second window cannot begin anything on the position while the question of the first is renewed', async () => {
    let close: (isApproved: boolean) => void = () => undefined;
    const first: Bench = await bench({
      service: building(() => honestZapOut()),
      host: { approve: () => new Promise((resolve) => (close = resolve)) },
    });
    const running = runOut(first);
    await until(() => first.trace.reviews.length === 1);
    await first.clock.advance(30_000);
    const second = await bench({ storage: first.storage, clock: first.clock });
    assert.equal((await failureOf(runOut(second))).kind, 'underWay');
    close(true);
    assert.equal((await running).kind, 'settled');
    assert.deepEqual(landedBuilds(first), [3]);
    assert.equal(second.trace.builds.length, 0);
  });
});
