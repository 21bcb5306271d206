import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../../base/solana/address';
import { errorText } from '../../../base/thrown';
import { OperationError } from '../../../transactions/errors';
import { describeError, type LogFunction } from '../log';
import type { Prompts } from '../prompts/prompts';
import { describeUserError } from './errorMessage';
import type { CommandTraits } from '../../../settings/commandDeclaration';
import type { CommandId } from '../../../settings/generated/commandIds';
import { COMMAND_TRAITS } from '../../../settings/generated/commandTraits';

/** The row that a command was started on. */
export type CommandTarget =
  | {
      readonly kind: 'position';
      /** `OpenPosition.key` */ readonly key: string;
      /** What an assistant proposed, not parsed yet; absent: the user began the command. It only fills in the questions. */
      readonly proposal?: unknown;
    }
  /** Several selected ones, by `OpenPosition.key`. */
  | { readonly kind: 'positions'; readonly keys: readonly string[] }
  | { readonly kind: 'pool'; readonly address: Address }
  /** A token, or the wallet in use. */
  | { readonly kind: 'account'; readonly address: Address }
  /** Another wallet than the one in use. */
  | { readonly kind: 'wallet'; readonly address: Address }
  | {
      readonly kind: 'operation';
      readonly id: string;
      /** Signature of the row; `undefined`: the row is the whole operation. */ readonly signature: string | undefined;
    }
  /** Planned in a panel. The plan is not parsed yet (see src/protocol/pool.ts). */
  | {
      readonly kind: 'plan';
      readonly pool: Address;
      readonly plan: unknown;
      /** The plan does not come from a panel (panelPlans.ts): the question says that it is a proposal. */ readonly isProposal?: boolean;
    };

/** Runs a command. The target is `undefined` if the command was started from the command palette. */
export type CommandHandler = (target: CommandTarget | undefined) => Promise<void>;

export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

export interface RunCommandDependencies {
  readonly prompts: Prompts;
  readonly log: LogFunction;
  /** True if the folder is trusted or no folder is open. */
  readonly isTrusted: () => boolean;
  /** @throws ReplacedError if the files of the extension were replaced under this window */
  readonly assertIntact: () => Promise<void>;
  /** Runs a VS Code command. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
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
  const traits: CommandTraits = COMMAND_TRAITS[id];
  if (traits.needsTrust && !dependencies.isTrusted()) {
    log('info', `${id} refused: the folder is not trusted`);
    const action = await prompts.notify({
      severity: 'warning',
      message: l10n.t('In Restricted Mode, Binsight reads no keys and signs nothing until you trust the folder.'),
      actions: [manageTrust()],
    });
    if (action === manageTrust()) {
      await dependencies.execute('workbench.trust.manage');
    }
    return;
  }
  log('debug', `${id} begins`);
  try {
    if (traits.movesFunds) {
      await dependencies.assertIntact();
    }
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

/**
 * Reads the argument of a command, which can come from a view or from any other extension. It takes only the identity, the plan of a
 * panel, and the values that an assistant proposed; all other data comes from the portfolio.
 * @param wanted what the command takes
 * @returns `undefined` if the argument identifies nothing that a command works on
 */
export function readTarget(argument: unknown, wanted?: CommandTraits['argument']): CommandTarget | undefined {
  const node = asRecord(argument);
  switch (node?.['kind']) {
    case 'selection':
      return wanted === 'positions' ? positionsOf(node['rows']) : readTarget(node['clicked'], wanted);
    case 'position':
      return typeof node['key'] === 'string'
        ? { kind: 'position', key: node['key'], ...(node['proposal'] === undefined ? {} : { proposal: node['proposal'] }) }
        : undefined;
    case 'detail':
      return readTarget(node['parent']);
    case 'pool': {
      const address = asAddress(asRecord(node['pool'])?.['address']);
      return address === undefined ? undefined : { kind: 'pool', address };
    }
    case 'account':
    case 'wallet': {
      const address = asAddress(node['address']);
      return address === undefined ? undefined : { kind: node['kind'], address };
    }
    case 'otherPosition':
      // Commands get its wallet or its address, and never take it for a position of the wallet in use.
      return wanted === 'addressed'
        ? readTarget({ kind: 'account', address: node['address'] })
        : readTarget({ kind: 'wallet', address: node['wallet'] });
    case 'plan': {
      const pool = asAddress(node['pool']);
      return pool === undefined
        ? undefined
        : { kind: 'plan', pool, plan: node['plan'], ...(node['isProposal'] === true ? { isProposal: true } : {}) };
    }
    case 'operation':
      return typeof node['id'] === 'string' ? { kind: 'operation', id: node['id'], signature: undefined } : undefined;
    case 'step': {
      const target = readTarget(node['parent']);
      const { signature } = node;
      return target?.kind === 'operation' ? { ...target, signature: typeof signature === 'string' ? signature : undefined } : undefined;
    }
    default:
      return undefined;
  }
}

/** The positions among selected rows. */
function positionsOf(rows: unknown): CommandTarget | undefined {
  const targets = Array.isArray(rows) ? rows.map((row) => readTarget(row)) : [];
  const keys = targets.flatMap((target) => (target?.kind === 'position' ? [target.key] : []));
  return keys.length === 0 ? undefined : { kind: 'positions', keys: [...new Set(keys)] };
}

/** A failure after which the same operation can be offered again, rebuilt at the current price. Nothing of the first attempt can land any more. */
class FreshQuoteOffer extends Error {
  override readonly name = 'FreshQuoteOffer';

