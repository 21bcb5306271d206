/** Timeout and interval, in milliseconds, for the service to list the effect of an operation: its lists lag behind the chain. */
export const SETTLE_TIMEOUT_MS = 30_000;
export const SETTLE_EVERY_MS = 4_000;
