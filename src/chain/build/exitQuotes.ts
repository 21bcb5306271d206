import { type Address } from '../../base/solana/address';
import { formatRaw } from '../../base/solana/amounts';
import { KNOWN_DECIMALS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { WireDecreaseQuote, WireTokenAmount } from '../../engine/wire/transactions';
import type { DecreaseOutput } from '../../service/transactions';
import { sellProceeds, type SoldProceeds } from './exits';
import type { LiveToken } from './livePool';
import type { ChainBuildContext } from './operations';
import { type QuotedSwap, swapQuoter } from './swapPlanner';
import { type Withdrawal, withdrawalOf } from './withdrawals';

const OUTPUTS = ['allBaseToken', 'allToken0', 'allToken1', 'both'] as const satisfies readonly DecreaseOutput[];

/** Quotes of swaps are for this tolerance; it does not change them. */
const SLIPPAGE_BPS = 100;

/**
 * The value of a share of a position, and what each output would give.
 * @throws EngineError if there is no such position
 */
export async function quoteExit(context: ChainBuildContext, positionId: string, bps: number): Promise<WireDecreaseQuote> {
  const share = { bps, fromBinId: undefined, toBinId: undefined, slippageBps: SLIPPAGE_BPS };
  const withdrawal = await withdrawalOf(context, positionId, share);
  const { pool, poolAfter, liquidity, fees, owner, proceeds } = withdrawal;
  const source = context.search.once();
  const amounts = new Map<DecreaseOutput, readonly WireTokenAmount[]>();
  for (const output of OUTPUTS) {
    const planner = swapQuoter(context, { owner, own: poolAfter, source, slippageBps: SLIPPAGE_BPS });
    amounts.set(output, amountsAfter(withdrawal, await sellProceeds(planner, withdrawal, output, proceeds)));
  }
  const prices = await context.prices.now([...new Set([pool.x.mint, pool.y.mint, WRAPPED_SOL_MINT])]);
  const side = ({ mint, decimals }: LiveToken, amount: bigint, fee: bigint): WireDecreaseQuote['token0'] => ({
    address: mint,
    amount: formatRaw(amount, decimals),
    fee: formatRaw(fee, decimals),
  });
  const [usdX, usdY] = [usdOf(prices, pool.x, liquidity.x + fees.x), usdOf(prices, pool.y, liquidity.y + fees.y)];
  const usd = usdX === undefined || usdY === undefined ? null : usdX + usdY;
  return {
    price: { token0: prices.get(pool.x.mint) ?? null, token1: prices.get(pool.y.mint) ?? null },
    token0: side(pool.x, liquidity.x, fees.x),
    token1: side(pool.y, liquidity.y, fees.y),
    value: usd,
    valueNative: nativeOf(withdrawal) ?? divided(usd, prices.get(WRAPPED_SOL_MINT)),
    outputs: {
      allBaseToken: amounts.get('allBaseToken') ?? [],
      allToken0: amounts.get('allToken0') ?? [],
      allToken1: amounts.get('allToken1') ?? [],
      both: amounts.get('both') ?? [],
    },
  };
}

/** `undefined` if a token with an amount has no known price. */
function usdOf(prices: ReadonlyMap<Address, number>, { mint, decimals }: LiveToken, raw: bigint): number | undefined {
  const price = prices.get(mint);
  return raw === 0n ? 0 : price === undefined ? undefined : (Number(raw) / 10 ** decimals) * price;
}

/** The value in SOL by the pool's own price, if one of its tokens is SOL. */
function nativeOf({ pool, liquidity, fees }: Withdrawal): number | undefined {
  const [x, y] = [Number(liquidity.x + fees.x), Number(liquidity.y + fees.y)];
  const scale = 10 ** SOL_DECIMALS;
  if (pool.x.mint === WRAPPED_SOL_MINT) {
    return (x + y / pool.rawPrice) / scale;
  }
  return pool.y.mint === WRAPPED_SOL_MINT ? (y + x * pool.rawPrice) / scale : undefined;
}

function divided(usd: number | null, price: number | undefined): number | null {
  return usd === null || price === undefined || price === 0 ? null : usd / price;
}

/** Increase of the wallet's balances after withdrawal and swaps. */
function amountsAfter({ pool, proceeds }: Withdrawal, sold: readonly SoldProceeds<QuotedSwap>[]): readonly WireTokenAmount[] {
  const amounts = new Map<Address, bigint>([
    [pool.x.mint, proceeds.x],
    [pool.y.mint, proceeds.y],
  ]);
  for (const { sell, buy, inAmount, swap } of sold) {
    amounts.set(sell.mint, (amounts.get(sell.mint) ?? 0n) - inAmount);
    amounts.set(buy.mint, (amounts.get(buy.mint) ?? 0n) + swap.out);
  }
  const decimalsOf = (mint: Address): number =>
    [pool.x, pool.y].find((token) => token.mint === mint)?.decimals ?? KNOWN_DECIMALS.get(mint) ?? 0;
  return [...amounts].filter(([, raw]) => raw > 0n).map(([mint, raw]) => ({ address: mint, amount: formatRaw(raw, decimalsOf(mint)) }));
}
