import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { shareOfXBins, sidesOf } from '../../base/dlmm/bins';
import { binId, shortAddress } from '../../base/format/identifiers';
import { signedPercent } from '../../base/format/percent';
import type { Address } from '../../base/solana/address';
import { type Plan, plan as planSchema } from '../../protocol/pool';
import type { PoolInfo } from '../../service/poolInfo';
import type { Pool } from '../../service/pools';
import { UserError } from '../shell/errors';
import { askProposedZapIn } from './proposedZapIn';
import { balancesOf, checkAmount } from './zapInAmount';
import { askTokens, type BinChoices, type ZapInChoices, type ZapInDialogDependencies } from './zapInDialog';
import { type Balances, targetOfInfo, targetOfPool, type ZapInTarget } from './zapInDraft';
import { inputText } from './zapInMessages';
import { problemOfRange } from './zapInRange';
import { zapInTitle } from './operationWords';

/** Plan from a panel or an assistant, and the wallet that executes it. */
export interface PlannedZapIn {
  readonly pool: Address;
  /** Not validated yet. */
  readonly plan: unknown;
  readonly owner: Address;
  /** An assistant made the plan. */
  readonly isProposal?: boolean | undefined;
}

export interface PlannedZapInDependencies extends ZapInDialogDependencies {
  /** Shows a plan in the panel of its pool, where all of it can be changed. */
  readonly changePlan: (pool: Address, plan: Plan) => Promise<void>;
}

const change = () => l10n.t('Change…');
const checking = () => l10n.t('Loading…');
/** A position in a pool without bins holds both tokens in equal value. */
const HALF = 0.5;

/**
 * Continues from a plan made in a panel or proposed by an assistant: reads pool and balances again, and checks the plan as the panel does. For a plan
 * of a panel, the confirmation before signing is the only question; it says what has changed since. Asked about here is only a plan that the wallet
 * cannot pay, one of an assistant, and how much of each token a plan without SOL deposits.
 * @returns `undefined` if the user cancels, or changes the plan in its panel
 * @throws UserError if the plan is invalid or does not fit the pool; ServiceError if pool or balances cannot be read
 */
export async function askPlannedZapIn(
  { pool, plan: unread, owner, isProposal }: PlannedZapIn,
  dependencies: PlannedZapInDependencies,
): Promise<ZapInChoices | undefined> {
  const { prompts, pools, readPoolInfo, readBalances, changePlan } = dependencies;
  const plan = readPlan(unread);
  const { target, info, balances } = await prompts.progress(
    { title: checking(), cancellable: true, onlyIfSlow: true },
    async (show, signal) => {
      const read = await readPoolInfo(pool, signal, { title: checking(), show });
      const known = targetOf(pool, read, pools);
      return { target: known, info: read, balances: await balancesOf(known, readBalances, signal, { title: checking(), show }) };
    },
  );
  const choices = choicesOf(plan, target, info, balances);
  const moved = movedSince(plan, choices);
  const planned = moved === undefined ? choices : { ...choices, warnings: [moved] };
  if (plan.amountLamports === undefined && isProposal !== true) {
    return askTokens(dependencies, planned, balances);
  }
  const shortage = checkAmount(choices.inputLamports, balances.sol);
  if (isProposal === true) {
    const proposed = { choices: planned, balances, owner, shortage: shortage.ok ? undefined : shortage.message };
    const decision = await askProposedZapIn(prompts, proposed);
    await (decision === 'change' ? changePlan(pool, plan) : undefined);
    return decision === 'continue' ? planned : undefined;
  }
  if (shortage.ok) {
    return planned;
  }
  const answer = await prompts.confirm({
    message: zapInTitle(inputText(choices), target.pairName),
    detail: [shortage.message, l10n.t`Wallet: ${shortAddress(owner)}`].join('\n'),
    severity: 'warning',
    actions: [change()],
  });
  await (answer === change() ? changePlan(pool, plan) : undefined);
  return undefined;
}

