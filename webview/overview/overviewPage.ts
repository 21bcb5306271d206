import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { leftOutSentences } from '../../src/base/format/leftOut';
import { type HistoryRequest, type OpenTotals, type OverviewView, PERIODS, type PeriodView } from '../../src/protocol/overview';
import { badge, currencyToggle, icon, iconButton, segmented } from '../shared/controls';
import { figureCard, sandboxBadge } from '../shared/facts';
import { asOf, emptyState, errorBanner, type Help, partGuard, partView, remedyButtons, sharedError } from '../shared/partView';
import { allTimeSection, allTimeSkeleton } from './allTimeSection';
import { EarnedSection } from './earnedSection';
import { openTable } from './openPositions';
import { HistorySection } from './historySection';
import { cardSkeleton, headline, headlineSkeleton, periodLabel, periodsTable } from './periods';
import { currencyOf, hasNoHistory, type OverviewActions, type OverviewGuard, type OverviewState, partsOf } from './state';

/** The whole panel. Create once: its charts and its table keep their state from view to view. */
export class OverviewPage {
  readonly #actions: OverviewActions;
  readonly #earned: EarnedSection;
  readonly #history: HistorySection;
  readonly #help: Help;

  constructor(actions: OverviewActions) {
    this.#actions = actions;
    this.#help = (command) => actions.post({ kind: 'remedy', command });
    this.#earned = new EarnedSection(actions);
    this.#history = new HistorySection(actions);
  }

  /** The rows of the history that the panel begins with. */
  firstRequest(state: OverviewState): HistoryRequest {
    return this.#history.firstRequest(state);
  }

  view(state: OverviewState): TemplateResult<1> {
    return html`<main class="page overview">${overviewHeader(state, this.#actions)}${hasNoWallet(state) ? this.#noWallet(state) : this.#body(state)}</main>`;
  }

  #body(state: OverviewState): TemplateResult<1> {
    const error = sharedError(partsOf(state));
    const guard = partGuard(error);
    const retry = (part: keyof ReturnType<typeof partsOf>) => this.#actions.post({ kind: 'retry', part });
    const banner = errorBanner(error, partsOf(state), state.figures, retry, this.#help);
    return error?.isAll === true
      ? html`${banner}`
      : html`${banner} ${openSection(state, this.#actions, guard)} ${this.#figures(state, guard)} ${this.#allTime(state, error !== undefined)} ${this.#history.view(state, guard)}`;
  }

  /** Figures and charts of the period, and the choice of it. */
  #figures(state: OverviewState, guard: OverviewGuard): TemplateResult<1> {
    const { overview, period } = state;
    return html`<section class="section period-section" aria-labelledby="period-title">
      <div class="section-header">
        <h2 id="period-title">${l10n.t('Closed positions')}</h2>
        <span class="spring"></span>
        ${segmented<PeriodView>({
          id: 'period',
          label: l10n.t('Period'),
          options: PERIODS.map((value) => ({ value, label: periodLabel(value) })),
          chosen: period,
          onChoose: (chosen) => this.#actions.choose({ period: chosen }),
        })}
      </div>
      ${guard<OverviewView | undefined>(overview, 'overview', (part) =>
        partView<OverviewView | undefined>(part, {
          skeleton: headlineSkeleton(),
          none: emptyState(l10n.t('No closed positions yet.'), 'graph-line'),
          empty: (data) =>
            data !== undefined && data.missing.length === 0 && hasNoHistory(data)
              ? emptyState(l10n.t('No closed positions yet.'), 'graph-line')
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
    const { data, status } = state.overview;
    if (data === undefined) {
      return status === 'loading' && !isErrorShown ? allTimeSkeleton() : html``;
    }
    if (hasNoHistory(data)) {
      return html``;
    }
    return html`<div class="part" aria-busy=${status === 'loading' && !isErrorShown ? 'true' : 'false'}><div class="page">${allTimeSection(state, data)}${periodsTable(state, data)}</div></div>`;
  }

  #noWallet({ overview }: OverviewState): TemplateResult<1> {
    const retry = html`<vscode-button appearance="secondary" @click=${() => this.#actions.post({ kind: 'refresh' })}>${l10n.t('Try Again')}</vscode-button>`;
    return emptyState(
      overview.words ?? l10n.t('No wallet selected. Import a wallet key or watch an address.'),
      overview.remedies?.some(({ command }) => command === 'binsight.importWalletKey') === true ? 'account' : 'warning',
      html`<div class="toolbar">${remedyButtons(overview, this.#help)} ${retry}</div>`,
    );
  }
}

