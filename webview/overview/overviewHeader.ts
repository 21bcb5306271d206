import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { PERIODS, type PeriodView } from '../../src/protocol/overview';
import { asOf } from '../shared/asyncView';
import { sandboxSign } from '../shared/facts';
import { icon, iconButton } from '../shared/icons';
import { currencyToggle, segmented } from '../shared/segmented';
import { periodLabel, periodNames } from './periods';
import { currencyOf, type OverviewActions, type OverviewState } from './state';

/** The wallet, and the controls of the whole panel: period and currency. */
export function overviewHeader(state: OverviewState, { post, choose }: OverviewActions): TemplateResult<1> {
  const { ambient, figures, overview, period } = state;
  const owner = ambient?.owner;
  return html`<header class="page-header">
    <div class="identity">
      <h1>${l10n.t('Overview')}</h1>
      <p class="soft identity-line">
        ${
          owner === undefined
            ? nothing
            : html`<span>${figures.short(owner)}${iconButton('copy', l10n.t('Copy Wallet Address'), () => post({ kind: 'copyAddress', address: owner }), { title: l10n.t`Copy ${owner}` })}</span>`
        }
        ${ambient === undefined || ambient.isSandbox ? nothing : html`<span>${ambient.serviceName}</span>`}
        ${owner === undefined || ambient?.canSign !== false ? nothing : html`<span class="badge" title=${l10n.t('This is a watch-only wallet. Import its key to sign.')}>${icon('eye')} ${l10n.t('Watch-only')}</span>`}
        ${sandboxSign(ambient)} ${asOf(overview, figures)}
      </p>
    </div>
    <span class="spring"></span>
    <div class="toolbar">
      ${segmented<PeriodView>({
        id: 'period',
        label: l10n.t('Period'),
        options: PERIODS.map((value) => ({ value, label: periodLabel(value), title: l10n.t`Show figures for: ${periodNames()[value]}` })),
        chosen: period,
        onChoose: (chosen) => choose({ period: chosen }),
      })}
      ${currencyToggle(currencyOf(state), (currency) => choose({ currency }))}
      ${iconButton('refresh', l10n.t('Refresh'), () => post({ kind: 'refresh' }))}
    </div>
  </header>`;
}
