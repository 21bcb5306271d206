import assert from 'node:assert/strict';
import type { Overview } from '../../../src/service/overview';
import { CONTRACT, failureOf, OTHER_OWNER, success } from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';

const record = CONTRACT['GET /lp-positions/overview 200'].data;

describe('Overview of an owner', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  async function overviewOf(data: unknown, protocol?: string): Promise<Overview | undefined> {
    service.willAnswer(success(data));
    return service.client().overview({ owner: OTHER_OWNER, ...(protocol === undefined ? {} : { protocol }) });
  }

  it('The overview is requested by owner and protocol', async () => {
    await overviewOf(record);
    await service.client().overview({ owner: OTHER_OWNER, protocol: 'meteora_damm_v2' });
    assert.deepEqual(service.lines, [
      `GET /lp-positions/overview?owner=${OTHER_OWNER}`,
      `GET /lp-positions/overview?owner=${OTHER_OWNER}&protocol=meteora_damm_v2`,
    ]);
  });

  it("The overview of the contract's example is read without warnings", async () => {
    service.willAnswer({ body: CONTRACT['GET /lp-positions/overview 200'] });
    const told: unknown[] = [];
    const overview = await service.client({ onWarnings: (...odd) => void told.push(odd) }).overview({ owner: OTHER_OWNER });
    assert.deepEqual(told, []);
    assert.ok(overview !== undefined);
    assert.equal(overview.owner, OTHER_OWNER);
    assert.deepEqual(overview.totalInflow, { usd: 1586491.3551108437, native: 10585.562828397458 });
    assert.deepEqual(overview.totalPnl['7D'], { usd: -85.02276020207705, native: -0.02289659499999974 });
    assert.deepEqual(overview.winRate.ALL, { usd: 0.533068783068783, native: 0.6835820895522388 });
    assert.deepEqual(overview.closedPositions, { ALL: 1286, '7D': 13, '1M': 515, '3M': 1276, '1Y': 1286, YTD: 1286 });
    assert.deepEqual([overview.totalPositions, overview.openPositions, overview.totalPools], [1294, 8, 188]);
    assert.deepEqual(overview.wonPositions, { usd: 403, native: 229 });
    assert.deepEqual(overview.feeRate, { usd: 0.007889494415163342, native: 0.0078867145152046 });
    assert.deepEqual(overview.monthlyProfitPercent, { usd: 0.4306823066304065, native: 0.5537899372724309 });
    assert.deepEqual(overview.firstActivity, new Date('2025-04-25T01:37:08.000Z'));
    assert.deepEqual(overview.updatedAt, new Date('2025-07-30T17:02:36.000Z'));
  });

  it("The overview of the contract's example has consistent totals", async () => {
    const overview = await overviewOf(record);
    assert.ok(overview !== undefined);
    const { totalPositions, closedPositions, openPositions = Number.NaN, roi, totalPnl, totalInflow } = overview;
    assert.equal(totalPositions, (closedPositions.ALL ?? Number.NaN) + openPositions);
    assert.equal(roi, (totalPnl.ALL.usd ?? Number.NaN) / (totalInflow.usd ?? Number.NaN));
  });

  const inOrca = { ...record, protocol: 'orca', total_lp: '3' };
  for (const [name, data, protocol, expected] of [
    ['a list of one', [record], undefined, 1294],
    ['a list of one for another protocol', [inOrca], undefined, 3],
    ['a list with one for each protocol', [inOrca, record], undefined, 1294],
    ['the same, for a protocol by name', [record, inOrca], 'orca', 3],
  ] as const) {
    it(`The overview is read from ${name}`, async () => {
      assert.equal((await overviewOf(data, protocol))?.totalPositions, expected);
    });
  }

  it('An overview of another protocol than the requested one is ignored', async () => {
    assert.equal(await overviewOf([record], 'meteora_damm_v2'), undefined);
    assert.equal((await overviewOf([record, { ...record, protocol: undefined, total_lp: '3' }], 'meteora_damm_v2'))?.totalPositions, 3);
  });

  for (const [name, answer] of [
    ['an empty list', success([])],
    ['null', success(null)],
    ['404', { status: 404, body: CONTRACT['GET /lp-positions/overview 404'] }],
  ] as const) {
    it(`There is no overview if the answer is ${name}`, async () => {
      service.willAnswer(answer);
      assert.equal(await service.client().overview({ owner: OTHER_OWNER }), undefined);
    });
  }

  it('Reading the overview fails for every other error or malformed answer', async () => {
    service.willAnswer({ status: 400, body: CONTRACT['GET /lp-positions/overview 400'] });
    await failureOf(service.client().overview({ owner: OTHER_OWNER }), 'rejected');
    service.willAnswer(success('none'));
    assert.equal((await failureOf(service.client().overview({ owner: OTHER_OWNER }), 'malformed')).field, 'data');
  });

  for (const [name, total_fee, ALL, week] of [
    ['with texts', { ALL: '12.5', '7D': '3' }, 12.5, 3],
    ['with nulls', { ALL: null, '7D': 3 }, undefined, 3],
    ['that lack some', { ALL: 12.5 }, 12.5, undefined],
    ['that are null', null, undefined, undefined],
    ['that are a plain number', 12.5, 12.5, undefined],
    ['that are a plain text', '12.5', 12.5, undefined],
    ['that are not there', undefined, undefined, undefined],
  ] as const) {
    it(`The overview reads figures by period ${name}`, async () => {
      const overview = await overviewOf({ ...record, total_fee, total_fee_native: total_fee });
      assert.deepEqual(
        [overview?.totalFee.ALL, overview?.totalFee['7D']],
        [
          { usd: ALL, native: ALL },
          { usd: week, native: week },
        ],
      );
    });
  }

  it('Counts are read from numbers or text, and open positions also under their other name', async () => {
    const overview = await overviewOf({ ...record, total_lp: 7, win_lp: 3, closed_lp: 6, opening_lp: undefined, open_lp: '1' });
    assert.deepEqual(
      [overview?.totalPositions, overview?.wonPositions.usd, overview?.closedPositions.ALL, overview?.openPositions],
      [7, 3, 6, 1],
    );
  });

  for (const [how, value] of [
    ['null', null],
    ['not there', undefined],
    ['an empty text', ''],
  ] as const) {
    it(`Counts that are ${how} are unknown, never zero`, async () => {
      const counts = [
        'total_lp',
        'win_lp',
        'win_lp_native',
        'opening_lp',
        'open_lp',
        'total_pool',
        'closed_lp',
        'win_rate',
        'win_rate_native',
      ];
      const overview = await overviewOf({ ...record, ...Object.fromEntries(counts.map((name) => [name, value])) });
      assert.deepEqual(
        [
          overview?.totalPositions,
          overview?.wonPositions,
          overview?.openPositions,
          overview?.totalPools,
          overview?.closedPositions.ALL,
          overview?.winRate.ALL,
        ],
        [undefined, { usd: undefined, native: undefined }, undefined, undefined, undefined, { usd: undefined, native: undefined }],
      );
    });
  }

  it('Win rates are fractions, also if the service reports percentages', async () => {
    const overview = await overviewOf({ ...record, win_rate: { ALL: 60, '7D': 0.6, '1M': 1, '3M': 0 } });
    assert.deepEqual(
      [overview?.winRate.ALL.usd, overview?.winRate['7D'].usd, overview?.winRate['1M'].usd, overview?.winRate['3M'].usd],
      [0.6, 0.6, 1, 0],
    );
  });
});
