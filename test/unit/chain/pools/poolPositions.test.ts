import assert from 'node:assert/strict';
import { type Address, address } from '../../../../src/base/solana/address';
import type { IndexedPosition } from '../../../../src/chain/index/types';
import type { PoolDetails } from '../../../../src/chain/pools/poolReader';
import { PoolPositionRecords } from '../../../../src/chain/records/poolPositions';
import type { ClosedPositionState } from '../../../../src/engine/state/positionState';
import { mintOf, poolAddressOf } from '../../../support/chain/dataPools';
import { closedPosition } from '../../../support/engine/positionStates';
import { scriptedClient } from '../../../support/chain/scriptedFetch';

const NOW = 1_800_000_000_000;
const POOL = address(poolAddressOf(1));
const OWNER = address(mintOf(1));

describe('chain: records of the positions in a pool', () => {
  it('The sums of an owner with hundreds of closed positions include all of them, and are computed once for several pages', async () => {
    const closed = Array.from({ length: 400 }, (_, place) => indexed(address(mintOf(place))));
    let made = 0;
    const { rpc } = scriptedClient(() => ({ result: [] }));
    const records = new PoolPositionRecords({
      rpc,
      index: { positions: () => closed, progress: () => [], catchUp: () => assert.fail('no owner is named') },
      positions: { openPositions: () => assert.fail('no owner is named'), read: async () => [] },
      states: {
        open: async () => [],
        closed: async (positions) => {
          made += 1;
          return positions.map((position) => closedState(position.address));
        },
      },
      prices: { now: async () => new Map(), at: async () => undefined },
      now: () => NOW,
      log: (line) => assert.fail(line),
    });
    for (const page of [1, 2]) {
      const { data, pagination } = await records.topLpers(details(), {
        ...{ pool: POOL, orderBy: 'total_pnl', sortOrder: 'desc', page, pageSize: 20 },
      });
      assert.equal(pagination.totalCount, 1);
      assert.deepEqual(
        data.map(({ owner, total_lp: count, total_inflow: inflow }) => [owner, count, inflow]),
        page === 1 ? [[OWNER, 400, 400]] : [],
      );
    }
    assert.equal(made, 1);
  });
});

function indexed(position: Address): IndexedPosition {
  return {
    ...{ address: position, pool: POOL, program: 'dlmm', owner: OWNER, range: undefined, strategy: undefined },
    ...{ closed: true, complete: true, hasClaimedRewards: false, events: [] },
  };
}

function details(): PoolDetails {
  return { state: { address: POOL, program: 'dlmm', rawPrice: 1 } } as unknown as PoolDetails;
}

function closedState(position: Address): ClosedPositionState {
  return { ...closedPosition({ owner: OWNER, input: 1, output: 1, openedAt: NOW, closedAt: NOW }), address: position };
}
