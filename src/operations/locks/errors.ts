/** The folder of the locks cannot be used, so that no operation may begin. */
export class LockFolderError extends Error {
  /** What the user can do about it, a sentence; `undefined` where nothing in particular. */
  readonly advice: string | undefined;

  constructor(message: string, cause: unknown, advice: string | undefined) {
    super(message, { cause });
    this.advice = advice;
  }
}
