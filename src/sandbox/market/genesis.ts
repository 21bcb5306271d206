import type { Address } from '../../base/solana/address';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { Chain } from '../chain/types';
import { rawTokens } from './tokens';
import type { Market, PoolToken } from './types';

/** What the owner begins with, whole tokens. */
const OWNER_SOL = 25;
const OWNER_TOKENS: Readonly<Record<string, number>> = { USDC: 412.37, JUPP: 318.5, BONQ: 1_850_000, MEWO: 4_210 };

/** What part of all SOL the rest of the world has wrapped, so that it can trade. */
const WRAPPED_PART = 2n;

/**
 * Makes a new chain's money: all SOL and the whole supply of every mint belong to the rest of the world, which gives the owner
 * what a newcomer has, and has vaults made for the market's pools. The accounts that take tips have one SOL each. From then on nothing is made: it only moves.
 * @throws RangeError where the chain is not new.
 */
export function foundChain(chain: Chain, market: Market, owner: Address): void {
  const { world, sol } = market;
  const gifts = market.tokens.flatMap((token): readonly (readonly [PoolToken, bigint])[] => {
    const whole = OWNER_TOKENS[token.spec.key];
    return whole === undefined ? [] : [[token, rawTokens(whole, token)]];
  });
  // What the accounts for the tokens cost comes on top: the owner begins with round SOL.
  const ownerLamports = rawTokens(OWNER_SOL, sol) + BigInt(gifts.length) * RENT_LAMPORTS.tokenAccount;
  const tipLamports = BigInt(JITO_TIP_ACCOUNTS.length) * LAMPORTS_PER_SOL;
  const worldLamports = rawTokens(sol.spec.supply, sol) - tipLamports - ownerLamports;
  chain.genesis([
    { address: owner, lamports: ownerLamports },
    { address: world, lamports: worldLamports },
  ]);
  for (const token of market.tokens) {
    if (token.mint === WRAPPED_SOL_MINT) {
      wrap(chain, world, worldLamports / WRAPPED_PART);
    } else {
      const supply = rawTokens(token.spec.supply, token);
      chain.createMint(token.mint, token.spec.decimals, supply, world);
      chain.credit(world, token.mint, supply);
    }
  }
  for (const [{ mint }, amount] of gifts) {
    chain.credit(world, mint, -amount);
    chain.credit(owner, mint, amount);
  }
  market.settleVaults();
}

/** Moves lamports into the holder's account of wrapped SOL. */
function wrap(chain: Chain, holder: Address, lamports: bigint): void {
  chain.setLamports(holder, chain.lamports(holder) - lamports);
  chain.credit(holder, WRAPPED_SOL_MINT, lamports);
}
