import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { shortAddress } from '../../base/format/identifiers';
import type { PortfolioControl } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { OperationRecord } from '../../transactions/journal/types';
import type { ReentryTerms } from '../../transactions/rebalance/types';
import type { Activity } from '../activity/activity';
import { nameAmong, positionNames } from '../positions/positionList';
import { positionRow } from '../positions/positionRows';
import type { BusyPositions } from '../shell/busyPositions';
import { type CommandHandler, type CommandHandlers, type CommandTarget, offeringFreshQuote } from '../shell/commands/runCommand';
import type { EditorActions } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import type { WaitingDependencies } from '../shell/requestWait';
import { plainText } from '../shell/views/text';
import { requireSigningOwner, type WalletCommandDependencies } from '../wallets/walletSelection';
import type { OperationRunner } from '../zap/operationRunner';
import { rebalanceTitle, shortSol } from '../zap/operationWords';
import { askProposal, type ProposalQuestion } from '../zap/proposals';
import { positionOf, proposalOf } from '../zap/zapCommands';
import { worthText } from '../zap/zapOutDialog';
import { claimAll } from './claimAll';
import type { KeepBatch } from './inTurn';
import { closePositions, type ClosePositionsDependencies } from './closePositions';
import { canBeRebalanced, rebalanceAll, type RebalanceAllDependencies } from './rebalanceAll';
import type { RebalanceRunner } from './rebalanceRunner';
import { noneAbleText } from './inTurn';
import { sentence } from '../../base/format/sentence';
import { noOpenPosition, notReenteredText } from '../zap/operationMessages';
import { followUpBriefly } from './summary';
import { rangeSentences } from '../zap/results';

export interface RebalanceCommandDependencies extends WalletCommandDependencies {
  readonly portfolio: PortfolioControl;
  readonly busy: BusyPositions;
  readonly activity: Pick<Activity, 'records' | 'refresh'>;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  /** Loaded on first use. */
  readonly runner: () => Promise<Pick<OperationRunner, 'claim'>>;
  readonly rebalances: () => Promise<RebalanceRunner>;
  /** For waiting for the service's request limit. */
  readonly waiting: WaitingDependencies;
  readonly keep: KeepBatch;
  /** The terms in the settings. @throws UserError if one is invalid */
  readonly terms: () => ReentryTerms;
  /** Slippage tolerance of a closing, 0 to 10000. */
  readonly slippageBps: () => number;
  readonly log: LogFunction;
}

export type RebalanceCommandId =
  | 'binsight.rebalance'
  | 'binsight.rebalanceAll'
  | 'binsight.closePositions'
  | 'binsight.claimAllFees'
  | 'binsight.reenter'
  | 'binsight.leaveOut'
  | 'binsight.finishOperation';

/** The commands that rebalance, re-enter, close and claim from several positions, and complete partially executed operations. */
export function rebalanceCommands(dependencies: RebalanceCommandDependencies): Pick<CommandHandlers, RebalanceCommandId> {
  return {
    'binsight.rebalance': rebalance(dependencies),
    'binsight.rebalanceAll': async () => {
      const owner = requireSigningOwner(dependencies);
      await rebalanceAll(owner.address, inTurn(dependencies));
    },
    'binsight.closePositions': async (target) => {
      const owner = requireSigningOwner(dependencies);
      await closePositions(owner.address, target?.kind === 'positions' ? target.keys : undefined, inTurn(dependencies));
    },
    'binsight.claimAllFees': async (target) => {
      const owner = requireSigningOwner(dependencies);
      await claimAll(owner.address, target?.kind === 'positions' ? target.keys : undefined, {
        ...inTurn(dependencies),
        claimer: dependencies.runner,
      });
    },
    'binsight.reenter': reenter(dependencies),
    'binsight.leaveOut': declineReentry(dependencies),
    'binsight.finishOperation': async (target) => {
      const owner = requireSigningOwner(dependencies);
      const { id } = await recordOf(target, undefined, dependencies);
      await offeringFreshQuote(async (isAgain) => (await dependencies.rebalances()).complete(id, owner.address, isAgain));
    },
  };
}

