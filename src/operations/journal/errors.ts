/** What kept an event from being written. */
export type JournalErrorKind =
  /** The disk did not take it. */
  | 'notWritten'
  /** It does not follow from what was written before. */
  | 'notFollowing'
  /** Another window has written to the same operation: whoever gets this must not go on with it. */
  | 'takenOver';

/** An event that is not in the journal. What was to come after it must not happen. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly kind: JournalErrorKind;
  /** What the user can do about it, a sentence; `undefined` where nothing in particular. */
  readonly advice: string | undefined;

  constructor(kind: JournalErrorKind, message: string, cause?: unknown, advice?: string) {
    super(message, { cause });
    this.kind = kind;
    this.advice = advice;
  }
}

/** What the system calls a failure ("ENOSPC"); `undefined` where it gives none. */
export function systemCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}
