import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PoolView, TokenView } from '../../../src/protocol/pool';
import { fact } from '../../shared/facts';
import type { Figures } from '../../shared/figures';
import { icon, iconButton } from '../../shared/icons';
import { tokenLogo } from '../../shared/tokenLogo';
import { hint } from '../../shared/tooltip';
import type { PoolActions } from '../actions';
import { priceIn } from '../header';
import { bothOf, type PoolMoney } from '../money';

const BEST_SCORE = 100;

/** Facts and warnings about both tokens. */
export function tokens(pool: PoolView, figures: Figures, money: PoolMoney, actions: Pick<PoolActions, 'copyAddress'>): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="tokens-title">
    <div class="section-header"><h2 id="tokens-title">${l10n.t('Tokens')}</h2></div>
    ${pool.mintOrFreezeEnabled === true ? warning(pool) : nothing}
    <div class="cards cards-tokens">
      ${tokenCard('x', pool.x, pool.amountX, figures, money, actions)}${tokenCard('y', pool.y, pool.amountY, figures, money, actions)}
    </div>
  </section>`;
}

function warning({ x }: PoolView): TemplateResult<1> {
  return html`<div class="banner banner-warning">
    ${icon('warning')}
    <p><strong>${l10n.t('Mint or freeze authority is enabled.')}</strong> ${l10n.t`The authority can mint more ${x.symbol} or freeze accounts that hold it: it can lose its value or become impossible to move.`}</p>
  </div>`;
}

function tokenCard(
  side: 'x' | 'y',
  token: TokenView,
  inPool: number | undefined,
  figures: Figures,
  money: PoolMoney,
  { copyAddress }: Pick<PoolActions, 'copyAddress'>,
): TemplateResult<1> {
  const { address, symbol, name } = token;
  const { text } = figures;
  const amount = (usd: number | undefined): TemplateResult<1> => figures.amount(bothOf(usd, money), money.currency);
  return html`<article class="card token-card" aria-label=${symbol}>
    <header>
      ${tokenLogo(symbol, address)}
      <div class="token-name"><h3>${symbol}</h3>${name === undefined || name === symbol ? nothing : html`<span class="soft">${name}</span>`}</div>
      ${address === undefined ? nothing : html`<span class="token-address">${figures.short(address)}${iconButton('copy', l10n.t`Copy ${symbol} Address`, () => copyAddress(address))}</span>`}
    </header>
    <dl class="facts">
      ${fact(l10n.t('Price'), figures.plain(priceIn(token.priceUsd, text, money), text.priceUsd(token.priceUsd)))}
      ${fact(l10n.t('In pool'), figures.plain(text.tokens(inPool)))}
      ${fact(l10n.t('Market cap'), amount(token.marketCapUsd))}
      ${fact(l10n.t('Fully diluted'), amount(token.fdvUsd), hint(`hint-fdv-${side}`, l10n.t('About the fully diluted value'), l10n.t('Value if all tokens that can ever be minted already existed.')))}
      ${fact(l10n.t('Holders'), figures.plain(text.count(token.holders)))}
      ${fact(l10n.t('Organic score'), score(token.organicScore, figures), hint(`hint-organic-${side}`, l10n.t('About the organic score'), l10n.t('How much of the trading looks human, from 0 to 100, as estimated by the service.')))}
    </dl>
  </article>`;
}

/** A score out of 100, as a bar and a figure. */
function score(value: number | undefined, { text, plain }: Figures): TemplateResult<1> {
  if (value === undefined) {
    return plain(text.count(undefined));
  }
  const width = Math.min(Math.max(value, 0), BEST_SCORE);
  return html`<span class="score"><svg class="score-bar" width="60" height="6" aria-hidden="true" focusable="false">${svg`<rect class="score-ground" width="60" height="6" rx="3"></rect><rect class="score-filled" width=${(60 * width) / BEST_SCORE} height="6" rx="3"></rect>`}</svg>${plain(text.count(value), l10n.t`${text.tokens(value)} of ${BEST_SCORE}`)}</span>`;
}
