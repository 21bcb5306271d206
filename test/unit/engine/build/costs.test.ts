import assert from 'node:assert/strict';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import type { TokenAccounts } from '../../../../src/engine/assembly/types';
import { additionalCosts, tokensOf } from '../../../../src/engine/build/costs';
import type { Wallet } from '../../../../src/engine/build/ports';
import { addressOf } from '../../../support/sandbox/market/worlds';

const RENT = RentRate.highest;
const FEES = 120_000n;
const X: TokenAccounts = { mint: addressOf('x'), tokenProgram: PROGRAMS.token };
const Y: TokenAccounts = { mint: addressOf('y'), tokenProgram: PROGRAMS.token2022 };
const BETWEEN: TokenAccounts = { mint: addressOf('between'), tokenProgram: PROGRAMS.token };
const POOL = { pool: addressOf('pool'), tokenX: X, tokenY: Y };

function costs(tokens: readonly TokenAccounts[], wallet: Wallet, transactions = 0, tipLamports?: bigint): bigint {
  const tip = tipLamports === undefined ? undefined : { account: addressOf('tip'), lamports: tipLamports };
  return additionalCosts({ tip }, tokens, { wallet, rent: RENT, transactions });
}

function walletWith(...held: readonly string[]): Wallet {
  return { lamports: 0n, balance: ({ mint }) => (held.includes(mint) ? 0n : undefined) };
}

describe('Costs of a build', () => {
  it('The rent of each token account that is missing counts once, by its program', () => {
    const tokens = tokensOf([POOL, POOL], []);
    assert.equal(costs(tokens, walletWith(WRAPPED_SOL_MINT, X.mint, Y.mint)), 0n);
    assert.equal(costs(tokens, walletWith(WRAPPED_SOL_MINT, Y.mint)), RENT.tokenAccount);
    assert.equal(costs(tokens, walletWith(WRAPPED_SOL_MINT, X.mint)), RENT.token2022Account);
  });

  it('The account of a token between two trades of a swap counts as well', () => {
    const hops = [
      { type: 'product' as const, via: { ...POOL, tokenY: BETWEEN }, sells: 'x' as const },
      { type: 'product' as const, via: { ...POOL, tokenX: BETWEEN }, sells: 'x' as const },
    ];
    const tokens = tokensOf([POOL], [{ hops, inAmount: 1n, quotedOut: 1n, slippageBps: 0 }]);
    assert.deepEqual(
      tokens.map(({ mint }) => mint),
      [WRAPPED_SOL_MINT, X.mint, Y.mint, BETWEEN.mint],
    );
    assert.equal(costs(tokens, walletWith(WRAPPED_SOL_MINT, X.mint, Y.mint)), RENT.tokenAccount);
  });

  it('The tip counts once, and the network fee for each transaction', () => {
    assert.equal(costs(tokensOf([POOL], []), walletWith(WRAPPED_SOL_MINT, X.mint, Y.mint), 3, 7n), 7n + 3n * FEES);
  });
});
