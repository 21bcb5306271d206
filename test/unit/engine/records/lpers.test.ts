import assert from 'node:assert/strict';
import { address } from '../../../../src/base/solana/address';
import { lpersOf, lpersPage, type PositionRecord } from '../../../../src/engine/records/lpers';
import type { PositionFacts } from '../../../../src/engine/records/positionState';
import { closedRecord, openRecord } from '../../../../src/engine/records/positionRecord';
import type { WirePoolLper } from '../../../../src/engine/wire/pools';
import { mintOf, poolAddressOf, SOL } from '../../../support/chain/dataPools';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const [ANN, BOB] = [address(mintOf(1)), address(mintOf(2))];

describe('chain: liquidity providers of a pool', () => {
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
      const { data, pagination } = lpersPage(lpers, { pool: '', orderBy: 'total_pnl', sortOrder, page: 1, pageSize: 1 });
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

function open(owner: string, input: number, value: number): PositionRecord {
  const state = {
    ...{ id: mintOf(3), amounts: { x: 1n, y: 1n }, withdrawableShare: 1, fees: { x: 0n, y: 0n } },
    ...{ value: both(value), fee: both(0), liquidity: '0' },
  };
  return openRecord(facts(owner, input, 0), state, { usd0: 1, usd1: 1, uiPrice: 1, activeBinId: 0 }, NOW, []);
}

function closed(owner: string, input: number, output: number): PositionRecord {
  return closedRecord(facts(owner, input, output), { usd0: 1, usd1: 1, uiPrice: 1, activeBinId: 0 }, NOW, undefined);
}

function facts(owner: string, input: number, output: number): PositionFacts {
  const token = (mint: string): PositionFacts['pool']['token0'] => ({ mint, symbol: 'T', name: 'T', decimals: 6, logo: null });
  return {
    ...{ address: mintOf(3), owner, strategy: null, range: { fromBinId: -1, toBinId: 1 } },
    pool: {
      ...{ address: poolAddressOf(1), protocol: 'meteora', pairName: 'T/T', token0: token(mintOf(4)), token1: token(SOL) },
      bins: { kind: 'bins', stepBps: 10 },
    },
    ...{
      openedAt: NOW - 10 * HOUR_MS,
      updatedAt: NOW,
      input: both(input),
      output: both(output),
      collectedFee: both(0),
      collectedReward: both(0),
    },
  };
}

function both(worth: number): PositionFacts['input'] {
  return { usd: worth, native: worth };
}
