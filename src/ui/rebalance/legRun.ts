import type { LiquidityService } from '../../service/service';
import type { OperationDependencies, OperationHost } from '../../transactions/types';
import type { Address } from '../../base/solana/address';
import { runWithinBudget, type RunnerDependencies } from '../zap/operationDependencies';
import { runShown } from '../zap/progress';
import { LegApprovals, type LegSubjects } from './legApprovals';
import type { RebalanceApproval, RunRequest } from './request';

/** An operation of one leg or two, and how it is shown and approved. */
export interface LegRun<Step, Result> {
  readonly request: RunRequest;
  /** "Rebalancing BONK/SOL" */
  readonly doing: string;
  /** The subjects of the questions; given the service of the run if they need it. */
  readonly subjects: LegSubjects | ((service: LiquidityService) => LegSubjects);
  /** Progress text of a step. `isAsked`: the user is asked; under an earlier approval, the step "waiting for approval" is not shown. */
  readonly shown: (step: Step, isAsked: boolean, leftMs?: number) => string | undefined;
  readonly operation: (side: EditorSide<Step>, dependencies: OperationDependencies) => Promise<Result>;
  /** Called with the ids in the journal: of the operation first, then of its legs. */
  readonly began?: (operation: string) => void;
}

/** The editor's side of a run: shows, asks and signs. */
export interface EditorSide<Step> {
  readonly approvals: LegApprovals;
  readonly cancelled: AbortSignal;
  /** Common to a single operation and a rebalance. */
  readonly host: {
    readonly report: (step: Step, leftMs?: number) => void;
    readonly signer: OperationHost['signer'];
    readonly began: (operation: string) => void;
    readonly approver: 'user' | 'automation';
  };
}

/** Runs an operation of one leg or two with one progress, the approvals that the consent does not cover, and the log. */
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
