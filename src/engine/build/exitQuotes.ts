import type { Address } from '../../base/solana/address';
import { formatRaw } from '../../base/solana/amounts';
import { KNOWN_DECIMALS } from '../../base/solana/programs';
import type { DecreaseOutput } from '../../service/transactions';
import type { WireDecreaseQuote, WireTokenAmount } from '../wire/transactions';
import { type Build, wait } from './build';
import type { BuildService, PlannedSwap, BuildToken, PlannedWithdrawal } from './ports';
import { soldProceeds } from './swaps';

const OUTPUTS = ['allBaseToken', 'allToken0', 'allToken1', 'both'] as const satisfies readonly DecreaseOutput[];

/** Quotes of swaps are for this tolerance; it does not change them. */
const SLIPPAGE_BPS = 100;

/**
 * The value of a share of a position, and what each output would give.
 * @throws EngineError if there is no such position
 */
export function* quoteExit(service: BuildService, positionId: string, bps: number): Build<WireDecreaseQuote> {
  const share = { bps, fromBinId: undefined, toBinId: undefined, slippageBps: SLIPPAGE_BPS };
  const withdrawal = yield* wait(service.withdrawal(positionId, share));
  const { pool, liquidity, fees, owner, proceeds } = withdrawal;
  const amounts = new Map<DecreaseOutput, readonly WireTokenAmount[]>();
  for (const output of OUTPUTS) {
    const swaps = yield* service.dryRun(soldProceeds(withdrawal, { owner, slippageBps: SLIPPAGE_BPS, isQuote: true }, output, proceeds));
    amounts.set(output, amountsAfter(withdrawal, swaps));
  }
  const { priceX, priceY, usd, native } = yield* wait(withdrawal.worth());
  const side = ({ mint, decimals }: BuildToken, amount: bigint, fee: bigint): WireDecreaseQuote['token0'] => ({
    address: mint,
    amount: formatRaw(amount, decimals),
    fee: formatRaw(fee, decimals),
  });
  return {
    price: { token0: priceX, token1: priceY },
    token0: side(pool.x, liquidity.x, fees.x),
    token1: side(pool.y, liquidity.y, fees.y),
    value: usd,
    valueNative: native,
    outputs: {
      allBaseToken: amounts.get('allBaseToken') ?? [],
      allToken0: amounts.get('allToken0') ?? [],
      allToken1: amounts.get('allToken1') ?? [],
      both: amounts.get('both') ?? [],
    },
  };
}

/** Increase of the wallet's balances after withdrawal and swaps. */
function amountsAfter({ pool, proceeds }: PlannedWithdrawal, swaps: readonly PlannedSwap[]): readonly WireTokenAmount[] {
  const amounts = new Map<Address, bigint>([
    [pool.x.mint, proceeds.x],
    [pool.y.mint, proceeds.y],
  ]);
  for (const { sell, buy, inAmount, out } of swaps) {
    amounts.set(sell.mint, (amounts.get(sell.mint) ?? 0n) - inAmount);
    amounts.set(buy.mint, (amounts.get(buy.mint) ?? 0n) + out);
  }
  const decimalsOf = (mint: Address): number =>
    [pool.x, pool.y].find((token) => token.mint === mint)?.decimals ?? KNOWN_DECIMALS.get(mint) ?? 0;
  return [...amounts].filter(([, raw]) => raw > 0n).map(([mint, raw]) => ({ address: mint, amount: formatRaw(raw, decimalsOf(mint)) }));
}
