import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { HistoryIndex, IndexedPosition, IndexProgress } from '../../../../src/chain/index/types';
import type { OnchainPool } from '../../../../src/chain/pools/types';
import type { OnchainPosition } from '../../../../src/chain/positions/types';
import { ChainRecords } from '../../../../src/chain/records/chainRecords';
import { PositionStates } from '../../../../src/chain/records/positionStates';
import { EngineError } from '../../../../src/engine/engine';
import { ParseWarnings } from '../../../../src/service/parsing/records';
import { readPositionLogs } from '../../../../src/service/positionLogs';
import { readClosedPositions, readOpenPositions } from '../../../../src/service/positions';
import { addressOf, MADE_TOKENS, madeOpenPosition, madePool, madePosition, NOON_S } from '../../../support/chain/madeFacts';

const { sol, usdc, meme, other } = MADE_TOKENS;
const OWNER = addressOf('owner');
const PROTOCOLS = { bins: 'meteora', product: 'meteora_damm_v2' };
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const SOL = 10n ** 9n;
const USDC = 10n ** 6n;
const MEME = 10n ** 5n;
const iso = (atS: number): string => new Date((NOON_S + atS) * 1_000).toISOString();

/** What an engine over these facts would know. */
interface Facts {
  readonly pools: readonly OnchainPool[];
  readonly history: readonly IndexedPosition[];
  readonly open?: readonly OnchainPosition[];
  /** US dollars for one SOL; `undefined`: no source knows it. */
  readonly usdSol?: number;
  readonly nowS?: number;
  readonly progress?: Partial<IndexProgress>;
  /** The RPC does not search accounts. */
  readonly isSearchRefused?: boolean;
  readonly completed?: Address[][];
  /** Receives what is asked for: pools, and the history of owners. */
  readonly asked?: ('pools' | 'history')[];
  /** Prices of the past never come. */
  readonly isSlow?: boolean;
  readonly log?: string[];
  readonly hasPublicData?: boolean;
}

function recordsOf({
  pools,
  history,
  open = [],
  usdSol,
  nowS = 10 * DAY_S,
  progress,
  isSearchRefused = false,
  completed,
  asked,
  isSlow = false,
  hasPublicData = false,
  log = [],
}: Facts): ChainRecords {
  const prices = (mint: Address): number | undefined => (mint === WRAPPED_SOL_MINT ? usdSol : mint === USDC_MINT ? 1 : undefined);
  const progressOf = (owner: Address): IndexProgress => ({
    ...{ owner, state: 'current', transactions: 1, left: 0, prunedBeforeSlot: undefined, error: undefined },
    ...progress,
  });
  const index: Pick<HistoryIndex, 'catchUp' | 'completePositions' | 'positions' | 'progress'> = {
    progress: () => [progressOf(OWNER)],
    catchUp: async (owner) => {
      asked?.push('history');
      return progressOf(owner);
    },
    completePositions: async (positions) => {
      completed?.push([...positions]);
    },
    positions: ({ owner, pool, position }) =>
      history.filter(
        (of) =>
          (owner === undefined || of.owner === owner) &&
          (pool === undefined || of.pool === pool) &&
          (position === undefined || of.address === position),
      ),
  };
  const now = (): number => (NOON_S + nowS) * 1_000;
  return new ChainRecords({
    index,
    // It answers nothing in time.
    ...(hasPublicData ? { publicPositions: { wallet: async () => undefined, events: async () => undefined } } : {}),
    positions: {
      openPositions: async (owner) => ({
        positions: open.filter((of) => of.owner === owner),
        history: isSearchRefused ? progressOf(owner) : undefined,
      }),
      openPosition: async (position) => open.find(({ address }) => address === position),
    },
    states: new PositionStates({
      index,
      pools: {
        pool: async (address) => pools.find((pool) => pool.address === address),
        pools: async (addresses) => {
          asked?.push('pools');
          return new Map(pools.filter(({ address }) => addresses.includes(address)).map((pool) => [pool.address, pool]));
        },
      },
      prices: {
        now: async (mints) =>
          new Map(mints.flatMap((mint) => [prices(mint)].flatMap((usd) => (usd === undefined ? [] : [[mint, usd] as const])))),
        at: (mint) => (isSlow ? new Promise(() => undefined) : Promise.resolve(prices(mint))),
      },
      protocols: PROTOCOLS,
      now,
      log: (line) => log.push(line),
      ...(isSlow
        ? {
            timers: {
              after: (_ms: number, run: () => void) => {
                setImmediate(run);
                return { dispose: () => undefined };
              },
            },
          }
        : {}),
    }),
    protocols: PROTOCOLS,
    now,
  });
}

const PAGE = { owner: OWNER, from: undefined, to: undefined, page: 1, pageSize: 20 };

