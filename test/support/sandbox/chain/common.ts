import { createPrivateKey, sign as signEd25519, type KeyObject } from 'node:crypto';
import { Buffer } from 'node:buffer';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type AccountMeta,
} from '@solana/web3.js';
import * as z from 'zod';
import { address, type Address } from '../../../../src/base/solana/address';
import type { RentRate } from '../../../../src/base/solana/rent';
import { associatedTokenAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { messageOf, parseTransaction, type TransactionVersion } from '../../../../src/base/solana/wireTransaction';
import { type V1Draft, writeV1Transaction } from '../../../../src/base/solana/writeV1Transaction';
import { createChain } from '../../../../src/sandbox/chain/chain';
import type { Chain, GenesisBalance } from '../../../../src/sandbox/chain/types';
import { Database } from '../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../src/sandbox/store/unitOfWork';

/** 2026-11-20T12:00:00Z. */
export const NOON = 1_795_176_000_000;

/** Gives bytes that look random and are the same in every run: of a counter, by a 32-bit mix. */
function deterministicBytes(seed: number): (byteCount: number) => Uint8Array {
  let state = seed;
  return (byteCount) =>
    Uint8Array.from({ length: byteCount }, () => {
      state = (state + 0x9e3779b9) | 0;
      const mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
      return (mixed ^ (mixed >>> 13)) & 0xff;
    });
}

/** A key of the tests' own. */
export interface TestKey {
  readonly address: Address;
  readonly seed: Uint8Array;
  readonly privateKey: KeyObject;
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key whose seed is 32 times this byte. */
export function testKey(byte: number): TestKey {
  const seed = new Uint8Array(32).fill(byte);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  return { address: address(Keypair.fromSeed(seed).publicKey.toBase58()), seed, privateKey };
}

/** A chain with what it stands on. */
export interface TestChain {
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly database: Database;
}

/** The chain that is in the database, or a new one without lamports. `seed`: of its blockhashes. */
export function openChain(
  database: Database,
  {
    now = NOON,
    seed = 1,
    slotMs,
    rent,
  }: { readonly now?: number; readonly seed?: number; readonly slotMs?: number; readonly rent?: RentRate } = {},
): TestChain {
  const unit = new UnitOfWork(database);
  return { chain: createChain({ database, unit, now, random: deterministicBytes(seed), slotMs, rent }), unit, database };
}

/** A new chain in memory, on which these accounts have lamports. */
export function newChain(...endowments: readonly GenesisBalance[]): TestChain {
  const opened = openChain(Database.inMemory());
  opened.chain.genesis(endowments);
  return opened;
}

const SumRow = z.object({ lamports: z.string().transform(BigInt) });

/** Lamports of all accounts in the database together; as of the last commit. */
export function lamportsInTable(database: Database): bigint {
  return database.all(SumRow, 'SELECT lamports FROM account').reduce((sum, row) => sum + row.lamports, 0n);
}

/** Fills the signature slots of these keys, and changes nothing else. */
export function signed(bytes: Uint8Array, ...keys: readonly TestKey[]): Uint8Array {
  const wire = parseTransaction(bytes);
  const { staticKeys, signaturesOffset, requiredSignatures } = wire;
  const copy = bytes.slice();
  for (const { address: of, privateKey } of keys) {
    const slot = staticKeys.slice(0, requiredSignatures).indexOf(of);
    copy.set(signEd25519(null, messageOf(bytes, wire), privateKey), signaturesOffset + 64 * slot);
  }
  return copy;
}

/** The limits of v1 transactions that do not say any: without limits, nothing is executed. */
const CONFIG: V1Draft['config'] = { computeUnitLimit: 1_400_000, loadedAccountsDataSizeLimit: 64 * 1_024 * 1_024 };

/** An unsigned transaction of these instructions. `config`: of v1. */
export function unsigned(
  payer: Address,
  blockhash: string,
  instructions: TransactionInstruction[],
  version: TransactionVersion = 0,
  config: V1Draft['config'] = CONFIG,
): Uint8Array {
  if (version === 1) {
    return writeV1Transaction({
      feePayer: payer,
      recentBlockhash: blockhash,
      config,
      instructions: instructions.map(({ programId, keys, data }) => ({
        program: address(programId.toBase58()),
        accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
          address: address(pubkey.toBase58()),
          signer: isSigner,
          writable: isWritable,
        })),
        data,
      })),
    });
  }
  const message = new TransactionMessage({ payerKey: new PublicKey(payer), recentBlockhash: blockhash, instructions });
  return new VersionedTransaction(version === 0 ? message.compileToV0Message() : message.compileToLegacyMessage()).serialize();
}

/** A System transfer. */
export function transfer(from: Address, to: Address, lamports: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports });
}

/** Makes the owner's token account for a mint where it is missing; the owner pays. */
export function createTokenAccount(owner: Address, mint: Address): TransactionInstruction {
  const keys = [
    writer(owner, true),
    writer(associatedTokenAddress(owner, mint)),
    reader(owner),
    reader(mint),
    reader(PROGRAMS.system),
    reader(PROGRAMS.token),
  ];
  return new TransactionInstruction({ programId: new PublicKey(PROGRAMS.associatedToken), keys, data: Buffer.of(1) });
}

/** Moves tokens between token accounts of the Token program. */
export function transferTokens(from: Address, to: Address, owner: Address, amountRaw: bigint): TransactionInstruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(3, 0);
  data.writeBigUInt64LE(amountRaw, 1);
  return tokenInstruction([writer(from), writer(to), reader(owner, true)], data);
}

/** Counts the lamports of an account of wrapped SOL as tokens. */
export function syncNative(account: Address): TransactionInstruction {
  return tokenInstruction([writer(account)], Buffer.of(17));
}

/** Closes a token account; its lamports go to the owner. */
export function closeTokenAccount(account: Address, owner: Address): TransactionInstruction {
  return tokenInstruction([writer(account), writer(owner), reader(owner, true)], Buffer.of(9));
}

/** Gives a token account to somebody else. */
export function setTokenAccountOwner(account: Address, owner: Address, newOwner: Address): TransactionInstruction {
  return tokenInstruction([writer(account), reader(owner, true)], Buffer.concat([Buffer.of(6, 2, 1), new PublicKey(newOwner).toBytes()]));
}

/** Asks the DLMM program, for which a program that does nothing stands in, for whatever these bytes would mean to it. */
export function dlmm(owner: Address, writable: readonly Address[], data: Uint8Array = Uint8Array.of(1, 2, 3)): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(PROGRAMS.dlmm),
    keys: [writer(owner, true), ...writable.map((of) => writer(of))],
    data: Buffer.from(data),
  });
}

/** Effects that do nothing. */
export function noEffects(): void {
  // Nothing to apply: the transactions call no program that the sandbox stands in for.
}

function tokenInstruction(keys: AccountMeta[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: new PublicKey(PROGRAMS.token), keys, data });
}

function writer(of: Address, isSigner = false): AccountMeta {
  return { pubkey: new PublicKey(of), isSigner, isWritable: true };
}

function reader(of: Address, isSigner = false): AccountMeta {
  return { pubkey: new PublicKey(of), isSigner, isWritable: false };
}