  /** @param again runs the operation again with the same choices. It asks the user before anything is signed. */
  constructor(
    readonly failure: OperationError,
    readonly again: () => Promise<void>,
  ) {
    super(failure.message, { cause: failure });
  }
}

/**
 * Runs an operation whose choices are complete.
 * @param run receives true if it runs because the user accepted the offer
 * @throws FreshQuoteOffer if transactions were sent and provably not executed; any other error of `run` as it is
 */
export async function offeringFreshQuote(run: (isAgain: boolean) => Promise<void>, isAgain = false): Promise<void> {
  try {
    await run(isAgain);
  } catch (error) {
    if (error instanceof OperationError && error.offersFreshQuote) {
      throw new FreshQuoteOffer(error, () => offeringFreshQuote(run, true));
    }
    throw error;
  }
}

function targetFor(traits: CommandTraits, argument: unknown): CommandTarget | undefined {
  const target = readTarget(argument, traits.argument);
  switch (traits.argument) {
    case 'none':
      return undefined;
    case 'positionOrPool':
      return target?.kind === 'position' || target?.kind === 'pool' ? target : undefined;
    case 'positionOrPlan':
      return target?.kind === 'position' || target?.kind === 'plan' ? target : undefined;
    case 'addressed':
      return target?.kind === 'plan' ? undefined : target;
    case 'positions':
      return target?.kind === 'position' ? { kind: 'positions', keys: [target.key] } : target?.kind === 'positions' ? target : undefined;
    case 'position':
    case 'pool':
    case 'account':
    case 'wallet':
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
  // A refusal is expected: its sentence is enough, and a stack trace would look like a defect.
  log(description.level, description.level === 'info' ? `${id} refused: ${messageLine(error)}` : `${id} failed: ${describeError(error)}`);
  const labels = [...(description.canRetry ? [again.label] : []), ...description.remedies.map(({ label }) => label)];
  const action = await prompts.notify({
    severity: description.severity,
    message: description.message,
    actions: labels,
    ...(description.operation === undefined ? {} : { operation: description.operation }),
  });
  const remedy = description.remedies.find(({ label }) => label === action);
  if (remedy !== undefined) {
    await (remedy.argument === undefined ? execute(remedy.command) : execute(remedy.command, remedy.argument));
  } else if (action === again.label) {
    await again.run();
  }
}

function messageLine(error: unknown): string {
  return errorText(error).replaceAll(/\s+/g, ' ');
}

function asAddress(value: unknown): Address | undefined {
  return typeof value === 'string' ? parseAddress(value) : undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}
