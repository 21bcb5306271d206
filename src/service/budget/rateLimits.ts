/** Requests per minute in the plans of the public service (Basic, Premium, Enterprise), ascending. */
const PLANS_PER_MINUTE = [5, 10, 20] as const;

/** A larger figure in a header is irrelevant: the client never comes near it. */
const MOST_PER_MINUTE = 100_000;

/** Returns the value of a response header, or `null`. */
export type ReadHeader = (name: string) => string | null;

/**
 * The limit per minute in an answer's headers: `RateLimit-Policy` with a window of 60 s, or a limit whose name says that it is per minute. A
 * limit without a window is ignored: it may be per second or per day.
 */
export function rateFromHeaders(header: ReadHeader): number | undefined {
  const policies = header('ratelimit-policy')?.split(',') ?? [];
  const perMinute = policies
    .filter((policy) => /;\s*w=60\s*(?:;|$)/.test(policy))
    .map((policy) => /(?:^\s*|;\s*q=)(\d+)/.exec(policy)?.[1]);
  return [...perMinute, header('x-ratelimit-limit-minute'), header('ratelimit-limit-minute')]
    .map(wholeRate)
    .find((rate) => rate !== undefined);
}

/**
 * The plan to assume after a 429 that names no limit: the largest one that the accepted requests have reached, else the smallest. Other
 * programs may use the same key, so a lower number of requests from here proves nothing.
 * @param accepted requests of the last minute that were not refused
 */
export function rateAfterRefusal(accepted: number): number {
  return PLANS_PER_MINUTE.findLast((plan) => plan <= accepted) ?? PLANS_PER_MINUTE[0];
}

function wholeRate(text: string | null | undefined): number | undefined {
  const rate = /^\s*\d{1,6}\s*$/.test(text ?? '') ? Number(text) : 0;
  return rate >= 1 && rate <= MOST_PER_MINUTE ? rate : undefined;
}
