import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { type Base64Transaction, bytesFromBase64, parseTransaction, type WireTransaction } from '../../base/solana/wireTransaction';
import type { AccountState, InnerInstruction, LookupTable, SimulatedTransaction, Simulation } from '../../review/facts/facts';
import type {
  AsOf,
  BundleSimulation,
  BundleTransaction,
  RpcAccount,
  RpcInnerInstruction,
  SimulationResult,
  SolanaRpc,
} from '../../rpc/types';

/** Index of an account that is not among the known accounts of the transaction. */
const NO_PLACE = -1;

/**
 * The accounts of a transaction in the order of instruction indexes: static keys, then writable and read-only keys of all lookup tables
 * (Solana docs, "Versioned transactions"). `undefined`: the table is not known.
 */
export function accountKeys(
  { staticKeys, tableLookups }: WireTransaction,
  tables: ReadonlyMap<Address, LookupTable>,
): readonly (Address | undefined)[] {
  const looked = (which: 'writableIndexes' | 'readonlyIndexes'): readonly (Address | undefined)[] =>
    tableLookups.flatMap((lookup) => lookup[which].map((index) => tables.get(lookup.table)?.addresses[index]));
  return [...staticKeys, ...looked('writableIndexes'), ...looked('readonlyIndexes')];
}

/**
 * Converts an inner instruction to the compiled form that the review reads. Nodes return parsed JSON for programs that they know:
 * instructions that transfer tokens or grant rights are encoded again; for all others the accounts are enough.
 */
export function innerInstruction(inner: RpcInnerInstruction, keys: readonly (Address | undefined)[]): InnerInstruction {
  const { calledBy } = inner;
  if (inner.form === 'compiled') {
    const { programIdIndex, accountIndexes, data } = inner;
    return { calledBy, programIdIndex, accountIndexes, data };
  }
  const place = (of: Address): number => keys.indexOf(of);
  const programIdIndex = place(inner.program);
  if (inner.form === 'addressed') {
    return { calledBy, programIdIndex, accountIndexes: inner.accounts.map(place), data: inner.data };
  }
  const { accounts, data } =
    (TOKEN_PROGRAMS.includes(inner.program) ? transferFromParsed(inner.type, inner.fields) : undefined) ??
    fromParsed(inner.type, inner.fields);
  return { calledBy, programIdIndex, accountIndexes: accounts.map((account) => (account === undefined ? NO_PLACE : place(account))), data };
}

type Fields = Readonly<Record<string, unknown>>;

interface ParsedInfo {
  /** Matches the start of the lower-case type: later node versions may add variants. */
  readonly named: RegExp;
  /** Accounts in order; of several field names, the first that is present. */
  readonly accounts: readonly (readonly string[])[];
  /** The first bytes of the instruction's data. */
  readonly data: readonly number[];
}

/**
 * Instructions that grant rights or make an account unusable. Accounts: agave, transaction-status/src/parse_token.rs and
 * parse_system.rs; opcodes: SPL Token and the System program.
 */
const RIGHTS: readonly ParsedInfo[] = [
  { named: /^approvechecked/, accounts: [['source'], ['mint'], ['delegate'], ['owner', 'multisigOwner']], data: [13] },
  { named: /^approve/, accounts: [['source'], ['delegate'], ['owner', 'multisigOwner']], data: [4] },
  {
    named: /^setauthority/,
    accounts: [
      ['account', 'mint'],
      ['authority', 'multisigAuthority'],
    ],
    data: [6],
  },
  { named: /^assignwithseed/, accounts: [['account'], ['base']], data: [10, 0, 0, 0] },
  { named: /^assign/, accounts: [['account']], data: [1, 0, 0, 0] },
  { named: /^allocatewithseed/, accounts: [['account'], ['base']], data: [9, 0, 0, 0] },
  { named: /^allocate/, accounts: [['account']], data: [8, 0, 0, 0] },
];
/** Several token instructions in one; its content is not decoded. */
const BATCH = { named: /^batch/, data: [255] } as const;
/** Maximum nesting of parsed fields. */
const DEEPEST = 6;

/** An instruction with accounts and data in the form of its program. */
interface Bytes {
  readonly accounts: readonly (Address | undefined)[];
  readonly data: Uint8Array;
}

