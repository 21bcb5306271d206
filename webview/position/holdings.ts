import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView } from '../../src/protocol/schemas';
import type { Figures } from '../shared/figures';
import type { Template } from '../shared/rendering';
import { tokenLogo } from '../shared/tokenLogo';
import { currencyOf, type PositionState } from './state';

/** One token of a position. */
export interface HoldingFigures {
  readonly side: 'x' | 'y';
  readonly symbol: string;
  readonly address: string | undefined;
  /** Whole tokens. */
  readonly amount: number | undefined;
  readonly uncollectedFee: number | undefined;
  readonly priceUsd: number | undefined;
  /** In the requested currency. */
  readonly value: number | undefined;
  readonly feeValue: number | undefined;
  /** Share of the position's value, 0 to 1; `undefined` if either token has no price. */
  readonly share: number | undefined;
}

/** A position's tokens X and Y, valued at the service's prices. For display only: never used for anything that is signed. */
export function holdingsOf(
  position: Pick<PositionView, 'x' | 'y' | 'value'>,
  currency: CurrencyView,
): readonly [HoldingFigures, HoldingFigures] {
  const rate = currency === 'usd' ? 1 : nativePerUsd(position.value);
  const worth = (amount: number | undefined, priceUsd: number | undefined) =>
    amount === 0 ? 0 : amount === undefined || priceUsd === undefined || rate === undefined ? undefined : amount * priceUsd * rate;
  const usdOf = (side: 'x' | 'y') => (position[side].amount === 0 ? 0 : product(position[side].amount, position[side].priceUsd));
  const [xUsd, yUsd] = [usdOf('x'), usdOf('y')];
  const total = xUsd === undefined || yUsd === undefined ? undefined : xUsd + yUsd;
  const figuresOf = (side: 'x' | 'y', usd: number | undefined): HoldingFigures => {
    const { symbol, address, amount, uncollectedFee, priceUsd } = position[side];
    return {
      side,
      symbol,
      address,
      amount,
      uncollectedFee,
      priceUsd,
      value: worth(amount, priceUsd),
      feeValue: worth(uncollectedFee, priceUsd),
      share: usd === undefined || total === undefined || !(total > 0) || !Number.isFinite(total) ? undefined : usd / total,
    };
  };
  return [figuresOf('x', xUsd), figuresOf('y', yUsd)];
}

/** SOL per US dollar, derived from the position's value in both currencies; `undefined` if one of them is missing or not positive. */
export function nativePerUsd({ usd, native }: PositionView['value']): number | undefined {
  return usd === undefined || native === undefined || !(usd > 0) || !(native > 0) ? undefined : native / usd;
}

function product(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one * other;
}

/** The tokens in the position. */
export function holdingsPart(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const holdings = holdingsOf(position, currency);
  return html`<div class="holdings-part">
    ${shareBar(holdings, figures)}
    <div class="holdings">${holdings.map((holding) => token(holding, currency, figures))}</div>
  </div>`;
}

/** A bar of both tokens' shares of the value. X is hatched, as in the pool's distribution. */
function shareBar([x, y]: readonly [HoldingFigures, HoldingFigures], figures: Figures): Template {
  if (x.share === undefined || y.share === undefined) {
    return nothing;
  }
  const words = `${figures.text.fraction(x.share)} ${x.symbol}, ${figures.text.fraction(y.share)} ${y.symbol}`;
  return html`<svg class="share-bar" width="100%" height="14" role="img" aria-label=${words}>
    <title>${words}</title>
    ${svg`<defs><pattern id="share-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="hatch-line"></line></pattern></defs>
    <rect x="0" y="1" width="${100 * x.share}%" height="12" class="share-x"></rect>
    <rect x="${100 * x.share}%" y="1" width="${100 * y.share}%" height="12" class="share-y"></rect>
    <rect x="0" y="1" width="${100 * x.share}%" height="12" fill="url(#share-hatch)"></rect>
    <rect x="0" y="1" width="100%" height="12" class="share-frame"></rect>`}
  </svg>`;
}

function token(holding: HoldingFigures, currency: CurrencyView, { text, plain }: Figures): TemplateResult<1> {
  const money = (value: number | undefined) =>
    plain(text.money({ [currency]: value }, currency), text.exactMoney({ [currency]: value }, currency));
  return html`<div class="holding">
    <h3 class="holding-name">
      ${tokenLogo(holding.symbol, holding.address)}<span class="name">${holding.symbol}</span>
      ${holding.share === undefined ? nothing : html`<span class="holding-share ${holding.side === 'x' ? 'key-x' : 'key-y'}">${text.fraction(holding.share)}</span>`}
    </h3>
    <dl class="facts">
      <div><dt>${l10n.t('Amount')}</dt><dd>${plain(text.tokens(holding.amount))}</dd></div>
      <div><dt>${l10n.t('Value')}</dt><dd>${money(holding.value)}</dd></div>
      <div><dt>${l10n.t('Market price')}</dt><dd>${plain(text.priceUsd(holding.priceUsd))}</dd></div>
      <div><dt>${l10n.t('Unclaimed fees')}</dt><dd class="two-figures">${plain(text.tokens(holding.uncollectedFee))}<span class="aside">(${money(holding.feeValue)})</span></dd></div>
    </dl>
  </div>`;
}
