import type { LiquidityService } from '../../service/service';
import type { LandedTransaction, SolanaRpc } from '../../rpc/types';
import type { Address } from '../../base/solana/address';
import { parseDecimal } from '../../base/solana/amounts';
import { LAMPORTS_PER_SOL, RENT_LAMPORTS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { isEnd } from '../journal/states';
import type { BalanceSource, JournalChanges, OperationJournal, OperationRecord } from '../journal/types';
import { pause, type Timers } from '../../base/async/clock';
import { lookEveryMs } from '../requestPlan';
import { wasSubmitted } from '../signedAttempts';
import type { OperationRequests } from '../../service/operationRequests';

/** What an operation brought its owner, or took from it. */
export interface Measured {
  /** Net change of the owner's SOL, with rent and fees in it; less than 0 where it took more than it brought. */
  readonly lamports: bigint;
  /** Net change of each token that the owner has in token accounts, in its smallest unit; without those that did not change. Empty where only SOL was measured. */
  readonly tokens: ReadonlyMap<Address, bigint>;
  /**
   * `transactions`: what the landed transactions themselves changed, exact whatever else happens in the wallet. `rpc`, `service`: the
   * balance after less the one before, by the one or the other.
   */
  readonly from: 'transactions' | BalanceSource;
}

/** What it is measured with. */
export interface MeasureDependencies {
  readonly journal: Pick<OperationJournal, 'read'>;
  readonly rpc: SolanaRpc | undefined;
  /** `undefined`: it is not measured by the service's balances. */
  readonly service: Pick<LiquidityService, 'tokenBalances'> | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly clock?: Timers;
  /** Of the operation that measures: the service is asked as often as its plan allows, and waited for as long as that takes. */
  readonly requests?: OperationRequests | undefined;
}

/** How it is measured. */
export interface MeasureOptions {
  /** How many of the transactions that were signed have landed: as long as the RPC has fewer, the rest is waited for. The others are known to be dead. */
  readonly landed: 'all' | number;
  /** For how long it is asked again, milliseconds; 0: once. */
  readonly patienceMs: number;
  /** Ends the asking again: what is being asked, which takes seconds at most, is heard out. */
  readonly signal: AbortSignal;
}

/** A balance, and who said it: those of two sources are not compared. */
export interface Balance {
  readonly lamports: bigint;
  readonly from: BalanceSource;
}

/** How long one call of the RPC, or of the service, may take. */
const RPC_BUDGET_MS = 2_000;
const SERVICE_BUDGET_MS = 10_000;
/** How long until the RPC, and the service, is asked again. */
const RPC_EVERY_MS = 500;
const SERVICE_EVERY_MS = 4_000;
/** How long what the service shows may take to come, and to be borne out. */
export const SERVICE_PATIENCE_MS = 30_000;
/** How many times in a row the RPC may fail. */
const MOST_FAILURES = 3;
/** How many transactions are asked for at once. */
const AT_ONCE = 10;
/** Later than that, other things have come and gone in the wallet: balances say nothing any more. */
const MEASURED_WITHIN_MS = 600_000;
/** What the service's balances may show for a position that was worth something: less is still to come, more came from elsewhere. */
const LEAST_PART = 0.5;
const MOST_PART = 1.25;
/** Rent that a zap-out gives back besides: of the widest position that there is (1400 bins: dlmm SDK, POSITION_MAX_LENGTH), and of both token accounts. */
const MOST_RENT_LAMPORTS = RENT_LAMPORTS.position + 1_330n * RENT_LAMPORTS.positionPerBinAbove70 + 2n * RENT_LAMPORTS.token2022Account;

/**
 * What an operation that landed brought its owner: by what its transactions changed where the RPC has them; else, of a zap-out, by the
 * balance after and before (the one that the journal has), from the same source as the one before. `undefined` where that is not known: the
 * RPC does not have them, something else was sent for the wallet meanwhile, it is too long ago, or what the service shows cannot be
 * what came out of that position. Never rejects.
 */
export async function measured(
  record: OperationRecord,
  dependencies: MeasureDependencies,
  options: MeasureOptions,
): Promise<Measured | undefined> {
  return (await byTransactions(record, dependencies, options)) ?? (await byBalance(record, dependencies, options));
}

/** What is written of each token: what the transactions themselves changed. `undefined` where balances were compared, which say SOL alone. */
export function journalChanges(change: Measured | undefined): JournalChanges | undefined {
  return change?.from === 'transactions'
    ? { lamports: change.lamports, tokens: [...change.tokens].map(([mint, changeRaw]) => ({ mint, changeRaw })) }
    : undefined;
}

/** What is written as `lamportsBack`: what came back of a zap-out. `undefined` where that was not measured, or nothing did. */
export function lamportsBackOf({ created }: OperationRecord, change: Measured | undefined): bigint | undefined {
  return created.operation === 'zapOut' && change !== undefined && change.lamports > 0n ? change.lamports : undefined;
}

/**
 * The owner's SOL, by the RPC where there is one, else by the service; `undefined` where that does not say. Never rejects.
 * @param budgetMs how long it may take; without it as long as is worth waiting for what has to be known
 */
export async function balanceOf(
  owner: Address,
  { rpc, service }: Pick<MeasureDependencies, 'rpc' | 'service'>,
  budgetMs?: number,
): Promise<Balance | undefined> {
  const from = rpc === undefined ? 'service' : 'rpc';
  const lamports = await lamportsBy(from, owner, { rpc, service }, budgetMs);
  return lamports === undefined ? undefined : { lamports, from };
}

/** The transactions as the RPC has them, in the order of the signatures; `failed`: it did not answer, `refused`: it gives none. */
async function landedTransactions(
  signatures: readonly string[],
  rpc: SolanaRpc,
): Promise<readonly (LandedTransaction | undefined)[] | 'failed' | 'refused'> {
  const landed: (LandedTransaction | undefined)[] = [];
  try {
    for (let from = 0; from < signatures.length; from += AT_ONCE) {
      const limited = AbortSignal.timeout(RPC_BUDGET_MS);
      landed.push(
        ...(await Promise.all(signatures.slice(from, from + AT_ONCE).map((signature) => rpc.transaction(signature, { signal: limited })))),
      );
    }
    return landed;
  } catch (error) {
    return error instanceof Error && 'kind' in error && error.kind === 'refused' ? 'refused' : 'failed';
  }
}

async function byTransactions(
  { signatures, created: { owner } }: OperationRecord,
  { rpc, clock }: MeasureDependencies,
  { landed: expects, patienceMs, signal }: MeasureOptions,
): Promise<Measured | undefined> {
  const expected = expects === 'all' ? signatures.length : expects;
  if (rpc === undefined || expected === 0) {
    return undefined;
  }
  const known = new Map<string, LandedTransaction>();
  let failures = 0;
  for (let looks = 1; ; looks += 1) {
    const missing = signatures.filter((signature) => !known.has(signature));
    const landed = await landedTransactions(missing, rpc);
    if (landed === 'refused') {
      return undefined;
    }
    missing.forEach((signature, index) => {
      const transaction = landed === 'failed' ? undefined : landed[index];
      if (transaction !== undefined) {
        known.set(signature, transaction);
      }
    });
    const carriedOut = [...known.values()].filter(({ error }) => error === undefined).length;
    if (carriedOut >= expected) {
      return changesOf([...known.values()], owner);
    }
    failures = landed === 'failed' ? failures + 1 : 0;
    if (failures === MOST_FAILURES || signal.aborted || looks * RPC_EVERY_MS > patienceMs) {
      return undefined;
    }
    await pause(RPC_EVERY_MS, signal, clock);
  }
}

/** What transactions changed for an owner: in its account, and in the token accounts that are its own. */
export function changesOf(transactions: readonly LandedTransaction[], owner: Address): Measured {
  let lamports = 0n;
  const tokens = new Map<Address, bigint>();
  for (const transaction of transactions) {
    for (const { address, before, after } of transaction.lamports) {
      lamports += address === owner ? after - before : 0n;
    }
    for (const { mint, owner: holder, beforeRaw, afterRaw } of transaction.tokens) {
      if (holder === owner) {
        tokens.set(mint, (tokens.get(mint) ?? 0n) + afterRaw - beforeRaw);
      }
    }
  }
  return { lamports, tokens: new Map([...tokens].filter(([, raw]) => raw !== 0n)), from: 'transactions' };
}

async function byBalance(
  record: OperationRecord,
  dependencies: MeasureDependencies,
  { patienceMs, signal }: MeasureOptions,
): Promise<Measured | undefined> {
  const { created, events } = record;
  const { nowMs, clock } = dependencies;
  const submitted = events.find((event) => event.kind === 'submitted');
  const before = submitted?.lamportsBefore;
  if (
    submitted === undefined ||
    before === undefined ||
    created.operation !== 'zapOut' ||
    !isWithin(nowMs() - submitted.atMs, MEASURED_WITHIN_MS)
  ) {
    return undefined;
  }
  const from = submitted.balanceFrom ?? 'rpc';
  const isPlausible = from === 'rpc' ? (lamports: bigint) => lamports > 0n : plausibleFor(record);
  // One listing of the service may show a part of it: the next one has to bear it out.
  const everyMs = from === 'rpc' ? RPC_EVERY_MS : SERVICE_EVERY_MS;
  // An answer of the service may have to wait for its turn: that ends by a cancellation only.
  const limit = from === 'service' && dependencies.requests !== undefined ? signal : undefined;
  let seen: bigint | undefined;
  for (let looks = 1; ; looks += 1) {
    const after = await lamportsBy(from, created.owner, dependencies, undefined, limit);
    const back = after === undefined ? undefined : after - before;
    if (back !== undefined && isPlausible(back) && (from === 'rpc' || back === seen)) {
      return (await isMixed(record, dependencies.journal, submitted.atMs)) ? undefined : { lamports: back, tokens: new Map(), from };
    }
    seen = back;
    if (signal.aborted || looks * everyMs > patienceMs) {
      return undefined;
    }
    await pause(from === 'rpc' ? everyMs : lookEveryMs(everyMs, dependencies.requests), signal, clock);
  }
}

/** Whether an amount can be what came out of the position: by what it was worth. Of one that had no price, nothing can be said. */
function plausibleFor({ created: { plan } }: OperationRecord): (lamports: bigint) => boolean {
  const worthSol = plan.kind === 'zapOut' ? Number(plan.before.valueNative ?? Number.NaN) * (plan.shareBps / 10_000) : Number.NaN;
  const worthLamports = worthSol * Number(LAMPORTS_PER_SOL);
  return (lamports) =>
    lamports > 0n &&
    Number(lamports) >= worthLamports * LEAST_PART &&
    Number(lamports) <= worthLamports * MOST_PART + Number(MOST_RENT_LAMPORTS);
}

/** Whether something else was sent for the wallet meanwhile: what its balance shows is of both then. */
async function isMixed(
  { id, created: { owner } }: OperationRecord,
  journal: Pick<OperationJournal, 'read'>,
  sinceMs: number,
): Promise<boolean> {
  const records = await journal.read().then(
    (read) => read.records,
    () => undefined,
  );
  // What had ended by then is in the balance of before: an operation may begin at the very moment at which another one ends.
  const isSince = ({ state, updatedAtMs }: OperationRecord): boolean => updatedAtMs > sinceMs || (updatedAtMs === sinceMs && !isEnd(state));
  return records?.some((other) => other.id !== id && other.created.owner === owner && wasSubmitted(other) && isSince(other)) ?? true;
}

/**
 * The owner's SOL as one of them says it; `undefined` where it is not at hand, or does not say. Never rejects.
 * @param limit ends it, in place of `budgetMs`
 */
export async function lamportsBy(
  from: BalanceSource,
  owner: Address,
  { rpc, service }: Pick<MeasureDependencies, 'rpc' | 'service'>,
  budgetMs = from === 'rpc' ? RPC_BUDGET_MS : SERVICE_BUDGET_MS,
  limit?: AbortSignal,
): Promise<bigint | undefined> {
  try {
    if (from === 'rpc') {
      const read = await rpc?.accounts({ addresses: [owner], firstBytes: 0 }, { signal: AbortSignal.timeout(budgetMs) });
      return read === undefined ? undefined : (read.value[0]?.lamports ?? 0n);
    }
    const read = await service?.tokenBalances({ owner, mints: [WRAPPED_SOL_MINT] }, { signal: limit ?? AbortSignal.timeout(budgetMs) });
    const sol = read?.items.find(({ mint }) => mint === WRAPPED_SOL_MINT);
    return sol?.amountRaw ?? (sol === undefined ? undefined : parseDecimal(sol.amountText, SOL_DECIMALS));
  } catch {
    return undefined;
  }
}

/** False also on a clock that was set back. */
function isWithin(ageMs: number, mostMs: number): boolean {
  return ageMs >= 0 && ageMs < mostMs;
}
