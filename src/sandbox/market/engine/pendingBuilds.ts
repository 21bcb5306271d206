import * as z from 'zod';
import { STRATEGIES } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import { messageOf, parseTransaction } from '../../../base/solana/wireTransaction';
import { DAY_MS, HOUR_MS } from '../../../base/time';
import { messageHash } from '../../chain/landedTransactions';
import { OPERATION_KINDS, type EngineOperationKind } from '../../../engine/engine';
import { findIssued, type IssuedMessages } from '../../../engine/landing/findIssued';
import { PUT_META, readJson, readMeta, StoredAddress } from '../../store/meta';
import type { Database } from '../../store/database';
import type { UnitOfWork } from '../../store/unitOfWork';

/** Terms of an operation that its instructions don't contain. */
export const OperationTerms = z.object({
  /** The positions of the operation: several only in a claim. */
  positions: z.array(StoredAddress).readonly(),
  /** Strategy of a new position. */
  strategy: z.enum(STRATEGIES).nullable(),
  /** Active bin at building, and how far it may move until landing; `null` if the instructions have bounds of their own. */
  price: z.object({ activeBinId: z.int(), binsOfSlippage: z.int() }).nullable(),
});
export type OperationTerms = z.output<typeof OperationTerms>;

/** Each operation is handed out with a tip and without one. Once one variant lands, the other can't. */
const VARIANTS = ['withJito', 'plain'] as const;
/** One of {@link VARIANTS}. */
export type Variant = (typeof VARIANTS)[number];

/** An operation that was built and handed out, and may land. */
export interface Operation {
  readonly number: number;
  readonly kind: EngineOperationKind;
  readonly owner: Address;
  readonly promised: OperationTerms;
  /** Signatures of the landed transactions: all, or only the first ones after the fault `partial`; `undefined` before landing. */
  readonly landedSignatures: readonly string[] | undefined;
}

const OperationRow = z.object({
  number: z.int(),
  kind: z.enum(OPERATION_KINDS),
  owner: StoredAddress,
  promised: z.string(),
  landed_signatures: z.string().nullable(),
});
const MessageRow = z.object({ operation: z.int(), variant: z.enum(VARIANTS), place: z.int() });
type MessageRow = z.output<typeof MessageRow>;
const Count = z.object({ count: z.int() });
const NumberRow = z.object({ number: z.int() });
const Signatures = z.array(z.string());
/** The newest blockhash of an operation, and the first operation with it. */
const SameBlockhash = z.object({ blockhash: z.string(), firstNumber: z.int() });
type SameBlockhash = z.output<typeof SameBlockhash>;
const SAME_BLOCKHASH_KEY = 'sameBlockhash';

/** All operations that the service has built; nothing else lands. Stored for a day in the tables `operation` and `issued_message`. */
export class PendingBuilds {
  #last: number;
  #prunedAt = 0;
  /** Stored, too: a sandbox that starts again may go on with the same blockhash. */
  #sameBlockhash: SameBlockhash | undefined;

  readonly #database: Database;
  readonly #unit: UnitOfWork;

  constructor(database: Database, unit: UnitOfWork) {
    this.#database = database;
    this.#unit = unit;

    const newest = database.get(z.object({ number: z.int().nullable() }), 'SELECT max(number) AS number FROM operation');
    this.#last = newest?.number ?? 0;
    this.#sameBlockhash = readMeta(database, SAME_BLOCKHASH_KEY, SameBlockhash);
  }

  /** The number of the next operation. */
  get nextNumber(): number {
    return this.#last + 1;
  }

  /** How many operations were built with this blockhash before the next one, as far as they follow one another. */
  sameBlockhash(blockhash: string): number {
    if (blockhash !== this.#sameBlockhash?.blockhash) {
      this.#sameBlockhash = { blockhash, firstNumber: this.nextNumber };
    }
    return this.nextNumber - this.#sameBlockhash.firstNumber;
  }

