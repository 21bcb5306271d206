import * as l10n from '@vscode/l10n';
import { describeError, type LogFunction } from '../log';
import type { Prompts } from '../prompts/prompts';
import { describeUserError } from './errorMessage';
import { FreshQuoteOffer } from './freshQuote';
import { COMMANDS, type CommandId, type CommandTraits } from './registry';
import { readTarget, type CommandTarget } from './target';

/** Runs a command. The target is `undefined` if the command was started from the command palette. */
export type CommandHandler = (target: CommandTarget | undefined) => Promise<void>;

/** The handlers of all commands. */
export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

export interface RunCommandDependencies {
  readonly prompts: Prompts;
  readonly log: LogFunction;
  /** True if the folder is trusted or no folder is open. */
  readonly isTrusted: () => boolean;
  /** Runs a VS Code command. */
  readonly execute: (command: string) => Promise<void>;
}

const tryAgain = () => l10n.t('Try Again');
const retryWithFreshQuote = () => l10n.t('Retry with Fresh Quote');
const manageTrust = () => l10n.t('Manage Trust');

/**
 * Runs a command: refuses it in an untrusted folder if it needs trust, logs every failure, and shows it with the commands that
 * help. Never rejects.
 */
export async function runCommand(
  id: CommandId,
  handler: CommandHandler,
  argument: unknown,
  dependencies: RunCommandDependencies,
): Promise<void> {
  const { prompts, log } = dependencies;
  const traits: CommandTraits = COMMANDS[id];
  if (traits.needsTrust && !dependencies.isTrusted()) {
    log('info', `${id} refused: the folder is not trusted`);
    const action = await prompts.notify({
      severity: 'warning',
      message: l10n.t(
        'This folder is in Restricted Mode. Binsight shows positions and pools, but reads no keys and signs nothing until you trust the folder.',
      ),
      actions: [manageTrust()],
    });
    if (action === manageTrust()) {
      await dependencies.execute('workbench.trust.manage');
    }
    return;
  }
  log('debug', `${id} begins`);
  try {
    await handler(targetFor(traits, argument));
    log('debug', `${id} ended`);
  } catch (error) {
    if (error instanceof FreshQuoteOffer) {
      await showFailure(id, error.failure, dependencies, {
        label: retryWithFreshQuote(),
        run: () => runCommand(id, error.again, undefined, dependencies),
      });
    } else {
      await showFailure(id, error, dependencies, { label: tryAgain(), run: () => runCommand(id, handler, argument, dependencies) });
    }
  }
}

function targetFor(traits: CommandTraits, argument: unknown): CommandTarget | undefined {
  const target = readTarget(argument);
  switch (traits.argument) {
    case 'none':
      return undefined;
    case 'positionOrPool':
      return target?.kind === 'position' || target?.kind === 'pool' ? target : undefined;
    case 'position':
    case 'pool':
    case 'operation':
    case 'plan':
      return target?.kind === traits.argument ? target : undefined;
  }
}

async function showFailure(
  id: CommandId,
  error: unknown,
  { prompts, log, execute }: RunCommandDependencies,
  again: { readonly label: string; readonly run: () => Promise<void> },
): Promise<void> {
  const description = describeUserError(error);
  if (description === undefined) {
    log('debug', `${id} was cancelled`);
    return;
  }
  log(description.level, `${id} failed: ${describeError(error)}`);
  const labels = [...(description.canRetry ? [again.label] : []), ...description.remedies.map(({ label }) => label)];
  const action = await prompts.notify({
    severity: description.severity,
    message: description.message,
    actions: labels,
    ...(description.operation === undefined ? {} : { operation: description.operation }),
  });
  const remedy = description.remedies.find(({ label }) => label === action);
  if (remedy !== undefined) {
    await execute(remedy.command);
  } else if (action === again.label) {
    await again.run();
  }
}
