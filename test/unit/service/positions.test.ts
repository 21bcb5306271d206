import assert from 'node:assert/strict';
import { rewardsText } from '../../../src/ui/positions/positionRows';
import { positionTooltip } from '../../../src/ui/positions/tooltips';
import { isSame } from '../../../src/portfolio/snapshot';
import { ParseWarnings } from '../../../src/service/parsing/records';
import bs58 from 'bs58';
import { ListedLogs } from '../../../src/service/positionLogs';
import {
  type ClosedPosition,
  type OpenPosition,
  readAllOpenPositions,
  readOpenPositions,
  withdrawablePart,
} from '../../../src/service/positions';
import {
  closedRecord,
  CONTRACT,
  failureOf,
  GP_MINT,
  openRecord,
  OTHER_OWNER,
  OWNER,
  POOL,
  POSITION,
  SOL_MINT,
  success,
} from '../../support/service/given';
import { worthOfRewards } from '../../../src/service/rewards';
import { addressOf } from '../../support/portfolio/fixtures';
import { ScriptedService } from '../../support/service/scriptedService';

const NOW_MS = Date.parse('2025-08-01T04:23:04.000Z');

describe('Positions of an owner', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  async function openOf(...records: readonly unknown[]): Promise<readonly OpenPosition[]> {
    service.willAnswer(success(records));
    return (await service.client({ now: () => NOW_MS }).openPositions(OWNER)).items;
  }

  async function oneOpen(changes: Readonly<Record<string, unknown>>): Promise<OpenPosition> {
    const [position] = await openOf(openRecord(changes));
    assert.ok(position !== undefined);
    return position;
  }

  async function oneClosed(changes: Readonly<Record<string, unknown>>): Promise<ClosedPosition> {
    service.willAnswer(success({ data: [closedRecord(changes)] }));
    const [position] = (await service.client().closedPositions({ owner: OWNER })).items;
    assert.ok(position !== undefined);
    return position;
  }

  describe('Open positions', () => {
    it('Unclaimed rewards are read and shown with their amounts; their worth is known if all prices are', async () => {
      const reward = { token_address: GP_MINT, token_symbol: 'GP', amount: '5', amountAdjusted: 0.5, value: 2, valueNative: 0.1 };
      const position = await oneOpen({
        uncollectedRewards: [reward, { ...reward, token_symbol: 'X*', value: null, amountAdjusted: '7' }, 1],
      });
      const { uncollectedRewards: rewards = [] } = position;
      assert.deepEqual(
        rewards.map(({ token: { symbol }, amount }) => [symbol, amount]),
        [
          ['GP', 0.5],
          ['X*', 7],
        ],
      );
      assert.deepEqual(worthOfRewards(rewards), { usd: undefined, native: 0.2 });
      assert.equal(rewardsText(position, 'en-US'), '0.5 GP + 7 X*');
      assert.match(positionTooltip(position), /Unclaimed rewards: .*GP/);
      assert.equal((await oneOpen({ uncollectedRewards: [] })).uncollectedRewards, undefined);
    });

    it('Two closed positions at one address, which was used again, are both listed', async () => {
      const [first, second] = ['2025-07-01T00:00:00.000Z', '2025-07-02T00:00:00.000Z'].map((closeAt) =>
        closedRecord({ position: POSITION, closeAt, close_At: closeAt }),
      );
      service.willAnswer(success({ data: [second, first, first] }));
      const { items } = await service.client().closedPositions({ owner: OWNER });
      assert.deepEqual(
        items.map(({ address, closedAt }) => [address, closedAt?.getUTCDate()]),
        [
          [POSITION, 2],
          [POSITION, 1],
        ],
      );
    });

    it('An answer that may lack positions says why, in words that this version knows or not', async () => {
      const incompleteOf = async (incomplete: unknown): Promise<unknown> => {
        service.willAnswer({ ...success([]), body: { status: 'success', count: 0, data: [], incomplete } });
        return (await service.client({ now: () => NOW_MS }).openPositions(OWNER)).incomplete;
      };
      const since = new Date(NOW_MS);
      assert.deepEqual(await incompleteOf({ reason: 'indexing', read: 41, left: 59, since: null, message: 'x' }), {
        ...{ reason: 'indexing', readShare: 0.41, since: undefined },
      });
      assert.deepEqual(await incompleteOf({ reason: 'pruned', read: 0, left: 0, since: since.toISOString() }), {
        ...{ reason: 'pruned', readShare: undefined, since },
      });
      assert.deepEqual(await incompleteOf({ reason: 'moon' }), { reason: 'other', readShare: undefined, since: undefined });
      assert.deepEqual(await incompleteOf(true), { reason: 'other', readShare: undefined, since: undefined });
      assert.equal(await incompleteOf(null), undefined);
      assert.equal(await incompleteOf(undefined), undefined);
    });

    it("Open positions are requested by owner, and the contract's example is read in full", async () => {
      service.willAnswer({ body: CONTRACT['GET /lp-positions/opening 200'] });
      const { items, warnings } = await service.client().openPositions(OWNER);
      assert.deepEqual(service.lines, [`GET /lp-positions/opening?owner=${OWNER}`]);
      assert.deepEqual(warnings, []);
      assert.deepEqual(items, [
        {
          key: POSITION,
          id: CONTRACT['GET /lp-positions/opening 200'].data[0]?.id,
          address: POSITION,
          owner: OWNER,
          pool: POOL,
          pairName: 'GP/SOL',
          token0: { address: GP_MINT, symbol: 'GP', name: 'Graphite', decimals: 9 },
          token1: { address: SOL_MINT, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9 },
          protocol: 'meteora',
          poolType: 'dlmm',
          strategy: 'BidAsk',
          lowerBinId: -402,
          upperBinId: -333,
          activeBinId: -381,
          binStepBps: 100,
          inRange: true,
          priceRangeUsd: { lower: 3.1257738735100027, upper: 6.210582680442794, current: 3.8521785290623467 },
          input: { usd: 54754.429180896324, native: 307.6172496731366 },
          output: { usd: 0, native: 0 },
          collectedFee: { usd: 5625.827591325444, native: 31.587863106085184 },
          collectedReward: { usd: 0, native: 0 },
          uncollectedFee: { usd: 5.071210278816663, native: 0.029714046699316238 },
          value: { usd: 50639.07907119099, native: 296.7125947462876 },
          pnl: { usd: 1515.548691898919, native: 20.712922225935518 },
          pnlPercent: { usd: 2.7679015461779115, native: 6.733342245255866 },
          dailyReturn: { usd: 0.0042857830392432185, native: 0.01042582025071876 },
          ageHours: 6.49 * 24,
          createdAt: new Date('2025-07-25T16:23:04.000Z'),
          updatedAt: new Date('2025-08-01T03:35:38.000Z'),
          isFeeEstimate: undefined,
          doubt: undefined,
          amount0: 6134.935664996853,
          amount1: 158.52477100710493,
          withdrawableShare: undefined,
          uncollectedFee0: 1.31917386,
          uncollectedFee1: 0,
          price0Usd: 3.844231933777601,
          price1Usd: 170.66710334453902,
          aprPercent: undefined,
          logs: new ListedLogs([]),
        } satisfies OpenPosition,
      ]);
    });

    for (const [name, body] of [
      ['data is null', { status: 'success', count: 0, data: null }],
      ['data is an empty list', { status: 'success', data: [] }],
      ['the list stands at the top', []],
    ] as const) {
      it(`There are no open positions if ${name}`, async () => {
        service.willAnswer({ body });
        assert.deepEqual(await service.client().openPositions(OWNER), { items: [], warnings: [] });
      });
    }

    it('Open positions are read from a list at the top level', async () => {
      service.willAnswer({ body: [openRecord()] });
      assert.equal((await service.client().openPositions(OWNER)).items[0]?.address, POSITION);
    });

    it('Each position has a key, and an id and address if they are known', async () => {
      const bare = { pairName: 'GP/SOL' };
      const positions = await openOf(
        openRecord({ position: undefined }),
        openRecord({ position: OWNER, id: undefined }),
        { ...bare, id: 'enc:rypted' },
        bare,
      );
      assert.deepEqual(
        positions.map(({ key, id, address }) => [key, id, address]),
        [
          [POSITION, openRecord()['id'], POSITION],
          [OWNER, OWNER, OWNER],
          ['enc:rypted', 'enc:rypted', undefined],
          ['3', undefined, undefined],
        ],
      );
    });

    for (const [name, changes, pairName] of [
      ['both tokens', { pairName: 'BONK/USDC' }, 'BONK/USDC'],
      ['both tokens with a dot between', { pairName: 'BONK · SOL' }, 'BONK/SOL'],
      ['only the base', { pairName: 'GP' }, 'GP/SOL'],
      ['nothing', { pairName: null }, 'GP/SOL'],
      [
        'nothing, with the symbols under other names',
        { pairName: undefined, token0Info: { symbol: 'WIF' }, token1Info: null, tokenName0: undefined, tokenName1: 'USDT' },
        'WIF/USDT',
      ],
      [
        'only the base, and nothing else does',
        { pairName: 'GP', token0Info: null, token1Info: null, tokenName0: null, tokenName1: null },
        'GP/SOL',
      ],
      [
        'no symbol at all',
        { pairName: null, token0Info: null, token1Info: null, tokenName0: null, tokenName1: null, token1: null },
        '31k8…Pygk/?',
      ],
      [
        'no symbol, and no mint either: the address of the position stands for them',
        { pairName: null, token0: null, token1: null, token0Info: null, token1Info: null, tokenName0: null, tokenName1: null },
        'Ep22…mv24',
      ],
      [
        'no symbol, no mint and no position: the address of the pool stands for them',
        {
          pairName: null,
          position: null,
          tokenId: null,
          token0: null,
          token1: null,
          token0Info: null,
          token1Info: null,
          tokenName0: null,
          tokenName1: null,
          pool: POOL,
        },
        '2DeF…riKC',
      ],
      [
        'names of invisible characters only',
        {
          pairName: '\u200b \u202e',
          token0Info: { token_symbol: ' \u200b' },
          token1Info: { token_symbol: '\u2060' },
          tokenName0: null,
          tokenName1: null,
        },
        '31k8…Pygk/SOL',
      ],
    ] as const) {
      it(`A position has a readable pair name if its label names ${name}`, async () => {
        assert.equal((await oneOpen(changes)).pairName, pairName);
      });
    }

    it('The address and decimals of a token are read also from its token record', async () => {
      const info = { token_symbol: 'GP', token_address: GP_MINT, token_decimals: 6 };
      const position = await oneOpen({ token0: null, decimal0: null, token0Info: info });
      assert.deepEqual(position.token0, { address: GP_MINT, symbol: 'GP', name: undefined, decimals: 6 });
    });

    for (const [name, changes, expected] of [
      ['a record of texts', { pnl: { value: '15', valueNative: '0.1', percent: '2', percentNative: '1' } }, [15, 0.1, 2, 1]],
      ['null', { pnl: null }, [undefined, undefined, undefined, undefined]],
      ['missing', { pnl: undefined }, [undefined, undefined, undefined, undefined]],
      ['a number', { pnl: 20, inputValue: 200 }, [20, undefined, 10, undefined]],
      ['a number as text', { pnl: '20', inputValue: '200' }, [20, undefined, 10, undefined]],
      ['in usd', { pnl: { usd: 20 }, inputValue: 0 }, [20, undefined, undefined, undefined]],
      ['without the percentages', { pnl: { value: -5, valueNative: 1 }, inputValue: 50, inputNative: 4 }, [-5, 1, -10, 25]],
    ] as const) {
      it(`The PnL is read if it is ${name}`, async () => {
        const { pnl, pnlPercent } = await oneOpen(changes);
        assert.deepEqual([pnl.usd, pnl.native, pnlPercent.usd, pnlPercent.native], expected);
      });
    }

    for (const [name, changes, expected] of [
      ['value before currentValue', {}, 50639.07907119099],
      ['currentValue where there is no value', { value: null }, 53413.446031254],
      ['currentValue as a number', { value: undefined, currentValue: 12.5 }, 12.5],
      ['value as text', { value: '7.25' }, 7.25],
      ['neither', { value: null, currentValue: null }, undefined],
    ] as const) {
      it(`The value of a position is read from ${name}`, async () => {
        assert.equal((await oneOpen(changes)).value.usd, expected);
      });
    }

    it('A part of a position can be withdrawn if the service says so, and all of it otherwise', async () => {
      for (const [withdrawableShare, part] of [
        [0.25, 0.25],
        ['0', 0],
        [undefined, 1],
        [1.01, 1],
      ] as const) {
        const position = await oneOpen({ withdrawableShare, value: 200, valueNative: 2, current: { amount0Adjusted: 8 } });
        assert.deepEqual([position.value, position.amount0], [{ usd: 200, native: 2 }, 8]);
        const { value, amount0 } = withdrawablePart(position);
        assert.deepEqual([value, amount0], [{ usd: 200 * part, native: 2 * part }, 8 * part]);
      }
    });

    it('Unclaimed fees are read under either spelling', async () => {
      const position = await oneOpen({
        unCollectedFee: null,
        uncollectedFee: '3.5',
        unCollectedFeeNative: undefined,
        uncollectedFeeNative: 0.02,
      });
      assert.deepEqual(position.uncollectedFee, { usd: 3.5, native: 0.02 });
    });

    for (const [name, changes, hours] of [
      ['hours as a number', { ageHour: 5 }, 5],
      ['hours as text', { ageHour: '5.25' }, 5.25],
      ['hours under another name', { age_hour: 7 }, 7],
      ['days', { age: '2.00' }, 48],
      ['the date of creation, which is more exact than days', { age: '0.00', createdAt: '2025-08-01T04:16:04.000Z' }, 7 / 60],
      ['days, where the clock of the service differs', { age: '0.00', createdAt: '2025-08-01T10:16:04.000Z' }, 0],
      ['nothing but the date of creation', { age: null }, 156],
      ['nothing but a date in the future', { age: null, createdAt: '2025-08-02T00:00:00.000Z' }, 0],
      ['nothing', { age: null, createdAt: null }, undefined],
    ] as const) {
      it(`The age of a position is read from ${name}`, async () => {
        assert.equal((await oneOpen(changes)).ageHours, hours);
      });
    }

    for (const [name, changes] of [
      ['null', { range: null, priceRange: null, tickLower: null, tickUpper: null }],
      ['full of nulls', { range: [null, null, null], priceRange: [null, null, null], tickLower: null, tickUpper: null }],
      [
        'missing',
        { range: undefined, priceRange: undefined, tickLower: undefined, tickUpper: undefined, poolInfo: { fee: 1, tickSpacing: 0 } },
      ],
      [
        'all prices there are',
        {
          range: [-443_636, 443_636, -9_163],
          priceRange: [1e-20, 1e22, 1.2],
          tickLower: -443_636,
          tickUpper: 443_636,
          poolInfo: { fee: 1, tickSpacing: 1 },
        },
      ],
    ] as const) {
      it(`A position has no bin range if its range is ${name}, as in DAMM v2`, async () => {
        service.willAnswer(success([openRecord({ protocol: 'meteora_damm_v2', poolInfo: null, ...changes })]));
        const { items, warnings } = await service.client().openPositions(OWNER);
        assert.deepEqual(warnings, []);
        assert.deepEqual(
          items.map(({ poolType, lowerBinId, upperBinId, activeBinId, binStepBps, priceRangeUsd }) => [
            poolType,
            lowerBinId,
            upperBinId,
            activeBinId,
            binStepBps,
            priceRangeUsd,
          ]),
          [['dammV2', undefined, undefined, undefined, undefined, undefined]],
        );
      });
    }

    it('A position has a range status only with the bins that it follows from, and none in DAMM v2', async () => {
      const incomplete = [
        { range: null },
        { range: [null, null, null] },
        { tickLower: null, range: null },
        { tickUpper: null, range: [null, null, 5] },
        { protocol: 'meteora_damm_v2' },
      ];
      for (const inRange of [true, false]) {
        for (const changes of incomplete) {
          assert.equal((await oneOpen({ ...changes, inRange })).inRange, undefined, JSON.stringify(changes));
        }
        assert.equal((await oneOpen({ inRange })).inRange, inRange);
      }
    });

    it('The bins are read from the range if the ticks are missing', async () => {
      const position = await oneOpen({ tickLower: null, tickUpper: undefined });
      assert.deepEqual([position.lowerBinId, position.upperBinId], [-402, -333]);
    });

    for (const [protocol, changes, poolType] of [
      ['meteora', {}, 'dlmm'],
      ['METEORA', {}, 'dlmm'],
      ['meteora_damm_v2', {}, 'dammV2'],
      ['orca', {}, 'other'],
      ['uniswap_v3', {}, 'other'],
      [null, {}, 'dlmm'],
      [null, { tickLower: null, range: null }, 'other'],
    ] as const) {
      it(`The pool type is ${poolType} for protocol ${String(protocol)}${'tickLower' in changes ? ' without bins' : ''}`, async () => {
        assert.equal((await oneOpen({ protocol, ...changes })).poolType, poolType);
      });
    }

    for (const [strategyType, strategy] of [
      ['SpotImBalanced', 'Spot'],
      ['Spot', 'Spot'],
      ['CurveImBalanced', 'Curve'],
      ['BidAskImBalanced', 'BidAsk'],
      [null, undefined],
    ] as const) {
      it(`The strategy is ${String(strategy)} for the strategy type ${String(strategyType)}`, async () => {
        assert.equal((await oneOpen({ strategyType })).strategy, strategy);
      });
    }

    it('Token amounts are computed from raw amounts if nothing else reports them', async () => {
      const position = await oneOpen({ current: { amount0: '6134935664996.8532855', amount1: 1_500_000_000 } });
      assert.deepEqual([position.amount0, position.amount1], [6134.935664996853, 1.5]);
    });

    it('The events of a position are read from its logs', async () => {
      const position = await oneOpen({ logs: [CONTRACT['GET /lp-positions/logs 200'].data[0], 'odd'] });
      const { items, warnings } = position.logs.read();
      assert.deepEqual(
        items.map(({ action, amount0 }) => [action, amount0]),
        [['add_liquidity', 1_000_000_000n]],
      );
      assert.deepEqual([position.logs.count, warnings], [2, [{ path: 'logs[1]', message: 'left out: "odd" is not a record' }]]);
    });

    it('An event names its transaction only by a signature', async () => {
      const [event] = CONTRACT['GET /lp-positions/logs 200'].data;
      const signature = bs58.encode(new Uint8Array(64).fill(7));
      const named = [signature, 'no signature', 'z'.repeat(1_000_000), 7, null].map((given) => ({ ...event, signature: given }));
      const { items, warnings } = (await oneOpen({ logs: [event, ...named] })).logs.read();
      assert.deepEqual(
        items.map((item) => item.signature),
        [undefined, signature, undefined, undefined, undefined, undefined],
      );
      assert.deepEqual(
        warnings.map(({ path }) => path),
        ['logs[2].signature', 'logs[3].signature', 'logs[4].signature'],
      );
    });

    it('A new event changes a position', () => {
      const [event] = CONTRACT['GET /lp-positions/logs 200'].data;
      const read = (...logs: readonly unknown[]) =>
        readOpenPositions([openRecord({ logs })], 'data', { warnings: new ParseWarnings(), nowMs: NOW_MS });
      assert.ok(isSame(read(event), read(event)));
      assert.ok(!isSame(read(event), read(event, event)));
    });

    it('Deeply nested events of a hostile service are neither kept nor compared', () => {
      // Deeper than any stack, if each level were a call.
      const nested: unknown = JSON.parse(`${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`);
      const logs = [nested, { action: nested, amount0: nested, other: nested }, { action: 'add_liquidity', bps: { nested } }];
      const read = () => readOpenPositions([openRecord({ logs })], 'data', { warnings: new ParseWarnings(), nowMs: NOW_MS });
      const [one] = read();
      assert.ok(isSame([one], read()));
      const { items, warnings } = one?.logs.read() ?? {};
      assert.deepEqual(
        items?.map(({ action, bps }) => [action, bps]),
        [['add_liquidity', undefined]],
      );
      assert.deepEqual(
        warnings?.map(({ path }) => path),
        ['logs[0]', 'logs[1].action', 'logs[1].amount0', 'logs[1]', 'logs[2].bps'],
      );
    });

    it('A long list is read like a short one, with the same warnings for each invalid field', async () => {
      const odd = [null, true, -1, 1e300, '', ' ', '12', 'odd', [], {}, [null, 'odd', {}], { value: {} }];
      const changed = Object.keys(openRecord()).flatMap((name) => odd.map((value) => ({ [name]: value })));
      const records = changed.map((changes, index) => openRecord({ position: addressOf(index), tokenId: addressOf(index), ...changes }));
      assert.ok(records.length >= 500);
      const long = new ParseWarnings();
      const short = new ParseWarnings();
      const asLong = await readAllOpenPositions(records, 'data', { warnings: long, nowMs: NOW_MS });
      const asShort = readOpenPositions(records, 'data', { warnings: short, nowMs: NOW_MS });
      assert.ok(asLong.length > 400);
      assert.deepEqual(asLong, asShort);
      assert.deepEqual(long.all(), short.all());
    });

    it('Positions are read as far as possible, and every invalid field is reported as a warning and logged', async () => {
      const told: unknown[] = [];
      const records = [
        'not a record',
        openRecord({
          position: 'nonsense',
          inputValue: 'a lot',
          createdAt: '31/12/2025',
          poolInfo: 'none',
          priceRange: [1, 'x', 3],
          pnl: { value: [] },
          strategyType: 'Wave',
          logs: {},
        }),
        {},
        openRecord({ position: OWNER, tokenId: OWNER }),
        openRecord({ position: OWNER, tokenId: OWNER }),
      ];
      service.willAnswer(success(records));
      const client = service.client({ onWarnings: (endpoint, warnings) => void told.push([endpoint, warnings]) });
      const { items, warnings } = await client.openPositions(OWNER);
      assert.deepEqual(
        items.map(({ key, input, priceRangeUsd, pnl, strategy, value }) => [key, input.usd, priceRangeUsd, pnl.usd, strategy, value.usd]),
        [
          [POSITION, undefined, undefined, undefined, undefined, 50639.07907119099],
          [OWNER, 54754.429180896324, items[1]?.priceRangeUsd, 1515.548691898919, 'BidAsk', 50639.07907119099],
        ],
      );
      assert.deepEqual(warnings, [
        { path: 'data[0]', message: 'left out: "not a record" is not a record' },
        { path: 'data[1].position', message: '"nonsense" is not a Solana address' },
        { path: 'data[1].strategyType', message: '"Wave" is not a strategy' },
        { path: 'data[1].poolInfo', message: '"none" is not a record' },
        { path: 'data[1].inputValue', message: '"a lot" is not a number' },
        { path: 'data[1].pnl.value', message: 'a list is not a number' },
        { path: 'data[1].createdAt', message: '"31/12/2025" is not a date' },
        { path: 'data[1].priceRange[1]', message: '"x" is not a number' },
        { path: 'data[1].logs', message: 'an object is not a list' },
        { path: 'data[2]', message: 'left out: nothing in it says which position it is' },
        { path: 'data', message: `${OWNER} is listed more than once: the first is taken` },
      ]);
      assert.deepEqual(told, [['GET /lp-positions/opening', warnings]]);
    });

    it('The number of warnings for one answer is limited to one hundred and a summary', async () => {
      service.willAnswer(success(Array.from({ length: 150 }, () => 7)));
      const { warnings } = await service.client().openPositions(OWNER);
      assert.equal(warnings.length, 101);
      assert.deepEqual(warnings.at(-1), { path: '', message: 'and 50 more of the kind' });
    });
  });

  it('At most 32,000 positions of a list are read, with a warning', async () => {
    service.willAnswer(success(Array.from({ length: 32_003 }, (_, index) => ({ id: `position ${index}` }))));
    const { items, warnings } = await service.client().openPositions(OWNER);
    assert.equal(items.length, 32_000);
    assert.deepEqual(warnings, [{ path: 'data', message: 'has 32003 records, of which the first 32000 were read' }]);
  });

  describe('Closed positions', () => {
    it('Closed positions are requested by owner, dates and page', async () => {
      service.willAnswer({ body: CONTRACT['GET /lp-positions/historical 200'] });
      const from = new Date('2025-07-01T00:00:00Z');
      const to = new Date('2025-07-31T00:00:00Z');
      await service.client().closedPositions({ owner: OTHER_OWNER, from, to, page: 2, pageSize: 50 });
      await service.client().closedPositions({ owner: OTHER_OWNER });
      assert.deepEqual(service.lines, [
        `GET /lp-positions/historical?owner=${OTHER_OWNER}&from_date=2025-07-01T00%3A00%3A00.000Z&to_date=2025-07-31T00%3A00%3A00.000Z&page=2&limit=50`,
        `GET /lp-positions/historical?owner=${OTHER_OWNER}`,
      ]);
    });

    it("Closed positions of the contract's example are read in full", async () => {
      service.willAnswer({ body: CONTRACT['GET /lp-positions/historical 200'] });
      const { items, ...page } = await service.client().closedPositions({ owner: OTHER_OWNER });
      assert.deepEqual(page, { page: 1, pageSize: 12, totalCount: 1329, totalPages: 111, hasNextPage: true, warnings: [] });
      const [position] = items;
      assert.equal(position?.pairName, 'STARTUP/SOL');
      assert.equal(position.ageHours, 0.00305555555555555556);
      assert.equal(position.strategy, 'Spot');
      assert.deepEqual(position.closedAt, new Date('2025-07-30T16:03:45.000Z'));
      assert.deepEqual(position.fee, { usd: 0, native: 0 });
      assert.deepEqual(position.feePercent, { usd: 0, native: 0 });
      assert.deepEqual(position.audited, { solIn: 0.192444558, solOut: 0.1881064, pnlNative: -0.004338157999999981 });
      assert.deepEqual(position.followed, { owner: OWNER, label: 'cromatoforo', position: '9DJ1vtDHs3x8yQCoPRBwMqFsUQAa7VtufsnoPe11kU2Q' });
    });

    for (const [name, data] of [
      ['a list with pagination', { data: [closedRecord()], pagination: {} }],
      ['a list without', { data: [closedRecord()] }],
      ['the list itself', [closedRecord()]],
    ] as const) {
      it(`Closed positions are read if data is ${name}`, async () => {
        service.willAnswer(success(data));
        const { items, hasNextPage, page, pageSize } = await service.client().closedPositions({ owner: OWNER, page: 3, pageSize: 10 });
        assert.equal(items.length, 1);
        assert.deepEqual([hasNextPage, page, pageSize], [false, 3, 10]);
      });
    }

    const pages = { currentPage: 1, totalPages: 7, totalCount: 61, pageSize: 10 };
    for (const [name, body] of [
      ['beside the list, in data', { status: 'success', data: { data: [closedRecord()], pagination: pages } }],
      ['beside data that is the list', { status: 'success', data: [closedRecord()], pagination: pages }],
      ['beside data that has the list', { status: 'success', data: { data: [closedRecord()] }, pagination: pages }],
      [
        'beside data, where data has an empty one',
        { status: 'success', data: { data: [closedRecord()], pagination: null }, pagination: pages },
      ],
      ['in data, without a record of its own', { status: 'success', data: { data: [closedRecord()], ...pages } }],
      ['beside data, without a record of its own', { status: 'success', data: [closedRecord()], ...pages }],
    ] as const) {
      it(`The pagination of closed positions is read ${name}`, async () => {
        service.willAnswer({ body });
        const { items, ...page } = await service.client().closedPositions({ owner: OWNER, page: 1, pageSize: 10 });
        assert.equal(items.length, 1);
        assert.deepEqual(page, { page: 1, pageSize: 10, totalCount: 61, totalPages: 7, hasNextPage: true, warnings: [] });
      });
    }

    it('An empty page has no next page, whatever the pagination says', async () => {
      service.willAnswer(success({ data: null, pagination: { currentPage: 4, totalPages: 9, pageSize: 10 } }));
      assert.equal((await service.client().closedPositions({ owner: OWNER })).hasNextPage, false);
      service.willAnswer(success({ pagination: { currentPage: 4, totalPages: 9, pageSize: 10 } }));
      assert.equal((await service.client().closedPositions({ owner: OWNER })).hasNextPage, false);
    });

    it('The closing date is read under either name', async () => {
      assert.deepEqual((await oneClosed({ closeAt: undefined })).closedAt, new Date('2025-07-30T16:03:45.000Z'));
      assert.deepEqual(
        (await oneClosed({ close_At: undefined, closeAt: '2025-07-30T16:03:45.000+0000' })).closedAt,
        new Date('2025-07-30T16:03:45.000Z'),
      );
    });

    it('The PnL in SOL is read also if only the plain figure is reported', async () => {
      assert.deepEqual((await oneClosed({ pnl: -0.15 })).pnl, { usd: -0.15, native: -0.0008962342116515531 });
    });

    it('The age of a closed position is computed from its dates if nothing else reports it', async () => {
      assert.equal((await oneClosed({ ageHour: null, age: null, closeAt: '2025-07-30T17:03:34.000Z' })).ageHours, 1);
    });

    it('A closed position without follow information follows no wallet', async () => {
      assert.equal((await oneClosed({ followInfo: null })).followed, undefined);
    });

    it('An answer without a list of closed positions is malformed', async () => {
      service.willAnswer(success({ data: 'none' }));
      const error = await failureOf(service.client().closedPositions({ owner: OWNER }), 'malformed');
      assert.equal(error.field, 'data.data');
    });
  });

  describe('Position events', () => {
    it('Position events are requested by position or by owner', async () => {
      service.willAnswer({ body: CONTRACT['GET /lp-positions/logs 200'] });
      const { items, warnings } = await service.client().positionLogs({ position: POSITION });
      await service.client().positionLogs({ owner: OWNER });
      assert.deepEqual(service.lines, [`GET /lp-positions/logs?position=${POSITION}`, `GET /lp-positions/logs?owner=${OWNER}`]);
      assert.deepEqual(warnings, []);
      assert.deepEqual(items, [
        {
          action: 'add_liquidity',
          owner: OWNER,
          amount0: 1_000_000_000n,
          amount1: 500_000_000n,
          decimals0: 9,
          decimals1: 9,
          price0Usd: 3.844231933777601,
          price1Usd: 170.66710334453902,
          nativePriceUsd: 178.45,
          at: new Date('2025-07-25T16:23:04.000Z'),
          lowerBinId: -402,
          upperBinId: -333,
          bps: 100,
          signature: undefined,
        },
      ]);
    });

    it('Position events are read in other forms, and inexact amounts are left out', async () => {
      service.willAnswer(
        success([
          { action: 'swap', amount0: 12, amount1: '158524771007.10491558', timestamp: 1753876800, nativePrice: null },
          { timestamp: '2025-07-30 12:00:00.000', amount0: 2 ** 60, amount1: -7 },
          { owner: OWNER },
        ]),
      );
      const { items, warnings } = await service.client().positionLogs({ owner: OWNER });
      assert.deepEqual(
        items.map(({ action, amount0, amount1, at }) => [action, amount0, amount1, at?.toISOString()]),
        [
          ['swap', 12n, 158524771007n, '2025-07-30T12:00:00.000Z'],
          ['unknown', undefined, 7n, '2025-07-30T12:00:00.000Z'],
        ],
      );
      assert.deepEqual(
        warnings.map(({ path }) => path),
        ['data[1].amount0', 'data[2]'],
      );
    });
  });

  describe('Revenue', () => {
    it('Revenue is requested by owner, period, time range and protocols', async () => {
      service.willAnswer({ body: CONTRACT['GET /lp-positions/revenue/{owner} 200'] });
      const { items, warnings } = await service
        .client()
        .revenue({ owner: OWNER, period: 'week', range: '1M', protocols: ['meteora', 'orca'] });
      await service.client().revenue({ owner: OWNER });
      assert.deepEqual(service.lines, [
        `GET /lp-positions/revenue/${OWNER}?period=week&range=1M&protocol=meteora%2Corca`,
        `GET /lp-positions/revenue/${OWNER}`,
      ]);
      assert.deepEqual(warnings, []);
      assert.deepEqual(items, [
        {
          day: new Date('2026-03-10T00:00:00.000Z'),
          pnl: { usd: 1500.5, native: 1200.25 },
          invested: { usd: 50000, native: 40000 },
          cumulativePnl: { usd: 1500.5, native: 1200.25 },
          pnlPercent: { usd: 3, native: 3 },
        },
      ]);
    });
  });
});
