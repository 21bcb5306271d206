import * as l10n from '@vscode/l10n';
import { rename, stat } from 'node:fs/promises';
import { setTimeout as later } from 'node:timers/promises';
import { operationNoun } from '../../base/operationKinds';
import { errorText } from '../../base/thrown';
import { JournalError, unreadFileWords } from './errors';
import { asideName, readWhole, readWholeNow, type FileStamp } from './files';
import { readLines, type FileContents } from './codec';
import { recordOf } from './states';
import type { JournalEvent, JournalProblem, OperationRecord } from './types';

export type Found =
  | { readonly kind: 'operation'; readonly record: OperationRecord; readonly wholeBytes: number }
  /** It holds no complete line: its writer died before the first one. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'problem'; readonly problem: JournalProblem };

/** A writer may be truncating a torn line at this moment, so a file that looks damaged is read again after this time. */
const REREAD_AFTER_MS = 100;

/**
 * Reads the file of an operation. A damaged file is set aside: it is renamed and keeps its content. Never rejects.
 */
export async function readOperation(path: string, id: string): Promise<Found> {
  try {
    const first = await readWhole(path);
    const found = understood(path, id, first);
    if (found.kind !== 'problem' || found.isLeft) {
      return found;
    }
    await later(REREAD_AFTER_MS);
    const second = await readWhole(path);
    if (second === undefined || first === undefined || !Buffer.from(first).equals(second)) {
      // It is being written: the next read finds its state.
      const again = understood(path, id, second);
      return again.kind === 'problem' ? { kind: 'gone' } : again;
    }
    return await setAside(path, found.problem.what);
  } catch (error) {
    return { kind: 'problem', problem: { file: path, what: unreadFileWords(errorText(error)) } };
  }
}

/**
 * Reads the file of an operation synchronously, which is much faster for many files. `undefined`: it is not a complete operation at this
 * moment; use {@link readOperation}.
 */
export function readOperationNow(
  path: string,
  id: string,
): { readonly found: Extract<Found, { kind: 'operation' }>; readonly stamp: FileStamp } | undefined {
  try {
    const read = readWholeNow(path);
    if (read === undefined) {
      return undefined;
    }
    const found = understood(path, id, read.bytes);
    return found.kind === 'operation' ? { found, stamp: read.stamp } : undefined;
  } catch {
    return undefined;
  }
}

/** The problem of a file that was set aside; `undefined`: it is gone. Never rejects. */
export async function problemOfAside(path: string): Promise<JournalProblem | undefined> {
  try {
    const bytes = await readWhole(path);
    const found = understood(path, '', bytes);
    return found.kind === 'gone'
      ? undefined
      : { file: path, what: found.kind === 'problem' ? found.problem.what : l10n.t('A file of the operation journal was set aside.') };
  } catch (error) {
    return { file: path, what: unreadFileWords(errorText(error)) };
  }
}

type Understood =
  | Exclude<Found, { kind: 'problem' }>
  | { readonly kind: 'problem'; readonly problem: JournalProblem; readonly isLeft: boolean };

function understood(path: string, id: string, bytes: Uint8Array | undefined): Understood {
  if (bytes === undefined) {
    return { kind: 'gone' };
  }
  const contents = readLines(bytes);
  const { events, wholeBytes, problem, isOfLaterVersion } = contents;
  if (problem !== undefined) {
    return { kind: 'problem', problem: { file: path, what: problemMessage(contents.events, problem) }, isLeft: isOfLaterVersion };
  }
  if (events.length === 0) {
    return { kind: 'empty' };
  }
  try {
    return { kind: 'operation', record: recordOf(id, events), wholeBytes };
  } catch (error) {
    if (error instanceof JournalError) {
      return { kind: 'problem', problem: { file: path, what: problemMessage(events, error.message) }, isLeft: false };
    }
    throw error;
  }
}

async function setAside(path: string, what: string): Promise<Found> {
  try {
    let aside = asideName(path);
    for (let number = 2; await isThere(aside); number += 1) {
      aside = asideName(`${path}.${number}`);
    }
    await rename(path, aside);
    return { kind: 'problem', problem: { file: aside, what } };
  } catch (error) {
    return { kind: 'problem', problem: { file: path, what: `${what} ${errorText(error)}` } };
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function problemMessage(events: FileContents['events'], problem: string): string {
  const created = events.find((event): event is Extract<JournalEvent, { kind: 'created' }> => event.kind === 'created');
  if (created === undefined) {
    return [unreadFileWords(problem), maySentWords()].join(' ');
  }
  const begunAt = new Date(created.atMs).toISOString().slice(0, 16).replace('T', ' ');
  const words = l10n.t`The record of the ${operationNoun(created.operation)} of ${quoted(created.pairName)} of ${begunAt} UTC cannot be read completely.`;
  return [words, problem, maySentWords()].join(' ');
}

const maySentWords = (): string => l10n.t('It may have been sent: check your positions before you repeat it.');

/** Untrusted text: keeps only printable characters, shortened. */
function quoted(text: string): string {
  return `"${text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 40)}"`;
}
