import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { base64FromBytes } from '../../../src/base/solana/wireTransaction';
import { dammPosition, dlmmBinArray } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { reviewOperation } from '../../../src/review/review';
import type { Intent, PriceReference, Review, TransactionGroup } from '../../../src/review/types';
import { buildAdd, buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import type { PoolAccounts, SwapPlan } from '../../../src/engine/assembly/types';
import { addressOf, BLOCKHASH, keyOf, MINT, NOW_MS, objections, OWNER, POOL, SHOWN_WITH_USDC, THIEF } from '../../support/review/bundles';
import { DAMM_IN, DAMM_OUT } from '../../support/review/meteoraDrafts';

// What the sandbox builds for constant-product pools, apart from the review, must be what the review takes for it.

const NFT_MINT = addressOf('sandbox NFT');
const SOL = { mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token };
const terms = {
  owner: OWNER,
  blockhash: BLOCKHASH,
  microLamportsPerComputeUnit: 100_000n,
  tip: { account: JITO_TIP_ACCOUNTS[3] ?? POOL, lamports: 1_000_000n },
};

const poolOf = (tokenProgram = PROGRAMS.token, other = SOL): PoolAccounts => ({
  pool: POOL,
  tokenX: { mint: MINT, tokenProgram },
  tokenY: other,
});

function swapIn(via: PoolAccounts, sells: 'x' | 'y', inAmount: bigint): SwapPlan {
  return { hops: [{ type: 'product', via, sells }], inAmount, quotedOut: 9_000_000n, slippageBps: 300 };
}

function review(intent: Intent, ...groups: readonly (readonly [TransactionGroup, readonly Uint8Array[]])[]): Review {
  const transactions = groups.flatMap(([group, list]) => list.map((bytes) => ({ group, base64: base64FromBytes(bytes) })));
  return reviewOperation({ intent, transactions, lastValidBlockHeight: 9, nowMs: NOW_MS });
}

/** At which so much SOL buys what every swap here is quoted to give. */
const priceOf = (lamports: bigint): PriceReference => ({
  inMint: WRAPPED_SOL_MINT,
  inAmountRaw: lamports,
  outMint: MINT,
  outAmountRaw: 9_000_000n,
});

describe('review: bundles of the sandbox for constant-product pools', function () {
  it('The review allows every withdrawal for either name of the position', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        amount,
        amount,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (shareBps, amountX, amountY, newer, byMint, swaps) => {
          const pool = poolOf(newer ? PROGRAMS.token2022 : PROGRAMS.token);
          const built = buildDecrease({
            type: 'product',
            ...terms,
            pool,
            position: dammPosition(NFT_MINT),
            nftMint: NFT_MINT,
            shareBps,
            liquidity: 3n ** 60n,
            amountX,
            amountY,
            slippageBps: 200,
            swaps: swaps ? [swapIn(pool, 'x', 112_500n)] : [],
          });
          const intent: Intent = {
            ...DAMM_OUT,
            position: byMint ? NFT_MINT : dammPosition(NFT_MINT),
            shareBps,
            output: swaps ? 'allBaseToken' : 'both',
          };
          const result = review(intent, ['close', built.closeTransactions], ['swap', built.swapTransactions]);
          assert.deepEqual(objections(result), []);
          assert.deepEqual(
            result.recipients.map(({ role }) => role),
            ['Jito tip'],
          );
          const least = result.minimumOut.filter(({ from }) => from === 'withdrawal');
          const [leastX, leastY] = [(amountX * 9_800n) / 10_000n, (amountY * 9_800n) / 10_000n];
          assert.deepEqual(
            least.map(({ amountRaw }) => amountRaw),
            [leastX, leastY].filter((bound) => bound > 0n),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('The review allows every deposit that the sandbox builds for such pools', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.boolean(), fc.boolean(), (tenthsSwapped, newer, names) => {
        const inputLamports = 2_000_000_000n;
        const pool = poolOf(newer ? PROGRAMS.token2022 : PROGRAMS.token);
        const swapped = (inputLamports * BigInt(tenthsSwapped)) / 10n;
        const built = buildAdd({
          type: 'product',
          ...terms,
          pool,
          positionSeed: keyOf('sandbox NFT').secretKey.slice(0, 32),
          liquidity: 3n ** 60n,
          slippageBps: 200,
          amountX: tenthsSwapped === 0 ? 0n : 8_800_000n,
          amountY: ((inputLamports - swapped) * 100n) / 102n,
          wrapLamports: inputLamports,
          swaps: swapped > 0n ? [swapIn(pool, 'y', swapped)] : [],
        });
        const intent: Intent = {
          ...DAMM_IN,
          position: names ? built.position : built.nftMint,
          inputLamports,
          references: [priceOf(swapped)],
        };
        const result = review(intent, ['swap', built.swapTransactions], ['add', built.addTransactions]);
        assert.deepEqual(objections(result), []);
        assert.ok(result.spends.consumedLamports <= inputLamports);
      }),
      { numRuns: 40 },
    );
  });

  it('The review allows a withdrawal from a pool without SOL through pools of both kinds', () => {
    const pool = poolOf(PROGRAMS.token, { mint: USDC_MINT, tokenProgram: PROGRAMS.token });
    const dollars: PoolAccounts = { pool: addressOf('SOL to USDC'), tokenX: SOL, tokenY: pool.tokenY };
    const toSol = { type: 'bins', via: dollars, sells: 'y', binArrays: [dlmmBinArray(dollars.pool, 0)] } as const;
    const swaps: SwapPlan[] = [
      { hops: [{ type: 'product', via: pool, sells: 'x' }, toSol], inAmount: 5n, quotedOut: 9_000_000n, slippageBps: 300 },
      { hops: [toSol], inAmount: 1_476_000n, quotedOut: 9_000_000n, slippageBps: 300 },
    ];
    const built = buildDecrease({
      type: 'product',
      ...terms,
      pool,
      position: dammPosition(NFT_MINT),
      nftMint: NFT_MINT,
      shareBps: 10_000,
      liquidity: 3n ** 60n,
      amountX: 5n,
      amountY: 1_476_000n,
      slippageBps: 200,
      swaps,
    });
    const result = review(
      { ...DAMM_OUT, position: dammPosition(NFT_MINT), tokenY: USDC_MINT, ...SHOWN_WITH_USDC },
      ['close', built.closeTransactions],
      ['swap', built.swapTransactions],
    );
    assert.deepEqual(objections(result), []);
  });

  it('The review objects to the transactions of the sandbox if the user requested something else', () => {
    const pool = poolOf();
    const position = dammPosition(NFT_MINT);
    const built = buildDecrease({
      type: 'product',
      ...terms,
      pool,
      position,
      nftMint: NFT_MINT,
      shareBps: 10_000,
      liquidity: 3n ** 60n,
      amountX: 5_000n,
      amountY: 6_000n,
      slippageBps: 200,
      swaps: [swapIn(pool, 'x', 112_500n)],
    });
    const against = (intent: Intent): string[] =>
      objections(review(intent, ['close', built.closeTransactions], ['swap', built.swapTransactions]));
    assert.deepEqual(against({ ...DAMM_OUT, position }), []);
    assert.deepEqual(against({ ...DAMM_OUT, position: THIEF }), ['block DAMM-1']);
    assert.ok(against({ ...DAMM_OUT, position, pool: THIEF }).includes('block DAMM-1'));
    assert.deepEqual(against({ ...DAMM_OUT, position, shareBps: 2_500 }), ['confirm DLMM-4']);
    assert.ok(against({ ...DAMM_IN, position }).includes('block DAMM-5'));
  });
});