function inTurn(dependencies: RebalanceCommandDependencies): RebalanceAllDependencies & ClosePositionsDependencies {
  return { ...dependencies, runner: dependencies.rebalances, nowMs: dependencies.waiting.nowMs };
}

function rebalance(dependencies: RebalanceCommandDependencies): CommandHandler {
  const { prompts, portfolio, rebalances, terms: readTerms } = dependencies;
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const terms = readTerms();
    const { positions } = portfolio.snapshot;
    const chosen = positionOf(target, positions) ?? (await pickPosition(positions, prompts));
    if (chosen === undefined) {
      return;
    }
    if (
      proposalOf(target) !== undefined &&
      (await askProposal(prompts, proposalQuestion(chosen, nameAmong(chosen, positions), terms))) === undefined
    ) {
      return;
    }
    const { key } = chosen;
    await offeringFreshQuote(async (isAgain) => {
      // The first attempt uses the figures that the user saw; by the second they may be old.
      const position = isAgain ? (positionOf({ kind: 'position', key }, portfolio.snapshot.positions) ?? chosen) : chosen;
      await (await rebalances()).rebalance({ position, owner: owner.address, terms, consent: { kind: 'ask' }, isAgain });
    });
  };
}

/** The question about a rebalance that an assistant proposed. Its terms are the user's settings, which the confirmation shows. */
function proposalQuestion(position: OpenPosition, name: string, terms: ReentryTerms): ProposalQuestion {
  return {
    title: rebalanceTitle(name),
    lines: [
      l10n.t`Position: ${shortAddress(position.address)}`,
      l10n.t`Value: ${worthText(position, WHOLE_BPS)}`,
      ...(position.inRange === true ? [l10n.t('It is in range: a rebalance may cost more than it brings.')] : rangeSentences(position)),
      ...followUpBriefly(terms, position),
    ],
    canChange: false,
  };
}

async function pickPosition(positions: readonly OpenPosition[], prompts: Prompts): Promise<OpenPosition | undefined> {
  const able = positions.filter(canBeRebalanced);
  if (able.length === 0) {
    throw new UserError(positions.length === 0 ? noOpenPosition() : noneAbleText());
  }
  const names = positionNames(positions);
  const answer = await prompts.pick({
    title: l10n.t('Rebalance Position'),
    placeholder: l10n.t('Choose a position'),
    items: able.map((position): PickItem<OpenPosition> => {
      const { label, description, icon } = positionRow(position, false, names.get(position.key));
      return { label, description, icon: icon.id, detail: position.address, value: position };
    }),
    matchDetails: true,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function reenter(dependencies: RebalanceCommandDependencies): CommandHandler {
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const { id } = await recordOf(target, 'rebalance', dependencies);
    await (await dependencies.rebalances()).reenter({ rebalance: id, owner: owner.address, consent: { kind: 'ask' } });
  };
}

function declineReentry(dependencies: RebalanceCommandDependencies): CommandHandler {
  const { prompts, rebalances, activity } = dependencies;
  return async (target) => {
    const { id, created } = await recordOf(target, 'rebalance', dependencies);
    const { lamportsBack } = await (await rebalances()).decline(id);
    await activity.refresh();
    const pair = plainText(created.pairName);
    void prompts.notify({
      operation: id,
      severity: 'info',
      message:
        lamportsBack === undefined
          ? l10n.t`${pair}: ${sentence(notReenteredText())}`
          : l10n.t`${pair}: ${notReenteredText()}; ${shortSol(lamportsBack)} returned.`,
    });
  };
}

/**
 * Gives the current journal record of the operation that a command was started on.
 * @throws UserError if there is none of that kind
 */
async function recordOf(
  target: CommandTarget | undefined,
  kind: 'rebalance' | undefined,
  { activity }: RebalanceCommandDependencies,
): Promise<OperationRecord> {
  await activity.refresh();
  const record = target?.kind === 'operation' ? activity.records.find(({ id }) => id === target.id) : undefined;
  if (record === undefined || (kind !== undefined && record.created.operation !== kind)) {
    throw new UserError(l10n.t('Choose an operation in the Activity view.'));
  }
  return record;
}
