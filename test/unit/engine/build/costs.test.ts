import assert from 'node:assert/strict';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import type { TokenAccounts } from '../../../../src/engine/assembly/types';
import { additionalCosts, type CostedPlan, tokensOf } from '../../../../src/engine/build/costs';
import type { Wallet } from '../../../../src/engine/build/ports';
import { addressOf } from '../../../support/sandbox/market/worlds';

const RENT = RentRate.highest;
const FEES = 120_000n;
const X: TokenAccounts = { mint: addressOf('x'), tokenProgram: PROGRAMS.token };
const Y: TokenAccounts = { mint: addressOf('y'), tokenProgram: PROGRAMS.token2022 };
const BETWEEN: TokenAccounts = { mint: addressOf('between'), tokenProgram: PROGRAMS.token };
const POOL = { pool: addressOf('pool'), tokenX: X, tokenY: Y };

function planOf(given: Partial<CostedPlan> = {}): CostedPlan {
  return { pool: POOL, swaps: [], tip: undefined, ...given };
}

function walletWith(...held: readonly string[]): Wallet {
  return { lamports: 0n, balance: ({ mint }) => (held.includes(mint) ? 0n : undefined) };
}

describe('Costs of a build', () => {
  it('The rent of each token account that is missing counts once, by its program', () => {
    assert.equal(additionalCosts(planOf(), walletWith(WRAPPED_SOL_MINT, X.mint, Y.mint), RENT, 0), 0n);
    assert.equal(additionalCosts(planOf(), walletWith(WRAPPED_SOL_MINT, Y.mint), RENT, 0), RENT.tokenAccount);
    assert.equal(additionalCosts(planOf(), walletWith(WRAPPED_SOL_MINT, X.mint), RENT, 0), RENT.token2022Account);
  });

  it('The account of a token between two trades of a swap counts as well', () => {
    const hops = [
      { type: 'product' as const, via: { ...POOL, tokenY: BETWEEN }, sells: 'x' as const },
      { type: 'product' as const, via: { ...POOL, tokenX: BETWEEN }, sells: 'x' as const },
    ];
    const plan = planOf({ swaps: [{ hops, inAmount: 1n, quotedOut: 1n, slippageBps: 0 }] });
    assert.deepEqual(
      tokensOf(plan).map(({ mint }) => mint),
      [WRAPPED_SOL_MINT, X.mint, Y.mint, BETWEEN.mint],
    );
    assert.equal(additionalCosts(plan, walletWith(WRAPPED_SOL_MINT, X.mint, Y.mint), RENT, 0), RENT.tokenAccount);
  });

  it('The tip counts once, and the network fee for each transaction', () => {
    const wallet = walletWith(WRAPPED_SOL_MINT, X.mint, Y.mint);
    assert.equal(additionalCosts(planOf({ tip: { account: addressOf('tip'), lamports: 7n } }), wallet, RENT, 3), 7n + 3n * FEES);
  });
});
