import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import type * as z from 'zod';
import type { Address } from '../../base/solana/address';
import { MAX_TRANSACTION_BYTES, MAX_V1_TRANSACTION_BYTES } from '../../base/solana/programs';
import { WireError } from '../../base/solana/wireReader';
import { parseTransaction, type WireInstruction, type WireTransaction } from '../../base/solana/wireTransaction';
import { keysOf, isWritableAt } from '../chain/lookupTables';
import type {
  Execution,
  ExecutedTransaction,
  LoadedAddresses,
  LoadedTransaction,
  TokenBalanceChange,
  TransactionErrorJson,
} from '../chain/types';
import { tokenAmountView } from './accountView';
import { invalidParams, type TransactionEncoding } from './method';

/**
 * Maximum encoded length (agave: `MAX_BASE58_SIZE`, `MAX_BASE64_SIZE`), and the bytes that it holds: base58 is deprecated, so nodes did not
 * raise its limit for v1.
 */
const MOST = { base58: { text: 1_683, bytes: MAX_TRANSACTION_BYTES }, base64: { text: 5_464, bytes: MAX_V1_TRANSACTION_BYTES } } as const;

const SIGNATURE_BYTES = 64;
const VERSION_BIT = 0x80;
/** The first byte of a v1 message. */
const V1_PREFIX = VERSION_BIT | 1;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Parses an encoded transaction. @throws RpcMethodError with the message of a node */
export function readTransaction(
  text: string,
  encoding: 'base58' | 'base64',
): { readonly bytes: Uint8Array; readonly wire: WireTransaction } {
  const bytes = decode(text, encoding);
  return { bytes, wire: parsed(bytes, 'solana_transaction::versioned::VersionedTransaction') };
}

/** Parses a base64 message as a transaction with empty signatures. @throws RpcMethodError with the message of a node */
export function readMessage(text: string): WireTransaction {
  const message = decode(text, 'base64');
  const [first = 0, second = 0] = message;
  const type = 'solana_message::versioned::VersionedMessage';
  const signatures = first >= VERSION_BIT ? second : first;
  if (signatures >= VERSION_BIT || signatures * SIGNATURE_BYTES > MAX_TRANSACTION_BYTES) {
    throw invalidParams(`failed to deserialize ${type}: more signatures than a transaction can hold`);
  }
  const empty = new Uint8Array(signatures * SIGNATURE_BYTES);
  return parsed(Buffer.concat(first === V1_PREFIX ? [message, empty] : [Uint8Array.of(signatures), empty, message]), type);
}

function decode(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  const most = MOST[encoding];
  if (text.length > most.text) {
    throw invalidParams(`${encoding} encoded too large: ${text.length} bytes (max: encoded/raw ${most.text}/${most.bytes})`);
  }
  const bytes =
    encoding === 'base58' ? bs58.decodeUnsafe(text) : BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : undefined;
  if (bytes === undefined) {
    throw invalidParams(`invalid ${encoding} encoding`);
  }
  return bytes;
}

