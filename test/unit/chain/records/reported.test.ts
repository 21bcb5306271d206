import assert from 'node:assert/strict';
import type { DataPosition } from '../../../../src/chain/dataApi/types';
import { positionOf, withReported } from '../../../../src/chain/records/reported';
import { addressOf } from '../../../support/chain/madeFacts';

const OWNER = addressOf('owner');
const nothing = { x: '0', y: '0', usd: 0, sol: 0 };
const reported: DataPosition = {
  address: addressOf('position'),
  pool: addressOf('pool'),
  lowerBinId: -5,
  upperBinId: 5,
  createdAtS: 1_790_000_000,
  closedAtS: 1_790_000_100,
  isClosed: true,
  deposits: { x: '2', y: '0', usd: 300, sol: 2 },
  withdrawals: nothing,
  fees: nothing,
};
const wallet = { positions: new Map([[reported.address, reported]]), closedSince: 0 };
const indexed = { ...positionOf(reported, OWNER), reported: undefined };

describe('Positions that the public data reports', () => {
  it('A report stands in for a position whose past is not read yet, and for one that the index does not know', () => {
    assert.deepEqual(withReported([indexed], wallet, OWNER), [positionOf(reported, OWNER)]);
    assert.deepEqual(withReported([], wallet, OWNER), [positionOf(reported, OWNER)]);
  });

  it('A report of an address that was used again stands in for none of its positions, so that nothing counts twice', () => {
    const lives = [indexed, indexed];
    assert.deepEqual(withReported(lives, wallet, OWNER), lives);
  });
});
