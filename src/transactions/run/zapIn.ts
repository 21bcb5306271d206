import * as l10n from '@vscode/l10n';
import type { ZapInIntent } from '../../review/types';
import { entered } from '../outcome/evidence';
import { decimalsOfPlan, listedPricesOfPlan, referencesOfPlan, shown, tokensOfPlan } from '../inspect/listedPrices';
import type { OperationSpec } from './steps';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../types';
import { afterEarlier, depositIn, builtDeposit, writtenTokens } from './deposits';
import { runOperation } from './runOperation';
import { checkZapIn } from './validation';

/**
 * Deposits SOL, or the pool's tokens from the wallet, into a new position; see {@link runOperation} for the steps. Settled when the
 * portfolio lists the new position.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runZapIn(
  plan: ZapInPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { service, portfolio } = dependencies;
  const { amounts, range } = checkZapIn(plan, portfolio.snapshot.owner);
  const { owner, pool, poolType, pairName, tokenX, tokenY, inputLamports, percentX, slippageBps, tokens, activeBinId, binStepBps } = plan;
  const { positions, positionsState } = portfolio.snapshot;
  const before = positionsState.kind === 'ready' || positionsState.kind === 'stale' ? positions : undefined;
  const work: OperationSpec = {
    name: `Zap-in to ${pool}`,
    noun: l10n.t('zap-in'),
    subject: {
      operation: 'zapIn',
      owner,
      pool,
      poolType,
      pairName,
      tokens: tokensOfPlan(plan),
      plan: {
        kind: 'zapIn',
        inputLamports,
        percentX,
        tokens: writtenTokens(plan),
        ...range,
        slippageBps,
        openBefore: before?.flatMap(({ address }) => (address === undefined ? [] : [address])),
      },
    },
    build: async (cancel, buildSlippageBps) => {
      const built = await service.buildAdd({ pool, owner, ...range, slippageBps: buildSlippageBps, ...amounts }, { signal: cancel });
      const { position } = built;
      const intent: ZapInIntent = {
        kind: 'zapIn',
        owner,
        pool,
        poolType,
        position,
        slippageBps,
        tokenX,
        tokenY,
        ...depositIn(plan),
        ...range,
        activeBinId,
        binStepBps,
        ...shown(referencesOfPlan(plan)),
        listedPrices: listedPricesOfPlan(plan, portfolio.snapshot),
        listedDecimals: decimalsOfPlan(plan),
      };
      return { intent, ...builtDeposit(built, service), position, effect: entered(position, pool, before) };
    },
  };
  return runOperation(work, afterEarlier(tokens, dependencies), host, signal);
}