const TOKEN_PROGRAMS: readonly Address[] = [PROGRAMS.token, PROGRAMS.token2022];
const AUTHORITY = ['authority', 'multisigAuthority'];
const LARGEST_U64 = 2n ** 64n - 1n;

/** Encodes a parsed token transfer; `undefined` if it is another instruction or has no amount. */
function transferFromParsed(type: string, fields: Fields): Bytes | undefined {
  const first = (...names: readonly string[]): Address | undefined => names.flatMap((name) => addressesIn(fields[name], 0))[0];
  if (type === 'transfer') {
    const amount = amountBytes(fields['amount']);
    return amount && { accounts: [first('source'), first('destination'), first(...AUTHORITY)], data: Uint8Array.of(3, ...amount) };
  }
  const checked = TokenAmount.safeParse(fields['tokenAmount']);
  const amount = amountBytes(checked.data?.amount);
  if (type !== 'transferChecked' || checked.data === undefined || amount === undefined) {
    return undefined;
  }
  return {
    accounts: [first('source'), first('mint'), first('destination'), first(...AUTHORITY)],
    data: Uint8Array.of(12, ...amount, checked.data.decimals),
  };
}

/** The used fields of `UiTokenAmount` (Agave, account-decoder-client-types). */
const TokenAmount = z.object({ amount: z.string(), decimals: z.int().min(0).max(255) });

/** A u64, little-endian. */
function amountBytes(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > LARGEST_U64) {
    return undefined;
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}

function fromParsed(type: string, fields: Fields): Bytes {
  const name = type.toLowerCase();
  const known = RIGHTS.find(({ named }) => named.test(name));
  if (known === undefined) {
    return { accounts: addressesIn(fields, DEEPEST), data: Uint8Array.from(BATCH.named.test(name) ? BATCH.data : []) };
  }
  const accounts = known.accounts.map((names) => names.flatMap((field) => addressesIn(fields[field], 0))[0]);
  return { accounts, data: Uint8Array.from(known.data) };
}

/** All addresses in parsed fields, down to a nesting of `levels`. */
function addressesIn(value: unknown, levels: number): readonly Address[] {
  if (typeof value === 'string') {
    const address = parseAddress(value);
    return address === undefined ? [] : [address];
  }
  return levels > 0 && typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((inner) => addressesIn(inner, levels - 1))
    : [];
}

export interface SimulationSubject {
  /** The reviewed transactions, in the order in which they land. */
  readonly transactions: readonly Base64Transaction[];
  /** `Review.watched` */
  readonly watched: readonly Address[];
  readonly lookupTables: ReadonlyMap<Address, LookupTable>;
}

/** Limit of a Jito bundle (Jito docs, "Bundles"). */
const MOST_IN_BUNDLE = 5;

/**
 * Simulates the transactions unsigned and unchanged: all of them in sequence if the RPC simulates bundles, else only the first, because
 * the others depend on its effects.
 * @throws RpcError if the RPC does neither.
 */
