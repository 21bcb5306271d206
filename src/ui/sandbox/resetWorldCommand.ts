import * as l10n from '@vscode/l10n';
import { titleOf } from '../../base/text';
import type { SandboxProcess, SandboxReady } from '../connection/sandboxProcess';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandlers } from '../shell/commands/runCommand';
import { SandboxError, UserError } from '../shell/errors';
import type { Prompts } from '../shell/prompts/prompts';
import type { ServiceChoice } from '../shell/serviceChoice';

export interface ResetWorldDependencies {
  readonly prompts: Prompts;
  readonly service: () => ServiceChoice;
  readonly sandbox: Pick<SandboxProcess, 'state' | 'start' | 'startWithNewData'>;
  /** Resets the world of the running sandbox. @throws SandboxError */
  readonly resetWorld: (sandbox: SandboxReady) => Promise<void>;
  /** Drops the connection and all data, and reads them again. */
  readonly reconnect: () => Promise<void>;
}

const CONNECT: CommandId = 'binsight.connectService';

export function resetWorldCommands({
  prompts,
  service,
  sandbox,
  resetWorld,
  reconnect,
}: ResetWorldDependencies): Pick<CommandHandlers, 'binsight.resetSandboxWorld'> {
  return {
    'binsight.resetSandboxWorld': async () => {
      if (service().kind !== 'sandbox') {
        throw new UserError(l10n.t('Another service is in use. Connect to the sandbox first.'), {
          label: l10n.t('Connect to Service…'),
          command: CONNECT,
        });
      }
      // A sandbox that doesn't start has a world that can't be read.
      const ready = await sandbox.start().catch((error: unknown) => {
        if (error instanceof SandboxError && error.reason !== 'cannotRun') {
          return undefined;
        }
        throw error;
      });
      const detail =
        ready === undefined
          ? l10n.t('A new world with a new pretend wallet replaces this one. Its file is kept in the sandbox folder.')
          : l10n.t('All positions, prices and balances are replaced, in all windows. The wallet stays. This cannot be undone.');
      const [keep, reset] = [l10n.t('Keep World'), titleOf(l10n.t('Reset World…'))];
      const action = await prompts.confirm({
        severity: 'warning',
        message: l10n.t('Reset the sandbox world?'),
        detail: `${detail}\n\n${l10n.t('No real money is involved.')}`,
        // The first action is preselected: Enter keeps the world.
        actions: [keep, reset],
      });
      if (action !== reset) {
        return;
      }
      if (ready === undefined) {
        await sandbox.startWithNewData();
      } else {
        await resetWorld(ready);
      }
      await reconnect();
      void prompts.notify({ severity: 'info', message: l10n.t('The sandbox has a new world.') });
    },
  };
}
