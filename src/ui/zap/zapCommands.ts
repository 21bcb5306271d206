import * as l10n from '@vscode/l10n';
import { mayHaveClaims, mayHaveFees } from '../../base/dlmm/claimable';
import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import { nameAmong, positionNames } from '../positions/positionList';
import type { BusyPositions } from '../shell/busyPositions';
import type { CommandId } from '../../settings/generated/commandIds';
import { type CommandHandler, type CommandHandlers, type CommandTarget, offeringFreshQuote } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { PickItem } from '../shell/prompts/prompts';
import { type WaitingDependencies, withRequestWait } from '../shell/requestWait';
import type { Owners } from '../wallets/owners';
import { requireSigningOwner, type WalletCommandDependencies } from '../wallets/walletSelection';
import { askAddLiquidity } from './addLiquidityDialog';
import { claimableText, claimItem } from './claimWords';
import type { OperationRunner } from './operationRunner';
import { askPlannedZapIn, type PlannedZapIn, type PlannedZapInDependencies, readPlan, unreadableText } from './plannedZapIn';
import type { ZapInChoices, ZapInDialogDependencies } from './zapInDialog';
import { askProposal } from './proposals';
import { askProposedZapOut } from './proposedZapOut';
import { askZapOut } from './zapOutDialog';
import { inProgressText, noOpenPosition } from './operationMessages';
import { claimTitle } from './operationWords';

export interface OperationCommandDependencies extends Omit<WalletCommandDependencies, 'owners'> {
  readonly owners: Pick<Owners, 'active'>;
  readonly portfolio: PortfolioReader;
  readonly busy: BusyPositions;
  /** Loaded on first use, like the dialogs, so activation stays fast. */
  readonly runner: () => Promise<Pick<OperationRunner, 'zapIn' | 'zapOut' | 'claim' | 'addLiquidity' | 'swap' | 'unwrap'>>;
  readonly connect: () => Promise<LiquidityService>;
  /** Lets the requests of the questions wait for the service's request limit. */
  readonly waiting: WaitingDependencies;
  readonly slippageBps: () => number;
}

/** The commands that lead to signed transactions. */
export function operationCommands(
  dependencies: OperationCommandDependencies,
): Pick<CommandHandlers, 'binsight.zapOut' | 'binsight.claimFees' | 'binsight.compoundFees' | 'binsight.addLiquidity'> {
  return {
    'binsight.zapOut': zapOut(dependencies),
    'binsight.claimFees': claimFees(dependencies),
    'binsight.compoundFees': compoundFees(dependencies),
    'binsight.addLiquidity': addLiquidity(dependencies),
  };
}

function zapOut(dependencies: OperationCommandDependencies): CommandHandler {
  const { prompts, portfolio, busy, runner, slippageBps } = dependencies;
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const { positions } = portfolio.snapshot;
    const questions = { prompts, positions, defaultSlippageBps: slippageBps };
    const from = positionOf(target, positions);
    const proposal = proposalOf(target);
    const choices =
      from === undefined || proposal === undefined ? await askZapOut(questions, from) : await askProposedZapOut(questions, from, proposal);
    if (choices === undefined) {
      return;
    }
    const { key } = choices.position;
    await offeringFreshQuote(async (isAgain) => {
      // The first attempt is measured by the figures that the user chose by; a second one by current figures.
      const position = (isAgain ? positionOf({ kind: 'position', key }, portfolio.snapshot.positions) : undefined) ?? choices.position;
      const result = await busy.during(key, async () => (await runner()).zapOut({ ...choices, position }, owner.address, isAgain));
      if (result === undefined) {
        throw new UserError(inProgressText());
      }
    });
  };
}

const nothingToClaim = (): string => l10n.t('None of your open positions has anything to claim.');

function claimFees(dependencies: OperationCommandDependencies): CommandHandler {
  const choice: PositionChoice = {
    title: l10n.t('Claim Fees'),
    placeholder: l10n.t('Choose a position'),
    isAble: mayHaveClaims,
    none: nothingToClaim(),
  };
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const chosen = await chosenPosition(target, choice, dependencies);
    if (chosen !== undefined && (proposalOf(target) === undefined || (await isProposalWanted(chosen, dependencies)))) {
      await runOn(chosen, dependencies, async (position, isAgain) =>
        (await dependencies.runner()).claim([position], owner.address, { isAgain }),
      );
    }
  };
}

