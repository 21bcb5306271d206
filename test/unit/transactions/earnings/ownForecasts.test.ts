import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { dammPosition } from '../../../../src/base/solana/pda';
import type { ClosedPosition } from '../../../../src/service/positions';
import type { HistoricalQuery } from '../../../../src/service/service';
import { readOwnForecasts } from '../../../../src/transactions/earnings/ownForecasts';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import { addressOf, OWNER } from '../../../support/portfolio/fixtures';
import { endedAsForecast, forecastZapIn } from '../../../support/transactions/forecasts';
import { landedRecord, zapInCreated, zapOutCreated } from '../../../support/transactions/records';
import { closedPage } from '../../../support/ui/panels/overview/fixtures';

const HOUR_MS = 3_600_000;

const addressOfEnded = (number: number): Address => endedAsForecast(number).address;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

async function read(records: readonly OperationRecord[], positions: readonly ClosedPosition[]) {
  const asked: HistoricalQuery[] = [];
  const record = await readOwnForecasts(
    OWNER,
    { read: () => Promise.resolve({ records, problems: [] }) },
    {
      closedPositions: (query) => {
        asked.push(query);
        return Promise.resolve(closedPage(positions, query));
      },
    },
    AbortSignal.timeout(60_000),
  );
  return { record, asked };
}

/** Eight zap-ins whose positions have ended, all but the first as forecast. Without the first, nothing is said. */
async function isCounted(first: readonly OperationRecord[], position: ClosedPosition): Promise<boolean> {
  const others = numbers(7).map((number) => number + 1);
  const { record } = await read(
    [...first, ...others.map((number) => forecastZapIn(addressOfEnded(number)))],
    [position, ...others.map((number) => endedAsForecast(number))],
  );
  return record !== undefined;
}

describe('Own forecasts', () => {
  it('Forecasts of zap-ins in the journal are compared with the fees that the service reports of positions that have ended', async () => {
    const { record, asked } = await read(
      numbers(8).map((number) => forecastZapIn(addressOfEnded(number))),
      numbers(30).map((number) => endedAsForecast(number)),
    );
    assert.ok(record !== undefined);
    const { count, inside, median, band } = record;
    assert.deepEqual(
      [count, inside, ...[median, band.low, band.high].map((times) => times.toFixed(6))],
      [8, 8, ...Array<string>(3).fill('0.800000')],
    );
    assert.deepEqual(asked, [{ owner: OWNER, from: new Date(0), page: 1, pageSize: 100 }]);
  });

  it('The service is not asked with fewer than eight forecasts, and for 300 closed positions at most', async () => {
    const few = await read(
      numbers(7).map((number) => forecastZapIn(addressOfEnded(number))),
      numbers(7).map((number) => endedAsForecast(number)),
    );
    assert.deepEqual(few, { record: undefined, asked: [] });
    const many = await read(
      numbers(8).map((number) => forecastZapIn(addressOfEnded(number))),
      numbers(1_000).map((number) => endedAsForecast(number)),
    );
    assert.deepEqual([many.record, many.asked.map(({ page }) => page)], [undefined, [1, 2, 3]]);
  });

  it('A position counts only if it was as forecast until it ended, and its figures are not in doubt', async () => {
    const at = addressOfEnded(0);
    const record = forecastZapIn(at);
    const later = 1_000;
    const zapOut = (shareBps: number) => {
      const created = zapOutCreated(later, shareBps);
      return landedRecord(
        created.plan.kind === 'zapOut' ? { ...created, owner: OWNER, plan: { ...created.plan, position: at } } : created,
        at,
        ['out'],
      );
    };
    assert.ok(await isCounted([record], endedAsForecast(0)), 'as forecast');
    assert.ok(await isCounted([record, zapOut(10_000)], endedAsForecast(0)), 'closed as a whole');
    const others: readonly (readonly [string, readonly OperationRecord[], ClosedPosition])[] = [
      ['a part was withdrawn', [record, zapOut(5_000)], endedAsForecast(0)],
      ['no forecast', [landedRecord({ ...zapInCreated(0), owner: OWNER }, at, [])], endedAsForecast(0)],
      ['another wallet', [forecastZapIn(at, { owner: addressOf(77) })], endedAsForecast(0)],
      ['its address is not known', [forecastZapIn(undefined)], endedAsForecast(0)],
      ['more was deposited elsewhere', [record], endedAsForecast(0, { input: { usd: 1, native: 1.3 } })],
      ['less was deposited', [record], endedAsForecast(0, { input: { usd: 1, native: 0.7 } })],
      ['the deposit is not known', [record], endedAsForecast(0, { input: { usd: 1, native: undefined } })],
      ['the fees are not known', [record], endedAsForecast(0, { fee: { usd: 1, native: undefined } })],
      ['the fees are an estimate', [record], endedAsForecast(0, { isFeeEstimate: true })],
      ['the figures are in doubt', [record], endedAsForecast(0, { doubt: 'reported' })],
      ['its end is not known', [record], endedAsForecast(0, { closedAt: undefined })],
    ];
    for (const [why, records, position] of others) {
      assert.equal(await isCounted(records, position), false, why);
    }
  });

  it('A position of DAMM v2 is found by the mint that its build names; one without a beginning counts from the zap-in on', async () => {
    const nftMint = addressOf(4_000);
    const damm = forecastZapIn(nftMint, { poolType: 'dammV2' });
    assert.ok(await isCounted([damm], endedAsForecast(0, { address: dammPosition(nftMint) })));
    const closedAt = new Date(HOUR_MS / 2);
    assert.equal(
      await isCounted([forecastZapIn(addressOfEnded(0))], endedAsForecast(0, { createdAt: undefined, closedAt })),
      false,
      'half an hour',
    );
    assert.ok(
      await isCounted([forecastZapIn(addressOfEnded(0))], endedAsForecast(0, { createdAt: undefined, closedAt: new Date(HOUR_MS) })),
    );
  });
});
