import { MessageV1, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { TransactionConfig } from '../../base/solana/wireConfig';
import type { WireTransaction } from '../../base/solana/wireTransaction';

/**
 * Names the first part that @solana/web3.js reads differently; `undefined` if there is none. The strict reader accepts less than web3.js,
 * so a difference is a bug in one of them.
 *
 * web3.js 1.99 reads v1 but does not write it, and throws for a priority fee that a JavaScript number cannot represent. So the message of v1 is
 * written here from what web3.js has read, and web3.js reads an unrepresentable fee without its upper bytes. The rules judge the whole fee.
 */
export function differenceToWeb3(bytes: Uint8Array, wire: WireTransaction): string | undefined {
  try {
    const readable = withReadableFee(bytes, wire);
    const other = VersionedTransaction.deserialize(readable);
    const { message } = other;
    const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
    const views: readonly (readonly [string, () => boolean])[] = [
      ['the version', () => message.version === wire.version],
      ['the signatures', () => sameLists(other.signatures, wire.signatures, sameBytes)],
      [
        'the header',
        () =>
          numRequiredSignatures === wire.requiredSignatures &&
          numReadonlySignedAccounts === wire.readonlySigned &&
          numReadonlyUnsignedAccounts === wire.readonlyUnsigned,
      ],
      ['the accounts', () => sameLists(message.staticAccountKeys, wire.staticKeys, (theirs, ours) => theirs.toBase58() === ours)],
      ['the blockhash', () => message.recentBlockhash === wire.recentBlockhash],
      ['the fees and limits', () => sameConfig(message instanceof MessageV1 ? message.transactionConfig : undefined, wire.config)],
      [
        'the instructions',
        () =>
          sameLists(
            message.compiledInstructions,
            wire.instructions,
            (theirs, ours) =>
              theirs.programIdIndex === ours.programIdIndex &&
              sameBytes(theirs.accountKeyIndexes, ours.accountIndexes) &&
              sameBytes(theirs.data, ours.data),
          ),
      ],
      [
        'the lookup tables',
        () =>
          sameLists(
            message.addressTableLookups,
            wire.tableLookups,
            (theirs, ours) =>
              theirs.accountKey.toBase58() === ours.table &&
              sameBytes(theirs.writableIndexes, ours.writableIndexes) &&
              sameBytes(theirs.readonlyIndexes, ours.readonlyIndexes),
          ),
      ],
      ['the bytes', () => sameBytes(message instanceof MessageV1 ? v1Bytes(message, other.signatures) : other.serialize(), readable)],
    ];
    return views.find(([, isSame]) => !isSame())?.[0];
  } catch {
    return 'only one of them can read it';
  }
}

const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
/** Between the blockhash and the addresses of v1: the numbers of instructions and addresses. */
const COUNT_BYTES = 2;
const FEE_BYTES = 8;
/** web3.js reads as much of a fee: 48 of 64 bits, which a JavaScript number represents exactly. */
const READABLE_FEE_BYTES = 6;

function readableFee(lamports: bigint): bigint {
  return lamports > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt.asUintN(8 * READABLE_FEE_BYTES, lamports) : lamports;
}

/** Returns the bytes with a priority fee that web3.js can read: the same bytes, or a copy without the upper bytes of the fee. */
function withReadableFee(bytes: Uint8Array, { config, blockhashOffset, staticKeys }: WireTransaction): Uint8Array {
  const fee = config?.priorityFeeLamports;
  if (fee === undefined || readableFee(fee) === fee) {
    return bytes;
  }
  // The fee is the first value of the config, which follows the addresses (SIMD-0385).
  const feeOffset = blockhashOffset + BLOCKHASH_BYTES + COUNT_BYTES + KEY_BYTES * staticKeys.length;
  // Not `slice`: of a Buffer, it would share the memory.
  return new Uint8Array(bytes).fill(0, feeOffset + READABLE_FEE_BYTES, feeOffset + FEE_BYTES);
}

type Web3Config = MessageV1['transactionConfig'];

function sameConfig(theirs: Web3Config | undefined, ours: TransactionConfig | undefined): boolean {
  if (theirs === undefined || ours === undefined) {
    return theirs === ours;
  }
  const fee = ours.priorityFeeLamports;
  return (
    theirs.priorityFee === (fee === undefined ? null : Number(readableFee(fee))) &&
    theirs.computeUnitLimit === (ours.computeUnitLimit ?? null) &&
    theirs.loadedAccountsDataSizeLimit === (ours.loadedAccountsDataSizeLimit ?? null) &&
    theirs.heapSize === (ours.heapBytes ?? null)
  );
}

/** Writes a v1 transaction from what web3.js has read (SIMD-0385): the message, then the signatures. */
function v1Bytes(message: MessageV1, signatures: readonly Uint8Array[]): Uint8Array {
  const { header, staticAccountKeys, recentBlockhash, compiledInstructions, transactionConfig } = message;
  const { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize } = transactionConfig;
  const limits = [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize];
  const mask = limits.reduce<number>((bits, limit, place) => bits | (limit === null ? 0 : 0b100 << place), priorityFee === null ? 0 : 0b11);
  return Buffer.concat([
    Uint8Array.of(0x81, header.numRequiredSignatures, header.numReadonlySignedAccounts, header.numReadonlyUnsignedAccounts),
    littleEndian(mask, 4),
    bs58.decode(recentBlockhash),
    Uint8Array.of(compiledInstructions.length, staticAccountKeys.length),
    ...staticAccountKeys.map((key) => key.toBytes()),
    ...(priorityFee === null ? [] : [littleEndian(priorityFee, FEE_BYTES)]),
    ...limits.flatMap((limit) => (limit === null ? [] : [littleEndian(limit, 4)])),
    ...compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }) => [
      Uint8Array.of(programIdIndex, accountKeyIndexes.length),
      littleEndian(data.length, 2),
    ]),
    ...compiledInstructions.flatMap(({ accountKeyIndexes, data }) => [Uint8Array.from(accountKeyIndexes), data]),
    ...signatures,
  ]);
}

function littleEndian(value: number, size: 2 | 4 | 8): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.subarray(0, size);
}

function sameLists<Theirs, Ours>(theirs: readonly Theirs[], ours: readonly Ours[], isSame: (their: Theirs, our: Ours) => boolean): boolean {
  return theirs.length === ours.length && theirs.every((one, place) => isSame(one, ours[place] as Ours));
}

function sameBytes(theirs: ArrayLike<number>, ours: ArrayLike<number>): boolean {
  if (theirs.length !== ours.length) {
    return false;
  }
  for (let place = 0; place < ours.length; place += 1) {
    if (theirs[place] !== ours[place]) {
      return false;
    }
  }
  return true;
}
