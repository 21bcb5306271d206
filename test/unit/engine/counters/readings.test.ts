import assert from 'node:assert/strict';
import { type CounterReading, type CounterReadings, passingReadings } from '../../../../src/engine/counters/readings';
import { address } from '../../../../src/base/solana/address';
import { MINT, POOL as OTHER } from '../../../support/review/bundles';

const POOL = address(MINT);
const START_S = 1_700_000_000;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const ALL = { fromS: 0, toS: START_S + 100 * DAY_S };
const U128 = 2n ** 128n - 1n;

/** A reading of bins 0 to 9; bin `n` has fees of `n + fees`. */
function reading(afterS: number, fees: bigint, part: Partial<CounterReading> = {}): CounterReading {
  const range = part.range ?? { fromBinId: 0, toBinId: 9 };
  const bins = Array.from({ length: range.toBinId - range.fromBinId + 1 }, (_, place) => {
    const binId = range.fromBinId + place;
    return { binId, supply: U128, feeX: BigInt.asUintN(128, BigInt(binId) + fees), feeY: 0n };
  });
  return { timeS: START_S + afterS, slot: afterS, activeBinId: 5, active: { x: 1n, y: 2n }, range, bins, ...part };
}

describe('Kept readings of counters', () => {
  let readings: CounterReadings;
  beforeEach(() => {
    readings = passingReadings();
  });
  const kept = (range = { fromBinId: 0, toBinId: 9 }, span = ALL): readonly CounterReading[] => readings.between(POOL, range, span);

  it('are as they were read, for each pool apart, and within the time that is asked for', () => {
    const all = [reading(0, 0n), reading(900, 0n), reading(1_800, 7n, { activeBinId: -3, active: { x: U128, y: 0n } })];
    all.forEach((one) => readings.keep(POOL, one));
    readings.keep(address(OTHER), reading(60, 99n));
    assert.deepEqual(kept(), all);
    assert.deepEqual(kept(undefined, { fromS: START_S + 1, toS: START_S + 900 }), [all[1]]);
    assert.deepEqual(
      kept({ fromBinId: 4, toBinId: 20 }).map(({ range, bins }) => [range, bins.length]),
      all.map(() => [{ fromBinId: 4, toBinId: 9 }, 6]),
    );
    assert.deepEqual(kept({ fromBinId: 10, toBinId: 20 }), []);
  });

  it('of an older time than the last one are not kept: the clock of a chain may go back', () => {
    readings.keep(POOL, reading(900, 1n));
    readings.keep(POOL, reading(900, 2n));
    readings.keep(POOL, reading(0, 3n));
    assert.deepEqual(kept(), [reading(900, 1n)]);
  });

  it('have the counters of bins that another reading in between did not cover', () => {
    const [whole, part, again] = [reading(0, 0n), reading(900, 5n, { range: { fromBinId: 8, toBinId: 12 } }), reading(1_800, 5n)];
    [whole, part, again].forEach((one) => readings.keep(POOL, one));
    assert.deepEqual(kept(), [whole, { ...part, range: { fromBinId: 8, toBinId: 9 }, bins: part.bins.slice(0, 2) }, again]);
  });

  it('are one an hour after two days and none after thirty, and those that stay keep their counters', () => {
    const all = Array.from({ length: 32 * 24 * 2 }, (_, number) => reading(number * 1_800, BigInt(number)));
    all.forEach((one) => readings.keep(POOL, one));
    const lastS = all.at(-1)?.timeS ?? 0;
    const left = kept();
    assert.deepEqual(
      left,
      all.filter((one) => left.some(({ timeS }) => timeS === one.timeS)),
    );
    const ages = left.map(({ timeS }) => lastS - timeS);
    assert.ok(Math.max(...ages) < 30 * DAY_S + 6 * HOUR_S);
    assert.equal(ages.filter((age) => age < 2 * DAY_S).length, 2 * 24 * 2);
    const hourly = ages.filter((age) => age > 2 * DAY_S + 6 * HOUR_S).length;
    assert.ok(Math.abs(hourly - 28 * 24) < 10, `${hourly} of older days`);
  }).timeout(20_000);

  it('are evenly fewer in an answer that would be too large, with the first and the last', () => {
    const range = { fromBinId: -700, toBinId: 699 };
    const all = Array.from({ length: 90 }, (_, number) => reading(number * 900, BigInt(number), { range }));
    all.forEach((one) => readings.keep(POOL, one));
    const answered = kept(range);
    assert.ok(answered.length * 1_400 <= 100_000 && answered.length > 60, `${answered.length}`);
    assert.deepEqual([answered[0], answered.at(-1)], [all[0], all.at(-1)]);
  }).timeout(20_000);

  it('remember the pools that clients asked for last', () => {
    const range = { fromBinId: 1, toBinId: 2 };
    readings.ask(POOL, { fromBinId: 0, toBinId: 0 });
    readings.ask(address(OTHER), range);
    readings.ask(POOL, range);
    assert.deepEqual(
      [...readings.asked()],
      [
        [address(OTHER), range],
        [POOL, range],
      ],
    );
  });
});
