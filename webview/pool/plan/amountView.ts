import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { lamportsAsSol, usd } from '../../../src/base/format/money';
import { isKnown } from '../../../src/base/format/numbers';
import { bps, percent } from '../../../src/base/format/percent';
import { left, slippageLeft, typed, withShare } from './draft';
import { field, filling } from './field';
import { estimateOf, type BinPlanEstimate, type PlanEstimate } from './planModel';
import { amountText, shareText, slippageText } from './parseInput';
import type { PlanActions, PlanState } from './types';
import { shareOf, SHARES_PERCENT } from './wallet';

const SLIPPAGES_BPS: readonly number[] = [50, 100, 300, 500];
const LAMPORTS_PER_SOL = 1e9;

/** The amount of SOL, with the wallet's balance. */
export function amountView(
  { draft, ambient, figures }: PlanState,
  { wallet, amountLamports, errors }: PlanEstimate,
  { change }: PlanActions,
): TemplateResult<1> {
  const locale = ambient?.locale ?? 'en-US';
  const worth = amountLamports === undefined ? undefined : worthOf(amountLamports, wallet?.solUsd, locale);
  const has =
    wallet === undefined
      ? figures.standing === 'failed'
        ? l10n.t('Balance not known')
        : l10n.t('Loading balance…')
      : l10n.t`Wallet balance: ${lamportsAsSol(wallet.balanceLamports, locale)}`;
  return html`<section class="plan-section" aria-labelledby="plan-amount-title">
    <h3 id="plan-amount-title">${l10n.t('Amount')}</h3>
    ${field({
      id: 'plan-amount',
      label: l10n.t('SOL to deposit'),
      text: draft.amountText ?? '',
      error: errors.amount,
      note: html`${worth === undefined ? nothing : html`<span class="figure">${worth}</span> · `}<span class="soft">${has}</span>`,
      unit: 'SOL',
      placeholder: '0.5',
      onInput: (text) => change((now) => ({ ...now, amountText: text })),
    })}
    ${
      wallet === undefined || wallet.availableLamports === 0n
        ? nothing
        : html`<div class="plan-fillings" role="group" aria-label=${l10n.t('Shares of the available balance')}>
          ${SHARES_PERCENT.map((share) => {
            const lamports = shareOf(wallet, share);
            const sol = lamportsAsSol(lamports, locale);
            const title = share === 100 ? l10n.t`${sol}: all but ${lamportsAsSol(wallet.keptLamports, locale)} for rent and fees` : sol;
            return filling(share === 100 ? l10n.t('Max') : percent(share, locale), title, lamports === amountLamports, () =>
              change((now) => ({ ...now, amountText: amountText(lamports) })),
            );
          })}
        </div>`
    }
  </section>`;
}

/** How the SOL is split between the tokens, if the range needs both. */
export function splitView(
  state: PlanState,
  estimate: PlanEstimate,
  { sides }: BinPlanEstimate,
  { change }: PlanActions,
): TemplateResult<1> | typeof nothing {
  const { draft, pool, ambient } = state;
  const locale = ambient?.locale ?? 'en-US';
  const { percentX, isSplitByBins, errors } = estimate;
  if (sides !== 'both') {
    return nothing;
  }
  const words = (share: number): string =>
    `${percent(100 * share, locale)} ${pool.x.symbol}, ${percent(100 * (1 - share), locale)} ${pool.y.symbol}`;
  return html`<section class="plan-section" aria-labelledby="plan-split-title">
    <h3 id="plan-split-title">${l10n.t('Split')}</h3>
    ${field({
      id: 'plan-percentX',
      label: l10n.t`${pool.x.symbol} share`,
      text: draft.texts?.percentX ?? shareText(percentX),
      error: errors.percentX,
      note: html`<span class="soft">${words(percentX)}</span>`,
      unit: '%',
      onInput: (text) => change((now) => typed(now, 'percentX', text, estimateOf(state))),
      onLeave: () => change((now) => left(now, 'percentX', estimateOf(state))),
    })}
    <input
      class="plan-slide" type="range" min="0" max="100" step="1" aria-label=${l10n.t`${pool.x.symbol} share in percent`} aria-valuetext=${words(percentX)}
      .value=${String(Math.round(100 * percentX))}
      @input=${({ target }: Event) => target instanceof HTMLInputElement && change((now) => withShare(now, Number(target.value) / 100))}
    />
    <div class="plan-fillings" role="group" aria-label=${l10n.t('Split presets')}>
      ${filling(l10n.t('Match the range'), l10n.t('Split by the number of bins for each token'), isSplitByBins, () => change((now) => withShare(now, undefined)))}
      ${filling(l10n.t('50:50'), words(0.5), !isSplitByBins && percentX === 0.5, () => change((now) => withShare(now, 0.5)))}
    </div>
  </section>`;
}

/** The slippage tolerance. */
export function slippageView(
  { draft, ambient, figures }: PlanState,
  { slippageBps, slippageNote, errors }: PlanEstimate,
  { change }: PlanActions,
): TemplateResult<1> {
  const locale = ambient?.locale ?? 'en-US';
  const standard = figures.data?.defaultSlippageBps;
  const offered = [...new Set([...(standard === undefined ? [] : [standard]), ...SLIPPAGES_BPS])].sort((one, other) => one - other);
  return html`<section class="plan-section" aria-labelledby="plan-slippage-title">
    <h3 id="plan-slippage-title">${l10n.t('Slippage')}</h3>
    ${field({
      id: 'plan-slippage',
      label: l10n.t('Max slippage'),
      text: draft.slippageText ?? (standard === undefined ? '' : slippageText(standard)),
      error: errors.slippage,
      note: slippageNote ?? nothing,
      unit: '%',
      placeholder: '1',
      onInput: (text) => change((now) => ({ ...now, slippageText: text })),
      onLeave: () => change((now) => slippageLeft(now, locale)),
    })}
    <div class="plan-fillings" role="group" aria-label=${l10n.t('Slippage presets')}>
      ${offered.map((value) => filling(percent(value / 100, locale), value === standard ? l10n.t`${bps(value, locale)}, your setting` : bps(value, locale), value === slippageBps, () => change((now) => ({ ...now, slippageText: slippageText(value) }))))}
    </div>
  </section>`;
}

/** For example "≈ $69.50"; `undefined` if the price of SOL is unknown. */
export function worthOf(lamports: bigint, solUsd: number | undefined, locale: string): string | undefined {
  return isKnown(solUsd) ? `≈ ${usd((Number(lamports) / LAMPORTS_PER_SOL) * solUsd, locale)}` : undefined;
}
