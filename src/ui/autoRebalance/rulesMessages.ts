import * as l10n from '@vscode/l10n';
import { type AutoRebalanceRules, checksNeeded, type ConfirmedWorth } from '../../autoRebalance/types';
import { lamportsAsSol, usd } from '../../base/format/money';
import { counted } from '../../base/format/counted';
import { count } from '../../base/format/numbers';
import { percent, signedPercent } from '../../base/format/percent';
import { LEAST_CONFIRMING_MS, LEAST_OBSERVED_MS } from '../../autoRebalance/observations';
import { MOST_CLOSINGS_AT_ONCE, mostCostLamports, REENTRY_ROOM_PERCENT } from '../../autoRebalance/limits';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time';
import type { ReentryTerms } from '../../transactions/rebalance/types';
import type { ConfirmRequest } from '../shell/prompts/prompts';
import { sandboxText, type ServiceChoice } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import { type NamedWallet, walletLabel } from '../wallets/walletNames';
import { reserveText } from '../rebalance/summary';

/**
 * Keyboard shortcut of *Stop All Automation* (package.json, keybindings).
 * @param platform of the keyboard; `undefined`: unknown, for example in a browser, and both shortcuts are named
 */
export function stopKeys(platform: NodeJS.Platform | undefined): string {
  return platform === undefined ? 'Ctrl+Shift+F8, Cmd+Shift+F8 (macOS)' : platform === 'darwin' ? 'Cmd+Shift+F8' : 'Ctrl+Shift+F8';
}

/** What happens to a position that the rules pick. */
export function modeSentence({ mode }: Pick<AutoRebalanceRules, 'mode'>): string {
  return mode === 'ask'
    ? l10n.t('Asks you before it rebalances or closes a position.')
    : l10n.t('Signs without asking, within your rules, if the review has no findings. Else it asks or waits.');
}

/**
 * The rules in sentences, one for each subject.
 * @param worths of the positions when the rules were confirmed, or as they would be confirmed now
 */
export function rulesSentences(rules: AutoRebalanceRules, worths: readonly ConfirmedWorth[]): readonly string[] {
  return [
    [
      l10n.t`Every ${duration(rules.checkEveryMs)}, checks your positions and rebalances those out of range in ${checksNeeded(rules)} checks in a row.`,
      ...(rules.leastValueUsd === 0 ? [] : [l10n.t`Only those worth at least ${usd(rules.leastValueUsd)}.`]),
    ].join(' '),
    termsSentence(rules.terms),
    `${l10n.t`Re-enters with the proceeds, up to the confirmed worth plus ${REENTRY_ROOM_PERCENT}%.`} ${reserveText(rules.terms)}`,
    limitsSentence(rules, worths),
    closingSentence(rules),
    ...(rules.poolsLeftAlone.length === 0 ? [] : [l10n.t`Excluded pools: ${count(rules.poolsLeftAlone.length)}.`]),
  ];
}

/** What the question before the start is about. */
export interface StartSubject {
  readonly rules: AutoRebalanceRules;
  /** What the positions are worth now. */
  readonly worths: readonly ConfirmedWorth[];
  readonly owner: NamedWallet;
  readonly service: ServiceChoice;
  /** Another wallet that it is on for and no longer would be. */
  readonly replaced?: NamedWallet | undefined;
  /** How long the wallet stays unlocked; `undefined` if it has no passphrase, or nothing is signed automatically. */
  readonly locksAfterMinutes: number | undefined;
  /** The shortcut that stops it ({@link stopKeys}). */
  readonly keys: string;
}

const startText = () => l10n.t('Start');
const startSigningText = () => l10n.t('Start and Sign Automatically');
/** The button that opens the dry run. */
export const showDryRun = (): string => l10n.t('Preview (Dry Run)');

/** The button that opens the form with the rules. */
export const changeRulesText = (): string => l10n.t('Change Rules…');

