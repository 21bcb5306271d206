import type { AutoRebalanceMenu } from './autoRebalanceMenu';
import type { CommandHandlers } from '../shell/commands/runCommand';

/** What the commands of automation work with. */
export interface AutomationCommandDependencies {
  /** Gives it once it has looked whether automation is on. */
  readonly desk: () => Promise<Pick<AutoRebalanceMenu, 'start' | 'stop' | 'showPlan' | 'menu'>>;
}

/** The commands that start, stop and show automation. */
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
