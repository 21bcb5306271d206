import { WireError, type WireReader } from './wireReader';

/**
 * What a v1 message says about its execution, in place of ComputeBudget instructions, which the network ignores in v1. A limit that is
 * `undefined` is 0 to the network: nothing is executed, and the fee is charged.
 */
export interface TransactionConfig {
  /** Of the whole transaction, not per compute unit; `undefined` means none. */
  readonly priorityFeeLamports: bigint | undefined;
  readonly computeUnitLimit: number | undefined;
  /** Bytes of all accounts that are loaded. */
  readonly loadedAccountsDataSizeLimit: number | undefined;
  /** `undefined`: the default of 32 KiB. */
  readonly heapBytes: number | undefined;
}

/** Bits of the config mask of v1 (SIMD-0385). The two bits of the priority fee are set together. */
const CONFIG_BITS = { priorityFee: 0b11, computeUnitLimit: 0b100, loadedAccountsDataSizeLimit: 0b1000, heapBytes: 0b1_0000 } as const;
const KNOWN_CONFIG_BITS = 0b1_1111;
const KIB = 1_024;
/** The heap sizes that the network accepts, bytes; multiples of 1 KiB. */
const HEAP_BYTES = { min: 32 * KIB, max: 256 * KIB } as const;

/**
 * Reads the values of a v1 config, which follow the addresses.
 * @throws WireError DEC-8: bits that the network does not know, half of a priority fee, or a heap size that it does not accept
 */
export function readConfig(reader: WireReader, mask: number): TransactionConfig {
  const malformed = (message: string): WireError => new WireError('DEC-8', message);
  const unknownBits = (mask & ~KNOWN_CONFIG_BITS) >>> 0;
  if (unknownBits !== 0) {
    throw malformed(`The transaction sets options that the network does not know (0x${unknownBits.toString(16)})`);
  }
  const feeBits = mask & CONFIG_BITS.priorityFee;
  if (feeBits !== 0 && feeBits !== CONFIG_BITS.priorityFee) {
    throw malformed('The priority fee is set only in part');
  }
  const has = (bit: number): boolean => (mask & bit) !== 0;
  const config = {
    priorityFeeLamports: feeBits === 0 ? undefined : reader.uint64(),
    computeUnitLimit: has(CONFIG_BITS.computeUnitLimit) ? reader.uint(4) : undefined,
    loadedAccountsDataSizeLimit: has(CONFIG_BITS.loadedAccountsDataSizeLimit) ? reader.uint(4) : undefined,
    heapBytes: has(CONFIG_BITS.heapBytes) ? reader.uint(4) : undefined,
  };
  const { heapBytes } = config;
  if (heapBytes !== undefined && !isHeapSize(heapBytes)) {
    throw malformed(`The heap has ${heapBytes} bytes, which the network does not accept`);
  }
  return config;
}

/** Returns whether the network accepts a heap of this size. */
export function isHeapSize(bytes: number): boolean {
  return bytes >= HEAP_BYTES.min && bytes <= HEAP_BYTES.max && bytes % KIB === 0;
}
