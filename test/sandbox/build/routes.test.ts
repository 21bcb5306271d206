import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeInstruction, encodeInstruction } from '../../../src/base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../../src/base/solana/jupiterInstructions';
import { associatedTokenAddress, dammVault, dlmmOracle, dlmmReserve } from '../../../src/base/solana/pda';
import { DAMM_POOL_AUTHORITY, PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { parseTransaction, type WireTransaction } from '../../../src/base/solana/wireTransaction';
import { instructionsOf } from '../../../src/sandbox/build/decodedInstruction';
import { buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import { JUPITER_ROUTE, routeSwap, VENUES } from '../../../src/engine/assembly/jupiterRoute';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import { assemble } from '../../../src/engine/assembly/transactions';
import type { SwapHop, SwapPlan } from '../../../src/engine/assembly/types';
import { assertRefused, exchanged, withAccount, withData } from '../../support/sandbox/build/hostile';
import {
  addressOf,
  decreasePlan,
  hop,
  OTHER_MINT,
  OWNER,
  productHop,
  SOL_USDC,
  swapThrough,
  TOKEN_USDC,
} from '../../support/sandbox/build/plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const U64 = fc.bigInt(1n, 2n ** 64n - 1n);

const write = (plan: SwapPlan): WireTransaction =>
  parseTransaction(buildDecrease(decreasePlan(BLOCKHASH, { swaps: [plan] })).swapTransactions[0] ?? new Uint8Array());

/** The place of an account of the second trade; bin arrays follow those of the layout. */
function inSecond(first: SwapHop, second: SwapHop, role: string): number {
  const firstLength = 1 + VENUES[first.type].layout.accounts.length + (first.type === 'bins' ? first.binArrays.length + 1 : 0);
  return JUPITER_ROUTE.accounts.length + firstLength + 1 + VENUES[second.type].layout.accounts.findIndex(({ name }) => name === role);
}

describe('Swaps through the router', function () {
  it('The effects of a routed swap match its plan for all pools', () => {
    const indexes = fc.option(fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { maxLength: 3 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ first: indexes, second: indexes, back: fc.boolean(), inAmount: U64, quotedOut: U64 }),
        ({ first, second, back, inAmount, quotedOut }) => {
          const at = (via: typeof SOL_USDC, sells: 'x' | 'y', binArrays: readonly number[] | undefined): SwapHop =>
            binArrays === undefined ? productHop(via, sells) : hop(via, sells, binArrays);
          const hops = back
            ? [at(TOKEN_USDC, 'x', first), at(SOL_USDC, 'y', second)]
            : [at(SOL_USDC, 'x', first), at(TOKEN_USDC, 'y', second)];
          const [inputMint, outputMint] = back ? [OTHER_MINT, WRAPPED_SOL_MINT] : [WRAPPED_SOL_MINT, OTHER_MINT];
          assert.deepEqual(readEffects(write(swapThrough(hops, inAmount, quotedOut))), [
            {
              kind: 'swap',
              owner: OWNER.address,
              pools: hops.map(({ via }) => via.pool),
              inputMint,
              outputMint,
              inAmount,
              quotedOut,
              minimumOut: (quotedOut * 9_700n) / 10_000n,
            },
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('A route names each venue as the IDL of Jupiter does, with its program and swap accounts', () => {
    const hops = [productHop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y', [0, 1])];
    const [route] = instructionsOf(write(swapThrough(hops, 5n, 7n))).filter(({ program }) => program === PROGRAMS.jupiterV6);
    const layout = JUPITER_INSTRUCTIONS.find(({ name }) => name === 'route');
    assert.ok(route !== undefined && layout !== undefined);
    const step = (kind: string, input_index: number): object => ({
      swap: { kind },
      percent: 100,
      input_index,
      output_index: input_index + 1,
    });
    assert.deepEqual(decodeInstruction(layout, route.data)['route_plan'], [step('MeteoraDammV2', 0), step('MeteoraDlmm', 1)]);

    const { pool, tokenX, tokenY } = SOL_USDC;
    const own = (mint: typeof USDC_MINT): string => associatedTokenAddress(OWNER.address, mint);
    const tail = route.accounts.slice(JUPITER_ROUTE.accounts.length).map(({ address }) => address);
    assert.deepEqual(tail.slice(0, 13), [
      PROGRAMS.dammV2,
      DAMM_POOL_AUTHORITY,
      pool,
      own(tokenX.mint),
      own(tokenY.mint),
      dammVault(pool, tokenX.mint),
      dammVault(pool, tokenY.mint),
      tokenX.mint,
      tokenY.mint,
      OWNER.address,
      PROGRAMS.token,
      PROGRAMS.token,
      PROGRAMS.dammV2,
    ]);
    assert.equal(tail[14], PROGRAMS.dammV2);
    assert.equal(tail[15], PROGRAMS.dlmm);
    assert.equal(tail.length, 15 + 1 + 15 + 2 + 1);
    assert.equal(tail.at(-1), PROGRAMS.jupiterV6, 'the end of the bin arrays');
  });

  const pairs: readonly (readonly [string, readonly [SwapHop, SwapHop]])[] = [
    ['two bin pools', [hop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y', [0])]],
    ['a constant-product and a bin pool', [productHop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y', [0])]],
    ['two constant-product pools', [productHop(SOL_USDC, 'x'), productHop(TOKEN_USDC, 'y')]],
  ];
  for (const [what, there] of pairs) {
    describe(`Rejected routes through ${what}`, () => {
      const written = write(swapThrough(there, 5n, 7n));
      const swapNumbers = there.map(({ type }) => VENUES[type].number);
      const encoded = (
        steps: readonly (readonly [from: number, to: number])[],
        more: { readonly swap?: number; readonly percent?: number } = {},
      ): Uint8Array => {
        const route_plan = steps.map(([input_index, output_index], index) => ({
          swap: swapNumbers[index] ?? 38,
          percent: 100,
          ...more,
          input_index,
          output_index,
        }));
        return encodeInstruction(JUPITER_ROUTE, {
          route_plan,
          in_amount: 5n,
          quoted_out_amount: 7n,
          slippage_bps: 300,
          platform_fee_bps: 0,
        });
      };

      it('A route with a wrong account in either trade is rejected', () => {
        const vaults = there.map(({ type, via }) => (type === 'bins' ? dlmmReserve(via.pool, USDC_MINT) : dammVault(via.pool, USDC_MINT)));
        const oracles = there.flatMap(({ type, via }) => (type === 'bins' ? [dlmmOracle(via.pool)] : []));
        for (const replaced of [associatedTokenAddress(OWNER.address, USDC_MINT), ...vaults, ...oracles]) {
          assertRefused(exchanged(written, replaced, addressOf(99)), /where .+ belongs$/);
        }
      });

      it('A route with a pool that does not own its vaults is rejected', () => {
        for (const { via } of there) {
          assertRefused(exchanged(written, via.pool, addressOf(99)), /where .+ belongs$/);
        }
      });

      it('A route whose trades do not follow from each other is rejected', () => {
        assertRefused(exchanged(written, USDC_MINT, WRAPPED_SOL_MINT), /no token comes up twice$/);
        const mint = there[1].type === 'bins' ? 'token_y_mint' : 'token_b_mint';
        assertRefused(withAccount(written, inSecond(...there, mint), OTHER_MINT), /sells what the one before it bought$/);
      });

      it('A route whose steps are out of sequence or do not trade the full amount is rejected', () => {
        assertRefused(
          withData(written, () => encoded([[0, 1]])),
          /^route has \d+ accounts; it takes \d+$/,
        );
        const steps = [
          [0, 1],
          [1, 2],
        ] as const;
        for (const data of [
          encoded([
            [0, 1],
            [0, 1],
          ]),
          encoded([
            [0, 1],
            [1, 0],
          ]),
          encoded([
            [1, 2],
            [0, 1],
          ]),
          encoded(steps, { percent: 99 }),
        ]) {
          assertRefused(
            withData(written, () => data),
            /written in a way that the sandbox does not carry out$/,
          );
        }
        assertRefused(
          withData(written, () => encoded(steps, { swap: 7 })),
          /^The sandbox does not trade at venue 7 /,
        );
        assertRefused(
          withData(written, () => Uint8Array.of(...encoded(steps), 0)),
          /Bytes follow/,
        );
      });

      it('A route with no trade or with more trades than accounts is rejected', () => {
        assertRefused(
          withData(written, () => encoded([])),
          /^route: /,
        );
        assertRefused(
          withData(written, () =>
            encoded([
              [0, 1],
              [1, 2],
              [2, 3],
            ]),
          ),
          /^route: /,
        );
        assertRefused(
          withData(write(swapThrough([there[0]], 5n, 7n)), () =>
            encoded([
              [0, 1],
              [1, 2],
            ]),
          ),
          /^route has no account for /,
        );
      });

      it('A route that names the other venue is rejected', () => {
        const other = there.map(({ type }) => VENUES[type === 'bins' ? 'product' : 'bins'].number);
        const route_plan = other.map((swap, index) => ({ swap, percent: 100, input_index: index, output_index: index + 1 }));
        const data = encodeInstruction(JUPITER_ROUTE, {
          route_plan,
          in_amount: 5n,
          quoted_out_amount: 7n,
          slippage_bps: 300,
          platform_fee_bps: 0,
        });
        assertRefused(
          withData(written, () => data),
          /^(?:route has|A trade of the route has|Each trade|A swap is of) /,
        );
      });
    });
  }

  it('A route is rejected if its bin arrays are too many, not terminated or not writable', () => {
    const there = [hop(SOL_USDC, 'x'), hop(TOKEN_USDC, 'y', [0])] as const;
    const four = [1, 2, 3, 4];
    for (const hops of [
      [hop(SOL_USDC, 'x', four), there[1]],
      [there[0], hop(TOKEN_USDC, 'y', four)],
    ]) {
      const [bytes] = assemble([routeSwap(OWNER.address, swapThrough(hops, 5n, 7n))], { terms: decreasePlan(BLOCKHASH), version: 0 });
      assertRefused(parseTransaction(bytes ?? new Uint8Array()), /^A trade of the route has no list of at most 3 bin arrays$/);
    }
    const written = write(swapThrough(there, 5n, 7n));
    const afterSecond = inSecond(...there, 'program') + 1;
    assertRefused(withAccount(written, afterSecond, PROGRAMS.token), /^route has to be able to write to account \d+$/);
    assertRefused(withAccount(written, afterSecond + 1, PROGRAMS.token), /^A trade of the route has no list of at most 3 bin arrays$/);
  });
});
