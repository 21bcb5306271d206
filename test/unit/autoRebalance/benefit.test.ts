import assert from 'node:assert/strict';
import { type Benefit, BenefitReader, withBenefits } from '../../../src/autoRebalance/benefit';
import type { AutoRebalanceDecision } from '../../../src/autoRebalance/types';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { CandlesSpan, PoolCandle } from '../../../src/service/candles';
import type { OpenPosition } from '../../../src/service/positions';
import { above, listed, rulesWith, START_MS } from '../../support/autoRebalance/listed';
import { FakeClock } from '../../support/portfolio/fixtures';
import { swingingCandles } from '../../support/service/candles';
import { poolInfo, tokenFacts } from '../../support/ui/panels/poolFixtures';

const MINUTE = 60_000;
const terms = { ...rulesWith().terms, halfWidthBins: 5 };
/** Far above its range, where it may earn nothing for long. */
const far = (life = {}): OpenPosition => above(life, 60);
const NEVER = new AbortController().signal;

/** A service with a pool of 5 SOL in each of 201 bins around the price, and these fees a day. */
function serviceWith({
  feesUsd = 500,
  candles = swingingCandles,
}: { feesUsd?: number; candles?: (span: CandlesSpan) => readonly PoolCandle[] } = {}) {
  const asked = { infos: 0 };
  const active = far().activeBinId ?? assert.fail();
  const reader = (clock = new FakeClock()) =>
    new BenefitReader({
      service: () =>
        Promise.resolve({
          poolInfo: () => {
            asked.infos += 1;
            return Promise.resolve(
              poolInfo({
                tokens: [
                  tokenFacts({ decimals: 9, priceUsd: 1.01 ** active * 150 }),
                  tokenFacts({ address: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, priceUsd: 150 }),
                ],
                activeBin: { binId: active, price: 1.01 ** active },
                bins: Array.from({ length: 201 }, (_, place) => ({
                  binId: active - 100 + place,
                  amountX: 0,
                  amountY: 5,
                  price: undefined,
                })),
                feeStats: [],
                statistics: { fees24hUsd: feesUsd, binStepBps: 100 },
              }),
            );
          },
          candles: (_: unknown, span: CandlesSpan) => Promise.resolve(candles(span)),
        }),
      rpc: () => Promise.resolve(undefined),
      clock,
      log: () => undefined,
    });
  return { asked, reader };
}

const benefit = (options: Parameters<typeof serviceWith>[0], position: OpenPosition = far()): Promise<Benefit | undefined> =>
  serviceWith(options).reader().of(position, terms, NEVER);

describe('The benefit of re-centering', () => {
  it('is worth it where the pool pays enough for the position, and not where fees and swaps cost more than the new range brings', async () => {
    const [rich, poor, none] = await Promise.all([benefit({ feesUsd: 50_000 }), benefit({ feesUsd: 5 }), benefit({ feesUsd: 0 })]);
    assert.ok(rich?.known === true && poor?.known === true && none?.known === true);
    assert.deepEqual([rich.isWorthIt, poor.isWorthIt, none.isWorthIt], [true, false, false]);
    assert.ok(rich.benefitUsd > 1.5 * rich.costUsd && poor.benefitUsd < 1.5 * poor.costUsd && none.benefitUsd < 0);
    // A quarter of the slippage of 1% of $102, and some cents for fees and tips.
    assert.ok(rich.costUsd > 0.25 && rich.costUsd < 1, String(rich.costUsd));
    assert.ok(rich.horizonMs >= 6 * 60 * MINUTE && rich.horizonMs <= 7 * 24 * 60 * MINUTE);
  });

  it('Fees and tips weigh more for a small position, whose benefit falls with its size', async () => {
    const [large, small] = await Promise.all([100, 30].map((valueUsd) => benefit({ feesUsd: 1_500 }, far({ valueUsd }))));
    assert.ok(large?.known === true && small?.known === true);
    assert.ok(small.benefitUsd < large.benefitUsd && small.costUsd / 30 > large.costUsd / 100);
  });

  it('is not known without prices of the past or the worth of the position, and not asked for where the service has none', async () => {
    assert.deepEqual(await benefit({ candles: () => [] }), { known: false });
    const nothing = { usd: undefined, native: undefined };
    assert.deepEqual(await benefit({}, { ...far(), value: nothing }), { known: false });
    const { clock, rpc, log } = { clock: new FakeClock(), rpc: () => Promise.resolve(undefined), log: () => undefined };
    assert.equal(
      await new BenefitReader({ service: () => Promise.resolve(undefined), rpc, clock, log }).of(above(), terms, NEVER),
      undefined,
    );
    const failing = new BenefitReader({ service: () => Promise.reject(new Error('It is down.')), rpc, clock, log });
    assert.deepEqual(await failing.of(above(), terms, NEVER), { known: false });
  });

  it('is read at most every ten minutes for a position and a price', async () => {
    const { asked, reader } = serviceWith();
    const clock = new FakeClock();
    const { of } = reader(clock);
    const ask = () => of(above(), terms, NEVER);
    await ask();
    await ask();
    assert.equal(asked.infos, 1);
    await clock.advance(9 * MINUTE);
    await ask();
    assert.equal(asked.infos, 1);
    await of(above({}, 6), terms, NEVER);
    await clock.advance(2 * MINUTE);
    await ask();
    assert.equal(asked.infos, 3);
  });
});

describe('A rebalance by rules', () => {
  const act: AutoRebalanceDecision = { kind: 'act', action: 'rebalance', why: 'It is out of range.' };
  const decided = async (decision: AutoRebalanceDecision, known: Benefit | undefined) =>
    (await withBenefits([{ position: listed(), decision }], terms, () => Promise.resolve(known), NEVER))[0]?.decision;
  const figures = { known: true, benefitUsd: 0.4, costUsd: 0.9, horizonMs: 2 * 24 * 60 * MINUTE } as const;

  it('waits where it is not expected to be worth it, and says what it would bring and cost', async () => {
    assert.deepEqual(await decided(act, { ...figures, isWorthIt: false }), {
      kind: 'wait',
      why: 'It is out of range. Re-centering is expected to bring $0.40 in 48 hours, and to cost $0.90. It waits until the first is more than 1.5 times the second.',
      untilMs: undefined,
    });
    const worth = await decided(act, { ...figures, isWorthIt: true });
    assert.deepEqual(
      [worth?.kind, worth?.why],
      ['act', 'It is out of range. Re-centering is expected to bring $0.40 in 48 hours, and to cost $0.90.'],
    );
  });

  it('goes on as before where its benefit is not known, and says so where the service should know it', async () => {
    assert.deepEqual(await decided(act, undefined), act);
    assert.deepEqual(await decided(act, { known: false }), {
      ...act,
      why: 'It is out of range. Whether it covers its costs is not known.',
    });
  });

  it('Nothing becomes an action by its benefit, and closing never waits for it', async () => {
    const others: readonly AutoRebalanceDecision[] = [
      { kind: 'act', action: 'close', why: 'It is down.' },
      { kind: 'wait', why: 'Not yet.', untilMs: START_MS },
      { kind: 'user', why: 'It needs you.' },
      { kind: 'fine', why: 'It is in range.' },
      { kind: 'leftAlone', why: 'It is empty.' },
    ];
    for (const decision of others) {
      assert.deepEqual(await decided(decision, { ...figures, isWorthIt: decision.kind !== 'act' }), decision);
    }
  });
});
