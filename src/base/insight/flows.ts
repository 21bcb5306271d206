import bs58 from 'bs58';
import { isBinStep, priceOfBin } from '../dlmm/bins';
import { JITO_TIP_ACCOUNTS, PROGRAMS, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import { WireError, WireReader } from '../solana/wireReader';
import type { AmountsByMint, LedgerTransaction } from './ledger';
import { type PoolAmounts, type PoolEvent, readPoolEvent } from './poolEvents';

/** An answer to `getTransaction` with the encoding `json`, as much of it as is read. */
export interface RawTransaction {
  readonly blockTime?: number | null | undefined;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: { readonly accountKeys: readonly string[]; readonly instructions: readonly RawInstruction[] };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: bigint;
    readonly preBalances: readonly bigint[];
    readonly postBalances: readonly bigint[];
    readonly preTokenBalances?: readonly RawTokenBalance[] | null | undefined;
    readonly postTokenBalances?: readonly RawTokenBalance[] | null | undefined;
    readonly innerInstructions?: readonly { readonly index: number; readonly instructions: readonly RawInstruction[] }[] | null | undefined;
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] } | null | undefined;
  } | null;
}

/** Indexes count the accounts of the message, then those from lookup tables: the writable ones first. */
interface RawInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
}

interface RawTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string | undefined;
  readonly amount: bigint;
}

/** Whose transactions they are, and which positions count as the wallet's. */
export interface FlowsInput {
  readonly owner: string;
  readonly pool: {
    readonly address: string;
    readonly x: string;
    readonly y: string;
    /** Of a pool of bins. */
    readonly binStepBps?: number | undefined;
    readonly decimalsX?: number | undefined;
    readonly decimalsY?: number | undefined;
  };
  /** Flows of other positions are not counted; `undefined`: all of the owner in this pool. */
  readonly positions?: readonly string[] | undefined;
  /** `null`: the node does not know it. */
  readonly transactions: readonly (RawTransaction | null)[];
}

/** A transaction for the ledger. */
export interface FlowTransaction extends LedgerTransaction {
  readonly activeBinId?: number;
}

/** What transactions did to a wallet. */
export type Flows =
  | { readonly known: false; readonly why: 'transactionNotRead'; readonly signature?: string | undefined; readonly count: number }
  | { readonly known: false; readonly why: 'notUnderstood'; readonly signature: string }
  | { readonly known: true; readonly transactions: readonly FlowTransaction[] };

/** Longer than any data that is read: decoding base58 takes quadratic time. */
const LONGEST_DATA = 6_000;
/** System program. */
const [CREATE, ASSIGN, TRANSFER, CREATE_WITH_SEED, ALLOCATE] = [0, 1, 2, 3, 8] as const;
/** Token-2022; the last one is an instruction of the transfer fee extension. */
const [TRANSFER_CHECKED, TRANSFER_FEE, TRANSFER_CHECKED_WITH_FEE] = [12, 26, 1] as const;
const TIP_ACCOUNTS: ReadonlySet<string> = new Set<string>(JITO_TIP_ACCOUNTS);

/**
 * Reads from transactions what they did to a wallet: changes, and which of them are network fee, tip, rent and flows of the pool. Rent is told by
 * balances: own token accounts (without their wrapped SOL) and positions give it back, every other account that was new keeps it.
 */
export function flowsOf(input: FlowsInput): Flows {
  const unread = input.transactions.filter((one) => one === null || !isWhole(one));
  if (unread.length > 0) {
    return { known: false, why: 'transactionNotRead', signature: unread[0]?.transaction.signatures[0], count: unread.length };
  }
  const transactions: FlowTransaction[] = [];
  for (const one of input.transactions) {
    const flows = one === null ? undefined : flowsIn(one, input);
    const signature = one?.transaction.signatures[0] ?? '';
    if (flows === undefined) {
      return { known: false, why: 'transactionNotRead', signature, count: 1 };
    }
    if (flows === 'notUnderstood') {
      return { known: false, why: 'notUnderstood', signature };
    }
    transactions.push(flows);
  }
  return { known: true, transactions };
}

