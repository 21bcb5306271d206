import type { LiquidityService } from '../../service/service';
import type { LandedTransaction, SolanaRpc } from '../../rpc/types';
import { MAX_BINS_PER_POSITION } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { parseDecimal } from '../../base/solana/amounts';
import { LAMPORTS_PER_SOL, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import { isEnd } from '../journal/states';
import type { JournalChanges, OperationJournal, OperationRecord } from '../journal/types';
import { pause, type Timers } from '../../base/async/clock';
import { OPERATIONS, withdrawalOf } from '../operations';
import { pollIntervalMs } from '../requestPlan';
import { wasSubmitted } from '../signedAttempts';
import type { OperationRequests } from '../../service/budget/operationRequests';

/** The measured effect of an operation on its owner. */
export interface Measured {
  /** Net change of the owner's SOL in lamports, including rent and fees. */
  readonly lamports: bigint;
  /** Net change of each token in the owner's token accounts, raw units; unchanged ones are left out. Empty if only SOL was measured. */
  readonly tokens: ReadonlyMap<Address, bigint>;
  /**
   * `transactions`: the changes in the landed transactions, exact whatever else happens in the wallet. `service`: the difference of two
   * balances by the service, which may contain money from elsewhere.
   */
  readonly from: 'transactions' | 'service';
}

export interface MeasureDependencies {
  readonly journal: Pick<OperationJournal, 'read'>;
  /** If there is one, only its transactions measure. */
  readonly rpc: SolanaRpc | undefined;
  /** `undefined`: not measured by the service's balances. */
  readonly service: Pick<LiquidityService, 'tokenBalances'> | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly clock?: Timers;
  /** The request limit of the measuring operation: the service is asked as often as its plan allows, however long that takes. */
  readonly requests?: OperationRequests | undefined;
}

export interface MeasureOptions {
  /** How many of the signed transactions have landed: the measurement waits until the RPC has that many. The others can no longer land. */
  readonly landed: 'all' | number;
  /** For how long to retry, in milliseconds; 0: a single attempt. */
  readonly patienceMs: number;
  /** Ends the retries; a request in progress, which takes seconds at most, is completed. */
  readonly signal: AbortSignal;
}

/** Time limit for one call of the RPC or the service. */
const RPC_BUDGET_MS = 8_000;
const SERVICE_BUDGET_MS = 10_000;
/** Interval between requests. */
const RPC_EVERY_MS = 500;
const SERVICE_EVERY_MS = 4_000;
/** How long the service's balances may take to appear and be confirmed by a second reading. */
export const SERVICE_PATIENCE_MS = 30_000;
/** Maximum failures of the RPC in a row. */
const MOST_FAILURES = 3;
/** Number of transactions requested at once. */
const AT_ONCE = 10;
/** After this time other changes in the wallet make balances meaningless. */
const MEASURED_WITHIN_MS = 600_000;
/**
 * The least plausible part of the position's value in the service's balances: with less, more is still to come. With too much, some of it
 * has another origin.
 */
const LEAST_PART = 0.5;
const MOST_PART = 1.25;
/**
 * The most refunded rent of a zap-out: of the widest position (1,400 bins: dlmm SDK, POSITION_MAX_LENGTH) and both token accounts, all opened
 * when accounts cost most, whatever they cost now.
 */
const MOST_RENT_LAMPORTS = RentRate.highest.positionOf(MAX_BINS_PER_POSITION) + 2n * RentRate.highest.token2022Account;

/**
 * Measures what a landed operation changed for its owner: with an RPC by its transactions alone, without one (zap-outs only) by the service's
 * balance after less the journaled one before. `undefined` if unknown: the RPC doesn't have the transactions, another operation of the
 * wallet in between, too long ago, or an amount that the position can't have paid out. Never rejects.
 */
export async function measured(
  record: OperationRecord,
  dependencies: MeasureDependencies,
  options: MeasureOptions,
): Promise<Measured | undefined> {
  const { rpc } = dependencies;
  return rpc === undefined ? byBalance(record, dependencies, options) : byTransactions(record, rpc, dependencies, options);
}

/** The token changes for the journal, from transactions only; `undefined` if balances were compared, which cover only SOL. */
export function journalChanges(change: Measured | undefined): JournalChanges | undefined {
  return change?.from === 'transactions'
    ? { lamports: change.lamports, tokens: [...change.tokens].map(([mint, changeRaw]) => ({ mint, changeRaw })) }
    : undefined;
}

/**
 * The proceeds of a zap-out for the journal's `lamportsBack`: the change of SOL and wrapped SOL together, since closing the account of wrapped
 * SOL only moves what is in it. `undefined` if not measured or not positive.
 */
export function lamportsBackOf(
  { created }: Pick<OperationRecord, 'created'>,
  change: Pick<Measured, 'lamports' | 'tokens'> | undefined,
): bigint | undefined {
  const lamports = change === undefined ? 0n : change.lamports + (change.tokens.get(WRAPPED_SOL_MINT) ?? 0n);
  return OPERATIONS[created.operation].isMeasured && lamports > 0n ? lamports : undefined;
}

/** The recorded proceeds of a zap-out, and whether its own transactions prove them; otherwise they are a difference of balances. */
export function recordedProceeds({ created, changes, lamportsBack }: OperationRecord): {
  readonly lamportsBack: bigint | undefined;
  readonly isProven: boolean;
} {
  if (changes === undefined) {
    return { lamportsBack, isProven: false };
  }
  // Derived again: version 0.2.0 left wrapped SOL out.
  const tokens = new Map(changes.tokens.map(({ mint, changeRaw }) => [mint, changeRaw]));
  return { lamportsBack: lamportsBackOf({ created }, { lamports: changes.lamports, tokens }), isProven: true };
}

/** The transactions in the order of the signatures; `failed`: the RPC did not answer, `refused`: it doesn't serve them. */
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
    const kind = error instanceof Error && 'kind' in error ? error.kind : undefined;
    return kind === 'refused' || kind === 'unsupportedVersion' ? 'refused' : 'failed';
  }
}

