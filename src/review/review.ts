import * as l10n from '@vscode/l10n';
import { type Address, addressBytes } from '../base/solana/address';
import { verifyEd25519 } from '../base/solana/ed25519';
import { base64FromBytes, isEmptySignature, messageOf, parseTransaction } from '../base/solana/wireTransaction';
import { termsOf } from './approval/termsOf';
import { operationContext, type OperationContext, transactionContext } from './context';
import { readInstructions, type ReadTransaction } from './decode/instructions';
import { programName } from './decode/programs';
import { decodeTransaction, type TransactionView } from './decode/transaction';
import { describeTransaction } from './describe/transaction';
import { NO_FACTS } from './facts/facts';
import { NO_QUESTIONS, openQuestions, watchedAccounts } from './questions';
import { type Effect, Notes } from './notes';
import { MOST_DERIVED } from './ownedAccounts';
import { DEFAULT_POLICY, type PolicySettings } from './policy';
import { reviewClaims } from './rules/claims';
import { reviewCompounding } from './rules/compounding';
import { reviewDecoding } from './rules/decoding';
import { depositBins } from './rules/dlmmRange';
import { depositPricesOf } from './rules/depositPrice';
import { reviewExchange } from './rules/exchanges';
import { reviewFees } from './rules/fees';
import { reviewDecimals } from './rules/decimals';
import { reviewLimits } from './rules/limits';
import { reviewListedPrices } from './rules/listedPrices';
import { reviewPositionPlan } from './rules/positionPlan';
import { reviewInstruction } from './rules/programs';
import { reviewRemovals } from './rules/removals';
import { reviewBlockhash, reviewSignatures } from './rules/signatures';
import { reviewSimulation, simulatedChange, simulatedRentBack } from './rules/simulation';
import { reviewSwapFunds } from './rules/swapFunds';
import { reviewMints, reviewOwnAccounts } from './rules/tokenProperties';
import { blocksAboveWords, inTotalWords } from './rules/words';
import { minimumsOf, sumSpends } from './spends';
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

/**
 * After this time reviewed transactions are never signed, milliseconds: 150 blocks of 400 ms, the longest that a blockhash is usually valid.
 * They may expire sooner, after 30 s at 200 ms a slot. Whether they can still land is decided before signing, by the block height of the RPC
 * or a shorter time (transactions/run); the review has no network.
 */
export const REVIEW_LIFETIME_MS = 60_000;

/**
 * Reviews all transactions of an operation against the user's intent. What is not understood is not allowed, and one blocked transaction
 * blocks them all (BND-4). Uses no network: the result's `questions` list what the user's RPC could add, and the answers are the `facts` of
 * the next review of the same transactions. Never throws, whatever the bytes are.
 * @example
 * const transactions = [{ group: 'claim', base64 }] as const;
 * const { verdict, findings } = reviewOperation({ intent, transactions, lastValidBlockHeight: undefined, nowMs: Date.now() });
 */
export function reviewOperation(input: ReviewInput): Review {
  const notes = new Notes();
  const policy = { ...DEFAULT_POLICY, ...input.policy };
  const count = input.transactions.length;
  if (count > policy.blockTransactions) {
    notes.operation(
      'BND-1',
      'block',
      `${inTotalWords(l10n.t('Transactions'), String(count))} ${blocksAboveWords(String(policy.blockTransactions))}`,
    );
    return summarize(input, notes, nothingRead(input));
  }
  try {
    return summarize(input, notes, readAll(input, policy, notes));
  } catch (error) {
    // A bug in the review must not lead to a signature.
    notes.operation(
      'DEC-2',
      'block',
      l10n.t`Binsight could not complete the review: ${error instanceof Error ? error.message : String(error)}.`,
    );
    return summarize(input, notes, nothingRead(input));
  }
}

/** The result of reading the transactions, besides findings and effects. */
interface Outcome extends Pick<Review, 'questions' | 'watched' | 'checked' | 'simulated' | 'rentBackLamports'> {
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
    questions: openQuestions(context, notes.effects),
    watched: watchedAccounts(context),
    checked: basisOf(context),
    simulated: simulatedChange(context),
    rentBackLamports: simulatedRentBack(context),
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
  reviewDecimals(context, notes);
  reviewPositionPlan(context, notes);
  reviewRemovals(context, notes);
  reviewSwapFunds(context, notes);
  reviewLimits(context, notes, prior);
  reviewSimulation(context, notes);
  reviewClaims(context, notes);
  reviewCompounding(context, notes);
  reviewExchange(context, notes);
  noteProblem(context, notes);
  noteIncomplete(context, notes);
}

/** BND-1: blocks what no rule could verify, because the transactions name too many accounts. Runs last: every rule may derive addresses. */
function noteIncomplete({ derived }: OperationContext, notes: Notes): void {
  if (derived.isIncomplete) {
    notes.operation('BND-1', 'block', l10n.t`Binsight checks at most ${MOST_DERIVED} addresses, and the transactions name more.`);
  }
}

/** The rule id of problems with the RPC. */
export const RPC_RULE = 'RPC-1';

