import { BINS_PER_DEFAULT_POSITION, binArraysOf, MAX_BINS_PER_POSITION } from '../../dlmm/bins';
import type { Address } from '../../solana/address';
import { formatRaw, lamportsToSol } from '../../solana/amounts';
import { base64FromBytes } from '../../solana/base64Transaction';
import { RENT_LAMPORTS } from '../../solana/programs';
import { buildAdd } from '../build/buildAdd';
import { buildDecrease } from '../build/buildDecrease';
import { PlanError } from '../build/types';
import type { Chain } from '../chain/types';
import { EngineError, type AddParameters, type DecreaseParameters } from '../engine';
import type { WireAdd, WireDecrease } from '../wire/transactions';
import type { Issued } from './issued';
import type { Market } from './market';
import type { Pool, PoolToken } from './pool';
import type { Amounts, PositionState } from './position';
import type { Route } from './quotes';
import { binsOfSlippage, buildTerms, poolAccounts, sideCosts, swapPlans } from './terms';
import { zapInPlan, type ZapIn } from './zapInPlan';
import { expectedOut, swapsAfter } from './zapOutPlan';

/** Amounts on the chain are below this: unsigned numbers of 64 bits. */
const MOST_RAW = 2 ** 64;

/** What building needs. */
export interface Workshop {
  readonly market: Market;
  readonly chain: Chain;
  readonly issued: Issued;
  readonly random: (byteCount: number) => Uint8Array;
}

/** Builds the transactions of a withdrawal, and remembers them. */
export function decreaseTransactions(shop: Workshop, pool: Pool, position: PositionState, parameters: DecreaseParameters): WireDecrease {
  const { market, chain } = shop;
  const { owner, bps, slippageBps, output } = parameters;
  const { liquidity, fees } = expectedOut(pool, position, bps);
  const swaps = swapsAfter(market, pool, output, { x: liquidity.x + fees.x, y: liquidity.y + fees.y });
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const { closeTransactions, swapTransactions } = planned(() =>
    buildDecrease({
      ...buildTerms(owner, blockhash, shop.issued.number),
      pool: poolAccounts(pool),
      position: position.address,
      fromBinId: position.lowerBinId,
      toBinId: position.upperBinId,
      shareBps: bps,
      swaps: swapPlans(swaps, slippageBps),
    }),
  );
  const all = [...closeTransactions, ...swapTransactions];
  requireLamports(shop, owner, sideCosts(chain, owner, tokensOf(pool, swaps), all.length));
  const allowed = binsOfSlippage(slippageBps, pool.spec.binStepBps);
  shop.issued.add({ kind: 'decrease', owner, strategy: null, activeBinId: pool.activeBinId, binsOfSlippage: allowed }, all);
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    closeTxs: [],
    swapTxs: [],
    closeTxsWithJito: closeTransactions.map(base64FromBytes),
    swapTxsWithJito: swapTransactions.map(base64FromBytes),
  };
}

/** Builds the transactions of an entry with a new position, and remembers them. */
export function addTransactions(shop: Workshop, pool: Pool, parameters: AddParameters): WireAdd {
  const { market, chain } = shop;
  const { owner, strategy, fromBinId, toBinId, slippageBps, input } = parameters;
  checkRange(fromBinId, toBinId);
  const zap = input.mode === 'zap-in' ? zapInPlan(market, pool, input.lamports, input.percentX) : withoutSwaps(market, pool, input);
  checkSides(pool, parameters, zap.deposit);
  const wrapLamports = input.mode === 'zap-in' ? input.lamports : solOf(market, pool, zap.deposit);
  const missingBinArrayIndexes = binArraysOf(fromBinId, toBinId).filter((index) => !pool.state.binArrays.includes(index));
  const allowed = binsOfSlippage(slippageBps, pool.spec.binStepBps);
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  const built = planned(() =>
    buildAdd({
      ...buildTerms(owner, blockhash, shop.issued.number),
      pool: poolAccounts(pool),
      binStepBps: pool.spec.binStepBps,
      positionSeed: shop.random(32),
      strategy,
      fromBinId,
      toBinId,
      activeBinId: pool.activeBinId,
      maxActiveBinSlippage: allowed,
      amountX: zap.deposit.x,
      amountY: zap.deposit.y,
      wrapLamports,
      swaps: swapPlans(zap.swaps, slippageBps),
      missingBinArrayIndexes,
    }),
  );
  const all = [...built.swapTransactions, ...built.addTransactions];
  if (input.mode === 'normal') {
    requireTokens(shop, owner, pool, zap.deposit);
  }
  const rent =
    RENT_LAMPORTS.position +
    BigInt(Math.max(0, toBinId - fromBinId + 1 - BINS_PER_DEFAULT_POSITION)) * RENT_LAMPORTS.positionPerBinAbove70 +
    BigInt(missingBinArrayIndexes.length) * RENT_LAMPORTS.binArray;
  requireLamports(shop, owner, wrapLamports + rent + sideCosts(chain, owner, tokensOf(pool, zap.swaps), all.length));
  shop.issued.add({ kind: 'add', owner, strategy, activeBinId: pool.activeBinId, binsOfSlippage: allowed }, all);
  return {
    lastValidBlockHeight,
    swapTxsWithJito: built.swapTransactions.map(base64FromBytes),
    addLiquidityTxsWithJito: built.addTransactions.map(base64FromBytes),
    meta: { positionPubKey: built.position, provider: 'JUPITER_ULTRA', solForX: zap.lamportsX.toString(), solForY: zap.lamportsY.toString() },
  };
}

