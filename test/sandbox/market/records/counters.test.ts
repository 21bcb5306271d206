import assert from 'node:assert/strict';
import { replay } from '../../../../src/base/insight/replay';
import { passingReadings } from '../../../../src/engine/counters/readings';
import { readCounters } from '../../../../src/service/counters';
import { ParseWarnings } from '../../../../src/service/parsing/records';
import { EngineError } from '../../../../src/engine/engine';
import { poolCounters, recordCounters } from '../../../../src/sandbox/market/records/counters';
import { binPoolOf, HOUR, livelyWorld, poolOf, provide } from '../../../support/sandbox/market/worlds';

describe('Counters of the sandbox', () => {
  it('say what a position earned, to a unit a bin, and pools that were asked for are recorded every 15 minutes', () => {
    const world = livelyWorld(3);
    const { market, chain } = world;
    const pool = binPoolOf(market, 'BONQ-SOL-25');
    const position = provide(world, pool, 500, 'a position');
    const readings = passingReadings();
    const read = () => poolCounters({ market, chain }, readings, pool, { range: undefined, fromS: undefined, toS: undefined, position });
    const holding = () => market.positions.at(position)?.holding ?? assert.fail();
    const feesNow = () => {
      const held = holding();
      return held.type === 'bins' ? pool.feesOf(held) : assert.fail();
    };
    const before = feesNow();
    read();
    let recordedAtS = -Infinity;
    for (let hour = 1; hour <= 6; hour += 1) {
      market.advance(market.now + HOUR / 2);
      recordedAtS = recordCounters({ market, chain }, readings, recordedAtS);
    }
    market.advance(market.now + HOUR / 2);
    // As the client of the service reads them.
    const { snapshots, position: answered = [] } = read();
    const { position: shares, ...recorded } = readCounters({ snapshots, position: answered }, 'data', {
      warnings: new ParseWarnings(),
      nowMs: market.now,
    });
    assert.equal(recorded.snapshots.length, 8);
    const earned = replay({ ...recorded, position: shares, isHypothetical: false });
    assert.ok(earned.known && earned.feeX + earned.feeY > 0n);
    const after = feesNow();
    const bins = BigInt(shares.length);
    for (const [replayed, paid] of [
      [earned.feeX, after.x - before.x],
      [earned.feeY, after.y - before.y],
    ] as const) {
      assert.ok(replayed - paid <= bins && paid - replayed <= bins, `${replayed} and ${paid}`);
    }
  });

  it('are refused for a pool without bins, and for a position that is in another pool', () => {
    const world = livelyWorld(3);
    const source = { market: world.market, chain: world.chain };
    const other = provide(world, poolOf(world.market, 'TRUMPET-USDC-50'), 500, 'elsewhere');
    const asked = { range: undefined, fromS: undefined, toS: undefined };
    const refused = (kind: EngineError['kind'], asking: () => unknown): void =>
      assert.throws(asking, (error) => error instanceof EngineError && error.kind === kind);
    refused('invalid', () =>
      poolCounters(source, passingReadings(), poolOf(world.market, 'JUPP-SOL-DAMM-25'), { ...asked, position: undefined }),
    );
    refused('notFound', () => poolCounters(source, passingReadings(), poolOf(world.market, 'BONQ-SOL-25'), { ...asked, position: other }));
  });
});
