/** How long an operation waits until the service lists its effect, and how often it looks (guides: service-quirks.md §0.4), milliseconds. */
export const SETTLE_TIMEOUT_MS = 30_000;
export const SETTLE_EVERY_MS = 4_000;
