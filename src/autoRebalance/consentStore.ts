import * as l10n from '@vscode/l10n';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import * as z from 'zod';
import type { Subscription } from '../base/async/clock';
import { systemCode } from '../base/thrown';
import { DAY_MS } from '../base/time';
import { errorMessageOf } from '../transactions/errors';
import { writtenAddress, writtenAmount } from '../base/solana/writtenFields';
import { makeFile, makeFolder, syncFolder } from '../transactions/journal/files';
import { FolderWatch } from '../transactions/journal/folderWatch';
import { Mutex, orAborted } from '../base/async/concurrency';
import type { AutoRebalanceConsent, AutoRebalanceRules } from './types';

/** Name of the secret that holds a hash of the consent that was confirmed last. */
export const SEAL_NAME = 'binsight.automation.confirmed';

/** The consent on disk, and whether the user confirmed it in this VS Code. */
export interface StoredConsent {
  readonly consent: AutoRebalanceConsent;
  readonly isConfirmed: boolean;
  /** Why it is not known whether they did, for the user: the secret storage failed, or does not answer. It does not count as confirmed. */
  readonly unknownBecause?: string;
}

/** The part of VS Code's `SecretStorage` that is used. */
export interface ConsentSecrets {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/**
 * The user's consent, which is there while auto-rebalance is on: a file that all windows share, sealed with a hash in the secret storage.
 * It counts only if the user confirmed exactly this consent in this VS Code: any program that can write files could write or restore the
 * file, but not the hash. Removing either turns auto-rebalance off.
 */
export class ConsentStore {
  readonly #file: ConsentFile;
  readonly #secrets: ConsentSecrets;
  /** Ends the reads that wait for the secret storage: nothing waits for it once auto-rebalance is off. */
  #turnedOff = new AbortController();

  /** @param secrets a read may reject, if the secret storage does not answer in time */
  constructor({ secrets, ...options }: ConsentFileOptions & { readonly secrets: ConsentSecrets }) {
    this.#file = new ConsentFile(options);
    this.#secrets = secrets;
  }

