import * as l10n from '@vscode/l10n';
import { leftOutSentences } from '../base/format/leftOut';
import { displayLocale, type Locale } from '../base/format/locale';
import { signedSol, signedUsd, sol, usdToTheCent } from '../base/format/money';
import { counted } from '../base/format/counted';
import { isKnown, UNKNOWN } from '../base/format/numbers';
import { sandboxText } from './shell/serviceChoice';
import { signedPercent } from '../base/format/percent';
import { exactTime, timeOfDay } from '../base/format/time';
import type { PortfolioSnapshot, PortfolioTotals } from '../portfolio/types';
import type { RequestUsage } from '../service/budget/requestBudget';
import { lineageText } from './positions/positionRows';
import type { Lineages } from './shell/lineages';
import type { Currency } from './shell/settings/values';
import { fillTemplate } from './shell/views/template';
import { escapedMarkdown, escapedSentence, paragraphs, plainText, table } from './shell/views/text';
import { incompleteText } from './shell/views/incompleteText';
import { isLimited, type ViewState } from './shell/views/viewState';
import type { WindowProblem } from './shell/windowProblem';
import { sentence } from '../base/format/sentence';

export interface StatusBarModel {
  readonly state: StatusBarState;
  /** May contain codicons. */
  readonly text: string;
  /** Markdown with codicons. */
  readonly tooltip: string;
  /** Label for screen readers. */
  readonly spoken: string;
  /** What a click runs; absent: the overview opens. */
  readonly command?: string;
  /** Something waits for the user: the item has a warning background. */
  readonly warns: boolean;
}

/** `needsSetup`: the user has to choose a wallet, a key or a service before there can be figures. */
type StatusBarState = 'loading' | 'needsSetup' | 'failed' | 'empty' | 'ready' | 'stale';

export interface StatusBarFacts {
  readonly snapshot: PortfolioSnapshot;
  /** PnL since the first deposits; absent: none of the positions was rebalanced. */
  readonly since?: ReturnType<Lineages['since']>;
  readonly view: ViewState;
  /** The sandbox has not been started: nothing of Binsight was looked at. */
  readonly isAsleep?: boolean;
  /** Message of the error that kept positions from being read. */
  readonly problem: string | undefined;
  /** What keeps the window from working; absent: nothing does. */
  readonly windowProblem?: WindowProblem | undefined;
  /** States that the request limit is reached and when the next update comes; absent: it is not reached. */
  readonly limit?: string | undefined;
  /** Requests of all windows; absent: there is no connection. */
  readonly usage?: RequestUsage | undefined;
  readonly serviceName: string;
  readonly isSandbox: boolean;
  /** The user's name for the wallet. */
  readonly walletName?: string | undefined;
  /** A sentence about the wallet's key, for example whether it is locked. */
  readonly keyState?: string | undefined;
  readonly currency: Currency;
  /** The setting `binsight.statusBar.template`. */
  readonly template: string;
  /** What waits for the user, such as an operation that is half done; absent: nothing does. A position out of range earns less, and asks nothing. */
  readonly needsUser?: string | undefined;
  /** How old the figures are, if they are older than they should be. */
  readonly age?: string | undefined;
}

const ICON = '$(graph-line)';
const PRETEND_ICON = '$(beaker)';
const LOADING_TEXT = `$(loading~spin) ${UNKNOWN}`;

