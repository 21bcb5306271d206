/** A lock across all windows and processes of this user. */
export interface HeldLock {
  readonly name: string;
  /** Aborted when the lock is lost: this process was suspended for too long and another one took it. The guarded work must stop. */
  readonly lost: AbortSignal;
  /**
   * Checks on the disk whether the lock is still held. `lost` fires late after the whole process was suspended (the machine slept), so
   * check right before an irreversible step. False after `release`.
   */
  isStillHeld(): Promise<boolean>;
  /** Never rejects. */
  release(): Promise<void>;
}

/** Locks across windows and processes. */
export interface OperationLocks {
  /**
   * Takes a lock; `undefined` if another holder has it. The lock of a dead process is taken over: at once if the process is known to be
   * gone, otherwise once the lock is stale (this takes some seconds).
   * Names: "position:ADDRESS", "pool:ADDRESS", "wallet:ADDRESS", "operation:ID", "automation".
   * @throws Error if the folder of the locks cannot be used, or after `dispose`.
   */
  tryAcquire(name: string): Promise<HeldLock | undefined>;
  /** Waits until the lock is free. Rejects when the signal is aborted. */
  acquire(name: string, signal: AbortSignal): Promise<HeldLock>;
  /** Releases all locks. */
  dispose(): Promise<void>;
}

/** The folder of the locks cannot be used, so no operation may begin. */
export class LockFolderError extends Error {
  /** A sentence for the user; `undefined` if there is no particular advice. */
  readonly advice: string | undefined;

  constructor(message: string, cause: unknown, advice: string | undefined) {
    super(message, { cause });
    this.advice = advice;
  }
}