function withoutSwaps(market: Market, pool: Pool, input: { readonly amountX: number; readonly amountY: number }): ZapIn {
  const deposit = { x: rawAmount('amountX', input.amountX, pool.tokenX), y: rawAmount('amountY', input.amountY, pool.tokenY) };
  const lamports = (token: PoolToken, amount: bigint): bigint => (token.mint === market.sol.mint ? amount : 0n);
  return { swaps: [], deposit, lamportsX: lamports(pool.tokenX, deposit.x), lamportsY: lamports(pool.tokenY, deposit.y) };
}

function rawAmount(name: string, whole: number, token: PoolToken): bigint {
  const raw = Math.round(whole * 10 ** token.spec.decimals);
  if (raw >= MOST_RAW) {
    throw new EngineError('invalid', `${name} is more ${token.spec.symbol} than an account can hold`);
  }
  return BigInt(raw);
}

function checkRange(fromBinId: number, toBinId: number): void {
  if (fromBinId > toBinId) {
    throw new EngineError('invalid', `fromBinId has to be at most toBinId: ${fromBinId} is above ${toBinId}`);
  }
  const width = toBinId - fromBinId + 1;
  if (width > MAX_BINS_PER_POSITION) {
    throw new EngineError('invalid', `fromBinId and toBinId span ${width} bins; a position has at most ${MAX_BINS_PER_POSITION}`);
  }
}

/** Refuses what nothing could be put in of. */
function checkSides(pool: Pool, { fromBinId, toBinId, input }: AddParameters, deposit: Amounts): void {
  const { activeBinId } = pool;
  const takesX = deposit.x > 0n && toBinId >= activeBinId;
  const takesY = deposit.y > 0n && fromBinId <= activeBinId;
  if (!takesX && !takesY) {
    const where = toBinId < activeBinId ? 'below' : 'above';
    const cause = input.mode === 'zap-in' ? 'percentX leaves' : 'amountX and amountY leave';
    throw new EngineError('invalid', `${cause} nothing to put in: the range lies ${where} the active bin ${activeBinId}, where only ${where === 'below' ? pool.tokenY.spec.symbol : pool.tokenX.spec.symbol} goes`);
  }
}

function requireLamports({ chain }: Workshop, owner: Address, needed: bigint): void {
  const has = chain.lamports(owner);
  if (has < needed) {
    throw new EngineError('invalid', `Insufficient balance: ${lamportsToSol(needed)} SOL are needed with rent and fees, ${lamportsToSol(has)} SOL are there`);
  }
}

function requireTokens({ chain, market }: Workshop, owner: Address, pool: Pool, deposit: Amounts): void {
  for (const [token, amount] of [[pool.tokenX, deposit.x], [pool.tokenY, deposit.y]] as const) {
    const has = chain.tokenBalance(owner, token.mint);
    if (token.mint !== market.sol.mint && has < amount) {
      const text = (raw: bigint): string => `${formatRaw(raw, token.spec.decimals)} ${token.spec.symbol}`;
      throw new EngineError('invalid', `Insufficient balance: ${text(amount)} are needed, ${text(has)} are there`);
    }
  }
}

function solOf(market: Market, pool: Pool, deposit: Amounts): bigint {
  return (pool.tokenX.mint === market.sol.mint ? deposit.x : 0n) + (pool.tokenY.mint === market.sol.mint ? deposit.y : 0n);
}

function tokensOf(pool: Pool, swaps: readonly Route[]): readonly PoolToken[] {
  return [pool.tokenX, pool.tokenY, ...swaps.flatMap(({ legs }) => legs.flatMap(({ via }) => [via.tokenX, via.tokenY]))];
}

/** A plan that cannot be carried out was asked for with numbers that make no sense. */
function planned<Built>(build: () => Built): Built {
  try {
    return build();
  } catch (error) {
    if (error instanceof PlanError || error instanceof RangeError) {
      throw new EngineError('invalid', error.message, { cause: error });
    }
    throw error;
  }
}
