import * as l10n from '@vscode/l10n';
import { leftOutSentences } from '../../base/format/leftOut';
import { signedSol, signedUsd, sol, usdToTheCent } from '../../base/format/money';
import { counted, isKnown, UNKNOWN } from '../../base/format/numbers';
import { signedPercent } from '../../base/format/percent';
import { exactTime, timeOfDay } from '../../base/format/time';
import type { PortfolioSnapshot, PortfolioTotals } from '../../portfolio/types';
import type { Currency } from '../shell/settings/values';
import { escapedMarkdown, paragraphs, table } from '../shell/views/text';
import { isLimited, type ViewState } from '../shell/views/viewState';

/** What the status bar item shows. */
export interface StatusBarModel {
  readonly state: StatusBarState;
  /** With codicons. */
  readonly text: string;
  /** Markdown with codicons. */
  readonly tooltip: string;
  /** The item as a sentence. */
  readonly spoken: string;
  /** The one background that the item ever has: a position is out of range. */
  readonly warns: boolean;
}

/** The states of the item. `needsSetup`: something is for the user to do before there can be figures. */
export type StatusBarState = 'loading' | 'needsSetup' | 'failed' | 'empty' | 'ready' | 'stale';

/** What the item is made from. */
export interface StatusBarFacts {
  readonly snapshot: PortfolioSnapshot;
  readonly view: ViewState;
  /** What kept the positions from being read, in words. */
  readonly problem: string | undefined;
  /** Says that the service's request limit is reached, and when the next update comes; absent: it is not. */
  readonly limit?: string | undefined;
  readonly serviceName: string;
  readonly isSandbox: boolean;
  /** How the wallet's key stands, as a sentence: whether it is locked, above all. */
  readonly keyState?: string | undefined;
  readonly currency: Currency;
}

const ICON = '$(graph-line)';

/** Gives what the status bar item shows. */
export function statusBarModel(facts: StatusBarFacts): StatusBarModel {
  switch (facts.view) {
    case 'startingSandbox':
      return plain('loading', l10n.t`$(loading~spin) ${UNKNOWN}`, l10n.t('The sandbox is starting.'), facts);
    case 'loading':
      return plain('loading', l10n.t`$(loading~spin) ${UNKNOWN}`, l10n.t('Positions are being read.'), facts);
    case 'noOwner':
      return plain('needsSetup', l10n.t`${ICON} No wallet`, l10n.t('No wallet is set up: import a key, or watch an address.'), facts);
    case 'noApiKey':
      return plain(
        'needsSetup',
        l10n.t`${ICON} No API key`,
        l10n.t`${facts.serviceName} asks for an API key, and none has been entered.`,
        facts,
      );
    case 'invalidAddress':
      return plain(
        'needsSetup',
        l10n.t`${ICON} No service`,
        l10n.t('The address in the setting binsight.service.baseUrl cannot be used.'),
        facts,
      );
    case 'refused':
    case 'unreachable':
    case 'failed':
    case 'sandboxFailed':
    case 'sandboxCannotRun':
      return plain('failed', l10n.t`$(debug-disconnect) ${UNKNOWN}`, facts.problem ?? l10n.t('The positions could not be read.'), facts);
    case 'empty':
      return plain('empty', l10n.t`${ICON} No open positions`, l10n.t('This wallet has no open positions.'), facts);
    case 'listed':
      return withFigures(facts);
  }
}

function withFigures(facts: StatusBarFacts): StatusBarModel {
  const { snapshot, currency } = facts;
  const { totals } = snapshot;
  const stale = snapshot.positionsState.kind === 'stale';
  const amount = currency === 'usd' ? signedUsd(totals.pnlUsd) : signedSol(totals.pnlNative);
  const rate = currency === 'usd' ? totals.pnlPercent : totals.pnlPercentNative;
  const figures = `${amount}${isKnown(rate) ? ` (${signedPercent(rate)})` : ''}`;
  const outOfRange = l10n.t`${totals.outOfRange} out of range`;
  return {
    state: stale ? 'stale' : 'ready',
    text: `${stale ? '$(history)' : ICON} ${figures} · ${outOfRange}`,
    tooltip: paragraphs([
      heading(facts),
      staleText(facts),
      limitText(facts),
      table(
        ['', 'USD', 'SOL'],
        [
          [l10n.t('Unrealised PnL'), signedUsd(totals.pnlUsd), signedSol(totals.pnlNative)],
          [l10n.t('in percent'), signedPercent(totals.pnlPercent), signedPercent(totals.pnlPercentNative)],
          ['Value', usdToTheCent(totals.valueUsd), sol(totals.valueNative)],
          [l10n.t('Uncollected fees'), usdToTheCent(totals.uncollectedFeeUsd), sol(totals.uncollectedFeeNative)],
        ],
      ),
      rangeText(totals),
      l10n.t(
        'PnL counts what the open positions are worth now, their fees and what was taken out of them, less what was put in. The percentage is of what was put in.',
      ),
      ...leftOutSentences(totals.leftOut, totals.count),
      snapshot.positionsState.kind === 'ready' ? l10n.t`As of ${exactTime(snapshot.positionsState.asOf)}.` : undefined,
    ]),
    spoken: l10n.t`Binsight: unrealised profit and loss ${figures === UNKNOWN ? l10n.t('not known') : figures}, ${totals.outOfRange} of ${counted(totals.count, 'position')} out of range${stale ? l10n.t(', figures are old') : ''}.`,
    warns: totals.outOfRange > 0,
  };
}

function plain(state: StatusBarState, text: string, sentence: string, facts: StatusBarFacts): StatusBarModel {
  return {
    state,
    text,
    tooltip: paragraphs([heading(facts), escapedSentence(sentence), limitText(facts)]),
    spoken: l10n.t`Binsight: ${sentence}`,
    warns: false,
  };
}

/** Sentences may quote what a service said. */
function escapedSentence(sentence: string): string {
  return sentence.replace(/[\\`*_[\]<>|~$#]/g, '\\$&');
}

function heading({ serviceName, isSandbox, snapshot, keyState }: StatusBarFacts): string {
  const service = isSandbox ? l10n.t('Sandbox (pretend money)') : escapedMarkdown(serviceName);
  return paragraphs([
    `**Binsight** · ${service}`,
    snapshot.owner === undefined ? undefined : `\`${snapshot.owner}\``,
    keyState,
    // The sandbox makes its wallet from a seed that is the same everywhere.
    isSandbox ? l10n.t("Never send real money to the sandbox's wallet: everybody can have its key.") : undefined,
  ]);
}

function staleText({ snapshot: { positionsState }, limit }: StatusBarFacts): string | undefined {
  if (positionsState.kind !== 'stale') {
    return undefined;
  }
  const why = limit !== undefined && isLimited(positionsState.error) ? '' : ` ${escapedSentence(positionsState.error.message)}`;
  return l10n.t`$(history) **These figures are from ${timeOfDay(positionsState.asOf)}.**${why}`;
}

function limitText({ limit }: StatusBarFacts): string | undefined {
  return limit === undefined ? undefined : l10n.t`$(watch) ${limit}`;
}

function rangeText({ count, outOfRange }: PortfolioTotals): string {
  if (outOfRange === 0) {
    return l10n.t`${counted(count, l10n.t('open position'))}, none known to be out of range.`;
  }
  return l10n.t`$(warning) **${outOfRange} of ${counted(count, l10n.t('open position'))} out of range**: ${outOfRange === 1 ? l10n.t('it earns') : l10n.t('they earn')} no fees until the price returns.`;
}
