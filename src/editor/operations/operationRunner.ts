import type { OpenPosition } from '../../api/records/position';
import type { LiquidityService } from '../../api/service';
import { percent } from '../../format/percent';
import type { OperationJournal } from '../../operations/journal/types';
import type { OperationLocks } from '../../operations/locks/types';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../../operations/types';
import type { PortfolioControl } from '../../portfolio/types';
import type { PolicySettings } from '../../review/policy';
import type { TokenNames } from '../../review/summary';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../solana/address';
import { lamportsToSol } from '../../solana/amounts';
import type { Signer } from '../../wallet/types';
import type { EditorActions } from '../editorActions';
import type { LogFunction } from '../log/log';
import type { Prompts } from '../prompts/prompts';
import { sameService, type ServiceChoice } from '../service/serviceChoice';
import { plainText } from '../views/plainText';
import { askApproval, type ApprovalSubject } from './approval';
import { tellOutcome, type OutcomeWords } from './outcome';
import { runWithProgress } from './progress';
import { zapInResult, zapOutResult } from './results';
import { SETTLE_EVERY_MS, SETTLE_TIMEOUT_MS } from './settleTimes';
import { withdrawalWorth } from './worth';
import type { ZapInChoices } from './zapInDialogue';
import { shownPrices, spreadText } from './zapInWords';
import { outputName, type ZapOutChoices } from './zapOutDialogue';

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
  readonly log: LogFunction;
}

const WHOLE_BPS = 10_000;

/** Runs an operation from what the user chose to how it ended: progress, approval, result. */
export class OperationRunner {
  constructor(private readonly dependencies: RunnerDependencies) {}

  /** @throws OperationError and what else the operation throws; nothing has been told of it then. */
  async zapOut({ position, ...choices }: ZapOutChoices, owner: Address): Promise<OperationResult> {
    const { runZapOut } = await import('../../operations/zapOut');
    const { shareBps, slippageBps } = choices;
    const pair = plainText(position.pairName);
    const share = percent(shareBps / 100);
    const part = shareBps === WHOLE_BPS ? '' : `${share} `;
    const words: OutcomeWords = {
      doing: `Zapping ${part}out of ${pair}`,
      done: `Zapped ${part}out of ${pair}`,
      result: () => zapOutResult(pair, position, shareBps, this.listed(({ key }) => key === position.key)),
    };
    const worth = withdrawalWorth(position, shareBps);
    const subject = {
      title: `Zap out ${share} of ${pair}`,
      expectations: [
        ...(worth === undefined ? [] : [`Should come back: about ${worth}, by the service's own figures`]),
        `You chose: to receive ${outputName(position, choices.output)}, with a slippage of at most ${percent(slippageBps / 100)}`,
      ],
    };
    return this.run(words, subject, tokenNames([position.token0, position.token1]), owner, (dependencies, host, signal) => runZapOut({ position, owner, ...choices }, dependencies, host, signal));
  }

  /** @throws OperationError and what else the operation throws; nothing has been told of it then. */
  async zapIn(choices: ZapInChoices, owner: Address): Promise<OperationResult> {
    const { runZapIn } = await import('../../operations/zapIn');
    const { target, bins, inputLamports, percentX, slippageBps } = choices;
    const { pool, poolType, pairName, tokenX, tokenY } = target;
    const tokens = tokenNames([
      { address: tokenX, symbol: target.symbolX, decimals: target.decimalsX },
      { address: tokenY, symbol: target.symbolY, decimals: target.decimalsY },
    ]);
    const plan: ZapInPlan = {
      ...{ pool, pairName, poolType, tokenX, tokenY, owner, inputLamports, percentX, slippageBps },
      ...{ strategy: bins?.strategy, fromBinId: bins?.range.fromBinId, toBinId: bins?.range.toBinId },
      prices: shownPrices(choices),
    };
    const words: OutcomeWords = {
      doing: `Zapping into ${pairName}`,
      done: `Zapped into ${pairName}`,
      result: (position) => zapInResult(pairName, position === undefined ? undefined : this.listed(({ address }) => address === position)),
    };
    const subject = { title: `Zap ${lamportsToSol(inputLamports)} SOL into ${pairName}`, expectations: [spreadText(choices), `Slippage: at most ${percent(slippageBps / 100)}`] };
    return this.run(words, subject, tokens, owner, (dependencies, host, signal) => runZapIn(plan, dependencies, host, signal));
  }

  private async run(
    words: OutcomeWords,
    subject: ApprovalSubject,
    tokens: TokenNames,
    owner: Address,
    operation: (dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal) => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const { prompts, actions, portfolio, log, serviceInUse } = this.dependencies;
    const choice = serviceInUse();
    const isServiceInUse = () => sameService(choice, serviceInUse());
    const result = await runWithProgress(prompts, words.doing, async (report, cancelled) => {
      const host: OperationHost = {
        report: (step) => {
          log('info', `${words.doing}: ${step}`);
          report(step);
        },
        approve: (review, reason) => askApproval({ review, reason, tokens, subject }, this.dependencies, cancelled),
        signer: () => this.dependencies.signer(owner, cancelled),
        began: (operation) => this.dependencies.began(operation),
      };
      const service = await this.dependencies.service();
      const rpc = await this.dependencies.rpc();
      const { policy, isSimulating, nowMs, records } = this.dependencies;
      return operation(
        {
          ...{ service, portfolio, isServiceInUse, log, rpc, policy, nowMs },
          isSimulating: isSimulating(),
          ...{ journal: await records.journal(), locks: await records.locks(), serviceId: choice.id ?? choice.name },
          ...{ settleTimeoutMs: SETTLE_TIMEOUT_MS, settleEveryMs: SETTLE_EVERY_MS },
        },
        host,
        cancelled,
      );
    });
    log('info', `${words.doing}: ${result.kind}`);
    tellOutcome(result, words, { prompts, actions, isSandbox: choice.kind === 'sandbox' });
    return result;
  }

  private listed(isMeant: (position: OpenPosition) => boolean): OpenPosition | undefined {
    return this.dependencies.portfolio.snapshot.positions.find(isMeant);
  }
}

/** Names the tokens of a pool for the review, by their mints. */
function tokenNames(tokens: readonly { readonly address: Address | undefined; readonly symbol: string; readonly decimals: number | undefined }[]): TokenNames {
  return (mint) => {
    const token = tokens.find(({ address }) => address === mint);
    return token === undefined ? undefined : { symbol: plainText(token.symbol), decimals: token.decimals };
  };
}
