import type { OpenPosition } from '../../api/records/position';
import type { RequestBudget } from '../../api/requestBudget';
import type { LiquidityService } from '../../api/service';
import { percent } from '../../format/percent';
import type { OperationJournal, OperationRecord } from '../../operations/journal/types';
import type { OperationLocks } from '../../operations/locks/types';
import type { OperationDependencies, OperationHost, OperationResult, OperationStep, ZapInPlan } from '../../operations/types';
import type { Clock, PortfolioControl } from '../../portfolio/types';
import type { PolicySettings } from '../../review/policy';
import type { TokenNames } from '../../review/summary';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../solana/address';
import type { Signer } from '../../wallet/types';
import type { EditorActions } from '../editorActions';
import type { LogFunction } from '../log/log';
import type { Prompts } from '../prompts/prompts';
import type { ServiceChoice } from '../service/serviceChoice';
import { plainText } from '../views/plainText';
import { askApproval, type ApprovalSubject } from './approval';
import { FIRST_TRY_DID_NOT_LAND } from './approvalText';
import { WHOLE_BPS } from './basisPoints';
import { runWithinBudget, tokenNames } from './operationParts';
import { stepText, notifyOutcome, type OutcomeMessages } from './outcome';
import { runShown } from './progress';
import { zapInResult, zapOutResult } from './results';
import { worthLines } from './worth';
import type { ZapInChoices } from './zapInDialogue';
import { inputText, shownPrices, spreadText } from './zapInWords';
import { hasSlippage, outputName, type ZapOutChoices } from './zapOutDialogue';

/** What operations are run with. */
export interface RunnerDependencies {
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  readonly portfolio: PortfolioControl;
  readonly service: () => Promise<LiquidityService>;
  /** The RPC that the review asks; `undefined`: none. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** What the user has set of the review's limits. */
  readonly policy: () => Partial<PolicySettings>;
  /** Whether the RPC is to simulate what is signed. */
  readonly isSimulating: () => boolean;
  readonly signer: (owner: Address, cancelled: AbortSignal) => Promise<Signer>;
  readonly serviceInUse: () => ServiceChoice;
  /** What all windows write down of operations, and by which they keep out of each other's way. */
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  /** Told the id of each operation that is begun here. */
  readonly began: (operation: string) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** By which operations wait, and waits are counted down; without it by the system's. */
  readonly clock?: Pick<Clock, 'after'>;
  /** The request budget of the service in use; without it operations do not wait for the service's request limit. */
  readonly budget?: () => RequestBudget | undefined;
  readonly log: LogFunction;
}

/** Runs an operation from what the user chose to how it ended: progress, approval, result. */
export class OperationRunner {
  constructor(private readonly dependencies: RunnerDependencies) {}

  /**
   * @param isAgain it was tried just before, and is proven not to have landed: the question says so
   * @throws OperationError and what else the operation throws; nothing has been told of it then.
   */
  async zapOut({ position, ...choices }: ZapOutChoices, owner: Address, isAgain = false): Promise<OperationResult> {
    const { runZapOut } = await import('../../operations/zapOut');
    const { shareBps, slippageBps } = choices;
    const pair = plainText(position.pairName);
    const share = percent(shareBps / 100);
    const part = shareBps === WHOLE_BPS ? '' : `${share} `;
    const words: OutcomeMessages = {
      doing: `Zapping ${part}out of ${pair}`,
      done: `Zapped ${part}out of ${pair}`,
      result: (_position, record) => zapOutResult(pair, position, shareBps, this.listed(({ key }) => key === position.key), record),
    };
    const subject = {
      title: `Zap out ${share} of ${pair}`,
      keyFigures: worthLines(position, shareBps),
      expectations: [
        `You chose: to receive ${outputName(position, choices.output)}${hasSlippage({ position, output: choices.output }) ? `, with a slippage of at most ${percent(slippageBps / 100)}` : ''}`,
      ],
      heed: isAgain ? [FIRST_TRY_DID_NOT_LAND] : [],
    };
    return this.run(words, subject, tokenNames([position.token0, position.token1]), owner, (dependencies, host, signal) => runZapOut({ position, owner, ...choices }, dependencies, host, signal));
  }

  /**
   * @param isAgain it was tried just before, and did not land: it waits until the first can no longer, and the question says so
   * @throws OperationError and what else the operation throws; nothing has been told of it then.
   */
  async zapIn(choices: ZapInChoices, owner: Address, isAgain = false): Promise<OperationResult> {
    const { runZapIn } = await import('../../operations/zapIn');
    const { target, bins, inputLamports, tokens, percentX, slippageBps } = choices;
    const { pool, poolType, pairName, tokenX, tokenY, symbolX, symbolY } = target;
    const names = tokenNames([
      { address: tokenX, symbol: symbolX, decimals: target.decimalsX },
      { address: tokenY, symbol: symbolY, decimals: target.decimalsY },
    ]);
    const plan: ZapInPlan = {
      ...{ pool, pairName, poolType, tokenX, tokenY, symbolX, symbolY, owner, inputLamports, percentX, tokens, slippageBps },
      ...{ strategy: bins?.strategy, fromBinId: bins?.range.fromBinId, toBinId: bins?.range.toBinId },
      prices: shownPrices(choices),
    };
    const words: OutcomeMessages = {
      doing: `Zapping into ${pairName}`,
      done: `Zapped into ${pairName}`,
      result: (position) => zapInResult(pairName, position === undefined ? undefined : this.listed(({ address }) => address === position)),
    };
    const subject = {
      title: `Zap ${inputText(choices)} into ${pairName}`,
      expectations: [...(tokens === undefined ? [] : ['Goes in as it is: nothing is swapped']), spreadText(choices), `Slippage: at most ${percent(slippageBps / 100)}`],
      heed: isAgain ? [FIRST_TRY_DID_NOT_LAND] : [],
    };
    return this.run(words, subject, names, owner, (dependencies, host, signal) => runZapIn(plan, { ...dependencies, waitsForEarlier: isAgain }, host, signal));
  }

  private async run(
    words: OutcomeMessages,
    subject: ApprovalSubject,
    tokens: TokenNames,
    owner: Address,
    operation: (dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal) => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const { prompts, actions, log, serviceInUse } = this.dependencies;
    const choice = serviceInUse();
    let settled: OperationRecord | undefined;
    let begun: string | undefined;
    const result = await runShown(prompts, {
      title: words.doing,
      run: (show, cancelled) =>
        runWithinBudget(this.dependencies, choice, { title: words.doing, show }, (parts, showStep) => {
          let logged: OperationStep | undefined;
          const host: OperationHost = {
            report: (step, leftMs) => {
              if (step !== logged) {
                log('info', `${words.doing}: ${step}`);
              }
              logged = step;
              showStep(stepText(step, leftMs));
            },
            approve: (review, reason) => askApproval({ review, reason, tokens, subject }, this.dependencies, cancelled),
            signer: () => this.dependencies.signer(owner, cancelled),
            began: (operation) => {
              begun = operation;
              this.dependencies.began(operation);
            },
            settled: (record) => {
              settled = record;
            },
          };
          return operation(parts, host, cancelled);
        }),
    });
    log('info', `${words.doing}: ${result.kind}`);
    notifyOutcome(result, words, { prompts, actions, isSandbox: choice.kind === 'sandbox' }, { record: settled, operation: begun });
    return result;
  }

  private listed(isMeant: (position: OpenPosition) => boolean): OpenPosition | undefined {
    return this.dependencies.portfolio.snapshot.positions.find(isMeant);
  }
}
