import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { Candle, DataSpan } from '../../../../src/chain/dataApi/types';
import type { IndexedPosition } from '../../../../src/chain/index/types';
import type { OnchainPool } from '../../../../src/chain/pools/types';
import { ChainPrices } from '../../../../src/chain/prices/chainPrices';
import { PriceApi } from '../../../../src/chain/prices/priceApi';
import { SolPrices } from '../../../../src/chain/prices/solPrices';
import { addressOf, MADE_TOKENS, madePool, madePosition, NOON_S } from '../../../support/chain/madeFacts';

const { sol, usdc, meme } = MADE_TOKENS;
const MEME = meme.mint;
const DAY_S = 86_400;

describe('The price API', () => {
  it('Prices are asked for in groups of fifty, used for ten seconds, and those it does not know are absent', async () => {
    const api = madeApi((ids) => ({
      body: Object.fromEntries(ids.map((id, place) => [id, place === 1 ? null : { usdPrice: place + 1 }])),
    }));
    const mints = Array.from({ length: 60 }, (_, number) => addressOf(`mint ${number}`));
    const prices = await api.prices.now([...mints, ...mints]);
    assert.deepEqual(
      api.asked.map((ids) => ids.length),
      [50, 10],
    );
    assert.equal(prices.size, 58);
    assert.equal(prices.get(mints[0] ?? MEME), 1);
    assert.equal(prices.has(mints[1] ?? MEME), false);
    await api.prices.now(mints);
    assert.equal(api.asked.length, 2);
    api.pass(10_001);
    await api.prices.now(mints.slice(0, 3));
    assert.deepEqual(api.asked[2], mints.slice(0, 3));
  });

  it('Requests for the same price at the same time are one', async () => {
    const api = madeApi(() => ({ body: { [MEME]: { usdPrice: 2 } } }));
    const both = await Promise.all([api.prices.now([MEME]), api.prices.now([MEME])]);
    assert.deepEqual(
      both.map((prices) => prices.get(MEME)),
      [2, 2],
    );
    assert.equal(api.asked.length, 1);
  });

  it('After a failure prices are unknown, nothing is asked for a while, and it is logged once', async () => {
    const bad: readonly Made[] = [{ status: 503 }, { text: '<html>' }, { body: { [MEME]: 7 } }, { body: [] }, { fails: true }];
    for (const answer of bad) {
      const api = madeApi(() => answer);
      assert.deepEqual(await api.prices.now([MEME]), new Map());
      assert.deepEqual(await api.prices.now([MEME]), new Map());
      assert.equal(api.asked.length, 1);
      api.pass(15_001);
      await api.prices.now([MEME]);
      assert.equal(api.asked.length, 2);
      assert.equal(api.log.length, 1);
      assert.match(api.log[0] ?? '', /^The price API prices\.test /);
    }
  });

  it('Many prices are asked for one request after the other, and not further after a failure', async () => {
    const mints = Array.from({ length: 500 }, (_, number) => addressOf(`mint ${number}`));
    let answers = 0;
    const api = madeApi((ids) =>
      (answers += 1) < 3 ? { body: Object.fromEntries(ids.map((id) => [id, { usdPrice: 1 }])) } : { status: 429 },
    );
    assert.equal((await api.prices.now(mints)).size, 100);
    assert.equal(api.asked.length, 3);
  });

  it('An API that is slow is asked for four seconds, and prices that it was not asked for are unknown', async () => {
    const mints = Array.from({ length: 500 }, (_, number) => addressOf(`mint ${number}`));
    const api = madeApi((ids) => {
      api.pass(1_500);
      return { body: Object.fromEntries(ids.map((id) => [id, { usdPrice: 1 }])) };
    });
    assert.equal((await api.prices.now(mints)).size, 150);
    assert.equal(api.asked.length, 3);
  });

  it('A number that cannot be a price is none', async () => {
    for (const usdPrice of [0, -1, 1e300, null]) {
      assert.deepEqual(await madeApi(() => ({ body: { [MEME]: { usdPrice } } })).prices.now([MEME]), new Map());
    }
  });

  it('The address may be the origin, a path in front of the endpoint, or the endpoint itself', async () => {
    for (const [url, expected] of [
      ['https://prices.test', 'https://prices.test/price/v3'],
      ['https://prices.test/proxy/', 'https://prices.test/proxy/price/v3'],
      ['https://prices.test/price/v3/', 'https://prices.test/price/v3'],
    ] as const) {
      const api = madeApi(() => ({ body: {} }), url);
      await api.prices.now([MEME]);
      assert.equal(api.urls[0], `${expected}?ids=${MEME}`);
    }
  });
});

