import type { Address } from '../../base/solana/address';
import type { Subscription, Clock } from '../../base/async/clock';
import { MINUTE_MS } from '../../base/time';

export interface UnlockedKeysDependencies {
  readonly clock: Clock;
  /** Minutes that a key stays unlocked. Read each time, so a shorter time applies to keys that are already unlocked. */
  readonly unlockMinutes: () => number;
  /** Called when keys were locked because their time was over. */
  readonly onExpired: () => void;
}

interface Unlocked {
  readonly seed: Uint8Array;
  /** The stored text that the seed was decrypted from. */
  readonly record: string;
  readonly sinceMs: number;
}

/** Holds decrypted keys, in memory only, and overwrites them when their time is over. */
export class UnlockedKeys {
  readonly #keys = new Map<Address, Unlocked>();
  #timer: Subscription | undefined;

  readonly #dependencies: UnlockedKeysDependencies;

  constructor(dependencies: UnlockedKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** Holds a copy of a seed that was decrypted from `record`. */
  hold(address: Address, seed: Uint8Array, record: string): void {
    this.lock(address);
    this.#keys.set(address, { seed: seed.slice(), record, sinceMs: this.#dependencies.clock.now() });
    this.#watch();
  }

  /** Returns a copy of the seed, which the caller overwrites; `undefined`: the key is locked, or its record has changed. */
  take(address: Address, record: string): Uint8Array | undefined {
    if (this.#expire()) {
      this.#dependencies.onExpired();
    }
    const unlocked = this.#keys.get(address);
    if (unlocked !== undefined && unlocked.record !== record) {
      this.lock(address);
      return undefined;
    }
    return unlocked?.seed.slice();
  }

  /** When the key locks again, in milliseconds since 1970; `undefined`: it is locked. */
  untilMs(address: Address): number | undefined {
    const unlocked = this.#keys.get(address);
    return unlocked === undefined || this.#isOver(unlocked) ? undefined : unlocked.sinceMs + this.#periodMs();
  }

  /** @returns true if the key was unlocked */
  lock(address: Address): boolean {
    this.#keys.get(address)?.seed.fill(0);
    return this.#keys.delete(address);
  }

  /** @returns how many keys were unlocked */
  lockAll(): number {
    const count = this.#keys.size;
    for (const address of [...this.#keys.keys()]) {
      this.lock(address);
    }
    this.#timer?.dispose();
    this.#timer = undefined;
    return count;
  }

  /** @returns true if any key was locked because its time was over */
  #expire(): boolean {
    const over = [...this.#keys].filter(([, unlocked]) => this.#isOver(unlocked));
    for (const [address] of over) {
      this.lock(address);
    }
    return over.length > 0;
  }

  /** Also true if the clock was set back: then the time that really passed is unknown. */
  #isOver({ sinceMs }: Unlocked): boolean {
    const passedMs = this.#dependencies.clock.now() - sinceMs;
    return passedMs < 0 || passedMs >= this.#periodMs();
  }

  #periodMs(): number {
    return this.#dependencies.unlockMinutes() * MINUTE_MS;
  }

  /** Checks at least once a minute: one timer for the whole period would miss that the machine slept or the setting changed. */
  #watch(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#keys.size === 0) {
      return;
    }
    const { clock, onExpired } = this.#dependencies;
    const nextEndMs = Math.min(...[...this.#keys.values()].map(({ sinceMs }) => sinceMs + this.#periodMs()));
    this.#timer = clock.after(Math.max(0, Math.min(nextEndMs - clock.now(), MINUTE_MS)), () => {
      const isAnyOver = this.#expire();
      this.#watch();
      if (isAnyOver) {
        onExpired();
      }
    });
  }
}
