import assert from 'node:assert/strict';
import { type Keypair, VersionedTransaction } from '@solana/web3.js';
import type * as z from 'zod';

/** Everything that a client of the public service knows of it. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly wallet: Keypair;
}

/** A service with a world for one client. The wallet has open positions, the newest one in a pool with bins, and closed ones. */
export interface ClientWorld {
  readonly access: Access;
  /** How many pools the service lists at least. */
  readonly leastPools: number;
  /** Whether it knows the results of all providers of a pool, and not only those of wallets that were asked for. */
  readonly knowsAllProviders: boolean;
  /** Moves the price of a pool until a position of the wallet with bins is out of its range, where none is. */
  pushOutOfRange(): Promise<void>;
  /** What does not add up in the world, as sentences. */
  audit(): Promise<readonly string[]>;
}

export async function get<Schema extends z.ZodType>(access: Access, schema: Schema, path: string): Promise<z.output<Schema>> {
  return schema.parse(await call(access, 'GET', path));
}

export async function post<Schema extends z.ZodType>(
  access: Access,
  schema: Schema,
  path: string,
  body: object,
): Promise<z.output<Schema>> {
  return schema.parse(await call(access, 'POST', path, body));
}

async function call({ baseUrl, apiKey }: Access, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** As the tutorials sign: every transaction as a versioned one, which legacy ones can be read as, too. */
export function sign(transactions: readonly string[], wallet: Keypair): string[] {
  return transactions.map((text) => {
    const transaction = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    transaction.sign([wallet]);
    return Buffer.from(transaction.serialize()).toString('base64');
  });
}
