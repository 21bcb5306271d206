import * as l10n from '@vscode/l10n';
import { shortAmount } from '../../base/format/amounts';
import { percent } from '../../base/format/percent';
import type { Address } from '../../base/solana/address';
import type { TokenNames } from '../../review/describe/tokenNames';
import type { OpenPosition } from '../../service/positions';
import type { OperationRecord } from '../../transactions/journal/types';
import type { Review } from '../../review/types';
import { runAddLiquidity } from '../../transactions/run/addLiquidity';
import { runClaim } from '../../transactions/run/claim';
import { runSwap, runUnwrap } from '../../transactions/run/swap';
import { runZapIn } from '../../transactions/run/zapIn';
import { runZapOut } from '../../transactions/run/zapOut';
import type {
  AddLiquidityPlan,
  OperationDependencies,
  OperationHost,
  OperationResult,
  OperationStep,
  TokenSwapPlan,
  UnwrapPlan,
  ZapInPlan,
} from '../../transactions/types';
import { nameAmong, nameIn, positionNames } from '../positions/positionList';
import { openTaskOf } from '../shell/openTasks';
import { describeError } from '../shell/log';
import { hasExplorer } from '../shell/serviceChoice';
import { walletLabel } from '../wallets/walletNames';
import { type ApprovalSubject, askApproval } from './approval';
import { firstTryDidNotLandText } from './approvalText';
import { declinedIfCancelled, type RunnerDependencies, runShown, runWithinBudget, tokenNames } from './operationDependencies';
import { notifyOutcome, type OutcomeMessages, stepText } from './outcome';
import { askRepetition } from './repeatQuestion';
import { claimableText, claimedName } from './claimWords';
import { depositedText } from './moneyLines';
import { tokenName, tokenText } from './movedTokens';
import { additionTitle, claimTitle, compoundTitle, shortSol, swapTitle, unwrapTitle, zapInTitle, zapOutTitle } from './operationWords';
import { additionResult, claimResult, givenUp, zapInResult, zapOutResult } from './results';
import type { ZapInChoices } from './zapInDialog';
import { unusualSlippage } from './slippage';
import { outlookLines, readZapInOutlook, type ZapInOutlook } from './zapInOutlook';
import { forecastOf } from './zapInForecast';
import { inputText, positionText, shownPrices, spreadText, warningsOf } from './zapInMessages';
import { hasSlippage, outputName, type ZapOutChoices } from './zapOutDialog';

/** How a token of the wallet is swapped, or SOL unwrapped. */
interface ExchangeOptions {
  /** A first attempt is proven not to have landed; the question says so. */
  readonly isAgain?: boolean;
  /** The interrupted operation (its id in the journal) that it completes. */
  readonly finishes?: string | undefined;
}

/** Runs an operation that the user chose: progress, approval, result. */
export class OperationRunner {
  readonly #dependencies: RunnerDependencies;

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * @param isAgain a first attempt is proven not to have landed; the question says so
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async zapOut({ position, ...choices }: ZapOutChoices, owner: Address, isAgain = false): Promise<OperationResult> {
    const { shareBps, slippageBps } = choices;
    const pair = nameAmong(position, this.#dependencies.portfolio.snapshot.positions);
    const title = zapOutTitle(pair, shareBps);
    const words: OutcomeMessages = {
      title,
      result: (_position, record) =>
        zapOutResult(
          title,
          position,
          shareBps,
          this.#listed(({ key }) => key === position.key),
          record,
        ),
    };
    const subject = {
      title,
      pays: givenUp(position, shareBps),
      gets: outputName(position, choices.output),
      expectations: [
        l10n.t`Receive: ${outputName(position, choices.output)}`,
        ...(hasSlippage({ position, output: choices.output }) ? [l10n.t`Max slippage: ${percent(slippageBps / 100)}`] : []),
      ],
      warnings: [
        ...(isAgain ? [firstTryDidNotLandText()] : []),
        ...(hasSlippage({ position, output: choices.output }) ? unusualSlippage(slippageBps) : []),
      ],
    };
    return this.#run(words, subject, tokenNames([position.token0, position.token1]), owner, (dependencies, host, signal) =>
      runZapOut({ position, owner, ...choices }, dependencies, host, signal),
    );
  }