export async function simulate(
  { transactions, watched, lookupTables }: SimulationSubject,
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<Simulation | undefined> {
  const [first] = transactions;
  if (first === undefined) {
    return undefined;
  }
  const bundle = transactions.length > 1 ? await bundleOf(transactions.slice(0, MOST_IN_BUNDLE), watched, rpc, signal) : undefined;
  if (bundle === undefined) {
    return simulateFirst(first, { watched, lookupTables }, rpc, signal);
  }
  const simulated = bundle.value.transactions.map(({ error, before, after, innerInstructions }, index): SimulatedTransaction => ({
    error,
    before: statesOf(watched, before),
    after: statesOf(watched, after),
    innerInstructions: innerOf(innerInstructions, transactions[index], lookupTables),
  }));
  return { slot: bundle.slot, transactions: await withInner(simulated, first, lookupTables, rpc, signal) };
}

/** Jito nodes return no inner instructions for bundles. The first transaction depends on no other, so it is simulated alone to get them. */
async function withInner(
  simulated: readonly SimulatedTransaction[],
  first: Base64Transaction,
  lookupTables: SimulationSubject['lookupTables'],
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<readonly SimulatedTransaction[]> {
  const [head, ...rest] = simulated;
  if (head === undefined || head.error !== undefined || head.innerInstructions !== undefined) {
    return simulated;
  }
  const single = await rpc.simulate({ transaction: first, accounts: [] }, { signal }).catch(() => undefined);
  return [
    {
      ...head,
      innerInstructions: single?.value.error === undefined ? innerOf(single?.value.innerInstructions, first, lookupTables) : undefined,
    },
    ...rest,
  ];
}

/** `undefined`: the RPC does not simulate this bundle, or returns less than a simulation of the first transaction alone would. */
async function bundleOf(
  transactions: readonly Base64Transaction[],
  accounts: readonly Address[],
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<AsOf<BundleSimulation> | undefined> {
  // A node that refuses bundles may still simulate transactions.
  const simulated = await rpc.simulateBundle({ transactions, accounts }, { signal }).catch(() => undefined);
  const { error, transactions: results } = simulated?.value ?? { error: undefined, transactions: [] };
  const hasReason = error === undefined || results.some((result) => result.error !== undefined);
  return results[0]?.before !== undefined && results.every(hasAnswer) && hasReason ? simulated : undefined;
}

function hasAnswer({ error, before, after }: BundleTransaction): boolean {
  return error !== undefined || (before !== undefined && after !== undefined);
}

async function simulateFirst(
  transaction: Base64Transaction,
  { watched, lookupTables }: Pick<SimulationSubject, 'watched' | 'lookupTables'>,
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<Simulation> {
  const wire = parseTransaction(bytesFromBase64(transaction));
  const keys = accountKeys(wire, lookupTables);
  const { slot: minSlot, value: before } = await rpc.accounts({ addresses: watched }, { signal });
  // A transaction changes only accounts that it names. If some of its accounts are unknown, any watched account may be among them.
  const isNamed = (account: Address) => keys.includes(account) || keys.includes(undefined);
  const asked = chunksOf(watched.filter(isNamed), wire.staticKeys.length);
  const results: readonly AsOf<SimulationResult>[] = await Promise.all(
    asked.map((accounts) => rpc.simulate({ transaction, accounts, minSlot }, { signal })),
  );
  const statesBefore = statesOf(watched, before);
  const slot = results.reduce((least, result) => (result.slot < least ? result.slot : least), results[0]?.slot ?? minSlot);
  const error = results.map(({ value }) => value.error).find((text) => text !== undefined);
  const after = new Map([...statesBefore].filter(([account]) => !isNamed(account)));
  results.forEach(({ value }, index) => {
    for (const [account, state] of statesOf(asked[index] ?? [], value.accounts)) {
      after.set(account, state);
    }
  });
  const simulated: SimulatedTransaction =
    error === undefined
      ? { error, before: statesBefore, after, innerInstructions: innerOf(results[0]?.value.innerInstructions, transaction, lookupTables) }
      : { error, before: statesBefore, after: new Map(), innerInstructions: undefined };
  return { slot, transactions: [simulated] };
}

function innerOf(
  inner: readonly RpcInnerInstruction[] | undefined,
  of: Base64Transaction | undefined,
  lookupTables: SimulationSubject['lookupTables'],
): SimulatedTransaction['innerInstructions'] {
  if (inner === undefined || of === undefined) {
    return undefined;
  }
  const keys = accountKeys(parseTransaction(bytesFromBase64(of)), lookupTables);
  return inner.map((instruction) => innerInstruction(instruction, keys));
}

/** Accounts by their addresses; those that do not exist are missing. */
function statesOf(addresses: readonly Address[], accounts: readonly (RpcAccount | undefined)[] | undefined): Map<Address, AccountState> {
  return new Map(
    addresses.flatMap((address, index) => {
      const account = accounts?.[index];
      return account === undefined ? [] : [[address, account] as const];
    }),
  );
}

/** At least one chunk: the transaction is simulated even if none of its accounts is watched. */
function chunksOf(accounts: readonly Address[], most: number): readonly (readonly Address[])[] {
  return Array.from({ length: Math.max(1, Math.ceil(accounts.length / most)) }, (_, index) =>
    accounts.slice(index * most, (index + 1) * most),
  );
}
