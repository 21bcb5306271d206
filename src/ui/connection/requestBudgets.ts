import type { Clock, Subscription } from '../../base/async/clock';
import { RequestBudgets } from '../../service/budget/requestBudget';
import { RequestLedger } from '../../service/budget/requestLedger';
import type { SettingId } from '../../settings/settingTypes';
import type { LogFunction } from '../shell/log';
import type { SettingsReader } from '../shell/settings/values';

export interface RequestBudgetsDependencies {
  /** Holds what the windows of this machine share. */
  readonly folder: string;
  readonly clock: Clock;
  readonly settings: SettingsReader & { onDidChange(ids: readonly SettingId[], listener: () => void): Subscription };
  readonly log: LogFunction;
  readonly add: (subscription: Subscription) => void;
}

/** Creates the request budgets of all services, which the windows of this machine share. */
export function createRequestBudgets({ folder, clock, settings, log, add }: RequestBudgetsDependencies): RequestBudgets {
  const read = (): number | undefined => {
    const plan = settings.get('binsight.service.requestsPerMinute');
    return plan === 'automatic' ? undefined : Number(plan);
  };
  let perMinute = read();
  const budgets = new RequestBudgets(clock, (name) => ({
    configured: () => perMinute,
    ledger: new RequestLedger({ folder, name, now: () => clock.now(), log }),
  }));
  add(
    settings.onDidChange(['binsight.service.requestsPerMinute'], () => {
      perMinute = read();
      budgets.limitChanged();
    }),
  );
  return budgets;
}
