import type { AutoRebalanceMenu } from './autoRebalanceMenu';
import type { CommandHandlers } from '../shell/commands/runCommand';

export interface AutomationCommandDependencies {
  /** Resolves once it is known whether auto-rebalance is on. */
  readonly desk: () => Promise<Pick<AutoRebalanceMenu, 'start' | 'stop' | 'showPlan' | 'menu'>>;
}

export function automationCommands({
  desk,
}: AutomationCommandDependencies): Pick<
  CommandHandlers,
  'binsight.startAutoRebalance' | 'binsight.stopAllAutomation' | 'binsight.showAutomationPlan' | 'binsight.automationMenu'
> {
  return {
    'binsight.startAutoRebalance': async () => (await desk()).start(),
    'binsight.stopAllAutomation': async () => (await desk()).stop(),
    'binsight.showAutomationPlan': async () => (await desk()).showPlan(),
    'binsight.automationMenu': async () => (await desk()).menu(),
  };
}
