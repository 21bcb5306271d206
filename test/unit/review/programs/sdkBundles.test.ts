import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { address } from '../../../../src/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/solana/programs';
import { bigNumber } from '../../solana/packages';
import { bytesOf, key, keyOf, MINT, objections, OWNER, OWNER_KEY, reviewDrafts, ZAP_IN, type Draft } from '../bundles';
import type { Review } from '../../../../src/review/types';
import { DLMM_POOL, makeDlmmPool } from './dlmmPool';
import { missingPrograms, ProgramVm } from './programVm';
import { connectionTo } from './sdkConnection';
import { dlmmPositionFact } from '../../../../src/review/positionState';

// Wide zap-ins as Meteora's own SDK builds them, on Meteora's own program.

const missing = missingPrograms();
const load = createRequire(join(process.cwd(), 'package.json'));

/** What is used of the SDK. */
interface Sdk {
  readonly create: (connection: unknown, pool: PublicKey, options: unknown) => Promise<SdkPool>;
  readonly StrategyType: { readonly Spot: number };
}
interface SdkPool {
  initializeMultiplePositionAndAddLiquidityByStrategy2(
    keys: (count: number) => Promise<Keypair[]>, x: unknown, y: unknown, strategy: unknown, owner: PublicKey, payer: PublicKey, slippagePercentage: number,
  ): Promise<{ readonly instructionsByPositions: readonly { readonly positionKeypair: Keypair; readonly transactionInstructions: readonly (readonly TransactionInstruction[])[] }[] }>;
}

/** A VM with the pool, in which the user has SOL and both tokens. */
function world(): ProgramVm {
  const vm = new ProgramVm();
  makeDlmmPool(vm, [-4, -3, -2, -1, 0, 1, 2, 3]);
  vm.fund(OWNER);
  vm.putTokens(OWNER, MINT, 10n ** 12n);
  vm.putTokens(OWNER, WRAPPED_SOL_MINT, 10n ** 12n);
  return vm;
}

async function bundleOf(vm: ProgramVm, width: number): Promise<{ readonly positions: readonly Keypair[]; readonly drafts: readonly Draft[]; readonly review: Review }> {
  const sdk = load('@meteora-ag/dlmm') as Sdk;
  // Without the lookup table of its mainnet, which only an RPC can read.
  const pool = await sdk.create(connectionTo(vm), key(DLMM_POOL), { cluster: 'localhost', programId: key(PROGRAMS.dlmm), skipSolWrappingOperation: true });
  const [minBinId, maxBinId] = [-Math.floor(width / 2), width - 1 - Math.floor(width / 2)];
  const keys = async (count: number): Promise<Keypair[]> => Array.from({ length: count }, (_, at) => keyOf(`SDK position ${at}`));
  const amount = bigNumber(100_000_000n);
  const { instructionsByPositions } = await pool.initializeMultiplePositionAndAddLiquidityByStrategy2(keys, amount, amount, { minBinId, maxBinId, strategyType: sdk.StrategyType.Spot }, key(OWNER), key(OWNER), 1);
  const drafts = instructionsByPositions.flatMap(({ positionKeypair, transactionInstructions }) => transactionInstructions.map((instructions): Draft => ({ group: 'add', instructions, signers: [positionKeypair] })));
  const positions = instructionsByPositions.map(({ positionKeypair }) => positionKeypair);
  const intent = { ...ZAP_IN, pool: DLMM_POOL, position: address(positions[0]?.publicKey.toBase58() ?? ''), fromBinId: minBinId, toBinId: maxBinId };
  return { positions, drafts, review: reviewDrafts(intent, drafts) };
}

describe(`review: zap-ins as Meteora's SDK builds them${missing === undefined ? '' : ` (${missing})`}`, function () {
  this.timeout(120_000);
  before(function () {
    if (missing !== undefined) {
      this.skip();
    }
  });

  /** A rebalance, which is how the SDK deposits, is a question (DLMM-9), and so is rent above the policy's bound (RNT-1). */
  const QUESTIONS = ['confirm DLMM-9', 'confirm RNT-1'];

  for (const width of [40, 71, 120, 200, 340]) {
    it(`asks no more about ${width} bins than about a narrow range, and all of it lands in any order`, async () => {
      const vm = world();
      const { positions, drafts, review } = await bundleOf(vm, width);
      assert.equal(positions.length, 1);
      assert.equal(drafts.length > 1, width > 70);
      assert.deepEqual(objections(review).filter((found) => !QUESTIONS.includes(found)), []);
      const rent = 57_406_080n + 779_520n * BigInt(Math.max(width - 70, 0));
      assert.equal(review.spends.refundableRentLamports - BigInt(drafts.length) * 2n * 2_039_280n, rent, 'the rent of the position counts once');
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

  it('refuses a second position, as 500 bins need one', async () => {
    const { positions, review } = await bundleOf(world(), 500);
    assert.equal(positions.length, 2);
    assert.ok(objections(review).includes('block DLMM-1'));
    assert.ok(!objections(review).includes('block BND-5'));
  });
});
