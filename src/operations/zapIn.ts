import type { ZapInIntent } from '../review/types';
import { entered } from './effects';
import { runOperation } from './flow';
import { referencesOfPlan, shown } from './shownFigures';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from './types';
import { checkZapIn } from './validate';
import type { Work } from './work';

/**
 * Puts SOL into a pool as a new position: see {@link runOperation} for the steps. Settled when the portfolio lists the new
 * position.
 * @throws OperationError for whatever fails; it says what that means for the money.
 */
export async function runZapIn(plan: ZapInPlan, dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal): Promise<OperationResult> {
  const { service, portfolio } = dependencies;
  const { inputSol, range } = checkZapIn(plan, portfolio.snapshot.owner);
  const { owner, pool, poolType, pairName, tokenX, tokenY, inputLamports, percentX, slippageBps } = plan;
  const { positions, positionsState } = portfolio.snapshot;
  const before = positionsState.kind === 'ready' || positionsState.kind === 'stale' ? positions : undefined;
  const work: Work = {
    name: `Zap-in to ${pool}`,
    noun: 'zap-in',
    subject: {
      operation: 'zapIn',
      owner,
      pool,
      poolType,
      pairName,
      plan: { kind: 'zapIn', inputLamports, percentX, ...range, slippageBps, openBefore: before?.flatMap(({ address }) => (address === undefined ? [] : [address])) },
    },
    build: async (cancel) => {
      const built = await service.buildAdd({ mode: 'zap-in', pool, owner, ...range, slippageBps, inputSol, percentX }, { signal: cancel });
      const { position, lastValidBlockHeight, meta } = built;
      const intent: ZapInIntent = { kind: 'zapIn', owner, pool, poolType, position, slippageBps, tokenX, tokenY, inputLamports, isSolOnly: true, ...range, ...shown(referencesOfPlan(plan)) };
      return {
        intent,
        transactions: [
          ...built.swapTransactions.map((base64) => ({ group: 'swap' as const, base64 })),
          ...built.addTransactions.map((base64) => ({ group: 'add' as const, base64 })),
        ],
        lastValidBlockHeight,
        position,
        land: (signed) =>
          service.landAdd({ swapTransactions: signed('swap'), addTransactions: signed('add'), lastValidBlockHeight, meta }),
        effect: entered(position, pool, before),
      };
    },
  };
  return runOperation(work, dependencies, host, signal);
}