function parsed(bytes: Uint8Array, type: string): WireTransaction {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${type}: ${error.message}`);
    }
    throw error;
  }
}

/** Stack height of an instruction of the message; an instruction that it calls has one more. */
const MESSAGE_STACK_HEIGHT = 1;

const NO_LOADED_ADDRESSES: LoadedAddresses = { readonly: [], writable: [] };

/**
 * A landed transaction in the JSON of a node.
 * @param hasVersion includes the version; nodes do so only for clients that ask for versions
 * @param error of a transaction that failed and paid its fee; in the sandbox none does
 */
export function landedView(
  { slot, blockTime, bytes, execution }: ExecutedTransaction,
  encoding: z.output<typeof TransactionEncoding>,
  hasVersion: boolean,
  error: TransactionErrorJson | null = null,
): unknown {
  const { loaded } = execution;
  const wire: LoadedTransaction = { ...parseTransaction(bytes), ...(loaded === undefined ? {} : { loaded }) };
  const keys = keysOf(wire);
  const meta = {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    ...balanceViews(execution),
    logMessages: execution.logs,
    rewards: [],
    computeUnitsConsumed: execution.computeUnits,
  };
  return {
    slot,
    blockTime,
    transaction: transactionView(wire, bytes, encoding),
    meta:
      encoding === 'jsonParsed'
        ? { ...meta, innerInstructions: innerViews(execution, (inner) => decodedView(keys, inner)) }
        : { ...meta, innerInstructions: innerViews(execution, compiledView), loadedAddresses: loaded ?? NO_LOADED_ADDRESSES },
    version: hasVersion ? wire.version : undefined,
  };
}

/** Fee and balances before and after, as in the metadata of landed and simulated transactions. */
export function balanceViews({ feeLamports, lamports, tokens }: Execution): Readonly<Record<string, unknown>> {
  const places = new Map(lamports.map(({ address }, place) => [address, place]));
  const tokenView = (token: TokenBalanceChange, amountRaw: bigint | undefined): readonly unknown[] =>
    amountRaw === undefined
      ? []
      : [
          {
            accountIndex: places.get(token.address),
            mint: token.mint,
            uiTokenAmount: tokenAmountView(amountRaw, token.decimals),
            owner: token.holder,
            programId: token.program,
          },
        ];
  return {
    fee: feeLamports,
    preBalances: lamports.map(({ before }) => before),
    postBalances: lamports.map(({ after }) => after),
    preTokenBalances: tokens.flatMap((token) => tokenView(token, token.before)),
    postTokenBalances: tokens.flatMap((token) => tokenView(token, token.after)),
  };
}

/** Inner instructions, grouped by the instruction of the message that caused them. */
export function innerViews(
  { inner }: Execution,
  view: (instruction: WireInstruction & { readonly stackHeight: number }) => unknown,
): readonly unknown[] {
  const called = new Map<number, unknown[]>();
  for (const instruction of inner) {
    const instructions = called.get(instruction.within) ?? [];
    instructions.push(view(instruction));
    called.set(instruction.within, instructions);
  }
  return [...called].map(([index, instructions]) => ({ index, instructions }));
}

/** An instruction with the indexes of its accounts. */
function compiledView({ programIdIndex, accountIndexes, data, stackHeight }: WireInstruction & { readonly stackHeight: number }): unknown {
  return { programIdIndex, accounts: accountIndexes, data: bs58.encode(data), stackHeight };
}

/** An instruction with the addresses of its accounts, as nodes write instructions of programs without a parser. */
export function decodedView(
  keys: readonly Address[],
  { programIdIndex, accountIndexes, data, stackHeight }: WireInstruction & { readonly stackHeight: number },
): unknown {
  return { programId: keys[programIdIndex], accounts: accountIndexes.map((index) => keys[index]), data: bs58.encode(data), stackHeight };
}

function transactionView(wire: LoadedTransaction, bytes: Uint8Array, encoding: z.output<typeof TransactionEncoding>): unknown {
  const signatures = wire.signatures.map((signature) => bs58.encode(signature));
  const instructions = wire.instructions.map((instruction) => ({ ...instruction, stackHeight: MESSAGE_STACK_HEIGHT }));
  const { recentBlockhash, requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys, version } = wire;
  const keys = keysOf(wire);
  const addressTableLookups =
    version === 0
      ? wire.tableLookups.map(({ table, writableIndexes, readonlyIndexes }) => ({ accountKey: table, writableIndexes, readonlyIndexes }))
      : undefined;
  switch (encoding) {
    case 'binary':
      return bs58.encode(bytes);
    case 'base58':
      return [bs58.encode(bytes), encoding];
    case 'base64':
      return [Buffer.from(bytes).toString('base64'), encoding];
    case 'json':
      return {
        signatures,
        message: {
          header: {
            numRequiredSignatures: requiredSignatures,
            numReadonlySignedAccounts: readonlySigned,
            numReadonlyUnsignedAccounts: readonlyUnsigned,
          },
          accountKeys: staticKeys,
          recentBlockhash,
          instructions: instructions.map(compiledView),
          addressTableLookups,
          transactionConfig: configView(wire.config),
        },
      };
    case 'jsonParsed':
      return {
        signatures,
        message: {
          accountKeys: keys.map((pubkey, place) => ({
            pubkey,
            signer: place < requiredSignatures,
            writable: isWritableAt(wire, place),
            source: place < staticKeys.length ? 'transaction' : 'lookupTable',
          })),
          recentBlockhash,
          instructions: instructions.map((instruction) => decodedView(keys, instruction)),
          addressTableLookups,
          transactionConfig: configView(wire.config),
        },
      };
  }
}

/** The config of a v1 message; nodes write `null` for what is not set. */
function configView(config: WireTransaction['config']): unknown {
  if (config === undefined) {
    return undefined;
  }
  const { priorityFeeLamports, computeUnitLimit, loadedAccountsDataSizeLimit, heapBytes } = config;
  return {
    computeUnitLimit: computeUnitLimit ?? null,
    heapSize: heapBytes ?? null,
    loadedAccountsDataSizeLimit: loadedAccountsDataSizeLimit ?? null,
    priorityFee: priorityFeeLamports ?? null,
  };
}
