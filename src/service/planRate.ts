/** Requests a minute that the public service's plans allow, smallest first (its price list: Basic, Premium, Enterprise). */
const PLANS_PER_MINUTE = [5, 10, 20] as const;

/** A larger figure in a header is no limit that anything here comes near. */
const MOST_PER_MINUTE = 100_000;

/** Gives the value of a response header; `null`: it is not there. */
export type ReadHeader = (name: string) => string | null;

/**
 * Gives the requests a minute that an answer's headers name: `RateLimit-Policy` with a window of 60 s, or a limit whose name says that
 * it is one for a minute. A limit without a window says nothing: it may be one for a second or for a day.
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
 * Gives the plan to assume after a 429 that named no limit: the largest one that the requests of the last minute were within, and the
 * smallest one where they were fewer. Other programs may use the same key, so that fewer requests from here say nothing.
 * @param accepted requests of the last minute that were not refused
 */
export function rateAfterRefusal(accepted: number): number {
  return PLANS_PER_MINUTE.findLast((plan) => plan <= accepted) ?? PLANS_PER_MINUTE[0];
}

function wholeRate(text: string | null | undefined): number | undefined {
  const rate = /^\s*\d{1,6}\s*$/.test(text ?? '') ? Number(text) : 0;
  return rate >= 1 && rate <= MOST_PER_MINUTE ? rate : undefined;
}
