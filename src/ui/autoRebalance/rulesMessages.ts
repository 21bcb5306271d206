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
export const STOP_KEYS = 'Ctrl+Shift+F8, on a Mac Cmd+Shift+F8';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** What automation does where its rules pick a position: in one sentence or two. */
export function modeSentence({ mode }: Pick<AutoRebalanceRules, 'mode'>): string {
  return mode === 'ask'
    ? 'It asks you before each rebalance and each closing, and you approve the transactions as always.'
    : 'It signs without asking you wherever the review finds nothing at all. Anything else waits for you.';
}

/** What the rules say, in sentences: one for each subject. */
export function rulesSentences(rules: AutoRebalanceRules): readonly string[] {
  return [
    `Every ${duration(rules.checkEveryMs)} it looks at your positions. One that is out of range at ${checksNeeded(rules)} checks in a row${rules.leastValueUsd === 0 ? '' : `, and worth ${usd(rules.leastValueUsd)} or more,`} is zapped out of and in again: ${termsPhrase(rules.terms)}.`,
    `What goes in is what came out of that position, less costs; at least ${lamportsAsSol(rules.terms.reserveLamports)} stay in the wallet.`,
    limitsSentence(rules),
    closingSentence(rules),
    ...(rules.poolsLeftAlone.length === 0
      ? []
      : [`${counted(rules.poolsLeftAlone.length, 'pool')} ${rules.poolsLeftAlone.length === 1 ? 'is' : 'are'} left alone.`]),
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
const START_SIGNING = 'Start, Sign by These Rules';
export const SHOW_DRY_RUN = 'Show What It Would Do';

/** The question before automation is turned on. What lets it sign without asking is never the button that is preselected. */
export function startQuestion({
  rules,
  owner,
  service,
  isAgain,
  locksAfterMinutes,
}: StartSubject): ConfirmRequest<typeof START | typeof START_SIGNING | typeof SHOW_DRY_RUN> {
  const automatic = rules.mode === 'automatic';
  return {
    severity: automatic ? 'warning' : 'info',
    message: `${isAgain ? 'Go on with auto-rebalance by the rules that are set now' : 'Start auto-rebalance'}${automatic ? ', and let it sign' : ''}?`,
    // A line each, and none empty: all of it has to be read without scrolling.
    detail: [
      modeSentence(rules),
      `Wallet ${shortAddress(owner)} · ${serviceText(service)}`,
      ...rulesSentences(rules),
      ...(locksAfterMinutes === undefined
        ? []
        : [`It signs while the wallet is unlocked: ${counted(locksAfterMinutes, 'minute')} from now. Then it waits for you.`]),
      `It goes on after a restart of VS Code, until you stop it (${STOP_KEYS}).`,
    ].join('\n'),
    actions: automatic ? [SHOW_DRY_RUN, START_SIGNING] : [START, SHOW_DRY_RUN],
  };
}

/** The service, and that money is pretended where it is. */
export function serviceText({ kind, name }: ServiceChoice): string {
  return kind === 'sandbox' ? 'Sandbox (pretend money)' : plainText(name);
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
      ? 'as many bins as before, around the active one'
      : `${counted(halfWidthBins, 'bin')} to either side of the active one`;
  return `${range}, ${strategy === undefined ? 'spread as before' : strategy}, at most ${percent(slippageBps / 100)} slippage each way`;
}

function limitsSentence({ mostPerPositionAndDay, mostPerDay, cooldownMs }: AutoRebalanceRules): string {
  if (mostPerPositionAndDay === 0 || mostPerDay === 0) {
    return 'It rebalances nothing: none is allowed in 24 hours.';
  }
  const cooldown = cooldownMs === 0 ? '' : `, and not again within ${duration(cooldownMs)}`;
  return `In 24 hours at most ${times(mostPerPositionAndDay)} for a position${cooldown}; at most ${times(mostPerDay)} in all.`;
}

function closingSentence({ stopLossPercent, takeProfitPercent, pnlIn }: AutoRebalanceRules): string {
  const lines = [
    ...(stopLossPercent === undefined ? [] : [`at ${MINUS}${percent(stopLossPercent)} or worse`]),
    ...(takeProfitPercent === undefined ? [] : [`at ${signedPercent(takeProfitPercent)} or better`]),
  ];
  return lines.length === 0
    ? 'It closes nothing for good: no stop-loss and no take-profit is set.'
    : `Closed for SOL, and not entered again: ${lines.join(', ')} (PnL in ${pnlIn === 'usd' ? 'US dollars' : 'SOL'}).`;
}

function times(number: number): string {
  return number === 1 ? 'once' : number === 2 ? 'twice' : counted(number, 'time');
}