/** The question before auto-rebalance is turned on. The button that lets it sign without asking is never the default one. */
export function startQuestion({ rules, worths, owner, service, replaced, locksAfterMinutes, keys }: StartSubject): ConfirmRequest<string> {
  const automatic = rules.mode === 'automatic';
  return {
    severity: automatic ? 'warning' : 'info',
    message: automatic ? l10n.t('Start auto-rebalance, and let it sign?') : l10n.t('Start auto-rebalance?'),
    // One line each and none empty, so all of it can be read without scrolling.
    detail: [
      modeSentence(rules),
      `${l10n.t`Wallet: ${walletLabel(owner)}`} · ${serviceText(service)}`,
      ...(replaced === undefined ? [] : [l10n.t`It ends for the wallet ${walletLabel(replaced)}.`]),
      // What is signed without asking is signed by every one of the rules; what is asked about shows its own terms.
      ...(automatic ? rulesSentences(rules, worths) : rulesSentences(rules, worths).slice(0, 1)),
      ...(locksAfterMinutes === undefined
        ? []
        : [l10n.t`It signs while the wallet is unlocked, for ${counted(locksAfterMinutes, 'minute')} from now. Then it waits for you.`]),
      l10n.t`It stays on, also after a restart of VS Code, until you stop it (${keys}).`,
    ].join('\n'),
    actions: automatic ? [showDryRun(), startSigningText(), changeRulesText()] : [startText(), showDryRun(), changeRulesText()],
  };
}

/** The name of the service; for the sandbox it says that its money is not real. */
export function serviceText({ kind, name }: ServiceChoice): string {
  return kind === 'sandbox' ? sandboxText() : plainText(name);
}

/** "60 seconds", "5 minutes", "2 hours": in the largest unit that gives a whole number. */
export function duration(ms: number): string {
  if (ms > 0 && ms % HOUR_MS === 0) {
    return counted(ms / HOUR_MS, 'hour');
  }
  return ms > MINUTE_MS && ms % MINUTE_MS === 0 ? counted(ms / MINUTE_MS, 'minute') : counted(ms / SECOND_MS, 'second');
}

function termsSentence({ halfWidthBins, strategy, slippageBps }: ReentryTerms): string {
  const slippage = percent(slippageBps / 100);
  const shape = strategy ?? l10n.t('unchanged');
  const width = halfWidthBins === undefined ? l10n.t('unchanged') : l10n.t`${counted(halfWidthBins, 'bin')} on each side`;
  return l10n.t`New range around the active bin: ${width}. Strategy: ${shape}. Max slippage: ${slippage}.`;
}

function limitsSentence(rules: AutoRebalanceRules, worths: readonly ConfirmedWorth[]): string {
  const { mostPerPositionAndDay, mostPerDay, cooldownMs } = rules;
  const cost = lamportsAsSol(mostCostLamports(worths, rules));
  const none = mostPerPositionAndDay === 0 || mostPerDay === 0 ? `${l10n.t('Your rules allow no rebalances.')} ` : '';
  const limits = l10n.t`Limits in 24 hours: ${count(mostPerPositionAndDay)} per position, ${count(mostPerDay)} in all, ${cost} of costs.`;
  return cooldownMs === 0 ? `${none}${limits}` : `${none}${limits} ${l10n.t`Cooldown: ${duration(cooldownMs)}.`}`;
}

function closingSentence({ stopLossPercent, takeProfitPercent, pnlIn, mostClosingsPerDay }: AutoRebalanceRules): string {
  const lines = [
    ...(stopLossPercent === undefined ? [] : [`≤ ${signedPercent(-stopLossPercent)}`]),
    ...(takeProfitPercent === undefined ? [] : [`≥ ${signedPercent(takeProfitPercent)}`]),
  ];
  return lines.length === 0
    ? l10n.t('No stop-loss or take-profit.')
    : l10n.t`Closes for SOL, without re-entering, at PnL ${lines.join(', ')} in ${pnlIn === 'usd' ? 'USD' : 'SOL'} for ${duration(LEAST_CONFIRMING_MS)} (${duration(LEAST_OBSERVED_MS)} if the chain proves the loss). At most ${count(MOST_CLOSINGS_AT_ONCE)} at once, ${count(mostClosingsPerDay)} in 24 hours.`;
}
