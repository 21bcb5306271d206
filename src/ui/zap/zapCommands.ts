import * as l10n from '@vscode/l10n';
import { askZapOut } from './zapOutDialog';
import type { Pool } from '../../service/pools';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import type { PortfolioReader } from '../../portfolio/types';
import type { Address } from '../../base/solana/address';
import type { BusyPositions } from '../shell/busyPositions';
import type { OperationRunner } from './operationRunner';
import { askZapIn, type ZapInChoices, type ZapInDialogueDependencies } from './zapInDialog';
import { waitingIn, type WaitingDependencies } from '../shell/requestWait';
import { UserError } from '../shell/userError';
import { offeringFreshQuote } from '../shell/commands/freshQuote';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import type { CommandTarget } from '../shell/commands/target';
import { requireSigningOwner, type WalletCommandDependencies } from '../wallets/requireSigner';

export interface OperationCommandDependencies extends WalletCommandDependencies {
  readonly portfolio: PortfolioReader;
  readonly busy: BusyPositions;
  /** Loaded on first use, like the dialogs, so activation stays fast. */
  readonly runner: () => Promise<OperationRunner>;
  readonly connect: () => Promise<LiquidityService>;
  /** Lets the requests of the questions wait for the service's request limit. */
  readonly waiting: WaitingDependencies;
  readonly slippageBps: () => number;
}

/** The commands that lead to signed transactions. */
export function operationCommands(dependencies: OperationCommandDependencies): Pick<CommandHandlers, 'binsight.zapOut' | 'binsight.zapIn'> {
  return { 'binsight.zapOut': zapOut(dependencies), 'binsight.zapIn': zapIn(dependencies) };
}

function zapOut(dependencies: OperationCommandDependencies): CommandHandler {
  const { prompts, portfolio, busy, runner, slippageBps } = dependencies;
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const { positions } = portfolio.snapshot;
    const choices = await askZapOut({ prompts, positions, defaultSlippageBps: slippageBps }, positionOf(target, positions));
    if (choices === undefined) {
      return;
    }
    const { key } = choices.position;
    await offeringFreshQuote(async (isAgain) => {
      // The first attempt is measured by the figures that the user chose by; a second one by current figures.
      const position = (isAgain ? positionOf({ kind: 'position', key }, portfolio.snapshot.positions) : undefined) ?? choices.position;
      const result = await busy.during(key, async () => (await runner()).zapOut({ ...choices, position }, owner.address, isAgain));
      if (result === undefined) {
        throw new UserError(l10n.t('An operation on this position is in progress. Wait until it ends.'));
      }
    });
  };
}

function zapIn(dependencies: OperationCommandDependencies): CommandHandler {
  return async (target) => {
    const owner = requireSigningOwner(dependencies);
    const questions = zapInQuestions(dependencies, owner.address);
    await runChosen(await askZapIn(questions, poolOf(target, questions.pools)), owner.address, dependencies);
  };
}

/** Dependencies of the zap-in questions for a wallet. */
export function zapInQuestions(
  { prompts, portfolio, connect, waiting, slippageBps }: OperationCommandDependencies,
  owner: Address,
): ZapInDialogueDependencies {
  return {
    prompts,
    pools: portfolio.snapshot.pools,
    readBalances: async (mints, signal, progress) => {
      const service = await connect();
      return (await waitingIn(progress, waiting, (pace) => service.tokenBalances({ owner, mints }, { signal, pace }))).items;
    },
    readPoolInfo: async (pool, signal, progress) => {
      const service = await connect();
      return waitingIn(progress, waiting, (pace) => service.poolInfo(pool, { signal, pace }));
    },
    defaultSlippageBps: slippageBps,
  };
}

/**
 * Zaps in: builds, reviews and confirms. Does nothing for `undefined`, the result of cancelled questions.
 * @throws the errors of {@link offeringFreshQuote}
 */
export async function runChosen(
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

/**
 * The position that a command was invoked on; `undefined` where it was invoked without one.
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

function poolOf(target: CommandTarget | undefined, pools: readonly Pool[]): Pool | undefined {
  if (target?.kind !== 'pool') {
    return undefined;
  }
  const pool = pools.find(({ address }) => address === target.address);
  if (pool === undefined) {
    throw new UserError(l10n.t('This pool is no longer listed.'));
  }
  return pool;
}
