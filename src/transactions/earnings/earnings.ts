import type { RawTransaction } from '../../base/insight/flows';
import {
  type EarningsLedger,
  type LedgerInput,
  type LedgerLines,
  ledgerOf,
  type LedgerTransaction,
  linesInUsd,
} from '../../base/insight/ledger';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { SolanaRpc } from '../../rpc/types';
import { isEnd } from '../journal/states';
import type { OperationJournal, OperationRecord } from '../journal/types';
import { positionsOf } from '../operations';
import { type ClaimShare, type EarningsPool, ledgerTransactionsOf } from './ledgerTransactions';
import { type LoggedFlow, loggedFlows, type ReadLogs } from './loggedFlows';
import { chainOf, mayHaveLanded, type PositionChain } from './positionChain';

/** The position that is asked about. */
export interface EarningsSubject {
  readonly owner: Address;
  readonly position: Address;
  /** With the positions that rebalances turned into it and made of it, or alone. */
  readonly scope: 'chain' | 'position';
  readonly pool: EarningsPool & { readonly address: Address };
  /** What an open position contains, raw units; `undefined`: it is closed. */
  readonly open: LedgerInput['open'];
  /** SOL for one whole token; `atEnd`: what is left of a closed position is worth what it was in its last transaction. */
  readonly pricesNow: Readonly<Record<string, number>> | 'atEnd';
  /** US dollars for one SOL now; `undefined`: not known. */
  readonly solUsdNow: number | undefined;
  /** By the service, SOL. */
  readonly reportedPnlSol: number | undefined;
  /** The service knows all that went in and out of the position. */
  readonly isHistoryWhole: boolean;
}

/** What a chain of positions really earned. */
export interface KnownEarnings {
  readonly known: true;
  readonly ledger: Extract<EarningsLedger, { known: true }>;
  /** In US dollars, each at the price of SOL when it happened; `undefined`: the service does not have all prices. */
  readonly linesUsd: LedgerLines | undefined;
  readonly positions: readonly Address[];
  /** Of the first transaction, milliseconds since 1970. */
  readonly sinceMs: number;
  readonly transactions: readonly LedgerTransaction[];
  /** Claims of fees: transactions in which the pool paid some. */
  readonly claims: number;
}

/** Why it is not known what a chain of positions really earned. */
export type UnknownEarnings =
  | {
      readonly known: false;
      readonly why:
        | 'noRpc'
        | 'noTransactions'
        | 'underWay'
        | 'unclear'
        | 'eventsNotKnown'
        | 'historyIncomplete'
        | 'rewards'
        | 'notUnderstood'
        | 'incomplete'
        | 'doesNotAddUp';
    }
  /** `count` of `of` transactions could not be read. */
  | { readonly known: false; readonly why: 'notRead'; readonly count: number; readonly of: number }
  /** More than are read unasked. */
  | { readonly known: false; readonly why: 'many'; readonly count: number }
  | { readonly known: false; readonly why: 'tooMany'; readonly count: number }
  /** What was moved is known all the same. */
  | { readonly known: false; readonly why: 'priceNotKnown'; readonly mint: string; readonly transactions: readonly LedgerTransaction[] };
export type Earnings = KnownEarnings | UnknownEarnings;

export interface EarningsReaderDependencies {
  readonly journal: () => Promise<Pick<OperationJournal, 'read'>>;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
}

export interface EarningsOptions {
  readonly signal: AbortSignal;
  /** The user has asked to read so many transactions. */
  readonly mayReadMany: boolean;
}

/** Transactions that are read unasked. */
const MOST_UNASKED = 60;
const MOST_TRANSACTIONS = 1_000;
const MOST_POSITIONS = 50;
/** Transactions requested at once. */
const AT_ONCE = 4;
/** Transactions that are kept: what has landed does not change. */
const MOST_KEPT = 500;
/** The lines add up to the change of the wallet within this, SOL. */
const LARGEST_REMAINDER_SOL = 1e-9;

/** Reads what chains of positions really earned: from the journal, the events of the service, and the landed transactions. */
export class EarningsReader {
  readonly #dependencies: EarningsReaderDependencies;
  /** By signature, the one read last at the end. */
  readonly #read = new Map<string, RawTransaction>();

