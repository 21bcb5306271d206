import { runWithin } from '../../base/http';
import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { type BinRange, uiPriceOfBin } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { associatedTokenAddress, dlmmBinArray } from '../../base/solana/pda';
import { LAMPORTS_PER_SOL, PROGRAMS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import type { SolanaRpc } from '../../rpc/types';
import { type PoolInfo, poolBinStep } from '../../service/poolInfo';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import { exactAmountOf } from '../../service/tokens';
import type { ShownPrices } from '../types';
import { binArraysNeeded, type MissingAccounts, rentBack } from './costs';
import { solText } from '../../base/reasons/reasonWords';
import { notReportedWords } from '../words';

/** Time limit for the RPC to read the wallet's balance and the existing accounts. */
const RPC_BUDGET_MS = 8_000;

/** The tokens of a pool, and the prices by which the review measures swaps. */
export interface PoolTokens {
  readonly tokenX: Address | undefined;
  readonly tokenY: Address | undefined;
  readonly symbolX?: string | undefined;
  readonly symbolY?: string | undefined;
  readonly prices: ShownPrices;
}

/** The wallet's balance and the accounts that a zap-in will find. */
export interface WalletState {
  readonly balanceLamports: bigint;
  readonly missing: MissingAccounts;
}

/** The accounts to read. */
export interface WalletQuestion {
  readonly owner: Address;
  readonly pool: Address;
  readonly tokens: Pick<PoolTokens, 'tokenX' | 'tokenY'>;
  readonly range: BinRange;
}

/**
 * The tokens of a pool and their prices: those of the closed position, which the user approved, or else those of the pool's details, which
 * the user was not shown.
 * @param solUsd US dollars per SOL, for pools without SOL
 */
export function poolTokens({ tokens: [x, y] }: PoolInfo, position: OpenPosition | undefined, solUsd: number | undefined): PoolTokens {
  const [token0, token1] = [position?.token0, position?.token1];
  // Details that name other tokens are ignored.
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

/** Whether a pool's details name other tokens than the position did. */
function namesOtherTokens(
  { tokens: [x, y] }: { readonly tokens: readonly (Pick<PoolInfo['tokens'][number], 'address'> | undefined)[] },
  position: Pick<OpenPosition, 'token0' | 'token1'> | undefined,
): boolean {
  return [[x, position?.token0] as const, [y, position?.token1] as const].some(
    ([one, other]) => other?.address !== undefined && one?.address !== undefined && one.address !== other.address,
  );
}

/** Whether the price of SOL is needed besides those of the pool's tokens. */
export function lacksSolPrice({ tokenX, tokenY, prices }: PoolTokens): boolean {
  return prices.solUsd === undefined && tokenX !== WRAPPED_SOL_MINT && tokenY !== WRAPPED_SOL_MINT;
}

/** The owner's SOL by the service; `undefined` if it doesn't report an exact amount. @throws ServiceError */
export async function solBalanceByService(
  owner: Address,
  service: LiquidityService,
  signal: AbortSignal,
): Promise<{ readonly lamports: bigint | undefined; readonly priceUsd: number | undefined }> {
  const { items } = await service.tokenBalances({ owner, mints: [WRAPPED_SOL_MINT] }, { signal });
  const sol = items.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  return { lamports: sol && exactAmountOf(sol, SOL_DECIMALS), priceUsd: sol?.priceUsd };
}

/** The wallet and the accounts of a zap-in by the RPC. @throws RpcError, and an Error if the answer is incomplete */
export async function walletByRpc(question: WalletQuestion, rpc: SolanaRpc, cancelled: AbortSignal): Promise<WalletState> {
  return runWithin(cancelled, RPC_BUDGET_MS, (signal) => readWallet(question, rpc, signal));
}

async function readWallet({ owner, pool, tokens, range }: WalletQuestion, rpc: SolanaRpc, signal: AbortSignal): Promise<WalletState> {
  // Without an answer the costs are upper bounds.
  const rentRate = rpc.rentRate({ signal }).catch(() => RentRate.highest);
  const mints = mintsOf(tokens);
  const arrays = binArraysNeeded(range).map((index) => dlmmBinArray(pool, index));
  const { value } = await rpc.accounts({ addresses: [owner, ...mints, ...arrays], firstBytes: 0 }, { signal });
  const [wallet, ...others] = value;
  const rent = await rentRate;
  const accounts = mints.map((mint, index) => {
    const program = others[index]?.program ?? PROGRAMS.token;
    return {
      mint,
      address: associatedTokenAddress(owner, mint, program),
      lamports: program === PROGRAMS.token2022 ? rent.token2022Account : rent.tokenAccount,
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
      wrappedSolLamports: wrappedSol === undefined ? rent.tokenAccount : 0n,
      rent,
    },
  };
}

/**
 * The accounts that count as missing without an RPC. Bin arrays around the active bin nearly always exist; token accounts are cheap and
 * count as missing, at the highest rent.
 */
export function missingUnseen(tokens: Pick<PoolTokens, 'tokenX' | 'tokenY'>): MissingAccounts {
  return {
    binArrays: 0,
    tokenAccountLamports: mintsOf(tokens).map(() => RentRate.highest.token2022Account),
    wrappedSolLamports: RentRate.highest.tokenAccount,
    rent: RentRate.highest,
  };
}

function mintsOf({ tokenX, tokenY }: Pick<PoolTokens, 'tokenX' | 'tokenY'>): readonly Address[] {
  return [tokenX, tokenY].flatMap((mint) => (mint === undefined || mint === WRAPPED_SOL_MINT ? [] : [mint]));
}

/** A position has its value in dollars and in SOL, which gives a price of SOL. */
function solPriceOf(position: OpenPosition | undefined): number | undefined {
  const { usd, native } = position?.value ?? {};
  return usd !== undefined && native !== undefined && native > 0 ? usd / native : undefined;
}

/** The prices of a pool's two tokens in US dollars per whole token. */
export interface PairPrices {
  readonly priceXUsd: number;
  readonly priceYUsd: number;
  readonly decimalsX: number;
  readonly decimalsY: number;
}

/** Maximum ratio between the pool's price and that of other markets, or its own a moment ago. */
const MOST_RATIO = 1.1;

/**
 * Whether two prices match the pool's active bin within ten percent and one bin. False also for invalid bins, steps or prices.
 * @param stepBps the pool's bin step in basis points
 */
export function arePricesOfBin(prices: PairPrices, activeBinId: number, stepBps: number): boolean {
  try {
    return arePricesOf(prices, uiPriceOfBin(activeBinId, stepBps, prices.decimalsX, prices.decimalsY), stepBps);
  } catch {
    return false;
  }
}

/**
 * Whether two prices match a pool's price within ten percent and one bin. False also for invalid prices.
 * @param price of a whole token X in whole tokens Y
 * @param stepBps the pool's bin step in basis points; 0 for a pool without bins
 */
export function arePricesOf(
  { priceXUsd, priceYUsd }: Pick<PairPrices, 'priceXUsd' | 'priceYUsd'>,
  price: number,
  stepBps: number,
): boolean {
  const most = MOST_RATIO * (1 + stepBps / WHOLE_BPS);
  const ratio = priceXUsd / priceYUsd / price;
  return ratio <= most && ratio >= 1 / most;
}

// The user approves a rebalance before amount and range of the re-entry are known, by the position as it was shown then. A re-entry that
// differs from that by more than normal market movement needs another approval, even if its transactions have no findings.

/** The re-entry, and the position as shown at the approval of the zap-out. */
export interface ApprovedAndCurrent {
  /** As shown at the approval. */
  readonly position: OpenPosition;
  /** The range of the closed position. */
  readonly before: BinRange;
  readonly lamportsBack: bigint;
  readonly info: PoolInfo;
  readonly activeBinId: number;
  readonly tokens: PoolTokens;
}

/** Maximum ratio between the proceeds and the shown value of the position; as in outcome/measure.ts. */
const MOST_PART = 1.25;
/** Number of bins that the price may move if the bin step is unknown. */
const MOST_BINS = 20;
/**
 * Reasons not to re-enter under the approval of the zap-out, as sentences for the user. All figures come from the service, at two times and
 * from several endpoints: they prove nothing, but the user is asked again if they contradict each other.
 */
export function priceDriftWarnings(found: ApprovedAndCurrent): readonly string[] {
  return [otherTokens(found), tooMuchBack(found), movedFar(found), otherPrice(found)].filter((warning) => warning !== undefined);
}

type DriftWarning = string | undefined;

function otherTokens({ info, position }: ApprovedAndCurrent): DriftWarning {
  return namesOtherTokens(info, position) ? l10n.t('The service names other tokens for the pool than for the position.') : undefined;
}

function tooMuchBack({ position, before, lamportsBack }: ApprovedAndCurrent): DriftWarning {
  const worth = worthSol(position);
  if (worth === undefined) {
    return `${notReportedWords(l10n.t('Value'))} ${l10n.t('What came back cannot be checked.')}`;
  }
  const most = BigInt(Math.ceil(worth * MOST_PART * Number(LAMPORTS_PER_SOL))) + rentBack(before);
  return lamportsBack > most
    ? l10n.t`${solText(lamportsBack)} came back, but the position was shown at ${worth.toFixed(4)} SOL: some may not be from it.`
    : undefined;
}

function movedFar({ position, info, activeBinId }: ApprovedAndCurrent): DriftWarning {
  const { activeBinId: shown } = position;
  if (shown === undefined) {
    return l10n.t('The earlier active bin is unknown, so the new range cannot be checked.');
  }
  const bins = Math.abs(activeBinId - shown);
  const step = position.binStepBps ?? poolBinStep(info);
  const isFar = step === undefined ? bins > MOST_BINS : bins > 1 && (1 + step / WHOLE_BPS) ** bins > MOST_RATIO;
  return isFar ? l10n.t`The active bin is ${activeBinId} now; it was ${shown} when you approved.` : undefined;
}

/** Compares the pool's price with the one by which the review measures swaps. */
function otherPrice({ position, info, activeBinId, tokens: { prices } }: ApprovedAndCurrent): DriftWarning {
  const step = position.binStepBps ?? poolBinStep(info);
  const { decimalsX, decimalsY, priceXUsd, priceYUsd } = prices;
  if (step === undefined || decimalsX === undefined || decimalsY === undefined || priceXUsd === undefined || priceYUsd === undefined) {
    // Without prices the review itself asks about each swap.
    return undefined;
  }
  return arePricesOfBin({ priceXUsd, priceYUsd, decimalsX, decimalsY }, activeBinId, step)
    ? undefined
    : l10n.t('The price and the active bin that you were shown contradict each other.');
}

/** The shown value with fees in SOL, the least by the available figures; `undefined` without figures. */
export function worthSol({ value, uncollectedFee, token0, token1, price0Usd, price1Usd }: OpenPosition): number | undefined {
  const solUsd = token1.address === WRAPPED_SOL_MINT ? price1Usd : token0.address === WRAPPED_SOL_MINT ? price0Usd : undefined;
  const inNative = value.native === undefined ? undefined : value.native + (uncollectedFee.native ?? 0);
  const byUsd =
    value.usd === undefined || solUsd === undefined || !(solUsd > 0) ? undefined : (value.usd + (uncollectedFee.usd ?? 0)) / solUsd;
  const stated = [inNative, byUsd].filter((worth) => worth !== undefined && Number.isFinite(worth) && worth >= 0) as readonly number[];
  return stated.length === 0 ? undefined : Math.min(...stated);
}
