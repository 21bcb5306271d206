import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseTransaction } from '../../base/solana/wireTransaction';
import type { Database } from '../store/database';
import type { Participant } from '../store/workingSet';
import { decodeExecution, encodeExecution } from './executionCodec';
import type { LandedTransaction } from './types';

/** How many landed transactions are remembered at least: ten thousand bundles of three. */
const REMEMBERED_TRANSACTIONS = 30_000;

/** Older ones are removed once per this many insertions. */
const PRUNED_EVERY = 300;

const BundleRow = z.object({ bundle: z.string() });
const SignatureRow = z.object({ signature: z.string() });
const LandedRow = z.object({
  signature: z.string(),
  slot: z.number(),
  block_time: z.number(),
  bytes: z.instanceof(Uint8Array),
  meta: z.string(),
});

/** A transaction that lands, with the name by which its message is remembered. */
export interface Landing {
  readonly messageHash: string;
  readonly transaction: LandedTransaction;
}

/**
 * What landed: the table `landed_transaction`, and what is not in it yet. Known by the messages themselves: a signature made
 * anew over the same message does not make another transaction.
 */
export class LandedTransactions implements Participant {
  readonly #unsaved = new Map<string, { readonly bundle: string; readonly place: number; readonly landing: Landing }>();
  readonly #sinceBegin: string[] = [];
  #untilPruning = 0;

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The signatures of the bundle with exactly these messages, where it has landed. */
  bundle(messageHashes: readonly string[]): readonly string[] | undefined {
    const bundle = bundleKey(messageHashes);
    const [first] = messageHashes;
    if (first === undefined || this.#bundleOf(first) !== bundle) {
      return undefined;
    }
    return this.#unsaved.has(first)
      ? messageHashes.map((hash) => this.#unsaved.get(hash)?.landing.transaction.signature ?? '')
      : this.#database
          .all(SignatureRow, 'SELECT signature FROM landed_transaction WHERE bundle = ? ORDER BY place', bundle)
          .map((row) => row.signature);
  }

  /** Says whether a transaction with this message has landed in any bundle. */
  has(messageHash: string): boolean {
    return this.#bundleOf(messageHash) !== undefined;
  }

  /** The transaction of that signature, as of the last commit. */
  find(signature: string): LandedTransaction | undefined {
    const row = this.#database.get(
      LandedRow,
      'SELECT signature, slot, block_time, bytes, meta FROM landed_transaction WHERE signature = ?',
      signature,
    );
    if (row === undefined) {
      return undefined;
    }
    const bytes = row.bytes.slice();
    return {
      signature,
      slot: row.slot,
      blockTime: Math.floor(row.block_time / 1_000),
      bytes,
      execution: decodeExecution(row.meta, parseTransaction(bytes).staticKeys),
    };
  }

  /** Remembers a bundle, with the next commit. */
  record(landings: readonly Landing[]): void {
    const bundle = bundleKey(landings.map((landing) => landing.messageHash));
    for (const [place, landing] of landings.entries()) {
      this.#unsaved.set(landing.messageHash, { bundle, place, landing });
      this.#sinceBegin.push(landing.messageHash);
    }
  }

  begin(): void {
    this.#sinceBegin.length = 0;
  }

  keep(): void {
    this.#sinceBegin.length = 0;
  }

  takeBack(): void {
    this.#sinceBegin.forEach((hash) => this.#unsaved.delete(hash));
    this.#sinceBegin.length = 0;
  }

  flush(): void {
    for (const [messageHash, { bundle, place, landing }] of this.#unsaved) {
      const { signature, slot, blockTime, bytes, execution } = landing.transaction;
      this.#database.run(
        'INSERT INTO landed_transaction (signature, message_hash, bundle, place, slot, block_time, bytes, meta) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        signature,
        messageHash,
        bundle,
        place,
        slot,
        blockTime * 1_000,
        bytes,
        encodeExecution(execution),
      );
    }
    this.#untilPruning -= this.#unsaved.size;
    if (this.#unsaved.size > 0 && this.#untilPruning <= 0) {
      this.#prune();
    }
    this.#unsaved.clear();
  }

  /** All of a bundle is in one slot: bundles are remembered or forgotten whole. */
  #prune(): void {
    this.#database.run(
      'DELETE FROM landed_transaction WHERE slot < (SELECT slot FROM landed_transaction ORDER BY slot DESC LIMIT 1 OFFSET ?)',
      REMEMBERED_TRANSACTIONS,
    );
    this.#untilPruning = PRUNED_EVERY;
  }

  #bundleOf(messageHash: string): string | undefined {
    return (
      this.#unsaved.get(messageHash) ??
      this.#database.get(BundleRow, 'SELECT bundle FROM landed_transaction WHERE message_hash = ?', messageHash)
    )?.bundle;
  }
}

/** The name by which a message is remembered: sha256, base64url. */
export function messageHash(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('base64url');
}

function bundleKey(messageHashes: readonly string[]): string {
  return createHash('sha256').update(messageHashes.join('.')).digest('base64url');
}
