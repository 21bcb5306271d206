import assert from 'node:assert/strict';
import { type BinCounters, replay, replayOpen, sharesOf, type Snapshot } from '../../../../src/base/insight/replay';

const Q64 = 1n << 64n;

function bin(binId: number, feeX: bigint, supply = 1_000n * Q64): BinCounters {
  return { binId, supply, feeX, feeY: 0n };
}

function at(timeS: number, activeBinId: number, bins: readonly BinCounters[]): Snapshot {
  return { timeS, activeBinId, bins };
}

describe('Insight: replay', () => {
  const position = [{ binId: 1, share: 10n * Q64 }];
  const own = (snapshots: readonly Snapshot[]) => replay({ snapshots, position, isHypothetical: false });
  const would = (snapshots: readonly Snapshot[]) => replay({ snapshots, position, isHypothetical: true });
  const feeX = (answer: ReturnType<typeof replay>): unknown => (answer.known ? answer.feeX : answer.why);

  it('A position earns its share of what the counters grew, also where they wrap around and readings come in any order', () => {
    assert.equal(feeX(own([at(0, 1, [bin(1, 5n * Q64)]), at(9, 1, [bin(1, 12n * Q64)])])), 70n);
    assert.equal(feeX(own([at(9, 1, [bin(1, 4n * Q64)]), at(0, 1, [bin(1, (1n << 128n) - 3n * Q64)])])), 70n);
  });

  it('Readings between the first and the last one change nothing for a position that was there throughout', () => {
    const [first, last] = [at(0, 1, [bin(1, 1n)]), at(9, 1, [bin(1, 3n * Q64 - 7n)])];
    for (const between of [at(4, 1, [bin(1, Q64 + 1n)]), at(4, 1, [])]) {
      assert.equal(feeX(own([first, between, last])), feeX(own([first, last])));
    }
  });

  it('A position that was not there would have had L/(L + l), with the liquidity of each interval', () => {
    const counters = [bin(1, 0n, 90n * Q64), bin(1, 10n * Q64, 90n * Q64), bin(1, 20n * Q64, 190n * Q64)];
    assert.equal(feeX(would(counters.slice(0, 2).map((one, time) => at(time, 1, [one])))), 90n);
    const whole = feeX(would(counters.map((one, time) => at(time, 1, [one]))));
    assert.ok(typeof whole === 'bigint' && whole >= 182n && whole <= 184n, String(whole));
  });

  it('Bins that were empty or not read make it not known, except far from the price where nothing can have been earned', () => {
    assert.equal(feeX(own([at(0, 1, [bin(1, 0n)]), at(9, 1, [])])), 'binsMissing');
    assert.equal(feeX(would([at(0, 1, [bin(1, 0n, 0n)]), at(9, 1, [bin(1, 0n, 5n)])])), 'binsMissing');
    assert.equal(feeX(would([at(0, 1, [bin(1, 0n)]), at(4, 1, []), at(9, 1, [bin(1, 0n)])])), 'binsMissing');
    const away = (growth: bigint) => [at(0, -3, [bin(1, 0n, 0n), bin(2, 0n)]), at(9, -2, [bin(1, 0n, 0n), bin(2, growth)])];
    assert.deepEqual([feeX(would(away(0n))), feeX(would(away(1n)))], [0n, 'binsMissing']);
  });

  it('One reading, or two of the same second, are too few', () => {
    const one = at(5, 1, [bin(1, 0n)]);
    assert.deepEqual([feeX(own([])), feeX(own([one])), feeX(own([one, one]))], Array(3).fill('tooFewSnapshots'));
    assert.equal(feeX(replay({ snapshots: [one, at(9, 1, [])], position: [], isHypothetical: false })), 'noAmount');
  });

  it('What an open position earned counts whole since its liquidity last changed, and before that as if it had been added', () => {
    const readings = [0, 10, 20].map((timeS) => at(timeS, 1, [bin(1, BigInt(timeS) * Q64, 90n * Q64)]));
    const open = (sinceS: number | undefined) => replayOpen(readings, position, sinceS);
    assert.deepEqual(
      [-1, 0, 5, 10, 15, 20, undefined].map((sinceS) => feeX(open(sinceS))),
      [200n, 190n, 190n, 180n, 180n, 180n, 180n],
    );
    assert.deepEqual(
      [-1, 0, 20, undefined].map((sinceS) => open(sinceS).isExact),
      [true, false, false, false],
    );
    const [whole, parts] = [open(-1), open(5)];
    assert.ok(whole.known && parts.known);
    assert.deepEqual([parts.seconds, parts.timeInRange, parts.gaps], [whole.seconds, whole.timeInRange, whole.gaps]);
  });

  it('A planned deposit has one share for each unit of its liquidity, and none in bins with less than a unit', () => {
    const bins = [
      { binId: 0, x: 3, y: 4 },
      { binId: 1, x: 0, y: 0.4 },
    ];
    assert.deepEqual(sharesOf(bins, 100), [{ binId: 0, share: 7n * Q64 }]);
  });

  it('Time in range counts half of an interval in doubt, and long intervals are counted', () => {
    const answer = own([at(0, 1, [bin(1, 0n)]), at(7_200, 2, [bin(1, 0n)]), at(14_401, 2, [bin(1, 0n)])]);
    assert.ok(answer.known);
    assert.deepEqual([answer.timeInRange, answer.seconds, answer.gaps], [3_600 / 14_401, 14_401, 1]);
  });
});
