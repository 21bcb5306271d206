import type { DecreaseOutput } from '../../../service/transactions';
import type { Address } from '../../../base/solana/address';
import { formatRaw } from '../../../base/solana/amounts';
import type { WireDecreaseQuote, WireTokenAmount } from '../../../server/wire/transactions';
import type { ZapOut } from '../engine/zapOutPlan';
import type { Pool, PoolToken } from '../types';
import type { RecordContext } from './reading';

/** What a withdrawal would give, by each output; the plans are of the same share. */
export function decreaseQuoteRecord(
  { market }: RecordContext,
  pool: Pool,
  plans: Readonly<Record<DecreaseOutput, ZapOut>>,
): WireDecreaseQuote {
  const { liquidity, fees } = plans.both;
  const worth = market.books.worthOf(pool, { x: liquidity.x + fees.x, y: liquidity.y + fees.y });
  const side = ({ mint, spec }: PoolToken, amount: bigint, fee: bigint): WireDecreaseQuote['token0'] => ({
    address: mint,
    amount: formatRaw(amount, spec.decimals),
    fee: formatRaw(fee, spec.decimals),
  });
  return {
    price: { token0: market.usd(pool.tokenX), token1: market.usd(pool.tokenY) },
    token0: side(pool.tokenX, liquidity.x, fees.x),
    token1: side(pool.tokenY, liquidity.y, fees.y),
    value: worth.usd,
    valueNative: worth.native,
    outputs: {
      allBaseToken: amountsAfter(pool, plans.allBaseToken),
      allToken0: amountsAfter(pool, plans.allToken0),
      allToken1: amountsAfter(pool, plans.allToken1),
      both: amountsAfter(pool, plans.both),
    },
  };
}

/** What the wallet has more of once withdrawal and swaps are done. */
function amountsAfter(pool: Pool, { liquidity, fees, swaps }: ZapOut): readonly WireTokenAmount[] {
  const amounts = new Map<Address, { readonly token: PoolToken; raw: bigint }>();
  const add = (token: PoolToken | undefined, raw: bigint): void => {
    if (token !== undefined) {
      const known = amounts.get(token.mint) ?? { token, raw: 0n };
      known.raw += raw;
      amounts.set(token.mint, known);
    }
  };
  add(pool.tokenX, liquidity.x + fees.x);
  add(pool.tokenY, liquidity.y + fees.y);
  for (const { legs, inAmount, out } of swaps) {
    const [first, last] = [legs[0], legs.at(-1)];
    add(first?.sells === 'x' ? first.via.tokenX : first?.via.tokenY, -inAmount);
    add(last?.sells === 'x' ? last.via.tokenY : last?.via.tokenX, out);
  }
  return [...amounts.values()]
    .filter(({ raw }) => raw > 0n)
    .map(({ token, raw }) => ({ address: token.mint, amount: formatRaw(raw, token.spec.decimals) }));
}