/** Asks about a claim that an assistant proposed. */
async function isProposalWanted(
  position: OpenPosition,
  { prompts, portfolio }: Pick<OperationCommandDependencies, 'prompts' | 'portfolio'>,
): Promise<boolean> {
  const answer = await askProposal(prompts, {
    title: claimTitle(nameAmong(position, portfolio.snapshot.positions)),
    lines: [l10n.t`Position: ${shortAddress(position.address)}`, l10n.t`Value: ${claimableText([position])}`],
    canChange: false,
  });
  return answer === 'continue';
}

function compoundFees(dependencies: OperationCommandDependencies): CommandHandler {
  const choice: PositionChoice = {
    title: l10n.t('Compound Fees'),
    placeholder: l10n.t('Choose a position'),
    isAble: mayHaveFees,
    none: nothingToClaim(),
  };
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const chosen = await chosenPosition(target, choice, dependencies);
    if (chosen !== undefined) {
      await runOn(chosen, dependencies, async (position, isAgain) =>
        (await dependencies.runner()).addLiquidity(
          { position, deposit: 'fees', slippageBps: dependencies.slippageBps() },
          owner.address,
          isAgain,
        ),
      );
    }
  };
}

function addLiquidity(dependencies: OperationCommandDependencies): CommandHandler {
  const choice: PositionChoice = {
    title: l10n.t('Add Liquidity'),
    placeholder: l10n.t('Choose a position'),
    isAble: ({ poolType }) => poolType !== 'other',
    none: noOpenPosition(),
  };
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const planned = target?.kind === 'plan' ? { in: target.pool, ...readPlan(target.plan) } : undefined;
    const chosen = await chosenPosition(target, planned === undefined ? choice : { ...choice, onlyIn: planned.in }, dependencies);
    const answers = planned && {
      slippageBps: planned.slippageBps,
      ...(planned.amountLamports === undefined ? {} : { amount: BigInt(planned.amountLamports) }),
    };
    const choices = chosen && (await askAddLiquidity(zapInQuestions(dependencies, owner.address), chosen, answers));
    if (choices !== undefined) {
      await runOn(choices.position, dependencies, async (position, isAgain) =>
        (await dependencies.runner()).addLiquidity({ ...choices, position }, owner.address, isAgain),
      );
    }
  };
}

/** Runs an operation on a position, again with its current figures if the user asks for a fresh quote. */
async function runOn(
  chosen: OpenPosition,
  { portfolio, busy }: Pick<OperationCommandDependencies, 'portfolio' | 'busy'>,
  run: (position: OpenPosition, isAgain: boolean) => Promise<unknown>,
): Promise<void> {
  const { key } = chosen;
  await offeringFreshQuote(async (isAgain) => {
    const position = (isAgain ? positionOf({ kind: 'position', key }, portfolio.snapshot.positions) : undefined) ?? chosen;
    const result = await busy.during(key, () => run(position, isAgain));
    if (result === undefined) {
      throw new UserError(inProgressText());
    }
  });
}

/** The question for a position where a command was invoked without one. */
interface PositionChoice {
  readonly title: string;
  readonly placeholder: string;
  readonly isAble: (position: OpenPosition) => boolean;
  /** That there is no such position; a sentence. */
  readonly none: string;
  /** Only positions in this pool; the only one is not asked about. */
  readonly onlyIn?: Address;
}