describe('The price of SOL', () => {
  const small = { ...madePool(sol, usdc, { price: 999, binStep: 20 }), reserves: { x: 10n ** 9n, y: 10n ** 9n } };
  const large = { ...madePool(sol, usdc, { price: 150, binStep: 10 }), reserves: { x: 10n ** 13n, y: 10n ** 12n } };
  const turned = { ...madePool(usdc, sol, { price: 1 / 140, binStep: 4 }), reserves: { x: 10n ** 13n, y: 10n ** 13n } };
  const event = (pool: OnchainPool, atS: number, price: number): IndexedPosition =>
    madePosition(
      pool,
      [
        { kind: 'create', atS },
        { kind: 'deposit', atS, x: 1n, price },
      ],
      { address: addressOf(`${pool.address} ${atS}`) },
    );

  it('At present it is the price of the largest pool, whichever token comes first; a pool with little in it does not count', async () => {
    assert.equal(await madeSol({ pools: [small], history: [event(small, 0, 999)] }).sol.now(), undefined);
    assert.equal(
      (await madeSol({ pools: [small, large], history: [event(small, 0, 1), event(large, 0, 1)] }).sol.now())?.toFixed(6),
      '150.000000',
    );
    const all = [event(small, 0, 1), event(large, 0, 1), event(turned, 0, 1)];
    assert.equal((await madeSol({ pools: [small, large, turned], history: all }).sol.now())?.toFixed(6), '140.000000');
  });

  it('At a time in the past it is that of an event within a minute, in a large pool', async () => {
    const { sol: price } = madeSol({
      pools: [small, large, turned],
      history: [event(large, 0, 150), event(large, 100, 160), event(turned, 1_000, 1 / 170), event(small, 5_000, 1)],
    });
    const at = async (atS: number): Promise<string | undefined> => (await price.at(NOON_S + atS))?.toFixed(6);
    assert.deepEqual(await Promise.all([-61, -60, 0, 49, 51, 160, 161, 960, 5_000].map(at)), [
      ...[undefined, '150.000000', '150.000000', '150.000000', '160.000000', '160.000000', undefined, '170.000000', undefined],
    ]);
  });

  it('Without an event it is the price in the candle of these five minutes, and each day is asked for once', async () => {
    const start = Math.floor(NOON_S / DAY_S) * DAY_S;
    const spans: DataSpan[] = [];
    const { sol: price } = madeSol({
      pools: [large],
      history: [event(large, -5 * DAY_S, 1)],
      nowS: 3 * DAY_S,
      candles: (span) => {
        spans.push(span);
        return [candle(start, 100), candle(start + 600, 120)];
      },
    });
    const prices = await Promise.all([0, 299, 300, 600, 899, 900].map((atS) => price.at(start + atS)));
    assert.deepEqual(prices, [100, 100, undefined, 120, 120, undefined]);
    await price.at(start + DAY_S);
    assert.deepEqual(spans, [
      { timeframe: '5m', startS: start, endS: start + DAY_S - 1 },
      { timeframe: '5m', startS: start + DAY_S, endS: start + 2 * DAY_S - 1 },
    ]);
  });

  it('A data API that fails leaves the price unknown, and is asked again after a minute', async () => {
    let asked = 0;
    const made = madeSol({
      pools: [large],
      history: [event(large, -5 * DAY_S, 1)],
      nowS: 3 * DAY_S,
      candles: () => {
        asked += 1;
        if (asked === 1) {
          throw new Error('The data API is not there');
        }
        return [candle(Math.floor(NOON_S / DAY_S) * DAY_S, 100)];
      },
    });
    const at = Math.floor(NOON_S / DAY_S) * DAY_S;
    assert.deepEqual([await made.sol.at(at), await made.sol.at(at)], [undefined, undefined]);
    made.pass(60_001);
    assert.equal(await made.sol.at(at), 100);
    assert.deepEqual([asked, made.log.length], [2, 1]);
  });
});

