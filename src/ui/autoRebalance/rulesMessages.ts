import * as l10n from '@vscode/l10n';
import { type AutoRebalanceRules, checksNeeded } from '../../autoRebalance/types';
import { lamportsAsSol, usd } from '../../base/format/money';
import { counted, MINUS } from '../../base/format/numbers';
import { percent, signedPercent } from '../../base/format/percent';
import { shortAddress } from '../../base/format/places';
import type { Address } from '../../base/solana/address';
import type { ReentryTerms } from '../../transactions/rebalance/types';
import type { ConfirmRequest } from '../shell/prompts/prompts';
import type { ServiceChoice } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';

/** How *Stop All Automation* is reached at once (package.json, keybindings). */
export const stopKeys = (): string => l10n.t('Ctrl+Shift+F8, on a Mac Cmd+Shift+F8');

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** What automation does where its rules pick a position: in one sentence or two. */
export function modeSentence({ mode }: Pick<AutoRebalanceRules, 'mode'>): string {
  return mode === 'ask'
    ? l10n.t('It asks you before each rebalance and each closing, and you approve the transactions as always.')
    : l10n.t('It signs without asking you wherever the review finds nothing at all. Anything else waits for you.');
}

/** What the rules say, in sentences: one for each subject. */
export function rulesSentences(rules: AutoRebalanceRules): readonly string[] {
  return [
    l10n.t`Every ${duration(rules.checkEveryMs)} it looks at your positions. One that is out of range at ${checksNeeded(rules)} checks in a row${rules.leastValueUsd === 0 ? '' : l10n.t`, and worth ${usd(rules.leastValueUsd)} or more,`} is zapped out of and in again: ${termsPhrase(rules.terms)}.`,
    l10n.t`What goes in is what came out of that position, less costs; at least ${lamportsAsSol(rules.terms.reserveLamports)} stay in the wallet.`,
    limitsSentence(rules),
    closingSentence(rules),
    ...(rules.poolsLeftAlone.length === 0
      ? []
      : [l10n.t`${counted(rules.poolsLeftAlone.length, 'pool')} ${rules.poolsLeftAlone.length === 1 ? 'is' : 'are'} left alone.`]),
  ];
}

/** For what automation is to be turned on. */
export interface StartSubject {
  readonly rules: AutoRebalanceRules;
  readonly owner: Address;
  readonly service: ServiceChoice;
  /** It is on already, and these rules replace those that it goes by. */
  readonly isAgain: boolean;
  /** The wallet has a passphrase, and automation signs by itself: so long it can. */
  readonly locksAfterMinutes: number | undefined;
}

const START = 'Start';
const startSigning = () => l10n.t('Start, Sign by These Rules');
export const showDryRun = (): string => l10n.t('Show What It Would Do');

/** The question before automation is turned on. What lets it sign without asking is never the button that is preselected. */
export function startQuestion({
  rules,
  owner,
  service,
  isAgain,
  locksAfterMinutes,
}: StartSubject): ConfirmRequest<string> {
  const automatic = rules.mode === 'automatic';
  return {
    severity: automatic ? 'warning' : 'info',
    message: `${isAgain ? l10n.t('Go on with auto-rebalance by the rules that are set now') : l10n.t('Start auto-rebalance')}${automatic ? l10n.t(', and let it sign') : ''}?`,
    // A line each, and none empty: all of it has to be read without scrolling.
    detail: [
      modeSentence(rules),
      l10n.t`Wallet ${shortAddress(owner)} · ${serviceText(service)}`,
      ...rulesSentences(rules),
      ...(locksAfterMinutes === undefined
        ? []
        : [l10n.t`It signs while the wallet is unlocked: ${counted(locksAfterMinutes, 'minute')} from now. Then it waits for you.`]),
      l10n.t`It goes on after a restart of VS Code, until you stop it (${stopKeys()}).`,
    ].join('\n'),
    actions: automatic ? [showDryRun(), startSigning()] : [START, showDryRun()],
  };
}

/** The service, and that money is pretended where it is. */
export function serviceText({ kind, name }: ServiceChoice): string {
  return kind === 'sandbox' ? l10n.t('Sandbox (pretend money)') : plainText(name);
}

/** "60 seconds", "5 minutes", "2 hours": in the largest unit that it is a whole number of. */
export function duration(ms: number): string {
  if (ms > 0 && ms % HOUR_MS === 0) {
    return counted(ms / HOUR_MS, 'hour');
  }
  return ms > MINUTE_MS && ms % MINUTE_MS === 0 ? counted(ms / MINUTE_MS, 'minute') : counted(ms / SECOND_MS, 'second');
}

function termsPhrase({ halfWidthBins, strategy, slippageBps }: ReentryTerms): string {
  const range =
    halfWidthBins === undefined
      ? l10n.t('as many bins as before, around the active one')
      : l10n.t`${counted(halfWidthBins, 'bin')} to either side of the active one`;
  return l10n.t`${range}, ${strategy === undefined ? l10n.t('spread as before') : strategy}, at most ${percent(slippageBps / 100)} slippage each way`;
}

function limitsSentence({ mostPerPositionAndDay, mostPerDay, cooldownMs }: AutoRebalanceRules): string {
  if (mostPerPositionAndDay === 0 || mostPerDay === 0) {
    return l10n.t('It rebalances nothing: none is allowed in 24 hours.');
  }
  const cooldown = cooldownMs === 0 ? '' : l10n.t`, and not again within ${duration(cooldownMs)}`;
  return l10n.t`In 24 hours at most ${times(mostPerPositionAndDay)} for a position${cooldown}; at most ${times(mostPerDay)} in all.`;
}

function closingSentence({ stopLossPercent, takeProfitPercent, pnlIn }: AutoRebalanceRules): string {
  const lines = [
    ...(stopLossPercent === undefined ? [] : [l10n.t`at ${MINUS}${percent(stopLossPercent)} or worse`]),
    ...(takeProfitPercent === undefined ? [] : [l10n.t`at ${signedPercent(takeProfitPercent)} or better`]),
  ];
  return lines.length === 0
    ? l10n.t('It closes nothing for good: no stop-loss and no take-profit is set.')
    : l10n.t`Closed for SOL, and not entered again: ${lines.join(', ')} (PnL in ${pnlIn === 'usd' ? l10n.t('US dollars') : 'SOL'}).`;
}

function times(number: number): string {
  return number === 1 ? 'once' : number === 2 ? 'twice' : counted(number, 'time');
}
