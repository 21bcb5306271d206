import * as l10n from '@vscode/l10n';
import { parseAddress } from '../../base/solana/address';
import { SandboxError } from '../shell/errors';
import { launchProcess, parseReadyLine } from './launchProcess';
import { holdLease } from './lease';
import type { LaunchKind, Lease } from './processKind';
import type { SandboxLaunchOptions, SandboxReady } from './sandboxProcess';

/** All sandboxes share one market, so the documentation applies to every one. */
const SEED = 7;

const SANDBOX_LAUNCH: LaunchKind = {
  error: (reason, message, options) => new SandboxError(reason, message, options),
  leasePath: '/sandbox/lease',
  name: () => l10n.t('Sandbox'),
  damaged: () => l10n.t('The sandbox cannot read its pretend world. Reset the world; the old file is kept.'),
};

/**
 * Starts the sandbox or finds the one that already runs on the same state.
 * @throws SandboxError if it doesn't start
 */
export function launchSandbox(options: SandboxLaunchOptions): Promise<SandboxReady> {
  const { script, dataDir, execPath, timeoutMs, isReset = false } = options;
  return launchProcess({
    script,
    dataDir,
    execPath,
    timeoutMs,
    kind: SANDBOX_LAUNCH,
    more: ['--seed', String(SEED), '--lease', ...(isReset ? ['--reset'] : [])],
    logName: 'sandbox.log',
    // src/sandbox/store/damage.ts
    damagedHint: 'Start with --reset',
    parse: parseSandboxLine,
  });
}

/** Takes a lease on a sandbox. @throws SandboxError if it grants none */
export function holdSandboxLease(sandbox: SandboxReady, onBroken: () => void): Promise<Lease> {
  return holdLease(SANDBOX_LAUNCH, sandbox, onBroken);
}

/**
 * Parses the line that the sandbox prints once it is ready.
 * @throws SandboxError if a field is missing or invalid, or if the sandbox listens beyond this machine
 */
export function parseSandboxLine(line: string): SandboxReady {
  const { ready, text, invalid } = parseReadyLine(SANDBOX_LAUNCH, line);
  const owner = parseAddress(text('owner'));
  if (owner === undefined) {
    throw invalid('owner');
  }
  return { ...ready, owner, secretKey: text('secretKey') };
}