async function byTransactions(
  { signatures, created: { owner } }: OperationRecord,
  rpc: SolanaRpc,
  { clock }: Pick<MeasureDependencies, 'clock'>,
  { landed: expects, patienceMs, signal }: MeasureOptions,
): Promise<Measured | undefined> {
  const expected = expects === 'all' ? signatures.length : expects;
  if (expected === 0) {
    return undefined;
  }
  const known = new Map<string, LandedTransaction>();
  let failures = 0;
  for (let attempts = 1; ; attempts += 1) {
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
    if (failures === MOST_FAILURES || signal.aborted || attempts * RPC_EVERY_MS > patienceMs) {
      return undefined;
    }
    await pause(RPC_EVERY_MS, signal, clock);
  }
}

/** The changes of transactions in an owner's account and own token accounts. */
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
  const { nowMs, clock, service, requests } = dependencies;
  const submitted = events.find((event) => event.kind === 'submitted');
  const before = submitted?.balanceFrom === 'service' ? submitted.lamportsBefore : undefined;
  if (
    submitted === undefined ||
    before === undefined ||
    !OPERATIONS[created.operation].isMeasured ||
    !isWithin(nowMs() - submitted.atMs, MEASURED_WITHIN_MS)
  ) {
    return undefined;
  }
  const isPlausible = plausibleFor(record);
  // A request to the service may wait for its turn: only a cancellation ends that.
  const limit = requests === undefined ? undefined : signal;
  // One reading may show a part of the change: the next one must confirm it.
  let seen: bigint | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const after = await balanceOf(created.owner, service, limit);
    const back = after === undefined ? undefined : after - before;
    if (back !== undefined && isPlausible(back) && back === seen) {
      return (await isMixed(record, dependencies.journal, submitted.atMs))
        ? undefined
        : { lamports: back, tokens: new Map(), from: 'service' };
    }
    seen = back;
    if (signal.aborted || attempts * SERVICE_EVERY_MS > patienceMs) {
      return undefined;
    }
    await pause(pollIntervalMs(SERVICE_EVERY_MS, requests), signal, clock);
  }
}

/** Whether the position can have paid out an amount, by its value. Positions without a price accept any amount. */
function plausibleFor({ created: { plan } }: OperationRecord): (lamports: bigint) => boolean {
  const withdrawal = withdrawalOf(plan);
  const worthSol =
    withdrawal === undefined ? Number.NaN : Number(withdrawal.before.valueNative ?? Number.NaN) * (withdrawal.shareBps / 10_000);
  const worthLamports = worthSol * Number(LAMPORTS_PER_SOL);
  return (lamports) =>
    lamports > 0n &&
    Number(lamports) >= worthLamports * LEAST_PART &&
    Number(lamports) <= worthLamports * MOST_PART + Number(MOST_RENT_LAMPORTS);
}

/** Whether another operation of the wallet was sent in the meantime: the balance shows both then. */
async function isMixed(
  { id, created: { owner } }: OperationRecord,
  journal: Pick<OperationJournal, 'read'>,
  sinceMs: number,
): Promise<boolean> {
  const records = await journal.read().then(
    (read) => read.records,
    () => undefined,
  );
  // Operations that had ended are in the balance before; one may begin at the very moment when another one ends.
  const isSince = ({ state, updatedAtMs }: OperationRecord): boolean => updatedAtMs > sinceMs || (updatedAtMs === sinceMs && !isEnd(state));
  return records?.some((other) => other.id !== id && other.created.owner === owner && wasSubmitted(other) && isSince(other)) ?? true;
}

/**
 * The owner's SOL by the service; `undefined` without the service or an answer. Never rejects.
 * @param limit ends the request; default: after a time limit
 */
export async function balanceOf(
  owner: Address,
  service: MeasureDependencies['service'],
  limit: AbortSignal = AbortSignal.timeout(SERVICE_BUDGET_MS),
): Promise<bigint | undefined> {
  try {
    const read = await service?.tokenBalances({ owner, mints: [WRAPPED_SOL_MINT] }, { signal: limit });
    const sol = read?.items.find(({ mint }) => mint === WRAPPED_SOL_MINT);
    return sol?.amountRaw ?? (sol === undefined ? undefined : parseDecimal(sol.amountText, SOL_DECIMALS));
  } catch {
    return undefined;
  }
}

/** False on a clock that was set back. */
function isWithin(ageMs: number, mostMs: number): boolean {
  return ageMs >= 0 && ageMs < mostMs;
}