/** Whether an answer has all that is needed: nodes leave parts out, which does not mean that nothing happened. */
function isWhole({ blockTime, meta, transaction }: RawTransaction): boolean {
  if (meta === null || typeof blockTime !== 'number' || transaction.signatures[0] === undefined) {
    return false;
  }
  const keys = keysOf({ meta, transaction });
  const calls = meta.innerInstructions?.flatMap(({ instructions }) => instructions) ?? [];
  const hasFailed = meta.err !== null && meta.err !== undefined;
  return (
    meta.preBalances.length === keys.length &&
    meta.postBalances.length === keys.length &&
    (hasFailed || (meta.innerInstructions !== null && meta.innerInstructions !== undefined)) &&
    [...transaction.message.instructions, ...calls].every(
      ({ programIdIndex, accounts }) => keys[programIdIndex] !== undefined && accounts.every((index) => keys[index] !== undefined),
    )
  );
}

type Meta = NonNullable<RawTransaction['meta']>;

function keysOf({ transaction, meta }: { transaction: RawTransaction['transaction']; meta: Meta }): readonly string[] {
  return [...transaction.message.accountKeys, ...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])];
}

/** A call with its accounts by address. */
interface Call {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  readonly isInner: boolean;
}

function flowsIn(raw: RawTransaction, input: FlowsInput): FlowTransaction | 'notUnderstood' | undefined {
  const { transaction, meta, blockTime } = raw;
  if (meta === null || typeof blockTime !== 'number') {
    return undefined;
  }
  const keys = keysOf({ transaction, meta });
  const { owner } = input;
  const hasFailed = meta.err !== null && meta.err !== undefined;
  try {
    const calls = hasFailed ? [] : callsOf(transaction.message.instructions, meta, keys);
    const events = calls.flatMap(({ program, data, isInner }) => (isInner ? (readPoolEvent(program, data) ?? []) : []));
    if (events.some((event) => event.kind === 'beyond' && event.pool === input.pool.address)) {
      return 'notUnderstood';
    }
    const system = calls.flatMap(systemCall);
    const nfts = new Set<string>(events.flatMap((event) => (event.kind === 'position' && event.mint !== undefined ? [event.mint] : [])));
    const place = keys.indexOf(owner);
    const { paid, ...pool } = poolFlows(events, input);
    const deposit = { in: pool.pool.in ?? {}, paid };
    const transferFees = hasFailed ? undefined : transferFeesOf(meta, keys, { calls, pool: input.pool, deposit });
    return {
      signature: transaction.signatures[0] ?? '',
      timeS: blockTime,
      lamports: place < 0 ? 0n : (meta.postBalances[place] ?? 0n) - (meta.preBalances[place] ?? 0n),
      tokens: tokenChanges(meta, owner).filter(({ mint }) => !nfts.has(mint)),
      feeLamports: place === 0 ? meta.fee : 0n,
      tipLamports: system
        .filter((call) => call.kind === 'transfer' && call.from === owner && TIP_ACCOUNTS.has(call.account))
        .reduce((sum, { lamports }) => sum + lamports, 0n),
      rent: rentOf(meta, keys, { owner, own: ownAccounts(events, input, nfts), system }),
      ...pool,
      ...(transferFees === undefined ? {} : { transferFees }),
    };
  } catch (error) {
    if (error instanceof WireError) {
      return undefined;
    }
    throw error;
  }
}

/** In the order of execution: each instruction before what it calls. */
function callsOf(instructions: readonly RawInstruction[], meta: Meta, keys: readonly string[]): readonly Call[] {
  const call = ({ programIdIndex, accounts, data }: RawInstruction, isInner: boolean): Call => ({
    program: keys[programIdIndex] ?? '',
    accounts: accounts.map((index) => keys[index] ?? ''),
    data: data.length > LONGEST_DATA ? new Uint8Array() : bs58.decode(data),
    isInner,
  });
  return instructions.flatMap((instruction, index) => [
    call(instruction, false),
    ...(meta.innerInstructions ?? [])
      .filter((inner) => inner.index === index)
      .flatMap((inner) => inner.instructions.map((one) => call(one, true))),
  ]);
}

