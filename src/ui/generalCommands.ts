import * as l10n from '@vscode/l10n';
import type { RequestPace } from '../service/requestBudget';
import type { PortfolioReader } from '../portfolio/types';
import type { Address } from '../base/solana/address';
import type { EditorActions } from './shell/editorActions';
import { explorerOfAccount } from './zap/outcome';
import { waitingAside, type WaitingDependencies } from './shell/requestWait';
import type { Prompts } from './shell/prompts/prompts';
import { UserError } from './shell/userError';
import type { ServiceChoice } from './shell/serviceChoice';
import type { CommandHandlers } from './shell/commands/runCommand';
import type { CommandTarget } from './shell/commands/target';

export interface GeneralCommandDependencies {
  readonly portfolio: PortfolioReader;
  readonly actions: EditorActions;
  readonly service: () => ServiceChoice;
  readonly prompts: Pick<Prompts, 'progress'>;
  readonly refresh: (pace: RequestPace) => Promise<void>;
  /** How a refresh waits for the service's request limit. */
  readonly waiting: WaitingDependencies;
}

export function generalCommands({
  portfolio,
  actions,
  service,
  prompts,
  refresh,
  waiting,
}: GeneralCommandDependencies): Pick<
  CommandHandlers,
  'binsight.refresh' | 'binsight.copyAddress' | 'binsight.openInExplorer' | 'binsight.showLog'
> {
  return {
    'binsight.refresh': () => waitingAside(l10n.t('Refreshing'), prompts, waiting, refresh),
    'binsight.copyAddress': async (target) => {
      await actions.copy(addressOf(target, portfolio));
    },
    'binsight.openInExplorer': async (target) => {
      const address = addressOf(target, portfolio);
      if (service().kind !== 'remote') {
        throw new UserError(l10n.t("Explorers can't show accounts of the sandbox."));
      }
      await actions.openExternal(explorerOfAccount(address));
    },
    'binsight.showLog': () => {
      actions.showLog();
      return Promise.resolve();
    },
  };
}

function addressOf(target: CommandTarget | undefined, { snapshot }: PortfolioReader): Address {
  const address =
    target?.kind === 'pool'
      ? target.address
      : snapshot.positions.find(({ key }) => target?.kind === 'position' && key === target.key)?.address;
  if (address === undefined) {
    throw new UserError(l10n.t('Choose a position or a pool with an address.'));
  }
  return address;
}
