import * as l10n from '@vscode/l10n';
import { count } from '../../base/format/numbers';
import { shortAddress } from '../../base/format/identifiers';
import { exactTime, timeOfDay } from '../../base/format/time';
import type { JournalEvent, JournalProblem, OperationRecord } from '../../transactions/journal/types';
import { hasExplorer, SANDBOX_ID, sandboxText } from '../shell/serviceChoice';
import { asSignature } from '../shell/explorer';
import { joined, type Row } from '../shell/views/rows';
import type { OpenTask } from '../shell/openTasks';
import {
  eventMessages,
  halfDoneText,
  isUnconfirmed,
  isUnfinished,
  notReenteredText,
  reasonText,
  stateMessages,
} from '../zap/operationMessages';
import { amountsText, operationName, positionIds } from '../zap/operationWords';

/** The top level of the view: unfinished operations first, newest first; parts are listed below their rebalance. */
export function topLevel(records: readonly OperationRecord[]): readonly OperationRecord[] {
  const ids = new Set(records.map(({ id }) => id));
  const top = records.filter(({ created: { parent } }) => parent === undefined || !ids.has(parent));
  const isOpen = (record: OperationRecord) => isUnfinished(record) || partsOf(record, records).some(isUnfinished);
  return [...top.filter(isOpen), ...top.filter((record) => !isOpen(record))];
}

/** The parts of a rebalance, in the order of their start. */
export function partsOf({ id }: Pick<OperationRecord, 'id'>, records: readonly OperationRecord[]): readonly OperationRecord[] {
  return records.filter(({ created }) => created.parent === id).sort((one, other) => one.created.atMs - other.created.atMs);
}

/** The signature to look up an operation by: the one that the service reported as landed, otherwise that of its last transaction. */
export function mainSignature({
  landingSignature,
  signatures,
}: Pick<OperationRecord, 'landingSignature' | 'signatures'>): string | undefined {
  return asSignature(landingSignature) ?? asSignature(signatures.at(-1));
}

/** Context values of a row's menu. One command covers partially executed and unclear operations. */
const MENU_CONTEXT: Readonly<Record<OpenTask['kind'], string>> = {
  reenter: 'reenter',
  partiallyExecuted: 'partiallyExecuted',
  unclear: 'partiallyExecuted',
};

/**
 * The row of an operation.
 * @param left open task that its menu offers
 * @param parts of a rebalance
 * @param position the name of its position
 */
export function operationRow(record: OperationRecord, left?: OpenTask, parts: readonly OperationRecord[] = [], position?: string): Row {
  const { created } = record;
  const { brief, icon } = stateMessages(record, left, parts);
  const name = operationName(record, position);
  const amounts = amountsText(record, parts);
  const when = exactTime(new Date(created.atMs));
  return {
    id: record.id,
    label: name,
    // A narrow sidebar shows only the beginning.
    description: joined([brief, amounts, when]),
    icon,
    spoken: `${[name, created.service === SANDBOX_ID ? sandboxText() : undefined, brief, amounts.replaceAll(' · ', ', '), when].filter((part) => part !== undefined && part !== '').join(', ')}.`,
    contextValue: [
      'operation',
      created.operation,
      isUnfinished(record) ? 'unfinished' : 'ended',
      ...(left === undefined ? [] : [MENU_CONTEXT[left.kind]]),
      ...signatureContext(mainSignature(record), record),
    ].join(' '),
  };
}

/** A row below an operation, with its signature. */
export interface StepRow {
  readonly row: Row;
  readonly signature: string | undefined;
}

/** The rows below an operation: its events in order, with the signatures of signed transactions. */
export function stepRows(record: OperationRecord): readonly StepRow[] {
  return record.events.flatMap((event, index) => {
    const { label, detail, icon } = eventMessages(event, isBuiltAgain(record.events, index));
    const time = timeOfDay(new Date(event.atMs));
    const step: StepRow = {
      signature: undefined,
      row: {
        id: `${record.id}/${index}`,
        label,
        description: joined([detail, time]),
        icon: { id: icon },
        spoken: [label, detail, time].filter((part) => part !== '').join(', '),
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

/** The signatures of an event that no earlier event has. */
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
  const label = l10n.t('Signature');
  const description = joined([of === 1 ? undefined : l10n.t`${place + 1} of ${of}`, shortAddress(signature)]);
  return {
    signature,
    row: {
      id: `${record.id}/${index}/${place}`,
      label,
      description,
      icon: { id: 'key' },
      spoken: `${label}: ${description.replace(' · ', ', ')}`,
      contextValue: ['step', ...signatureContext(signature, record)].join(' '),
    },
  };
}

/** No explorer lists transactions of the sandbox, or of other chains than mainnet. */
function signatureContext(signature: string | undefined, { created }: OperationRecord): readonly string[] {
  return signature === undefined ? [] : hasExplorer(created.service) ? ['signed', 'explorer'] : ['signed'];
}

/** The row of a journal record that could not be read. */
export function problemRow({ file, what }: JournalProblem): Row {
  const label = l10n.t('Unreadable record');
  return {
    id: `problem/${file}`,
    label,
    description: file,
    icon: { id: 'warning', color: 'list.warningForeground' },
    spoken: `${label}: ${reasonText(what) ?? file}`,
    contextValue: 'problem',
  };
}

/**
 * Badge with the number of unconfirmed operations, of those that are half done, and of rebalances that wait for the user's decision; `undefined`
 * if there are none.
 */
export function unconfirmedBadge(
  records: readonly OperationRecord[],
  left: ReadonlyMap<string, OpenTask>,
): { readonly value: number; readonly tooltip: string } | undefined {
  const { length } = records.filter(isUnconfirmed);
  const leftOf = (kind: OpenTask['kind']): number => [...left.values()].filter((task) => task.kind === kind).length;
  const [waiting, halfDone] = [leftOf('reenter'), leftOf('partiallyExecuted')];
  const texts = [
    ...(length === 0 ? [] : [l10n.t`${l10n.t('Unconfirmed')}: ${count(length)}`]),
    ...(halfDone === 0 ? [] : [l10n.t`${halfDoneText()}: ${count(halfDone)}`]),
    ...(waiting === 0 ? [] : [l10n.t`${notReenteredText()}: ${count(waiting)}`]),
  ];
  return texts.length === 0 ? undefined : { value: length + halfDone + waiting, tooltip: texts.join('; ') };
}

/**
 * The positions with unfinished operations of a service, by all ids that lists use for them. A rebalance that waits for the user's decision
 * no longer has a position.
 */
export function recordedPositions(
  records: readonly OperationRecord[],
  service: string | undefined,
  left: ReadonlyMap<string, OpenTask>,
): ReadonlySet<string> {
  const unfinished = records.filter((record) => isUnfinished(record) && record.created.service === service && !left.has(record.id));
  return new Set(unfinished.flatMap(({ created: { plan } }) => positionIds(plan)));
}
