import assert from 'node:assert/strict';
import type { Keypair } from '@solana/web3.js';
import { address } from '../../../../src/base/solana/address';
import { bytesOf, objections, OWNER, OWNER_KEY, reviewDrafts, type Draft } from '../../../support/review/bundles';
import type { Review } from '../../../../src/review/types';
import { DLMM_POOL } from '../../../support/review/programs/dlmmPool';
import { describeOnPrograms } from '../../../support/programs';
import type { ProgramVm } from '../../../support/review/programs/programVm';
import { sdkBundle, sdkWorld } from '../../../support/review/programs/sdkBundle';
import { dlmmPositionFact } from '../../../../src/review/facts/accounts';

// Wide zap-ins as Meteora's own SDK builds them, on Meteora's own program.

async function bundleOf(
  vm: ProgramVm,
  width: number,
): Promise<{ readonly positions: readonly Keypair[]; readonly drafts: readonly Draft[]; readonly review: Review }> {
  const from = -Math.floor(width / 2);
  const { positions, drafts, intent } = await sdkBundle(vm, from, from + width - 1);
  return { positions, drafts, review: reviewDrafts(intent, drafts) };
}

describeOnPrograms("review: zap-ins as Meteora's SDK builds them", function () {
  this.timeout(120_000);
  /** A rebalance, which is how the SDK deposits, is a question (DLMM-9), and so is rent above the policy's bound (RNT-1). */
  const QUESTIONS = ['confirm DLMM-9', 'confirm RNT-1'];

  for (const width of [40, 71, 120, 200, 340]) {
    it(`The review asks no extra questions about ${width} bins, and the transactions land in any order`, async () => {
      const vm = sdkWorld();
      const { positions, drafts, review } = await bundleOf(vm, width);
      assert.equal(positions.length, 1);
      assert.equal(drafts.length > 1, width > 70);
      assert.deepEqual(
        objections(review).filter((found) => !QUESTIONS.includes(found)),
        [],
      );
      const rent = 57_406_080n + 779_520n * BigInt(Math.max(width - 70, 0));
      assert.equal(
        review.spends.refundableRentLamports - BigInt(drafts.length) * 2n * 2_039_280n,
        rent,
        'the rent of the position counts once',
      );
      for (const draft of [...drafts].reverse()) {
        assert.ok(bytesOf(draft).length <= 1_232);
        const { error, logs } = vm.send(draft.instructions, [OWNER_KEY, ...(draft.signers ?? [])]);
        assert.equal(error, undefined, logs.join('\n'));
      }
      const account = vm.account(address(positions[0]?.publicKey.toBase58() ?? ''));
      const fact = account && dlmmPositionFact(account);
      assert.deepEqual([fact?.owner, fact?.powers, fact?.pool], [OWNER, [], DLMM_POOL]);
    });
  }

  it('The review blocks the second position that a range of 500 bins needs', async () => {
    const { positions, review } = await bundleOf(sdkWorld(), 500);
    assert.equal(positions.length, 2);
    assert.ok(objections(review).includes('block DLMM-1'));
    assert.ok(!objections(review).includes('block BND-5'));
  });
});