  constructor(dependencies: EarningsReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws ServiceError, RpcError if the service or the RPC does not answer */
  async read(subject: EarningsSubject, readLogs: ReadLogs, { signal, mayReadMany }: EarningsOptions): Promise<Earnings> {
    const { owner, position, pool } = subject;
    const { records } = await (await this.#dependencies.journal()).read();
    const chain = chainOf(position, { owner, pool: pool.address, poolType: pool.poolType }, records, subject.scope);
    const state = chain.operations.some(({ state: of }) => !isEnd(of))
      ? 'underWay'
      : chain.operations.some(({ isUnclear }) => isUnclear)
        ? 'unclear'
        : subject.isHistoryWhole
          ? undefined
          : 'historyIncomplete';
    if (state !== undefined) {
      return { known: false, why: state };
    }
    if (chain.positions.length > MOST_POSITIONS) {
      return { known: false, why: 'tooMany', count: chain.positions.length };
    }
    const rpc = await this.#dependencies.rpc();
    if (rpc === undefined) {
      return { known: false, why: 'noRpc' };
    }
    const logged = await flowsOfPositions(chain.positions, pool, readLogs, signal);
    if (typeof logged === 'string') {
      return { known: false, why: logged };
    }
    const wanted = signaturesOf(chain, logged);
    if (wanted.size === 0) {
      return { known: false, why: 'noTransactions' };
    }
    if (wanted.size > MOST_TRANSACTIONS) {
      return { known: false, why: 'tooMany', count: wanted.size };
    }
    if (wanted.size > MOST_UNASKED && !mayReadMany) {
      return { known: false, why: 'many', count: wanted.size };
    }
    const transactions = await this.#transactions([...wanted.keys()], rpc, signal);
    const missing = missingOf(chain, wanted, transactions);
    if (missing > 0) {
      return { known: false, why: 'notRead', count: missing, of: wanted.size };
    }
    return concluded(subject, chain, [...transactions.values()], logged);
  }

  async #transactions(signatures: readonly string[], rpc: SolanaRpc, signal: AbortSignal): Promise<ReadonlyMap<string, RawTransaction>> {
    const found = new Map<string, RawTransaction>();
    for (let from = 0; from < signatures.length; from += AT_ONCE) {
      await Promise.all(
        signatures.slice(from, from + AT_ONCE).map(async (signature) => {
          const transaction = this.#read.get(signature) ?? (await rpc.transactionWithCalls(signature, { signal }));
          if (transaction !== undefined) {
            found.set(signature, transaction);
            this.#keep(signature, transaction);
          }
        }),
      );
      signal.throwIfAborted();
    }
    return found;
  }

  #keep(signature: string, transaction: RawTransaction): void {
    this.#read.delete(signature);
    this.#read.set(signature, transaction);
    for (const [oldest] of this.#read) {
      if (this.#read.size <= MOST_KEPT) {
        break;
      }
      this.#read.delete(oldest);
    }
  }
}

async function flowsOfPositions(
  positions: readonly Address[],
  pool: EarningsPool,
  readLogs: ReadLogs,
  signal: AbortSignal,
): Promise<readonly LoggedFlow[] | (UnknownEarnings['why'] & ('eventsNotKnown' | 'historyIncomplete' | 'rewards' | 'notUnderstood'))> {
  const all: LoggedFlow[] = [];
  for (const position of positions) {
    const logs = await readLogs(position, signal);
    if (logs === undefined || logs.items.length === 0) {
      return 'eventsNotKnown';
    }
    if (logs.incomplete !== undefined) {
      return 'historyIncomplete';
    }
    const flows = loggedFlows(logs.items, pool);
    if (typeof flows === 'string') {
      return flows;
    }
    all.push(...flows);
  }
  return all;
}

/** The signatures of a chain, each with whether it must be on the chain: of an operation that failed, only some may be. */
function signaturesOf({ operations }: PositionChain, logged: readonly LoggedFlow[]): ReadonlyMap<string, { readonly mustExist: boolean }> {
  return new Map([
    ...operations
      .filter(mayHaveLanded)
      .flatMap((record) => record.signatures.map((signature) => [signature, { mustExist: hasLandedWhole(record) }] as const)),
    ...logged.flatMap(({ signature }) => (signature === undefined ? [] : [[signature, { mustExist: true }] as const])),
  ]);
}

