import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { SandboxError } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import type { LaunchOptions, ProcessPlace } from './launchProcess';
import type { Lease, ProcessKind, ServiceReady } from './processKind';
import { type ServiceProcess, superviseProcess } from './serviceProcess';

/** What the sandbox reports once it listens. */
export interface SandboxReady extends ServiceReady {
  readonly owner: Address;
  /** 64-byte key of `owner` in base58. It holds pretend money, but is kept like a real key. */
  readonly secretKey: string;
}

export type SandboxProcess = ServiceProcess<SandboxReady>;

export type SandboxLaunchOptions = ProcessPlace &
  Pick<LaunchOptions<SandboxReady>, 'execPath' | 'timeoutMs'> & {
    /** Sets the existing world aside and creates a new one. */
    readonly isReset?: boolean;
  };

/** What starts the sandbox (sandboxLaunch.ts). */
export interface SandboxLauncher {
  launchSandbox(options: SandboxLaunchOptions): Promise<SandboxReady>;
  holdSandboxLease(sandbox: SandboxReady, onBroken: () => void): Promise<Lease>;
}

/** Longer than the 75 s after which a sandbox gives up waiting for another one with the same state, and reports why. */
const START_TIMEOUT_MS = 90_000;

export const SANDBOX_PROCESS: ProcessKind = {
  error: (reason, message, options) => new SandboxError(reason, message, options),
  name: () => l10n.t('Sandbox'),
};

/**
 * Creates the supervisor of the sandbox, which runs in the same Node (or Electron). Starts nothing yet.
 * @param load loads what starts it
 */
export function superviseSandbox(place: ProcessPlace, log: LogFunction, load: () => Promise<SandboxLauncher>): SandboxProcess {
  return superviseProcess(SANDBOX_PROCESS, {
    launch: async (isReset) => (await load()).launchSandbox({ ...place, execPath: process.execPath, timeoutMs: START_TIMEOUT_MS, isReset }),
    holdLease: async (ready, onBroken) => (await load()).holdSandboxLease(ready, onBroken),
    log,
  });
}
