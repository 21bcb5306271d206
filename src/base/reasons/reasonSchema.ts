import * as z from 'zod';
import { SINGLE_KINDS } from '../operationKinds';
import { known, text, writtenAddress, writtenAmount } from '../solana/writtenFields';

// Why an operation ended or is open, as data: its words (reasonWords.ts) are in the display language of the moment when they are shown.

/** Maximum length of a quoted text in characters: services and errors have no limit of their own. */
const LONGEST_QUOTE = 1_000;
/** Maximum number of amounts or costs, far above what this program writes. */
const MOST_AMOUNTS = 100;

/** The text of a service, an RPC or an error. */
const quote = text.transform((said) => (said.length > LONGEST_QUOTE ? `${said.slice(0, LONGEST_QUOTE - 1)}…` : said));
const count = z.int().min(0);

/** How the service answered a landing. */
const serviceAnswer = z.discriminatedUnion('kind', [
  /** With a status: below 300 that it failed, below 400 a redirect. */
  z.object({ kind: z.literal('status'), status: z.int(), said: known(quote) }),
  z.object({ kind: z.literal('unreadable') }),
  z.object({ kind: z.literal('unusable'), error: quote }),
  z.object({ kind: z.literal('none'), error: quote }),
]);
export type ServiceAnswer = z.infer<typeof serviceAnswer>;

/** An amount of a token. The symbol is untrusted text. */
const tokenAmount = z.object({ mint: writtenAddress, raw: writtenAmount, symbol: known(text), decimals: known(z.int().min(0).max(255)) });
export type AmountLeft = z.infer<typeof tokenAmount>;
const amounts = z.array(tokenAmount).max(MOST_AMOUNTS);

/** A part of the costs of a re-entry. `isMost`: at most so much. */
const cost = z.object({
  kind: z.enum(['position', 'binArrays', 'tokenAccounts', 'fees', 'found']),
  lamports: writtenAmount,
  isMost: z.boolean(),
  /** Number of bin arrays. */
  count: known(count),
});
export type ReentryCost = z.infer<typeof cost>;

const operation = z.enum(SINGLE_KINDS);
/** How much of a leg landed. */
const landedPart = { operation, landed: count, of: count };
/** What is left of a partially executed zap-in. `isOpen`: its position is open. `wrappedLamports`: SOL that is still wrapped. */
const restOfZapIn = { ...landedPart, isOpen: z.boolean(), amounts, wrappedLamports: writtenAmount };

