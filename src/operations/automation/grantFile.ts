import * as z from 'zod';
import { writtenAddress, writtenAmount } from '../writtenSchemas';
import type { AutoRebalanceConsent, AutoRebalanceRules } from './types';

// How it is written down that automation is on. What does not read as just that is off: whatever is in the file, it never means
// more than what was confirmed.

/** The form that this version writes. What a later one wrote is not understood here. */
const FORMAT = 1;
/** No grant comes near it, characters. */
const LONGEST_FILE = 100_000;
const MOST_POOLS = 1_000;
const LONGEST_SERVICE = 10_000;

/** What is not set is `null` in the file: what is missing was lost. */
const optional = <Output>(schema: z.ZodType<Output>) => schema.nullable().transform((value): Output | undefined => value ?? undefined);
const limit = z.int().min(0).max(10_000);

const rules = z.strictObject({
  mode: z.enum(['ask', 'automatic']),
  checkEveryMs: z.number().min(1_000).max(86_400_000),
  outOfRangeChecks: z.int().min(1).max(100_000),
  leastValueUsd: z.number().min(0),
  cooldownMs: z.number().min(0),
  mostPerPositionAndDay: limit,
  mostPerDay: limit,
  terms: z.strictObject({
    halfWidthBins: optional(z.int().min(0).max(1_400)),
    strategy: optional(z.enum(['Spot', 'Curve', 'BidAsk'])),
    slippageBps: z.int().min(0).max(10_000),
    reserveLamports: writtenAmount.refine((lamports) => lamports >= 0n),
  }),
  stopLossPercent: optional(z.number().positive()),
  takeProfitPercent: optional(z.number().positive()),
  pnlIn: z.enum(['usd', 'native']),
  poolsLeftAlone: z.array(writtenAddress).max(MOST_POOLS),
  reviewedBy: z.string().max(100).nullish().transform((value) => value ?? undefined),
}) satisfies z.ZodType<AutoRebalanceRules>;

const file = z.strictObject({
  format: z.literal(FORMAT),
  grant: z.strictObject({ service: z.string().min(1).max(LONGEST_SERVICE), owner: writtenAddress, rules, sinceMs: z.number() }) satisfies z.ZodType<AutoRebalanceConsent>,
});

/** Writes a grant down. @throws Error where it cannot be read back as it is: it would be off. */
export function consentText(grant: AutoRebalanceConsent): string {
  const text = JSON.stringify({ format: FORMAT, grant }, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : (value ?? null)));
  const read = readConsent(text);
  if (read.grant === undefined) {
    throw new Error(`These rules cannot be written down. ${read.problem}`);
  }
  return text;
}

/** Reads a grant. Hostile text never throws. */
export function readConsent(text: string): { readonly grant: AutoRebalanceConsent; readonly problem?: undefined } | { readonly grant?: undefined; readonly problem: string } {
  if (text.length > LONGEST_FILE) {
    return { problem: 'It is longer than it can be.' };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'It is not JSON.' };
  }
  const read = file.safeParse(json);
  return read.success ? { grant: read.data.grant } : { problem: `It does not have the form that it should have: ${read.error.issues.slice(0, 3).map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ')}.` };
}