  /** The consent on disk, confirmed or not; `undefined` if auto-rebalance is off. */
  async readStored(): Promise<StoredConsent | undefined> {
    // Of before the file is read: auto-rebalance may be turned off between that and the read of the seal.
    const { signal } = this.#turnedOff;
    if ((await this.#file.read()) === undefined) {
      return undefined;
    }
    const { seal, unknownBecause } = await this.#readSeal(signal);
    // The secret storage can take long, and auto-rebalance be turned off or on again meanwhile.
    const stored = await this.#file.readText();
    return stored === undefined
      ? undefined
      : { consent: stored.consent, isConfirmed: seal === sealOf(stored.text), ...(unknownBecause === undefined ? {} : { unknownBecause }) };
  }

  /** The consent; `undefined` also if it was not confirmed here. */
  async read(): Promise<AutoRebalanceConsent | undefined> {
    const stored = await this.readStored();
    return stored?.isConfirmed === true ? stored.consent : undefined;
  }

  /** Resolves once the consent and its seal are stored. @throws Error if either can't be written */
  async turnOn(consent: AutoRebalanceConsent): Promise<void> {
    await this.#secrets.store(SEAL_NAME, sealOf(consentText(consent)));
    await this.#file.turnOn(consent);
  }

  /** Resolves once auto-rebalance is off for all windows. @throws Error if neither the file nor the seal can be removed */
  async turnOff(): Promise<void> {
    const sealRemoved = Promise.resolve(this.#secrets.delete(SEAL_NAME)).then(
      () => true,
      () => false,
    );
    try {
      await this.#file.turnOff();
    } catch (error) {
      if (!(await sealRemoved)) {
        throw error;
      }
    } finally {
      this.#turnedOff.abort();
      this.#turnedOff = new AbortController();
    }
  }

  /** Calls `listener` when any window turned it on or off; sometimes also when nothing has changed. */
  onDidChange(listener: () => void): Subscription {
    return this.#file.onDidChange(listener);
  }

  dispose(): void {
    this.#file.dispose();
  }

  async #readSeal(signal: AbortSignal): Promise<{ readonly seal?: string | undefined; readonly unknownBecause?: string }> {
    try {
      return { seal: await orAborted(Promise.resolve(this.#secrets.get(SEAL_NAME)), signal) };
    } catch (error) {
      return { unknownBecause: errorMessageOf(error) };
    }
  }
}

/** Of the text as it is on disk: version 0.2.0 wrote fewer fields. */
function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export interface ConsentFileOptions {
  /** A folder used for nothing else, the same for all windows. Created when auto-rebalance is first turned on, or with the first listener. */
  readonly folder: string;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

const FILE = 'on.json';
/** Suffix of the temporary file that is renamed into place; one that a crash left behind is ignored. */
const UNFINISHED = '.tmp';
/** Attempts to read the file, and the pause between them. */
const MOST_TRIES = 3;
const TRY_AGAIN_MS = 50;

/** The file alone, without its seal. It exists while auto-rebalance is on. Touches nothing until it is used. */
export class ConsentFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #log: ConsentFileOptions['log'];
  readonly #watch: FolderWatch;
  readonly #turns = new Mutex();
  #loggedProblem: string | undefined;

  constructor({ folder, log }: ConsentFileOptions) {
    this.#folder = folder;
    this.#path = join(folder, FILE);
    this.#log = log;
    this.#watch = new FolderWatch(folder, (message) => log('warn', message));
  }

  /** `undefined` if it is off, or the file can't be read. */
  async read(): Promise<AutoRebalanceConsent | undefined> {
    return (await this.readText())?.consent;
  }

  /** The consent with its text on disk; `undefined` as in {@link read}. */
  async readText(): Promise<{ readonly consent: AutoRebalanceConsent; readonly text: string } | undefined> {
    const text = await this.#text();
    if (text === undefined) {
      return undefined;
    }
    const { consent, problem } = readConsent(text);
    if (consent === undefined) {
      this.#logOnce(`The consent file of auto-rebalance is not valid, so it counts as off. ${problem}`);
      return undefined;
    }
    return { consent, text };
  }

  /** Resolves once it is on disk. @throws Error if it can't be written */
  async turnOn(consent: AutoRebalanceConsent): Promise<void> {
    const text = consentText(consent);
    await this.#turns.take(async () => {
      await makeFolder(this.#folder);
      const unfinished = `${this.#path}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
      const { handle } = await makeFile(unfinished, text);
      await handle.close();
      try {
        await rename(unfinished, this.#path);
      } catch (error) {
        await unlink(unfinished).catch(() => undefined);
        throw error;
      }
      await syncFolder(this.#folder);
    });
    this.#changed();
  }

  /** Resolves once it is off for all windows. @throws Error if the file can't be removed */
  async turnOff(): Promise<void> {
    try {
      await this.#turns.take(() => this.#remove());
    } catch (error) {
      throw new Error(
        l10n.t`The file ${this.#path} cannot be deleted, so auto-rebalance may continue in other windows and after a restart. ${errorMessageOf(error)} Close all windows and delete the file.`,
        { cause: error },
      );
    } finally {
      this.#changed();
    }
  }

  onDidChange(listener: () => void): Subscription {
    const subscription = this.#watch.add(listener);
    if (existsSync(this.#folder)) {
      this.#watch.start();
      return subscription;
    }
    // A missing folder can't be watched, and another window may create it.
    makeFolder(this.#folder).then(
      () => this.#changed(),
      (error: unknown) => this.#log('warn', `Other windows can't be watched turning auto-rebalance on or off. ${errorMessageOf(error)}`),
    );
    return subscription;
  }

  dispose(): void {
    this.#watch.dispose();
  }

  /** The content of the file; `undefined` if there is none, or it can't be read. */
  async #text(): Promise<string | undefined> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await readFile(this.#path, 'utf8');
      } catch (error) {
        if (systemCode(error) === 'ENOENT') {
          return undefined;
        }
        // While another window replaces the file, some systems refuse to read it for a moment.
        if (tries === MOST_TRIES) {
          this.#logOnce(`The consent file of auto-rebalance can't be read, so it counts as off. ${errorMessageOf(error)}`);
          return undefined;
        }
        await later(TRY_AGAIN_MS);
      }
    }
  }

  async #remove(): Promise<void> {
    try {
      await unlink(this.#path);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return;
      }
      // A file that another process holds open may not be deletable, but an empty one is no consent either.
      await truncate(this.#path);
    }
    await syncFolder(this.#folder);
  }

  #changed(): void {
    this.#watch.start();
    this.#watch.changed();
  }

  /** Logs each problem once, since the file is read again and again. */
  #logOnce(problem: string): void {
    if (problem !== this.#loggedProblem) {
      this.#loggedProblem = problem;
      this.#log('warn', problem);
    }
  }
}

// The format of the file. Anything that doesn't parse strictly counts as off, so a damaged file never allows more than what was confirmed.

/** Format version. Files of later versions are not understood, and count as off. */
const FORMAT = 1;
/** Characters; no real consent comes near it. */
const LONGEST_FILE = 300_000;
const MOST_POOLS = 1_000;
const MOST_POSITIONS = 1_000;
const LONGEST_SERVICE = 10_000;

/** A value that is not set is written as `null`, so a missing field means a damaged file. */
const optional = <Output>(schema: z.ZodType<Output>) => schema.nullable().transform((value): Output | undefined => value ?? undefined);
const limit = z.int().min(0).max(10_000);

const rules = z.strictObject({
  mode: z.enum(['ask', 'automatic']),
  checkEveryMs: z.number().min(1_000).max(DAY_MS),
  outOfRangeChecks: z.int().min(1).max(100_000),
  leastValueUsd: z.number().min(0),
  cooldownMs: z.number().min(0),
  mostPerPositionAndDay: limit,
  mostPerDay: limit,
  // Version 0.2.0 had no such limits: their consent has to be confirmed again, and until then everything is a question.
  mostClosingsPerDay: limit.optional().transform((value) => value ?? 0),
  mostCostPercentPerDay: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .transform((value) => value ?? 0),
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
  reviewedBy: z
    .string()
    .max(100)
    .nullish()
    .transform((value) => value ?? undefined),
}) satisfies z.ZodType<AutoRebalanceRules>;

const file = z.strictObject({
  format: z.literal(FORMAT),
  grant: z.strictObject({
    service: z.string().min(1).max(LONGEST_SERVICE),
    owner: writtenAddress,
    rules,
    sinceMs: z.number(),
    worths: z
      .array(z.strictObject({ position: writtenAddress, lamports: writtenAmount.refine((lamports) => lamports >= 0n) }))
      .max(MOST_POSITIONS)
      .nullish()
      .transform((value) => value ?? undefined),
  }) satisfies z.ZodType<AutoRebalanceConsent>,
});

/** Serializes a consent. @throws Error if it could not be read back: auto-rebalance would be off. */
export function consentText(consent: AutoRebalanceConsent): string {
  const text = JSON.stringify({ format: FORMAT, grant: consent }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : (value ?? null),
  );
  const read = readConsent(text);
  if (read.consent === undefined) {
    throw new Error(`These rules cannot be saved. ${read.problem}`);
  }
  return text;
}

/** Parses a consent; `problem` is for the log. Never throws, whatever the text. */
export function readConsent(
  text: string,
): { readonly consent: AutoRebalanceConsent; readonly problem?: undefined } | { readonly consent?: undefined; readonly problem: string } {
  if (text.length > LONGEST_FILE) {
    return { problem: 'It is too long.' };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'It is not JSON.' };
  }
  const read = file.safeParse(json);
  return read.success
    ? { consent: read.data.grant }
    : {
        problem: `It doesn't have the expected form: ${read.error.issues
          .slice(0, 3)
          .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
          .join('; ')}.`,
      };
}
