import assert from 'node:assert/strict';
import { VersionedTransaction } from '@solana/web3.js';
import { ServiceError } from '../../../../src/service/errors';
import type { Landed } from '../../../../src/service/transactions';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { ZapOutPlan } from '../../../../src/transactions/types';
import { bytesFromBase64, type Base64Transaction } from '../../../../src/base/solana/wireTransaction';
import { SigningError } from '../../../../src/wallet/errors';
import { deferred, FakeClock, OTHER_OWNER, settledMicrotasks } from '../../../support/portfolio/fixtures';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import {
  base64Of,
  budget,
  claim,
  createAta,
  FROM_BIN,
  honestZapOut,
  MINT,
  OWNER,
  OWNER_KEY,
  POSITION,
  removal,
  THIEF,
  tip,
  TO_BIN,
  transferSol,
} from '../../../support/review/bundles';
import {
  answered,
  bench,
  CLOSE,
  DECREASE_BUILD,
  failureOf,
  goingOn,
  realSigner,
  sent,
  SIGNATURE,
  SWAPS,
  thePosition,
  until,
  WALLET,
  zapOutPlan,
  type Bench,
  FakeChain,
} from '../../../support/transactions/harness';

const run = ({ dependencies, host, abort }: Bench, part: Partial<ZapOutPlan> = {}) =>
  runZapOut(zapOutPlan(part), dependencies, host, abort.signal);

const refusal = new ServiceError('The service refused the request (400): Insufficient balance.', {
  kind: 'rejected',
  endpoint: 'POST /x',
  status: 400,
});
const noAnswer = new ServiceError('api.example did not answer within 30 s.', { kind: 'timeout', endpoint: 'POST /x', mayHaveLanded: true });

/** A bundle that also pays a thief. */
const SPOILED = honestZapOut().map((draft, index) =>
  base64Of(index === 1 ? { ...draft, instructions: [...draft.instructions, transferSol(THIEF, 1_000_000_000n)] } : draft),
);

/** Builds a bundle that withdraws a share and leaves the position open. */
function buildShare(bps: number): () => Promise<typeof DECREASE_BUILD> {
  const [close, ...swaps] = honestZapOut();
  const share = [...budget(), createAta(MINT), createAta(WRAPPED_SOL_MINT), removal(bps), claim(), tip()];
  return () =>
    Promise.resolve({
      ...DECREASE_BUILD,
      closeTransactions: [base64Of({ ...close, instructions: share })],
      swapTransactions: swaps.map(base64Of),
    });
}

function messageOf(base64: Base64Transaction | undefined): string {
  assert.ok(base64 !== undefined);
  return Buffer.from(VersionedTransaction.deserialize(bytesFromBase64(base64)).message.serialize()).toString('hex');
}

