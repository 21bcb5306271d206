import { addressBytes, type Address } from '../../../src/base/solana/address';
import { PROGRAMS } from '../../../src/base/solana/programs';
import type { AccountState, SimulatedTransaction } from '../../../src/review/facts/facts';
import { OWNER } from './bundles';

// What a simulation shows of the owner's accounts, before and after a transaction.

/** The lamports of the wallet before. */
export const RICH = 10_000_000_000n;
export const wallet = (lamports: bigint, program: Address = PROGRAMS.system, data = new Uint8Array()): AccountState => ({
  lamports,
  program,
  data,
});

interface Powers {
  readonly owner?: Address;
  readonly delegate?: Address;
  readonly closeAuthority?: Address;
}

/** A token account in the layout of spl-token `Account`: mint, owner, amount, delegate, state, native, delegated amount, close authority. */
export function tokens(mint: Address, amount: bigint, { owner = OWNER, delegate, closeAuthority }: Powers = {}): AccountState {
  const option = (of: Address | undefined): Uint8Array =>
    of === undefined ? new Uint8Array(36) : Buffer.concat([Buffer.from([1, 0, 0, 0]), addressBytes(of)]);
  const amountBytes = Buffer.alloc(8);
  amountBytes.writeBigUInt64LE(amount);
  const data = Buffer.concat([
    addressBytes(mint),
    addressBytes(owner),
    amountBytes,
    option(delegate),
    Buffer.from([1]),
    new Uint8Array(12),
    new Uint8Array(8),
    option(closeAuthority),
  ]);
  return { lamports: 2_039_280n, program: PROGRAMS.token, data: new Uint8Array(data) };
}

export type States = Readonly<Record<Address, AccountState>>;

/** A simulated transaction with the given changes: the wallet pays its fee, and nothing else changes. @param more `gained`: lamports that it gets */
export function simulated(
  before: States,
  after: States,
  { gained = 0n, ...more }: Partial<SimulatedTransaction> & { readonly gained?: bigint } = {},
): SimulatedTransaction {
  const states = (accounts: States, lamports: bigint): ReadonlyMap<Address, AccountState> =>
    new Map(Object.entries({ [OWNER]: wallet(lamports), ...accounts }) as [Address, AccountState][]);
  return { error: undefined, before: states(before, RICH), after: states(after, RICH - 5_000n + gained), innerInstructions: [], ...more };
}
