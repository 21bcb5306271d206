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
  measuring: l10n.t('closed; measuring what came back. Cancel leaves it in your wallet …'),
  readingPool: l10n.t('reading the pool for its active bin. Cancel leaves what came back in your wallet …'),
});

const doing = (): Readonly<Record<RebalanceLeg, string>> => ({ zapOut: l10n.t('zapping out'), zapIn: l10n.t('zapping in') });
/** From here on a zap-out cannot be cancelled. */
const SENT: ReadonlySet<OperationStep> = new Set<OperationStep>(['landing', 'waitingToSendAgain', 'waitingForEffect', 'findingOut']);
/** What does not follow where it is cancelled then. */
const notReentered = () => l10n.t(' Nothing is re-entered then.');

/**
 * How a step of a rebalance is shown: with the part that it belongs to, where there are two, and what a cancellation leaves.
 * `undefined`: nothing is to be said of it.
 * @param parts 1: what came out earlier is re-entered, and there is no zap-out
 * @param isAsked the user is asked; nobody else is waited for
 */
export function shownRebalanceStep(step: RebalanceStep, parts: 1 | 2, isAsked: boolean): string | undefined {
  if (step.leg === 'between') {
    return betweenText()[step.step];
  }
  const words = stepMessageFor(step.step, isAsked, step.leftMs);
  if (words === undefined) {
    return undefined;
  }
  const lead = parts === 1 ? '' : `${doing()[step.leg]}, `;
  const isLeft = step.leg === 'zapOut' && SENT.has(step.step);
  return `${lead}${isLeft ? words.replace(/ ?…$/, `.${notReentered()}`) : words}`;
}

/** How a step of an operation is shown that may be signed without a question. */
export function stepMessageFor(step: OperationStep, isAsked: boolean, leftMs?: number): string | undefined {
  return step === 'waitingForApproval' && !isAsked ? undefined : stepText(step, leftMs);
}

/**
 * Names the tokens of a pool: as the lists of pools and positions have them, else, where it is in neither any more, as the service's
 * details of the pool do. Never rejects: what nobody names is shown by its mint.
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
