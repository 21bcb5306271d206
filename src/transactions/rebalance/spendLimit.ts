import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import { DEFAULT_POLICY } from '../../review/policy';
import type { Review } from '../../review/types';
import { lamportsToSol } from '../../base/solana/amounts';
import { OperationError } from '../errors';
import type { OperationDependencies } from '../types';
import { costOverrun, type ReentryCosts } from './costs';
import type { Reentry } from './types';

/** A zap-in costs more than was estimated; it is not shown for approval. */
export class CostOverrunError extends Error {
  /** @param lamports how much less has to go in */
  constructor(readonly lamports: bigint) {
    super(`${lamports} lamports over the estimated costs`);
  }
}

/**
 * The review's limits, with no more room beyond what is to go in (LIM-1) than up to what came back: elsewhere a hundredth of the
 * input may go in besides, which would be of something else in the wallet.
 */
export function withinProceeds(
  { lamportsBack, inputLamports }: Reentry,
  policy: OperationDependencies['policy'],
): OperationDependencies['policy'] {
  const roomBps = ((lamportsBack - inputLamports) * BASIS_POINTS) / inputLamports;
  return () => {
    const set = policy();
    const usualBps = set.inputToleranceBps ?? DEFAULT_POLICY.inputToleranceBps;
    return { ...set, inputToleranceBps: roomBps < usualBps ? roomBps : usualBps };
  };
}

/** Holds what the transactions take by their instructions, all costs with it, against what came back. @throws OperationError with {@link CostOverrunError} as its cause */
export function assertWithinCosts({ spends }: Review, { inputLamports, lamportsBack }: Reentry, costs: ReentryCosts): void {
  const beyond = costOverrun(spends, costs, inputLamports, lamportsBack);
  if (beyond > 0n) {
    throw new OperationError({
      kind: 'tooCostly',
      what: l10n.t`Rent and fees exceed the estimate by ${lamportsToSol(beyond)} SOL, which would have come from the rest of your wallet.`,
      advice: l10n.t('Retry with a smaller amount.'),
      cause: new CostOverrunError(beyond),
    });
  }
}
