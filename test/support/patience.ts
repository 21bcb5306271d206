/**
 * How long a test waits for an event that has to come, milliseconds. It is no measure of speed: it is far more than any machine needs. It is
 * below the limit of a test (TEST_LIMIT_MS in test/host/testParts.mjs), so that a failure names the event.
 */
export const PATIENCE_MS = 200_000;