  /** Stores an operation with the next commit. @param now milliseconds since 1970 */
  add(
    of: { readonly kind: EngineOperationKind; readonly owner: Address; readonly promised: OperationTerms },
    variants: Readonly<Record<Variant, readonly Uint8Array[]>>,
    now: number,
  ): void {
    this.#prune(now);
    this.#last += 1;
    const number = this.#last;
    if (this.#sameBlockhash !== undefined) {
      this.#unit.append(PUT_META, SAME_BLOCKHASH_KEY, JSON.stringify(this.#sameBlockhash));
    }
    this.#unit.append(
      'INSERT INTO operation (number, kind, owner, promised, issued_at) VALUES (?, ?, ?, ?, ?)',
      number,
      of.kind,
      of.owner,
      JSON.stringify(of.promised),
      now,
    );
    for (const variant of VARIANTS) {
      variants[variant].forEach((transaction, place) =>
        this.#unit.append(
          'INSERT INTO issued_message (hash, operation, variant, place) VALUES (?, ?, ?, ?)',
          messageHashOf(transaction),
          number,
          variant,
          place,
        ),
      );
    }
  }

  /** Marks an operation as landed with the next commit; fewer signatures than transactions mean a partial execution, which is final. */
  markLanded(operation: Operation, signatures: readonly string[]): void {
    this.#unit.append('UPDATE operation SET landed_signatures = ? WHERE number = ?', JSON.stringify(signatures), operation.number);
  }

  /**
   * Finds the operation of transactions with these messages.
   * @throws EngineError unless they are all transactions of one variant of one operation of this kind, in order
   */
  find(kind: EngineOperationKind, hashes: readonly string[]): Operation {
    const messages: IssuedMessages<MessageRow> = {
      placesOf: (hash) => this.#database.all(MessageRow, 'SELECT operation, variant, place FROM issued_message WHERE hash = ?', hash),
      sizeOf: ({ operation, variant }) =>
        this.#database.get(Count, 'SELECT count(*) AS count FROM issued_message WHERE operation = ? AND variant = ?', operation, variant)
          ?.count ?? 0,
      kindOf: (operation) => this.#operation(operation)?.kind,
      isSubmitted: (operation) => this.#operation(operation)?.landedSignatures !== undefined,
    };
    const { operation: number } = findIssued(messages, kind, hashes);
    const operation = this.#operation(number);
    if (operation === undefined) {
      throw new RangeError(`Operation ${number} was found and is not stored`);
    }
    return operation;
  }

  /** Terms of the operation of a well-formed transaction; `undefined` if it was not built here. */
  promisedOf(transaction: Uint8Array): OperationTerms | undefined {
    const row = this.#database.get(NumberRow, 'SELECT operation AS number FROM issued_message WHERE hash = ?', messageHashOf(transaction));
    return row && this.#operation(row.number)?.promised;
  }

  #operation(number: number): Operation | undefined {
    const row = this.#database.get(
      OperationRow,
      'SELECT number, kind, owner, promised, landed_signatures FROM operation WHERE number = ?',
      number,
    );
    if (row === undefined) {
      return undefined;
    }
    return {
      number,
      kind: row.kind,
      owner: row.owner,
      promised: readJson(OperationTerms, row.promised, `What operation ${number} promised`),
      landedSignatures:
        row.landed_signatures === null ? undefined : readJson(Signatures, row.landed_signatures, `How operation ${number} landed`),
    };
  }

  #prune(now: number): void {
    if (now - this.#prunedAt < HOUR_MS) {
      return;
    }
    this.#prunedAt = now;
    this.#unit.append('DELETE FROM issued_message WHERE operation IN (SELECT number FROM operation WHERE issued_at < ?)', now - DAY_MS);
    this.#unit.append('DELETE FROM operation WHERE issued_at < ?', now - DAY_MS);
  }
}

/** Hash of a transaction's message. @throws WireError if the bytes are not a transaction */
export function messageHashOf(bytes: Uint8Array): string {
  return messageHash(messageOf(bytes, parseTransaction(bytes)));
}