describe('operation: zap-out', () => {
  it('The zap-out builds, reviews, asks, signs, lands and waits in this order', async () => {
    const fixture = await bench();
    assert.deepEqual(await run(fixture), { kind: 'settled', signature: SIGNATURE, position: POSITION });
    assert.deepEqual(fixture.trace.steps, ['building', 'reviewing', 'waitingForApproval', 'signing', 'landing', 'waitingForEffect']);
    assert.deepEqual(fixture.trace.builds, [
      { positionId: 'service-id', bps: 10_000, owner: OWNER, slippageBps: 300, output: 'allBaseToken', poolType: 'dlmm' },
    ]);
    assert.equal(fixture.trace.reviews.length, 1);
    assert.deepEqual(fixture.portfolio.snapshot.positions, []);
  });

  it('The review checks the zap-out against the figures that the user was shown', async () => {
    const fixture = await bench();
    await run(fixture, {
      position: thePosition({ value: { usd: 300, native: 2 }, uncollectedFee: { usd: 0, native: 0 }, price0Usd: 0.5, price1Usd: 150 }),
    });
    const intent = fixture.trace.reviews[0]?.intent;
    assert.ok(intent?.kind === 'zapOut');
    assert.deepEqual([intent.poolType, intent.fromBinId, intent.toBinId], ['dlmm', FROM_BIN, TO_BIN]);
    assert.deepEqual(intent.worth, [
      { mint: MINT, amountRaw: 600_000_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 2_000_000_000n },
    ]);
    assert.deepEqual(
      intent.references?.map(({ inMint, outMint }) => [inMint, outMint]),
      [
        [MINT, WRAPPED_SOL_MINT],
        [WRAPPED_SOL_MINT, MINT],
      ],
    );
  });

  it('The zap-out returns the signed transactions in the same lists and order', async () => {
    const fixture = await bench();
    await run(fixture);
    const [landing] = fixture.trace.landings;
    assert.ok(landing !== undefined && 'closeTransactions' in landing);
    assert.equal(landing.lastValidBlockHeight, 1_000);
    assert.deepEqual(landing.closeTransactions.map(messageOf), [CLOSE].map(messageOf));
    assert.deepEqual(landing.swapTransactions.map(messageOf), SWAPS.map(messageOf));
    for (const signed of [...landing.closeTransactions, ...landing.swapTransactions]) {
      const [signature] = VersionedTransaction.deserialize(bytesFromBase64(signed)).signatures;
      assert.ok(signature?.some((byte) => byte !== 0));
    }
  });

  it('A partial zap-out settles when the share is gone, not when only the price moved', async () => {
    const fixture = await bench({
      service: { landDecrease: () => Promise.resolve({ signature: undefined }), buildDecrease: buildShare(2_500) },
    });
    fixture.listed = [thePosition({ amount0: 0.00505, amount1: 0, value: { usd: 62, native: 0.38 } })];
    const running = run(fixture, { shareBps: 2_500 });
    await sent(fixture);
    await fixture.clock.advance(8_000);
    assert.equal(fixture.trace.steps.at(-1), 'waitingForEffect');
    fixture.listed = [thePosition({ amount0: 0.0038, amount1: 0 })];
    await fixture.clock.advance(4_000);
    assert.deepEqual(await running, { kind: 'settled', signature: undefined, position: POSITION });
    assert.equal(fixture.trace.builds[0] && 'bps' in fixture.trace.builds[0] && fixture.trace.builds[0].bps, 2_500);
  });

  it('The zap-out reports that the listing lags if the portfolio still shows the position', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.resolve({ signature: SIGNATURE }) } });
    const running = run(fixture);
    await sent(fixture);
    await fixture.clock.advance(24_000);
    assert.deepEqual(await running, { kind: 'landedNotListed', signature: SIGNATURE, position: POSITION, stoppedWaiting: false });
  });

  it('The zap-out does not accept the listing of another wallet as its effect', async () => {
    const landing = deferred<Landed>();
    const fixture = await bench({ service: { landDecrease: () => landing.promise } });
    const running = run(fixture);
    while (fixture.trace.landings.length === 0) {
      await settledMicrotasks();
    }
    fixture.portfolio.setOwner(OTHER_OWNER);
    fixture.listed = [];
    landing.resolve({ signature: SIGNATURE });
    await sent(fixture);
    await fixture.clock.advance(24_000);
    assert.equal((await running).kind, 'landedNotListed');
  });

  it('The zap-out logs verdict, rules and hashes, but neither bytes nor keys', async () => {
    const fixture = await bench();
    await run(fixture);
    const logged = fixture.trace.logs.join('\n');
    const [review] = fixture.trace.reviews;
    assert.ok(review);
    for (const { messageHash } of review.transactions) {
      assert.ok(logged.includes(messageHash));
    }
    assert.match(logged, /reviewed: allow/);
    assert.ok(logged.includes(SIGNATURE));
    for (const secret of [
      Buffer.from(OWNER_KEY.secretKey).toString('base64').slice(0, 40),
      CLOSE.slice(100, 160),
      ...SWAPS.map((swap) => swap.slice(100, 160)),
    ]) {
      assert.ok(!logged.includes(secret));
    }
  });

  it('The zap-out continues if the view that shows its steps fails', async () => {
    const fixture = await bench({
      host: {
        report: () => {
          throw new Error('The view is gone');
        },
      },
    });
    assert.equal((await run(fixture)).kind, 'settled');
  });
});

