import type { LogFunction } from '../log/log';
import { launchSandbox } from './launch';
import { holdLease } from './lease';
import { SandboxSupervisor } from './supervisor';

/** Where the sandbox is, and where it keeps its state. */
export interface SandboxPlace {
  /** dist/sandbox.js */
  readonly script: string;
  readonly dataDir: string;
}

/** Longer than a sandbox waits for another one that holds the same state: it gives up after 75 s, and says why. */
const START_TIMEOUT_MS = 90_000;

/** Makes the supervisor of the real sandbox, which runs in this same Node (or Electron). Starts nothing yet. */
export function superviseSandbox({ script, dataDir }: SandboxPlace, log: LogFunction): SandboxSupervisor {
  return new SandboxSupervisor({
    launch: (isReset) => launchSandbox({ execPath: process.execPath, script, dataDir, timeoutMs: START_TIMEOUT_MS, isReset }),
    holdLease,
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
    log,
  });
}
