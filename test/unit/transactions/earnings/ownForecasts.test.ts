import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { dammPosition } from '../../../../src/base/solana/pda';
import type { ClosedPosition } from '../../../../src/service/positions';
import type { HistoricalQuery } from '../../../../src/service/service';
import { readOwnForecasts } from '../../../../src/transactions/earnings/ownForecasts';
import type { JournalForecast } from '../../../../src/transactions/journal/forecast';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import { addressOf } from '../../../support/portfolio/fixtures';
import { OWNER } from '../../../support/review/bundles';
import { type Created, landedRecord, zapInCreated, zapOutCreated } from '../../../support/transactions/records';
import { closedPage, closedPosition } from '../../../support/ui/panels/overview/fixtures';

const SOL = 1_000_000_000n;
const MILLI = SOL / 1_000n;
const HOUR_MS = 3_600_000;

/** A thousandth of a SOL an hour, for 30 days. */
const FORECAST: JournalForecast = {
  sigmaPerDay: { value: 0.04, low: 0.03, high: 0.06 },
  outlooks: [1, 720].map((hours) => {
    const lamports = MILLI * BigInt(hours);
    const nothing = { lamports: 0n, lowLamports: 0n, highLamports: 0n };
    return {
      ...{ horizonS: hours * 3_600, timeInRange: { value: 1, low: 1, high: 1 }, loss: nothing, netLamports: lamports },
      fees: { lamports, lowLamports: lamports / 2n, highLamports: 2n * lamports },
    };
  }),
};

const opened = (position: Address | undefined, created: Partial<Created> = {}, forecast: JournalForecast | 'none' = FORECAST) =>
  landedRecord({ ...zapInCreated(0), ...created }, position, [], forecast === 'none' ? undefined : forecast);

/** It lived for five hours and earned 0.8 of what was expected. */
function closed(number: number, part: Partial<ClosedPosition> = {}): ClosedPosition {
  return closedPosition(number, { input: { usd: 150, native: 0.98 }, fee: { usd: undefined, native: 0.004 }, ...part });
}

const addressOfClosed = (number: number): Address => closed(number).address ?? assert.fail();
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
    [...first, ...others.map((number) => opened(addressOfClosed(number)))],
    [position, ...others.map((number) => closed(number))],
  );
  return record !== undefined;
}

describe('Own forecasts', () => {
  it('Forecasts of zap-ins in the journal are compared with the fees that the service reports of positions that have ended', async () => {
    const { record, asked } = await read(
      numbers(8).map((number) => opened(addressOfClosed(number))),
      numbers(30).map((number) => closed(number)),
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
      numbers(7).map((number) => opened(addressOfClosed(number))),
      numbers(7).map((number) => closed(number)),
    );
    assert.deepEqual(few, { record: undefined, asked: [] });
    const many = await read(
      numbers(8).map((number) => opened(addressOfClosed(number))),
      numbers(1_000).map((number) => closed(number)),
    );
    assert.deepEqual([many.record, many.asked.map(({ page }) => page)], [undefined, [1, 2, 3]]);
  });

  it('A position counts only if it was as forecast until it ended, and its figures are not in doubt', async () => {
    const at = addressOfClosed(0);
    const record = opened(at);
    const later = 1_000;
    const zapOut = (shareBps: number) => {
      const created = zapOutCreated(later, shareBps);
      return landedRecord(created.plan.kind === 'zapOut' ? { ...created, plan: { ...created.plan, position: at } } : created, at, ['out']);
    };
    assert.ok(await isCounted([record], closed(0)), 'as forecast');
    assert.ok(await isCounted([record, zapOut(10_000)], closed(0)), 'closed as a whole');
    const others: readonly (readonly [string, readonly OperationRecord[], ClosedPosition])[] = [
      ['a part was withdrawn', [record, zapOut(5_000)], closed(0)],
      ['no forecast', [opened(at, {}, 'none')], closed(0)],
      ['another wallet', [opened(at, { owner: addressOf(77) })], closed(0)],
      ['its address is not known', [opened(undefined)], closed(0)],
      ['more was deposited elsewhere', [record], closed(0, { input: { usd: 1, native: 1.3 } })],
      ['less was deposited', [record], closed(0, { input: { usd: 1, native: 0.7 } })],
      ['the deposit is not known', [record], closed(0, { input: { usd: 1, native: undefined } })],
      ['the fees are not known', [record], closed(0, { fee: { usd: 1, native: undefined } })],
      ['the fees are an estimate', [record], closed(0, { isFeeEstimate: true })],
      ['the figures are in doubt', [record], closed(0, { doubt: 'reported' })],
      ['its end is not known', [record], closed(0, { closedAt: undefined })],
    ];
    for (const [why, records, position] of others) {
      assert.equal(await isCounted(records, position), false, why);
    }
  });

  it('A position of DAMM v2 is found by the mint that its build names; one without a beginning counts from the zap-in on', async () => {
    const nftMint = addressOf(4_000);
    const damm = opened(nftMint, { poolType: 'dammV2' });
    assert.ok(await isCounted([damm], closed(0, { address: dammPosition(nftMint) })));
    const closedAt = new Date(HOUR_MS / 2);
    assert.equal(await isCounted([opened(addressOfClosed(0))], closed(0, { createdAt: undefined, closedAt })), false, 'half an hour');
    assert.ok(await isCounted([opened(addressOfClosed(0))], closed(0, { createdAt: undefined, closedAt: new Date(HOUR_MS) })));
  });
});
