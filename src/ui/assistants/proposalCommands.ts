import * as l10n from '@vscode/l10n';
import { CallLimit, MOST_PROPOSALS_PER_MINUTE } from '../../assistants/callLimit';
import type { Proposal, ProposalAnswer } from '../../assistants/context';
import type { CommandId } from '../../settings/generated/commandIds';

export interface ProposalCommandsDependencies {
  /** Runs a command of this extension, which asks the user. It ends with the command. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  /** The setting. It can be turned off while an assistant prepares a proposal. */
  readonly isEnabled: () => boolean;
  readonly isTrusted: () => boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Turns proposals of assistants into the commands that a user would run, with the values filled in. Each command asks first, and says that an
 * assistant proposed it. One at a time: a second dialog could be taken for the first.
 */
export class ProposalCommands {
  readonly #dependencies: ProposalCommandsDependencies;
  readonly #limit: CallLimit;
  #isBusy = false;

  constructor(dependencies: ProposalCommandsDependencies) {
    this.#dependencies = dependencies;
    this.#limit = new CallLimit(MOST_PROPOSALS_PER_MINUTE, dependencies.nowMs);
  }

  /** Opens the dialog about a proposal, unless another one is open or there were too many. */
  propose(proposal: Proposal): ProposalAnswer {
    const { command, isEnabled, isTrusted, onError } = this.#dependencies;
    if (!isEnabled()) {
      return {
        kind: 'refused',
        reason: l10n.t`Assistants cannot use Binsight yet. Turn on the setting ${'binsight.assistants.enabled'} first.`,
      };
    }
    if (!isTrusted()) {
      return { kind: 'refused', reason: 'This window is in Restricted Mode: Binsight signs nothing here.' };
    }
    if (this.#isBusy) {
      return { kind: 'refused', reason: 'The last proposal is still open. Wait for the user.' };
    }
    if (!this.#limit.take()) {
      return { kind: 'refused', reason: 'Too many proposals. Ask the user before you propose again.' };
    }
    this.#isBusy = true;
    const [id, argument] = commandOf(proposal);
    command(id, argument)
      .catch(onError)
      .finally(() => {
        this.#isBusy = false;
      });
    return { kind: 'shown' };
  }
}

function commandOf(proposal: Proposal): readonly [CommandId, unknown] {
  switch (proposal.kind) {
    case 'zapOut': {
      const { key, shareBps, output, slippageBps } = proposal;
      return ['binsight.zapOut', { kind: 'position', key, proposal: { shareBps, output, slippageBps } }];
    }
    case 'zapIn':
      return ['binsight.continuePlan', { kind: 'plan', pool: proposal.pool, plan: proposal.plan, isProposal: true }];
    case 'claim':
      return ['binsight.claimFees', { kind: 'position', key: proposal.key, proposal: {} }];
    case 'rebalance':
      return ['binsight.rebalance', { kind: 'position', key: proposal.key, proposal: {} }];
  }
}
