import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { address, type Address } from '../../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import { parseBase64Transaction } from '../../../../src/base/solana/wireTransaction';
import { reviewOperation } from '../../../../src/review/review';
import { costLamports } from '../../../../src/review/spends';
import type { Intent, IntentBase, Review, TransactionGroup } from '../../../../src/review/types';
import { createRpc } from '../../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../../src/base/solana/rpcUrl';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { answerRpc } from '../../../../src/sandbox/rpc/rpc';
import type { MarketPool } from '../../../../src/sandbox/market/types';
import { Reviewer } from '../../../../src/transactions/inspect/reviewer';
import { reentryCosts } from '../../../../src/transactions/rebalance/costs';
import { walletByRpc } from '../../../../src/transactions/rebalance/market';
import { TestWorld } from '../../../support/sandbox/market/engine/testWorld';

const INPUT_LAMPORTS = 500_000_000n;
const SLIPPAGE_BPS = 500;

/** The client of the extension, in front of a world in this process. */
function rpcOf({ world }: TestWorld): SolanaRpc {
  return createRpc({
    url: parseRpcUrl('http://127.0.0.1/rpc'),
    fetch: (_, { body }) => {
      const text = answerRpc(world.rpc, body);
      return Promise.resolve({ status: 200, body: Readable.from([text]) });
    },
  });
}

async function reviewed(
  test: TestWorld,
  intent: Intent,
  groups: readonly (readonly [TransactionGroup, readonly string[]])[],
): Promise<Review> {
  const transactions = groups.flatMap(([group, texts]) =>
    texts.map((text) => ({ group, base64: parseBase64Transaction(text) ?? assert.fail('It is not base64') })),
  );
  const problems: string[] = [];
  const reviewer = new Reviewer(
    { intent, transactions, lastValidBlockHeight: undefined },
    {
      rpc: rpcOf(test),
      policy: () => ({}),
      isSimulating: true,
      nowMs: () => test.now,
      reviewOperation,
      prior: undefined,
      signal: new AbortController().signal,
      log: (problem) => void problems.push(problem),
    },
  );
  const review = await reviewer.review();
  assert.deepEqual(problems, []);
  return review;
}

function baseOf(test: TestWorld, pool: MarketPool): Pick<IntentBase, 'owner' | 'pool' | 'slippageBps' | 'tokenX' | 'tokenY' | 'poolType'> {
  return {
    owner: test.owner,
    pool: pool.address,
    slippageBps: SLIPPAGE_BPS,
    tokenX: pool.tokenX.mint,
    tokenY: pool.tokenY.mint,
    poolType: pool.type === 'bins' ? 'dlmm' : 'dammV2',
  };
}

const blocking = (review: Review): readonly string[] =>
  review.findings.filter(({ verdict }) => verdict === 'block').map(({ rule, message }) => `${rule} ${message}`);

