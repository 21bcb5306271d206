import type { OpenPosition } from '../../api/records/position';
import type { LiquidityService } from '../../api/service';
import { sol, usd } from '../../format/money';
import { isKnown } from '../../format/numbers';
import { percent } from '../../format/percent';
import type { OperationDependencies, OperationHost, OperationResult } from '../../operations/types';
import type { PortfolioControl } from '../../portfolio/types';
import type { TokenNames } from '../../review/summary';
import type { Address } from '../../solana/address';
import { lamportsToSol } from '../../solana/amounts';
import type { Signer } from '../../wallet/types';
import type { EditorActions } from '../editorActions';
import type { LogFunction } from '../log/log';
import type { Prompts } from '../prompts/prompts';
import { plainText } from '../views/plainText';
import { askApproval, type ApprovalSubject } from './approval';
import { STEP_WORDS, tellOutcome, type OutcomeWords } from './outcome';
import type { ZapInChoices } from './zapInDialogue';
import type { ZapOutChoices } from './zapOutDialogue';

/** What operations are run with. */
export interface RunnerDependencies {
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  readonly portfolio: PortfolioControl;
  readonly service: () => Promise<LiquidityService>;
  readonly signer: (owner: Address) => Promise<Signer>;
  readonly isSandbox: () => boolean;
  readonly log: LogFunction;
}

/** How long an operation waits until the service lists its effect, and how often it looks (guides: service-quirks.md §0.4). */
const SETTLE_TIMEOUT_MS = 30_000;
const SETTLE_EVERY_MS = 4_000;

const WHOLE_BPS = 10_000;

/** Runs an operation from what the user chose to how it ended: progress, approval, result. */
export class OperationRunner {
  constructor(private readonly dependencies: RunnerDependencies) {}

  /** @throws OperationError and what else the operation throws; nothing has been told of it then. */
  async zapOut({ position, ...choices }: ZapOutChoices, owner: Address): Promise<OperationResult> {
    const { runZapOut } = await import('../../operations/zapOut');
    const pair = plainText(position.pairName);
    const words: OutcomeWords =
      choices.shareBps === WHOLE_BPS
        ? { doing: `Zapping out of ${pair}`, done: `Zapped out of ${pair}, and the position is closed` }
        : { doing: `Zapping ${percent(choices.shareBps / 100)} out of ${pair}`, done: `Zapped ${percent(choices.shareBps / 100)} out of ${pair}` };
    const subject = { title: `Zap out ${percent(choices.shareBps / 100)} of ${pair}`, expectations: comesBack(position, choices.shareBps) };
    return this.run(words, subject, tokenNames([position.token0, position.token1]), owner, (dependencies, host, signal) => runZapOut({ position, owner, ...choices }, dependencies, host, signal));
  }

  /** @throws OperationError and what else the operation throws; nothing has been told of it then. */
  async zapIn({ target, range, ...choices }: ZapInChoices, owner: Address): Promise<OperationResult> {
    const { runZapIn } = await import('../../operations/zapIn');
    const { pool, pairName, tokenX, tokenY } = target;
    const tokens = tokenNames([
      { address: tokenX, symbol: target.symbolX, decimals: target.decimalsX },
      { address: tokenY, symbol: target.symbolY, decimals: target.decimalsY },
    ]);
    const plan = { pool, pairName, poolType: 'dlmm', tokenX, tokenY, owner, ...range, ...choices } as const;
    const words = { doing: `Zapping into ${pairName}`, done: `Zapped into ${pairName}` };
    const subject = { title: `Zap ${lamportsToSol(choices.inputLamports)} SOL into ${pairName}`, expectations: [] };
    return this.run(words, subject, tokens, owner, (dependencies, host, signal) => runZapIn(plan, dependencies, host, signal));
  }

  private async run(
    words: OutcomeWords,
    subject: ApprovalSubject,
    tokens: TokenNames,
    owner: Address,
    operation: (dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal) => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const { prompts, actions, portfolio, log } = this.dependencies;
    const result = await prompts.progress({ title: words.doing, cancellable: true }, async (report, cancelled) => {
      const host: OperationHost = {
        report: (step) => {
          log('info', `${words.doing}: ${step}`);
          report(STEP_WORDS[step]);
        },
        approve: (review) => askApproval(review, tokens, subject, this.dependencies),
        signer: () => this.dependencies.signer(owner),
      };
      const service = await this.dependencies.service();
      return operation({ service, portfolio, log, settleTimeoutMs: SETTLE_TIMEOUT_MS, settleEveryMs: SETTLE_EVERY_MS }, host, cancelled);
    });
    log('info', `${words.doing}: ${result.kind}`);
    tellOutcome(result, words, { prompts, actions, isSandbox: this.dependencies.isSandbox() });
    return result;
  }
}

/** What a withdrawal should bring, at the prices of the last refresh; nothing where the service does not value the position. */
function comesBack({ value, uncollectedFee }: OpenPosition, shareBps: number): readonly string[] {
  const sum = (part: number | undefined, fees: number | undefined) => (isKnown(part) ? (part * shareBps) / WHOLE_BPS + (isKnown(fees) ? fees : 0) : undefined);
  const inUsd = sum(value.usd, uncollectedFee.usd);
  const inSol = sum(value.native, uncollectedFee.native);
  if (inUsd === undefined) {
    return [];
  }
  const also = inSol === undefined ? '' : ` (${sol(inSol)})`;
  return [`Should come back: about ${usd(inUsd)}${also}, fees included, by the service's own figures`];
}

/** Names the tokens of a pool for the review, by their mints. */
function tokenNames(tokens: readonly { readonly address: Address | undefined; readonly symbol: string; readonly decimals: number | undefined }[]): TokenNames {
  return (mint) => {
    const token = tokens.find(({ address }) => address === mint);
    return token === undefined ? undefined : { symbol: plainText(token.symbol), decimals: token.decimals };
  };
}
