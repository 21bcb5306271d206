import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import type { OpenPosition } from '../../service/positions';
import type { OperationRecord } from '../../transactions/journal/types';
import { declineReentry, resumeReentry, runRebalance } from '../../transactions/rebalance/rebalance';
import type { RebalanceResult, RebalanceStep } from '../../transactions/rebalance/types';
import { runZapOut } from '../../transactions/run/zapOut';
import type { OperationResult, OperationStep } from '../../transactions/types';
import { mainSignature, partsOf } from '../activity/operationRows';
import { nameAmong } from '../positions/positionList';
import { openTaskOf } from '../shell/openTasks';
import type { BusyPositions } from '../shell/busyPositions';
import type { CommandId } from '../../settings/generated/commandIds';
import { UserError } from '../shell/errors';
import { hasExplorer } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import { walletLabel } from '../wallets/walletNames';
import type { ApprovalSubject } from '../zap/approval';
import { type RunnerDependencies, tokenNames } from '../zap/operationDependencies';
import { inProgressText, isUnconfirmed } from '../zap/operationMessages';
import { rebalanceTitle, reentryTitle, zapOutTitle } from '../zap/operationWords';
import { notifyLanded, notifyOutcome, type OutcomeMessages } from '../zap/outcome';
import { givenUp, zapOutResult } from '../zap/results';
import { unusualSlippage } from '../zap/slippage';
import { completeInterrupted } from './completeRunner';
import { runLegs } from './legRun';
import {
  askAmountBack,
  namesInPool,
  rebalanceNotice,
  rebalanceSubject,
  shownRebalanceStep,
  stepMessageFor,
  walletLines,
} from './rebalanceMessages';
import type { CloseRequest, RebalanceRequest, RebalanceRuns, ReentryRequest, RunRequest } from './request';

export interface RebalanceRunnerDependencies extends RunnerDependencies {
  readonly busy: BusyPositions;
  /** Runs a command of the extension on an operation. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  /** Called with the id of each rebalance for which this window has offered to re-enter, so no other part offers it again. */
  readonly reentryOffered: (rebalance: string) => void;
}

const reenterText = () => l10n.t('Re-enter');
const dontReenterText = () => l10n.t("Don't Re-enter");

/** Runs rebalances, re-entries and closings with progress, approvals and a notification about the result. */
export class RebalanceRunner implements RebalanceRuns {
  readonly #dependencies: RebalanceRunnerDependencies;

  constructor(dependencies: RebalanceRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws OperationError and other errors of the operation, UserError if the position is busy; the user has not been notified of them */
  async rebalance(request: RebalanceRequest): Promise<RebalanceResult> {
    const { position, owner, terms, mostReentryLamports } = request;
    const { positions, pools } = this.#dependencies.portfolio.snapshot;
    const pair = nameAmong(position, positions);
    const zapOut = rebalanceSubject(request, {
      name: pair,
      wallet: this.#walletOf(request),
      rpc: await this.#dependencies.rpc(),
      perMinute: this.#dependencies.budget?.()?.perMinute,
      feePercent: pools.find(({ address }) => address === position.pool)?.baseFeePercent,
    });
    let begun: string | undefined;
    const result = await this.#whileBusy(position, () =>
      runLegs<RebalanceStep, RebalanceResult>(
        {
          request,
          title: rebalanceTitle(pair),
          subjects: { tokens: tokenNames([position.token0, position.token1]), zapOut },
          shown: (step, isAsked) => shownRebalanceStep(step, 2, isAsked),
          began: (id) => (begun ??= id),
          operation: ({ host, approvals, cancelled }, dependencies) =>
            runRebalance(
              { position, owner, terms, mostReentryLamports },
              dependencies,
              { ...host, approve: (leg) => approvals.approve(leg) },
              cancelled,
            ),
        },
        this.#dependencies,
      ),
    );
    await this.#ended(result, pair, request, begun);
    return result;
  }

