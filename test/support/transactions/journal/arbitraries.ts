import type { Reason, ServiceAnswer } from '../../../../src/base/reasons/reason';
import fc from 'fast-check';
import { OPERATION_KINDS } from '../../../../src/base/operationKinds';
import type { JournalPlan } from '../../../../src/transactions/journal/plans';
import type { JournalEvent } from '../../../../src/transactions/journal/types';
import { OWNER, POOL, POSITION, type Created } from './events';

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 20 }), fc.constant('line\nbreak\r\u2028"\\'));
const perhaps = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(value, { nil: undefined });
const lamports = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
const anyAddress = fc.constantFrom(OWNER, POOL, POSITION);
const atMs = fc.integer({ min: 0, max: 4_000_000_000_000 });

const share = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0);
const shares = fc.record({ value: share, low: share, high: share });
const band = fc.record({ lamports, lowLamports: lamports, highLamports: lamports });
const anyForecast = fc.record({
  sigmaPerDay: shares,
  outlooks: fc.array(
    fc.record({ horizonS: fc.integer({ min: 1 }), timeInRange: shares, loss: band, fees: perhaps(band), netLamports: perhaps(lamports) }),
    { maxLength: 12 },
  ),
});
const token = fc.record({ mint: anyAddress, symbol: perhaps(text), decimals: perhaps(fc.nat(255)) });

const claimBefore = fc.record({ position: anyAddress, positionId: text, fee0: perhaps(text), fee1: perhaps(text) });
const deposit = {
  inputLamports: lamports,
  percentX: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
  strategy: perhaps(fc.constantFrom('Spot', 'Curve', 'BidAsk')),
  fromBinId: perhaps(fc.integer()),
  toBinId: perhaps(fc.integer()),
  slippageBps: fc.integer({ min: 0, max: 10_000 }),
  tokens: perhaps(fc.record({ amountXRaw: lamports, amountYRaw: lamports, x: perhaps(token), y: perhaps(token) })),
} as const;

const plans: { readonly [Kind in JournalPlan['kind']]: fc.Arbitrary<Extract<JournalPlan, { kind: Kind }>> } = {
  zapOut: fc.record({
    kind: fc.constant('zapOut'),
    position: anyAddress,
    positionId: text,
    shareBps: fc.integer({ min: 1, max: 10_000 }),
    output: fc.constantFrom('allBaseToken', 'allToken0', 'allToken1', 'both'),
    slippageBps: fc.integer({ min: 0, max: 10_000 }),
    before: fc.record({
      amount0: perhaps(text),
      amount1: perhaps(text),
      price0Usd: perhaps(text),
      price1Usd: perhaps(text),
      outputUsd: perhaps(text),
      valueNative: perhaps(text),
    }),
  }),
  zapIn: fc.record({ kind: fc.constant('zapIn'), ...deposit, openBefore: perhaps(fc.array(anyAddress)) }),
  claim: fc.record({ kind: fc.constant('claim'), positions: fc.array(claimBefore, { minLength: 1, maxLength: 5 }) }),
  addLiquidity: fc.record({
    kind: fc.constant('addLiquidity'),
    ...deposit,
    into: claimBefore,
    before: fc.record({ amount0: perhaps(text), amount1: perhaps(text) }),
    source: fc.constantFrom('fees', 'wallet'),
  }),
  swap: fc.record({
    kind: fc.constant('swap'),
    sold: token,
    bought: token,
    amountRaw: lamports,
    slippageBps: fc.integer({ min: 0, max: 10_000 }),
    leavesMore: perhaps(fc.boolean()),
  }),
  unwrap: fc.record({ kind: fc.constant('unwrap'), lamports, leavesMore: perhaps(fc.boolean()) }),
  rebalance: fc.record({
    kind: fc.constant('rebalance'),
    position: anyAddress,
    fromBinId: fc.integer(),
    toBinId: fc.integer(),
    halfWidthBins: perhaps(fc.integer()),
    strategy: fc.constantFrom('Spot', 'Curve', 'BidAsk'),
    slippageBps: fc.integer({ min: 0, max: 10_000 }),
    reserveLamports: lamports,
  }),
};

