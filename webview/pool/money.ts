import * as l10n from '@vscode/l10n';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';
import type { PoolView } from '../../src/protocol/pool';
import type { Figures } from '../shared/figures';
import { SOL_MINT } from '../shared/solMint';

/** The currency of a pool's figures. The service reports them in US dollars only: to show SOL, its price must be known. */
export interface PoolMoney {
  readonly currency: CurrencyView;
  /** US dollars per SOL. */
  readonly solUsd: number | undefined;
}

/** The currency to show a pool's figures in. @param solUsd SOL price from another source, used if the pool itself has none */
export function poolMoney(chosen: CurrencyView, pool: Pick<PoolView, 'x' | 'y'> | undefined, solUsd: number | undefined): PoolMoney {
  const known = positive([pool?.x, pool?.y].find((token) => token?.address === SOL_MINT)?.priceUsd) ?? positive(solUsd);
  return { currency: known === undefined ? 'usd' : chosen, solUsd: known };
}

/** Converts US dollars to both currencies; SOL is `undefined` if its price is unknown. */
export function bothOf(usd: number | undefined, { solUsd }: Pick<PoolMoney, 'solUsd'>): MoneyView {
  return { usd, native: usd === undefined || solUsd === undefined ? undefined : usd / solUsd };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Formats a token's price in the displayed currency. */
export function priceIn(usd: number | undefined, text: Figures['text'], money: PoolMoney): string {
  return money.currency === 'usd' || usd === undefined ? text.priceUsd(usd) : l10n.t`${text.price(bothOf(usd, money).native)} SOL`;
}