/** @throws UserError if there is no such position, or the one that the command was invoked on is no longer listed */
async function chosenPosition(
  target: CommandTarget | undefined,
  { title, placeholder, isAble, none, onlyIn }: PositionChoice,
  { portfolio, prompts }: Pick<OperationCommandDependencies, 'portfolio' | 'prompts'>,
): Promise<OpenPosition | undefined> {
  const { positions } = portfolio.snapshot;
  const named = positionOf(target, positions);
  if (named !== undefined) {
    return named;
  }
  const able = positions.filter((position) => isAble(position) && (onlyIn === undefined || position.pool === onlyIn));
  const [first] = able;
  if (first === undefined) {
    throw new UserError(none);
  }
  if (onlyIn !== undefined && able.length === 1) {
    return first;
  }
  const names = positionNames(positions);
  const answer = await prompts.pick({
    title,
    placeholder,
    items: able.map((position): PickItem<OpenPosition> => claimItem(position, names.get(position.key))),
    matchDetails: true,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** Dependencies of the zap-in questions for a wallet. */
function zapInQuestions(
  { prompts, portfolio, connect, waiting, slippageBps }: OperationCommandDependencies,
  owner: Address,
): ZapInDialogDependencies & { readonly defaultSlippageBps: () => number } {
  return {
    prompts,
    pools: portfolio.snapshot.pools,
    readBalances: async (mints, signal, progress) => {
      const service = await connect();
      return (await withRequestWait(progress, waiting, (pace) => service.tokenBalances({ owner, mints }, { signal, pace }))).items;
    },
    readPoolInfo: async (pool, signal, progress) => {
      const service = await connect();
      return withRequestWait(progress, waiting, (pace) => service.poolInfo(pool, { signal, pace }));
    },
    defaultSlippageBps: slippageBps,
  };
}

/**
 * Zaps in: builds, reviews and confirms. Does nothing for `undefined`, the result of cancelled questions.
 * @throws the errors of {@link offeringFreshQuote}
 */
async function runChosen(
  choices: ZapInChoices | undefined,
  owner: Address,
  { runner }: Pick<OperationCommandDependencies, 'runner'>,
): Promise<void> {
  if (choices !== undefined) {
    await offeringFreshQuote(async (isAgain) => {
      await (await runner()).zapIn(choices, owner, isAgain);
    });
  }
}

/** What an assistant proposed for the position, not validated yet; `undefined`: the user began the command. */
export function proposalOf(target: CommandTarget | undefined): unknown {
  return target?.kind === 'position' ? target.proposal : undefined;
}

/**
 * The position that a command was invoked on; `undefined` if it was invoked without one.
 * @throws UserError if it is no longer listed
 */
export function positionOf(target: CommandTarget | undefined, positions: readonly OpenPosition[]): OpenPosition | undefined {
  if (target?.kind !== 'position') {
    return undefined;
  }
  const position = positions.find(({ key }) => key === target.key);
  if (position === undefined) {
    throw new UserError(l10n.t('This position is no longer listed. It may have been closed.'));
  }
  return position;
}

const PLAN: CommandId = 'binsight.zapIn';

/** What a plan needs besides. */
export type PlanCommandDependencies = OperationCommandDependencies & Pick<PlannedZapInDependencies, 'changePlan'>;

/** The command that continues from a plan made in a panel. A panel can only request it: the command reads, reviews and confirms as Zap In does. */
export function planCommands(dependencies: PlanCommandDependencies): Pick<CommandHandlers, 'binsight.continuePlan'> {
  /** The plan that is under way, up to the end of its operation. */
  let underWay: Pick<PlannedZapIn, 'pool' | 'plan'> | undefined;
  return {
    'binsight.continuePlan': async (target) => {
      if (target?.kind !== 'plan') {
        throw new UserError(unreadableText(), { label: l10n.t('Zap In…'), command: PLAN });
      }
      const { address: owner } = requireSigningOwner(dependencies);
      const { pool, plan, isProposal } = target;
      if (underWay !== undefined) {
        // A second click: two confirmations could deposit the amount twice.
        if (underWay.pool === pool && JSON.stringify(underWay.plan) === JSON.stringify(plan)) {
          return;
        }
        throw new UserError(inProgressText());
      }
      underWay = { pool, plan };
      try {
        await runChosen(await askWith({ pool, plan, owner, isProposal }, dependencies), owner, dependencies);
      } finally {
        underWay = undefined;
      }
    },
  };
}

async function askWith(planned: PlannedZapIn, dependencies: PlanCommandDependencies): Promise<ZapInChoices | undefined> {
  return askPlannedZapIn(planned, { ...zapInQuestions(dependencies, planned.owner), changePlan: dependencies.changePlan });
}
