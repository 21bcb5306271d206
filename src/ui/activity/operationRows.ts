import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/places';
import { exactTime, timeOfDay } from '../../base/format/time';
import type { JournalEvent, JournalProblem, OperationRecord } from '../../transactions/journal/types';
import { SANDBOX_ID } from '../shell/serviceChoice';
import { asSignature } from '../zap/signature';
import { joined, type Row } from '../shell/views/rows';
import type { OpenTask } from '../shell/openTasks';
import { amountsText, isUnconfirmed, isUnfinished, operationName, reasonText, stateMessages, stepMessages } from '../zap/operationMessages';

/** Unfinished ones first, each kind newest first; a part of a rebalance that is listed itself is below it. */
export function topLevel(records: readonly OperationRecord[]): readonly OperationRecord[] {
  const ids = new Set(records.map(({ id }) => id));
  const top = records.filter(({ created: { parent } }) => parent === undefined || !ids.has(parent));
  const isOpen = (record: OperationRecord) => isUnfinished(record) || partsOf(record, records).some(isUnfinished);
  return [...top.filter(isOpen), ...top.filter((record) => !isOpen(record))];
}

/** The operations that a rebalance is made of, in the order in which they were begun. */
export function partsOf({ id }: Pick<OperationRecord, 'id'>, records: readonly OperationRecord[]): readonly OperationRecord[] {
  return records.filter(({ created }) => created.parent === id).sort((one, other) => one.created.atMs - other.created.atMs);
}

/** The signature by which an operation is looked up: what the service called its landing, or else its last transaction's. */
export function mainSignature({
  landingSignature,
  signatures,
}: Pick<OperationRecord, 'landingSignature' | 'signatures'>): string | undefined {
  return asSignature(landingSignature) ?? asSignature(signatures.at(-1));
}

/** By what a row's menu knows what is left to do: what is not clear is found out by the same command that finishes what is half done. */
const MENU_WORDS: Readonly<Record<OpenTask['kind'], string>> = { reenter: 'reenter', halfDone: 'halfDone', unclear: 'halfDone' };

/**
 * The row of an operation.
 * @param left what is left to do of it, which its menu offers
 * @param parts of a rebalance
 */
export function operationRow(record: OperationRecord, left?: OpenTask, parts: readonly OperationRecord[] = []): Row {
  const { created } = record;
  const { brief, icon } = stateMessages(record, left, parts);
  const name = operationName(record);
  const amounts = amountsText(record, parts);
  const when = exactTime(new Date(created.atMs));
  return {
    id: record.id,
    label: name,
    // In a narrow sidebar only the beginning is seen.
    description: joined([brief, amounts, when]),
    icon,
    spoken: `${[name, created.service === SANDBOX_ID ? l10n.t('in the sandbox') : undefined, brief, amounts.replaceAll(' · ', ', '), l10n.t`begun ${when}`].filter((part) => part !== undefined && part !== '').join(', ')}.`,
    contextValue: [
      'operation',
      created.operation,
      isUnfinished(record) ? 'unfinished' : 'ended',
      ...(left === undefined ? [] : [MENU_WORDS[left.kind]]),
      ...signatureContext(mainSignature(record), record),
    ].join(' '),
  };
}

/** A row below an operation, and the signature that it is about. */
export interface StepRow {
  readonly row: Row;
  readonly signature: string | undefined;
}

/** The rows below an operation: what happened, in the order in which it did, with the signatures of what was signed. */
export function stepRows(record: OperationRecord): readonly StepRow[] {
  return record.events.flatMap((event, index) => {
    const { label, detail, icon } = stepMessages(event, isBuiltAgain(record.events, index));
    const time = timeOfDay(new Date(event.atMs));
    const step: StepRow = {
      signature: undefined,
      row: {
        id: `${record.id}/${index}`,
        label,
        description: joined([detail, time]),
        icon: { id: icon },
        spoken: l10n.t`${label}${detail === '' ? '' : `: ${detail}`}, at ${time}`,
        contextValue: 'step',
      },
    };
    return [
      step,
      ...signaturesOf(event, record).map((signature, place, { length }) => signatureRow(record, index, signature, place, length)),
    ];
  });
}

