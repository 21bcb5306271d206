import { appendFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '../../base/async/concurrency';
import { type Address, parseAddress } from '../../base/solana/address';
import { systemCode } from '../../base/thrown';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time';
import type { PriceReading, PriceRecord } from '../../service/priceRecord';
import { FILE_MODE, makeFolder } from '../../transactions/journal/files';
import { describeError, type LogFunction } from '../shell/log';

/** Of one pool, at most one reading in this time. */
const LEAST_BETWEEN_MS = 5 * MINUTE_MS;
const KEPT_MS = 8 * DAY_MS;
/** The pools that were read last. With the size of a file this bounds all of them: 2 MB. */
const MOST_POOLS = 20;
/** Bytes. Eight days of readings take about 50,000, more where several windows read. */
const LARGEST_FILE = 100_000;
const LARGEST_AFTER_CUT = 60_000;

export interface PriceFilesOptions {
  /** A folder for nothing else, the same for all windows: the prices that one service reported. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
}

/**
 * Keeps prices of pools in a file a pool, with a line a reading: seconds since 1970, and the price. Several windows may append to one file. What is
 * lost, for example when two of them shorten it, is a reading, not more. It touches the disk with the first reading.
 */
export class PriceFiles implements PriceRecord {
  readonly #options: PriceFilesOptions;
  readonly #writes = new Mutex();
  /** Time of the last reading of each pool in this window, the oldest first. */
  readonly #lastMs = new Map<Address, number>();
  #hasFailed = false;

  constructor(options: PriceFilesOptions) {
    this.#options = options;
  }

  add(pool: Address, { atMs, price }: PriceReading): void {
    const lastMs = this.#lastMs.get(pool);
    // The clock may have been set back.
    const isTooSoon = lastMs !== undefined && atMs >= lastMs && atMs < lastMs + LEAST_BETWEEN_MS;
    if (isTooSoon || !this.#hasRoom(pool, atMs)) {
      return;
    }
    this.#lastMs.delete(pool);
    this.#lastMs.set(pool, atMs);
    void this.#writes
      .take(() => this.#write(pool, `${Math.floor(atMs / SECOND_MS)} ${price}\n`))
      .catch((error: unknown) => {
        if (!this.#hasFailed) {
          this.#hasFailed = true;
          this.#options.log('warn', `Prices of pools are not kept: ${describeError(error)}`);
        }
      });
  }

  async since(pool: Address, fromMs: number): Promise<readonly PriceReading[]> {
    try {
      await this.#writes.take(() => Promise.resolve());
      const text = await readFile(this.#pathOf(pool), 'utf8');
      return readingsOf(text, Math.max(fromMs, this.#options.nowMs() - KEPT_MS), this.#options.nowMs());
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') {
        this.#options.log('warn', `The kept prices of a pool were not read: ${describeError(error)}`);
      }
      return [];
    }
  }

  /** A wallet in more pools keeps the prices of some: a pool gives its place away once it is no longer read. */
  #hasRoom(pool: Address, atMs: number): boolean {
    const [longest] = this.#lastMs;
    if (this.#lastMs.has(pool) || this.#lastMs.size < MOST_POOLS || longest === undefined) {
      return true;
    }
    const [unread, lastMs] = longest;
    return Math.abs(atMs - lastMs) > HOUR_MS && this.#lastMs.delete(unread);
  }

  #pathOf(pool: Address): string {
    return join(this.#options.folder, pool);
  }

  async #write(pool: Address, line: string): Promise<void> {
    const path = this.#pathOf(pool);
    const bytes = await sizeOf(path);
    if (bytes === undefined) {
      await makeFolder(this.#options.folder);
      await this.#makeRoom();
    }
    await appendFile(path, line, { mode: FILE_MODE });
    if ((bytes ?? 0) > LARGEST_FILE) {
      await shorten(path);
    }
  }

  /** Removes the files of the pools that were not read for the longest time, so that there is room for one more. */
  async #makeRoom(): Promise<void> {
    const names = (await readdir(this.#options.folder)).filter((name) => parseAddress(name) !== undefined);
    const files = await Promise.all(
      names.map(async (name) => ({ name, changedMs: (await stat(join(this.#options.folder, name))).mtimeMs })),
    );
    const oldestFirst = files.sort((one, other) => one.changedMs - other.changedMs);
    for (const { name } of oldestFirst.slice(0, Math.max(oldestFirst.length - MOST_POOLS + 1, 0))) {
      await rm(join(this.#options.folder, name), { force: true });
    }
  }
}

/** `undefined`: there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Keeps the newest lines of a file. */
async function shorten(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const kept = text.slice(-LARGEST_AFTER_CUT);
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, kept.slice(kept.indexOf('\n') + 1), { mode: FILE_MODE });
  await rename(unfinished, path);
}

/** Reads lines, in order of time. A line in another form, for example one that was not written to its end, is left out. */
function readingsOf(text: string, fromMs: number, toMs: number): readonly PriceReading[] {
  return text
    .split('\n')
    .flatMap((line): PriceReading[] => {
      const [, seconds, written] = /^(\d{9,11}) (\d\S*)$/.exec(line) ?? [];
      const [atMs, price] = [Number(seconds) * SECOND_MS, Number(written)];
      return atMs >= fromMs && atMs <= toMs && price > 0 && Number.isFinite(price) ? [{ atMs, price }] : [];
    })
    .sort((one, other) => one.atMs - other.atMs);
}