/** A call of the System program that pays for an account, or gives it to a program. */
interface SystemCall {
  readonly kind: 'create' | 'transfer' | 'assign';
  readonly from: string;
  readonly account: string;
  readonly lamports: bigint;
}

function systemCall({ program, accounts, data }: Call): readonly SystemCall[] {
  if (program !== PROGRAMS.system) {
    return [];
  }
  const reader = new WireReader(data);
  const [first = '', second = ''] = accounts;
  switch (reader.uint(4)) {
    case CREATE:
      return [{ kind: 'create', from: first, account: second, lamports: reader.uint64() }];
    case CREATE_WITH_SEED:
      return [{ kind: 'create', from: first, account: second, lamports: 0n }];
    case TRANSFER:
      return [{ kind: 'transfer', from: first, account: second, lamports: reader.uint64() }];
    case ASSIGN:
    case ALLOCATE:
      return [{ kind: 'assign', from: first, account: first, lamports: 0n }];
    default:
      return [];
  }
}

/** Changes by mint, in the order in which the node names them. */
function tokenChanges(meta: Meta, owner: string): readonly { readonly mint: string; readonly change: bigint }[] {
  const changes = new Map<string, bigint>();
  const add = (balances: readonly RawTokenBalance[] | null | undefined, sign: bigint): void => {
    for (const { mint, amount } of (balances ?? []).filter((one) => one.owner === owner)) {
      changes.set(mint, (changes.get(mint) ?? 0n) + sign * amount);
    }
  };
  add(meta.preTokenBalances, -1n);
  add(meta.postTokenBalances, 1n);
  return [...changes].filter(([, change]) => change !== 0n).map(([mint, change]) => ({ mint, change }));
}

/**
 * What the tokens of the pool kept by their own transfer fee (Token-2022): together the accounts have so much less than before. Where the events of
 * a program say only what was paid in, as those of DLMM, what arrived is less by what the pool's accounts did not get of the transfers to them.
 */
function transferFeesOf(
  meta: Meta,
  keys: readonly string[],
  {
    calls,
    pool,
    deposit,
  }: {
    readonly calls: readonly Call[];
    readonly pool: FlowsInput['pool'];
    /** As the events say it; `paid`: where `in` is what arrived. */
    readonly deposit: { readonly in: AmountsByMint; readonly paid: AmountsByMint | undefined };
  },
): LedgerTransaction['transferFees'] {
  const ofDeposit: Record<string, bigint> = {};
  const besideDeposit: Record<string, bigint> = {};
  const all: Record<string, bigint> = {};
  const transfers = calls.flatMap(tokenTransfer);
  for (const mint of [pool.x, pool.y].filter((one) => one !== WRAPPED_SOL_MINT)) {
    const changeOf = (counts: (balance: RawTokenBalance) => boolean): bigint => {
      const total = (balances: readonly RawTokenBalance[] | null | undefined): bigint =>
        (balances ?? []).filter((one) => one.mint === mint && counts(one)).reduce((sum, { amount }) => sum + amount, 0n);
      return total(meta.postTokenBalances) - total(meta.preTokenBalances);
    };
    const lost = -changeOf(() => true);
    const ofMint = transfers.filter((one) => one.mint === mint);
    if (lost <= 0n || lost >= sumOfRaw(ofMint)) {
      continue;
    }
    all[mint] = lost;
    const paidIn = deposit.in[mint] ?? 0n;
    if (deposit.paid !== undefined) {
      besideDeposit[mint] = (deposit.paid[mint] ?? 0n) - paidIn;
      continue;
    }
    const isOfPool = (balance: RawTokenBalance): boolean => balance.owner === pool.address;
    const vaults = new Set(
      [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])]
        .filter((one) => one.mint === mint && isOfPool(one))
        .map(({ accountIndex }) => keys[accountIndex] ?? ''),
    );
    const moved = (end: 'from' | 'to'): bigint => sumOfRaw(ofMint.filter((one) => vaults.has(one[end])));
    const sent = moved('to');
    const kept = sent - moved('from') - changeOf(isOfPool);
    if (kept > 0n && kept < sent) {
      // Where a swap paid into the same account, each gave its part.
      ofDeposit[mint] = (kept * paidIn) / sent;
    }
  }
  return Object.keys(all).length === 0 ? undefined : { ofDeposit, besideDeposit, all };
}

