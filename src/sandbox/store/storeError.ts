/** The data in the folder is not what this version of the sandbox writes, or could not be written. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** What had to be kept could not be written. Memory is ahead of the database, so that the process has to end: nothing of it has been answered yet. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}
