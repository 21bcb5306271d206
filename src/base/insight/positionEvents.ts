/** What an event does to the tokens of a position. */
export type EventKind = 'open' | 'deposit' | 'withdrawal' | 'fees' | 'rewards' | 'close' | 'unknown';

const KINDS: Readonly<Record<Exclude<EventKind, 'unknown'>, readonly string[]>> = {
  open: ['create', 'create_position', 'open', 'open_position', 'initialize_position'],
  deposit: ['add', 'add_liquidity', 'increase', 'increase_liquidity', 'deposit'],
  withdrawal: ['remove', 'remove_liquidity', 'decrease', 'decrease_liquidity', 'withdraw'],
  fees: ['claim', 'claim_fee', 'claim_fees', 'collect', 'collect_fee', 'collect_fees'],
  rewards: ['claim_reward', 'claim_rewards', 'collect_reward', 'collect_rewards'],
  close: ['close', 'close_position'],
};

/** The service's name of an action in one spelling: "addLiquidity" and "ADD_LIQUIDITY" are the same action to a reader. */
export function actionName(action: string): string {
  return action
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .toLowerCase();
}

/** What an action does. */
export function kindOfEvent({ action }: { readonly action: string }): EventKind {
  const name = actionName(action);
  const kinds = Object.entries(KINDS) as readonly [keyof typeof KINDS, readonly string[]][];
  return kinds.find(([, names]) => names.includes(name))?.[0] ?? 'unknown';
}
