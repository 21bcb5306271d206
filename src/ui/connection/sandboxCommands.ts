import * as l10n from '@vscode/l10n';
import type { Prompts } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import type { SandboxReady } from './sandbox/readyLine';
import { SandboxError } from '../shell/connectionErrors';
import type { SandboxSupervisor } from './sandbox/supervisor';
import type { ServiceChoice } from '../shell/serviceChoice';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { CommandId } from '../shell/commands/registry';

/** What the commands about the sandbox work with. */
export interface SandboxCommandDependencies {
  readonly prompts: Prompts;
  readonly service: () => ServiceChoice;
  readonly sandbox: Pick<SandboxSupervisor, 'state' | 'start' | 'startWithNewWorld'>;
  /** Lets the running sandbox make a new world. @throws SandboxError in words */
  readonly resetWorld: (sandbox: SandboxReady) => Promise<void>;
  /** Forgets what was read, and reads again. */
  readonly reconnect: () => Promise<void>;
}

const resetText = () => l10n.t('Reset World');
const CONNECT: CommandId = 'binsight.connectService';

/** The commands about the sandbox itself. */
export function sandboxCommands({
  prompts,
  service,
  sandbox,
  resetWorld,
  reconnect,
}: SandboxCommandDependencies): Pick<CommandHandlers, 'binsight.resetSandboxWorld'> {
  return {
    'binsight.resetSandboxWorld': async () => {
      if (service().kind !== 'sandbox') {
        throw new UserError(l10n.t('Only the world of the sandbox can be reset, and another service is in use.'), {
          label: l10n.t('Connect to a Service'),
          command: CONNECT,
        });
      }
      // Tells apart a world that can be read from one that cannot.
      const ready = await sandbox.start().catch((error: unknown) => {
        if (error instanceof SandboxError && error.reason !== 'cannotRun') {
          return undefined;
        }
        throw error;
      });
      const detail =
        ready === undefined
          ? l10n.t(
              'The sandbox cannot start with the world that it has. A new one is made, with a new pretend wallet. The file of the old world is kept in the folder of the sandbox, with the date in its name.',
            )
          : l10n.t(
              'All its positions, prices and balances are replaced by those of a new world, in all windows. The wallet of the sandbox stays and gets new pretend money. The old world cannot be brought back.',
            );
      const action = await prompts.confirm({
        severity: 'warning',
        message: l10n.t('Reset the world of the sandbox?'),
        detail: l10n.t`${detail}\n\nNo real money is involved.`,
        actions: [resetText()],
      });
      if (action !== resetText()) {
        return;
      }
      if (ready === undefined) {
        await sandbox.startWithNewWorld();
      } else {
        await resetWorld(ready);
      }
      await reconnect();
      void prompts.notify({
        severity: 'info',
        message:
          ready === undefined
            ? l10n.t('The sandbox has a new world. The file of the old one was kept.')
            : l10n.t('The sandbox has a new world.'),
      });
    },
  };
}
