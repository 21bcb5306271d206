import assert from 'node:assert/strict';
import { buildAdd } from '../../../../src/engine/assembly/buildTransactions';
import { PlanError } from '../../../../src/engine/assembly/types';
import { dlmmBitmapExtension } from '../../../../src/base/solana/pda';
import { isWritable, parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { addPlan, TOKEN_SOL } from '../../../support/sandbox/build/plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
/** Beyond the 512 bin arrays of 70 bins on each side that a pool's own bitmap has. */
const FAR = { fromBinId: 40_000, toBinId: 40_020, activeBinId: 40_010, pool: TOKEN_SOL, swaps: [] };
const INITIALIZE_EXTENSION = '2f9de2b40cf02147';

describe("Bins beyond the pool's own bitmap", () => {
  const extension = dlmmBitmapExtension(TOKEN_SOL.pool);

  for (const bitmapExtension of ['missing', 'exists'] as const) {
    it(`A deposit names the extension of the bitmap, and creates it only if it is missing: ${bitmapExtension}`, () => {
      const [first] = buildAdd(addPlan(BLOCKHASH, { ...FAR, bitmapExtension })).addTransactions;
      const transaction = parseTransaction(first ?? assert.fail());
      const place = transaction.staticKeys.indexOf(extension);
      assert.ok(place >= 0 && isWritable(transaction, place));
      const creates = transaction.instructions.filter(({ data }) => Buffer.from(data).toString('hex') === INITIALIZE_EXTENSION);
      assert.equal(creates.length, bitmapExtension === 'missing' ? 1 : 0);
    });
  }

  it('Without the extension no deposit is written, because the program would refuse it', () => {
    assert.throws(() => buildAdd(addPlan(BLOCKHASH, FAR)), PlanError);
  });
});
