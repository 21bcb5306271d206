import type { PlannedZapIn } from '../operations/plannedZapIn';
import type { ZapInChoices } from '../operations/zapInDialogue';
import { UserError } from '../refusal';
import type { CommandHandlers } from './funnel';
import { runChosen, zapInQuestions, type OperationCommandDependencies } from './operationCommands';
import type { CommandId } from './table';
import { requireSigningOwner } from './walletDesk';

const PLAN: CommandId = 'binsight.planPosition';

/** The command that goes on from a plan made in a panel. A panel can only ask: this reads, asks, reviews and confirms as Zap In does. */
export function planCommands(dependencies: OperationCommandDependencies): Pick<CommandHandlers, 'binsight.continuePlan'> {
  /** What is being asked about. */
  let asking: Pick<PlannedZapIn, 'pool' | 'plan'> | undefined;
  return {
    'binsight.continuePlan': async (target) => {
      if (target?.kind !== 'plan') {
        throw new UserError('There is no plan to go on from. A position is planned in the panel of its pool.', { label: 'Plan a Position', command: PLAN });
      }
      const { address: owner } = requireSigningOwner(dependencies);
      const { pool, plan } = target;
      if (asking !== undefined) {
        // Pressed twice: whoever answers both would put the amount in twice.
        if (asking.pool === pool && JSON.stringify(asking.plan) === JSON.stringify(plan)) {
          return;
        }
        throw new UserError('Another plan is waiting for your answer. Answer or cancel it first; nothing was done with this one.');
      }
      asking = { pool, plan };
      const choices = await askWith({ pool, plan, owner }, dependencies).finally(() => {
        asking = undefined;
      });
      await runChosen(choices, owner, dependencies);
    },
  };
}

async function askWith(planned: PlannedZapIn, dependencies: OperationCommandDependencies): Promise<ZapInChoices | undefined> {
  const { askPlannedZapIn } = await import('../operations/plannedZapIn');
  return askPlannedZapIn(planned, zapInQuestions(dependencies, planned.owner));
}