describe('The price of SOL without a price API and a data API', () => {
  const poolAt = (price: number, binStep: number, reserve = 10n ** 12n): OnchainPool => ({
    ...madePool(sol, usdc, { price, binStep }),
    reserves: { x: 10n ** 13n, y: reserve },
  });
  const deposit = (pool: OnchainPool, atS: number, price: number): IndexedPosition =>
    madePosition(
      pool,
      [
        { kind: 'create', atS },
        { kind: 'deposit', atS, x: 1n, price },
      ],
      { address: addressOf(`${pool.address} ${atS}`) },
    );

  it('What has just happened has the present price of the largest pool, and still has it when that price has changed', async () => {
    const pools = [poolAt(150, 10)];
    const made = madeSol({ pools, history: [deposit(poolAt(150, 10), -DAY_S, 120)] });
    assert.equal((await made.sol.at(NOON_S - 5))?.toFixed(6), '150.000000');
    made.pass(3_600_000);
    pools[0] = poolAt(170, 10);
    assert.equal((await made.sol.at(NOON_S + 3_600))?.toFixed(6), '170.000000');
    const earlier = [NOON_S - 5, NOON_S + 60, NOON_S + 61, NOON_S + 3_539, NOON_S + 3_540].map(async (timeS) =>
      (await made.sol.at(timeS))?.toFixed(6),
    );
    assert.deepEqual(await Promise.all(earlier), ['150.000000', '150.000000', undefined, undefined, '170.000000']);
  });

  it('The price of a pool that becomes known is there within seconds', async () => {
    const history: IndexedPosition[] = [];
    const made = madeSol({ pools: [poolAt(150, 10)], history });
    assert.deepEqual([await made.sol.now(), await made.sol.at(NOON_S)], [undefined, undefined]);
    history.push(deposit(poolAt(150, 10), -40, 140));
    made.pass(10_000);
    assert.equal((await made.sol.now())?.toFixed(6), '150.000000');
    assert.equal((await made.sol.at(NOON_S - 39))?.toFixed(6), '140.000000');
  });

  it('A price that was read before the clock was set back is not used for longer', async () => {
    const pools = [poolAt(150, 10)];
    const made = madeSol({ pools, history: [deposit(poolAt(150, 10), -DAY_S, 120)] });
    assert.equal((await made.sol.now())?.toFixed(6), '150.000000');
    pools[0] = poolAt(170, 10);
    made.pass(-3_600_000);
    assert.equal((await made.sol.now())?.toFixed(6), '170.000000');
  });

  it('A pool with less than a tenth of the largest one gives no price', async () => {
    const [largest, tenth, less] = [poolAt(150, 10), poolAt(150, 20, 10n ** 11n), poolAt(1, 25, 10n ** 11n - 1n)];
    const history = [deposit(largest, -DAY_S, 140), deposit(tenth, -2 * DAY_S, 141), deposit(less, -3 * DAY_S, 1)];
    const { sol: price } = madeSol({ pools: [largest, tenth, less], history });
    const prices = await Promise.all([1, 2, 3].map(async (days) => (await price.at(NOON_S - days * DAY_S))?.toFixed(6)));
    assert.deepEqual(prices, ['140.000000', '141.000000', undefined]);
  });

  it('The log names a data API that fails once, however many days are asked for', async () => {
    const { sol: price, log } = madeSol({
      pools: [poolAt(150, 10)],
      history: [deposit(poolAt(150, 10), -DAY_S, 140)],
      candles: () => {
        throw new Error('The data API is not there');
      },
    });
    for (let day = 2; day < 6; day += 1) {
      assert.equal(await price.at(NOON_S - day * DAY_S), undefined);
    }
    assert.deepEqual(log, ['The price of SOL is unknown for now: The data API is not there']);
  });
});