/** Any event that begins an operation. */
export const anyCreated: fc.Arbitrary<Created> = fc
  .constantFrom(...OPERATION_KINDS)
  .chain((operation) =>
    fc.record({
      atMs,
      kind: fc.constant('created'),
      operation: fc.constant(operation),
      service: text,
      owner: anyAddress,
      pool: perhaps(anyAddress),
      poolType: perhaps(fc.constantFrom('dlmm', 'dammV2')),
      pairName: text,
      plan: plans[operation],
      parent: perhaps(text),
      finishes: perhaps(text),
    }),
  );

const spends = fc.record({
  consumedLamports: lamports,
  wrappedLamports: lamports,
  networkFeeLamports: lamports,
  priorityFeeLamports: lamports,
  tipLamports: lamports,
  refundableRentLamports: lamports,
  spentRentLamports: lamports,
  otherLamports: lamports,
});

const meaning = fc.constantFrom('serviceAnswered' as const, 'closedBeforeSending' as const, 'declinedReentry' as const);
const answer: fc.Arbitrary<ServiceAnswer> = fc.oneof(
  fc.record({ kind: fc.constant('status' as const), status: fc.integer(), said: perhaps(text) }),
  fc.record({ kind: fc.constantFrom('none' as const, 'unusable' as const), error: text }),
);
const simpleReason: fc.Arbitrary<Reason> = fc.oneof(
  fc.record({ code: fc.constant('told' as const), text, meaning: perhaps(meaning) }),
  fc.record({ code: fc.constant('answered' as const), answer }),
  fc.record({ code: fc.constantFrom('settledInPart' as const, 'failedInPart' as const), landed: fc.nat(), of: fc.nat() }),
  fc.record({ code: fc.constant('belowMinimum' as const), lamportsBack: lamports, leastLamports: lamports }),
  fc.record({ code: fc.constant('declinedReentry' as const), lamportsBack: perhaps(lamports), tries: fc.nat() }),
);
/** A reason, which may contain another one. */
const anyReason: fc.Arbitrary<Reason> = fc.oneof(
  simpleReason,
  fc.record({ code: fc.constant('notLanded' as const), isBesideAnother: fc.boolean(), answered: perhaps(simpleReason) }),
  fc.record({ code: fc.constant('possiblyReentered' as const), lamportsBack: perhaps(lamports), reason: perhaps(simpleReason) }),
);

/** Any event that follows on others. */
export const anyFollowing: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record({
    atMs,
    kind: fc.constant('built' as const),
    position: perhaps(anyAddress),
    transactions: fc.nat(),
    messageHashes: fc.array(text),
    blockhashes: fc.array(text),
    lastValidBlockHeight: perhaps(fc.nat()),
  }),
  fc.record({
    atMs,
    kind: fc.constant('reviewed' as const),
    verdict: fc.constantFrom('allow' as const, 'confirm' as const, 'block' as const),
    rules: fc.array(text),
  }),
  fc.record({
    atMs,
    kind: fc.constant('approved' as const),
    by: fc.constantFrom('user' as const, 'automation' as const),
    forecast: perhaps(anyForecast),
  }),
  fc.record({ atMs, kind: fc.constant('signed' as const), signatures: fc.array(text), spends }),
  fc.record({
    atMs,
    kind: fc.constant('submitted' as const),
    lamportsBefore: perhaps(lamports),
    balanceFrom: perhaps(fc.constantFrom('rpc' as const, 'service' as const)),
  }),
  fc.record({ atMs, kind: fc.constant('landed' as const), signature: perhaps(text) }),
  fc.record({
    atMs,
    kind: fc.constant('settled' as const),
    lamportsBack: perhaps(lamports),
    shortfall: perhaps(anyReason),
    landedTransactions: perhaps(fc.nat()),
  }),
  fc.record({ atMs, kind: fc.constant('failed' as const), reason: anyReason, landedTransactions: perhaps(fc.nat()) }),
  fc.record({ atMs, kind: fc.constant('expired' as const), reason: anyReason }),
  fc.record({ atMs, kind: fc.constantFrom('unconfirmed' as const, 'abandoned' as const), reason: anyReason }),
);
