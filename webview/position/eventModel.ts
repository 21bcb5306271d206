import * as l10n from '@vscode/l10n';
import { shortAmount } from '../../src/base/format/amounts';
import type { PositionEvent } from '../../src/protocol/position';

/** An action's name and sign, as they are shown. */
export interface ActionLabels {
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
}

/** Words of actions that are longer than this are cut. */
const LONGEST = 60;
/** A token has no more decimals than fit a byte. */
const MOST_DECIMALS = 255;

const knownText = (): Readonly<Partial<Record<string, ActionLabels>>> => ({
  ...named('Opened', 'new-file', 'create', 'create_position', 'open', 'open_position', 'initialize_position'),
  ...named(l10n.t('Put in'), 'add', 'add', 'add_liquidity', 'increase', 'increase_liquidity', 'deposit'),
  ...named(l10n.t('Taken out'), 'remove', 'remove', 'remove_liquidity', 'decrease', 'decrease_liquidity', 'withdraw'),
  ...named(l10n.t('Fees collected'), 'check-all', 'claim', 'claim_fee', 'claim_fees', 'collect', 'collect_fee', 'collect_fees'),
  ...named(l10n.t('Rewards collected'), 'gift', 'claim_reward', 'claim_rewards', 'collect_reward', 'collect_rewards'),
  ...named('Closed', 'circle-slash', 'close', 'close_position'),
  ...named(l10n.t('Event of an unknown kind'), 'question', 'unknown'),
});

function named(label: string, icon: string, ...actions: readonly string[]): Readonly<Record<string, ActionLabels>> {
  return Object.fromEntries(actions.map((action) => [action, { label, icon }]));
}

/** What an event did. Names that are not known are shown as the service writes them, as words. */
export function actionLabels(action: string): ActionLabels {
  // "addLiquidity" and "ADD_LIQUIDITY" are the same action to a reader.
  const name = action
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .toLowerCase();
  const known = Object.hasOwn(knownText(), name) ? knownText()[name] : undefined;
  if (known !== undefined) {
    return known;
  }
  const words = name.replaceAll('_', ' ').trim();
  const cut = words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
  return {
    label: cut === '' ? l10n.t('Event of an unknown kind') : cut.charAt(0).toUpperCase() + cut.slice(1),
    icon: 'circle-small-filled',
  };
}

/** An amount of an event in whole tokens; "–" where it or its decimals are not known. */
export function eventAmount(raw: string | undefined, decimals: number | undefined, locale: string): string {
  const isReadable = decimals !== undefined && Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS;
  return shortAmount(raw === undefined ? undefined : BigInt(raw), isReadable ? decimals : undefined, locale);
}

/** What both amounts came to at the time, US dollars; `undefined` where one that is not zero has no price. For display only. */
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