describe('Prices on a real chain', () => {
  const api = (prices: Readonly<Record<Address, number>>) => ({
    now: async (mints: readonly Address[]) =>
      new Map(mints.flatMap((mint) => (prices[mint] === undefined ? [] : [[mint, prices[mint]] as const]))),
  });
  const ofPools = { now: async () => 150, at: async (timeS: number) => (timeS === NOON_S ? 140 : undefined) };

  it('The price API comes first; SOL has a price of its own without it, and USDC is a dollar', async () => {
    const mints = [WRAPPED_SOL_MINT, USDC_MINT, MEME];
    const known = { [WRAPPED_SOL_MINT]: 151, [USDC_MINT]: 0.999, [MEME]: 0.1 };
    assert.deepEqual(await new ChainPrices({ api: api(known), sol: ofPools }).now(mints), new Map(Object.entries(known)));
    assert.deepEqual(
      await new ChainPrices({ api: undefined, sol: ofPools }).now(mints),
      new Map<string, number>([
        [WRAPPED_SOL_MINT, 150],
        [USDC_MINT, 1],
      ]),
    );
    assert.deepEqual(await new ChainPrices({ api: api({}), sol: ofPools }).now([MEME]), new Map());
  });

  it('In the past only SOL and USDC have prices', async () => {
    const prices = new ChainPrices({ api: api({ [MEME]: 1 }), sol: ofPools });
    assert.deepEqual(
      await Promise.all([
        prices.at(WRAPPED_SOL_MINT, NOON_S),
        prices.at(WRAPPED_SOL_MINT, 0),
        prices.at(USDC_MINT, 0),
        prices.at(MEME, NOON_S),
      ]),
      [140, undefined, 1, undefined],
    );
  });
});

/** An answer of a made price API. */
interface Made {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly fails?: boolean;
}

function madeApi(answer: (ids: readonly string[]) => Made, url = 'https://prices.test') {
  const [asked, urls, log]: [string[][], string[], string[]] = [[], [], []];
  let now = 1_000_000;
  const prices = new PriceApi({
    url,
    clock: { now: () => now, after: () => ({ dispose: () => undefined }) },
    log: (line) => log.push(line),
    fetch: async (address) => {
      const ids = new URL(address).searchParams.get('ids')?.split(',') ?? [];
      asked.push(ids);
      urls.push(decodeURIComponent(address));
      const { status = 200, body, text = JSON.stringify(body), fails = false } = answer(ids);
      if (fails) {
        throw new TypeError('fetch failed');
      }
      return { status, body: chunks(text) };
    },
  });
  return { prices, asked, urls, log, pass: (ms: number) => (now += ms) };
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}

function madeSol({
  pools,
  history,
  candles,
  nowS = 0,
}: {
  readonly pools: readonly OnchainPool[];
  readonly history: readonly IndexedPosition[];
  readonly candles?: (span: DataSpan) => readonly Candle[];
  readonly nowS?: number;
}) {
  const log: string[] = [];
  let now = (NOON_S + nowS) * 1_000;
  const sol = new SolPrices({
    pools: {
      details: async (address) =>
        pools.flatMap((state) => (state.address === address ? [{ state, clock: { unixTimeS: BigInt(Math.floor(now / 1_000)) } }] : []))[0],
      pools: async (addresses) => new Map(pools.filter(({ address }) => addresses.includes(address)).map((pool) => [pool.address, pool])),
    },
    index: {
      positions: (filter) => history.filter(({ pool }) => pool === filter.pool),
      pools: () => [...new Set(history.map(({ pool }) => pool))],
    },
    dataApi: candles === undefined ? undefined : { candles: async (_, span) => candles(span) },
    now: () => now,
    log: (line) => log.push(line),
  });
  return { sol, log, pass: (ms: number) => (now += ms) };
}

function candle(timeS: number, close: number): Candle {
  return { timeS, open: close, high: close, low: close, close, volumeUsd: 1 };
}
