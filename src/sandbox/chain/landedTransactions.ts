import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { parseTransaction } from '../../base/solana/wireTransaction';
import type { Database } from '../store/database';
import { StoredAddress } from '../store/meta';
import type { Participant } from '../store/workingSet';
import type { BalanceChange, Execution, LandedTransaction, TokenBalanceChange } from './types';

const rawText = z.string().regex(/^\d+$/);
const keyIndex = z.int().nonnegative();

/** Accounts are named by their place in the message, which is kept beside this: there are many landed transactions. */
const SavedExecution = z.object({
  fee: rawText,
  units: rawText,
  logs: z.array(z.string()),
  /** Before and after, or only one of them where they are the same. */
  lamports: z.array(z.union([z.tuple([rawText]), z.tuple([rawText, rawText])])),
  tokens: z.array(
    z.object({
      key: keyIndex,
      mint: StoredAddress,
      holder: StoredAddress,
      decimals: keyIndex,
      program: StoredAddress,
      before: rawText.optional(),
      after: rawText.optional(),
    }),
  ),
  /** What it takes from lookup tables; absent where that is nothing. */
  loaded: z.object({ writable: z.array(StoredAddress), readonly: z.array(StoredAddress) }).optional(),
  inner: z.array(z.object({ within: keyIndex, program: keyIndex, accounts: z.array(keyIndex), data: z.base64(), height: keyIndex })),
});

/** Writes what a transaction did, for a database. */
export function encodeExecution({ feeLamports, computeUnits, logs, loaded, lamports, tokens, inner }: Execution): string {
  const places = new Map(lamports.map(({ address: of }, place) => [of, place]));
  const saved: z.input<typeof SavedExecution> = {
    fee: feeLamports.toString(),
    units: computeUnits.toString(),
    logs: [...logs],
    lamports: lamports.map(({ before, after }) => (before === after ? [before.toString()] : [before.toString(), after.toString()])),
    tokens: tokens.map((token) => ({
      key: places.get(token.address) ?? 0,
      mint: token.mint,
      holder: token.holder,
      decimals: token.decimals,
      program: token.program,
      before: token.before?.toString(),
      after: token.after?.toString(),
    })),
    ...(loaded === undefined ? {} : { loaded: { writable: [...loaded.writable], readonly: [...loaded.readonly] } }),
    inner: inner.map(({ within, programIdIndex, accountIndexes, data, stackHeight }) => ({
      within,
      program: programIdIndex,
      accounts: [...accountIndexes],
      data: Buffer.from(data).toString('base64'),
      height: stackHeight,
    })),
  };
  return JSON.stringify(saved);
}

/**
 * Reads what {@link encodeExecution} wrote. `staticKeys`: the accounts that the message names, in its order.
 * @throws z.ZodError or SyntaxError where it is something else.
 */
export function decodeExecution(text: string, staticKeys: readonly Address[]): Execution {
  const saved = SavedExecution.parse(JSON.parse(text));
  const { loaded } = saved;
  const keys = loaded === undefined ? staticKeys : [...staticKeys, ...loaded.writable, ...loaded.readonly];
  const keyAt = (place: number): Address => keys[place] ?? raise(`There is no account ${place} in the message`);
  return {
    feeLamports: BigInt(saved.fee),
    computeUnits: BigInt(saved.units),
    logs: saved.logs,
    loaded,
    lamports: saved.lamports.map(([before, after = before], place): BalanceChange => ({
      address: keyAt(place),
      before: BigInt(before),
      after: BigInt(after),
    })),
    tokens: saved.tokens.map(({ key, before, after, ...token }): TokenBalanceChange => ({
      ...token,
      address: keyAt(key),
      before: before === undefined ? undefined : BigInt(before),
      after: after === undefined ? undefined : BigInt(after),
    })),
    inner: saved.inner.map(({ within, program, accounts, data, height }) => ({
      within,
      programIdIndex: program,
      accountIndexes: accounts,
      data: new Uint8Array(Buffer.from(data, 'base64')),
      stackHeight: height,
    })),
  };
}

function raise(message: string): never {
  throw new SyntaxError(message);
}

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
export interface NewlyLanded {
  readonly messageHash: string;
  readonly transaction: LandedTransaction;
}

/**
 * What landed: the table `landed_transaction`, and what is not in it yet. Known by the messages themselves: a signature made
 * anew over the same message does not make another transaction.
 */
export class LandedTransactions implements Participant {
  readonly #unsaved = new Map<string, { readonly bundle: string; readonly place: number; readonly landing: NewlyLanded }>();
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
  record(landings: readonly NewlyLanded[]): void {
    const bundle = bundleKey(landings.map((landing) => landing.messageHash));
    for (const [place, landing] of landings.entries()) {
      this.#unsaved.set(landing.messageHash, { bundle, place, landing });
      this.#sinceBegin.push(landing.messageHash);
    }
  }

  begin(): void {
    this.#sinceBegin.length = 0;
  }

  release(): void {
    this.#sinceBegin.length = 0;
  }

  rollBack(): void {
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
