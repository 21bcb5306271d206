import * as l10n from '@vscode/l10n';

/** Why a folder of the extension cannot be used, and what the user can do about it: one sentence each. */
export interface FolderErrorDescription {
  readonly what: string;
  readonly advice: string;
}

/**
 * Describes a file system error for a folder that can't be written.
 * @param code of the system, such as "ENOSPC"; `undefined` if there is none
 * @returns `undefined` if the code doesn't concern the folder
 */
export function describeFolderError(code: string | undefined, folder: string): FolderErrorDescription | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return { what: l10n.t`The disk with the folder ${folder} is full.`, advice: l10n.t('Free up space, then try again.') };
    case 'EROFS':
      return { what: l10n.t`The folder ${folder} is on a read-only disk.`, advice: l10n.t('Make it writable, then try again.') };
    case 'EACCES':
    case 'EPERM':
      return { what: l10n.t`Your account cannot write to the folder ${folder}.`, advice: l10n.t('Make it writable, then try again.') };
    case 'ENOTDIR':
    case 'EEXIST':
      return { what: l10n.t`A file is in the place of the folder ${folder}.`, advice: l10n.t('Move that file away, then try again.') };
    default:
      return undefined;
  }
}

/** Why an event was not written. */
export type JournalErrorKind =
  /** The file system rejected it. */
  | 'notWritten'
  /** It can't follow the events before it. */
  | 'notFollowing'
  /** Another window has written to the same operation: the caller must stop. */
  | 'takenOver';

/** An event was not written: the step after it must not begin. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly kind: JournalErrorKind;
  /** A sentence for the user; `undefined` if there is no particular advice. */
  readonly advice: string | undefined;

  constructor(kind: JournalErrorKind, message: string, cause?: unknown, advice?: string) {
    super(message, { cause });
    this.kind = kind;
    this.advice = advice;
  }
}

/** A file of the journal that nobody could read. */
export const unreadFileWords = (why: string): string => l10n.t`A file of the operation journal cannot be read. ${why}`;