/** @param locale a cached one if this is called often: creating formatters takes most of the time */
export function statusBarModel(facts: StatusBarFacts, locale: Locale = displayLocale()): StatusBarModel {
  const { windowProblem } = facts;
  if (windowProblem !== undefined) {
    const { brief, message, command } = windowProblem;
    return { ...plain('failed', `$(warning) ${brief}`, message, facts), ...(command === undefined ? {} : { command }) };
  }
  if (facts.isAsleep === true) {
    return plain(
      'needsSetup',
      `${PRETEND_ICON} ${l10n.t('Sandbox')}`,
      l10n.t('The sandbox starts when you look at positions or pools.'),
      facts,
    );
  }
  switch (facts.view) {
    case 'startingSandbox':
      return plain('loading', LOADING_TEXT, l10n.t('Starting the sandbox…'), facts);
    case 'startingService':
      return plain('loading', LOADING_TEXT, l10n.t('Starting the local service…'), facts);
    case 'loading':
      return plain('loading', LOADING_TEXT, l10n.t('Loading positions…'), facts);
    case 'noOwner':
      return plain(
        'needsSetup',
        `${ICON} ${l10n.t('No wallet')}`,
        l10n.t('No wallet selected. Import a wallet key or watch an address.'),
        facts,
      );
    case 'noApiKey':
      return plain(
        'needsSetup',
        `${ICON} ${l10n.t('No API key')}`,
        l10n.t`${facts.serviceName} requires an API key, and none is set.`,
        facts,
      );
    case 'invalidAddress':
      return plain('needsSetup', `${ICON} ${l10n.t('No service')}`, l10n.t('The service address in the settings is invalid.'), facts);
    case 'noRpcAddress':
      return plain(
        'needsSetup',
        `${ICON} ${l10n.t('No service')}`,
        facts.problem ?? l10n.t('This machine has no address of the Solana RPC.'),
        facts,
      );
    case 'refused':
    case 'rpcRefused':
    case 'rpcUnavailable':
    case 'serviceFailed':
    case 'unreachable':
    case 'failed':
    case 'sandboxFailed':
    case 'sandboxCannotRun':
      return plain('failed', `$(debug-disconnect) ${UNKNOWN}`, facts.problem ?? l10n.t('Could not load positions.'), facts);
    case 'empty':
      return emptyList(facts, locale);
    case 'listed':
      return withFigures(facts, locale);
  }
}

/** No positions, or none so far. */
function emptyList(facts: StatusBarFacts, locale: Locale): StatusBarModel {
  const missing = incompleteText(facts.snapshot.positionsState, locale);
  return missing === undefined
    ? plain('empty', `${ICON} ${l10n.t('No open positions')}`, l10n.t('This wallet has no open positions.'), facts)
    : plain('empty', `${ICON} ${l10n.t('Positions unknown')}`, missing, facts);
}

function withFigures(facts: StatusBarFacts, locale: Locale): StatusBarModel {
  const { snapshot, currency } = facts;
  const { totals } = snapshot;
  const stale = snapshot.positionsState.kind === 'stale';
  const amount = currency === 'usd' ? signedUsd(totals.pnlUsd, locale) : signedSol(totals.pnlNative, locale);
  const rate = currency === 'usd' ? totals.pnlPercent : totals.pnlPercentNative;
  const figures = `${amount}${isKnown(rate) ? ` (${signedPercent(rate, locale)})` : ''}`;
  const { text, unknown } = fillTemplate(facts.template, placeholders(facts, locale));
  const isOld = stale || facts.age !== undefined;
  return {
    state: stale ? 'stale' : 'ready',
    text: [
      ...(isOld ? [facts.age === undefined ? '$(history)' : `$(history) ${facts.age}`] : []),
      facts.isSandbox ? `${PRETEND_ICON} ${l10n.t('Sandbox')}` : isOld ? '' : ICON,
      text,
    ]
      .filter((part) => part !== '')
      .join(' '),
    tooltip: paragraphs([
      heading(facts),
      needsUserText(facts),
      staleText(facts, locale),
      limitText(facts),
      templateText(unknown, facts, locale),
      table(
        ['', 'USD', 'SOL'],
        [
          [l10n.t('Unrealized PnL'), signedUsd(totals.pnlUsd, locale), signedSol(totals.pnlNative, locale)],
          ['%', signedPercent(totals.pnlPercent, locale), signedPercent(totals.pnlPercentNative, locale)],
          [l10n.t('Value'), usdToTheCent(totals.valueUsd, locale), sol(totals.valueNative, locale)],
          [l10n.t('Unclaimed fees'), usdToTheCent(totals.uncollectedFeeUsd, locale), sol(totals.uncollectedFeeNative, locale)],
        ],
      ),
      lineageText(facts.since, locale),
      rangeText(totals, locale),
      l10n.t('PnL is value, fees and withdrawals, less deposits. Percentages are of deposits.'),
      ...leftOutSentences(totals.leftOut, totals.count),
      snapshot.positionsState.kind === 'ready' ? l10n.t`As of ${exactTime(snapshot.positionsState.asOf, locale)}.` : undefined,
      usageText(facts),
    ]),
    spoken: [
      l10n.t`Binsight: PnL ${figures === UNKNOWN ? l10n.t('unknown') : figures}, ${totals.outOfRange} of ${counted(totals.count, 'position', locale)} out of range.`,
      ...(facts.isSandbox ? [sentence(sandboxText())] : []),
      ...(isOld ? [l10n.t('The figures are outdated.')] : []),
      ...(facts.needsUser === undefined ? [] : [facts.needsUser]),
    ].join(' '),
    warns: facts.needsUser !== undefined,
  };
}