  /** As {@link rebalance}, for a rebalance whose zap-out has landed. */
  async reenter(request: ReentryRequest): Promise<RebalanceResult> {
    const { rebalance } = request;
    const { records } = await (await this.#dependencies.records.journal()).read();
    const created = records.find(({ id }) => id === rebalance)?.created;
    const pair = plainText(created?.pairName ?? '');
    const result = await runLegs<RebalanceStep, RebalanceResult>(
      {
        request,
        title: reentryTitle(pair),
        subjects: (service) => ({ tokens: namesInPool(created?.pool, this.#dependencies, service), zapOut: undefined }),
        shown: (step, isAsked) => shownRebalanceStep(step, 1, isAsked),
        operation: ({ host, approvals, cancelled }, dependencies) =>
          resumeReentry(
            rebalance,
            dependencies,
            {
              ...host,
              approve: (leg) => approvals.approve(leg),
              amount: (worthSol) => askAmountBack(pair, worthSol, this.#dependencies.prompts),
            },
            cancelled,
          ),
      },
      this.#dependencies,
    );
    await this.#ended(result, pair, request, rebalance);
    return result;
  }

  /** As {@link rebalance}, but closes the position for SOL without re-entering. */
  async close(request: CloseRequest): Promise<OperationResult> {
    const { position, owner, slippageBps } = request;
    const pair = nameAmong(position, this.#dependencies.portfolio.snapshot.positions);
    const title = zapOutTitle(pair, WHOLE_BPS);
    const words: OutcomeMessages = { title, result: (_position, record) => zapOutResult(title, position, WHOLE_BPS, undefined, record) };
    const zapOut: ApprovalSubject = {
      title,
      pays: givenUp(position, WHOLE_BPS),
      keyFigures: walletLines(this.#walletOf(request)),
      expectations: [],
      warnings: unusualSlippage(slippageBps),
    };
    let settled: OperationRecord | undefined;
    let begun: string | undefined;
    const result = await this.#whileBusy(position, () =>
      runLegs<OperationStep, OperationResult>(
        {
          request,
          title,
          subjects: { tokens: tokenNames([position.token0, position.token1]), zapOut },
          shown: stepMessageFor,
          began: (id) => (begun = id),
          operation: ({ host, approvals, cancelled }, dependencies) =>
            runZapOut(
              { position, owner, shareBps: WHOLE_BPS, output: 'allBaseToken', slippageBps },
              dependencies,
              {
                ...host,
                approve: (review, reason, details) => approvals.approve({ leg: 'zapOut', review, reason, details, reentry: undefined }),
                settled: (record) => (settled = record),
              },
              cancelled,
            ),
        },
        this.#dependencies,
      ),
    );
    if (request.showsResult !== false) {
      const { prompts, actions, complete } = this.#dependencies;
      notifyOutcome(
        result,
        words,
        { prompts, actions, complete, hasExplorer: this.#hasExplorer },
        { record: settled, left: openTaskOf(settled), operation: begun },
      );
    }
    return result;
  }

  /**
   * Completes a partially executed operation.
   * @param operation its id in the journal
   * @param isAgain a first attempt is proven not to have landed: the question says so
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async complete(operation: string, owner: Address, isAgain = false): Promise<void> {
    await completeInterrupted(operation, owner, this.#dependencies, isAgain);
  }

  /**
   * Records that a rebalance will not be re-entered.
   * @param rebalance its id in the journal
   * @returns what its zap-out paid out, if that was measured
   */
  async decline(rebalance: string): Promise<{ readonly lamportsBack: bigint | undefined }> {
    const { records, log, began, leftOpen } = this.#dependencies;
    // The command shows its end.
    began(rebalance);
    try {
      return await declineReentry(rebalance, { journal: await records.journal(), locks: await records.locks(), log });
    } catch (error) {
      leftOpen(rebalance);
      throw error;
    }
  }

  /** @throws UserError if an operation of this window on the position is in progress */
  async #whileBusy<Result>({ key }: OpenPosition, work: () => Promise<Result>): Promise<Result> {
    const done = await this.#dependencies.busy.during(key, async () => ({ result: await work() }));
    if (done === undefined) {
      throw new UserError(inProgressText());
    }
    return done.result;
  }

  /** @param rebalance its id in the journal */
  async #ended(
    result: RebalanceResult,
    pair: string,
    { showsResult = true }: Pick<RebalanceRequest, 'showsResult'>,
    rebalance: string | undefined,
  ): Promise<void> {
    const { prompts, actions, command, reentryOffered, portfolio, log, openPosition } = this.#dependencies;
    const isOffered = result.kind === 'notReentered' && result.isOpen;
    if (isOffered) {
      reentryOffered(result.rebalance);
    }
    const made =
      result.kind === 'settled'
        ? portfolio.snapshot.positions.find(({ address }) => address !== undefined && address === result.position)
        : undefined;
    const parts = showsResult ? await this.#partsOf(rebalance) : [];
    const notice = showsResult ? rebalanceNotice(result, pair, made, parts) : undefined;
    if (notice === undefined) {
      return;
    }
    if (isOffered) {
      const target = { kind: 'operation', id: result.rebalance };
      prompts
        .notify({ ...notice, operation: rebalance, actions: [reenterText(), dontReenterText()] })
        .then(async (pressed) =>
          pressed === undefined ? undefined : command(pressed === reenterText() ? 'binsight.reenter' : 'binsight.leaveOut', target),
        )
        .catch((error: unknown) => log('warn', `re-entering ${pair} failed: ${String(error)}`));
    } else {
      void notifyLanded(
        notice.message,
        ('signature' in result ? result.signature : undefined) ?? signatureToLookUp(parts),
        { prompts, actions, openPosition, hasExplorer: this.#hasExplorer },
        { severity: notice.severity, operation: rebalance, position: made?.address },
      );
    }
  }

  /** The journal records of its zap-outs and zap-ins; none if the journal can't be read. */
  async #partsOf(rebalance: string | undefined): Promise<readonly OperationRecord[]> {
    try {
      return rebalance === undefined ? [] : partsOf({ id: rebalance }, (await (await this.#dependencies.records.journal()).read()).records);
    } catch (error) {
      this.#dependencies.log('warn', `the notification omits what the rebalance moved: ${String(error)}`);
      return [];
    }
  }

  /** Auto-rebalance may act for a wallet that the views do not show: its questions say for which. */
  #walletOf({ lead, owner }: RunRequest): string | undefined {
    return lead === undefined ? undefined : walletLabel({ address: owner, name: this.#dependencies.walletName?.(owner) });
  }

  get #hasExplorer(): boolean {
    return hasExplorer(this.#dependencies.serviceInUse().id);
  }
}

/** The signature of a part that may have landed; `undefined`: the outcome of each part is known. */
function signatureToLookUp(parts: readonly OperationRecord[]): string | undefined {
  const unknown = parts.findLast((part) => part.isUnclear || isUnconfirmed(part));
  return unknown && mainSignature(unknown);
}
