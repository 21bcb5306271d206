import { flowsOf, type RawTransaction } from '../../base/insight/flows';
import { type AmountsByMint, type LedgerTransaction, tradedIn } from '../../base/insight/ledger';
import type { Address } from '../../base/solana/address';
import type { SolanaRpc } from '../../rpc/types';
import type { OperationRecord } from '../journal/types';
import { positionsOf } from '../operations';
import { addedAmounts, nftsIn, withPool } from './ledgerTransactions';
import { type LoggedFlow, loggedFlows, type ReadLogs } from './loggedFlows';
import { mayHaveLanded } from './positionChain';

/** What an operation did to a wallet, raw units, by its transactions. All lines together are the change of the wallet. */
export interface OperationLines {
  /** What it moved between wallet, pool and market; `undefined`: neither the transactions nor the service tell these apart. */
  readonly movements:
    | {
        readonly deposited: AmountsByMint;
        readonly withdrawn: AmountsByMint;
        readonly fees: AmountsByMint;
        /** Negative: given. */
        readonly swapped: AmountsByMint;
      }
    | undefined;
  readonly networkFees: bigint;
  readonly tips: bigint;
  /** In accounts that give it back when they are closed. */
  readonly rentLocked: bigint;
  readonly rentRefunded: bigint;
  readonly rentNotRefunded: bigint;
}

/** Why the lines of an operation are not known. */
export type LinesNotKnown = 'noRpc' | 'notRead' | 'notUnderstood' | 'tooMany';

export interface LinesSources {
  readonly rpc: Pick<SolanaRpc, 'transactionWithCalls'> | undefined;
  /** The events of a position by the service: asked if the transactions do not tell themselves. */
  readonly readLogs: ReadLogs;
}

/** More transactions are not read for a document. */
const MOST_TRANSACTIONS = 40;

/**
 * Reads what the transactions of an operation and its parts did to the wallet.
 * @returns `undefined` if nothing of it can have landed
 * @throws ServiceError, RpcError if the service or the RPC does not answer
 */
export async function operationLines(
  records: readonly OperationRecord[],
  { rpc, readLogs }: LinesSources,
  signal: AbortSignal,
): Promise<OperationLines | LinesNotKnown | undefined> {
  const landed = records.filter((record) => mayHaveLanded(record) && record.signatures.length > 0);
  if (landed.length === 0) {
    return undefined;
  }
  if (rpc === undefined) {
    return 'noRpc';
  }
  if (landed.reduce((sum, { signatures }) => sum + signatures.length, 0) > MOST_TRANSACTIONS) {
    return 'tooMany';
  }
  const all: OperationLines[] = [];
  for (const record of landed) {
    const found = await Promise.all(record.signatures.map((signature) => rpc.transactionWithCalls(signature, { signal })));
    const transactions = found.filter((one) => one !== undefined);
    if (transactions.length === 0 || (record.state === 'settled' && transactions.length < found.length)) {
      return 'notRead';
    }
    const lines = linesOf(record, transactions, []);
    if (typeof lines === 'string') {
      return lines;
    }
    // Programs without events of their own: those of the sandbox.
    const told = lines.movements === undefined ? linesOf(record, transactions, await flowsByService(record, readLogs, signal)) : lines;
    all.push(typeof told === 'string' ? lines : told);
  }
  return all.reduce(added);
}

/** The positions that an operation worked on, or opened. */
function subjectsOf({ created: { plan }, built }: OperationRecord): readonly Address[] {
  const addresses = positionsOf(plan).map(({ address }) => address);
  return addresses.length === 0 && built?.position !== undefined ? [built.position] : addresses;
}

async function flowsByService(record: OperationRecord, readLogs: ReadLogs, signal: AbortSignal): Promise<readonly LoggedFlow[]> {
  const [x, y] = record.created.tokens ?? [];
  if (record.created.plan.kind === 'claim' || x === undefined || y === undefined) {
    return [];
  }
  const logs = await Promise.all(subjectsOf(record).map((position) => readLogs(position, signal)));
  return logs.flatMap((one) => {
    const flows = one === undefined ? [] : loggedFlows(one.items, { x: x.mint, y: y.mint });
    return typeof flows === 'string' ? [] : flows;
  });
}

function linesOf(
  record: OperationRecord,
  transactions: readonly RawTransaction[],
  logged: readonly LoggedFlow[],
): OperationLines | LinesNotKnown {
  const { owner, pool, poolType, plan, tokens = [] } = record.created;
  const [x, y] = tokens;
  const mints = tokens.map(({ mint }) => mint);
  const nfts = new Set(poolType === 'dammV2' ? transactions.flatMap((one) => nftsIn(one, owner, mints)) : []);
  const flows = flowsOf({
    owner,
    pool: { address: pool ?? '', x: x?.mint ?? '', y: y?.mint ?? '' },
    positions: [...subjectsOf(record), ...nfts],
    transactions,
  });
  if (!flows.known) {
    return flows.why === 'transactionNotRead' ? 'notRead' : flows.why;
  }
  const each = flows.transactions.map((flow) =>
    withPool(
      flow,
      logged.filter(({ signature }) => signature === flow.signature),
      nfts,
    ),
  );
  const isClaim = plan.kind === 'claim';
  const moved = each.map((one) => (isClaim ? claimed(one) : movements(one)));
  const isTold = isClaim || (x !== undefined && y !== undefined && each.some(({ pool: of }) => of.in ?? of.out ?? of.fees));
  return {
    movements: isTold ? moved.reduce(addedMovements) : undefined,
    networkFees: sum(each, ({ feeLamports }) => feeLamports),
    tips: sum(each, ({ tipLamports }) => tipLamports),
    rentLocked: sum(each, ({ rent }) => rent.locked),
    rentRefunded: sum(each, ({ rent }) => rent.refunded),
    rentNotRefunded: sum(each, ({ rent }) => rent.spent),
  };
}

type Movements = NonNullable<OperationLines['movements']>;

function movements(transaction: LedgerTransaction): Movements {
  const { in: deposited = {}, out: withdrawn = {}, fees = {} } = transaction.pool;
  // A deposit is what was paid, with a transfer fee of the token.
  return { deposited, withdrawn, fees, swapped: tradedIn({ ...transaction, transferFees: undefined }) };
}

/** A claim moves nothing but fees, of positions in any pools, as its review has proven. */
function claimed(transaction: LedgerTransaction): Movements {
  return { deposited: {}, withdrawn: {}, fees: tradedIn({ ...transaction, pool: {} }), swapped: {} };
}

function addedMovements(one: Movements, other: Movements): Movements {
  return {
    deposited: addedAmounts(one.deposited, other.deposited),
    withdrawn: addedAmounts(one.withdrawn, other.withdrawn),
    fees: addedAmounts(one.fees, other.fees),
    swapped: addedAmounts(one.swapped, other.swapped),
  };
}

/** Of two operations; what is known of only one is not known of both. */
function added(one: OperationLines, other: OperationLines): OperationLines {
  return {
    movements: one.movements === undefined || other.movements === undefined ? undefined : addedMovements(one.movements, other.movements),
    networkFees: one.networkFees + other.networkFees,
    tips: one.tips + other.tips,
    rentLocked: one.rentLocked + other.rentLocked,
    rentRefunded: one.rentRefunded + other.rentRefunded,
    rentNotRefunded: one.rentNotRefunded + other.rentNotRefunded,
  };
}

function sum(transactions: readonly LedgerTransaction[], of: (transaction: LedgerTransaction) => bigint): bigint {
  return transactions.reduce((total, one) => total + of(one), 0n);
}
