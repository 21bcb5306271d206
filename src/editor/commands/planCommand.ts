import { Refusal } from '../refusal';
import type { CommandHandlers } from './funnel';
import { runChosen, zapInQuestions, type OperationCommandDependencies } from './operationCommands';
import type { CommandId } from './table';
import { signingOwner } from './walletDesk';

const PLAN: CommandId = 'binsight.planPosition';

/** The command that goes on from a plan made in a panel. A panel can only ask: this reads, asks, reviews and confirms as Zap In does. */
export function planCommands(dependencies: OperationCommandDependencies): Pick<CommandHandlers, 'binsight.continuePlan'> {
  return {
    'binsight.continuePlan': async (target) => {
      if (target?.kind !== 'plan') {
        throw new Refusal('There is no plan to go on from. A position is planned in the panel of its pool.', { label: 'Plan a Position', command: PLAN });
      }
      const { address: owner } = signingOwner(dependencies);
      const { askPlannedZapIn } = await import('../operations/plannedZapIn');
      await runChosen(await askPlannedZapIn({ pool: target.pool, plan: target.plan, owner }, zapInQuestions(dependencies, owner)), owner, dependencies);
    },
  };
}
