import bs58 from 'bs58';
import type { RawTransaction } from '../../../../src/base/insight/flows';
import { type Address, addressBytes, addressFromBytes } from '../../../../src/base/solana/address';
import { JITO_TIP_ACCOUNTS } from '../../../../src/base/solana/programs';

export function key(number: number): Address {
  return addressFromBytes(new Uint8Array(32).fill(number));
}

/** Whose transactions they are; others, and a pool with a position and its tokens. */
export const [OWNER, OTHER, POOL, POSITION, TOKEN, NFT, ACCOUNT] = [key(1), key(2), key(3), key(4), key(5), key(6), key(7)];
export const TIP = JITO_TIP_ACCOUNTS[0] ?? OTHER;
export const RENT = 2_039_280n;

/** Little-endian. */
function bytesOf(value: bigint, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, index) => Number((BigInt.asUintN(8 * bytes, value) >> BigInt(8 * index)) & 0xffn));
}

export const u64 = (value: bigint): readonly number[] => bytesOf(value, 8);
export const i32 = (value: number): readonly number[] => bytesOf(BigInt(value), 4);
export const keyBytes = (address: Address): readonly number[] => [...addressBytes(address)];

/** The data of an event that a program emits by calling itself. */
export function event(discriminator: string, ...fields: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([...Buffer.from(`e445a52e51cb9a1d${discriminator}`, 'hex'), ...fields.flat()]);
}

export const system = (kind: number, lamports: bigint): Uint8Array => Uint8Array.from([...bytesOf(BigInt(kind), 4), ...u64(lamports)]);

export interface Called {
  readonly program: string;
  readonly accounts?: readonly string[];
  readonly data: Uint8Array;
}

/** What happens in a transaction. */
export interface Parts {
  /** Balances before and after, by account. */
  readonly balances?: Readonly<Record<string, readonly [bigint, bigint]>>;
  /** Of the owner: before and after, by account and mint. */
  readonly tokens?: readonly (readonly [account: string, mint: string, before: bigint | undefined, after: bigint | undefined])[];
  readonly calls?: readonly Called[];
  readonly inner?: readonly Called[];
  readonly err?: unknown;
  readonly signature?: string;
}

/** An answer of a node to `getTransaction`. */
export function transaction({ balances = {}, tokens = [], calls = [], inner = [], err = null, signature = 'sig' }: Parts): RawTransaction {
  const used = [...calls, ...inner].flatMap(({ program, accounts = [] }) => [program, ...accounts]);
  const keys = [...new Set([OWNER, ...Object.keys(balances), ...tokens.map(([account]) => account), ...used])];
  const written = (all: readonly Called[]) =>
    all.map(({ program, accounts = [], data }) => ({
      ...{ programIdIndex: keys.indexOf(program), accounts: accounts.map((one) => keys.indexOf(one)), data: bs58.encode(data) },
    }));
  const balanceAt = (side: 0 | 1) => keys.map((one) => balances[one]?.[side] ?? 0n);
  const tokensAt = (side: 2 | 3) =>
    tokens.flatMap((one) => {
      const amount = one[side];
      return amount === undefined ? [] : [{ accountIndex: keys.indexOf(one[0]), mint: one[1], owner: OWNER, amount }];
    });
  return {
    blockTime: 7,
    transaction: { signatures: [signature], message: { accountKeys: keys, instructions: written(calls) } },
    meta: {
      ...{ err, fee: 5_000n, preBalances: balanceAt(0), postBalances: balanceAt(1) },
      ...{ preTokenBalances: tokensAt(2), postTokenBalances: tokensAt(3) },
      innerInstructions: inner.length === 0 ? [] : [{ index: 0, instructions: written(inner) }],
    },
  };
}
