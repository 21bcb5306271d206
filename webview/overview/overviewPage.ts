import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { OverviewView } from '../../src/protocol/overview';
import { emptyState, partView } from '../shared/asyncView';
import { errorBanner, guardFor, sharedError } from '../shared/errors';
import { allTimeSection } from './allTimeSection';
import { EarnedSection } from './earnedSection';
import { headline, headlineSkeleton } from './headline';
import { HistorySection } from './history/historySection';
import { openSection } from './openSection';
import { overviewHeader } from './overviewHeader';
import { type OverviewGuard, partsOf } from './parts';
import { periodsTable } from './periods';
import { hasNoHistory, type OverviewActions, type OverviewState } from './state';

/** The whole panel. Create once: its charts and its table keep their state from view to view. */
export class OverviewPage {
  readonly #actions: OverviewActions;
  readonly #earned: EarnedSection;
  readonly #history: HistorySection;

  constructor(actions: OverviewActions) {
    this.#actions = actions;
    this.#earned = new EarnedSection(actions);
    this.#history = new HistorySection(actions);
  }

  view(state: OverviewState): TemplateResult<1> {
    return html`<main class="page overview">${overviewHeader(state, this.#actions)}${hasNoWallet(state) ? this.#noWallet(state) : this.#body(state)}</main>`;
  }

  #body(state: OverviewState): TemplateResult<1> {
    const trouble = sharedError(partsOf(state));
    const guard = guardFor(trouble);
    const banner = errorBanner(trouble, partsOf(state), state.figures, (part) => this.#actions.post({ kind: 'retry', part }));
    return trouble?.isAll === true
      ? html`${banner}`
      : html`${banner} ${this.#figures(state, guard)} ${openSection(state, this.#actions, guard)} ${this.#allTime(state, trouble !== undefined)} ${this.#history.view(state, guard)}`;
  }

  /** Figures and charts of the period. */
  #figures(state: OverviewState, guard: OverviewGuard): TemplateResult<1> {
    const { overview } = state;
    return html`<section class="section period-section" aria-labelledby="period-title">
      ${guard<OverviewView | undefined>(overview, 'overview', (part) =>
        partView<OverviewView | undefined>(part, {
          label: l10n.t('the overview'),
          skeleton: headlineSkeleton(),
          none: emptyState(
            l10n.t('The service has no figures for this wallet yet. They start with the first closed position.'),
            'graph-line',
          ),
          empty: (data) =>
            data !== undefined && data.missing.length === 0 && hasNoHistory(data)
              ? emptyState(l10n.t('No figures yet. They start with the first closed position.'), 'graph-line')
              : undefined,
          ready: (data) => (data === undefined ? '' : headline(state, data, this.#actions)),
          retry: () => this.#actions.post({ kind: 'retry', part: 'overview' }),
          figures: state.figures,
        }),
      )}
      ${this.#earned.view(state, guard)}
    </section>`;
  }

  #allTime(state: OverviewState, isErrorShown: boolean): TemplateResult<1> {
    const { data, standing } = state.overview;
    if (data === undefined || hasNoHistory(data)) {
      return html``;
    }
    return html`<div class="part" aria-busy=${standing === 'loading' && !isErrorShown ? 'true' : 'false'}><div class="page">${allTimeSection(state, data)}${periodsTable(state, data)}</div></div>`;
  }

  #noWallet({ overview }: OverviewState): TemplateResult<1> {
    const retry = html`<vscode-button appearance="secondary" @click=${() => this.#actions.post({ kind: 'refresh' })}>${l10n.t('Try Again')}</vscode-button>`;
    return emptyState(overview.words ?? l10n.t('No wallet selected. Import a wallet key or watch an address.'), 'account', retry);
  }
}

/** Without a wallet there is nothing to show or search. */
function hasNoWallet({ ambient, overview }: OverviewState): boolean {
  return ambient !== undefined && ambient.owner === undefined && overview.standing === 'failed' && overview.data === undefined;
}
