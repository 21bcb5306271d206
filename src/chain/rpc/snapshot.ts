import * as z from 'zod';
import { connectionTo } from './connection';
import { ChainRpcError } from './errors';
import type { ChainRpc } from './types';

const CONFIG = { encoding: 'base64', commitment: 'confirmed' } as const;
/** Requests for whole accounts as `Connection` writes them. Others are not shared. */
const Config = z.strictObject({ encoding: z.literal(CONFIG.encoding), commitment: z.literal(CONFIG.commitment) });
const One = z.tuple([z.string(), Config]);
const Several = z.tuple([z.array(z.string()), Config]);
const Accounts = z.object({ context: z.unknown(), value: z.array(z.unknown()) });

interface Account {
  readonly context: unknown;
  readonly value: unknown;
}

/** Addresses that are asked for at the same time. */
interface Batch {
  readonly addresses: string[];
  readonly accounts: Promise<ReadonlyMap<string, Account>>;
}

/**
 * The chain as one operation sees it: its `connection` reads each account once, and all that is asked for at the same time in one request. The SDKs read
 * the same accounts again and again.
 */
export function snapshotOf(rpc: ChainRpc): ChainRpc {
  const known = new Map<string, Promise<Account>>();
  let batch: Batch | undefined;

  const begin = (): Batch => {
    const addresses: string[] = [];
    const read = async (): Promise<ReadonlyMap<string, Account>> => {
      await new Promise((resolve) => setImmediate(resolve));
      batch = undefined;
      const { context, value } = await rpc.call('getMultipleAccounts', [addresses, CONFIG], Accounts);
      if (value.length !== addresses.length) {
        const problem = `The RPC answered ${value.length} accounts instead of ${addresses.length}.`;
        throw new ChainRpcError('invalidResponse', 'getMultipleAccounts', problem);
      }
      return new Map(addresses.map((address, place) => [address, { context, value: value[place] }]));
    };
    return { addresses, accounts: read() };
  };

  const account = (address: string): Promise<Account> => {
    const before = known.get(address);
    if (before !== undefined) {
      return before;
    }
    batch ??= begin();
    batch.addresses.push(address);
    const reading = batch.accounts.then((accounts) => accounts.get(address) ?? { context: null, value: null });
    known.set(address, reading);
    // The next one who asks for it tries again.
    reading.catch(() => known.delete(address));
    return reading;
  };

  const result = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
    const one = method === 'getAccountInfo' ? One.safeParse(parameters).data?.[0] : undefined;
    if (one !== undefined) {
      return account(one);
    }
    const several = method === 'getMultipleAccounts' ? Several.safeParse(parameters).data?.[0] : undefined;
    if (several === undefined || several.length === 0) {
      return rpc.call(method, parameters, z.unknown());
    }
    const accounts = await Promise.all(several.map(account));
    return { context: accounts[0]?.context, value: accounts.map(({ value }) => value) };
  };

  return { ...rpc, connection: connectionTo(rpc.connection.rpcEndpoint, result) };
}