/** A transfer of tokens that may have a fee, with what was sent. */
interface TokenTransfer {
  readonly from: string;
  readonly mint: string;
  readonly to: string;
  readonly raw: bigint;
}

function tokenTransfer({ program, accounts, data }: Call): readonly TokenTransfer[] {
  if (program !== PROGRAMS.token2022) {
    return [];
  }
  const reader = new WireReader(data);
  const [from = '', mint = '', to = ''] = accounts;
  const instruction = reader.uint(1);
  return instruction === TRANSFER_CHECKED || (instruction === TRANSFER_FEE && reader.uint(1) === TRANSFER_CHECKED_WITH_FEE)
    ? [{ from, mint, to, raw: reader.uint64() }]
    : [];
}

function sumOfRaw(transfers: readonly TokenTransfer[]): bigint {
  return transfers.reduce((sum, { raw }) => sum + raw, 0n);
}

/** Accounts, besides token accounts, whose rent comes back: positions, and the mints of their NFTs. */
function ownAccounts(events: readonly PoolEvent[], { owner, positions = [] }: FlowsInput, nfts: ReadonlySet<string>): ReadonlySet<string> {
  const ofOwner = events.flatMap((event) => (event.kind === 'position' && event.owner === owner ? [event.position] : []));
  return new Set([...positions, ...ofOwner, ...nfts]);
}

function rentOf(
  meta: Meta,
  keys: readonly string[],
  { owner, own, system }: { owner: string; own: ReadonlySet<string>; system: readonly SystemCall[] },
): LedgerTransaction['rent'] {
  let [locked, refunded, spent] = [0n, 0n, 0n];
  const before = wrappedIn(meta.preTokenBalances, owner);
  const after = wrappedIn(meta.postTokenBalances, owner);
  const hasFailed = meta.err !== null && meta.err !== undefined;
  for (const [index, key] of keys.entries()) {
    const [pre, post] = [meta.preBalances[index] ?? 0n, meta.postBalances[index] ?? 0n];
    const isOwn = own.has(key) || before.has(index) || after.has(index);
    if (hasFailed || key === owner || pre === post) {
      continue;
    }
    if (isOwn) {
      const change = post - (after.get(index) ?? 0n) - (pre - (before.get(index) ?? 0n));
      locked += change > 0n ? change : 0n;
      refunded -= change < 0n ? change : 0n;
    } else if (pre === 0n && !TIP_ACCOUNTS.has(key) && isRentOf(key, owner, system)) {
      spent += post;
    }
  }
  return { locked, refunded, spent };
}

/** The wrapped SOL in each token account of the owner, by index; 0 for other tokens. */
function wrappedIn(balances: readonly RawTokenBalance[] | null | undefined, owner: string): ReadonlyMap<number, bigint> {
  const own = (balances ?? []).filter((one) => one.owner === owner);
  return new Map(own.map(({ accountIndex, mint, amount }) => [accountIndex, mint === WRAPPED_SOL_MINT ? amount : 0n]));
}

/** Whether the owner paid the rent of a new account: neither did somebody else, nor did it get a payment that left it without a program. */
function isRentOf(account: string, owner: string, system: readonly SystemCall[]): boolean {
  const calls = system.filter((call) => call.account === account);
  const payers = calls.filter(({ kind }) => kind !== 'assign');
  const isPaidByOwner = payers.length === 0 || payers.some(({ from }) => from === owner);
  const isPayment = calls.length > 0 && calls.every(({ kind }) => kind === 'transfer');
  return isPaidByOwner && !isPayment;
}

