import * as l10n from '@vscode/l10n';
import { operationNoun } from '../../base/operationKinds';
import type { SandboxFault } from './sandboxControls';

/** A fault that the user can play, in words. */
export interface PlayedFault {
  readonly label: string;
  readonly description?: string;
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
  const [zapOut, zapIn] = [operationNoun('zapOut'), operationNoun('zapIn')];
  const both = `${zapOut}, ${zapIn}`;
  return [
    attack('sendSol', l10n.t('Sends your SOL away'), both),
    attack('tokenAuthority', l10n.t('Takes over a token account'), both),
    attack('plantedAccount', l10n.t('Replaces your token account with its own'), both),
    attack('unknownProgram', l10n.t('Calls an unknown program'), both),
    attack('wrongPosition', l10n.t('Withdraws another position'), zapOut),
    attack('overspend', l10n.t('Deposits more than you entered'), zapIn),
    attack('anyPrice', l10n.t('Deposits at almost any price'), zapIn),
    attack('splitOpening', l10n.t('Opens the position and deposits separately'), zapIn),
    attack('sellForDust', l10n.t('Sells far below the market price'), both),
    attack('sellWrappedSol', l10n.t('Sells your wrapped SOL'), zapOut),
    attack('depositOwnTokens', l10n.t('Deposits other tokens of yours'), zapIn),
  ];
}

/** What can go wrong between Binsight and an honest service. */
export function faultChoices(): readonly PlayedFault[] {
  return [
    { label: l10n.t('Outage'), description: 'HTTP 503', fault: { kind: 'status', status: 503 } },
    {
      label: l10n.t('Request limit'),
      description: 'HTTP 429',
      fault: { kind: 'status', status: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
    },
    { label: l10n.t('Slow service'), description: `+${LATENCY_MS / 1_000} s`, fault: { kind: 'latency', ms: LATENCY_MS } },
    { label: l10n.t('Truncated answers'), fault: { kind: 'truncate' } },
    { label: l10n.t('Lost result'), description: l10n.t('an operation lands, its answer is lost'), fault: { kind: 'landed', status: 502 } },
    { label: l10n.t('Price glitch'), description: '×0.5', fault: { kind: 'glitch', of: 'dollars', factor: 0.5 } },
    { label: l10n.t('Deposit glitch'), description: '×2', fault: { kind: 'glitch', of: 'deposits', factor: 2 } },
    {
      label: l10n.t('Partial execution'),
      description: l10n.t('only the first transaction lands'),
      fault: { kind: 'partial', transactions: 1 },
    },
  ];
}
