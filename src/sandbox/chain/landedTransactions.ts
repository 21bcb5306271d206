import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { parseTransaction } from '../../base/solana/wireTransaction';
import type { Database } from '../store/database';
import { StoredAddress } from '../store/meta';
import type { Participant } from '../store/workingSet';
import type { BalanceChange, Execution, ExecutedTransaction, TokenBalanceChange } from './types';

/** Minimum number of landed transactions kept: ten thousand bundles of three. */
const REMEMBERED_TRANSACTIONS = 30_000;

/** Insertions between two deletions of older transactions. */
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

/** A transaction that has just landed, with the hash of its message. */
export interface NewlyLanded {
  readonly messageHash: string;
  readonly transaction: ExecutedTransaction;
}

/**
 * Landed transactions: the table `landed_transaction`, and those not committed yet. They are identified by their messages: another
 * signature over the same message is the same transaction.
 */
export class LandedTransactions implements Participant {
  readonly #unsaved = new Map<string, { readonly bundle: string; readonly place: number; readonly landing: NewlyLanded }>();
  readonly #sinceBegin: string[] = [];
  #untilPruning = 0;

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The signatures of the landed bundle with exactly these messages; `undefined` if there is none. */
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

  /** Returns true if a transaction with this message has landed in any bundle. */
  has(messageHash: string): boolean {
    return this.#bundleOf(messageHash) !== undefined;
  }

  /** The transaction with this signature, as of the last commit. */
  find(signature: string): ExecutedTransaction | undefined {
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

  /** Records a bundle; the next commit writes it. */
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

  /** A bundle is in one slot, so bundles are deleted as a whole. */
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

/** Hash of a message: SHA-256, base64url. */
export function messageHash(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('base64url');
}

function bundleKey(messageHashes: readonly string[]): string {
  return createHash('sha256').update(messageHashes.join('.')).digest('base64url');
}

const rawText = z.string().regex(/^\d+$/);

const keyIndex = z.int().nonnegative();

/** Stored form of an execution. Accounts are indexes into the message, which is stored beside it, to save space. */
const SavedExecution = z.object({
  fee: rawText,
  units: rawText,
  logs: z.array(z.string()),
  /** Before and after; one number if they are equal. */
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
  /** Addresses from lookup tables; absent if there are none. */
  loaded: z.object({ writable: z.array(StoredAddress), readonly: z.array(StoredAddress) }).optional(),
  inner: z.array(z.object({ within: keyIndex, program: keyIndex, accounts: z.array(keyIndex), data: z.base64(), height: keyIndex })),
});

/** Encodes an execution for the database. */
function encodeExecution({ feeLamports, computeUnits, logs, loaded, lamports, tokens, inner }: Execution): string {
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
 * Decodes the text of {@link encodeExecution}.
 * @param staticKeys the account keys of the message
 * @throws z.ZodError or SyntaxError if the text is malformed
 */
function decodeExecution(text: string, staticKeys: readonly Address[]): Execution {
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