function hasLandedWhole(record: OperationRecord): boolean {
  return record.state === 'settled' && landedOf(record) === undefined;
}

/** How many transactions of an operation that was executed in part have landed. */
function landedOf({ events }: OperationRecord): number | undefined {
  const end = events.findLast((event) => event.kind === 'settled' || event.kind === 'failed');
  return end?.landedTransactions;
}

/** How many transactions that are on the chain were not found. */
function missingOf(
  { operations }: PositionChain,
  wanted: ReadonlyMap<string, { readonly mustExist: boolean }>,
  found: ReadonlyMap<string, unknown>,
): number {
  const gone = [...wanted].filter(([signature, { mustExist }]) => mustExist && !found.has(signature)).length;
  const partly = operations
    .filter((record) => mayHaveLanded(record) && !hasLandedWhole(record))
    .map((record) => Math.max(0, (landedOf(record) ?? 0) - record.signatures.filter((signature) => found.has(signature)).length));
  return partly.reduce((sum, count) => sum + count, gone);
}

function concluded(
  { owner, pool, open, pricesNow, solUsdNow, reportedPnlSol }: EarningsSubject,
  chain: PositionChain,
  raws: readonly RawTransaction[],
  logged: readonly LoggedFlow[],
): Earnings {
  const { positions } = chain;
  const source = { owner, pool, positions, transactions: raws, logged, sharedClaims: sharedClaimsOf(chain) };
  const read = ledgerTransactionsOf(source);
  if (!read.known) {
    return read.why === 'transactionNotRead'
      ? { known: false, why: 'notRead', count: read.count, of: raws.length }
      : { known: false, why: read.why };
  }
  const { transactions } = read;
  const input: LedgerInput = {
    tokens: {
      [pool.x]: { decimals: pool.decimalsX },
      [pool.y]: { decimals: pool.decimalsY },
      [WRAPPED_SOL_MINT]: { decimals: SOL_DECIMALS },
    },
    x: pool.x,
    y: pool.y,
    transactions,
    open,
    pricesNow: pricesNow === 'atEnd' ? pricesAtEnd(transactions) : pricesNow,
    // The service counts each position by itself.
    reportedPnlSol: positions.length === 1 ? reportedPnlSol : undefined,
    solUsdNow,
  };
  const ledger = ledgerOf(input);
  if (!ledger.known) {
    return ledger.why === 'priceNotKnown'
      ? { known: false, why: 'priceNotKnown', mint: ledger.mint, transactions }
      : { known: false, why: ledger.why };
  }
  if (!(Math.abs(ledger.unexplainedSol) <= LARGEST_REMAINDER_SOL)) {
    return { known: false, why: 'doesNotAddUp' };
  }
  return {
    known: true,
    ledger,
    linesUsd: linesInUsd(input),
    positions,
    sinceMs: Math.min(...transactions.map(({ timeS }) => timeS)) * 1_000,
    transactions,
    claims: transactions.filter(({ pool: { fees } }) => Object.values(fees ?? {}).some((raw) => raw > 0n)).length,
  };
}

function pricesAtEnd(transactions: readonly LedgerTransaction[]): Readonly<Record<string, number>> {
  const inOrder = transactions.toSorted((one, other) => one.timeS - other.timeS);
  return inOrder.findLast(({ prices }) => prices !== undefined)?.prices ?? {};
}

/** The claims of a chain that took fees of other positions, too, by signature. */
function sharedClaimsOf({ operations, positions }: PositionChain): ReadonlyMap<string, ClaimShare> {
  return new Map(
    operations.flatMap(({ created: { plan }, signatures }) => {
      if (plan.kind !== 'claim') {
        return [];
      }
      const all = positionsOf(plan);
      const own = all.filter(({ address }) => positions.includes(address)).length;
      return own < all.length ? signatures.map((signature) => [signature, { own, all: all.length }] as const) : [];
    }),
  );
}
