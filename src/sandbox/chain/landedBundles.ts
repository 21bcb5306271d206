import { createHash } from 'node:crypto';
import type { ChainState } from './types';

/** How many landed bundles are remembered. */
const REMEMBERED_BUNDLES = 10_000;

/** A hash of each message, in order, with this between them. */
const SEPARATOR = '.';

/** What landed, by the messages themselves: a signature made anew over the same message does not make another transaction. */
export class LandedBundles {
  private readonly bundles = new Map<string, ChainState['landed'][number]>();
  private readonly messages = new Set<string>();

  constructor(landed: ChainState['landed']) {
    for (const bundle of landed) {
      this.add(bundle);
    }
  }

  /** The signatures of the bundle with exactly these messages, where it has landed. */
  find(messageHashes: readonly string[]): readonly string[] | undefined {
    return this.bundles.get(messageHashes.join(SEPARATOR))?.signatures;
  }

  /** Says whether a transaction with this message has landed in any bundle. */
  has(messageHash: string): boolean {
    return this.messages.has(messageHash);
  }

  /** Remembers a bundle; forgets the oldest one when there are too many. */
  record(messageHashes: readonly string[], signatures: readonly string[]): void {
    this.add({ key: messageHashes.join(SEPARATOR), signatures });
    const [oldest] = this.bundles.keys();
    if (this.bundles.size > REMEMBERED_BUNDLES && oldest !== undefined) {
      this.bundles.delete(oldest);
      for (const hash of oldest.split(SEPARATOR)) {
        this.messages.delete(hash);
      }
    }
  }

  /** All that are remembered, the oldest first. */
  save(): ChainState['landed'] {
    return [...this.bundles.values()];
  }

  private add(bundle: ChainState['landed'][number]): void {
    this.bundles.set(bundle.key, bundle);
    for (const hash of bundle.key.split(SEPARATOR)) {
      this.messages.add(hash);
    }
  }
}

/** The name by which a message is remembered: sha256, base64url. */
export function messageHash(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('base64url');
}
