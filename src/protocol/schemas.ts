import * as z from 'zod/mini';

/**
 * A figure; absent: not reported. Infinity, which absurd figures can add up to and which JSON writes as null, counts as absent too, so it
 * doesn't invalidate the whole message.
 */
export const figure = z.catch(z.optional(z.number()), undefined);
/** Text that may be absent. */
export const maybeText = z.optional(z.string());
/** Milliseconds since 1970 that are a date; absent: not known, or none. */
export const time = z.catch(z.optional(z.number().check(z.gte(-8.64e15), z.lte(8.64e15))), undefined);
/** A whole number of the smallest unit (lamports, raw units), as decimal digits: messages know no bigint. */
export const rawAmount = z.string().check(z.regex(/^\d{1,40}$/));
/** A bin's number. */
export const binNumber = z.number().check(z.int());

/** A figure in US dollars and in SOL. */
export const money = z.object({ usd: figure, native: figure });
export type MoneyView = z.output<typeof money>;

/** A figure for each of the service's intervals. */
export const perInterval = z.object({ '5m': figure, '1h': figure, '6h': figure, '24h': figure });

/** In which currency figures in both are shown. */
export const currency = z.enum(['usd', 'native']);
export type CurrencyView = z.output<typeof currency>;

/** A list that nobody changes. */
export function list<Item extends z.core.$ZodType>(item: Item): z.ZodMiniReadonly<z.ZodMiniArray<Item>> {
  return z.readonly(z.array(item));
}
