import * as l10n from '@vscode/l10n';
import type { ZapOutIntent } from '../../review/types';
import {
  decimalsOfPosition,
  holdingsOfShare,
  listedPricesOfPosition,
  referencesOfPosition,
  shown,
  tokensOfPosition,
  worthOfShare,
} from '../inspect/listedPrices';
import { missedBps, snapshotBefore, withdrawn } from '../outcome/evidence';
import { refreshListing } from '../outcome/observations';
import type { OperationDependencies, OperationHost, OperationResult, ZapOutPlan } from '../types';
import { runOperation } from './runOperation';
import type { OperationSpec } from './steps';
import { checkListed, checkZapOut } from './validation';

/**
 * Withdraws a share of a position and swaps it as planned; see {@link runOperation} for the steps. Settled when the portfolio no longer
 * lists the position or, for a share, lists it smaller.
 * @throws OperationError for every failure; its message says what it means for the money
 * @example
 * const plan = { position, owner, shareBps: 5_000, output: 'allBaseToken', slippageBps: 100 } as const;
 * const result = await runZapOut(plan, dependencies, host, signal);
 */
export async function runZapOut(
  plan: ZapOutPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { service, portfolio } = dependencies;
  const { position, positionId, pool, poolType, fromBinId, toBinId } = checkZapOut(plan, portfolio.snapshot.owner);
  const { owner, shareBps, slippageBps, output } = plan;
  const listedAfter = await refreshListing(owner, position, dependencies);
  const listed = checkListed(plan.position, portfolio.snapshot.positions);
  const { records } = await dependencies.journal.read().catch(() => ({ records: [] }));
  const missed = missedBps(listed, owner, records, dependencies.nowMs());
  const intent: ZapOutIntent = {
    kind: 'zapOut',
    owner,
    pool,
    poolType,
    position,
    shareBps,
    slippageBps,
    output,
    tokenX: plan.position.token0.address,
    tokenY: plan.position.token1.address,
    fromBinId,
    toBinId,
    worth: worthOfShare(plan.position, shareBps),
    holdings: holdingsOfShare(listed, shareBps),
    listedPrices: listedPricesOfPosition(plan.position, portfolio.snapshot),
    listedDecimals: [plan.position, listed].flatMap(decimalsOfPosition),
    ...shown(referencesOfPosition(plan.position)),
  };
  const work: OperationSpec = {
    name: `Zap-out of ${position}`,
    noun: l10n.t('zap-out'),
    subject: {
      operation: 'zapOut',
      owner,
      pool,
      poolType,
      pairName: plan.position.pairName,
      tokens: tokensOfPosition(listed),
      plan: {
        kind: 'zapOut',
        position,
        positionId,
        shareBps,
        output,
        slippageBps,
        before: snapshotBefore(listed, missed),
        ...(plan.leavesMore === true ? { leavesMore: true } : {}),
      },
    },
    listedAfter,
    build: async (cancel, buildSlippageBps) => {
      const request = { positionId, bps: shareBps, owner, slippageBps: buildSlippageBps, output, poolType };
      const built = await service.buildDecrease(request, { signal: cancel });
      const { lastValidBlockHeight } = built;
      return {
        intent,
        transactions: [
          ...built.closeTransactions.map((base64) => ({ group: 'close' as const, base64 })),
          ...built.swapTransactions.map((base64) => ({ group: 'swap' as const, base64 })),
        ],
        lastValidBlockHeight,
        position,
        land: (signed) =>
          service.landDecrease({ closeTransactions: signed('close'), swapTransactions: signed('swap'), lastValidBlockHeight }),
        effect: withdrawn(listed, shareBps),
      };
    },
  };
  return runOperation(work, dependencies, host, signal);
}
