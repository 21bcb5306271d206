import * as l10n from '@vscode/l10n';
import type { AddLiquidityIntent } from '../../review/types';
import {
  decimalsOfPosition,
  listedPricesOfPosition,
  referencesOfPosition,
  shown,
  tokenFeesOf,
  tokensOfPosition,
} from '../inspect/listedPrices';
import type { JournalPlan } from '../journal/plans';
import { added, amountsBefore, feesBefore } from '../outcome/evidence';
import type { AddLiquidityPlan, OperationDependencies, OperationHost, OperationResult } from '../types';
import { afterEarlier, depositIn, builtDeposit, writtenTokens } from './deposits';
import { runOperation } from './runOperation';
import type { OperationSpec } from './steps';
import { checkAddLiquidity } from './validation';

/**
 * Deposits into one of the owner's positions: its fees, SOL that is swapped as needed, or tokens from the wallet; see {@link runOperation} for the
 * steps. Settled when the portfolio lists the deposit. The review demands that an RPC shows the position to be the owner's alone.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runAddLiquidity(
  plan: AddLiquidityPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { service, portfolio } = dependencies;
  const { position: asShown, owner, slippageBps } = plan;
  const { position, positionId, pool, poolType, listed, amounts, range, deposit } = checkAddLiquidity(plan, portfolio.snapshot);
  const { inputLamports, percentX, tokenX, tokenY, activeBinId, binStepBps } = deposit;
  const isOfFees = plan.deposit === 'fees';
  const written: JournalPlan<'addLiquidity'> = {
    kind: 'addLiquidity',
    into: { position, positionId, ...feesBefore(listed) },
    before: amountsBefore(listed),
    source: isOfFees ? 'fees' : 'wallet',
    inputLamports,
    percentX,
    tokens: writtenTokens(deposit),
    ...range,
    slippageBps,
  };
  const work: OperationSpec = {
    name: `Deposit into ${position}`,
    noun: l10n.t('deposit'),
    subject: {
      operation: 'addLiquidity',
      owner,
      pool,
      poolType,
      pairName: asShown.pairName,
      tokens: tokensOfPosition(asShown),
      plan: written,
    },
    build: async (cancel, buildSlippageBps) => {
      const request = { positionId, owner, ...range, slippageBps: buildSlippageBps, ...amounts };
      const built = await service.buildAddTo(request, { signal: cancel });
      const intent: AddLiquidityIntent = {
        kind: 'addLiquidity',
        owner,
        pool,
        poolType,
        // The answer cannot name another one.
        position,
        slippageBps,
        tokenX,
        tokenY,
        // By the figures that the user was shown: a later listing could name any fees, and the deposit would come out of the wallet (ADD-1).
        ...(isOfFees ? { inputLamports: 0n, fees: tokenFeesOf(asShown) } : depositIn(deposit)),
        ...range,
        activeBinId,
        binStepBps,
        ...shown(referencesOfPosition(asShown)),
        listedPrices: listedPricesOfPosition(asShown, portfolio.snapshot),
        listedDecimals: decimalsOfPosition(asShown),
      };
      return { intent, ...builtDeposit(built, service), position, effect: added(written) };
    },
  };
  return runOperation(work, afterEarlier(deposit.tokens, dependencies), host, signal);
}
