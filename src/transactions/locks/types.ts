/** A lock across all windows and processes of this user. */
export interface HeldLock {
  readonly name: string;
  /** Aborted when the lock was lost (this process stood still for too long, and another one took it): what it guards must not go on. */
  readonly lost: AbortSignal;
  /**
   * Looks whether it is held at this moment. `lost` is told with a delay where the whole process stood still (the machine slept):
   * right before something that cannot be undone, ask. False after it was given back.
   */
  isStillHeld(): Promise<boolean>;
  /** Gives it back. Never rejects. */
  release(): Promise<void>;
}

/** Locks across windows and processes. */
export interface OperationLocks {
  /**
   * Takes a lock; `undefined` where somebody else holds it. One that a dead process left behind is taken over: at once where
   * its process is known to be gone, otherwise once it is stale (this then takes some seconds).
   * Names: "position:ADDRESS", "pool:ADDRESS", "wallet:ADDRESS", "operation:ID", "automation".
   * @throws Error where the folder of the locks cannot be used, or after `dispose`.
   */
  tryAcquire(name: string): Promise<HeldLock | undefined>;
  /** The same, waiting until it is free. Rejects when the signal is aborted. */
  acquire(name: string, signal: AbortSignal): Promise<HeldLock>;
  /** Gives everything back. */
  dispose(): Promise<void>;
}

/** The folder of the locks cannot be used, so that no operation may begin. */
export class LockFolderError extends Error {
  /** What the user can do about it, a sentence; `undefined` where nothing in particular. */
  readonly advice: string | undefined;

  constructor(message: string, cause: unknown, advice: string | undefined) {
    super(message, { cause });
    this.advice = advice;
  }
}