function isBuiltAgain(events: readonly JournalEvent[], index: number): boolean {
  return events[index]?.kind === 'built' && events.slice(0, index).some(({ kind }) => kind === 'built');
}

/** What an event has of signatures that no event before it has. */
function signaturesOf(event: JournalEvent, { signatures }: OperationRecord): readonly string[] {
  switch (event.kind) {
    case 'signed':
      return event.signatures.filter((one) => asSignature(one) !== undefined);
    case 'landed': {
      const signature = asSignature(event.signature);
      return signature === undefined || signatures.includes(signature) ? [] : [signature];
    }
    default:
      return [];
  }
}

function signatureRow(record: OperationRecord, index: number, signature: string, place: number, of: number): StepRow {
  const label = of === 1 ? 'Signature' : l10n.t`Signature ${place + 1} of ${of}`;
  return {
    signature,
    row: {
      id: `${record.id}/${index}/${place}`,
      label,
      description: shortAddress(signature),
      icon: { id: 'key' },
      spoken: `${label}: ${shortAddress(signature)}`,
      contextValue: ['step', ...signatureContext(signature, record)].join(' '),
    },
  };
}

/** Transactions of the sandbox are in no explorer. */
function signatureContext(signature: string | undefined, { created }: OperationRecord): readonly string[] {
  return signature === undefined ? [] : created.service === SANDBOX_ID ? ['signed'] : ['signed', 'explorer'];
}

/** The row of something in the journal that could not be read. */
export function problemRow({ file, what }: JournalProblem): Row {
  const reason = reasonText(what) ?? l10n.t('it cannot be read');
  return {
    id: `problem/${file}`,
    label: l10n.t('A record could not be read'),
    description: l10n.t('set aside'),
    icon: { id: 'warning', color: 'list.warningForeground' },
    spoken: l10n.t`A record of an operation could not be read, and was set aside: ${reason}`,
    contextValue: 'problem',
  };
}

/**
 * How many operations were sent of which it is not known how they end, and how many rebalances wait for the user's word, for the badge;
 * `undefined` where there is none. What is half done has ended: its row says so, for as long as it is listed.
 */
export function unconfirmedBadge(
  records: readonly OperationRecord[],
  left: ReadonlyMap<string, OpenTask>,
): { readonly value: number; readonly tooltip: string } | undefined {
  const { length } = records.filter(isUnconfirmed);
  const waiting = [...left.values()].filter(({ kind }) => kind === 'reenter').length;
  const told = [
    ...(length === 0
      ? []
      : [l10n.t`${counted(length, 'operation')} sent, and not known yet how ${length === 1 ? l10n.t('it ends') : l10n.t('they end')}`]),
    ...(waiting === 0 ? [] : [l10n.t`${counted(waiting, 'rebalance')} whose SOL came back and was not re-entered`]),
  ];
  return told.length === 0 ? undefined : { value: length + waiting, tooltip: told.join('; ') };
}

/**
 * The positions on which a service has operations that have not come to their end, by all the names that lists have for them. A
 * rebalance that waits for the user's word is at no position any more.
 */
export function recordedPositions(
  records: readonly OperationRecord[],
  service: string | undefined,
  left: ReadonlyMap<string, OpenTask>,
): ReadonlySet<string> {
  const unfinished = records.filter((record) => isUnfinished(record) && record.created.service === service && !left.has(record.id));
  return new Set(
    unfinished.flatMap(({ created: { plan } }) =>
      plan.kind === 'zapOut' ? [plan.position, plan.positionId] : plan.kind === 'rebalance' ? [plan.position] : [],
    ),
  );
}
