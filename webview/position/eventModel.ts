import * as l10n from '@vscode/l10n';
import { shortAmount } from '../../src/base/format/amounts';
import type { PositionEvent } from '../../src/protocol/position';

export interface ActionLabels {
  readonly label: string;
  /** Name of a codicon. */
  readonly icon: string;
}

/** Longer action names from the service are truncated. Characters. */
const MAX_LABEL_LENGTH = 60;
/** The token program stores decimals in one byte. */
const MAX_DECIMALS = 255;

const knownActions = (): Readonly<Partial<Record<string, ActionLabels>>> => ({
  ...named(l10n.t('Opened'), 'new-file', 'create', 'create_position', 'open', 'open_position', 'initialize_position'),
  ...named(l10n.t('Deposited'), 'add', 'add', 'add_liquidity', 'increase', 'increase_liquidity', 'deposit'),
  ...named(l10n.t('Withdrawn'), 'remove', 'remove', 'remove_liquidity', 'decrease', 'decrease_liquidity', 'withdraw'),
  ...named(l10n.t('Fees claimed'), 'check-all', 'claim', 'claim_fee', 'claim_fees', 'collect', 'collect_fee', 'collect_fees'),
  ...named(l10n.t('Rewards claimed'), 'gift', 'claim_reward', 'claim_rewards', 'collect_reward', 'collect_rewards'),
  ...named(l10n.t('Closed'), 'circle-slash', 'close', 'close_position'),
  ...named(l10n.t('Unknown event'), 'question', 'unknown'),
});

function named(label: string, icon: string, ...actions: readonly string[]): Readonly<Record<string, ActionLabels>> {
  return Object.fromEntries(actions.map((action) => [action, { label, icon }]));
}

/** Label and icon of an action. An unknown action is shown under the service's own name, with spaces for underscores. */
export function actionLabels(action: string): ActionLabels {
  // "addLiquidity" and "ADD_LIQUIDITY" are the same action to a reader.
  const name = action
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .toLowerCase();
  const known = Object.hasOwn(knownActions(), name) ? knownActions()[name] : undefined;
  if (known !== undefined) {
    return known;
  }
  const words = name.replaceAll('_', ' ').trim();
  const cut = words.length > MAX_LABEL_LENGTH ? `${words.slice(0, MAX_LABEL_LENGTH)}…` : words;
  return { label: cut === '' ? l10n.t('Unknown event') : cut.charAt(0).toUpperCase() + cut.slice(1), icon: 'circle-small-filled' };
}

/** Formats a raw amount in whole tokens; "–" if the amount or its decimals are unknown. */
export function eventAmount(raw: string | undefined, decimals: number | undefined, locale: string): string {
  const isReadable = decimals !== undefined && Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS;
  return shortAmount(raw === undefined ? undefined : BigInt(raw), isReadable ? decimals : undefined, locale);
}

/** Value of both amounts at the time of the event, US dollars; `undefined` if a non-zero amount has no price. For display only. */
export function eventValueUsd(event: PositionEvent): number | undefined {
  const sides = [sideUsd(event.amount0Raw, event.decimals0, event.price0Usd), sideUsd(event.amount1Raw, event.decimals1, event.price1Usd)];
  return sides.reduce<number | undefined>((sum, side) => (sum === undefined || side === undefined ? undefined : sum + side), 0);
}

function sideUsd(raw: string | undefined, decimals: number | undefined, price: number | undefined): number | undefined {
  if (raw !== undefined && BigInt(raw) === 0n) {
    return 0;
  }
  return raw === undefined || decimals === undefined || price === undefined ? undefined : (Number(raw) / 10 ** decimals) * price;
}
