import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { Pool } from '../../service/pools';
import type { LiquidityService } from '../../service/service';
import { pickPool } from '../pools/pickPool';
import { findPoolsBy } from '../pools/poolSearch';
import { positionNames } from '../positions/positionList';
import { positionRow } from '../positions/positionRows';
import type { CommandHandlers, CommandTarget } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import { positionOf } from '../zap/zapCommands';
import type { PanelRegistry } from './panels';

export interface PanelCommandDependencies {
  readonly prompts: Prompts;
  readonly portfolio: PortfolioReader;
  readonly connect: () => Promise<LiquidityService>;
  /** Loaded with the first panel. */
  readonly panels: () => Promise<Pick<PanelRegistry, 'openPool' | 'openPosition' | 'openOverview'>>;
}

/** The commands that open panels. */
export function panelCommands({
  prompts,
  portfolio,
  connect,
  panels,
}: PanelCommandDependencies): Pick<
  CommandHandlers,
  'binsight.openPool' | 'binsight.zapIn' | 'binsight.openPosition' | 'binsight.openOverview'
> {
  const find = findPoolsBy(connect);
  return {
    'binsight.openPool': async (target) => {
      const { positions, pools } = portfolio.snapshot;
      const pool =
        poolOf(target, positions) ?? (await pickPool({ title: l10n.t('Open Pool'), among: pools, find, isOffered: () => true }, prompts));
      if (pool !== undefined) {
        (await panels()).openPool(pool);
      }
    },
    // All of a zap-in is chosen in the plan of the pool's panel, which hands it to `binsight.continuePlan`.
    'binsight.zapIn': async (target) => {
      // Binsight cannot enter pools of other types.
      const isOffered = ({ poolType }: Pool) => poolType !== 'other';
      const among = portfolio.snapshot.pools;
      const pool = poolOf(target, []) ?? (await pickPool({ title: l10n.t('Zap In'), among, find, isOffered }, prompts));
      if (pool !== undefined) {
        (await panels()).openPool(pool, { kind: 'startPlan' });
      }
    },
    'binsight.openPosition': async (target) => {
      const position = positionOf(target, portfolio.snapshot.positions) ?? (await pickPosition(prompts, portfolio));
      if (position !== undefined) {
        (await panels()).openPosition(position.key);
      }
    },
    'binsight.openOverview': async () => {
      (await panels()).openOverview();
    },
  };
}

/** @throws UserError if the command was started on a position whose pool is not known */
function poolOf(target: CommandTarget | undefined, positions: readonly OpenPosition[]): Address | undefined {
  if (target?.kind === 'pool') {
    return target.address;
  }
  const position = positionOf(target, positions);
  if (position !== undefined && position.pool === undefined) {
    throw new UserError(l10n.t('The service did not report the address of this position or of its pool.'));
  }
  return position?.pool;
}

async function pickPosition(prompts: Prompts, { snapshot: { positions } }: PortfolioReader): Promise<OpenPosition | undefined> {
  if (positions.length === 0) {
    throw new UserError(l10n.t('No open positions.'));
  }
  const names = positionNames(positions);
  const answer = await prompts.pick({
    title: l10n.t('Open Position'),
    placeholder: l10n.t('Choose a position'),
    items: positions.map((position): PickItem<OpenPosition> => {
      const { label, description, icon } = positionRow(position, false, names.get(position.key));
      return {
        label,
        description,
        icon: icon.id,
        ...(position.address === undefined ? {} : { detail: position.address }),
        value: position,
      };
    }),
    matchDetails: true,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}
