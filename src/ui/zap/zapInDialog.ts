import * as l10n from '@vscode/l10n';
import type { BinRange } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { Strategy } from '../../service/common';
import type { Pool } from '../../service/pools';
import type { TokensAtHand } from '../../transactions/types';
import { type FindPools, pasteItem, poolItem, poolSearch } from '../pools/poolSearch';
import { answered, type PickItem, type Prompts, readAddress } from '../shell/prompts/prompts';
import { runSteps, type Step } from '../shell/prompts/steps';
import { slippageSteps } from './slippage';
import { type AmountDependencies, amountSteps } from './zapInAmount';
import { type ActiveBin, hasBins, targetOfInfo, targetOfPool, titleOf, type ZapInDraft, type ZapInTarget } from './zapInDraft';
import { type RangeDependencies, rangeSteps, splitOf } from './zapInRange';
import { tokensOf, tokenSteps } from './zapInTokens';

/** The user's choices for a zap-in. */
export interface ZapInChoices {
  readonly target: ZapInTarget;
  /** 0 where tokens are deposited as they are. */
  readonly inputLamports: bigint;
  /** The pool's tokens that are deposited from the wallet, raw units; `undefined`: SOL, which is swapped. */
  readonly tokens?: TokensAtHand | undefined;
  /** `undefined` for pools without bins, whose positions span all prices. */
  readonly bins: BinChoices | undefined;
  /** Share of token X, 0 to 1. */
  readonly percentX: number;
  /** 0 to 10000. */
  readonly slippageBps: number;
  /** US dollars per SOL, as shown with the wallet's balance. */
  readonly solUsd: number | undefined;
  /** What differs from what the user saw when choosing, in sentences. */
  readonly warnings?: readonly string[] | undefined;
}

/** Distribution of the liquidity in a pool with bins. */
export interface BinChoices {
  readonly strategy: Strategy;
  readonly range: BinRange;
  /** The active bin when the range was chosen. */
  readonly activeBin: ActiveBin;
}

export interface ZapInDialogDependencies extends AmountDependencies, RangeDependencies {
  readonly pools: readonly Pool[];
  readonly findPools: FindPools;
  readonly defaultSlippageBps: () => number;
}

/** A draft to start from, with a known pool. */
export type StartedDraft = ZapInDraft & { readonly target: ZapInTarget };

const strategies = (): readonly PickItem<Strategy>[] => [
  {
    label: 'Spot',
    description: l10n.t('evenly across the range'),
    detail: l10n.t('Earns the same wherever the price is within the range.'),
    icon: 'dash',
    value: 'Spot',
  },
  {
    label: 'Curve',
    description: l10n.t('concentrated around the price'),
    detail: l10n.t('Earns more while the price stays close, less when it moves away. For stable pairs.'),
    icon: 'triangle-up',
    value: 'Curve',
  },
  {
    label: 'BidAsk',
    description: l10n.t('concentrated at the bounds of the range'),
    detail: l10n.t('Earns more when the price swings widely, less where it is now. For volatile pairs.'),
    icon: 'triangle-down',
    value: 'BidAsk',
  },
];

/** A position in a pool without bins holds both tokens in equal value. */
const HALF = 0.5;

/**
 * Asks for pool, amount, distribution and slippage tolerance.
 * @param from the pool that the command was invoked on, or a draft, whose answers are preselected
 * @returns `undefined` if the user cancels
 * @throws UserError if the pool cannot be entered or there is nothing to deposit; ServiceError if the service does not report what is needed
 */
export async function askZapIn(
  dependencies: ZapInDialogDependencies,
  from: Pool | StartedDraft | undefined,
): Promise<ZapInChoices | undefined> {
  const { prompts } = dependencies;
  const initial: ZapInDraft = from === undefined || 'target' in from ? (from ?? {}) : { target: targetOfPool(from) };
  const steps: readonly Step<ZapInDraft>[] = [
    ...(from === undefined ? [poolStep(dependencies), ownPoolStep(dependencies)] : []),
    ...amountSteps(dependencies),
    strategyStep(prompts),
    ...rangeSteps(dependencies),
    ...tokenSteps(prompts),
    ...slippageSteps<ZapInDraft>(prompts, titleOf, dependencies.defaultSlippageBps),
  ];
  const draft = await runSteps<ZapInDraft>(initial, steps);
  return draft === undefined ? undefined : completed(draft);
}

