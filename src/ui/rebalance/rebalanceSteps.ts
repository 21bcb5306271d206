import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { TokenNames } from '../../review/describe/summary';
import type { LiquidityService } from '../../service/service';
import { errorMessageOf } from '../../transactions/errors';
import type { RebalanceLeg, RebalanceStep } from '../../transactions/rebalance/types';
import type { OperationStep } from '../../transactions/types';
import { type RunnerDependencies, tokenNames } from '../zap/operationDependencies';
import { stepText } from '../zap/outcome';

const betweenText = (): Readonly<Record<Extract<RebalanceStep, { leg: 'between' }>['step'], string>> => ({
  measuring: l10n.t('closed; measuring the proceeds. Cancel leaves them in your wallet…'),
  readingPool: l10n.t('reading the active bin. Cancel leaves the proceeds in your wallet…'),
});

const legText = (leg: RebalanceLeg, step: string): string =>
  leg === 'zapOut' ? l10n.t`zapping out, ${step}` : l10n.t`zapping in, ${step}`;
/** Steps in which a zap-out can no longer be cancelled. */
const SENT: ReadonlySet<OperationStep> = new Set<OperationStep>(['landing', 'waitingToSendAgain', 'waitingForEffect', 'findingOut']);
/** What a cancellation during these steps means. */
const notReentered = () => l10n.t('Nothing is re-entered then.');

/**
 * Progress text of a step of a rebalance: with its leg, if there are two, and what a cancellation means. `undefined`: not shown.
 * @param parts 1: a re-entry without a zap-out
 * @param isAsked the user is asked
 */
export function shownRebalanceStep(step: RebalanceStep, parts: 1 | 2, isAsked: boolean): string | undefined {
  if (step.leg === 'between') {
    return betweenText()[step.step];
  }
  const words = stepMessageFor(step.step, isAsked, step.leftMs);
  if (words === undefined) {
    return undefined;
  }
  const isSent = step.leg === 'zapOut' && SENT.has(step.step);
  const text = isSent ? `${words.replace(/ ?…$/, '.')} ${notReentered()}` : words;
  return parts === 1 ? text : legText(step.leg, text);
}

/** Progress text of a step of an operation that may be signed without a question. */
export function stepMessageFor(step: OperationStep, isAsked: boolean, leftMs?: number): string | undefined {
  return step === 'waitingForApproval' && !isAsked ? undefined : stepText(step, leftMs);
}

/**
 * Names the tokens of a pool, from the lists of pools and positions or else from the service's details of the pool. Never rejects:
 * tokens without a name are shown by their mint.
 */
export async function namesInPool(
  pool: Address | undefined,
  { portfolio, log }: Pick<RunnerDependencies, 'portfolio' | 'log'>,
  service: LiquidityService,
): Promise<TokenNames> {
  const { pools, positions } = portfolio.snapshot;
  const known =
    pool === undefined
      ? undefined
      : (pools.find(({ address }) => address === pool) ?? positions.find((position) => position.pool === pool));
  if (known !== undefined || pool === undefined) {
    return tokenNames(known === undefined ? [] : [known.token0, known.token1]);
  }
  try {
    const { tokens } = await service.poolInfo(pool);
    return tokenNames(tokens);
  } catch (error) {
    log('warn', `the tokens of the pool ${pool} are shown by their mints: ${errorMessageOf(error)}`);
    return tokenNames([]);
  }
}
