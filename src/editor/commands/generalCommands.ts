import type { PortfolioReader } from '../../portfolio/types';
import type { Address } from '../../solana/address';
import type { EditorActions } from '../editorActions';
import { explorerOfAccount } from '../operations/outcome';
import { Refusal } from '../refusal';
import type { ServiceChoice } from '../service/serviceChoice';
import type { CommandHandlers } from './funnel';
import type { CommandTarget } from './target';

/** What the remaining commands work with. */
export interface GeneralCommandDependencies {
  readonly portfolio: PortfolioReader;
  readonly actions: EditorActions;
  readonly service: () => ServiceChoice;
  readonly refresh: () => Promise<void>;
}

/** The commands that look, show and copy. */
export function generalCommands({
  portfolio,
  actions,
  service,
  refresh,
}: GeneralCommandDependencies): Pick<CommandHandlers, 'binsight.refresh' | 'binsight.copyAddress' | 'binsight.openInExplorer' | 'binsight.showLog'> {
  return {
    'binsight.refresh': refresh,
    'binsight.copyAddress': async (target) => {
      await actions.copy(addressOf(target, portfolio));
    },
    'binsight.openInExplorer': async (target) => {
      const address = addressOf(target, portfolio);
      if (service().kind !== 'remote') {
        throw new Refusal('The sandbox runs on this machine alone: no explorer on the web knows its accounts.');
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
  const address = target?.kind === 'pool' ? target.address : snapshot.positions.find(({ key }) => target?.kind === 'position' && key === target.key)?.address;
  if (address === undefined) {
    throw new Refusal('Choose a position or a pool that has an address.');
  }
  return address;
}
