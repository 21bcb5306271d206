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

/** What positions say of their range. Absent: not reported, or in a pool without bins. */
export const rangeFields = {
  lowerBinId: figure,
  upperBinId: figure,
  activeBinId: figure,
  binStepBps: figure,
  inRange: z.optional(z.boolean()),
  priceRangeUsd: z.optional(z.object({ lower: z.number(), upper: z.number(), current: z.number() })),
};

/** A figure for each of the service's intervals. */
export const perInterval = z.object({ '5m': figure, '1h': figure, '6h': figure, '24h': figure });

/** A price at a time: whole tokens Y for one whole token X. */
export const seenPrice = z.object({ atMs: z.number(), price: z.number() });
export type SeenPrice = z.output<typeof seenPrice>;

/** In which currency figures in both are shown. */
export const currency = z.enum(['usd', 'native']);
export type CurrencyView = z.output<typeof currency>;

/** A read-only list. */
export function list<Item extends z.core.$ZodType>(item: Item): z.ZodMiniReadonly<z.ZodMiniArray<Item>> {
  return z.readonly(z.array(item));
}

/** Commands that a panel offers after a failure. Each asks before it changes anything, and none moves funds. */
export const panelRemedy = z.enum([
  'binsight.connectService',
  'binsight.setApiKey',
  'binsight.importWalletKey',
  'binsight.watchAddress',
  'binsight.resetSandboxWorld',
]);
const remedy = z.object({ label: z.string(), command: panelRemedy });
/** A button that runs a command. */
export type RemedyView = z.output<typeof remedy>;

/** Load status of a part of a panel. `stale`: the last read failed, and the data is older. */
const status = z.enum(['loading', 'ready', 'stale', 'failed']);

/**
 * A part of a panel that is loaded on its own. `data` is absent until the first read; during a reload it stays, with its status. `words`
 * is the error message, and `remedies` are the commands that fix its cause; absent: none is known.
 */
export function part<Data extends z.core.$ZodType>(
  data: Data,
): z.ZodMiniObject<{
  status: typeof status;
  data: z.ZodMiniOptional<Data>;
  asOfMs: typeof time;
  words: z.ZodMiniOptional<z.ZodMiniString>;
  remedies: z.ZodMiniOptional<z.ZodMiniReadonly<z.ZodMiniArray<typeof remedy>>>;
}> {
  return z.object({ status, data: z.optional(data), asOfMs: time, words: z.optional(z.string()), remedies: z.optional(list(remedy)) });
}

export interface Part<Data> {
  readonly status: z.output<typeof status>;
  readonly data?: Data | undefined;
  /** When `data` was read, milliseconds since 1970. */
  readonly asOfMs?: number | undefined;
  readonly words?: string | undefined;
  readonly remedies?: readonly RemedyView[] | undefined;
}

/** Nothing is known yet. */
export const LOADING: Part<never> = { status: 'loading' };

/** The context that all panels share. */
export const ambient = z.object({
  /** BCP 47, of the editor. */
  locale: z.string(),
  /** The default of the settings; a panel's own choice takes precedence. */
  currency,
  /** "Sandbox", or the service's host. */
  serviceName: z.string(),
  /** All money is pretend. */
  isSandbox: z.boolean(),
  /** Explorers show the accounts of the service: not those of the sandbox, nor of other chains than mainnet. */
  hasExplorer: z.boolean(),
  /** The current wallet; absent: none. */
  owner: maybeText,
  /** The wallet's key is stored, so it can zap in and out. */
  canSign: z.boolean(),
  /** The service is one that Binsight runs: it has more operations and routes than the published interface. */
  isOwnService: z.boolean(),
});
export type Ambient = z.output<typeof ambient>;