describe('operation: declined, blocked or cancelled zap-out', () => {
  it('The zap-out is declined without a signature if the user says no', async () => {
    const fixture = await bench({ host: { approve: () => Promise.resolve(false) } });
    assert.deepEqual(await run(fixture), { kind: 'declined' });
    assert.equal(fixture.trace.signersAsked, 0);
    assert.equal(fixture.trace.landings.length, 0);
  });

  for (const answer of [true, false]) {
    it(`The review blocks the zap-out even if the user says ${answer ? 'yes' : 'no'}`, async () => {
      const build = { ...DECREASE_BUILD, closeTransactions: SPOILED.slice(0, 1), swapTransactions: SPOILED.slice(1) };
      const fixture = await bench({
        service: { buildDecrease: () => Promise.resolve(build) },
        host: { approve: () => Promise.resolve(answer) },
      });
      const result = await run(fixture);
      assert.equal(result.kind, 'blocked');
      assert.equal(result.review, fixture.trace.reviews[0]);
      // The progress does not say that it waits for a decision: there is none to make.
      assert.deepEqual(fixture.trace.steps, ['building', 'reviewing', 'rejected']);
      assert.equal(fixture.trace.signersAsked, 0);
      assert.equal(fixture.trace.landings.length, 0);
    });
  }

  it('The zap-out does not start if the user has cancelled already', async () => {
    const fixture = await bench();
    fixture.abort.abort();
    assert.deepEqual(await run(fixture), { kind: 'declined' });
    assert.equal(fixture.trace.builds.length, 0);
  });

  it('The zap-out ends at once if the user cancels during the build, and aborts the service request', async () => {
    let told: AbortSignal | undefined;
    const fixture = await bench({
      service: {
        buildDecrease: (_, options) => {
          told = options?.signal;
          return new Promise(() => undefined);
        },
      },
    });
    const running = run(fixture);
    await until(() => told !== undefined);
    fixture.abort.abort();
    assert.deepEqual(await running, { kind: 'declined' });
    assert.equal(told?.aborted, true);
  });

  it('The zap-out ends at once if the user cancels during the consent', async () => {
    const asked = deferred<undefined>();
    const fixture = await bench({
      host: {
        approve: () => {
          asked.resolve(undefined);
          return new Promise(() => undefined);
        },
      },
    });
    const running = run(fixture);
    await asked.promise;
    fixture.abort.abort();
    assert.deepEqual(await running, { kind: 'declined' });
    assert.equal(fixture.trace.signersAsked, 0);
  });

  it('The zap-out ends at once if the user cancels while the key is read', async () => {
    const asked = deferred<undefined>();
    const fixture = await bench({
      host: {
        signer: () => {
          asked.resolve(undefined);
          return new Promise(() => undefined);
        },
      },
    });
    const running = run(fixture);
    await asked.promise;
    fixture.abort.abort();
    assert.deepEqual(await running, { kind: 'declined' });
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('The zap-out reports that nothing was sent if the user cancels after signing', async () => {
    const signer = realSigner();
    const fixture = await bench({
      host: {
        signer: () =>
          Promise.resolve({
            owner: OWNER,
            sign: async (transactions) => {
              const signed = await signer.sign(transactions);
              fixture.abort.abort();
              return signed;
            },
          }),
      },
    });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money], ['notSent', 'untouched']);
    assert.match(failure.message, /Nothing was sent/);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('The zap-out continues to land if the user cancels during the landing, and only stops waiting afterwards', async () => {
    const landing = deferred<Landed>();
    const fixture = await bench({
      service: {
        landDecrease: (_, options) => (options?.signal === undefined ? landing.promise : assert.fail('the landing can be cancelled')),
      },
    });
    const running = run(fixture);
    while (fixture.trace.landings.length === 0) {
      await settledMicrotasks();
    }
    fixture.abort.abort();
    landing.resolve({ signature: SIGNATURE });
    assert.deepEqual(await running, { kind: 'landedNotListed', signature: SIGNATURE, position: POSITION, stoppedWaiting: true });
  });

  it('The zap-out reports its landing if the user cancels while it waits for the effect', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.resolve({ signature: SIGNATURE }) } });
    const running = run(fixture);
    while (fixture.trace.steps.at(-1) !== 'waitingForEffect') {
      await settledMicrotasks();
    }
    await fixture.clock.advance(5_000);
    fixture.abort.abort();
    assert.deepEqual(await running, { kind: 'landedNotListed', signature: SIGNATURE, position: POSITION, stoppedWaiting: true });
    assert.equal(fixture.clock.timers, 0);
  });
});

