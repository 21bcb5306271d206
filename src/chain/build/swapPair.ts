import { type Mint, unpackMint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Address } from '../../base/solana/address';
import { readMint } from '../../base/solana/tokenAccount';
import type { BuildToken, SwapPair } from '../../engine/build/ports';
import { EngineError } from '../../engine/engine';
import { addressOf, type ChainAccountInfo, readAccounts } from './accounts';
import { requireNoHooks } from './livePool';
import type { ChainBuildContext } from './operations';
import { PoolRouter } from './poolRoutes';
import { swapPlanner } from './swapSource';

/** Two tokens to swap, by their mints. @throws EngineError if one of them is no token, or has a transfer hook */
export async function swapPairOf(context: ChainBuildContext, sold: Address, bought: Address): Promise<SwapPair> {
  const accounts = await readAccounts(context.rpc, [sold, bought]);
  const sell = tokenOf(sold, accounts.get(sold));
  const buy = tokenOf(bought, accounts.get(bought));
  requireNoHooks({ x: sell, y: buy });
  return { sell, buy, swaps: (terms) => swapPlanner(context, new PoolRouter(context.source, undefined), terms) };
}

function tokenOf(mint: Address, account: ChainAccountInfo | undefined): BuildToken & { readonly mintInfo: Mint } {
  if (account === undefined || readMint({ program: addressOf(account.owner), data: account.data }) === undefined) {
    throw new EngineError('notFound', `There is no token ${mint}`);
  }
  const mintInfo = unpackMint(new PublicKey(mint), account, account.owner);
  return { mint, name: mint, tokenProgram: addressOf(account.owner), decimals: mintInfo.decimals, mintInfo };
}
