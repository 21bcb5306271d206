import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import type { PoolView } from '../../src/protocol/pool';

/** The mint of wrapped SOL. */
export const SOL_MINT = 'So11111111111111111111111111111111111111112';

/** In which currency a pool's figures are shown. The service gives them in US dollars alone: for SOL its price has to be known. */
export interface PoolMoney {
  readonly currency: CurrencyView;
  /** US dollars for one SOL. */
  readonly solUsd: number | undefined;
}

/** What a pool's figures are shown in. @param solUsd what another part knows SOL's price to be; the pool's own goes first */
export function poolMoney(chosen: CurrencyView, pool: Pick<PoolView, 'x' | 'y'> | undefined, solUsd: number | undefined): PoolMoney {
  const known = positive([pool?.x, pool?.y].find((token) => token?.address === SOL_MINT)?.priceUsd) ?? positive(solUsd);
  return { currency: known === undefined ? 'usd' : chosen, solUsd: known };
}

/** A sum of US dollars in both currencies, as far as that can be told. */
export function bothOf(usd: number | undefined, { solUsd }: Pick<PoolMoney, 'solUsd'>): MoneyView {
  return { usd, native: usd === undefined || solUsd === undefined ? undefined : usd / solUsd };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}