for (const rate of [5_080n, 2_575n, 696n]) {
  describe(`A sandbox in which accounts cost ${rate} lamports a byte`, () => {
    const rent = RentRate.ofLamportsPerByte(rate);
    const test = new TestWorld({ seed: 1, pastHours: 1, rent });
    after(() => test.close());

    const lamportsOf = (at: Address): bigint => test.world.chain.lamports(at);

    it('Its RPC tells that rent', async () => {
      assert.deepEqual(await rpcOf(test).rentRate(), rent);
    });

    it('A zap-in costs what review and estimate say, and a zap-out gives the rent back', async () => {
      const pool = test.world.market.pools.find(({ type }) => type === 'bins') ?? assert.fail('no pool with bins');
      const active = pool.type === 'bins' ? pool.activeBinId : 0;
      // All in SOL, on its side of the active bin, so that no swap hides a lamport; 80 bins are 10 above those that a position includes.
      const isX = pool.tokenX.mint === WRAPPED_SOL_MINT;
      const range = isX ? { fromBinId: active + 1, toBinId: active + 80 } : { fromBinId: active - 80, toBinId: active - 1 };
      const built = test.add(pool, { ...range, input: { mode: 'zap-in', lamports: INPUT_LAMPORTS, percentX: isX ? 1 : 0 } });
      const tokens = { tokenX: pool.tokenX.mint, tokenY: pool.tokenY.mint };
      const { missing } = await walletByRpc(
        { owner: test.owner, pool: pool.address, tokens, range },
        rpcOf(test),
        new AbortController().signal,
      );
      const intent: Intent = {
        ...baseOf(test, pool),
        kind: 'zapIn',
        position: address(built.meta.positionPubKey),
        strategy: 'Spot',
        inputLamports: INPUT_LAMPORTS,
        isSolOnly: true,
        ...range,
      };
      const review = await reviewed(test, intent, [
        ['swap', built.swapTxsWithJito],
        ['add', built.addLiquidityTxsWithJito],
      ]);
      assert.deepEqual(blocking(review), []);
      assert.equal(review.input.facts?.rent?.lamportsPerByte, rate);
      const { spends } = review;
      assert.equal(spends.spentRentLamports, BigInt(missing.binArrays) * rent.binArray);
      const costs = reentryCosts(range, missing);
      assert.equal(costs.parts[0]?.lamports, rent.positionOf(80));

      const before = test.lamports();
      const wrapped = lamportsOf(associatedTokenAddress(test.owner, WRAPPED_SOL_MINT));
      test.landAdd(built);
      assert.equal(lamportsOf(address(built.meta.positionPubKey)), rent.position + 10n * rent.positionPerBinAbove70);
      const gone = before - test.lamports() - (lamportsOf(associatedTokenAddress(test.owner, WRAPPED_SOL_MINT)) - wrapped);
      // The tokens' accounts may exist already; of the input, a few lamports are too few for a share of each bin.
      const most = INPUT_LAMPORTS + costLamports(spends) - (spends.refundableRentLamports - rent.positionOf(80));
      assert.ok(most - gone >= 0n && most - gone < 100n, `${gone} of ${most}`);
      assert.deepEqual(test.world.audit(), []);

      const out = test.decrease(built.meta.positionPubKey, 10_000);
      const zapOut: Intent = {
        ...baseOf(test, pool),
        kind: 'zapOut',
        position: address(built.meta.positionPubKey),
        shareBps: 10_000,
        output: 'allBaseToken',
      };
      assert.deepEqual(
        blocking(
          await reviewed(test, zapOut, [
            ['close', out.closeTxsWithJito],
            ['swap', out.swapTxsWithJito],
          ]),
        ),
        [],
      );
      test.landDecrease(out);
      assert.equal(lamportsOf(address(built.meta.positionPubKey)), 0n);
      assert.deepEqual(test.world.audit(), []);
    });

    it('A position without bins costs what the review says', async () => {
      const pool = test.world.market.pools.find(({ type }) => type === 'product') ?? assert.fail('no pool without bins');
      const built = test.zapIn(pool, INPUT_LAMPORTS);
      const intent: Intent = {
        ...baseOf(test, pool),
        kind: 'zapIn',
        position: address(built.meta.positionPubKey),
        strategy: undefined,
        fromBinId: undefined,
        toBinId: undefined,
        inputLamports: INPUT_LAMPORTS,
        isSolOnly: true,
      };
      const review = await reviewed(test, intent, [
        ['swap', built.swapTxsWithJito],
        ['add', built.addLiquidityTxsWithJito],
      ]);
      assert.deepEqual(blocking(review), []);
      test.landAdd(built);
      assert.equal(lamportsOf(address(built.meta.positionPubKey)), rent.productPosition);
      assert.ok(review.spends.refundableRentLamports >= rent.productPositionWithNft);
      assert.equal((review.spends.refundableRentLamports - rent.productPositionWithNft) % rent.tokenAccount, 0n);
      assert.deepEqual(test.world.audit(), []);
    });
  });
}