/** The placeholders of the template, by name; `undefined`: unknown. */
function placeholders(
  { snapshot: { totals }, since, currency, serviceName }: StatusBarFacts,
  locale: Locale,
): ReadonlyMap<string, string | undefined> {
  const isUsd = currency === 'usd';
  const known = (value: number | undefined, text: (figure: number, of: Locale) => string) =>
    isKnown(value) ? text(value, locale) : undefined;
  return new Map([
    ['pnl', isUsd ? known(totals.pnlUsd, signedUsd) : known(totals.pnlNative, signedSol)],
    // Without a rebalance it is the same.
    [
      'sinceFirstDeposit',
      isUsd
        ? known(since === undefined ? totals.pnlUsd : since.pnl.usd, signedUsd)
        : known(since === undefined ? totals.pnlNative : since.pnl.native, signedSol),
    ],
    ['percent', known(isUsd ? totals.pnlPercent : totals.pnlPercentNative, signedPercent)],
    ['value', isUsd ? known(totals.valueUsd, usdToTheCent) : known(totals.valueNative, sol)],
    ['fees', isUsd ? known(totals.uncollectedFeeUsd, usdToTheCent) : known(totals.uncollectedFeeNative, sol)],
    ['outOfRange', l10n.t`${totals.outOfRange} out of range`],
    ['positions', counted(totals.count, 'position', locale)],
    ['service', plainText(serviceName)],
  ]);
}

function templateText(unknown: readonly string[], facts: StatusBarFacts, locale: Locale): string | undefined {
  if (unknown.length === 0) {
    return undefined;
  }
  const names = [...placeholders(facts, locale).keys()].map((name) => `{${name}}`).join(', ');
  return `$(error) ${escapedSentence(l10n.t`Unknown placeholders in binsight.statusBar.template: ${unknown.join(', ')}. Use ${names}.`)}`;
}

function plain(state: StatusBarState, text: string, sentence: string, facts: StatusBarFacts): StatusBarModel {
  return {
    state,
    text,
    tooltip: paragraphs([heading(facts), needsUserText(facts), escapedSentence(sentence), limitText(facts), usageText(facts)]),
    spoken: [l10n.t`Binsight: ${sentence}`, ...(facts.needsUser === undefined ? [] : [facts.needsUser])].join(' '),
    warns: facts.needsUser !== undefined,
  };
}

function heading({ serviceName, isSandbox, snapshot, walletName, keyState }: StatusBarFacts): string {
  const service = isSandbox ? sandboxText() : escapedMarkdown(serviceName);
  return paragraphs([
    `**Binsight** · ${service}`,
    snapshot.owner === undefined
      ? undefined
      : `${walletName === undefined ? '' : `${escapedMarkdown(walletName)} · `}\`${snapshot.owner}\``,
    keyState,
    // Every sandbox derives its wallet from the same seed.
    isSandbox ? l10n.t('Never send real money to the sandbox wallet: its key is public.') : undefined,
  ]);
}

/** Why the item is yellow. */
function needsUserText({ needsUser }: StatusBarFacts): string | undefined {
  return needsUser === undefined ? undefined : `$(warning) **${escapedSentence(needsUser)}**`;
}

function staleText({ snapshot: { positionsState }, limit }: StatusBarFacts, locale: Locale): string | undefined {
  if (positionsState.kind !== 'stale') {
    return undefined;
  }
  const why = limit !== undefined && isLimited(positionsState.error) ? '' : ` ${escapedSentence(positionsState.error.message)}`;
  return `$(history) **${l10n.t`Last updated ${timeOfDay(positionsState.asOf, locale)}.`}**${why}`;
}

function limitText({ limit }: StatusBarFacts): string | undefined {
  return limit === undefined ? undefined : `$(watch) ${limit}`;
}

function usageText({ usage }: StatusBarFacts): string | undefined {
  return usage === undefined
    ? undefined
    : l10n.t`Requests: ${usage.limit === undefined ? usage.sent : l10n.t`${usage.sent} of ${usage.limit}`} in the last minute`;
}

function rangeText({ count, outOfRange }: PortfolioTotals, locale: Locale): string {
  if (outOfRange === 0) {
    return l10n.t`${counted(count, 'position', locale)}, none known to be out of range.`;
  }
  const positions = counted(count, 'position', locale);
  return l10n.t`$(warning) **${outOfRange} of ${positions} out of range**: no fees until the price returns.`;
}
