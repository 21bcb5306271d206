import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, addressBytes, addressFromBytes } from '../../../src/base/solana/address';
import { PROGRAMS } from '../../../src/base/solana/programs';
import type { ChainFetch } from '../../../src/chain/rpc/client';

/** Of six transactions of an owner, five belong to one position: created with a deposit, two claims, a withdrawal, and its end. */
const STEPS = ['open', 'claim', 'other', 'claim', 'withdraw', 'close'] as const;
const FIRST_SLOT = 300_000_000;
const BEGAN_S = 1_700_000_000;
const PAGE = 1_000;

const Body = z.object({ id: z.union([z.string(), z.int()]), method: z.string(), params: z.array(z.unknown()) });
const PageConfig = z.object({
  transactionDetails: z.literal('full'),
  sortOrder: z.literal('desc'),
  limit: z.int().max(100),
  filters: z.object({ slot: z.object({ lte: z.int() }), tokenAccounts: z.literal('none') }),
});
const Config = z.object({ before: z.string().optional(), until: z.string().optional(), limit: z.int().optional() });

/** The history of one owner in memory, served as a node does: for tests with more transactions than the little mainnet can carry out. */
export class SyntheticHistory {
  readonly owner = keyOf('owner', 0);
  /** Requests by method. */
  readonly counts = new Map<string, number>();
  /** Answers `getTransactionsForAddress`, as Helius does; other nodes do not know it. */
  hasPages = false;
  /** Transactions that are missing in pages. */
  missingInPages: (number: number) => boolean = () => false;
  readonly #count: number;

  constructor(transactions: number) {
    this.#count = transactions;
  }

  /** How many positions the transactions are of. */
  get positions(): number {
    return Math.ceil(this.#count / STEPS.length);
  }

  /** Answers JSON-RPC. */
  readonly fetch: ChainFetch = async (_url, { body }) => {
    const { id, method, params } = Body.parse(JSON.parse(body));
    this.counts.set(method, (this.counts.get(method) ?? 0) + 1);
    await new Promise((resolve) => setImmediate(resolve));
    const isUnknown = method === 'getTransactionsForAddress' && !this.hasPages;
    const answer = isUnknown ? { error: { code: -32_601, message: 'Method not found' } } : { result: this.#answer(method, params) };
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  };

  #answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'getSignaturesForAddress': {
        const { before, until, limit = PAGE } = Config.parse(params[1]);
        const end = before === undefined ? this.#count : numberOf(before);
        const begin = Math.max(until === undefined ? 0 : numberOf(until) + 1, end - limit);
        return Array.from({ length: Math.max(end - begin, 0) }, (_, index) => listed(end - 1 - index));
      }
      case 'getTransactionsForAddress': {
        const { filters, limit } = PageConfig.parse(params[1]);
        const end = Math.min(filters.slot.lte - FIRST_SLOT + 1, this.#count);
        const shown = Array.from({ length: Math.min(limit, end) }, (_, index) => end - 1 - index).filter((at) => !this.missingInPages(at));
        return { data: shown.map((at) => transaction(at, this.owner)), paginationToken: null };
      }
      case 'getTransaction':
        return transaction(numberOf(String(params[0])), this.owner);
      case 'getFirstAvailableBlock':
        return 0;
      case 'getMultipleAccounts':
        return { context: { slot: FIRST_SLOT }, value: [{ data: [Buffer.from([10, 0]).toString('base64'), 'base64'] }] };
      default:
        return null;
    }
  }
}

/** An address of a test, by kind and number. */
export function keyOf(kind: string, number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  bytes.set(Buffer.from(kind));
  new DataView(bytes.buffer).setUint32(28, number);
  return addressFromBytes(bytes);
}

export function signatureOf(number: number): string {
  const bytes = new Uint8Array(64).fill(9);
  new DataView(bytes.buffer).setUint32(60, number);
  return bs58.encode(bytes);
}

export function numberOf(signature: string): number {
  return new DataView(bs58.decode(signature).buffer).getUint32(60);
}

function listed(number: number): object {
  return {
    signature: signatureOf(number),
    slot: FIRST_SLOT + number,
    err: null,
    memo: null,
    blockTime: BEGAN_S + number,
    confirmationStatus: 'finalized',
  };
}

/** A transaction with as many bytes as usual ones have. */
function transaction(number: number, owner: Address): object {
  const step = STEPS[number % STEPS.length] ?? 'other';
  const position = keyOf('position', Math.floor(number / STEPS.length));
  const keys = [owner, position, keyOf('pool', 0), PROGRAMS.dlmm, ...Array.from({ length: 18 }, (_, index) => keyOf('account', index))];
  const event = (...of: Parameters<typeof eventBytes>): object => ({
    programIdIndex: 3,
    accounts: [4],
    data: bs58.encode(eventBytes(...of)),
    stackHeight: 2,
  });
  const pool = keyOf('pool', 0);
  const amounts = [BigInt(1_000_000 + number), BigInt(2_000_000 + number)];
  const claim = [event('4b7a9a308c4a7ba3', pool, position, owner, 5n, 6n), event('e8abf2613a4d232d', pool, position, owner, 5n, 6n, -381)];
  const events = {
    open: [event('908efc549d352579', pool, position, owner), event('1f5e7d5ae3343dba', pool, owner, position, ...amounts, -381)],
    claim,
    withdraw: [event('74f461e8671f983a', pool, owner, position, ...amounts, -381)],
    close: [event('ffc4106b1cca3580', position, owner)],
    other: [],
  }[step];
  return {
    ...{ slot: FIRST_SLOT + number, blockTime: BEGAN_S + number, version: 0 },
    transaction: {
      signatures: [signatureOf(number)],
      message: {
        accountKeys: keys,
        instructions: [{ programIdIndex: 3, accounts: keys.map((_, index) => index), data: bs58.encode(Buffer.alloc(300, 1)) }],
      },
    },
    meta: {
      err: null,
      innerInstructions: [{ index: 0, instructions: events }],
      loadedAddresses: { writable: [], readonly: [] },
      logMessages: Array.from({ length: 60 }, (_, index) => `Program log: ${index} of a usual transaction with some text in it`),
    },
  };
}

/** The data of an event; numbers are of 32 bits, bigints of 64. */
export function eventBytes(discriminator: string, ...fields: readonly (Address | bigint | number)[]): Uint8Array {
  return Buffer.concat([Buffer.from(`e445a52e51cb9a1d${discriminator}`, 'hex'), ...fields.map(encoded)]);
}

function encoded(field: Address | bigint | number): Uint8Array {
  if (typeof field === 'string') {
    return addressBytes(field);
  }
  const bytes = Buffer.alloc(typeof field === 'bigint' ? 8 : 4);
  if (typeof field === 'bigint') {
    bytes.writeBigUInt64LE(field);
  } else {
    bytes.writeInt32LE(field);
  }
  return bytes;
}