const simple = z.discriminatedUnion('code', [
  /** A text of a service or an error; or a reason by version 0.2.0, which wrote sentences, and the meaning that it wrote beside some. */
  z.object({ code: z.literal('told'), text: quote, meaning: known(z.enum(['serviceAnswered', 'closedBeforeSending', 'declinedReentry'])) }),

  // Nothing was sent.
  z.object({ code: z.literal('closedBeforeSending') }),
  z.object({ code: z.literal('declined') }),
  z.object({ code: z.literal('canceled') }),
  z.object({ code: z.literal('blocked'), finding: known(quote) }),
  z.object({ code: z.literal('notSendable'), error: quote }),
  z.object({ code: z.literal('nothingSent') }),

  // It was sent, and its outcome is open.
  z.object({ code: z.literal('answered'), answer: serviceAnswer }),
  z.object({ code: z.literal('answeredSentAgain'), answer: serviceAnswer }),
  z.object({ code: z.literal('lostSight') }),
  z.object({ code: z.literal('reportedNotListed') }),
  z.object({ code: z.literal('listedNotProven') }),
  z.object({ code: z.literal('reportedNotProven') }),

  // Outcomes (outcome/reconcile.ts).
  z.object({ code: z.literal('landedNotListed') }),
  z.object({ code: z.literal('settledInPart'), landed: count, of: count }),
  z.object({ code: z.literal('failedInPart'), landed: count, of: count }),
  z.object({ code: z.literal('failedOnChain'), error: quote }),
  z.object({ code: z.literal('madeByAnother') }),
  z.object({ code: z.literal('madeElsewhere'), transactions: count }),
  z.object({ code: z.literal('forgotten') }),
  z.object({ code: z.literal('unanswered') }),
  z.object({ code: z.literal('missing'), transactions: count }),
  z.object({ code: z.literal('unproven'), transactions: count }),
  z.object({ code: z.literal('givenUp') }),

  // Rebalances.
  z.object({ code: z.literal('zapOutFailed') }),
  z.object({ code: z.literal('belowMinimum'), lamportsBack: writtenAmount, leastLamports: writtenAmount }),
  z.object({
    code: z.literal('insufficientProceeds'),
    lamportsBack: writtenAmount,
    balanceLamports: writtenAmount,
    reserveLamports: writtenAmount,
    spentLamports: writtenAmount,
    costs: z.array(cost).max(MOST_AMOUNTS),
    /** What costs and reserve leave; may be 0 or less. */
    inputLamports: writtenAmount,
    leastLamports: writtenAmount,
  }),
  z.object({ code: z.literal('alreadyReentered') }),
  /** `tries`: number of earlier zap-ins that were sent and recorded as failed. */
  z.object({ code: z.literal('declinedReentry'), lamportsBack: known(writtenAmount), tries: count }),

  // What is left of a partially executed operation (outcome/partialExecution.ts).
  z.object({ code: z.literal('completed'), isEnded: z.boolean() }),
  z.object({ code: z.literal('partUnknown'), operation }),
  z.object({ code: z.literal('notInPart') }),
  z.object({ code: z.literal('noneLanded'), operation, of: count }),
  z.object({ code: z.literal('allLanded'), operation, of: count }),
  z.object({ code: z.literal('positionsUnread'), ...landedPart }),
  z.object({ code: z.literal('restOfPosition'), ...landedPart }),
  z.object({ code: z.literal('shareWithdrawnInPart'), ...landedPart, shareBps: z.int() }),
  z.object({ code: z.literal('claimedInPart'), ...landedPart }),
  z.object({ code: z.literal('compoundedInPart'), ...landedPart }),
  z.object({ code: z.literal('addedInPart'), ...landedPart }),
  z.object({ code: z.literal('swappedInPart'), ...landedPart }),
  z.object({ code: z.literal('proceedsUnknown'), ...landedPart }),
  z.object({ code: z.literal('proceedsLeft'), ...landedPart, amounts, wrappedLamports: writtenAmount }),
  z.object({ code: z.literal('depositUnread'), ...landedPart }),
  z.object({ code: z.literal('depositUnknown'), ...landedPart }),
  z.object({ code: z.literal('depositUsed'), ...restOfZapIn }),
  z.object({ code: z.literal('depositTooLittle'), ...restOfZapIn }),
  z.object({ code: z.literal('depositOneSided'), ...restOfZapIn }),
  z.object({ code: z.literal('depositOutOfRange'), ...restOfZapIn }),
  z.object({ code: z.literal('depositLeft'), ...restOfZapIn }),
]);

/** Reasons that contain the reason of a part. */
type Nested =
  /** `isBesideAnother`: another operation made the change that the positions show. `answered`: what the service answered. */
  | { readonly code: 'notLanded'; readonly isBesideAnother: boolean; readonly answered: Reason | undefined }
  | { readonly code: 'possiblyZappedOut'; readonly reason: Reason | undefined }
  | { readonly code: 'possiblyReentered'; readonly lamportsBack: bigint | undefined; readonly reason: Reason | undefined }
  | { readonly code: 'zapInNotSent'; readonly reason: Reason | undefined };

/** Why an operation ended, is open, or what is missing or left of it. */
export type Reason = z.infer<typeof simple> | Nested;

const inner = known(z.lazy((): z.ZodType<Reason> => reasonData));

const nested = z.discriminatedUnion('code', [
  z.object({ code: z.literal('notLanded'), isBesideAnother: z.boolean(), answered: inner }),
  z.object({ code: z.literal('possiblyZappedOut'), reason: inner }),
  z.object({ code: z.literal('possiblyReentered'), lamportsBack: known(writtenAmount), reason: inner }),
  z.object({ code: z.literal('zapInNotSent'), reason: inner }),
]) satisfies z.ZodType<Nested>;

const reasonData: z.ZodType<Reason> = z.discriminatedUnion('code', [simple, nested]);

/** A reason as it is in the file: version 0.2.0 wrote sentences. */
export const writtenReason: z.ZodType<Reason> = z.union([
  text.transform((sentence): Reason => ({ code: 'told', text: sentence, meaning: undefined })),
  reasonData,
]);
