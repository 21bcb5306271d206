import type { Address } from '../../solana/address';
import { LAMPORTS_PER_SOL } from '../../solana/programs';
import type { Chain } from '../chain/types';
import { positionAccount } from './accounts';
import type { Market } from './market';

/** What the owner begins with, whole tokens. */
const OWNER_SOL = 25n;
const OWNER_TOKENS: Readonly<Record<string, number>> = { USDC: 412.37, JUPP: 318.5, BONQ: 1_850_000, MEWO: 4_210 };

/** Makes on a new chain what the market takes for granted: mints, the owner's money, and the accounts of open positions. */
export function fundChain(chain: Chain, market: Market, owner: Address): void {
  for (const { mint, spec } of market.tokens) {
    chain.createMint(mint, spec.decimals);
  }
  chain.setLamports(owner, OWNER_SOL * LAMPORTS_PER_SOL);
  for (const { mint, spec } of market.tokens) {
    const whole = OWNER_TOKENS[spec.key];
    if (whole !== undefined) {
      chain.credit(owner, mint, BigInt(Math.round(whole * 10 ** spec.decimals)));
    }
  }
  for (const position of market.positions) {
    if (position.closed === null) {
      chain.setProgramAccount(position.address, positionAccount(position.pool, position.owner, position.lowerBinId, position.upperBinId));
    }
  }
}
