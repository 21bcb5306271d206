import { exactAmountOf } from '../../service/tokens';
import type { PoolInfo } from '../../service/pools';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import type { BinRange } from '../../base/dlmm/bins';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../base/solana/address';
import { associatedTokenAddress, dlmmBinArray } from '../../base/solana/pda';
import { RENT_LAMPORTS, PROGRAMS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { ShownPrices } from '../types';
import { binArraysNeeded, type MissingAccounts } from './costs';

/** How long the RPC may take to say what is in the wallet and which accounts exist. */
const RPC_BUDGET_MS = 8_000;

/** The tokens of a pool, as a zap-in names them, with the prices that the review measures swaps by. */
export interface PoolTokens {
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  readonly symbolX?: string | undefined;
  readonly symbolY?: string | undefined;
  readonly prices: ShownPrices;
}

/** What is in a wallet, and what a zap-in will find there. */
export interface WalletState {
  readonly balanceLamports: bigint;
  readonly missing: MissingAccounts;
}

/** Where to look. */
export interface WalletQuestion {
  readonly owner: Address;
  readonly pool: Address;
  readonly tokens: Pick<PoolTokens, 'tokenX' | 'tokenY'>;
  readonly range: BinRange;
}

/**
 * The tokens of a pool and their prices: as the position had them that is left, for that is what the user was shown and agreed by; where
 * it did not, as the pool's details have them, which the user was not shown.
 * @param solUsd US dollars for one SOL, for pools in which it is not
 */
export function poolTokens({ tokens: [x, y] }: PoolInfo, position: OpenPosition | undefined, solUsd: number | undefined): PoolTokens {
  const [token0, token1] = [position?.token0, position?.token1];
  // Details that name other tokens do not count.
  const [detailsX, detailsY] = namesOtherTokens({ tokens: [x, y] }, position) ? [undefined, undefined] : [x, y];
  return {
    tokenX: token0?.address ?? detailsX?.address,
    tokenY: token1?.address ?? detailsY?.address,
    symbolX: token0?.symbol ?? detailsX?.symbol,
    symbolY: token1?.symbol ?? detailsY?.symbol,
    prices: {
      decimalsX: token0?.decimals ?? detailsX?.decimals,
      decimalsY: token1?.decimals ?? detailsY?.decimals,
      priceXUsd: position?.price0Usd ?? detailsX?.priceUsd,
      priceYUsd: position?.price1Usd ?? detailsY?.priceUsd,
      solUsd: solUsd ?? solPriceOf(position),
    },
  };
}

/** Whether a pool's details name other tokens than the position in it did. */
export function namesOtherTokens(
  { tokens: [x, y] }: { readonly tokens: readonly (Pick<PoolInfo['tokens'][number], 'address'> | undefined)[] },
  position: Pick<OpenPosition, 'token0' | 'token1'> | undefined,
): boolean {
  return [[x, position?.token0] as const, [y, position?.token1] as const].some(
    ([one, other]) => other?.address !== undefined && one?.address !== undefined && one.address !== other.address,
  );
}

/** Whether the price of SOL is to be asked for, besides those of the pool's tokens. */
export function lacksSolPrice({ tokenX, tokenY, prices }: PoolTokens): boolean {
  return prices.solUsd === undefined && tokenX !== WRAPPED_SOL_MINT && tokenY !== WRAPPED_SOL_MINT;
}

/** What the service says of the owner's SOL; `undefined` for what it does not say exactly. @throws ServiceError */
export async function solOf(
  owner: Address,
  service: LiquidityService,
  signal: AbortSignal,
): Promise<{ readonly lamports: bigint | undefined; readonly priceUsd: number | undefined }> {
  const { items } = await service.tokenBalances({ owner, mints: [WRAPPED_SOL_MINT] }, { signal });
  const sol = items.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  return { lamports: sol && exactAmountOf(sol, SOL_DECIMALS), priceUsd: sol?.priceUsd };
}

/** What the RPC says of the wallet and of the accounts that a zap-in needs. @throws RpcError, and where it does not say all. */
export async function walletByRpc(
  { owner, pool, tokens, range }: WalletQuestion,
  rpc: SolanaRpc,
  cancelled: AbortSignal,
): Promise<WalletState> {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(RPC_BUDGET_MS)]);
  const mints = mintsOf(tokens);
  const arrays = binArraysNeeded(range).map((index) => dlmmBinArray(pool, index));
  const { value } = await rpc.accounts({ addresses: [owner, ...mints, ...arrays], firstBytes: 0 }, { signal });
  const [wallet, ...others] = value;
  const accounts = mints.map((mint, index) => {
    const program = others[index]?.program ?? PROGRAMS.token;
    return {
      mint,
      address: associatedTokenAddress(owner, mint, program),
      lamports: program === PROGRAMS.token2022 ? RENT_LAMPORTS.token2022Account : RENT_LAMPORTS.tokenAccount,
    };
  });
  const wrapped = associatedTokenAddress(owner, WRAPPED_SOL_MINT);
  const found = await rpc.accounts({ addresses: [wrapped, ...accounts.map(({ address }) => address)], firstBytes: 0 }, { signal });
  const [wrappedSol, ...tokenAccounts] = found.value;
  return {
    balanceLamports: wallet?.lamports ?? 0n,
    missing: {
      binArrays: others.slice(mints.length).filter((account) => account === undefined).length,
      tokenAccountLamports: accounts.filter((_, index) => tokenAccounts[index] === undefined).map(({ lamports }) => lamports),
      wrappedSolLamports: wrappedSol === undefined ? RENT_LAMPORTS.tokenAccount : 0n,
    },
  };
}

/**
 * What counts as missing without an RPC: bin arrays around the active bin nearly always exist; token accounts are small, and count as
 * missing.
 */
export function missingUnseen(tokens: Pick<PoolTokens, 'tokenX' | 'tokenY'>): MissingAccounts {
  return {
    binArrays: 0,
    tokenAccountLamports: mintsOf(tokens).map(() => RENT_LAMPORTS.token2022Account),
    wrappedSolLamports: RENT_LAMPORTS.tokenAccount,
  };
}

function mintsOf({ tokenX, tokenY }: Pick<PoolTokens, 'tokenX' | 'tokenY'>): readonly Address[] {
  return [tokenX, tokenY].flatMap((mint) => (mint === undefined || mint === WRAPPED_SOL_MINT ? [] : [mint]));
}

/** A position shows its worth in dollars and in SOL: that is a price of SOL too. */
function solPriceOf(position: OpenPosition | undefined): number | undefined {
  const { usd, native } = position?.value ?? {};
  return usd !== undefined && native !== undefined && native > 0 ? usd / native : undefined;
}