/** `paid`: for all deposits, if their events say what arrived. */
function poolFlows(
  events: readonly PoolEvent[],
  input: FlowsInput,
): Pick<FlowTransaction, 'pool' | 'activeBinId' | 'prices'> & { readonly paid: AmountsByMint | undefined } {
  const { owner, positions, pool } = input;
  const [into, out, fees, paid]: [PoolAmounts[], PoolAmounts[], PoolAmounts[], PoolAmounts[]] = [[], [], [], []];
  const counted = claimsThatCount(events);
  let activeBinId: number | undefined;
  for (const event of events) {
    if (event.kind === 'position' || event.kind === 'beyond' || event.pool !== pool.address || event.by !== owner) {
      continue;
    }
    if (positions !== undefined && !positions.includes(event.position)) {
      continue;
    }
    activeBinId = event.activeBinId ?? activeBinId;
    if (event.kind === 'rebalance') {
      into.push(event.in);
      out.push(event.out);
      fees.push(event.fees);
    } else if (event.kind === 'fees') {
      fees.push(...(counted.has(event) ? [event.amounts] : []));
    } else {
      (event.kind === 'in' ? into : out).push(event.amounts);
      paid.push(...(event.paid === undefined ? [] : [event.paid]));
    }
  }
  const sums = { in: sumOf(into, pool), out: sumOf(out, pool), fees: sumOf(fees, pool) };
  const flows = Object.fromEntries(Object.entries(sums).filter(([, amounts]) => amounts !== undefined));
  const prices = activeBinId === undefined ? undefined : pricesAt(activeBinId, pool);
  return {
    pool: flows,
    paid: paid.length === into.length ? sumOf(paid, pool) : undefined,
    ...(activeBinId === undefined ? {} : { activeBinId }),
    ...(prices === undefined ? {} : { prices }),
  };
}

/** Newer versions emit `ClaimFee` and `ClaimFee2` with the same figures, older ones the first alone: the form that occurs more often counts. */
function claimsThatCount(events: readonly PoolEvent[]): ReadonlySet<PoolEvent> {
  const groups = new Map<string, { readonly older: PoolEvent[]; readonly newer: PoolEvent[] }>();
  for (const event of events) {
    if (event.kind === 'fees') {
      const key = `${event.position} ${event.amounts.x} ${event.amounts.y}`;
      const group = groups.get(key) ?? { older: [], newer: [] };
      groups.set(key, group);
      (event.isOlderForm ? group.older : group.newer).push(event);
    }
  }
  return new Set([...groups.values()].flatMap(({ older, newer }) => (newer.length >= older.length ? newer : older)));
}

function sumOf(amounts: readonly PoolAmounts[], { x, y }: FlowsInput['pool']): AmountsByMint | undefined {
  return amounts.length === 0
    ? undefined
    : { [x]: amounts.reduce((sum, one) => sum + one.x, 0n), [y]: amounts.reduce((sum, one) => sum + one.y, 0n) };
}

/** SOL for one whole token; `undefined` in a pool without SOL. */
function pricesAt(activeBinId: number, pool: FlowsInput['pool']): Readonly<Record<string, number>> | undefined {
  const { x, y, binStepBps, decimalsX, decimalsY } = pool;
  if (binStepBps === undefined || !isBinStep(binStepBps)) {
    return undefined;
  }
  const raw = priceOfBin(activeBinId, binStepBps);
  if (y === WRAPPED_SOL_MINT) {
    return decimalsX === undefined ? undefined : { [x]: raw * 10 ** (decimalsX - SOL_DECIMALS) };
  }
  if (x === WRAPPED_SOL_MINT) {
    return decimalsY === undefined ? undefined : { [y]: 10 ** (decimalsY - SOL_DECIMALS) / raw };
  }
  return undefined;
}