/** RPC-1: mentions what the user's RPC did not answer. There the review relies on the transactions alone. */
function noteProblem({ facts: { problem } }: OperationContext, notes: Notes): void {
  if (problem !== undefined) {
    const words = l10n.t('Your RPC did not answer everything, so a part was checked without it.');
    notes.operation(RPC_RULE, 'info', `${words} ${problem}`);
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
  const { readable, described, questions, watched, checked, simulated, rentBackLamports } = outcome;
  const findings = [...notes.findings].sort(worstFirst);
  const verdict = findings.reduce<Verdict>(
    (worst, { verdict: next }) => (next !== 'info' && SEVERITY[next] < SEVERITY[worst] ? next : worst),
    'allow',
  );
  const recipients = notes.effects.filter((effect) => effect.kind === 'recipient').map(({ address, role }) => ({ address, role }));
  const money = {
    spends: sumSpends(notes.effects),
    minimumOut: minimumsOf(notes.effects),
    tokenSpends: notes.effects.flatMap((effect) => tokenSpendOf(effect) ?? []),
    recipients: [...new Map(recipients.map((recipient) => [`${recipient.address} ${recipient.role}`, recipient])).values()],
  };
  return {
    verdict,
    intent,
    input,
    findings,
    ...money,
    // A review that blocks has nothing to approve.
    terms:
      verdict === 'block' ? [] : termsOf({ ...money, input, findings, effects: notes.effects, transactions: readable, checked, simulated }),
    depositRange: depositRangeOf(readable),
    depositPrices: depositPricesOf(readable, input),
    programs: [...new Set(readable.flatMap(({ readings }) => readings.map((reading) => programName(reading.view.program))))],
    transactions: described,
    lastValidBlockHeight,
    questions,
    watched,
    checked,
    ...(simulated === undefined ? {} : { simulated }),
    ...(rentBackLamports === undefined ? {} : { rentBackLamports }),
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

/** Not exported, so only this file can construct a {@link Reviewed}, even through `instance.constructor`. */
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

  /** Returns a copy of the reviewed wire bytes; `undefined` for anything that this class did not create. */
  static bytesOf(value: unknown): Uint8Array | undefined {
    return typeof value === 'object' && value !== null && #bytes in value ? value.#bytes.slice() : undefined;
  }
}

/** A transaction was not signed, and no signature was returned. */
export class NotSignableError extends Error {
  override readonly name = 'NotSignableError';
  constructor(
    /**
     * `notReviewed`: not from a review. `expired`: reviewed too long ago. `otherOwner`: reviewed for another wallet. `alreadySigned`: the owner's
     * signature slot is not empty. `badSignature`: `sign` returned no valid signature of the owner.
     */
    readonly kind: 'notReviewed' | 'expired' | 'otherOwner' | 'alreadySigned' | 'badSignature',
    message: string,
  ) {
    super(message);
  }
}

const SIGNATURE_BYTES = 64;

/**
 * Signs a reviewed transaction: `sign` gets exactly the reviewed message, and its signature is verified and written into the owner's slot.
 * No other byte changes, and signatures of others remain.
 * @throws NotSignableError if the value is not from a review, was reviewed more than {@link REVIEW_LIFETIME_MS} ago or after `nowMs`, is for
 * another owner, or the signature is invalid. Then `sign` is not called, or its result is not used.
 */
export const signReviewed: SignReviewed = (transaction, owner, sign, nowMs) => {
  const bytes = Reviewed.bytesOf(transaction);
  if (bytes === undefined) {
    throw new NotSignableError('notReviewed', l10n.t('The transaction was not reviewed.'));
  }
  const ageMs = nowMs - transaction.reviewedAtMs;
  // Negated, so NaN is rejected too.
  if (!(ageMs >= 0 && ageMs <= REVIEW_LIFETIME_MS)) {
    throw new NotSignableError('expired', l10n.t`The review is older than ${REVIEW_LIFETIME_MS / 1000} seconds.`);
  }
  const wire = parseTransaction(bytes);
  const slot = wire.staticKeys.indexOf(owner);
  const present = wire.signatures[slot];
  if (owner !== transaction.owner || present === undefined) {
    throw new NotSignableError(
      'otherOwner',
      l10n.t`The transaction was reviewed for ${transaction.owner}, so the key of ${owner} cannot sign it.`,
    );
  }
  if (!isEmptySignature(present)) {
    throw new NotSignableError('alreadySigned', l10n.t('The transaction already contains a signature in the place of yours.'));
  }
  const message = messageOf(bytes, wire).slice();
  const signature = sign(message.slice());
  if (signature.length !== SIGNATURE_BYTES || !verifyEd25519(addressBytes(owner), message, signature)) {
    throw new NotSignableError('badSignature', l10n.t`The transaction has no valid signature of ${owner}.`);
  }
  const signed = bytes.slice();
  signed.set(signature, wire.signaturesOffset + SIGNATURE_BYTES * slot);
  assertAllSigned(signed);
  return base64FromBytes(signed);
};

/** Parses the signed transaction again and verifies all signatures. */
function assertAllSigned(bytes: Uint8Array): void {
  const wire = parseTransaction(bytes);
  const message = messageOf(bytes, wire);
  const complete = wire.signatures.every((signature, slot) => {
    const signer = wire.staticKeys[slot];
    return signer !== undefined && verifyEd25519(addressBytes(signer), message, signature);
  });
  if (!complete) {
    throw new NotSignableError('badSignature', l10n.t('The signed transaction does not contain all valid signatures.'));
  }
}
