import bs58 from 'bs58';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { AddressText } from '../rpc/addressText';

// The parts of a node's answers that the index uses (Solana's JSON-RPC documentation).

/** Instruction data of a call by a program: at most 10 KiB, in base58. */
const LONGEST_DATA = 14_000;
/** Decoding base58 takes quadratic time. What is needed of an instruction is shorter: the data of a transaction is at most 4,096 bytes. */
const LONGEST_DECODED = 6_000;
const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const Place = z.int().min(0).max(255);
const Slot = z.int().min(0);
const BlockTime = z.int().nullish();

/** An answer to `getSignaturesForAddress`, newest first. */
export const SignaturesAnswer = z.array(
  z.object({ signature: Signature, slot: Slot, err: z.unknown(), blockTime: BlockTime, confirmationStatus: z.string().nullish() }),
);

/** A row of `getSignaturesForAddress`. */
export type ListedSignature = z.output<typeof SignaturesAnswer>[number];

/** An answer to `getSignatureStatuses`. */
export const StatusesAnswer = z.object({
  context: z.object({ slot: Slot }),
  value: z.array(z.object({ slot: Slot, confirmationStatus: z.string().nullish() }).nullable()),
});

/** An answer to `getFirstAvailableBlock` or `getSlot`. */
export const SlotAnswer = Slot;

const Instruction = z.object({
  programIdIndex: Place,
  accounts: z.array(Place),
  data: z
    .string()
    .max(LONGEST_DATA)
    .regex(/^[1-9A-HJ-NP-Za-km-z]*$/),
});
const InnerInstruction = Instruction.extend({ stackHeight: z.int().nullish() });

const WholeTransaction = z.object({
  slot: Slot,
  blockTime: BlockTime,
  version: z.union([z.literal('legacy'), z.int().min(0)]).optional(),
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    message: z.object({ accountKeys: z.array(AddressText), instructions: z.array(Instruction) }),
  }),
  meta: z
    .object({
      err: z.unknown(),
      innerInstructions: z.array(z.object({ index: Place, instructions: z.array(InnerInstruction) })).nullish(),
      loadedAddresses: z.object({ writable: z.array(AddressText), readonly: z.array(AddressText) }).nullish(),
    })
    .nullable(),
});

/** An answer to `getTransaction` with the encoding `json`; `null`: the node does not know the transaction, or not yet. */
export const TransactionAnswer = WholeTransaction.nullable();

/** An answer to `getTransactionsForAddress` (Helius). A transaction that cannot be read is as if it were not there: it is then read by itself. */
export const TransactionsAnswer = z.object({ data: z.array(TransactionAnswer.catch(null)) });

/** A call of a program, from a transaction or from another program. */
export interface ProgramCall {
  readonly program: Address;
  readonly accounts: readonly Address[];
  /** Decoded only where it matters: base58 takes long. Empty if it is longer than anything that is read. */
  readonly data: () => Uint8Array;
  readonly isInner: boolean;
}

/** A transaction as the index reads it. */
export interface FetchedTransaction {
  readonly slot: number;
  readonly blockTimeS: number | undefined;
  readonly failed: boolean;
  /** In the order of execution: each instruction before what it calls. */
  readonly calls: readonly ProgramCall[];
}

/**
 * Puts the instructions of a transaction and their inner instructions in the order of execution.
 * @param signature that was asked for
 * @returns `undefined` if the answer is of another transaction, or without inner instructions or addresses from lookup tables: then it shows no
 * events, which does not mean that nothing happened
 */
export function readTransaction(
  answer: NonNullable<z.output<typeof TransactionAnswer>>,
  signature: string,
): FetchedTransaction | undefined {
  const { slot, blockTime, transaction, meta } = answer;
  if (meta === null || transaction.signatures[0] !== signature) {
    return undefined;
  }
  const failed = meta.err !== null && meta.err !== undefined;
  if (failed) {
    return { slot, blockTimeS: blockTime ?? undefined, failed, calls: [] };
  }
  const { innerInstructions, loadedAddresses } = meta;
  if (innerInstructions === null || innerInstructions === undefined) {
    return undefined;
  }
  const { accountKeys, instructions } = transaction.message;
  // Indexes count the accounts of the message, then those from lookup tables: the writable ones first.
  const keys = [...accountKeys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])];
  const inOrder = instructions.flatMap((instruction, index) => [
    { instruction, isInner: false },
    ...innerInstructions
      .filter((inner) => inner.index === index)
      .flatMap((inner) => inner.instructions.map((one) => ({ instruction: one, isInner: true }))),
  ]);
  const calls = inOrder.flatMap(({ instruction: { programIdIndex, accounts, data }, isInner }): readonly ProgramCall[] => {
    const program = keys[programIdIndex];
    return program === undefined
      ? []
      : [{ program, accounts: accounts.flatMap((index) => keys[index] ?? []), data: decodedOnce(data), isInner }];
  });
  const isWhole =
    calls.length === inOrder.length &&
    calls.every(({ accounts }, place) => accounts.length === inOrder[place]?.instruction.accounts.length);
  return isWhole ? { slot, blockTimeS: blockTime ?? undefined, failed, calls } : undefined;
}

function decodedOnce(text: string): () => Uint8Array {
  let decoded: Uint8Array | undefined;
  return () => (decoded ??= text.length > LONGEST_DECODED ? new Uint8Array() : bs58.decode(text));
}
