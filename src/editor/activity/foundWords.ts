import { counted } from '../../format/numbers';
import type { OperationRecord } from '../../operations/journal/types';
import { movedInLine } from './movedTokens';
import { isUnfinished, operationName, reasonText, shortSol } from './operationWords';

/** So many operations are told one by one; the view has all of them. */
const MOST_TOLD = 4;

/** Something to tell of operations whose end was looked for. */
export interface FoundNotice {
  readonly severity: 'info' | 'warning';
  readonly message: string;
}

/**
 * Tells in one notice what became of operations that were left unfinished.
 * @param startedAtMs when this window began: what was begun before it was interrupted by a window that was closed
 */
export function foundNotice(records: readonly OperationRecord[], startedAtMs: number): FoundNotice {
  const interrupted = records.filter(({ created }) => created.atMs < startedAtMs).length;
  const lead = interrupted === 0 ? '' : `Binsight was closed while ${interrupted === 1 ? 'an operation was' : `${counted(interrupted, 'operation')} were`} under way. `;
  const told = records.slice(0, MOST_TOLD).map(foundSentence);
  const more = records.length > MOST_TOLD ? [`${counted(records.length - MOST_TOLD, 'more operation')}: see Activity.`] : [];
  const needsAttention = records.some((record) => isUnfinished(record) || record.state === 'failed' || (record.state === 'settled' && record.reason !== undefined));
  return { severity: needsAttention ? 'warning' : 'info', message: `${lead}${[...told, ...more].join(' ')}` };
}

/** What became of one operation: "Zap out of BONK/SOL has landed; 1.23 SOL came back." */
export function foundSentence(record: OperationRecord): string {
  const name = operationName(record);
  const reason = reasonText(record.reason);
  if (record.created.operation === 'rebalance' && record.state === 'settled') {
    return reason === undefined ? `${name} is done: the position was closed, and what came out of it went back in.` : `${name} has ended. ${sentence(reason)}`;
  }
  switch (record.state) {
    case 'settled':
      return `${name} has landed${cameBack(record)}.${reason === undefined ? '' : ` ${sentence(reason)}`}`;
    case 'expired':
      return `${name} did not land, and can no longer: nothing happened.`;
    case 'abandoned':
      return `${name} was not sent: nothing happened.`;
    case 'failed':
      if (record.isUnclear) {
        return `${name} is not clear. ${sentence(reason ?? '')}`;
      }
      return `${name} failed${cameBack(record)}.${reason === undefined ? '' : ` ${sentence(reason)}`}`;
    case 'submitted':
    case 'landed':
    case 'unconfirmed':
      return `${name} was sent, and what became of it does not show yet. It goes on being watched; do not repeat it before Activity says how it ended.`;
    case 'created':
    case 'built':
    case 'reviewed':
    case 'approved':
    case 'signed':
      return `${name} is not finished.`;
  }
}

/** "; into your wallet: +17,002 GIGALAMB, +0.05512 SOL", or the SOL alone where only that was measured. */
function cameBack(record: OperationRecord): string {
  const moved = record.created.operation === 'zapOut' ? movedInLine(record) : undefined;
  return moved === undefined ? (record.lamportsBack === undefined ? '' : `; ${shortSol(record.lamportsBack)} came back`) : `; into your wallet: ${moved}`;
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
