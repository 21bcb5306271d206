import bs58 from 'bs58';
import * as z from 'zod';
import { systemClock } from '../../../src/base/async/clock';
import type { Address } from '../../../src/base/solana/address';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { INDEX_MIGRATIONS } from '../../../src/chain/index/indexSchema';
import { type ChainIndex, createOwnerIndex, type OwnerIndexOptions } from '../../../src/chain/index/ownerIndex';
import { type ChainFetch, createChainRpc } from '../../../src/chain/rpc/client';
import { SqliteStore } from '../../../src/engine/store/sqliteStore';
import { eventBytes, numberOf, signatureOf } from './syntheticHistory';

/** A call in a scripted transaction. */
export interface ScriptedCall {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  readonly isInner: boolean;
}

/** A transaction of a {@link ScriptedChain}. */
export interface ScriptedTransaction {
  readonly slot: number;
  /** The accounts that list it, the payer first. */
  readonly accounts: readonly Address[];
  readonly calls: readonly ScriptedCall[];
}

const Body = z.object({ id: z.union([z.string(), z.int()]), method: z.string(), params: z.array(z.unknown()) });
const Config = z.object({ before: z.string().optional(), until: z.string().optional(), limit: z.int().optional() });
const BEGAN_S = 1_700_000_000;

/** A node with the transactions that a test gives it. All of them are finalized. */
export class ScriptedChain {
  /** In the order of the chain. */
  readonly transactions: ScriptedTransaction[] = [];
  /** The node has nothing before this slot. */
  retainedFromSlot = 0;
  /** The node gives shorter pages than were asked for. */
  longestPage = Infinity;
  /** Refuses these requests, a method and its first parameter: with this error, or this HTTP status. */
  refuses: (method: string, first: unknown) => boolean | { readonly code: number } | { readonly status: number } = () => false;
  /** Methods and their first parameters. */
  readonly asked: (readonly [method: string, first: unknown])[] = [];

  readonly fetch: ChainFetch = async (_url, { body }) => {
    const { id, method, params } = Body.parse(JSON.parse(body));
    this.asked.push([method, params[0]]);
    await new Promise((resolve) => setImmediate(resolve));
    const refusal = this.refuses(method, params[0]);
    if (typeof refusal === 'object' && 'status' in refusal) {
      return new Response('', refusal);
    }
    const answer =
      refusal === false
        ? { result: this.#answer(method, params) }
        : { error: { code: refusal === true ? -32_000 : refusal.code, message: 'refused by the test' } };
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  };

  #answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'getSignaturesForAddress':
        return this.#list(String(params[0]), Config.parse(params[1]));
      case 'getTransaction':
        return this.#transaction(numberOf(String(params[0])));
      case 'getFirstAvailableBlock':
        return this.retainedFromSlot;
      case 'getSlot':
        return this.transactions.at(-1)?.slot ?? 0;
      case 'getMultipleAccounts':
        return { context: { slot: 1 }, value: [null] };
      default:
        return null;
    }
  }

  #list(of: string, { before, until, limit = 1_000 }: z.output<typeof Config>): unknown {
    const rows = this.transactions
      .map((transaction, number) => ({ ...transaction, signature: signatureOf(number) }))
      .filter(({ accounts, slot }) => slot >= this.retainedFromSlot && accounts.some((account) => account === of))
      .reverse();
    const start = before === undefined ? 0 : rows.findIndex(({ signature }) => signature === before) + 1;
    const end = rows.findIndex(({ signature }) => signature === until);
    return rows
      .slice(start, end < 0 ? undefined : end)
      .slice(0, Math.min(limit, this.longestPage))
      .map(({ signature, slot }) => ({ signature, slot, err: null, blockTime: BEGAN_S + slot, confirmationStatus: 'finalized' }));
  }

  #transaction(number: number): unknown {
    const transaction = this.transactions[number];
    if (transaction === undefined || transaction.slot < this.retainedFromSlot) {
      return null;
    }
    const { slot, accounts, calls } = transaction;
    const keys = [...new Set([...accounts, ...calls.flatMap((call) => [call.program, ...call.accounts])])];
    const written = ({ program, accounts: of, data }: ScriptedCall): object => ({
      programIdIndex: keys.indexOf(program),
      accounts: of.map((account) => keys.indexOf(account)),
      data: bs58.encode(data),
    });
    const outer = calls.filter(({ isInner }) => !isInner);
    // Each call belongs to the instruction before it.
    const inner = outer.map((call, index) => {
      const next = outer[index + 1];
      const of = calls.slice(calls.indexOf(call) + 1, next === undefined ? undefined : calls.indexOf(next));
      return { index, instructions: of.map(written) };
    });
    return {
      ...{ slot, blockTime: BEGAN_S + slot, version: 0 },
      transaction: { signatures: [signatureOf(number)], message: { accountKeys: keys, instructions: outer.map(written) } },
      meta: { err: null, innerInstructions: inner, loadedAddresses: { writable: [], readonly: [] } },
    };
  }
}

/** An index over the node. @param file by default in memory */
export function indexOver(
  node: ScriptedChain,
  { file, clock = systemClock, ...options }: Pick<Partial<OwnerIndexOptions>, 'clock' | 'pageSize'> & { readonly file?: string } = {},
): { readonly index: ChainIndex; readonly stop: () => Promise<void> } {
  const controller = new AbortController();
  const { signal } = controller;
  const store = new SqliteStore(file, INDEX_MIGRATIONS);
  const rpc = createChainRpc({ url: parseRpcUrl('https://rpc.example/'), requestsPerSecond: 1_000_000, fetch: node.fetch, signal, clock });
  const index = createOwnerIndex({ rpc, store, log: () => undefined, signal, clock, ...options });
  return {
    index,
    stop: async () => {
      controller.abort();
      await index.ended;
      store.close();
    },
  };
}

/** An instruction of DLMM that emits these events. */
export function dlmmCalls(
  events: readonly Uint8Array[],
  instruction: Uint8Array = new Uint8Array(8),
  accounts: readonly Address[] = [],
): ScriptedCall[] {
  return [
    { program: PROGRAMS.dlmm, accounts, data: instruction, isInner: false },
    ...events.map((data) => ({ program: PROGRAMS.dlmm, accounts: [], data, isInner: true })),
  ];
}

type Amounts = readonly [x: bigint, y: bigint];

/** Events of DLMM, as the program writes them. */
export const dlmmEvents = {
  create: (pool: Address, position: Address, owner: Address): Uint8Array => eventBytes('908efc549d352579', pool, position, owner),
  deposit: (pool: Address, from: Address, position: Address, ...amounts: Amounts): Uint8Array =>
    eventBytes('1f5e7d5ae3343dba', pool, from, position, ...amounts, 0),
  withdrawal: (pool: Address, from: Address, position: Address, ...amounts: Amounts): Uint8Array =>
    eventBytes('74f461e8671f983a', pool, from, position, ...amounts, 0),
  close: (position: Address, owner: Address): Uint8Array => eventBytes('ffc4106b1cca3580', position, owner),
};
