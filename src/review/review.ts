import * as l10n from '@vscode/l10n';
import { type Address, addressBytes } from '../base/solana/address';
import { base64FromBytes } from '../base/solana/base64Transaction';
import { verifyEd25519 } from '../base/solana/ed25519';
import { isEmptySignature, parseTransaction } from '../base/solana/wireTransaction';
import { operationContext, type OperationContext, transactionContext } from './context';
import { readInstructions, type ReadTransaction } from './decode/instructions';
import { programName } from './decode/programs';
import { decodeTransaction, type TransactionView } from './decode/transaction';
import { describeTransaction } from './describe/transaction';
import { NO_FACTS } from './facts/facts';
import { NO_QUESTIONS, openQuestions, watchedAccounts } from './facts/questions';
import { type Effect, Notes } from './notes';
import { DEFAULT_POLICY, type PolicySettings } from './policy';
import { reviewFees } from './rules/budget';
import { reviewDecoding } from './rules/decoding';
import { depositBins } from './rules/dlmmRange';
import { reviewBlockhash } from './rules/durableNonce';
import { reviewLimits } from './rules/limits';
import { reviewListedPrices } from './rules/listedPrices';
import { reviewMints } from './rules/mints';
import { reviewOwnAccounts } from './rules/ownAccounts';
import { reviewPositionPlan } from './rules/positionPlan';
import { reviewInstruction } from './rules/programs';
import { reviewRemovals } from './rules/removals';
import { reviewSignatures } from './rules/signatures';
import { reviewSimulation, simulatedChange } from './rules/simulation';
import { reviewSwapFunds } from './rules/swapFunds';
import { sumSpends } from './spends';
import type {
  DecodedTransaction,
  Finding,
  Review,
  ReviewBasis,
  ReviewedTransaction,
  ReviewInput,
  SignReviewed,
  Spends,
  TokenSpend,
  TransactionGroup,
  Verdict,
} from './types';

/** How long a review counts (policy §13). */
export const REVIEW_LIFETIME_MS = 60_000;

/**
 * Reads every transaction of an operation against what the user asked for (review policy). What is not understood is not
 * allowed, and one blocked transaction blocks them all (BND-4). Asks nobody: what an RPC of the user's could add is in the
 * `questions` of the result, and is given as `facts` to the next review of the same. Never throws, whatever the bytes are.
 */
export function reviewOperation(input: ReviewInput): Review {
  const notes = new Notes();
  const policy = { ...DEFAULT_POLICY, ...input.policy };
  const count = input.transactions.length;
  if (count > policy.blockTransactions) {
    notes.operation('BND-1', 'block', l10n.t`There are ${count} transactions; more than ${policy.blockTransactions} are not even read.`);
    return summarize(input, notes, nothingRead(input));
  }
  try {
    return summarize(input, notes, readAll(input, policy, notes));
  } catch (error) {
    // A mistake of ours must not turn into a signature.
    notes.operation(
      'DEC-2',
      'block',
      l10n.t`The review could not be finished: ${error instanceof Error ? error.message : l10n.t('unknown fault')}.`,
    );
    return summarize(input, notes, nothingRead(input));
  }
}

/** What was read of the transactions, apart from what there is to say of them. */
interface Outcome extends Pick<Review, 'questions' | 'watched' | 'checked' | 'simulated'> {
  readonly readable: readonly ReadTransaction[];
  readonly described: readonly DecodedTransaction[];
}

function nothingRead({ intent }: ReviewInput): Outcome {
  return {
    readable: [],
    described: [],
    questions: NO_QUESTIONS,
    watched: [intent.owner],
    checked: { resolvedTables: 0, usedTables: 0, simulation: undefined },
  };
}

function readAll({ intent, transactions, facts = NO_FACTS, prior }: ReviewInput, policy: PolicySettings, notes: Notes): Outcome {
  const readable: ReadTransaction[] = [];
  transactions.forEach(({ base64, group }, index) => {
    const decoded = decodeTransaction(base64, group, index, facts.lookupTables);
    if ('rule' in decoded) {
      notes.at(index).block(decoded.rule, decoded.message);
    } else {
      readable.push(readInstructions(decoded));
    }
  });
  const context = operationContext(intent, policy, readable, transactions.length, facts);
  applyRules(context, notes, prior);
  return {
    readable,
    described: readable.map((transaction) => describeTransaction(transaction, context)),
    questions: openQuestions(context),
    watched: watchedAccounts(context),
    checked: basisOf(context),
    simulated: simulatedChange(context),
  };
}