/** The wallet, and the controls of the whole panel. */
function overviewHeader(state: OverviewState, { post, choose }: OverviewActions): TemplateResult<1> {
  const { ambient, figures, overview } = state;
  const owner = ambient?.owner;
  return html`<header class="page-header">
    <div class="identity">
      <h1>${l10n.t('Overview')}</h1>
      <p class="soft identity-line">
        ${
          owner === undefined
            ? nothing
            : html`<span>${figures.short(owner)}${iconButton('copy', l10n.t`Copy ${figures.text.address(owner)}`, () => post({ kind: 'copyAddress', address: owner }), { title: l10n.t`Copy ${owner}` })}</span>`
        }
        ${ambient === undefined || ambient.isSandbox ? nothing : html`<span>${ambient.serviceName}</span>`}
        ${owner === undefined || ambient?.canSign !== false ? nothing : badge(html`${icon('eye')} ${l10n.t('Watch-only')}`, l10n.t('This is a watch-only wallet. Import its key to sign.'))}
        ${sandboxBadge(ambient)} ${asOf(overview, figures)}
      </p>
    </div>
    <span class="spring"></span>
    <div class="toolbar">
      ${currencyToggle(currencyOf(state), (currency) => choose({ currency }))}
      ${iconButton('refresh', l10n.t('Refresh'), () => post({ kind: 'refresh' }))}
    </div>
  </header>`;
}

/** The open positions and their totals, the same as in the sidebar and the status bar. */
function openSection(state: OverviewState, actions: OverviewActions, guard: OverviewGuard): TemplateResult<1> {
  return html`<section class="section" aria-labelledby="open-title">
    <div class="section-header">
      <h2 id="open-title">${l10n.t('Open positions')}</h2>
      <span class="spring"></span>
      <vscode-button appearance="secondary" @click=${() => actions.post({ kind: 'showPositions' })}>${l10n.t('Show Positions')}</vscode-button>
    </div>
    ${guard(state.open, 'open', (part) =>
      partView(part, {
        skeleton: html`<div class="cards open-cards">${Array.from({ length: 4 }, () => html`<div class="card">${cardSkeleton()}</div>`)}</div>`,
        empty: (totals) =>
          totals.count === 0 ? html`<div class="card soft">${icon('inbox')} ${l10n.t('No open positions.')}</div>` : undefined,
        ready: (totals) => html`${openTable(state, totals, actions)} ${figuresOf(state, totals)}`,
        retry: () => actions.post({ kind: 'retry', part: 'open' }),
        figures: state.figures,
      }),
    )}
  </section>`;
}

function figuresOf(state: OverviewState, totals: OpenTotals): TemplateResult<1> {
  const { figures } = state;
  const { text } = figures;
  const currency = currencyOf(state);
  const other = currency === 'usd' ? 'native' : 'usd';
  const outOfRange = l10n.t`${text.count(totals.outOfRange)} out of range`;
  return html`<div class="cards open-cards">
      ${figureCard(
        l10n.t('Positions'),
        figures.plain(text.count(totals.count)),
        totals.outOfRange === 0 ? html`${icon('pass')} ${outOfRange}` : html`<span class="warned">${icon('warning')}</span> ${outOfRange}`,
      )}
      ${figureCard(l10n.t('Value'), figures.amount(totals.value, currency), figures.amount(totals.value, other))}
      ${figureCard(l10n.t('PnL'), figures.difference(totals.pnl, currency), html`${figures.percentDifference(totals.pnlPercent[currency])} ${l10n.t('on deposits')}`)}
      ${figureCard(l10n.t('Unclaimed fees'), figures.amount(totals.uncollectedFee, currency), figures.amount(totals.uncollectedFee, other))}
    </div>
    ${leftOutSentences(totals.leftOut, totals.count, text.counted).map((sentence) => html`<p class="soft left-out">${icon('info')} ${sentence}</p>`)}`;
}

/** Without a wallet there is nothing to show or search. */
function hasNoWallet({ ambient, overview }: OverviewState): boolean {
  return ambient !== undefined && ambient.owner === undefined && overview.status === 'failed' && overview.data === undefined;
}