/** Reads a plan that a panel or an assistant made. @throws UserError for anything that is not a plan */
export function readPlan(unread: unknown): Plan {
  const read = planSchema.safeParse(unread);
  if (!read.success) {
    throw new UserError(unreadableText());
  }
  return read.data;
}

function targetOf(pool: Address, info: PoolInfo, pools: readonly Pool[]): ZapInTarget {
  const listed = pools.find(({ address }) => address === pool);
  return listed === undefined ? targetOfInfo(pool, info) : targetOfPool(listed);
}

/**
 * The plan's choices at the current active bin.
 * @throws UserError if the plan does not fit the pool, or no position can have it
 */
function choicesOf(plan: Plan, target: ZapInTarget, info: PoolInfo, { sol }: Balances): ZapInChoices {
  const inputLamports = BigInt(plan.amountLamports ?? 0);
  if (inputLamports === 0n && plan.amountLamports !== undefined) {
    throw new UserError(unreadableText());
  }
  const bins = binsOf(plan, target, info);
  return {
    target,
    inputLamports,
    tokens: undefined,
    bins,
    percentX: bins === undefined ? HALF : splitOf(plan, bins),
    slippageBps: plan.slippageBps,
    solUsd: sol.priceUsd,
  };
}

export const unreadableText = (): string => l10n.t('This plan cannot be used. Nothing was signed. Plan the position again.');

function binsOf({ range, strategy }: Plan, target: ZapInTarget, { activeBin }: PoolInfo): BinChoices | undefined {
  if (target.poolType === 'dammV2') {
    if (range !== undefined) {
      throw new UserError(unreadableText());
    }
    return undefined;
  }
  if (range === undefined) {
    throw new UserError(unreadableText());
  }
  if (activeBin === undefined) {
    throw new UserError(l10n.t('The service did not report the active bin of the pool.'));
  }
  const problem = problemOfRange(range, target);
  if (problem !== undefined) {
    throw new UserError(`${problem} ${unreadableText()}`);
  }
  return { strategy, range, activeBin };
}

/** The planned share while the price is still within the range. A range that takes one token, or that the price has entered since, is split by its bins. */
function splitOf({ percentX, activeBinId }: Plan, { range, activeBin }: BinChoices): number {
  const isStillBoth = sidesOf(range, activeBin.binId) === 'both' && (activeBinId === undefined || sidesOf(range, activeBinId) === 'both');
  return isStillBoth ? percentX : shareOfXBins(range, activeBin.binId);
}

/**
 * What has changed since the position was planned, for the confirmation. `undefined` if the price has moved by less than half of the slippage
 * tolerance and the range takes the same tokens: a warning before almost every question would not be read.
 */
function movedSince({ activeBinId, slippageBps }: Plan, { bins, target }: ZapInChoices): string | undefined {
  if (bins === undefined || activeBinId === undefined || activeBinId === bins.activeBin.binId) {
    return undefined;
  }
  const { range, activeBin } = bins;
  const sides = sidesOf(range, activeBin.binId);
  const takesSame = sides === sidesOf(range, activeBinId);
  const movedBps = movedByBps(activeBinId, activeBin.binId, target.binStepBps);
  if (takesSame && movedBps !== undefined && Math.abs(movedBps) < slippageBps / 2) {
    return undefined;
  }
  const by = movedBps === undefined ? `${binId(activeBinId)} → ${binId(activeBin.binId)}` : signedPercent(movedBps / 100);
  const from = l10n.t`The price has moved since you planned: ${by}.`;
  if (takesSame) {
    return from;
  }
  return `${from} ${sides === 'both' ? l10n.t('It is now within the range, which takes both tokens.') : l10n.t('It is now outside the range.')}`;
}

/** How far the price moved from one bin to another, basis points of the earlier price; `undefined` without a bin step. */
function movedByBps(fromBinId: number, toBinId: number, binStepBps: number | undefined): number | undefined {
  return binStepBps === undefined ? undefined : WHOLE_BPS * Math.expm1((toBinId - fromBinId) * Math.log1p(binStepBps / WHOLE_BPS));
}
