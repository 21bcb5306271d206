import { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { StoredAddress } from '../store/meta';
import type { BalanceChange, Execution, TokenBalanceChange } from './types';

const rawText = z.string().regex(/^\d+$/);
const keyIndex = z.int().nonnegative();

/** Accounts are named by their place in the message, which is kept beside this: there are many landed transactions. */
const SavedExecution = z.object({
  fee: rawText,
  units: rawText,
  logs: z.array(z.string()),
  /** Before and after, or only one of them where they are the same. */
  lamports: z.array(z.union([z.tuple([rawText]), z.tuple([rawText, rawText])])),
  tokens: z.array(
    z.object({
      key: keyIndex,
      mint: StoredAddress,
      holder: StoredAddress,
      decimals: keyIndex,
      program: StoredAddress,
      before: rawText.optional(),
      after: rawText.optional(),
    }),
  ),
  /** What it takes from lookup tables; absent where that is nothing. */
  loaded: z.object({ writable: z.array(StoredAddress), readonly: z.array(StoredAddress) }).optional(),
  inner: z.array(z.object({ within: keyIndex, program: keyIndex, accounts: z.array(keyIndex), data: z.base64(), height: keyIndex })),
});

/** Writes what a transaction did, for a database. */
export function encodeExecution({ feeLamports, computeUnits, logs, loaded, lamports, tokens, inner }: Execution): string {
  const places = new Map(lamports.map(({ address: of }, place) => [of, place]));
  const saved: z.input<typeof SavedExecution> = {
    fee: feeLamports.toString(),
    units: computeUnits.toString(),
    logs: [...logs],
    lamports: lamports.map(({ before, after }) => (before === after ? [before.toString()] : [before.toString(), after.toString()])),
    tokens: tokens.map((token) => ({
      key: places.get(token.address) ?? 0,
      mint: token.mint,
      holder: token.holder,
      decimals: token.decimals,
      program: token.program,
      before: token.before?.toString(),
      after: token.after?.toString(),
    })),
    ...(loaded === undefined ? {} : { loaded: { writable: [...loaded.writable], readonly: [...loaded.readonly] } }),
    inner: inner.map(({ within, programIdIndex, accountIndexes, data, stackHeight }) => ({
      within,
      program: programIdIndex,
      accounts: [...accountIndexes],
      data: Buffer.from(data).toString('base64'),
      height: stackHeight,
    })),
  };
  return JSON.stringify(saved);
}

/**
 * Reads what {@link encodeExecution} wrote. `staticKeys`: the accounts that the message names, in its order.
 * @throws z.ZodError or SyntaxError where it is something else.
 */
export function decodeExecution(text: string, staticKeys: readonly Address[]): Execution {
  const saved = SavedExecution.parse(JSON.parse(text));
  const { loaded } = saved;
  const keys = loaded === undefined ? staticKeys : [...staticKeys, ...loaded.writable, ...loaded.readonly];
  const keyAt = (place: number): Address => keys[place] ?? raise(`There is no account ${place} in the message`);
  return {
    feeLamports: BigInt(saved.fee),
    computeUnits: BigInt(saved.units),
    logs: saved.logs,
    loaded,
    lamports: saved.lamports.map(([before, after = before], place): BalanceChange => ({
      address: keyAt(place),
      before: BigInt(before),
      after: BigInt(after),
    })),
    tokens: saved.tokens.map(({ key, before, after, ...token }): TokenBalanceChange => ({
      ...token,
      address: keyAt(key),
      before: before === undefined ? undefined : BigInt(before),
      after: after === undefined ? undefined : BigInt(after),
    })),
    inner: saved.inner.map(({ within, program, accounts, data, height }) => ({
      within,
      programIdIndex: program,
      accountIndexes: accounts,
      data: new Uint8Array(Buffer.from(data, 'base64')),
      stackHeight: height,
    })),
  };
}

function raise(message: string): never {
  throw new SyntaxError(message);
}
