import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import * as z from 'zod';
import type { Subscription } from '../base/async/clock';
import { errorMessageOf } from '../transactions/errors';
import { writtenAddress, writtenAmount } from '../transactions/journal/codec';
import { systemCode } from '../transactions/journal/errors';
import { makeFile, makeFolder, syncFolder } from '../transactions/journal/files';
import { FolderWatch } from '../transactions/journal/folderWatch';
import { Mutex } from '../base/async/mutex';
import type { AutoRebalanceConsent, AutoRebalanceRules, ConsentFile } from './types';

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
  }) satisfies z.ZodType<AutoRebalanceConsent>,
});

/** Writes a grant down. @throws Error where it cannot be read back as it is: it would be off. */
export function consentText(grant: AutoRebalanceConsent): string {
  const text = JSON.stringify({ format: FORMAT, grant }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : (value ?? null),
  );
  const read = readConsent(text);
  if (read.grant === undefined) {
    throw new Error(`These rules cannot be written down. ${read.problem}`);
  }
  return text;
}

/** Reads a grant. Hostile text never throws. */
export function readConsent(
  text: string,
): { readonly grant: AutoRebalanceConsent; readonly problem?: undefined } | { readonly grant?: undefined; readonly problem: string } {
  if (text.length > LONGEST_FILE) {
    return { problem: l10n.t('It is longer than it can be.') };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: l10n.t('It is not JSON.') };
  }
  const read = file.safeParse(json);
  return read.success
    ? { grant: read.data.grant }
    : {
        problem: l10n.t`It does not have the form that it should have: ${read.error.issues
          .slice(0, 3)
          .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
          .join('; ')}.`,
      };
}

/** Where the switch is. */
export interface ConsentFileOptions {
  /** A folder of its own, the same for all windows. It is made when automation is turned on first, or with the first listener. */
  readonly folder: string;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

const FILE = 'on.json';
/** What is written before it is put in place; one that a crash left there says nothing. */
const UNFINISHED = '.tmp';
/** How often it is tried to read the file, and after how long again. */
const MOST_TRIES = 3;
const TRY_AGAIN_MS = 50;

/** Opens the switch of all windows: a file that is there while automation is on. Touches nothing until it is used. */
export function openConsentFile(options: ConsentFileOptions): ConsentFile {
  return new FileSwitch(options);
}

class FileSwitch implements ConsentFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #log: ConsentFileOptions['log'];
  readonly #watch: FolderWatch;
  readonly #turns = new Mutex();
  #toldProblem: string | undefined;

  constructor({ folder, log }: ConsentFileOptions) {
    this.#folder = folder;
    this.#path = join(folder, FILE);
    this.#log = log;
    this.#watch = new FolderWatch(folder, (message) => log('warn', message));
  }

  async read(): Promise<AutoRebalanceConsent | undefined> {
    const text = await this.#text();
    if (text === undefined) {
      return undefined;
    }
    const { grant, problem } = readConsent(text);
    if (grant === undefined) {
      this.#note(l10n.t`The file that says that automation is on cannot be understood, so that it counts as off. ${problem}`);
    }
    return grant;
  }

  async turnOn(grant: AutoRebalanceConsent): Promise<void> {
    const text = consentText(grant);
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

  async turnOff(): Promise<void> {
    try {
      await this.#turns.take(() => this.#takeAway());
    } catch (error) {
      throw new Error(
        `Auto-rebalance could not be switched off for other windows, and may go on with the next start: the file ${this.#path} cannot be taken away. ${errorMessageOf(error)} Close all windows and delete it.`,
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
    // What is not there cannot be watched, and another window may make it.
    makeFolder(this.#folder).then(
      () => this.#changed(),
      (error: unknown) =>
        this.#log('warn', `It cannot be watched whether other windows turn automation on or off. ${errorMessageOf(error)}`),
    );
    return subscription;
  }

  dispose(): void {
    this.#watch.dispose();
  }

  /** What is in the file; `undefined`: there is none, or it cannot be read. */
  async #text(): Promise<string | undefined> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await readFile(this.#path, 'utf8');
      } catch (error) {
        if (systemCode(error) === 'ENOENT') {
          return undefined;
        }
        // Where another window puts a new one in its place, some systems refuse it for a moment.
        if (tries === MOST_TRIES) {
          this.#note(l10n.t`It cannot be read whether automation is on, so that it counts as off. ${errorMessageOf(error)}`);
          return undefined;
        }
        await later(TRY_AGAIN_MS);
      }
    }
  }

  async #takeAway(): Promise<void> {
    try {
      await unlink(this.#path);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return;
      }
      // Where somebody holds it open it may not go, but an empty one is no grant either.
      await truncate(this.#path);
    }
    await syncFolder(this.#folder);
  }

  #changed(): void {
    this.#watch.start();
    this.#watch.changed();
  }

  /** Each trouble once, since it is read again and again. */
  #note(problem: string): void {
    if (problem !== this.#toldProblem) {
      this.#toldProblem = problem;
      this.#log('warn', problem);
    }
  }
}