function completed(draft: ZapInDraft): ZapInChoices {
  const { target, amount, balances, slippageBps } = draft;
  if (target === undefined || amount === undefined || amount === 'own' || typeof slippageBps !== 'number') {
    throw new Error('The zap-in dialog ended with a step unanswered');
  }
  const bins = hasBins(draft) ? binsOf(draft) : undefined;
  const percentX = bins === undefined ? HALF : splitOf(draft, bins.range, bins.activeBin.binId);
  return {
    target,
    inputLamports: amount === 'tokens' ? 0n : amount,
    tokens: tokensOf(draft),
    bins,
    percentX,
    slippageBps,
    solUsd: balances?.sol.priceUsd,
  };
}

function binsOf({ strategy, range, activeBin }: ZapInDraft): BinChoices {
  if (strategy === undefined || typeof range !== 'object' || activeBin === undefined) {
    throw new Error('The zap-in dialog ended with a step about the bins unanswered');
  }
  return { strategy, range, activeBin };
}

/** A listed or found pool, or one whose address the user enters. */
type PoolChoice = { readonly kind: 'pool'; readonly pool: Pool } | { readonly kind: 'address'; readonly address?: Address };

function poolStep({ prompts, pools, findPools }: ZapInDialogDependencies): Step<ZapInDraft> {
  const choiceOf = (pool: Pool): PoolChoice | undefined => (pool.poolType === 'other' ? undefined : { kind: 'pool', pool });
  return {
    ask: async (draft, place) => {
      const answer = await prompts.pick<PoolChoice>({
        title: titleOf({}),
        place,
        placeholder: l10n.t('Choose a pool, or type to search all pools'),
        items: [
          ...pools.flatMap((pool) => {
            const choice = choiceOf(pool);
            return choice === undefined ? [] : [poolItem(pool, choice)];
          }),
          pasteItem<PoolChoice>({ kind: 'address' }),
        ],
        isCurrent: (choice) => choice.kind === 'pool' && choice.pool.address === draft.target?.pool,
        matchDetails: true,
        search: poolSearch(findPools, choiceOf, (address) => ({ kind: 'address', address })),
      });
      if (answer.kind !== 'value') {
        return answer;
      }
      const { value } = answer;
      return answered(
        value.kind === 'address'
          ? { ...draft, ownPool: true, typedPool: value.address, target: undefined }
          : forTarget(draft, targetOfPool(value.pool), false),
      );
    },
  };
}

function ownPoolStep(dependencies: ZapInDialogDependencies): Step<ZapInDraft> {
  const { prompts } = dependencies;
  return {
    applies: ({ ownPool }) => ownPool === true,
    ask: async (draft, place) => {
      const answer = await prompts.input({
        title: titleOf({}),
        place,
        prompt: l10n.t('Pool address'),
        initial: draft.target?.pool ?? draft.typedPool,
        read: readAddress,
      });
      if (answer.kind !== 'value') {
        return answer;
      }
      return answered(forTarget(draft, await readTarget(answer.value, dependencies), true));
    },
  };
}

/**
 * Reads a pool that is not listed.
 * @throws UserError if Binsight does not know its type, ServiceError if it cannot be read
 */
export async function readTarget(
  pool: Address,
  { prompts, readPoolInfo }: Pick<ZapInDialogDependencies, 'prompts' | 'readPoolInfo'>,
): Promise<ZapInTarget> {
  const title = l10n.t('Loading the pool');
  const info = await prompts.progress({ title, cancellable: true, onlyIfSlow: true }, (show, signal) =>
    readPoolInfo(pool, signal, { title, show }),
  );
  return targetOfInfo(pool, info);
}

/** Switches to another pool, and drops the answers about the tokens and bins of the previous one. */
function forTarget(draft: ZapInDraft, target: ZapInTarget, ownPool: boolean): ZapInDraft {
  const tokens = {
    balances: undefined,
    amount: typeof draft.amount === 'bigint' ? draft.amount : undefined,
    amountX: undefined,
    amountY: undefined,
  };
  return { ...draft, ...tokens, target, ownPool, range: undefined, percentX: undefined, activeBin: undefined };
}

function strategyStep(prompts: Prompts): Step<ZapInDraft> {
  return {
    applies: hasBins,
    ask: async (draft, place) => {
      const answer = await prompts.pick({
        title: titleOf(draft),
        place,
        placeholder: l10n.t('Distribution of the liquidity'),
        items: strategies(),
        isCurrent: (value) => value === draft.strategy,
      });
      return answer.kind === 'value' ? answered({ ...draft, strategy: answer.value }) : answer;
    },
  };
}
