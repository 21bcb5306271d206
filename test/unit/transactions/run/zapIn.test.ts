import assert from 'node:assert/strict';
import { VersionedTransaction } from '@solana/web3.js';
import { ServiceError } from '../../../../src/service/errors';
import { referencesOfPlan, shown } from '../../../../src/transactions/inspect/listedPrices';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import type { JournalForecast } from '../../../../src/transactions/journal/forecast';
import type { ZapInPlan } from '../../../../src/transactions/types';
import { bytesFromBase64, type Base64Transaction } from '../../../../src/base/solana/wireTransaction';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { FakeClock } from '../../../support/portfolio/fixtures';
import { INTO_POSITION } from '../../../corpus/tokensIn';
import { base64Of, FROM_BIN, MINT, OWNER, POOL, POSITION, POSITION_KEY, TO_BIN } from '../../../support/review/bundles';
import {
  ADD_BUILD,
  ADDS,
  answered,
  bench,
  BUY,
  failureOf,
  goingOn,
  META,
  NO_PRICES,
  PRICES,
  recordsOf,
  sent,
  SIGNATURE,
  thePosition,
  until,
  WALLET,
  zapInPlan,
  type Bench,
  FakeChain,
} from '../../../support/transactions/harness';

const run = ({ dependencies, host, abort }: Bench, part: Partial<ZapInPlan> = {}) =>
  runZapIn(zapInPlan(part), dependencies, host, abort.signal);

const decoded = (base64: Base64Transaction) => VersionedTransaction.deserialize(bytesFromBase64(base64));
const messageOf = (base64: Base64Transaction) => Buffer.from(decoded(base64).message.serialize()).toString('hex');