function applyRules(context: OperationContext, notes: Notes, prior: Spends | undefined): void {
  for (const transaction of context.transactions) {
    const scope = transactionContext(context, transaction);
    const { index } = transaction.view;
    for (const rule of [reviewDecoding, reviewBlockhash, reviewSignatures, reviewFees]) {
      rule(scope, notes.at(index));
    }
    for (const reading of transaction.readings) {
      reviewInstruction(reading, scope, notes.at(index, reading.index));
    }
  }
  reviewMints(context, notes);
  reviewOwnAccounts(context, notes);
  reviewListedPrices(context, notes);
  reviewPositionPlan(context, notes);
  reviewRemovals(context, notes);
  reviewSwapFunds(context, notes);
  reviewLimits(context, notes, prior);
  reviewSimulation(context, notes);
  noteProblem(context, notes);
}

/** The name under which trouble with an RPC is said. */
export const RPC_RULE = 'RPC-1';

/** What the user's RPC did not answer is said: the review is then one of the bytes in that regard. */
function noteProblem({ facts: { problem } }: OperationContext, notes: Notes): void {
  if (problem !== undefined) {
    notes.operation(
      RPC_RULE,
      'info',
      l10n.t`Your RPC could not be asked about everything; there, the review goes by the transactions alone. ${problem}`,
    );
  }
}

function basisOf({ facts: { simulation }, transactions, transactionCount }: OperationContext): ReviewBasis {
  const tables = new Map(transactions.flatMap(({ view }) => view.tables).map((table) => [table.address, table]));
  return {
    resolvedTables: [...tables.values()].filter(({ content }) => content !== undefined).length,
    usedTables: tables.size,
    simulation: simulation && { slot: simulation.slot, transactions: Math.min(simulation.transactions.length, transactionCount) },
  };
}

function summarize(input: ReviewInput, notes: Notes, outcome: Outcome): Review {
  const { intent, lastValidBlockHeight, nowMs } = input;
  const { readable, described, questions, watched, checked, simulated } = outcome;
  const findings = [...notes.findings].sort(worstFirst);
  const verdict = findings.reduce<Verdict>(
    (worst, { verdict: next }) => (next !== 'info' && SEVERITY[next] < SEVERITY[worst] ? next : worst),
    'allow',
  );
  const recipients = notes.effects.filter((effect) => effect.kind === 'recipient').map(({ address, role }) => ({ address, role }));
  return {
    verdict,
    intent,
    input,
    findings,
    spends: sumSpends(notes.effects),
    minimumOut: notes.effects
      .filter((effect) => effect.kind === 'minimumOut')
      .map(({ mint, amountRaw, from }) => ({ mint, amountRaw, from })),
    tokenSpends: notes.effects.flatMap((effect) => tokenSpendOf(effect) ?? []),
    depositRange: depositRangeOf(readable),
    programs: [...new Set(readable.flatMap(({ readings }) => readings.map((reading) => programName(reading.view.program))))],
    recipients: [...new Map(recipients.map((recipient) => [`${recipient.address} ${recipient.role}`, recipient])).values()],
    transactions: described,
    lastValidBlockHeight,
    questions,
    watched,
    checked,
    ...(simulated === undefined ? {} : { simulated }),
    reviewed: verdict === 'block' ? [] : readable.map(({ view }) => Reviewed.of(view, intent.owner, nowMs)),
  };
}

function tokenSpendOf(effect: Effect): TokenSpend | undefined {
  switch (effect.kind) {
    case 'spendToken':
      return { mint: effect.mint, amountRaw: effect.amountRaw, into: effect.into };
    case 'giveToken':
      return { mint: effect.mint, amountRaw: effect.amountRaw, into: 'others' };
    default:
      return undefined;
  }
}

function depositRangeOf(transactions: readonly ReadTransaction[]): Review['depositRange'] {
  const bins = transactions.flatMap(({ readings }) => readings.flatMap(depositBins));
  return bins.length === 0 ? undefined : { fromBinId: Math.min(...bins), toBinId: Math.max(...bins) };
}

const SEVERITY = { block: 0, confirm: 1, allow: 2, info: 3 } as const;

