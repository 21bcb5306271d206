import { addressBytes, type Address } from '../solana/address';
import { base64FromBytes, type Base64Transaction } from '../solana/base64Transaction';
import { verifyEd25519 } from '../solana/ed25519';
import { isEmptySignature, parseTransaction } from '../solana/wire';
import { operationContext, transactionContext, type OperationContext } from './context';
import { decodeTransaction, type TransactionView } from './decode';
import { describeTransaction } from './describe';
import { programName } from './knownPrograms';
import { Notes } from './notes';
import { DEFAULT_POLICY, type PolicySettings } from './policy';
import { readInstructions, type ReadTransaction } from './reading';
import { reviewFees } from './rules/budget';
import { reviewDecoding } from './rules/decoding';
import { reviewLimits } from './rules/limits';
import { reviewPositionPlan } from './rules/positionPlan';
import { reviewInstruction } from './rules/programs';
import { reviewRemovals } from './rules/removals';
import { reviewSignatures } from './rules/signatures';
import { sumSpends } from './spends';
import type { DecodedTransaction, Finding, Intent, Review, TransactionGroup, Verdict } from './types';

/** What is to be reviewed: all transactions of one operation, in the order in which they land. */
export interface ReviewInput {
  readonly intent: Intent;
  readonly transactions: readonly { readonly group: TransactionGroup; readonly base64: Base64Transaction }[];
  readonly lastValidBlockHeight: number | undefined;
  readonly policy?: Partial<PolicySettings>;
}

/**
 * Reads every transaction of an operation against what the user asked for (review policy). What is not understood is not
 * allowed, and one blocked transaction blocks them all (BND-4). Works offline; never throws, whatever the bytes are.
 */
export function reviewOperation(input: ReviewInput): Review {
  const notes = new Notes();
  const readable: ReadTransaction[] = [];
  let described: readonly DecodedTransaction[] = [];
  const policy = { ...DEFAULT_POLICY, ...input.policy };
  const count = input.transactions.length;
  if (count > policy.blockTransactions) {
    notes.operation('BND-1', 'block', `There are ${count} transactions; more than ${policy.blockTransactions} are not even read.`);
    return summarize(input, notes, readable, described);
  }
  try {
    input.transactions.forEach(({ base64, group }, index) => {
      const decoded = decodeTransaction(base64, group, index);
      if ('rule' in decoded) {
        notes.at(index).block(decoded.rule, decoded.message);
      } else {
        readable.push(readInstructions(decoded));
      }
    });
    const context = operationContext(input.intent, policy, readable, count);
    applyRules(context, notes);
    described = readable.map((transaction) => describeTransaction(transaction, context));
  } catch (error) {
    // A mistake of ours must not turn into a signature.
    notes.operation('DEC-2', 'block', `The review could not be finished: ${error instanceof Error ? error.message : 'unknown fault'}.`);
  }
  return summarize(input, notes, readable, described);
}

function applyRules(context: OperationContext, notes: Notes): void {
  for (const transaction of context.transactions) {
    const scope = transactionContext(context, transaction);
    const { index } = transaction.view;
    for (const rule of [reviewDecoding, reviewSignatures, reviewFees]) {
      rule(scope, notes.at(index));
    }
    for (const reading of transaction.readings) {
      reviewInstruction(reading, scope, notes.at(index, reading.index));
    }
  }
  reviewPositionPlan(context, notes);
  reviewRemovals(context, notes);
  reviewLimits(context, notes);
}

function summarize(
  input: ReviewInput,
  notes: Notes,
  readable: readonly ReadTransaction[],
  transactions: readonly DecodedTransaction[],
): Review {
  const { intent, lastValidBlockHeight } = input;
  const findings = [...notes.findings].sort(worstFirst);
  const verdict = findings.reduce<Verdict>((worst, { verdict: next }) => (next !== 'info' && SEVERITY[next] < SEVERITY[worst] ? next : worst), 'allow');
  const recipients = notes.effects.filter((effect) => effect.kind === 'recipient').map(({ address, role }) => ({ address, role }));
  return {
    verdict,
    intent,
    findings,
    spends: sumSpends(notes.effects),
    minimumOut: notes.effects.filter((effect) => effect.kind === 'minimumOut').map(({ mint, amountRaw, from }) => ({ mint, amountRaw, from })),
    tokenSpends: notes.effects.filter((effect) => effect.kind === 'spendToken').map(({ mint, amountRaw, into }) => ({ mint, amountRaw, into })),
    programs: [...new Set(readable.flatMap(({ readings }) => readings.map((reading) => programName(reading.view.program))))],
    recipients: recipients.filter((one, place) => recipients.findIndex((other) => other.address === one.address && other.role === one.role) === place),
    transactions,
    lastValidBlockHeight,
    reviewed: verdict === 'block' ? [] : readable.map(({ view }) => new Reviewed(SEAL, view, intent.owner)),
  };
}

