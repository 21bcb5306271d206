/** The data in the folder is not what this version of the sandbox writes, or could not be written. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** The program used the store in a way that cannot be right. What is in the store has nothing to do with it. */
export class StoreUseError extends StoreError {
  override readonly name = 'StoreUseError';
}

/** What had to be kept could not be written. Memory is ahead of the database, so that the process has to end: nothing of it has been answered yet. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}