function worstFirst(one: Finding, other: Finding): number {
  return (
    SEVERITY[one.verdict] - SEVERITY[other.verdict] ||
    (one.transaction ?? -1) - (other.transaction ?? -1) ||
    (one.instruction ?? -1) - (other.instruction ?? -1)
  );
}

/** Not exported: only this file can construct a {@link Reviewed}, also through `instance.constructor`. */
const SEAL = Symbol('reviewed');

/** Implements {@link ReviewedTransaction}. The bytes are in a private field, which no cast can imitate, and only {@link signReviewed} reads them. */
class Reviewed {
  readonly group: TransactionGroup;
  readonly owner: Address;
  readonly messageHash: string;
  readonly reviewedAtMs: number;
  readonly #bytes: Uint8Array;

  constructor(seal: typeof SEAL, view: TransactionView, owner: Address, reviewedAtMs: number) {
    if (seal !== SEAL) {
      throw new TypeError('Only a review makes reviewed transactions');
    }
    this.group = view.group;
    this.owner = owner;
    this.messageHash = view.messageHash;
    this.reviewedAtMs = reviewedAtMs;
    this.#bytes = view.bytes.slice();
    Object.freeze(this);
  }

  static of(view: TransactionView, owner: Address, reviewedAtMs: number): ReviewedTransaction {
    return new Reviewed(SEAL, view, owner, reviewedAtMs) as Reviewed & ReviewedTransaction;
  }

  /** Gives a copy of the reviewed wire bytes; `undefined` for anything that this class has not made. */
  static bytesOf(value: unknown): Uint8Array | undefined {
    return typeof value === 'object' && value !== null && #bytes in value ? value.#bytes.slice() : undefined;
  }
}

/** Why a transaction was not signed; nothing was handed out. */
export class NotSignableError extends Error {
  override readonly name = 'NotSignableError';
  constructor(
    /** It did not come from a review; the review is too old; it is another wallet's; its place is filled; what came back is not the owner's signature. */
    readonly kind: 'notReviewed' | 'expired' | 'otherOwner' | 'alreadySigned' | 'badSignature',
    message: string,
  ) {
    super(message);
  }
}

const SIGNATURE_BYTES = 64;

/**
 * Signs a reviewed transaction (policy §13): `sign` gets exactly the message that was reviewed, its signature is verified
 * and put into the owner's place, and not one other byte changes. Signatures that the transaction carries already stay.
 * @throws NotSignableError where the value is not from a review, was reviewed more than {@link REVIEW_LIFETIME_MS} ago or
 * after `nowMs`, is another owner's, or the signature is not right; `sign` is not called then, or its result is not used.
 */
export const signReviewed: SignReviewed = (transaction, owner, sign, nowMs) => {
  const bytes = Reviewed.bytesOf(transaction);
  if (bytes === undefined) {
    throw new NotSignableError('notReviewed', l10n.t('The transaction does not come from a review: it is not signed.'));
  }
  const ageMs = nowMs - transaction.reviewedAtMs;
  // Turned round, so that a time that is no number is refused too.
  if (!(ageMs >= 0 && ageMs <= REVIEW_LIFETIME_MS)) {
    throw new NotSignableError(
      'expired',
      l10n.t`The review is not from the last ${REVIEW_LIFETIME_MS / 1000} seconds: the transactions have to be made and reviewed again.`,
    );
  }
  const wire = parseTransaction(bytes);
  const slot = wire.staticKeys.indexOf(owner);
  const present = wire.signatures[slot];
  if (owner !== transaction.owner || present === undefined) {
    throw new NotSignableError(
      'otherOwner',
      l10n.t`The transaction was reviewed for ${transaction.owner}: the key of ${owner} does not sign it.`,
    );
  }
  if (!isEmptySignature(present)) {
    throw new NotSignableError('alreadySigned', l10n.t('The place of the signature is already filled.'));
  }
  const message = bytes.slice(wire.messageOffset);
  const signature = sign(message.slice());
  if (signature.length !== SIGNATURE_BYTES || !verifyEd25519(addressBytes(owner), message, signature)) {
    throw new NotSignableError('badSignature', l10n.t`The signature is not one of ${owner} over this transaction.`);
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
    throw new NotSignableError('badSignature', l10n.t('The signed transaction does not carry all of its signatures.'));
  }
}