describe('Records of positions on a real chain', () => {
  const memeSol = madePool(meme, sol, { price: 0.002, binStep: 100 });
  const solUsdc = madePool(sol, usdc, { price: 150, binStep: 10 });
  const memeOther = madePool(meme, other, { price: 3 });

  it('Deposits, withdrawals and fees are worth exactly the SOL of their own times, without any source of prices', async () => {
    const position = madePosition(memeSol, [
      { kind: 'create' },
      { kind: 'deposit', atS: 1, y: 3n * SOL, price: 0.001 },
      { kind: 'deposit', atS: 2, x: 1_000n * MEME, y: 123_456_789n, price: 0.002 },
      { kind: 'feeClaim', atS: HOUR_S, x: 10n * MEME, y: 1n, price: 0.004 },
      { kind: 'withdrawal', atS: 2 * HOUR_S, x: 500n * MEME, y: 4n * SOL, price: 0.004 },
      { kind: 'close', atS: 2 * HOUR_S },
    ]);
    const [closed] = (await recordsOf({ pools: [memeSol], history: [position] }).historical(PAGE)).data;
    assert.equal(closed?.inputNative, 3 + 0.123456789 + 2);
    assert.equal(closed.outputNative, 6);
    assert.equal(closed.collectedFeeNative, 0.04 + 1e-9);
    assert.equal(closed.pnl.valueNative, 6 + (0.04 + 1e-9) - (3 + 0.123456789 + 2));
    assert.deepEqual(
      [closed.inputValue, closed.outputValue, closed.fee, closed.pnl.value, closed.pnl.percent],
      [null, null, null, null, null],
    );
    assert.deepEqual([closed.createdAt, closed.closeAt, closed.ageHour], [iso(0), iso(2 * HOUR_S), '2']);
  });

  it('US dollars come from a source that knows the price of SOL then, or from USDC in the pool', async () => {
    const inSol = madePosition(memeSol, [
      { kind: 'create' },
      { kind: 'deposit', y: 2n * SOL, price: 0.002 },
      { kind: 'close', price: 0.002 },
    ]);
    const inUsdc = madePosition(solUsdc, [
      { kind: 'create' },
      { kind: 'deposit', x: SOL, y: 100n * USDC, price: 160 },
      { kind: 'withdrawal', atS: 9, y: 300n * USDC, price: 200 },
      { kind: 'close', atS: 9 },
    ]);
    const known = (await recordsOf({ pools: [memeSol, solUsdc], history: [inSol, inUsdc], usdSol: 140 }).historical(PAGE)).data;
    const unknown = (await recordsOf({ pools: [memeSol, solUsdc], history: [inSol, inUsdc] }).historical(PAGE)).data;
    const ofUsdc = [260, 260 / 160, 300, 1.5, 40].map((figure) => Number(figure.toFixed(9)));
    for (const data of [known, unknown]) {
      const record = data.find(({ pool }) => pool === solUsdc.address);
      assert.deepEqual(
        [record?.inputValue, record?.inputNative, record?.outputValue, record?.outputNative, record?.pnl.value].map((figure) =>
          Number(figure?.toFixed(9)),
        ),
        ofUsdc,
      );
    }
    assert.equal(known.find(({ pool }) => pool === memeSol.address)?.inputValue, 280);
    assert.equal(unknown.find(({ pool }) => pool === memeSol.address)?.inputValue, null);
  });

  it('A pool of two unpriced tokens has no worth, but its amounts are there', async () => {
    const position = madePosition(memeOther, [{ kind: 'create' }, { kind: 'deposit', x: 5n * MEME, y: 15n * 10n ** 8n, price: 3 }]);
    const open = madeOpenPosition(position, { amounts: { x: 4n * MEME, y: 18n * 10n ** 8n }, liquidity: '77' });
    const [record] = (await recordsOf({ pools: [memeOther], history: [position], open: [open], usdSol: 150 }).opening(OWNER)).data;
    assert.deepEqual([record?.current.amount0Adjusted, record?.current.amount1Adjusted, record?.liquidity], [4, 18, '77']);
    assert.deepEqual(
      [record?.value, record?.valueNative, record?.inputValue, record?.price0, record?.pnl.valueNative, record?.apr],
      Array(6).fill(null),
    );
    assert.deepEqual(
      [record?.protocol, record?.tickLower, record?.tickUpper, record?.inRange],
      ['meteora_damm_v2', -443_636, 443_636, true],
    );
  });

  it('An open position is valued at the price of its pool now, and its profit counts everything', async () => {
    const position = madePosition(memeSol, [
      { kind: 'create' },
      { kind: 'deposit', x: 1_000n * MEME, y: SOL, price: 0.001 },
      { kind: 'feeClaim', atS: 60, y: SOL / 10n, price: 0.001 },
    ]);
    const open = madeOpenPosition(position, { amounts: { x: 500n * MEME, y: SOL }, unclaimedFees: { x: 50n * MEME, y: 0n } });
    const [record] = (await recordsOf({ pools: [memeSol], history: [position], open: [open], usdSol: 100 }).opening(OWNER)).data;
    assert.equal(record?.valueNative, 2);
    assert.equal(record.value, 200);
    assert.equal(record.unCollectedFeeNative, 0.1);
    assert.equal(record.pnl.valueNative?.toFixed(9), (2 + 0.1 + 0.1 - 2).toFixed(9));
    assert.equal(record.pnl.value?.toFixed(9), '20.000000000');
    assert.equal(record.price0, 0.2);
    assert.deepEqual(record.range, [position.range?.lowerBinId, position.range?.upperBinId, memeSol.activeBinId]);
    assert.deepEqual(
      record.logs.map(({ action, amount1, nativePrice }) => [action, amount1, nativePrice]),
      [
        ['add_liquidity', SOL.toString(), '100'],
        ['claim_fee', (SOL / 10n).toString(), '100'],
      ],
    );
    assert.deepEqual(
      record.logs.map(({ signature }) => signature),
      position.events.filter(({ kind }) => kind !== 'create').map(({ signature }) => signature),
    );
  });

  it('Locked liquidity counts in the value and the profit, and the record has the part that can be withdrawn', async () => {
    const pool = madePool(meme, sol, { price: 0.002 });
    const position = madePosition(pool, [{ kind: 'create' }, { kind: 'deposit', x: 1_000n * MEME, y: 2n * SOL, price: 0.002 }]);
    const open = madeOpenPosition(position, { amounts: { x: 1_000n * MEME, y: 2n * SOL }, withdrawableShare: 0.25 });
    const [record] = (await recordsOf({ pools: [pool], history: [position], open: [open] }).opening(OWNER)).data;
    assert.deepEqual([record?.valueNative, record?.pnl.valueNative, record?.withdrawableShare], [4, 0, 0.25]);
  });

  it('A history that does not reach back makes sums unknown, not smaller', async () => {
    const position = madePosition(memeSol, [{ kind: 'deposit', y: SOL, price: 0.001 }], {
      complete: false,
      range: undefined,
      strategy: undefined,
    });
    const range = { lowerBinId: -5, upperBinId: 5 };
    const facts = { pools: [memeSol], open: [madeOpenPosition(position, { range, amounts: { x: 0n, y: SOL } })], usdSol: 100 };
    for (const history of [[position], []]) {
      const [record] = (await recordsOf({ ...facts, history }).opening(OWNER)).data;
      assert.deepEqual(
        [record?.inputNative, record?.pnl.valueNative, record?.pnl.value, record?.createdAt, record?.age, record?.dpr],
        Array(6).fill(null),
      );
      assert.deepEqual([record?.valueNative, record?.tickLower, record?.tickUpper, record?.strategyType], [1, -5, 5, null]);
    }
    const closed = { ...position, closed: true };
    const [record] = (await recordsOf({ ...facts, history: [closed] }).historical(PAGE)).data;
    assert.deepEqual([record?.inputNative, record?.pnlNative, record?.tickLower, record?.inRange, record?.ageHour], Array(5).fill(null));
  });

  it('Prices that do not come in time are unknown, and nothing else waits for them', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }, { kind: 'deposit', y: SOL, price: 0.001 }, { kind: 'close' }]);
    const [record] = (await recordsOf({ pools: [memeSol], history: [position], usdSol: 100, isSlow: true }).historical(PAGE)).data;
    assert.deepEqual([record?.inputNative, record?.inputValue], [1, null]);
  });

  it('Rewards are nothing if none were claimed and none can be waiting; else they and the profit are unknown, and so are all sums of both', async () => {
    const closing = [{ kind: 'create' }, { kind: 'deposit', y: SOL, price: 0.001 }, { kind: 'close' }] as const;
    for (const [hasRewards, of, isKnown] of [
      [false, {}, true],
      [true, {}, true],
      [true, { hasClaimedRewards: true }, false],
      [true, { complete: false }, false],
    ] as const) {
      const position = madePosition(memeSol, closing, of);
      const records = recordsOf({ pools: [{ ...memeSol, hasRewards }], history: [position], usdSol: 100 });
      const [record] = (await records.historical(PAGE)).data;
      const overview = await records.overview(OWNER, 'meteora');
      const [row] = (await records.revenue({ owner: OWNER, period: 'day', range: undefined, protocols: undefined })).data;
      assert.deepEqual(
        [record?.collectedReward, record?.collectedRewardNative, overview.total_reward_native],
        Array(3).fill(isKnown ? 0 : null),
      );
      assert.deepEqual(
        [record?.pnl.valueNative, record?.pnlNative, record?.pnlNativeAudited, overview.total_pnl_native.ALL, row?.sum_native],
        Array(5).fill(isKnown ? -1 : null),
      );
      assert.deepEqual(
        [record?.pnl.value, record?.dpr, overview.roi].map((figure) => figure === null),
        Array(3).fill(!isKnown),
      );
    }
  });

  it('In a pool that gives rewards, the profit of an open position counts those that wait: nothing, an amount with a price, or not known', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }, { kind: 'deposit', y: 2n * SOL, price: 0.001 }]);
    const pool = { ...memeSol, hasRewards: true, rewardTokens: [MADE_TOKENS.meme, MADE_TOKENS.other] };
    const reward = (token: 'meme' | 'other', amount: bigint): OnchainPosition['rewards'] => [
      { index: 0, mint: MADE_TOKENS[token].mint, amount },
    ];
    for (const [rewards, profit, waiting] of [
      [[], -1, undefined],
      [reward('meme', 500n * MEME), 0, [['MEME', '50000000', 500, 1]]],
      [reward('other', 7n), null, [['OTHER', '7', 0.000_000_07, null]]],
      [undefined, null, undefined],
    ] as const) {
      const open = [madeOpenPosition(position, { amounts: { x: 0n, y: SOL }, rewards })];
      const [record] = (await recordsOf({ pools: [pool], history: [position], open }).opening(OWNER)).data;
      assert.deepEqual(
        record?.uncollectedRewards?.map((one) => [one.token_symbol, one.amount, one.amountAdjusted, one.valueNative]),
        waiting,
      );
      assert.deepEqual([record?.pnl.valueNative, record?.collectedRewardNative], [profit, 0]);
    }
  });

  it('The client reads records with unknown figures without a warning', async () => {
    const position = madePosition(memeOther, [{ kind: 'deposit', x: MEME }], { complete: false });
    const records = recordsOf({
      pools: [memeOther],
      history: [position, { ...position, closed: true }],
      open: [madeOpenPosition(position)],
    });
    const warnings = new ParseWarnings();
    const reading = { nowMs: NOON_S * 1_000, warnings };
    const [open] = readOpenPositions((await records.opening(OWNER)).data, 'data', reading);
    assert.deepEqual(
      [open?.id, open?.value, open?.input],
      [position.address, { usd: 0, native: 0 }, { usd: undefined, native: undefined }],
    );
    const [closed] = readClosedPositions((await records.historical(PAGE)).data, 'data', reading);
    assert.deepEqual([closed?.pnl, closed?.createdAt], [{ usd: undefined, native: undefined }, undefined]);
    const [log] = readPositionLogs((await records.logs({ owner: OWNER, position: undefined })).data, 'data', reading);
    assert.deepEqual([log?.amount0, log?.price0Usd], [MEME, undefined]);
    assert.deepEqual(warnings.all(), []);
  });

  it('The price of an event without one is that of its transaction', async () => {
    const position = madePosition(memeSol, [
      { kind: 'create' },
      { kind: 'deposit', y: SOL, price: 0.001, signature: 'in' },
      { kind: 'feeClaim', x: 100n * MEME, signature: 'out' },
      { kind: 'withdrawal', y: SOL, price: 0.005, signature: 'out' },
      { kind: 'feeClaim', x: 100n * MEME, signature: 'else' },
    ]);
    const { data } = await recordsOf({ pools: [memeSol], history: [position], usdSol: 100 }).logs({
      position: position.address,
      owner: undefined,
    });
    assert.deepEqual(
      data.map(({ action, price0 }) => [action, price0 === null ? null : Number(price0).toFixed(9)]),
      [
        ['add_liquidity', '0.100000000'],
        ['claim_fee', '0.500000000'],
        ['remove_liquidity', '0.500000000'],
        ['claim_fee', null],
      ],
    );
  });

  it('A claim without a price is valued at the nearest price of its pool, or of SOL, as an estimate, so that the profit stays known', async () => {
    const damm = madePool(sol, usdc, { price: 150 });
    const claimed = (
      claim: { readonly x?: bigint; readonly y?: bigint; readonly atS: number },
      to = madePool(meme, sol, { price: 0.002 }),
    ): IndexedPosition =>
      madePosition(to, [
        { kind: 'create' },
        { kind: 'deposit', y: 10n ** BigInt(to.y.decimals), price: to === damm ? 150 : 0.002 },
        { kind: 'feeClaim', ...claim },
        { kind: 'withdrawal', atS: 10 * DAY_S, y: 10n ** BigInt(to.y.decimals), price: to === damm ? 200 : 0.004 },
        { kind: 'close', atS: 10 * DAY_S },
      ]);
    const record = async (position: IndexedPosition, usdSol?: number): Promise<readonly unknown[]> => {
      const pools = [damm, madePool(meme, sol, { price: 0.002 })];
      const facts = { pools, history: [position], ...(usdSol === undefined ? {} : { usdSol }) };
      const [closed] = (await recordsOf(facts).historical(PAGE)).data;
      return [closed?.collectedFeeNative?.toFixed(6), closed?.pnl.valueNative === null, closed?.collectedFeeIsEstimate];
    };
    // Near an event of the pool; far from any.
    assert.deepEqual(await record(claimed({ x: 100n * MEME, atS: 60 })), ['0.200000', false, true]);
    assert.deepEqual(await record(claimed({ x: 100n * MEME, atS: 9 * DAY_S })), ['0.400000', false, true]);
    // The SOL alone needs no price.
    assert.deepEqual(await record(claimed({ y: SOL, atS: 60 })), ['1.000000', false, undefined]);
    // The price of SOL of that time, where it is known; else that of the nearest event.
    assert.deepEqual(await record(claimed({ y: 30n * USDC, atS: 5 * DAY_S }, damm), 120), ['0.250000', false, true]);
    assert.deepEqual(await record(claimed({ y: 30n * USDC, atS: 6 * DAY_S }, damm)), ['0.150000', false, true]);
    assert.deepEqual(await record(claimed({ y: 30n * USDC, atS: 60 }, damm), 120), ['0.200000', false, true]);
  });

  it('The state at the closing follows from the last price: bins, range and US dollars', async () => {
    const price = 0.001 * 1.01 ** 7;
    const lower = Math.round(Math.log(0.001 * 10 ** 4) / Math.log1p(0.01));
    const position = madePosition(
      memeSol,
      [
        { kind: 'create' },
        { kind: 'deposit', y: SOL, price: 0.001 },
        { kind: 'withdrawal', y: SOL, price, signature: 'out' },
        { kind: 'close', signature: 'out' },
      ],
      { range: { lowerBinId: lower, upperBinId: lower + 6 } },
    );
    const inside = { ...position, address: addressOf('inside'), range: { lowerBinId: lower, upperBinId: lower + 7 } };
    const { data } = await recordsOf({ pools: [memeSol], history: [position, inside], usdSol: 100 }).historical(PAGE);
    assert.deepEqual(
      new Map(data.map((record) => [record.position, record.inRange])),
      new Map([
        [position.address, false],
        [inside.address, true],
      ]),
    );
    assert.equal(data[0]?.priceRange[2]?.toFixed(9), (price * 100).toFixed(9));
  });

  it('Closed positions are listed by page and span, the last closed first', async () => {
    const history = Array.from({ length: 7 }, (_, number) =>
      madePosition(memeSol, [{ kind: 'create' }, { kind: 'close', atS: number * DAY_S }], { address: addressOf(`closed ${number}`) }),
    );
    const records = recordsOf({ pools: [memeSol], history });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => records.historical({ ...PAGE, page, pageSize: 3 })));
    assert.deepEqual(
      pages.map(({ data }) => data.map(({ closeAt }) => closeAt)),
      [[6, 5, 4], [3, 2, 1], [0], []].map((days) => days.map((day) => iso(day * DAY_S))),
    );
    assert.deepEqual(pages[1]?.pagination, { currentPage: 2, totalPages: 3, totalCount: 7, pageSize: 3 });
    const [from, to] = [(NOON_S + DAY_S) * 1_000, (NOON_S + 2 * DAY_S) * 1_000];
    assert.equal((await records.historical({ ...PAGE, from, to })).pagination.totalCount, 2);
  });

  it('Logs of an unknown position, or of another owner, are an error; a position of an unknown owner is looked up by its account', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }, { kind: 'deposit', y: SOL, price: 0.001 }]);
    const records = recordsOf({ pools: [memeSol], history: [position], open: [madeOpenPosition(position)] });
    assert.equal((await records.logs({ position: position.address, owner: OWNER })).count, 1);
    for (const of of [
      { position: addressOf('nothing'), owner: undefined },
      { position: 'no address', owner: undefined },
      { position: position.address, owner: addressOf('another owner') },
    ]) {
      await assert.rejects(records.logs(of), (error) => error instanceof EngineError && error.kind === 'notFound');
    }
  });

  it('The overview sums up closed positions by period, and one unknown sum makes the total unknown', async () => {
    const made = (name: string, day: number, gain: bigint, of: Partial<IndexedPosition> = {}): IndexedPosition =>
      madePosition(
        memeSol,
        [
          { kind: 'create', atS: (day - 1) * DAY_S },
          { kind: 'deposit', atS: (day - 1) * DAY_S, y: 10n * SOL, price: 0.001 },
          { kind: 'withdrawal', atS: day * DAY_S, y: 10n * SOL + gain, price: 0.001 },
          { kind: 'close', atS: day * DAY_S },
        ],
        { address: addressOf(name), ...of },
      );
    const history = [made('won', 9, SOL), made('lost', 2, -2n * SOL), made('even', 9, 0n)];
    const stillOpen = madePosition(memeSol, [{ kind: 'create' }, { kind: 'deposit', y: SOL, price: 0.001 }], {
      address: addressOf('open'),
    });
    const facts = { pools: [memeSol, solUsdc], history: [...history, stillOpen], usdSol: 100 };
    const overview = await recordsOf(facts).overview(OWNER, 'meteora');
    assert.deepEqual(
      [
        overview.total_lp,
        overview.opening_lp,
        overview.closed_lp.ALL,
        overview.closed_lp['7D'],
        overview.win_lp_native,
        overview.total_pool,
      ],
      ['4', '1', '3', 2, '1', '1'],
    );
    assert.deepEqual([overview.total_inflow_native, overview.total_pnl_native.ALL, overview.total_pnl_native['7D']], [30, -1, 1]);
    assert.deepEqual([overview.total_pnl.ALL, overview.win_rate.ALL, overview.roi, overview.avg_age_hour], [-100, 0.5, -100 / 3_000, 24]);
    const incomplete = made('pruned', 1, SOL, { complete: false });
    const partly = await recordsOf({ ...facts, history: [...facts.history, incomplete] }).overview(OWNER, 'meteora');
    assert.deepEqual(
      [partly.total_pnl_native.ALL, partly.total_pnl_native['7D'], partly.win_lp_native, partly.closed_lp.ALL],
      [null, 1, null, '4'],
    );
    await assert.rejects(recordsOf(facts).overview(OWNER, 'meteora_damm_v2'), EngineError);
    for (const [state, message] of [
      ['indexing', /is still being read/],
      ['failed', /cannot be read now/],
    ] as const) {
      const nothing = recordsOf({ pools: [], history: [], progress: { state } });
      await assert.rejects(
        nothing.overview(OWNER, 'meteora'),
        (error) => error instanceof EngineError && error.kind === 'unavailable' && message.test(error.message),
      );
    }
    await assert.rejects(recordsOf(facts).overview(OWNER, 'orca'), EngineError);
  });

  it('Of a position whose pool cannot be read nothing is listed, sums with it are unknown, and this is logged once', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }, { kind: 'deposit', y: SOL, price: 0.001 }, { kind: 'close' }]);
    const gone = madePosition(memeOther, [{ kind: 'create' }, { kind: 'close' }], { program: 'dlmm' });
    const log: string[] = [];
    const records = recordsOf({ pools: [memeSol], history: [position, gone], usdSol: 100, log });
    assert.deepEqual(
      (await records.historical(PAGE)).data.map(({ pool }) => pool),
      [memeSol.address],
    );
    const { closed_lp, total_inflow_native, total_pnl_native, total_pool } = await records.overview(OWNER, 'meteora');
    assert.deepEqual([closed_lp.ALL, total_pool, total_inflow_native, total_pnl_native.ALL], ['2', '2', null, null]);
    assert.equal(log.length, 1);
    assert.match(log[0] ?? '', new RegExp(`^The pool ${memeOther.address} .*cannot be read`));
  });

  it('A history without a transaction is still being read where the owner has positions, and known where there are none', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }]);
    const open = madeOpenPosition(position);
    const reasonWith = async (facts: Partial<Facts>): Promise<string | undefined> => {
      const records = recordsOf({ pools: [memeSol], history: [], progress: { transactions: 0 }, ...facts });
      await records.opening(OWNER);
      const { data, incomplete } = await records.historical(PAGE);
      assert.deepEqual(data, []);
      return incomplete?.reason;
    };
    assert.equal(await reasonWith({}), undefined);
    assert.equal(await reasonWith({ open: [open] }), 'indexing');
    assert.equal(await reasonWith({ history: [position] }), 'indexing');
    assert.equal(await reasonWith({ open: [open], progress: { transactions: 0, prunedBeforeSlot: 9 } }), 'pruned');
  });

  it('While the history is being read, or where the RPC has only a part of it, sums that it may lack are unknown', async () => {
    const position = madePosition(memeSol, [
      { kind: 'create', atS: 9 * DAY_S },
      { kind: 'deposit', atS: 9 * DAY_S, y: SOL, price: 0.001 },
      { kind: 'withdrawal', atS: 9 * DAY_S + 60, y: 2n * SOL, price: 0.001 },
      { kind: 'close', atS: 9 * DAY_S + 60 },
    ]);
    const facts = { pools: [memeSol], history: [position], usdSol: 100 };
    const sums = async (progress: Partial<IndexProgress>): Promise<readonly unknown[]> => {
      const records = recordsOf({ ...facts, progress });
      const { total_pnl_native, total_inflow, closed_lp, first_activity } = await records.overview(OWNER, 'meteora');
      const [row] = (await records.revenue({ owner: OWNER, period: 'day', range: '7D', protocols: undefined })).data;
      return [
        total_pnl_native.ALL,
        total_pnl_native['7D'],
        total_inflow,
        closed_lp.ALL,
        first_activity === null,
        row?.sum_native,
        row?.cumulative_pnl_native,
      ];
    };
    assert.deepEqual(await sums({}), [1, 1, 100, '1', false, 1, 1]);
    assert.deepEqual(await sums({ state: 'indexing', left: 5 }), [null, null, null, '1', true, null, null]);
    const daySlots = (DAY_S * 1_000) / 200;
    assert.deepEqual(await sums({ prunedBeforeSlot: 1_000 - 5 * daySlots }), [null, null, null, '1', true, 1, null]);
    assert.deepEqual(await sums({ prunedBeforeSlot: 1_000 - 7 * daySlots }), [null, 1, null, '1', true, 1, 1]);
  });

  it('From the time of a transaction that cannot be read on, sums are unknown, and the answer says why; what begins later is known', async () => {
    const positionAt = (atS: number): IndexedPosition =>
      madePosition(
        memeSol,
        [
          { kind: 'create', atS },
          { kind: 'deposit', atS, y: SOL, price: 0.001 },
          { kind: 'withdrawal', atS: atS + 60, y: 2n * SOL, price: 0.001 },
          { kind: 'close', atS: atS + 60 },
        ],
        { address: addressOf(`at ${atS}`) },
      );
    const history = [DAY_S, 2.5 * DAY_S, 9 * DAY_S].map(positionAt);
    const at = (atS: number | undefined): Partial<IndexProgress> =>
      atS === undefined ? {} : { unreadable: { count: 2, fromTimeS: NOON_S + atS, toTimeS: NOON_S + atS + 1 } };
    const sums = async (atS: number | undefined): Promise<readonly unknown[]> => {
      const records = recordsOf({ pools: [memeSol], history, progress: at(atS) });
      const overview = await records.overview(OWNER, 'meteora');
      const { data, incomplete } = await records.revenue({ owner: OWNER, period: 'day', range: undefined, protocols: undefined });
      assert.deepEqual(incomplete, overview.incomplete);
      assert.deepEqual((await records.historical(PAGE)).incomplete, incomplete);
      return [
        [overview.total_pnl_native.ALL, overview.total_pnl_native['7D'], overview.total_inflow_native, overview.first_activity === null],
        [overview.win_lp_native, overview.closed_lp.ALL],
        data.map(({ sum_native }) => sum_native),
        data.map(({ cumulative_pnl_native }) => cumulative_pnl_native),
        data.map(({ max_invested_native }) => max_invested_native),
      ];
    };
    assert.deepEqual(await sums(undefined), [
      [3, 1, 3, false],
      ['3', '3'],
      [1, 1, 1],
      [1, 2, 3],
      [1, 1, 1],
    ]);
    assert.deepEqual(await sums(2 * DAY_S), [
      [null, 1, null, true],
      [null, '3'],
      [1, 1, 1],
      [1, null, null],
      [1, null, null],
    ]);
    assert.deepEqual(await sums(2.7 * DAY_S), [
      [null, 1, null, true],
      [null, '3'],
      [1, null, 1],
      [1, null, null],
      [1, 1, null],
    ]);
    assert.deepEqual((await sums(5 * DAY_S))[0], [null, null, null, true]);
    const { incomplete } = await recordsOf({ pools: [memeSol], history, progress: at(5 * DAY_S) }).overview(OWNER, 'meteora');
    assert.deepEqual([incomplete?.reason, incomplete?.since], ['unreadable', iso(5 * DAY_S)]);
    assert.match(incomplete?.message ?? '', /^2 transactions of .* cannot be read/);
    const untimed = { unreadable: { count: 1, fromTimeS: 0, toTimeS: Infinity } };
    const { total_pnl_native: unknown } = await recordsOf({ pools: [memeSol], history, progress: untimed }).overview(OWNER, 'meteora');
    assert.ok(Object.values(unknown).every((figure) => figure === null));
  });

  it('A list of open positions that comes from the history is marked until the history is whole', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }, { kind: 'deposit', y: SOL, price: 0.001 }]);
    const opening = async (progress: Partial<IndexProgress>, isSearchRefused = true): Promise<readonly unknown[]> => {
      const facts = { pools: [memeSol], history: [position], open: [madeOpenPosition(position)] };
      const { count, incomplete } = await recordsOf({ ...facts, progress, isSearchRefused }).opening(OWNER);
      return [count, incomplete?.reason, incomplete?.read, incomplete?.left, incomplete?.since];
    };
    assert.deepEqual(await opening({ state: 'indexing', transactions: 41, left: 59 }), [1, 'indexing', 41, 59, null]);
    assert.deepEqual(await opening({ state: 'failed', error: 'no' }), [1, 'failed', 1, 0, null]);
    assert.deepEqual(await opening({ prunedBeforeSlot: 1_000 }), [1, 'pruned', 1, 0, iso(-0.2)]);
    assert.deepEqual(await opening({}), [1, undefined, undefined, undefined, undefined]);
    assert.deepEqual((await opening({ state: 'indexing' }, false))[1], undefined);
  });

  it('An owner without a known position, of whom an RPC has only a part of the history, has no figures rather than none at all', async () => {
    const records = recordsOf({ pools: [], history: [], progress: { prunedBeforeSlot: 1_000 } });
    const { total_pnl_native, incomplete } = await records.overview(OWNER, 'meteora');
    assert.deepEqual([total_pnl_native.ALL, total_pnl_native['7D'], incomplete?.reason], [null, null, 'pruned']);
  });

  it('Sums since a time before a gap in the history are unknown, although what was before the gap is known', async () => {
    const before = madePosition(memeSol, [
      { kind: 'create', atS: DAY_S },
      { kind: 'deposit', atS: DAY_S, y: SOL, price: 0.001 },
      { kind: 'withdrawal', atS: DAY_S + 60, y: SOL, price: 0.001 },
      { kind: 'close', atS: DAY_S + 60 },
    ]);
    const made = madePosition(
      memeSol,
      [
        { kind: 'create', atS: 9 * DAY_S },
        { kind: 'deposit', atS: 9 * DAY_S, y: SOL, price: 0.001 },
        { kind: 'withdrawal', atS: 9 * DAY_S + 3_600, y: 2n * SOL, price: 0.001 },
        { kind: 'close', atS: 9 * DAY_S + 3_600 },
      ],
      { address: addressOf('after the gap') },
    );
    const after = { ...made, events: made.events.map((event) => ({ ...event, slot: event.slot + 10_000_000 })) };
    const pnl = async (progress: Partial<IndexProgress>): Promise<unknown> => {
      const records = recordsOf({ pools: [memeSol], history: [before, after], usdSol: 100, progress });
      const { total_pnl_native } = await records.overview(OWNER, 'meteora');
      return [total_pnl_native['7D'], total_pnl_native['1M']];
    };
    const sevenDays = (7 * DAY_S * 1_000) / 200;
    assert.deepEqual(await pnl({}), [1, 1]);
    assert.deepEqual(await pnl({ prunedBeforeSlot: 10_001_000 - sevenDays }), [1, null]);
    assert.deepEqual(await pnl({ prunedBeforeSlot: 10_000_000 }), [null, null]);
    assert.deepEqual(await pnl({ prunedBeforeSlot: 20_000_000 }), [null, null]);
  });

  it('The past of open positions is read first, and not with each request where the RPC no longer has it', async () => {
    const position = madePosition(memeSol, [{ kind: 'deposit', y: SOL, price: 0.001 }], { complete: false });
    const whole = madePosition(solUsdc, [{ kind: 'create' }, { kind: 'deposit', x: SOL, price: 150 }]);
    const completed: Address[][] = [];
    const records = recordsOf({
      pools: [memeSol, solUsdc],
      history: [position, whole],
      open: [position, whole].map((of) => madeOpenPosition(of)),
      completed,
    });
    await records.opening(OWNER);
    await records.opening(OWNER);
    assert.deepEqual(completed, [[position.address]]);
  });

  it('With public data a history that is not read is begun once open positions have their pools; else it is begun or brought up to date meanwhile', async () => {
    const position = madePosition(memeSol, [{ kind: 'create' }]);
    for (const [state, hasPublicData, first] of [
      ['indexing', true, 'pools'],
      ['indexing', false, 'history'],
      ['current', true, 'history'],
    ] as const) {
      const asked: ('pools' | 'history')[] = [];
      const facts = { pools: [memeSol], history: [position], open: [madeOpenPosition(position)], asked, hasPublicData };
      await recordsOf({ ...facts, progress: { state } }).opening(OWNER);
      assert.equal(asked[0], first);
      assert.equal(asked.filter((what) => what === 'history').length, 1);
    }
  });

  it('Revenue has a row for each day, week or month with a closing, and knows how much was invested', async () => {
    const made = (name: string, from: number, to: number, gain: bigint): IndexedPosition =>
      madePosition(
        memeSol,
        [
          { kind: 'create', atS: from * DAY_S },
          { kind: 'deposit', atS: from * DAY_S, y: 10n * SOL, price: 0.001 },
          { kind: 'withdrawal', atS: to * DAY_S, y: 10n * SOL + gain, price: 0.001 },
          { kind: 'close', atS: to * DAY_S },
        ],
        { address: addressOf(name) },
      );
    const records = recordsOf({
      pools: [memeSol],
      history: [made('a', 0, 2, SOL), made('b', 1, 2, SOL), made('c', 1, 7, -SOL)],
      usdSol: 100,
    });
    const rows = async (period: 'day' | 'week' | 'month', range?: '7D'): Promise<readonly unknown[]> =>
      (await records.revenue({ owner: OWNER, period, range, protocols: undefined })).data.map((row) => [
        ...[
          row.close_day.slice(0, 10),
          row.sum_native,
          row.cumulative_pnl_native,
          row.max_invested_native,
          row.total_invested_native,
          row.pnl_percent,
        ],
      ]);
    assert.deepEqual(await rows('day'), [
      ['2026-03-04', 2, 2, 30, 10, 200 / 3_000],
      ['2026-03-09', -1, 1, 10, 0, -100 / 1_000],
    ]);
    assert.deepEqual(await rows('week'), [
      ['2026-03-02', 2, 2, 30, 10, 200 / 3_000],
      ['2026-03-09', -1, 1, 10, 0, -100 / 1_000],
    ]);
    assert.deepEqual(await rows('month'), [['2026-03-01', 1, 1, 30, 0, 100 / 3_000]]);
    assert.deepEqual(await rows('day', '7D'), [['2026-03-09', -1, -1, 10, 0, -100 / 1_000]]);
    assert.deepEqual((await records.revenue({ owner: OWNER, period: 'day', range: undefined, protocols: ['orca'] })).data, []);
  });
});
