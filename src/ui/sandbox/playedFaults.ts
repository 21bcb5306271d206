import * as l10n from '@vscode/l10n';
import type { SandboxFault } from './sandboxControls';

/** A fault that the user can play, in words. */
export interface PlayedFault {
  readonly label: string;
  readonly description: string;
  /** `undefined`: none. */
  readonly fault: SandboxFault | undefined;
}

const LATENCY_MS = 5_000;
const RETRY_AFTER_SECONDS = 20;

/** What a hostile service does to the transactions that it builds. */
export function attackChoices(): readonly PlayedFault[] {
  const attack = (name: string, label: string, description: string): PlayedFault => ({
    label,
    description,
    fault: { kind: 'hostile', attack: name },
  });
  return [
    attack('sendSol', l10n.t('Sends your SOL away'), l10n.t('zap-out, zap-in')),
    attack('tokenAuthority', l10n.t('Takes over a token account'), l10n.t('zap-out, zap-in')),
    attack('plantedAccount', l10n.t('Replaces your token account with its own'), l10n.t('zap-out, zap-in')),
    attack('unknownProgram', l10n.t('Calls an unknown program'), l10n.t('zap-out, zap-in')),
    attack('wrongPosition', l10n.t('Withdraws another position'), l10n.t('zap-out')),
    attack('overspend', l10n.t('Deposits more than you entered'), l10n.t('zap-in')),
    attack('anyPrice', l10n.t('Deposits at almost any price'), l10n.t('zap-in')),
    attack('splitOpening', l10n.t('Opens the position and deposits separately'), l10n.t('zap-in')),
    attack('sellForDust', l10n.t('Sells far below the market price'), l10n.t('zap-out, zap-in')),
    attack('sellWrappedSol', l10n.t('Sells your wrapped SOL'), l10n.t('zap-out')),
    attack('depositOwnTokens', l10n.t('Deposits other tokens of yours'), l10n.t('zap-in')),
  ];
}

/** What can go wrong between Binsight and an honest service. */
export function faultChoices(): readonly PlayedFault[] {
  return [
    { label: l10n.t('Outage'), description: l10n.t('every request fails with 503'), fault: { kind: 'status', status: 503 } },
    {
      label: l10n.t('Request limit'),
      description: l10n.t`every request fails with 429, retry after ${RETRY_AFTER_SECONDS} s`,
      fault: { kind: 'status', status: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
    },
    {
      label: l10n.t('Slow service'),
      description: l10n.t`every answer takes ${LATENCY_MS / 1_000} s longer`,
      fault: { kind: 'latency', ms: LATENCY_MS },
    },
    { label: l10n.t('Truncated answers'), description: l10n.t('answers end in the middle'), fault: { kind: 'truncate' } },
    { label: l10n.t('Lost result'), description: l10n.t('an operation lands, its answer is lost'), fault: { kind: 'landed', status: 502 } },
    {
      label: l10n.t('Price glitch'),
      description: l10n.t('all tokens are listed at half their price'),
      fault: { kind: 'glitch', of: 'dollars', factor: 0.5 },
    },
    {
      label: l10n.t('Deposit glitch'),
      description: l10n.t('twice the deposits are listed'),
      fault: { kind: 'glitch', of: 'deposits', factor: 2 },
    },
    {
      label: l10n.t('Partial execution'),
      description: l10n.t('only the first transaction lands'),
      fault: { kind: 'partial', transactions: 1 },
    },
  ];
}
