import bs58 from 'bs58';
import { type Address, addressBytes } from './address';
import type { TransactionConfig } from './wireConfig';

/** An instruction to be written: accounts in the program's order, with their roles. */
export interface V1Instruction {
  readonly program: Address;
  readonly accounts: readonly { readonly address: Address; readonly signer: boolean; readonly writable: boolean }[];
  readonly data: Uint8Array;
}

/** The content of a v1 transaction. */
export interface V1Draft {
  readonly feePayer: Address;
  /** Base58. */
  readonly recentBlockhash: string;
  readonly instructions: readonly V1Instruction[];
  readonly config: Partial<TransactionConfig>;
}

const VERSION_BYTE = 0x81;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const CONFIG_MASK_BYTES = 4;

/**
 * Writes a v1 transaction with empty signatures (SIMD-0385): message, then 64 zero bytes for each required signer. Accounts are ordered as
 * in other versions: writable signers with the fee payer first, read-only signers, writable accounts, read-only accounts.
 *
 * Written by hand, because @solana/web3.js 1.99 reads v1 and does not write it. It does not check the limits of the format:
 * {@link parseTransaction} does. A number beyond the range of its field is a RangeError.
 */
export function writeV1Transaction({ feePayer, recentBlockhash, instructions, config }: V1Draft): Uint8Array {
  const keys = orderedKeys(feePayer, instructions);
  const places = new Map(keys.map(({ address }, place) => [address, place]));
  const placeOf = (address: Address): number => places.get(address) ?? 0;
  const signers = keys.filter(({ signer }) => signer);
  const header = [
    VERSION_BYTE,
    signers.length,
    signers.filter(({ writable }) => !writable).length,
    keys.filter(({ signer, writable }) => !signer && !writable).length,
  ];
  const { mask, values } = configParts(config);
  const parts = [
    uint8s(header),
    uintLe(mask, CONFIG_MASK_BYTES),
    bs58.decode(recentBlockhash).subarray(0, KEY_BYTES),
    uint8s([instructions.length, keys.length]),
    ...keys.map(({ address }) => addressBytes(address)),
    ...values,
    ...instructions.flatMap(({ program, accounts, data }) => [uint8s([placeOf(program), accounts.length]), uintLe(data.length, 2)]),
    ...instructions.flatMap(({ accounts, data }) => [uint8s(accounts.map(({ address }) => placeOf(address))), data]),
    new Uint8Array(SIGNATURE_BYTES * signers.length),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

interface Key {
  readonly address: Address;
  signer: boolean;
  writable: boolean;
}

/** Each account once, with the strongest role that an instruction gives it. */
function orderedKeys(feePayer: Address, instructions: readonly V1Instruction[]): readonly Key[] {
  const keys = new Map<Address, Key>([[feePayer, { address: feePayer, signer: true, writable: true }]]);
  const add = ({ address, signer, writable }: Readonly<Key>): void => {
    const key = keys.get(address);
    keys.set(address, { address, signer: signer || key?.signer === true, writable: writable || key?.writable === true });
  };
  for (const { program, accounts } of instructions) {
    accounts.forEach(add);
    add({ address: program, signer: false, writable: false });
  }
  const group = ({ signer, writable }: Key): number => (signer ? 0 : 2) + (writable ? 0 : 1);
  return [...keys.values()].sort((one, other) => group(one) - group(other));
}

/** The mask and the values in the order of their bits: fee (two bits, u64), compute units, loaded data, heap (u32 each). */
function configParts(config: Partial<TransactionConfig>): { readonly mask: number; readonly values: readonly Uint8Array[] } {
  const { priorityFeeLamports, computeUnitLimit, loadedAccountsDataSizeLimit, heapBytes } = config;
  const fee = Buffer.alloc(8);
  fee.writeBigUInt64LE(priorityFeeLamports ?? 0n);
  const limits = [computeUnitLimit, loadedAccountsDataSizeLimit, heapBytes];
  return {
    mask: limits.reduce<number>(
      (bits, limit, index) => (limit === undefined ? bits : bits | (0b100 << index)),
      priorityFeeLamports === undefined ? 0 : 0b11,
    ),
    values: [
      ...(priorityFeeLamports === undefined ? [] : [fee]),
      ...limits.flatMap((limit) => (limit === undefined ? [] : [uintLe(limit, 4)])),
    ],
  };
}

function uint8s(values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length);
  values.forEach((value, index) => bytes.writeUInt8(value, index));
  return bytes;
}

function uintLe(value: number, size: 2 | 4): Uint8Array {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
}
