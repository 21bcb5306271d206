/** What was traded in one span of time. Times in milliseconds since 1970, money in US dollars. */
export interface Bucket {
  readonly startsAt: number;
  readonly volumeUsd: number;
  readonly feeUsd: number;
  /** What one whole X was worth at its first trade. */
  readonly priceUsd: number;
}

/** Buckets of one width: how wide, and how long they are kept. */
export interface Keeping {
  readonly widthMs: number;
  readonly keptMs: number;
}

/**
 * Buckets of one width, oldest first; spans without trades have none. Kept as columns of plain numbers: a past makes hundreds of
 * thousands of buckets, and objects would be the larger part of the work.
 */
export class RollingBuckets {
  #starts: number[] = [];
  #volumes: number[] = [];
  #fees: number[] = [];
  #prices: number[] = [];
  /** Where what is not written begins; `undefined`: all of it is. */
  #unwrittenFrom: number | undefined;
  #grown = false;

  constructor(readonly keeping: Keeping) {}

  /** When the newest bucket begins. */
  get newest(): number | undefined {
    return this.#starts.at(-1);
  }

  /** Says whether buckets were added since {@link written}. */
  get hasGrown(): boolean {
    return this.#grown;
  }

  /** Buckets that begin at `from` or later, oldest first. */
  since(from: number): Bucket[] {
    const first = this.#starts.findLastIndex((startsAt) => startsAt < from) + 1;
    return this.#starts.slice(first).map((_, index) => this.#bucket(first + index));
  }

  /** The same one after the other, without a list of them: what a record says of many pools goes through tens of thousands. */
  eachSince(from: number, take: (startsAt: number, volumeUsd: number, feeUsd: number) => void): void {
    for (let place = this.#starts.findLastIndex((startsAt) => startsAt < from) + 1; place < this.#starts.length; place += 1) {
      take(this.#starts[place] ?? NaN, this.#volumes[place] ?? NaN, this.#fees[place] ?? NaN);
    }
  }

  /** The newest bucket that begins at `at` or before; the oldest one where none is so old. */
  by(at: number): Bucket | undefined {
    return this.#starts.length === 0
      ? undefined
      : this.#bucket(
          Math.max(
            0,
            this.#starts.findLastIndex((startsAt) => startsAt <= at),
          ),
        );
  }

  /** Adds what was traded to the bucket of that moment, which is the newest one or a later one; drops what is too old. */
  add(now: number, volumeUsd: number, feeUsd: number, priceUsd: number): void {
    const { widthMs, keptMs } = this.keeping;
    const startsAt = Math.floor(now / widthMs) * widthMs;
    const last = this.#starts.length - 1;
    if (this.#starts[last] === startsAt) {
      this.#volumes[last] = (this.#volumes[last] ?? 0) + volumeUsd;
      this.#fees[last] = (this.#fees[last] ?? 0) + feeUsd;
    } else {
      this.push({ startsAt, volumeUsd, feeUsd, priceUsd });
      this.#forget(startsAt - keptMs);
      this.#grown = true;
    }
    this.#unwrittenFrom ??= startsAt;
  }

  /** Puts a bucket that is written already behind the others. */
  push({ startsAt, volumeUsd, feeUsd, priceUsd }: Bucket): void {
    this.#starts.push(startsAt);
    this.#volumes.push(volumeUsd);
    this.#fees.push(feeUsd);
    this.#prices.push(priceUsd);
  }

  /** What has to be written, oldest first. */
  unwritten(): Bucket[] {
    return this.#unwrittenFrom === undefined ? [] : this.since(this.#unwrittenFrom);
  }

  /** Takes note that everything is written now. */
  written(): void {
    this.#unwrittenFrom = undefined;
    this.#grown = false;
  }

  copy(): RollingBuckets {
    const copy = new RollingBuckets(this.keeping);
    copy.#starts = this.#starts.slice();
    copy.#volumes = this.#volumes.slice();
    copy.#fees = this.#fees.slice();
    copy.#prices = this.#prices.slice();
    copy.#unwrittenFrom = this.#unwrittenFrom;
    copy.#grown = this.#grown;
    return copy;
  }

  #bucket(place: number): Bucket {
    const of = (column: readonly number[]): number => column[place] ?? NaN;
    return { startsAt: of(this.#starts), volumeUsd: of(this.#volumes), feeUsd: of(this.#fees), priceUsd: of(this.#prices) };
  }

  /** Drops buckets that begin before that moment. */
  #forget(before: number): void {
    while ((this.#starts[0] ?? before) < before) {
      this.#starts.shift();
      this.#volumes.shift();
      this.#fees.shift();
      this.#prices.shift();
    }
  }
}
