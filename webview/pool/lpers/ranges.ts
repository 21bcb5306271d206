import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { Directive, directive, type ElementPart } from 'lit-html/directive.js';
import { LOADING, type Part } from '../../../src/protocol/parts';
import type { LperRanges } from '../../../src/protocol/pool';
import type { CurrencyView } from '../../../src/protocol/schemas';
import type { Figures } from '../../shared/figures';
import { iconButton } from '../../shared/icons';
import { emptyState, partView, skeletonLines } from '../../shared/asyncView';
import type { PoolActions } from '../actions';
import type { PoolState } from '../state';

/** The open ranges of the selected top LPer, to plan with. */
export function rangesCard(
  { rangesOf, lperRanges }: PoolState,
  figures: Figures,
  currency: CurrencyView,
  actions: PoolActions,
): TemplateResult<1> | typeof nothing {
  if (rangesOf === undefined) {
    return nothing;
  }
  // Still the ranges of the LPer that was selected before.
  const part: Part<LperRanges> = lperRanges.data !== undefined && lperRanges.data.owner !== rangesOf ? LOADING : lperRanges;
  return html`<section class="card ranges-card" aria-labelledby="ranges-title">
    <header>
      <h3 id="ranges-title" tabindex="-1" ${focusOnce(rangesOf)}>${l10n.t('Open ranges in this pool:')} ${figures.short(rangesOf)}</h3>
      ${iconButton('close', l10n.t('Close Ranges'), () => actions.askRanges(undefined))}
    </header>
    ${partView(part, {
      label: l10n.t("this wallet's ranges"),
      skeleton: skeletonLines(2),
      retry: () => actions.retry('lperRanges'),
      figures,
      empty: ({ ranges }) => (ranges.length === 0 ? emptyState(l10n.t('This wallet has no open positions in this pool.')) : undefined),
      ready: ({ ranges }) => html`<ul class="range-list">
        ${ranges.map(
          ({ lowerBinId, upperBinId, strategy, value }) => html`<li>
            <span class="figure">${figures.text.bins(lowerBinId, upperBinId)}</span>
            <span class="soft">${strategy ?? ''}</span>
            <span class="figure">${figures.amount(value, currency)}</span>
            <vscode-button appearance="secondary" @click=${() => actions.startPlan({ fromBinId: lowerBinId, toBinId: upperBinId })}>${l10n.t('Plan with This Range')}</vscode-button>
          </li>`,
        )}
      </ul>`,
    })}
  </section>`;
}

/** Focuses an element once for each new value. */
class FocusOnce extends Directive {
  #asked: string | undefined;

  render(asked: string): typeof nothing {
    this.#asked = asked;
    return nothing;
  }

  override update({ element }: ElementPart, [asked]: [string]): typeof nothing {
    if (asked !== this.#asked && element instanceof HTMLElement) {
      // The element is not on the page yet.
      queueMicrotask(() => element.focus());
    }
    return this.render(asked);
  }
}

const focusOnce = directive(FocusOnce);
