import * as l10n from '@vscode/l10n';
import type { ClaimedPosition, ClaimIntent } from '../../review/types';
import {
  decimalsOfPosition,
  feesOfPosition,
  listedPricesOfPosition,
  referencesOfPosition,
  shown,
  tokensOfPosition,
} from '../inspect/listedPrices';
import { claimed, feesBefore } from '../outcome/evidence';
import type { ClaimPlan, OperationDependencies, OperationHost, OperationResult } from '../types';
import { runOperation } from './runOperation';
import type { OperationSpec } from './steps';
import { checkClaim } from './validation';

/**
 * Claims the fees of positions; see {@link runOperation} for the steps. Settled when the portfolio lists fewer fees. Each of its transactions
 * stands alone: what does not land stays in the positions.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runClaim(
  plan: ClaimPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { service, portfolio } = dependencies;
  const { owner } = plan;
  const targets = checkClaim(plan, portfolio.snapshot);
  const [first] = targets;
  const figures = targets.map(({ asShown }) => asShown);
  const positions = targets.map(({ asShown, position, pool }): ClaimedPosition => ({
    pool,
    position,
    tokenX: asShown.token0.address,
    tokenY: asShown.token1.address,
    fees: feesOfPosition(asShown),
  }));
  const intent: ClaimIntent = {
    kind: 'claim',
    owner,
    pool: first.pool,
    poolType: first.poolType,
    position: first.position,
    tokenX: first.asShown.token0.address,
    tokenY: first.asShown.token1.address,
    positions,
    // Nothing is traded.
    slippageBps: 0,
    listedPrices: figures.flatMap((of) => listedPricesOfPosition(of, portfolio.snapshot)),
    listedDecimals: figures.flatMap(decimalsOfPosition),
    ...shown(figures.flatMap(referencesOfPosition)),
  };
  const before = targets.map(({ listed, position, positionId }) => ({ position, positionId, ...feesBefore(listed) }));
  const tokens = new Map(figures.flatMap(tokensOfPosition).map((token) => [token.mint, token]));
  const request = { owner, positionIds: targets.map(({ positionId }) => positionId) };
  const work: OperationSpec = {
    name: `Claim of ${positions.map(({ position }) => position).join(', ')}`,
    noun: l10n.t('claim'),
    subject: {
      operation: 'claim',
      owner,
      pool: first.pool,
      poolType: first.poolType,
      pairName: first.asShown.pairName,
      tokens: [...tokens.values()],
      plan: { kind: 'claim', positions: before },
    },
    build: async (cancel) => {
      const built = await service.buildClaim(request, { signal: cancel });
      const { lastValidBlockHeight, meta } = built;
      return {
        intent,
        transactions: built.claimTransactions.map((base64) => ({ group: 'claim' as const, base64 })),
        lastValidBlockHeight,
        position: first.position,
        land: (signed) => service.landClaim({ claimTransactions: signed('claim'), lastValidBlockHeight, meta }),
        effect: claimed(before),
      };
    },
  };
  return runOperation(work, dependencies, host, signal);
}
