import { WHOLE_BPS } from '../../base/basisPoints';
import type { OpenPosition } from '../../service/positions';
import type { TokenFacts } from '../../service/poolInfo';
import type { Address } from '../../base/solana/address';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import { isSamePosition } from './evidence';
import type { Reason, AmountLeft } from '../../base/reasons/reason';
import { isEnd } from '../journal/states';
import type { OperationRecord } from '../journal/types';
import { reasonWords } from '../../base/reasons/reasonWords';
import type { Measured } from './measure';
import type { TokensAtHand } from '../types';

// An operation of several transactions is not atomic: some may land and others not. What is left to do is derived from the journal, the
// list of positions, the landed transactions and the wallet; nothing is guessed.

/** What happened and what it means; `words`: in sentences for the user. */
interface Explained {
  readonly reason: Reason;
  readonly words: string;
}

/** What is left to do of a partially executed operation. */
export type Remainder = Explained &
  (
    | /** Nothing can be run: it is done, in progress, or only the user can do it. */
      { readonly kind: 'noAction'; readonly then: FollowUp }
    /** The rest of the position is withdrawn. */
    | { readonly kind: 'zapOut'; readonly of: OperationRecord; readonly position: OpenPosition }
    /** The available tokens are deposited into a new position without a swap. */
    | { readonly kind: 'zapIn'; readonly of: OperationRecord; readonly tokens: TokensAtHand; readonly range: RemainingRange }
  );

/**
 * What follows a remainder without transactions. `seen`: nothing is left, it is not offered again. `asked`: nothing can be done now
 * (without an RPC, at this price), or it is not certain, and the user decides whether it is offered again. `again`: it is checked again later.
 */
export type FollowUp = 'seen' | 'asked' | 'again';

