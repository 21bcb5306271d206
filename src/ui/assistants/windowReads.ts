import { type Clock, elapsedMs } from '../../base/async/clock';
import type { AssistantReads } from '../../assistants/context';
import { combineOverviews } from '../../portfolio/combinedOverview';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import { PROTOCOL_OF } from '../../service/common';
import type { LiquidityService } from '../../service/service';
import { planFigures } from '../panels/poolReads';
import type { LogFunction } from '../shell/log';
import { isOwnService, type ServiceChoice } from '../shell/serviceChoice';
import type { Owners } from '../wallets/owners';

export interface WindowReadsDependencies {
  readonly portfolio: PortfolioControl;
  readonly connect: () => Promise<LiquidityService>;
  readonly service: () => ServiceChoice;
  readonly owners: Pick<Owners, 'active'>;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly defaultSlippageBps: () => number;
  readonly policy: () => Partial<PolicySettings>;
  readonly clock: Clock;
  readonly log: LogFunction;
}

/** Older positions are read again before a tool reports them. */
const MOST_AGE_MS = 60_000;

/**
 * The reads of the tools of assistants: a few calls of the service, with the pace of a panel, so that operations of the user go first and the
 * request limit holds. The service's calls that build and land transactions are not among them.
 */
export function windowReads(dependencies: WindowReadsDependencies): AssistantReads {
  const { portfolio, connect, service, owners, clock, defaultSlippageBps } = dependencies;
  return {
    wallet: () => {
      const { name, kind } = service();
      const owner = owners.active(service());
      return {
        service: name,
        isSandbox: kind === 'sandbox',
        owner: owner?.address,
        canSign: owner?.canSign === true,
        canClaim: isOwnService({ kind }),
      };
    },
    positions: async () => {
      // The sandbox adds its wallet when it is connected.
      await connect();
      if (ageMs(portfolio.snapshot, clock) > MOST_AGE_MS) {
        await portfolio.refresh('visible', ['positions'], 'panel');
      }
      const { positions, totals, positionsState } = portfolio.snapshot;
      return { positions, totals, state: positionsState };
    },
    pools: async (query, signal) => (await connect()).discoverPools(query, { signal, pace: 'panel' }),
    poolInfo: async (pool, signal) => (await connect()).poolInfo(pool, { signal, pace: 'panel' }),
    overview: async (owner, signal) => {
      const client = await connect();
      const dlmm = await client.overview({ owner }, { signal, pace: 'panel' });
      const dammV2 = await client.overview({ owner, protocol: PROTOCOL_OF.dammV2 }, { signal, pace: 'panel' });
      // A service that ignores the filter answers with the same positions again.
      const [first, ...others] = [dlmm, dammV2?.protocol === PROTOCOL_OF.dammV2 ? dammV2 : undefined].filter((one) => one !== undefined);
      return first === undefined ? undefined : combineOverviews([first, ...others]);
    },
    closedPositions: async (query, signal) => (await connect()).closedPositions(query, { signal, pace: 'panel' }),
    planFigures: (pool, info, signal) => planFigures(pool, dependencies, { info }, signal),
    defaultSlippageBps,
  };
}

function ageMs({ positionsState }: PortfolioSnapshot, clock: Clock): number {
  return positionsState.kind === 'ready' ? elapsedMs(positionsState.asOf.getTime(), clock.now()) : Number.POSITIVE_INFINITY;
}
