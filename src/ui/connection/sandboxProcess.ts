import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import { SandboxError } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import { launchProcess, type LaunchOptions, parseReadyLine, type ProcessPlace } from './launchProcess';
import type { ProcessKind, ServiceReady } from './processKind';
import { type ServiceProcess, superviseProcess } from './serviceProcess';

/** What the sandbox reports once it listens. */
export interface SandboxReady extends ServiceReady {
  readonly owner: Address;
  /** 64-byte key of `owner` in base58. It holds pretend money, but is kept like a real key. */
  readonly secretKey: string;
}

export type SandboxProcess = ServiceProcess<SandboxReady>;

/** All sandboxes share one market, so the documentation applies to every one. */
const SEED = 7;
/** Longer than the 75 s after which a sandbox gives up waiting for another one with the same state, and reports why. */
const START_TIMEOUT_MS = 90_000;

export const SANDBOX_PROCESS: ProcessKind = {
  error: (reason, message, options) => new SandboxError(reason, message, options),
  leasePath: '/sandbox/lease',
  texts: {
    stopped: () => l10n.t('The sandbox was stopped.'),
    didNotStart: () => l10n.t('The sandbox did not start.'),
    didNotStartBecause: (how) => l10n.t`The sandbox did not start (${how}).`,
    cannotRun: () => l10n.t('The sandbox cannot run on this system.'),
    damaged: () =>
      l10n.t(
        'The sandbox cannot start because its store cannot be read. The store holds only pretend money. Reset the sandbox world to create a new store; the old file is kept.',
      ),
    noAddress: () => l10n.t('The sandbox started but did not report its address.'),
    invalidField: (field) => l10n.t`The sandbox started, but its "${field}" is missing or invalid.`,
    doesNotRespond: () => l10n.t('The sandbox is running but does not respond.'),
    crashed: (times) => l10n.t`The sandbox stopped ${times} times within a minute. Try again in one minute.`,
  },
};

/** Creates the supervisor of the sandbox, which runs in the same Node (or Electron). Starts nothing yet. */
export function superviseSandbox(place: ProcessPlace, log: LogFunction): SandboxProcess {
  const launch = (isReset: boolean) => launchSandbox({ ...place, execPath: process.execPath, timeoutMs: START_TIMEOUT_MS, isReset });
  return superviseProcess(SANDBOX_PROCESS, launch, log);
}

/**
 * Starts the sandbox or finds the one that already runs on the same state.
 * @param options.isReset sets the existing world aside and creates a new one
 * @throws SandboxError if it doesn't start
 */
export function launchSandbox(
  options: ProcessPlace & Pick<LaunchOptions<SandboxReady>, 'execPath' | 'timeoutMs'> & { readonly isReset?: boolean },
): Promise<SandboxReady> {
  const { script, dataDir, execPath, timeoutMs, isReset = false } = options;
  return launchProcess({
    ...{ script, dataDir, execPath, timeoutMs },
    kind: SANDBOX_PROCESS,
    more: ['--seed', String(SEED), '--lease', ...(isReset ? ['--reset'] : [])],
    logName: 'sandbox.log',
    // src/sandbox/store/damage.ts
    damagedHint: 'Start with --reset',
    parse: parseSandboxLine,
  });
}

/**
 * Parses the line that the sandbox prints once it is ready.
 * @throws SandboxError if a field is missing or invalid, or if the sandbox listens beyond this machine
 */
export function parseSandboxLine(line: string): SandboxReady {
  const { ready, text, invalid } = parseReadyLine(SANDBOX_PROCESS, line);
  const owner = parseAddress(text('owner'));
  if (owner === undefined) {
    throw invalid('owner');
  }
  return { ...ready, owner, secretKey: text('secretKey') };
}
