import * as l10n from '@vscode/l10n';
import { describeError, type LogFunction } from '../log';
import type { Prompts } from '../prompts/prompts';
import { FreshQuoteOffer } from './freshQuote';
import { COMMANDS, type CommandId, type CommandTraits } from './registry';
import { readTarget, type CommandTarget } from './target';

/** What a command does. The target is absent when it was started from the palette. */
export type CommandHandler = (target: CommandTarget | undefined) => Promise<void>;

/** What every command of the extension does. */
export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

/** What the funnel works with. */
export interface RunCommandDependencies {
  readonly prompts: Prompts;
  readonly log: LogFunction;
  /** The folder is trusted, or none is open. */
  readonly isTrusted: () => boolean;
  /** Runs any command of VS Code. */
  readonly execute: (command: string) => Promise<void>;
}

const tryAgain = () => l10n.t('Try Again');
const tryWithFreshQuote = () => l10n.t('Try Again with a Fresh Quote');
const manageTrust = () => l10n.t('Manage Trust');

/**
 * Runs a command the way every command runs: refused where the folder is not trusted and the command needs that; what
 * goes wrong is worded, logged, and offered a way on. Never rejects.
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
        'This folder is in Restricted Mode: positions and pools are shown, but keys are not read and nothing is signed until you trust it.',
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
      await tell(id, error.failure, dependencies, {
        label: tryWithFreshQuote(),
        run: () => runCommand(id, error.again, undefined, dependencies),
      });
    } else {
      await tell(id, error, dependencies, { label: tryAgain(), run: () => runCommand(id, handler, argument, dependencies) });
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

async function tell(
  id: CommandId,
  error: unknown,
  { prompts, log, execute }: RunCommandDependencies,
  again: { readonly label: string; readonly run: () => Promise<void> },
): Promise<void> {
  const { describeUserError: wordError } = await import('./errorMessage');
  const worded = wordError(error);
  if (worded === undefined) {
    log('debug', `${id} was cancelled`);
    return;
  }
  log(worded.level, `${id} failed: ${describeError(error)}`);
  const labels = [...(worded.canRetry ? [again.label] : []), ...worded.remedies.map(({ label }) => label)];
  const action = await prompts.notify({
    severity: worded.severity,
    message: worded.message,
    actions: labels,
    ...(worded.operation === undefined ? {} : { operation: worded.operation }),
  });
  const remedy = worded.remedies.find(({ label }) => label === action);
  if (remedy !== undefined) {
    await execute(remedy.command);
  } else if (action === again.label) {
    await again.run();
  }
}