  /**
   * @param isAgain a first attempt did not land; this one waits until the first no longer can, and the question says so
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async zapIn(choices: ZapInChoices, owner: Address, isAgain = false): Promise<OperationResult> {
    const { target, bins, inputLamports, tokens, percentX, slippageBps } = choices;
    const { pool, poolType, pairName, tokenX, tokenY, symbolX, symbolY } = target;
    const names = tokenNames([
      { address: tokenX, symbol: symbolX, decimals: target.decimalsX },
      { address: tokenY, symbol: symbolY, decimals: target.decimalsY },
    ]);
    const plan: ZapInPlan = {
      pool,
      pairName,
      poolType,
      tokenX,
      tokenY,
      symbolX,
      symbolY,
      owner,
      inputLamports,
      percentX,
      tokens,
      slippageBps,
      strategy: bins?.strategy,
      fromBinId: bins?.range.fromBinId,
      toBinId: bins?.range.toBinId,
      activeBinId: bins?.activeBin.binId,
      binStepBps: bins === undefined ? undefined : target.binStepBps,
      prices: shownPrices(choices),
    };
    const outlook = this.#outlookOf(choices);
    const title = zapInTitle(inputText(choices), pairName);
    const words: OutcomeMessages = {
      title,
      hasPosition: true,
      result: (position) => zapInResult(title, position === undefined ? undefined : this.#listed(({ address }) => address === position)),
    };
    const subject = {
      title,
      gets: positionText(choices),
      // A panel recalculates its plan when the user switches wallets: the question says which one pays.
      keyFigures: [l10n.t`Wallet: ${walletLabel({ address: owner, name: this.#dependencies.walletName?.(owner) })}`],
      expectations: [
        // The line about the position has the range.
        ...(bins === undefined ? [spreadText(choices)] : []),
        l10n.t`Max slippage: ${percent(slippageBps / 100)}`,
      ],
      outlook: (isBrief: boolean) => (outlook.known === undefined ? [] : outlookLines(outlook.known, isBrief)),
      warnings: [...(isAgain ? [firstTryDidNotLandText()] : []), ...warningsOf(choices), ...unusualSlippage(slippageBps)],
    };
    return this.#run(words, subject, names, owner, (dependencies, host, signal) =>
      runZapIn(
        plan,
        { ...dependencies, waitsForEarlier: isAgain },
        { ...host, forecast: () => (outlook.known === undefined ? undefined : forecastOf(outlook.known)) },
        signal,
      ),
    ).finally(() => outlook.abort.abort());
  }

  /** The outlook of a zap-in once it is read: beside the operation, which never waits for it. */
  #outlookOf(choices: ZapInChoices): { readonly abort: AbortController; known: ZapInOutlook | undefined } {
    const { service, nowMs, log } = this.#dependencies;
    const read: { readonly abort: AbortController; known: ZapInOutlook | undefined } = { abort: new AbortController(), known: undefined };
    service()
      .then((opened) => readZapInOutlook(opened, choices, nowMs(), read.abort.signal))
      .then((known) => {
        read.known = known;
      })
      .catch((error: unknown) => log('debug', `The outlook of a zap-in is not known: ${describeError(error)}`));
    return read;
  }

  /**
   * Claims the fees of positions in one operation.
   * @param isAgain a first attempt is proven not to have landed; the question says so
   * @param place "1 of 2": which of several operations it is
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async claim(
    positions: readonly OpenPosition[],
    owner: Address,
    { isAgain = false, place }: { readonly isAgain?: boolean; readonly place?: string | undefined } = {},
  ): Promise<OperationResult> {
    const listed = this.#dependencies.portfolio.snapshot.positions;
    const title = claimTitle(claimedName(positions, listed));
    const names = positionNames(listed);
    const words: OutcomeMessages = {
      title: place === undefined ? title : `${title} (${place})`,
      result: (_position, record) => claimResult(title, record),
    };
    const subject = {
      title,
      pays: l10n.t('nothing but the costs'),
      gets: claimableText(positions),
      expectations: positions.map((position) => `${nameIn(names, position)}: ${claimableText([position])}`),
      warnings: isAgain ? [firstTryDidNotLandText()] : [],
    };
    const tokens = tokenNames(positions.flatMap(({ token0, token1 }) => [token0, token1]));
    return this.#run(words, subject, tokens, owner, (dependencies, host, signal) =>
      runClaim({ positions, owner }, dependencies, host, signal),
    );
  }

  /**
   * Deposits into one of the positions: its fees, or SOL or tokens from the wallet.
   * @param isAgain a first attempt is proven not to have landed; the question says so
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async addLiquidity(plan: Omit<AddLiquidityPlan, 'owner' | 'strategy'>, owner: Address, isAgain = false): Promise<OperationResult> {
    const { position, deposit, slippageBps } = plan;
    const of = claimedName([position], this.#dependencies.portfolio.snapshot.positions);
    const tokens = tokenNames([position.token0, position.token1]);
    const isOfFees = deposit === 'fees';
    let approved: Review | undefined;
    const title = isOfFees ? compoundTitle(of) : additionTitle(of);
    const words: OutcomeMessages = {
      title,
      result: (_position, record) =>
        additionResult(title, isOfFees && approved !== undefined ? depositedText(approved, tokens) : undefined, record),
    };
    const subject = {
      title,
      ...(isOfFees ? { pays: l10n.t('nothing but the costs') } : {}),
      gets: isOfFees ? l10n.t`${claimableText([position])} in the position` : l10n.t('a larger position'),
      expectations: [
        ...(isOfFees ? [l10n.t('What the range does not take stays in your wallet')] : []),
        l10n.t`Max slippage: ${percent(slippageBps / 100)}`,
      ],
      warnings: [...(isAgain ? [firstTryDidNotLandText()] : []), ...unusualSlippage(slippageBps)],
    };
    // Where the service does not know the shape of the position, it is added to evenly.
    const strategy = position.poolType === 'dammV2' ? undefined : (position.strategy ?? 'Spot');
    return this.#run(
      words,
      subject,
      tokens,
      owner,
      (dependencies, host, signal) =>
        runAddLiquidity({ ...plan, owner, strategy }, { ...dependencies, waitsForEarlier: isAgain }, host, signal),
      (review) => {
        approved = review;
      },
    );
  }

  /**
   * Swaps a token of the wallet.
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async swap(plan: TokenSwapPlan, how: ExchangeOptions = {}): Promise<OperationResult> {
    const { sold, bought, amountRaw, slippageBps } = plan;
    const [what, to] = [tokenText(amountRaw, sold, shortAmount), tokenName(bought)];
    const title = swapTitle(what, to);
    const words: OutcomeMessages = { title, result: (_position, record) => additionResult(title, undefined, record) };
    const subject = {
      title,
      gets: to,
      expectations: [l10n.t`Max slippage: ${percent(slippageBps / 100)}`],
      warnings: unusualSlippage(slippageBps),
    };
    const tokens = tokenNames([sold, bought].map(({ mint, ...token }) => ({ address: mint, ...token })));
    return this.#exchange(words, subject, tokens, { ...how, owner: plan.owner }, (dependencies, host, signal) =>
      runSwap(plan, dependencies, host, signal),
    );
  }

  /**
   * Unwraps all SOL in the wallet's own account for wrapped SOL.
   * @throws OperationError and other errors of the operation; the user has not been notified of them
   */
  async unwrap(plan: UnwrapPlan, how: ExchangeOptions = {}): Promise<OperationResult> {
    const what = shortSol(plan.lamports);
    const title = unwrapTitle(what);
    const words: OutcomeMessages = { title, result: (_position, record) => additionResult(title, undefined, record) };
    const subject = {
      title,
      pays: l10n.t('nothing but the costs'),
      gets: l10n.t`${what}, and the rent of its account`,
      expectations: [],
      warnings: [],
    };
    return this.#exchange(words, subject, tokenNames([]), { ...how, owner: plan.owner }, (dependencies, host, signal) =>
      runUnwrap(plan, dependencies, host, signal),
    );
  }

  async #exchange(
    words: OutcomeMessages,
    subject: ApprovalSubject,
    tokens: TokenNames,
    { owner, isAgain = false, finishes }: ExchangeOptions & { readonly owner: Address },
    operation: (dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal) => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const warnings = [...(isAgain ? [firstTryDidNotLandText()] : []), ...(subject.warnings ?? [])];
    return this.#run(words, { ...subject, warnings }, tokens, owner, (dependencies, host, signal) =>
      operation(finishes === undefined ? dependencies : { ...dependencies, finishes }, host, signal),
    );
  }

  /** @param asked called with each review that the user is asked about */
  async #run(
    words: OutcomeMessages,
    subject: ApprovalSubject,
    tokens: TokenNames,
    owner: Address,
    operation: (dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal) => Promise<OperationResult>,
    asked: (review: Review) => void = () => undefined,
  ): Promise<OperationResult> {
    const { prompts, actions, log, serviceInUse, openPosition, complete } = this.#dependencies;
    const choice = serviceInUse();
    let settled: OperationRecord | undefined;
    let begun: string | undefined;
    const result = await runShown(prompts, {
      title: words.title,
      run: (show, cancelled) =>
        runWithinBudget(this.#dependencies, choice, { title: words.title, show, cancelled }, (parts, showStep) => {
          let logged: OperationStep | undefined;
          const host: OperationHost = {
            report: (step, leftMs) => {
              if (step !== logged) {
                log('info', `${words.title}: ${step}`);
              }
              logged = step;
              showStep(stepText(step, leftMs));
            },
            approve: (review, reason, details) => {
              asked(review);
              return askApproval(
                { review, reason, details, tokens, subject },
                { ...this.#dependencies, serviceInUse: () => parts.builtBy },
                cancelled,
              );
            },
            repeat: (earlier) => askRepetition(earlier, this.#dependencies, cancelled),
            signer: () => this.#dependencies.signer(owner, cancelled),
            began: (operation) => {
              begun = operation;
              this.#dependencies.began(operation);
            },
            settled: (record) => {
              settled = record;
            },
            leftOpen: this.#dependencies.leftOpen,
          };
          return operation(parts, host, cancelled);
        }),
    }).catch(declinedIfCancelled);
    log('info', `${words.title}: ${result.kind}`);
    notifyOutcome(
      result,
      words,
      { prompts, actions, openPosition, complete, hasExplorer: hasExplorer(choice.id) },
      { record: settled, left: openTaskOf(settled), operation: begun },
    );
    return result;
  }

  #listed(isMeant: (position: OpenPosition) => boolean): OpenPosition | undefined {
    return this.#dependencies.portfolio.snapshot.positions.find(isMeant);
  }
}
