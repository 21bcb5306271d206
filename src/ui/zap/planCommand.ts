import * as l10n from '@vscode/l10n';
import { askPlannedZapIn, type PlannedZapIn } from './plannedZapIn';
import type { ZapInChoices } from './zapInDialog';
import { UserError } from '../shell/userError';
import type { CommandHandlers } from '../shell/commands/runCommand';
import { runChosen, zapInQuestions, type OperationCommandDependencies } from './zapCommands';
import type { CommandId } from '../shell/commands/registry';
import { requireSigningOwner } from '../wallets/requireSigner';

const PLAN: CommandId = 'binsight.planPosition';

/** The command that continues from a plan made in a panel. A panel can only request it: the command reads, asks, reviews and confirms as Zap In does. */
export function planCommands(dependencies: OperationCommandDependencies): Pick<CommandHandlers, 'binsight.continuePlan'> {
  /** The plan in the open question. */
  let asking: Pick<PlannedZapIn, 'pool' | 'plan'> | undefined;
  return {
    'binsight.continuePlan': async (target) => {
      if (target?.kind !== 'plan') {
        throw new UserError(l10n.t("There is no plan to continue. Plan the position in its pool's panel."), {
          label: l10n.t('Plan Position'),
          command: PLAN,
        });
      }
      const { address: owner } = requireSigningOwner(dependencies);
      const { pool, plan } = target;
      if (asking !== undefined) {
        // A second click: two questions could deposit the amount twice.
        if (asking.pool === pool && JSON.stringify(asking.plan) === JSON.stringify(plan)) {
          return;
        }
        throw new UserError(l10n.t('Another plan is waiting for your answer. Answer or cancel it first.'));
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
  return askPlannedZapIn(planned, zapInQuestions(dependencies, planned.owner));
}