const SEVERITY = { block: 0, confirm: 1, allow: 2, info: 3 } as const;

function worstFirst(one: Finding, other: Finding): number {
  return (
    SEVERITY[one.verdict] - SEVERITY[other.verdict] ||
    (one.transaction ?? -1) - (other.transaction ?? -1) ||
    (one.instruction ?? -1) - (other.instruction ?? -1)
  );
}

/** Only this file has it: nobody else can make a {@link Reviewed}. */
const SEAL = Symbol('reviewed');

/**
 * A transaction that the review has read and did not block. The bytes are in a private field that no cast can imitate,
 * and only {@link signReviewed} reads them.
 */
class Reviewed {
  readonly group: TransactionGroup;
  readonly owner: Address;
  /** sha256 of the message, hex. */
  readonly messageHash: string;
  readonly #bytes: Uint8Array;

  constructor(seal: typeof SEAL, view: TransactionView, owner: Address) {
    if (seal !== SEAL) {
      throw new TypeError('Only a review makes reviewed transactions');
    }
    this.group = view.group;
    this.owner = owner;
    this.messageHash = view.messageHash;
    this.#bytes = view.bytes.slice();
    Object.freeze(this);
  }

  /** Gives a copy of the reviewed wire bytes; `undefined` for anything that this class has not made. */
  static bytesOf(value: unknown): Uint8Array | undefined {
    return typeof value === 'object' && value !== null && #bytes in value ? value.#bytes.slice() : undefined;
  }
}

export type ReviewedTransaction = Reviewed;

/** Why a transaction was not signed; nothing was handed out. */
export class NotSignableError extends Error {
  override readonly name = 'NotSignableError';
  constructor(
    /** It did not come from a review; it is another wallet's; its place is filled; what came back is not the owner's signature. */
    readonly kind: 'notReviewed' | 'otherOwner' | 'alreadySigned' | 'badSignature',
    message: string,
  ) {
    super(message);
  }
}

/** How a signer signs reviewed transactions; see {@link signReviewed}. */
export type SignReviewed = (transaction: ReviewedTransaction, owner: Address, sign: (message: Uint8Array) => Uint8Array) => Base64Transaction;

const SIGNATURE_BYTES = 64;

/**
 * Signs a reviewed transaction (policy §13): `sign` gets exactly the message that was reviewed, its signature is verified
 * and put into the owner's place, and not one other byte changes. Signatures that the transaction carries already stay.
 * @throws NotSignableError where the value is not from a review, is another owner's, or the signature is not right;
 * `sign` is not called then, or its result is not used.
 */
export const signReviewed: SignReviewed = (transaction, owner, sign) => {
  const bytes = Reviewed.bytesOf(transaction);
  if (bytes === undefined) {
    throw new NotSignableError('notReviewed', 'The transaction does not come from a review: it is not signed.');
  }
  const wire = parseTransaction(bytes);
  const slot = wire.staticKeys.indexOf(owner);
  const present = wire.signatures[slot];
  if (owner !== transaction.owner || present === undefined) {
    throw new NotSignableError('otherOwner', `The transaction was reviewed for ${transaction.owner}: the key of ${owner} does not sign it.`);
  }
  if (!isEmptySignature(present)) {
    throw new NotSignableError('alreadySigned', 'The place of the signature is already filled.');
  }
  const message = bytes.slice(wire.messageOffset);
  const signature = sign(message.slice());
  if (signature.length !== SIGNATURE_BYTES || !verifyEd25519(addressBytes(owner), message, signature)) {
    throw new NotSignableError('badSignature', `The signature is not one of ${owner} over this transaction.`);
  }
  const signed = bytes.slice();
  signed.set(signature, wire.signaturesOffset + SIGNATURE_BYTES * slot);
  assertAllSigned(signed);
  return base64FromBytes(signed);
};

/** Reads the result once more, from the first byte on: every signature must be there and right. */
function assertAllSigned(bytes: Uint8Array): void {
  const { signatures, staticKeys, messageOffset } = parseTransaction(bytes);
  const message = bytes.subarray(messageOffset);
  const complete = signatures.every((signature, slot) => {
    const signer = staticKeys[slot];
    return signer !== undefined && verifyEd25519(addressBytes(signer), message, signature);
  });
  if (!complete) {
    throw new NotSignableError('badSignature', 'The signed transaction does not carry all of its signatures.');
  }
}
