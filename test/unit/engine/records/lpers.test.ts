import assert from 'node:assert/strict';
import { address } from '../../../../src/base/solana/address';
import { lpersOf, topLpersRecord } from '../../../../src/engine/records/lpers';
import type { ClosedPositionState, OpenPositionState } from '../../../../src/engine/state/positionState';
import type { WirePoolLper } from '../../../../src/engine/wire/pools';
import { mintOf } from '../../../support/chain/dataPools';
import { closedPosition, openPosition } from '../../../support/engine/positionStates';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const [ANN, BOB] = [address(mintOf(1)), address(mintOf(2))];

describe('Liquidity providers of a pool', () => {
  it('Sums are those of all positions of the owner, open and closed', () => {
    const [ann] = lpersOf([open(ANN, 100, 130), closed(ANN, 50, 40)], () => 0, NOW);
    assert.deepEqual(
      [ann?.owner, ann?.total_lp, ann?.total_inflow, ann?.avg_inflow, ann?.total_pnl, ann?.win_lp, ann?.win_rate, ann?.avg_age_hour],
      [ANN, 2, 150, 75, 20, 1, 0.5, 10],
    );
  });

  it('Of an owner with further open positions the number is known, and no sum: it would be too small', () => {
    const [ann, bob] = lpersOf([open(ANN, 100, 130), open(BOB, 1, 1)], (owner) => (owner === ANN ? 240 : 0), NOW);
    assert.equal(ann?.total_lp, 241);
    assert.deepEqual(known(ann), ['owner', 'pool', 'protocol', 'token0', 'token1', 'total_lp']);
    assert.equal(bob?.total_inflow, 1);
  });

  it('Where it is not known whether an owner has more open positions, their number is not known either', () => {
    const [ann] = lpersOf([open(ANN, 100, 130)], () => null, NOW);
    assert.deepEqual(known(ann), ['owner', 'pool', 'protocol', 'token0', 'token1']);
  });

  it('Providers without a known figure come last in both directions, and pages tell how many there are', () => {
    const lpers = lpersOf([open(ANN, 100, 130), open(BOB, 1, 1)], (owner) => (owner === ANN ? null : 0), NOW);
    for (const sortOrder of ['asc', 'desc'] as const) {
      const { data, pagination } = topLpersRecord(lpers, { orderBy: 'total_pnl', sortOrder, page: 1, pageSize: 1 });
      assert.deepEqual(
        [data.map(({ owner }) => owner), pagination],
        [[BOB], { page: 1, pageSize: 1, totalCount: 2, totalPages: 2, hasNextPage: true }],
      );
    }
  });
});

function known(lper: WirePoolLper | undefined): string[] {
  return Object.entries(lper ?? {})
    .flatMap(([name, value]) => (value === null ? [] : [name]))
    .sort();
}

function open(owner: string, input: number, value: number): OpenPositionState {
  return openPosition({ owner, input, value, openedAt: NOW - 10 * HOUR_MS });
}

function closed(owner: string, input: number, output: number): ClosedPositionState {
  return closedPosition({ owner, input, output, openedAt: NOW - 10 * HOUR_MS, closedAt: NOW });
}
