import { createHash } from 'node:crypto';
import * as z from 'zod';
import { describeReview } from '../review/describe/summary';
import { CaseError, readCase, writtenSpends } from '../review/report/caseFormat';
import { reviewOperation, signReviewed } from '../review/review';
import { NO_SPENDS } from '../review/spends';
import type { Finding, Review, Spends, TokenSpend, Verdict } from '../review/types';
import { KeyError } from '../wallet/errors';
import { readSecretKey, signWithSeed, wipe } from '../wallet/keys';
import { parsedLine } from './answerLines';
import type { Line } from './lines';

/** The version of the format of questions and answers (src/review/README.md, "Try it"). */
const SCHEMA = 1;

const Question = z.object({
  schema: z.literal(SCHEMA),
  op: z.enum(['review', 'sign']).default('review'),
  case: z.unknown(),
  /** For `sign`: a throw-away key. */
  secretKeyBase58: z.string().optional(),
  /** For `sign`: the user has accepted every finding. A blocked case is not signed even then. */
  confirmed: z.boolean().default(false),
});

/** The answer to one line. Lamports and raw units are text. */
export interface ReviewAnswer {
  readonly schema: typeof SCHEMA;
  readonly verdict: Verdict;
  readonly findings: readonly unknown[];
  readonly summary: readonly string[];
  readonly spends: unknown;
  /** SHA-256 of the message, hex; for several transactions, of their concatenated hashes. Missing if one cannot be decoded. */
  readonly reviewHash?: string;
  readonly signersMissing?: readonly string[];
  readonly recipients: readonly unknown[];
  readonly transactions?: readonly unknown[];
  /** Only for `sign`: base64, in the order of the case; empty if nothing was signed. */
  readonly signed?: readonly string[];
}

/**
 * Answers one line: reviews its case and, for `sign`, signs what the review allows. The answer to an unreadable line is a block. Never
 * throws, and never repeats a key.
 */
export function answerLine(line: Line, nowMs: number): ReviewAnswer {
  let isSigning = false;
  try {
    const value = parsedLine(line);
    isSigning = asksToSign(value);
    const question = Question.safeParse(value);
    if (!question.success) {
      const [issue] = question.error.issues;
      throw new CaseError(`Cannot read the line: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.replace('  ', ' '));
    }
    const { secretKeyBase58, confirmed } = question.data;
    const input = readCase(question.data.case);
    const review = reviewOperation({ ...input, nowMs });
    const answer = answerOf(review, input.transactions.length);
    return isSigning ? signed(review, answer, secretKeyBase58, confirmed, nowMs) : answer;
  } catch (error) {
    const message = error instanceof CaseError || error instanceof SyntaxError ? error.message : 'The case could not be reviewed';
    return { ...refusal(message), ...(isSigning ? { signed: [] } : {}) };
  }
}

/** Returns whether the line asks for a signature, even if the rest is unreadable: the answer then has an empty `signed`. */
function asksToSign(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'op' in value && value.op === 'sign';
}

function refusal(message: string): ReviewAnswer {
  const finding = { rule: 'CASE', verdict: 'block', message };
  return { schema: SCHEMA, verdict: 'block', findings: [finding], summary: [message], spends: spendsOf(NO_SPENDS, []), recipients: [] };
}

function answerOf(review: Review, transactionCount: number): ReviewAnswer {
  const { verdict, findings, spends, transactions, recipients, intent } = review;
  const { title, lines, findings: words } = describeReview(review);
  const missing = new Set(transactions.flatMap(({ signers }) => signers.filter(({ signed: has }) => !has).map(({ address }) => address)));
  missing.delete(intent.owner);
  return {
    schema: SCHEMA,
    verdict,
    findings: findings.map(writtenFinding),
    summary: [title, ...words, ...lines.map(({ label, text }) => `${label}: ${text}`)],
    spends: spendsOf(spends, review.tokenSpends),
    ...(transactions.length === transactionCount && transactionCount > 0
      ? { reviewHash: hashOf(transactions.map(({ messageHash }) => messageHash)) }
      : {}),
    signersMissing: [...missing],
    recipients: recipients.map(({ address, role }) => ({ address, role, own: address === intent.owner })),
    transactions: transactions.map(({ transaction, group, version, messageHash }) => ({ tx: transaction, group, version, messageHash })),
  };
}

function hashOf(hashes: readonly string[]): string {
  const [only, ...others] = hashes;
  return only !== undefined && others.length === 0 ? only : createHash('sha256').update(hashes.join('')).digest('hex');
}

function writtenFinding({ rule, verdict, message, transaction, instruction, address, amountRaw }: Finding): unknown {
  return { rule, verdict, message, tx: transaction, ix: instruction, address, amount: amountRaw?.toString() };
}

function spendsOf(spends: Spends, tokenSpends: readonly TokenSpend[]): unknown {
  return {
    ...writtenSpends(spends),
    tokensOut: tokenSpends.map(({ mint, amountRaw, into }) => ({ mint, to: into, amount: String(amountRaw) })),
  };
}

/** Signs all transactions or none. */
function signed(
  review: Review,
  answer: ReviewAnswer,
  secretKeyBase58: string | undefined,
  isConfirmed: boolean,
  nowMs: number,
): ReviewAnswer {
  const maySign = review.verdict === 'allow' || (review.verdict === 'confirm' && isConfirmed);
  if (!maySign || review.reviewed.length === 0) {
    return { ...answer, signed: [] };
  }
  const unsigned = (message: string): ReviewAnswer => ({
    ...answer,
    verdict: 'block',
    findings: [{ rule: 'SGN', verdict: 'block', message }, ...answer.findings],
    summary: [message, ...answer.summary],
    signed: [],
  });
  if (secretKeyBase58 === undefined) {
    return unsigned('The line has no secret key to sign with');
  }
  let key;
  try {
    key = readSecretKey(secretKeyBase58);
  } catch (error) {
    return unsigned(error instanceof KeyError ? error.message : 'The secret key cannot be read');
  }
  const { address, seed } = key;
  try {
    return {
      ...answer,
      signed: review.reviewed.map((transaction) => signReviewed(transaction, address, (message) => signWithSeed(seed, message), nowMs)),
    };
  } catch (error) {
    return unsigned(error instanceof Error ? error.message : 'The transactions could not be signed');
  } finally {
    wipe(key);
  }
}
