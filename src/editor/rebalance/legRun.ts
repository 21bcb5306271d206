import type { OperationDependencies, OperationHost } from '../../operations/types';
import type { Address } from '../../solana/address';
import { operationDependencies } from '../operations/operationParts';
import type { RunnerDependencies } from '../operations/operationRunner';
import { runStaged, type ShownStep } from '../operations/progress';
import { LegApprovals, type LegSubjects } from './legApprovals';
import type { Consent, RunRequest } from './request';

/** What runs under a progress, and how it is shown and approved. */
export interface LegRun<Step, Result> {
  readonly request: RunRequest;
  /** "Rebalancing BONK/SOL" */
  readonly doing: string;
  readonly subjects: LegSubjects;
  readonly shown: (step: Step) => ShownStep;
  readonly operation: (side: EditorSide<Step>, dependencies: OperationDependencies) => Promise<Result>;
}

/** This side of what runs: it shows, asks and signs. */
export interface EditorSide<Step> {
  readonly approvals: LegApprovals;
  readonly cancelled: AbortSignal;
  /** What is the same for one operation and for a rebalance. */
  readonly host: {
    readonly report: (step: Step) => void;
    readonly signer: OperationHost['signer'];
    readonly began: (operation: string) => void;
    readonly approver: 'user' | 'automation';
  };
}

/** Runs something of one part or two: one progress, the approvals that the user's consent leaves to ask, and the log. */
export async function runLegs<Step, Result extends { readonly kind: string }>({ request, doing, subjects, shown, operation }: LegRun<Step, Result>, dependencies: RunnerDependencies): Promise<Result> {
  const { prompts, log, serviceInUse, began } = dependencies;
  const { owner, consent, cancelled: outside, onCancel, lead } = request;
  const choice = serviceInUse();
  const title = lead === undefined ? doing : `${lead}: ${doing}`;
  const result = await runStaged<Step, Result>(prompts, {
    ...{ title, shown, outside, onCancel },
    run: async (show, cancelled) => {
      const report = (step: Step) => {
        log('info', `${title}: ${shown(step).words}`);
        show(step);
      };
      const host = { report, began, signer: signerFor(consent, owner, cancelled, dependencies), approver: consent.kind === 'rules' ? 'automation' : 'user' } as const;
      return operation({ host, cancelled, approvals: new LegApprovals(subjects, consent, dependencies, cancelled) }, await operationDependencies(dependencies, choice));
    },
  });
  log('info', `${title}: ${result.kind}`);
  return result;
}

function signerFor(consent: Consent, owner: Address, cancelled: AbortSignal, { signer }: RunnerDependencies): OperationHost['signer'] {
  return consent.kind === 'rules' ? () => consent.signer() : () => signer(owner, cancelled);
}