/** Both ends inclusive; `undefined` for pools without bins. */
export interface RemainingRange {
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** How much of an operation landed. */
export interface PartialExecution {
  readonly landed: number;
  readonly of: number;
}

/** The evidence about a partially executed operation. */
export interface Known {
  /** The journal, which shows whether another operation completes it. */
  readonly records: readonly OperationRecord[];
  /** A clean listing of the owner's positions; `undefined`: there is none. */
  readonly listed: readonly OpenPosition[] | undefined;
  /** Changes by the landed transactions (`transactions`); `undefined`: unknown. */
  readonly changed: Measured | undefined;
  /** The wallet's balances, raw units, SOL under the mint of wrapped SOL; `undefined`: unknown. */
  readonly held: ReadonlyMap<Address, bigint> | undefined;
  /** The landed part by the network, for an operation whose record doesn't have it (`isUnclear`); `undefined`: unknown. */
  readonly part?: PartialExecution | undefined;
  /** Balance of the wallet's wrapped SOL account in lamports; `undefined`: unknown. */
  readonly wrappedLamports?: bigint | undefined;
  /** What accounts cost now; `undefined`: unknown, so at most the highest rate. */
  readonly rent?: RentRate | undefined;
  /** US dollars per SOL, if not among the pool's tokens. */
  readonly solUsd?: number | undefined;
  /** Tokens X and Y of the pool, and its active bin; `undefined`: not read. */
  readonly pool: { readonly tokens: readonly TokenFacts[]; readonly activeBinId: number | undefined } | undefined;
  /** Whether public explorers list the transactions; not for the sandbox. */
  readonly hasExplorer?: boolean | undefined;
}

/** Costs of a new position besides the deposit: its rent, that of two token accounts, and fees. */
function keptLamports(rent: RentRate): bigint {
  return rent.position + 2n * rent.token2022Account + 5_000_000n;
}

/** The minimum for a position of its own: fees and closing it cost as much. */
const LEAST_LAMPORTS = 1_000_000n;

/** The landed part, if only some transactions landed and the others can't; `undefined`: it was not partially executed. */
export function partialExecutionOf({ events, signatures, created }: OperationRecord): PartialExecution | undefined {
  const landed = created.operation === 'rebalance' ? undefined : landedOf(events);
  return landed === undefined || landed >= signatures.length ? undefined : { landed, of: signatures.length };
}

/** Number of landed transactions by the final event, if recorded. */
function landedOf(events: OperationRecord['events']): number | undefined {
  return events.flatMap((event) => (event.kind === 'settled' || event.kind === 'failed' ? [event.landedTransactions] : [])).at(-1);
}

/**
 * Whether completing an operation is offered: it is partially executed, no other operation completes it, and the user was not shown that
 * nothing is left.
 */
export function isPartiallyExecuted(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return partialExecutionOf(record) !== undefined && needsCompletion(record, records);
}

/** The same for an operation whose outcome is unclear: a check is offered, which needs an RPC. */
export function mayBePartiallyExecuted(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return record.isUnclear && needsCompletion(record, records);
}

function needsCompletion(record: OperationRecord, records: readonly OperationRecord[]): boolean {
  return !record.isSeen && completionOf(record, records) === undefined;
}

/** The operation that completed another one, may have, or is about to. Attempts of which nothing landed do not count. */
export function completionOf({ id }: Pick<OperationRecord, 'id'>, records: readonly OperationRecord[]): OperationRecord | undefined {
  return records.find((other) => {
    const { created, state, events } = other;
    return (
      created.finishes === id &&
      (!isEnd(state) || state === 'settled' || (state === 'failed' && (landedOf(events) !== undefined || other.isUnclear)))
    );
  });
}

/** Derives what is left to do. */
export function remainderOf(record: OperationRecord, known: Known): Remainder {
  const finisher = completionOf(record, known.records);
  if (finisher !== undefined) {
    return explained({ code: 'completed', isEnded: isEnd(finisher.state) }, 'again');
  }
  const part = partialExecutionOf(record) ?? (record.isUnclear ? known.part : undefined);
  const operation = record.created.operation === 'zapIn' ? 'zapIn' : 'zapOut';
  if (part === undefined) {
    return record.isUnclear
      ? explained({ code: 'partUnknown', operation, hasExplorer: known.hasExplorer === true }, 'asked')
      : explained({ code: 'notInPart' }, 'again');
  }
  const { landed, of } = part;
  if (landed === 0 || landed >= of) {
    // An RPC may not go back as far as the first transaction: only the user acknowledges that none landed.
    return landed === 0
      ? explained({ code: 'noneLanded', operation, of }, 'asked')
      : explained({ code: 'allLanded', operation, of }, 'seen');
  }
  const landedPart = { operation, landed, of } as const;
  return operation === 'zapIn' ? restOfZapIn(record, known, landedPart) : restOfZapOut(record, known, landedPart);
}

/** The landed part of a leg, as reasons have it. */
interface LandedPart extends PartialExecution {
  readonly operation: 'zapIn' | 'zapOut';
}

function restOfZapOut(record: OperationRecord, known: Known, landed: LandedPart): Remainder {
  const { plan } = record.created;
  const { listed, changed, hasExplorer } = known;
  if (plan.kind !== 'zapOut' || listed === undefined) {
    return explained({ code: 'positionsUnread', ...landed }, 'again');
  }
  const position = listed.find((one) => one.id === plan.positionId || isSamePosition(one, plan.position));
  if (position !== undefined) {
    return plan.shareBps === WHOLE_BPS
      ? { kind: 'zapOut', of: record, position, ...inWords({ code: 'restOfPosition', ...landed }) }
      : explained({ code: 'shareWithdrawnInPart', ...landed, shareBps: plan.shareBps }, 'seen');
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return explained({ code: 'proceedsUnknown', ...landed, hasExplorer: hasExplorer === true }, 'asked');
  }
  return explained(
    { code: 'proceedsLeft', ...landed, amounts: leftovers(changed, known), wrappedLamports: wrappedLamportsOf(changed, known) },
    'seen',
  );
}

/** Received tokens besides SOL that the wallet still has. */
function leftovers({ tokens }: Measured, { held, pool }: Known): AmountLeft[] {
  return [...tokens].flatMap(([mint, raw]) => {
    const there = held === undefined ? raw : least(raw, held.get(mint) ?? 0n);
    const facts = pool?.tokens.find((token) => token.address === mint);
    return mint === WRAPPED_SOL_MINT || there <= 0n ? [] : [amountOf(mint, there, facts)];
  });
}

/** SOL of the landed transactions that is still wrapped, lamports; 0 or less: none. */
function wrappedLamportsOf({ tokens }: Measured, { wrappedLamports }: Known): bigint {
  const brought = tokens.get(WRAPPED_SOL_MINT) ?? 0n;
  return wrappedLamports === undefined ? brought : least(brought, wrappedLamports);
}

function restOfZapIn(record: OperationRecord, known: Known, landed: LandedPart): Remainder {
  const { plan, poolType } = record.created;
  const { listed, changed, held, pool, rent = RentRate.highest } = known;
  const [tokenX, tokenY] = pool?.tokens ?? [];
  if (
    plan.kind !== 'zapIn' ||
    listed === undefined ||
    tokenX?.address === undefined ||
    tokenY?.address === undefined ||
    held === undefined
  ) {
    return explained({ code: 'depositUnread', ...landed }, 'again');
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return explained({ code: 'depositUnknown', ...landed, hasExplorer: known.hasExplorer === true }, 'asked');
  }
  const made = record.built?.position;
  const isOpen = made !== undefined && listed.some((one) => isSamePosition(one, made));
  const atHand = (mint: Address, meantRaw: bigint | undefined): bigint => {
    const isSol = mint === WRAPPED_SOL_MINT;
    // Rent and fees are paid in SOL, too: never more than the user chose, less what the transactions took.
    const meant = meantRaw ?? (isSol ? plan.inputLamports : 0n);
    const left = meant + (changed.tokens.get(mint) ?? 0n) + (isSol ? changed.lamports : 0n);
    return most(0n, least(left, (held.get(mint) ?? 0n) - (isSol ? keptLamports(rent) : 0n)));
  };
  const all = { amountXRaw: atHand(tokenX.address, plan.tokens?.amountXRaw), amountYRaw: atHand(tokenY.address, plan.tokens?.amountYRaw) };
  const amountsOf = ({ amountXRaw, amountYRaw }: TokensAtHand): AmountLeft[] => [
    ...(amountXRaw > 0n ? [amountOf(tokenX.address ?? WRAPPED_SOL_MINT, amountXRaw, tokenX)] : []),
    ...(amountYRaw > 0n ? [amountOf(tokenY.address ?? WRAPPED_SOL_MINT, amountYRaw, tokenY)] : []),
  ];
  const rest = { ...landed, isOpen, amounts: amountsOf(all), wrappedLamports: wrappedLamportsOf(changed, known) };
  if (rest.amounts.length === 0) {
    return explained({ code: 'depositUsed', ...rest }, 'seen');
  }
  const tokens = withoutDust(all, plan);
  const amounts = amountsOf(tokens);
  if (amounts.length === 0 || isTooLittle(tokens, known)) {
    return explained({ code: 'depositTooLittle', ...rest }, 'seen');
  }
  if (poolType === 'dammV2' && (tokens.amountXRaw === 0n || tokens.amountYRaw === 0n)) {
    return explained({ code: 'depositOneSided', ...rest, amounts }, 'seen');
  }
  const range = remainingRange(plan, tokens, pool?.activeBinId);
  return range === undefined
    ? explained({ code: 'depositOutOfRange', ...rest, amounts }, 'asked')
    : { kind: 'zapIn', of: record, tokens, range, ...inWords({ code: 'depositLeft', ...rest, amounts, ...range }) };
}

/** Drops amounts below one raw unit per bin: no bin could receive any. */
function withoutDust({ amountXRaw, amountYRaw }: TokensAtHand, { fromBinId, toBinId }: RemainingRange): TokensAtHand {
  const bins = fromBinId === undefined || toBinId === undefined ? 1n : BigInt(toBinId - fromBinId + 1);
  return { amountXRaw: amountXRaw < bins ? 0n : amountXRaw, amountYRaw: amountYRaw < bins ? 0n : amountYRaw };
}

/** Whether the tokens are worth next to nothing by the pool's prices. False without prices. */
function isTooLittle({ amountXRaw, amountYRaw }: TokensAtHand, { pool, solUsd }: Known): boolean {
  const [tokenX, tokenY] = pool?.tokens ?? [];
  const priceOfSol = [tokenX, tokenY].find((token) => token?.address === WRAPPED_SOL_MINT)?.priceUsd ?? solUsd;
  const worthOf = (raw: bigint, token: TokenFacts | undefined): number => {
    if (raw === 0n || token?.address === WRAPPED_SOL_MINT) {
      return Number(raw);
    }
    const { priceUsd, decimals } = token ?? {};
    return priceUsd === undefined || decimals === undefined || priceOfSol === undefined || !(priceOfSol > 0)
      ? Number.NaN
      : ((Number(raw) / 10 ** decimals) * priceUsd * Number(LAMPORTS_PER_SOL)) / priceOfSol;
  };
  return worthOf(amountXRaw, tokenX) + worthOf(amountYRaw, tokenY) < Number(LEAST_LAMPORTS);
}

/** The bins that the available tokens can fill: token X alone above the price, token Y alone below it. */
function remainingRange(
  { fromBinId, toBinId }: RemainingRange,
  { amountXRaw, amountYRaw }: TokensAtHand,
  activeBinId: number | undefined,
): RemainingRange | undefined {
  if (fromBinId === undefined || toBinId === undefined || (amountXRaw > 0n && amountYRaw > 0n)) {
    return { fromBinId, toBinId };
  }
  if (activeBinId === undefined) {
    return undefined;
  }
  const range =
    amountXRaw > 0n
      ? { fromBinId: Math.max(fromBinId, activeBinId + 1), toBinId }
      : { fromBinId, toBinId: Math.min(toBinId, activeBinId - 1) };
  return range.fromBinId > range.toBinId ? undefined : range;
}

function amountOf(mint: Address, raw: bigint, facts: TokenFacts | undefined): AmountLeft {
  return { mint, raw, symbol: facts?.symbol, decimals: facts?.decimals };
}

function explained(reason: Reason, then: FollowUp): Remainder {
  return { kind: 'noAction', then, ...inWords(reason) };
}

function inWords(reason: Reason): Explained {
  return { reason, words: reasonWords(reason) };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
