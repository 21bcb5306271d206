import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PublicKey, TransactionInstruction } from '@solana/web3.js';

// Other people's readers and writers of the same bytes, for comparison. They are CommonJS and are loaded from node_modules.

const load = createRequire(join(process.cwd(), 'package.json'));

/** What is used of Anchor's coder. Names and enum forms are the IDL's; integers of 64 bits and more are BN. */
export interface AnchorCoder {
  encode(name: string, args: unknown): Buffer;
  decode(data: Buffer): { readonly name: string; readonly data: unknown } | null;
}

/** Gives Anchor's coder for the DLMM program's IDL. */
export function anchorCoder(): AnchorCoder {
  const { BorshInstructionCoder } = load('@coral-xyz/anchor') as { readonly BorshInstructionCoder: new (idl: unknown) => AnchorCoder };
  return new BorshInstructionCoder(dlmmSdk().IDL);
}

/** Gives Anchor's coder for the DAMM v2 program's IDL. */
export function dammCoder(): AnchorCoder {
  const { BorshInstructionCoder } = load('@coral-xyz/anchor') as { readonly BorshInstructionCoder: new (idl: unknown) => AnchorCoder };
  return new BorshInstructionCoder(dammSdk().CpAmmIdl);
}

/** Gives a bn.js number. */
export function bigNumber(value: bigint): { toString(): string } {
  const BN = load('bn.js') as new (text: string, base: number) => { toString(): string };
  return new BN(value.toString(), 10);
}

type Derivation = (...parts: readonly unknown[]) => readonly [PublicKey, number];

/** What is used of Meteora's SDK. */
export interface DlmmSdk {
  readonly IDL: unknown;
  readonly deriveReserve: Derivation;
  readonly deriveOracle: Derivation;
  readonly deriveBinArrayBitmapExtension: Derivation;
  readonly deriveBinArray: Derivation;
  readonly deriveEventAuthority: Derivation;
}

export function dlmmSdk(): DlmmSdk {
  return load('@meteora-ag/dlmm') as DlmmSdk;
}

/** What is used of Meteora's SDK for DAMM v2. */
export interface DammSdk {
  readonly CpAmmIdl: unknown;
  readonly derivePoolAuthority: () => PublicKey;
  readonly derivePositionAddress: (nftMint: PublicKey) => PublicKey;
  readonly derivePositionNftAccount: (nftMint: PublicKey) => PublicKey;
  readonly deriveTokenVaultAddress: (mint: PublicKey, pool: PublicKey) => PublicKey;
}

export function dammSdk(): DammSdk {
  return load('@meteora-ag/cp-amm-sdk') as DammSdk;
}

type InstructionMaker = (...parts: readonly unknown[]) => TransactionInstruction;

/** Gives the makers of token instructions of @solana/spl-token by name, and the address of an associated account. */
export function splToken(): Readonly<Record<string, InstructionMaker>> & {
  readonly getAssociatedTokenAddressSync: (...parts: readonly unknown[]) => PublicKey;
} {
  return load('@solana/spl-token') as ReturnType<typeof splToken>;
}