describe('operation: failed zap-out', () => {
  it("A failed build leaves the money untouched and shows the service's message", async () => {
    const fixture = await bench({ service: { buildDecrease: () => Promise.reject(refusal) } });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money, failure.cause], ['notBuilt', 'untouched', refusal]);
    assert.match(failure.message, /Insufficient balance\. Nothing was signed or sent/);
    assert.equal(fixture.trace.reviews.length, 0);
  });

  it('A build without transactions leaves the money untouched', async () => {
    const fixture = await bench({
      service: { buildDecrease: () => Promise.resolve({ ...DECREASE_BUILD, closeTransactions: [], swapTransactions: [] }) },
    });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money], ['notBuilt', 'untouched']);
  });

  it('A failed request for consent leaves the money untouched', async () => {
    const fixture = await bench({ host: { approve: () => Promise.reject(new Error('The window is closing')) } });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money], ['notAsked', 'untouched']);
    assert.match(failure.message, /The window is closing\. Nothing was signed/);
    assert.equal(fixture.trace.signersAsked, 0);
  });

  it('A missing key leaves the money untouched', async () => {
    const noKey = new SigningError('noKey', 'There is no secret key for this wallet. Nothing was signed.');
    const fixture = await bench({ host: { signer: () => Promise.reject(noKey) } });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money, failure.cause], ['notSigned', 'untouched', noKey]);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A key of another wallet leaves the money untouched and signs nothing', async () => {
    const fixture = await bench({ host: { signer: () => Promise.resolve({ owner: THIEF, sign: () => assert.fail('asked to sign') }) } });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money], ['notSigned', 'untouched']);
    assert.ok(failure.message.includes(`This needs the wallet ${OWNER}.`));
  });

  it('A signer that refuses or signs only some transactions leaves the money untouched', async () => {
    for (const sign of [() => Promise.reject(new Error('refused')), () => Promise.resolve([CLOSE])]) {
      const fixture = await bench({ host: { signer: () => Promise.resolve({ owner: OWNER, sign }) } });
      const failure = await failureOf(run(fixture));
      assert.deepEqual([failure.kind, failure.money], ['notSigned', 'untouched']);
      assert.equal(fixture.trace.landings.length, 0);
    }
  });

  it('The zap-out reports untouched money after a refused landing once there is proof', async () => {
    const sentAndRefused = answered(422, 'Insufficient balance');
    const chain = new FakeChain(new FakeClock());
    const fixture = await bench({ ...chain.parts, service: { ...WALLET, landDecrease: () => Promise.reject(sentAndRefused) } });
    const failure = await goingOn(fixture.clock, 10_000, failureOf(run(fixture)));
    assert.deepEqual([failure.kind, failure.money, failure.cause], ['notLanded', 'untouched', sentAndRefused]);
    assert.match(
      failure.message,
      /^The zap-out was sent, and the service answered 422 \(Insufficient balance\)\. It did not land and no longer can/,
    );
    assert.equal(fixture.trace.steps.at(-1), 'findingOut');
  });

  for (const [what, error] of [
    ['no answer', noAnswer],
    ['an unexpected answer', new TypeError('x is not a function')],
  ] as const) {
    it(`With ${what} to the landing, the zap-out settles when the positions show that it landed`, async () => {
      const fixture = await bench({ service: { landDecrease: () => Promise.reject(error) } });
      const running = run(fixture);
      await sent(fixture);
      await fixture.clock.advance(4_000);
      fixture.listed = [];
      assert.deepEqual(await goingOn(fixture.clock, 4_000, running), { kind: 'settled', signature: undefined, position: POSITION });
      assert.equal(fixture.trace.landings.length, 1);
    });

    it(`With ${what} to the landing and no visible effect, the zap-out reports an unknown outcome and sends nothing twice`, async () => {
      const fixture = await bench({ service: { landDecrease: () => Promise.reject(error) } });
      const failing = failureOf(run(fixture));
      await sent(fixture);
      await fixture.clock.advance(24_000);
      fixture.abort.abort();
      const failure = await failing;
      assert.deepEqual([failure.kind, failure.money, failure.cause], ['mayHaveLanded', 'unknown', error]);
      assert.match(
        failure.message,
        /^The zap-out was sent, and .* It may have landed\. Do not start it again: Activity shows within 6 minutes whether it landed\.$/,
      );
      assert.doesNotMatch(failure.message, /explorer/);
      assert.equal(fixture.trace.landings.length, 1);
    });
  }

  it('Without an answer, one listing without the position does not settle the zap-out', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.reject(noAnswer) } });
    const failing = failureOf(run(fixture));
    await sent(fixture);
    // Every other listing from now on misses it.
    let listings = 0;
    Object.defineProperty(fixture, 'listed', { get: () => (listings++ % 2 === 0 ? [] : [thePosition()]) });
    while (listings < 8) {
      await until(() => fixture.clock.timers > 0);
      await fixture.clock.advance(4_000);
    }
    fixture.abort.abort();
    assert.equal((await failing).kind, 'mayHaveLanded');
  });

  it('Without an answer, listings with an unreadable record do not settle the zap-out', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.reject(noAnswer) } });
    const failing = failureOf(run(fixture));
    await sent(fixture);
    fixture.listed = [];
    fixture.warnings = [{ path: 'data[0]', message: 'left out: nothing in it says which position it is' }];
    await fixture.clock.advance(24_000);
    fixture.abort.abort();
    assert.equal((await failing).kind, 'mayHaveLanded');
  });

  it('Without an answer, listings with only an invalid figure settle the zap-out', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.reject(noAnswer) } });
    const running = run(fixture);
    await sent(fixture);
    fixture.listed = [];
    fixture.warnings = [{ path: 'data[0].pnl', message: 'is not a number' }];
    assert.equal((await goingOn(fixture.clock, 4_000, running)).kind, 'settled');
  });

  it('Without an answer, a zap-out that the user stopped waiting for may have landed', async () => {
    const fixture = await bench({ service: { landDecrease: () => Promise.reject(noAnswer) } });
    const failing = failureOf(run(fixture));
    await sent(fixture);
    await fixture.clock.advance(4_000);
    fixture.abort.abort();
    const failure = await failing;
    assert.equal(failure.money, 'unknown');
    assert.match(failure.message, /It may have landed/);
  });
});
