import assert from 'node:assert/strict';
import type { ListedPosition } from '../../crash/protocol';
import { Random } from '../../fuzz/random';
import { FAULT_PHASES } from '../../soak/faultPhases';
import { nextJob, type SoakPools } from '../../soak/nextJob';
import { readFaults } from '../../../src/sandbox/http/faultRules';

const DRAWS = 500;
const pool = (name: string) => ({ pool: name, pairName: `${name}/SOL`, bin_step: 20, token0: 'x', token1: 'y' });
const POOLS: SoakPools = { withBins: [pool('BONQ'), pool('WYFF')], withoutBins: [pool('JUPP')] };

function positions(count: number): readonly ListedPosition[] {
  return Array.from({ length: count }, (_, index) => ({
    address: `position ${index}`,
    pool: 'BONQ',
    hasBins: index % 2 === 0,
    inRange: true,
  }));
}

function kindsWith(count: number): ReadonlyMap<string, number> {
  const random = new Random(3);
  const kinds = new Map<string, number>();
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const { kind } = nextJob(random, positions(count), POOLS);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

describe('The work of a soak', () => {
  it('Few positions become more, and many become fewer', () => {
    assert.deepEqual([...kindsWith(0).keys()], ['zapIn']);
    assert.deepEqual([...kindsWith(30).keys()], ['zapOut']);
  });

  it('With a usual number of positions, all kinds of operations occur', () =>
    assert.deepEqual([...kindsWith(7).keys()].sort(), ['rebalance', 'zapIn', 'zapOut']));

  it('Only positions with bins are rebalanced', () => {
    const random = new Random(5);
    const listed = positions(7);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const job = nextJob(random, listed, POOLS);
      assert.ok(job.kind !== 'rebalance' || listed.some(({ address, hasBins }) => address === job.position && hasBins));
    }
  });

  it('The sandbox takes the faults of every phase, and every other phase is calm', () => {
    FAULT_PHASES.forEach(({ name, faults }, index) => {
      assert.equal(readFaults({ faults }).length, faults.length, name);
      assert.equal(faults.length === 0, index % 2 === 0, name);
    });
  });
});