describe('operation: zap-in', () => {
  it('The journal keeps with each approval what was expected of the position at that moment, and nothing waits for it', async () => {
    const band = { lamports: 5n, lowLamports: 1n, highLamports: 9n };
    const share = { value: 0.7, low: 0.6, high: 0.8 };
    const forecast: JournalForecast = {
      sigmaPerDay: share,
      outlooks: [{ horizonS: 86_400, timeInRange: share, loss: band, fees: band, netLamports: 3n }],
    };
    for (const known of [forecast, undefined]) {
      const fixture = await bench({ listed: [] });
      await run({ ...fixture, host: { ...fixture.host, forecast: () => known } });
      const [record] = await recordsOf(fixture);
      const approved = record?.events.find((event) => event.kind === 'approved');
      assert.deepEqual(approved?.forecast, known);
    }
  });

  it('The zap-in builds, reviews, asks, signs, lands and waits until the new position is listed', async () => {
    const fixture = await bench({ listed: [] });
    assert.deepEqual(await run(fixture), { kind: 'settled', signature: SIGNATURE, position: POSITION });
    assert.deepEqual(fixture.trace.steps, ['building', 'reviewing', 'waitingForApproval', 'signing', 'landing', 'waitingForEffect']);
    assert.deepEqual(fixture.trace.builds, [
      {
        mode: 'zap-in',
        pool: POOL,
        owner: OWNER,
        strategy: 'Spot',
        fromBinId: FROM_BIN,
        toBinId: TO_BIN,
        slippageBps: 300,
        inputSol: 1,
        percentX: 0.5,
      },
    ]);
    assert.deepEqual(
      fixture.trace.reviews.map(({ intent }) => intent),
      [
        {
          kind: 'zapIn',
          owner: OWNER,
          pool: POOL,
          poolType: 'dlmm',
          position: POSITION,
          slippageBps: 300,
          tokenX: zapInPlan().tokenX,
          tokenY: zapInPlan().tokenY,
          inputLamports: 1_000_000_000n,
          isSolOnly: true,
          strategy: 'Spot',
          fromBinId: FROM_BIN,
          toBinId: TO_BIN,
          activeBinId: zapInPlan().activeBinId,
          binStepBps: zapInPlan().binStepBps,
          ...shown(referencesOfPlan(zapInPlan())),
          listedPrices: [
            { mint: MINT, usd: PRICES.priceXUsd },
            { mint: WRAPPED_SOL_MINT, usd: PRICES.priceYUsd },
          ],
          listedDecimals: [
            { mint: MINT, decimals: PRICES.decimalsX },
            { mint: WRAPPED_SOL_MINT, decimals: PRICES.decimalsY },
          ],
        },
      ],
    );
    assert.deepEqual(
      fixture.portfolio.snapshot.positions.map(({ address }) => address),
      [POSITION],
    );
  });

  it('The zap-in returns the signed transactions in the same lists and order, with unchanged metadata', async () => {
    const fixture = await bench({ listed: [] });
    await run(fixture);
    const [landing] = fixture.trace.landings;
    assert.ok(landing !== undefined && 'addTransactions' in landing);
    assert.equal(landing.meta, META);
    assert.deepEqual(landing.swapTransactions.map(messageOf), [messageOf(BUY)]);
    assert.deepEqual(landing.addTransactions.map(messageOf), ADDS.map(messageOf));
  });

  it("The zap-in keeps the signature of the new position's key", async () => {
    const fixture = await bench({ listed: [] });
    await run(fixture);
    const [landing] = fixture.trace.landings;
    assert.ok(landing !== undefined && 'addTransactions' in landing);
    const [before, after] = [ADDS[0], landing.addTransactions[0]].map((base64) => {
      assert.ok(base64 !== undefined);
      const { message, signatures } = decoded(base64);
      return signatures[message.staticAccountKeys.findIndex((key) => key.equals(POSITION_KEY.publicKey))];
    });
    assert.ok(after?.some((byte) => byte !== 0));
    assert.deepEqual(after, before);
  });

  it('The zap-in requests the amount exact to the last lamport', async () => {
    const fixture = await bench({ listed: [], host: { approve: () => Promise.resolve(false) } });
    await run(fixture, { inputLamports: 123_456_789_123n });
    const [request] = fixture.trace.builds;
    assert.ok(request !== undefined && 'inputSol' in request);
    assert.equal(JSON.stringify(request.inputSol), '123.456789123');
  });

  it('A token zap-in requests whole tokens in mode normal, is reviewed by mint, and settles', async () => {
    const [add, rest] = INTO_POSITION.drafts(0).map(base64Of);
    assert.ok(add !== undefined && rest !== undefined);
    const fixture = await bench({
      listed: [],
      service: { buildAdd: () => Promise.resolve({ ...ADD_BUILD, swapTransactions: [], addTransactions: [add, rest] }) },
    });
    const prices = { ...NO_PRICES, decimalsX: 6, decimalsY: 9 };
    const result = await run(fixture, {
      inputLamports: 0n,
      tokens: { amountXRaw: 4_000_000n, amountYRaw: 500_000_000n },
      symbolX: `M\nI${'N'.repeat(50)}T`,
      symbolY: undefined,
      prices,
    });
    assert.deepEqual(result, { kind: 'settled', signature: SIGNATURE, position: POSITION });
    assert.deepEqual(fixture.trace.builds, [
      {
        mode: 'normal',
        pool: POOL,
        owner: OWNER,
        strategy: 'Spot',
        fromBinId: FROM_BIN,
        toBinId: TO_BIN,
        slippageBps: 300,
        amountX: 4,
        amountY: 0.5,
      },
    ]);
    const [intent] = fixture.trace.reviews.map((review) => review.intent);
    assert.ok(intent?.kind === 'zapIn');
    // SOL is measured by its lamports, every other token by its mint.
    assert.deepEqual(
      [intent.inputLamports, intent.tokens, intent.isSolOnly],
      [500_000_000n, [{ mint: MINT, amountRaw: 4_000_000n, decimals: 6 }], undefined],
    );
    const [landing] = fixture.trace.landings;
    assert.ok(landing !== undefined && 'addTransactions' in landing);
    assert.deepEqual([landing.swapTransactions.length, landing.addTransactions.map(messageOf)], [0, [add, rest].map(messageOf)]);
    const [record] = (await fixture.dependencies.journal.read()).records;
    assert.ok(record?.created.plan.kind === 'zapIn');
    assert.deepEqual(
      [record.created.plan.inputLamports, record.created.plan.tokens],
      [
        0n,
        {
          amountXRaw: 4_000_000n,
          amountYRaw: 500_000_000n,
          x: { mint: MINT, symbol: `M I${'N'.repeat(36)}…`, decimals: 6 },
          y: { mint: WRAPPED_SOL_MINT, symbol: undefined, decimals: 9 },
        },
      ],
    );
  });

  it('The review blocks a token zap-in if the service swaps or deposits more, and nothing is signed', async () => {
    const prices = { ...NO_PRICES, decimalsX: 6, decimalsY: 9 };
    for (const tokens of [
      { amountXRaw: 4_000_000n, amountYRaw: 1_000_000_000n },
      { amountXRaw: 1n, amountYRaw: 1_000_000_000n },
    ]) {
      const fixture = await bench({ listed: [] });
      assert.equal((await run(fixture, { inputLamports: 0n, tokens, prices })).kind, 'blocked');
      assert.equal(fixture.trace.signersAsked, 0);
    }
  });

  it('A token zap-in may start again only with proof that the earlier one cannot land', async () => {
    const [add, rest] = INTO_POSITION.drafts(0).map(base64Of);
    assert.ok(add !== undefined && rest !== undefined);
    const clock = new FakeClock();
    const chain = new FakeChain(clock);
    const slipped = 'exceeded slippage tolerance';
    const refusal = answered(422, slipped);
    const service: Parameters<typeof bench>[0] = {
      ...chain.parts,
      service: {
        ...WALLET,
        buildAdd: () => {
          const { lastValidBlockHeight } = chain;
          return Promise.resolve({ ...ADD_BUILD, swapTransactions: [], addTransactions: [add, rest], lastValidBlockHeight });
        },
        landAdd: (landing) => {
          const isFirst = fixture.trace.landings.length === 1;
          fixture.listed = isFirst ? [] : [thePosition()];
          if (!isFirst) {
            chain.land(landing);
          }
          return isFirst ? Promise.reject(refusal) : Promise.resolve({ signature: SIGNATURE });
        },
      },
    };
    const fixture = await bench({ ...service, clock, listed: [], dependencies: { clock } });
    const part = {
      inputLamports: 0n,
      tokens: { amountXRaw: 4_000_000n, amountYRaw: 500_000_000n },
      prices: { ...NO_PRICES, decimalsX: 6, decimalsY: 9 },
    };
    const failing = failureOf(run(fixture, part));
    await until(() => fixture.trace.steps.at(-1) === 'findingOut' && clock.timers > 0);
    const other = await bench({ ...service, clock, listed: [], dependencies: { clock }, storage: fixture.storage });
    assert.equal((await failureOf(run(other, part))).kind, 'underWay');
    assert.deepEqual([fixture.trace.builds.length, fixture.trace.landings.length, other.trace.builds.length], [1, 1, 0]);
    assert.equal((await goingOn(clock, 10_000, failing)).offersFreshQuote, true);
    assert.equal((await goingOn(clock, 4_000, run(fixture, part))).kind, 'settled');
    assert.deepEqual(
      fixture.trace.reviews.map(({ verdict }) => verdict),
      // The node knows none of the accounts, which is a question. BND-2 would block.
      ['confirm', 'confirm'],
    );
  });

  it('A zap-in into a pool without bins requests no range and is reviewed without one', async () => {
    const fixture = await bench({ listed: [], host: { approve: () => Promise.resolve(false) } });
    const prices = { decimalsX: 6, decimalsY: 9, priceXUsd: 0.5, priceYUsd: 150, solUsd: 150 };
    await run(fixture, { poolType: 'dammV2', strategy: undefined, fromBinId: undefined, toBinId: undefined, prices });
    const [request] = fixture.trace.builds;
    assert.deepEqual(request, {
      mode: 'zap-in',
      pool: POOL,
      owner: OWNER,
      strategy: undefined,
      fromBinId: undefined,
      toBinId: undefined,
      slippageBps: 300,
      inputSol: 1,
      percentX: 0.5,
    });
    const intent = fixture.trace.reviews[0]?.intent;
    assert.ok(intent?.kind === 'zapIn');
    assert.deepEqual([intent.poolType, intent.strategy, intent.fromBinId, intent.toBinId], ['dammV2', undefined, undefined, undefined]);
    assert.equal(intent.references?.length, 2);
  });

  it('A position that existed before does not settle the zap-in', async () => {
    const other = thePosition({ key: 'other', address: undefined, id: 'other' });
    const fixture = await bench({ listed: [other], service: { landAdd: () => Promise.resolve({ signature: SIGNATURE }) } });
    const running = run(fixture);
    await sent(fixture);
    await fixture.clock.advance(12_000);
    fixture.listed = [other, thePosition()];
    await fixture.clock.advance(4_000);
    assert.deepEqual(await running, { kind: 'settled', signature: SIGNATURE, position: POSITION });
  });

  it('The zap-in reports that it is not listed yet if the portfolio shows no new position', async () => {
    const fixture = await bench({ listed: [], service: { landAdd: () => Promise.resolve({ signature: SIGNATURE }) } });
    const running = run(fixture);
    await sent(fixture);
    await fixture.clock.advance(24_000);
    assert.deepEqual(await running, { kind: 'landedNotListed', signature: SIGNATURE, position: POSITION, stoppedWaiting: false });
  });

  it('The review blocks a zap-in that deposits more than requested, and nothing is signed', async () => {
    const fixture = await bench({ listed: [] });
    assert.equal((await run(fixture, { inputLamports: 1_000_000n })).kind, 'blocked');
    assert.equal(fixture.trace.signersAsked, 0);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A zap-in without a landing answer settles when the new position is listed', async () => {
    const noAnswer = new ServiceError('The connection broke.', {
      kind: 'unreachable',
      endpoint: 'POST /pools/landing-add-tx',
      mayHaveLanded: true,
    });
    const fixture = await bench({ listed: [], service: { landAdd: () => Promise.reject(noAnswer) } });
    const running = run(fixture);
    await sent(fixture);
    await fixture.clock.advance(4_000);
    fixture.listed = [thePosition()];
    assert.deepEqual(await goingOn(fixture.clock, 4_000, running), { kind: 'settled', signature: undefined, position: POSITION });
  });

  it('A zap-in without a landing answer stays uncertain while no new position is listed', async () => {
    const noAnswer = new ServiceError('The connection broke.', {
      kind: 'unreachable',
      endpoint: 'POST /pools/landing-add-tx',
      mayHaveLanded: true,
    });
    const fixture = await bench({ listed: [], service: { landAdd: () => Promise.reject(noAnswer) } });
    const failing = failureOf(run(fixture));
    await sent(fixture);
    await fixture.clock.advance(24_000);
    fixture.abort.abort();
    const failure = await failing;
    assert.deepEqual([failure.kind, failure.money], ['mayHaveLanded', 'unknown']);
    assert.equal(fixture.trace.landings.length, 1);
  });

  it('A zap-in that the service fails to build leaves the money untouched', async () => {
    const down = new ServiceError('The service failed (503). Try again later.', {
      kind: 'server',
      endpoint: 'POST /pools/{id}/add-tx',
      status: 503,
    });
    const fixture = await bench({ listed: [], service: { buildAdd: () => Promise.reject(down) } });
    const failure = await failureOf(run(fixture));
    assert.deepEqual([failure.kind, failure.money], ['notBuilt', 'untouched']);
  });

  it('A new position in the pool settles a zap-in whose position the service did not name', async () => {
    const old = thePosition({ key: 'old', address: undefined });
    const fixture = await bench({
      listed: [old],
      service: {
        buildAdd: () => Promise.resolve({ ...ADD_BUILD, position: undefined }),
        landAdd: () => Promise.resolve({ signature: SIGNATURE }),
      },
    });
    const running = run(fixture);
    let hasEnded = false;
    void running.finally(() => (hasEnded = true));
    await sent(fixture);
    await fixture.clock.advance(8_000);
    assert.deepEqual([fixture.trace.steps.at(-1), hasEnded], ['waitingForEffect', false]);
    fixture.listed = [old, thePosition()];
    await fixture.clock.advance(4_000);
    assert.deepEqual(await running, { kind: 'settled', signature: SIGNATURE, position: undefined });
  });
});
