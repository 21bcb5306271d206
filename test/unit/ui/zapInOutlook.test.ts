import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { PoolInfo } from '../../../src/service/poolInfo';
import { forecastOf } from '../../../src/ui/zap/zapInForecast';
import { outlookLines, readZapInOutlook, type ZapInOutlook } from '../../../src/ui/zap/zapInOutlook';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { targetOfInfo } from '../../../src/ui/zap/zapInDraft';
import { swingingCandles } from '../../support/service/candles';
import { MINT_Y, POOL, poolInfo, tokenFacts } from '../../support/ui/panels/poolFixtures';

const ACTIVE = -350;
const NOW_MS = 1_800_000_000_000;

/** A pool of BONK and SOL with 5 SOL in each of 201 bins and these fees of a day. */
function details(fees24hUsd: number | undefined, part: Partial<PoolInfo> = {}): PoolInfo {
  return poolInfo({
    tokens: [tokenFacts(), tokenFacts({ address: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, priceUsd: 150 })],
    activeBin: { binId: ACTIVE, price: 1.01 ** ACTIVE * 1e-4 },
    bins: Array.from({ length: 201 }, (_, place) => ({ binId: ACTIVE - 100 + place, amountX: 0, amountY: 5, price: undefined })),
    feeStats: [],
    statistics: { fees24hUsd, binStepBps: 100, tvlUsd: 150_000 },
    ...part,
  });
}

function choices(info: PoolInfo, part: Partial<ZapInChoices> = {}): ZapInChoices {
  return {
    target: targetOfInfo(POOL, info),
    inputLamports: 2_000_000_000n,
    tokens: undefined,
    bins: { strategy: 'Spot', range: { fromBinId: ACTIVE - 10, toBinId: ACTIVE + 10 }, activeBin: { binId: ACTIVE, price: undefined } },
    percentX: 0.5,
    slippageBps: 100,
    solUsd: 150,
    ...part,
  };
}

async function read(info: PoolInfo, part: Partial<ZapInChoices> = {}, candles = swingingCandles): Promise<ZapInOutlook | undefined> {
  const service = {
    poolInfo: () => Promise.resolve(info),
    candles: (_: unknown, span: Parameters<typeof candles>[0]) => Promise.resolve(candles(span)),
  };
  return readZapInOutlook(service, choices(info, part), NOW_MS, AbortSignal.timeout(60_000));
}

async function lines(
  info: PoolInfo,
  part: Partial<ZapInChoices> = {},
  candles = swingingCandles,
  isBrief = true,
): Promise<readonly string[] | undefined> {
  const outlook = await read(info, part, candles);
  return outlook === undefined ? undefined : outlookLines(outlook, isBrief);
}

describe('The outlook in the question about a zap-in', () => {
  it('has three lines in at most sixteen words: the time in range, what is left, and the volatility at which it is worth it', async () => {
    const [first = '', second = '', third = '', ...more] = (await lines(details(5_000))) ?? [];
    assert.match(first, /^In range about \d+% of 24 hours$/);
    assert.match(second, /^Left: about \$[\d.]+$/);
    assert.match(third, /^Worth it below [\d.]+% volatility$/);
    assert.deepEqual(more, []);
    assert.ok([first, second, third].join(' ').split(' ').length <= 16);
  });

  it('has the parts of what is left in the details, and no figure of it where it is within the error', async () => {
    const whole = async (fees: number): Promise<readonly string[]> => (await lines(details(fees), {}, undefined, false)) ?? [];
    const [, left = '', , volatility] = await whole(5_000);
    const found = /^Left: about \$[\d.]+: fees about \$([\d.]+), loss to price moves about −\$([\d.]+)$/.exec(left);
    assert.ok(found !== null, left);
    assert.match(volatility ?? '', /^Expected volatility: [\d.]+% a day$/);
    const [, nothing] = await whole((5_000 * Number(found[2])) / Number(found[1]));
    assert.match(nothing ?? '', /^Left: about \$0\.00: fees about/);
  });

  it('says that fees are not known, and what is lost', async () => {
    const [, unknown, ...none] = (await lines(details(undefined))) ?? [];
    assert.match(unknown ?? '', /^Loss to price moves: about −\$[\d.]+; fees not known$/);
    assert.deepEqual(none, []);
  });

  it('is known for a pool without bins, which is always in range', async () => {
    const pool = details(5_000, {
      poolType: 'dammV2',
      bins: [],
      activeBin: undefined,
      amountX: undefined,
      tokens: [tokenFacts({ address: MINT_Y }), tokenFacts({ address: WRAPPED_SOL_MINT, priceUsd: 150 })],
    });
    const [first] = (await lines(pool, { bins: undefined })) ?? [];
    assert.equal(first, 'In range all the time');
  });

  it('is kept in lamports for an hour to thirty days, with the figures of the question for 24 hours', async () => {
    const outlook = (await read(details(5_000))) ?? assert.fail();
    const { sigmaPerDay, outlooks } = forecastOf(outlook) ?? assert.fail();
    assert.deepEqual(sigmaPerDay, outlook.sigma);
    assert.deepEqual([outlooks.length, outlooks[0]?.horizonS, outlooks.at(-1)?.horizonS], [11, 3_600, 30 * 86_400]);
    const day = outlooks.find(({ horizonS }) => horizonS === 86_400);
    const { timeInRange, fees, loss } = outlook.outlook;
    assert.ok(day?.fees !== undefined && day.netLamports !== undefined && fees !== null);
    // Token Y is SOL.
    assert.deepEqual(
      [day.timeInRange, Number(day.fees.lamports), Number(day.fees.highLamports), Number(day.loss.lowLamports), Number(day.netLamports)],
      [timeInRange, ...[fees.value, fees.high, loss.low, fees.value + loss.value].map(Math.round)],
    );
  });

  it('is kept without fees where they are not known, and not at all where its worth in SOL is not', async () => {
    const outlook = (await read(details(undefined))) ?? assert.fail();
    const [first] = forecastOf(outlook)?.outlooks ?? [];
    assert.ok(first !== undefined && first.loss.lamports < 0n);
    assert.deepEqual([first.fees, first.netLamports], [undefined, undefined]);
    assert.equal(forecastOf({ ...outlook, asked: { ...outlook.asked, unit: { usd: 1, native: undefined } } }), undefined);
  });

  it('is left out where volatility, prices or bins are not known, and for a deposit of tokens', async () => {
    assert.equal(await lines(details(5_000), {}, () => []), undefined);
    assert.equal(await lines(details(5_000, { activeBin: undefined })), undefined);
    assert.equal(await lines(details(5_000, { tokens: [] }), {}), undefined);
    assert.equal(await lines(details(5_000), { tokens: { amountXRaw: 1n, amountYRaw: 1n } }), undefined);
  });
});
