import assert from 'node:assert/strict';
import { BINS_PER_ARRAY } from '../../../../src/base/dlmm/bins';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import type { RawAccount } from '../../../../src/chain/positions/accounts';
import {
  BIN_LAYOUT,
  dlmmContents,
  POSITION_DISCRIMINATOR,
  POSITION_LAYOUT,
  readDlmmPosition,
} from '../../../../src/chain/positions/dlmmAccounts';

const BIN_ARRAY_DISCRIMINATOR = Buffer.from('5c8e5cdc059446b5', 'hex');
/** One whole share, or one unit of fees per share: Q64.64 without its fraction. */
const HIGH_HALF = 8;

function account(data: Buffer): RawAccount {
  return { program: PROGRAMS.dlmm, lamports: 0n, data };
}

/** A position with a thousand shares in bin 0, and its bin array, with their counters of fees per share in X. */
function feesX({ settled, counter, pending }: { readonly settled: bigint; readonly counter: bigint; readonly pending: bigint }): bigint {
  const position = Buffer.alloc(POSITION_LAYOUT.moreBins);
  POSITION_DISCRIMINATOR.copy(position);
  position.writeBigUInt64LE(1_000n, POSITION_LAYOUT.shares + HIGH_HALF);
  position.writeBigUInt64LE(settled, POSITION_LAYOUT.fees + HIGH_HALF);
  position.writeBigUInt64LE(pending, POSITION_LAYOUT.fees + 32);
  const array = Buffer.alloc(BIN_LAYOUT.bins + BINS_PER_ARRAY * BIN_LAYOUT.bytes);
  BIN_ARRAY_DISCRIMINATOR.copy(array);
  array.writeBigUInt64LE(1_000n, BIN_LAYOUT.bins + BIN_LAYOUT.supply + HIGH_HALF);
  array.writeBigUInt64LE(counter, BIN_LAYOUT.bins + BIN_LAYOUT.feeX + HIGH_HALF);
  const read = readDlmmPosition(account(position)) ?? assert.fail();
  return (dlmmContents(read, () => account(array)) ?? assert.fail()).unclaimedFees.x;
}

describe('Unclaimed fees of a DLMM position', () => {
  it('They are what is pending and what was earned since', () => {
    assert.equal(feesX({ settled: 2n, counter: 5n, pending: 7n }), 3_007n);
  });

  it('They are never negative, although the bin array may have been read before the fees were settled', () => {
    assert.equal(feesX({ settled: 5n, counter: 2n, pending: 7n }), 7n);
  });
});
