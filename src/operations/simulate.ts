import type { AccountState, LookupTable, SimulatedTransaction, Simulation } from '../review/facts';
import type { Address } from '../solana/address';
import { bytesFromBase64, type Base64Transaction } from '../solana/base64Transaction';
import { parseTransaction } from '../solana/wire';
import type { AsOf, BundleSimulation, BundleTransaction, RpcAccount, RpcInnerInstruction, SimulationResult, SolanaRpc } from '../rpc/types';
import { accountKeys, innerInstruction } from './innerInstructions';

/** What is to be simulated. */
export interface SimulationSubject {
  /** The text that was reviewed, in the order in which it lands. */
  readonly transactions: readonly Base64Transaction[];
  /** `Review.watched` */
  readonly watched: readonly Address[];
  readonly lookupTables: ReadonlyMap<Address, LookupTable>;
}

/** A Jito bundle carries no more (docs of Jito, "Bundles"). */
const MOST_IN_BUNDLE = 5;

/**
 * Simulates the transactions as they are, neither signed nor changed: all of them one after the other where the RPC can, else
 * the first, since the others stand on what it does.
 * @throws RpcError where the RPC gives neither.
 */
export async function simulate({ transactions, watched, lookupTables }: SimulationSubject, rpc: SolanaRpc, signal: AbortSignal): Promise<Simulation | undefined> {
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

/** Jito's nodes do not say what programs call in a bundle; of its first transaction, which stands on nothing, it can be had. */
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
  return [{ ...head, innerInstructions: single?.value.error === undefined ? innerOf(single?.value.innerInstructions, first, lookupTables) : undefined }, ...rest];
}

/** `undefined`: the RPC simulates no bundles, or not this one, or says less of it than it would of its first transaction alone. */
async function bundleOf(transactions: readonly Base64Transaction[], accounts: readonly Address[], rpc: SolanaRpc, signal: AbortSignal): Promise<AsOf<BundleSimulation> | undefined> {
  // A node that refuses bundles may still simulate transactions.
  const simulated = await rpc.simulateBundle({ transactions, accounts }, { signal }).catch(() => undefined);
  const { error, transactions: results } = simulated?.value ?? { error: undefined, transactions: [] };
  const saysWhy = error === undefined || results.some((result) => result.error !== undefined);
  return results[0]?.before !== undefined && results.every(hasAnswer) && saysWhy ? simulated : undefined;
}

function hasAnswer({ error, before, after }: BundleTransaction): boolean {
  return error !== undefined || (before !== undefined && after !== undefined);
}

async function simulateFirst(transaction: Base64Transaction, { watched, lookupTables }: Pick<SimulationSubject, 'watched' | 'lookupTables'>, rpc: SolanaRpc, signal: AbortSignal): Promise<Simulation> {
  const wire = parseTransaction(bytesFromBase64(transaction));
  const keys = accountKeys(wire, lookupTables);
  const { slot: minSlot, value: before } = await rpc.accounts({ addresses: watched }, { signal });
  // A transaction changes no account that it does not name. Where not all of its accounts are known, any may be among them.
  const isNamed = (account: Address) => keys.includes(account) || keys.includes(undefined);
  const asked = chunksOf(watched.filter(isNamed), wire.staticKeys.length);
  const results: AsOf<SimulationResult>[] = [];
  for (const accounts of asked) {
    results.push(await rpc.simulate({ transaction, accounts, minSlot }, { signal }));
  }
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

function innerOf(inner: readonly RpcInnerInstruction[] | undefined, of: Base64Transaction | undefined, lookupTables: SimulationSubject['lookupTables']): SimulatedTransaction['innerInstructions'] {
  if (inner === undefined || of === undefined) {
    return undefined;
  }
  const keys = accountKeys(parseTransaction(bytesFromBase64(of)), lookupTables);
  return inner.map((instruction) => innerInstruction(instruction, keys));
}

/** Accounts by their addresses; those that do not exist are missing. */
function statesOf(addresses: readonly Address[], accounts: readonly (RpcAccount | undefined)[] | undefined): Map<Address, AccountState> {
  return new Map(addresses.flatMap((address, index) => {
    const account = accounts?.[index];
    return account === undefined ? [] : [[address, account] as const];
  }));
}

/** At least one chunk, so that the transaction is simulated also where nothing of it is watched. */
function chunksOf(accounts: readonly Address[], most: number): readonly (readonly Address[])[] {
  return Array.from({ length: Math.max(1, Math.ceil(accounts.length / most)) }, (_, index) => accounts.slice(index * most, (index + 1) * most));
}
