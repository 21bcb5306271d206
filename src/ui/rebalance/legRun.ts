import type { LiquidityService } from '../../service/service';
import type { OperationDependencies, OperationHost } from '../../transactions/types';
import type { Address } from '../../base/solana/address';
import { runWithinBudget, type RunnerDependencies } from '../zap/operationDependencies';
import { runShown } from '../zap/progress';
import { LegApprovals, type LegSubjects } from './legApprovals';
import type { RebalanceApproval, RunRequest } from './request';

/** What runs under a progress, and how it is shown and approved. */
export interface LegRun<Step, Result> {
  readonly request: RunRequest;
  /** "Rebalancing BONK/SOL" */
  readonly doing: string;
  /** What is asked about; what it needs of the service is asked for the operation. */
  readonly subjects: LegSubjects | ((service: LiquidityService) => LegSubjects);
  /** What is said at a step. That it waits for the user is said only where they are asked: what goes under an earlier yes waits for nobody. */
  readonly shown: (step: Step, isAsked: boolean, leftMs?: number) => string | undefined;
  readonly operation: (side: EditorSide<Step>, dependencies: OperationDependencies) => Promise<Result>;
  /** Told the ids in the journal; the first is that of what is run, and those of its parts follow. */
  readonly began?: (operation: string) => void;
}

/** This side of what runs: it shows, asks and signs. */
export interface EditorSide<Step> {
  readonly approvals: LegApprovals;
  readonly cancelled: AbortSignal;
  /** What is the same for one operation and for a rebalance. */
  readonly host: {
    readonly report: (step: Step, leftMs?: number) => void;
    readonly signer: OperationHost['signer'];
    readonly began: (operation: string) => void;
    readonly approver: 'user' | 'automation';
  };
}

/** Runs something of one part or two: one progress, the approvals that the user's consent leaves to ask, and the log. */
export async function runLegs<Step, Result extends { readonly kind: string }>(
  { request, doing, subjects, shown, operation, began: tellBegan }: LegRun<Step, Result>,
  dependencies: RunnerDependencies,
): Promise<Result> {
  const { prompts, log, serviceInUse, began } = dependencies;
  const { owner, consent, cancelled: outside, onCancel, lead, place } = request;
  const choice = serviceInUse();
  const title = `${lead === undefined ? '' : `${lead}: `}${doing}${place === undefined ? '' : ` (${place})`}`;
  const result = await runShown<Result>(prompts, {
    ...{ title, outside, onCancel },
    run: (show, cancelled) =>
      runWithinBudget(dependencies, choice, { title, show }, (parts, showStep) => {
        let at: Step | undefined;
        let logged: string | undefined;
        const tell = (step: Step | undefined, isAsked: boolean, leftMs?: number): void => {
          at = step;
          const words = step === undefined ? undefined : shown(step, isAsked, leftMs);
          if (words !== undefined) {
            // A countdown is logged once.
            const withoutFigures = words.replace(/\d+/g, '');
            if (withoutFigures !== logged) {
              log('info', `${title}: ${words}`);
            }
            logged = withoutFigures;
            showStep(words);
          }
        };
        const report = (step: Step, leftMs?: number) => tell(step, false, leftMs);
        const beganHere = (id: string): void => {
          tellBegan?.(id);
          began(id);
        };
        const host = {
          report,
          began: beganHere,
          signer: signerFor(consent, owner, cancelled, dependencies),
          approver: consent.kind === 'rules' ? 'automation' : 'user',
        } as const;
        return operation(
          {
            host,
            cancelled,
            approvals: new LegApprovals(
              typeof subjects === 'function' ? subjects(parts.service) : subjects,
              consent,
              dependencies,
              cancelled,
              () => tell(at, true),
            ),
          },
          parts,
        );
      }),
  });
  log('info', `${title}: ${result.kind}`);
  return result;
}

function signerFor(
  consent: RebalanceApproval,
  owner: Address,
  cancelled: AbortSignal,
  { signer }: RunnerDependencies,
): OperationHost['signer'] {
  return consent.kind === 'rules' ? () => consent.signer() : () => signer(owner, cancelled);
}
