import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, addressFromBytes } from '../../base/solana/address';
import type { ApplyEffects, Chain, ChainAccount } from '../chain/types';

/** Codes of JSON-RPC 2.0, and those that Solana's nodes add (agave: `rpc_custom_error.rs`). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** Why a call has no result: becomes the `error` of its answer. */
export class RpcMethodError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The parameters are not what the method takes. */
export function invalidParams(message: string): RpcMethodError {
  return new RpcMethodError(RPC_CODES.invalidParams, message);
}

/** What the methods of Solana's JSON-RPC use: a chain and the world around it. */
export interface RpcNode {
  readonly chain: Chain;
  /** Whose lamports airdrops are. */
  readonly faucet: Address;
  /** An account: of the chain, or of a pool, which the market keeps. */
  account(of: Address): Readonly<ChainAccount> | undefined;
  /** Brings the world up to the present, and commits that; called once before each request is answered. */
  advance(): void;
  /** What landing these transactions, as they were given, would do beyond the VM; for simulating. */
  effectsOf(transactions: readonly Uint8Array[]): ApplyEffects;
  /** Commits what a method changed; called before that is answered. */
  commit(): void;
}

/** A method of the JSON-RPC: takes its parameters as they came, and gives its result. @throws RpcMethodError */
export type Method = (node: RpcNode, parameters: readonly unknown[]) => unknown;

/** Methods by name. */
export type Methods = ReadonlyMap<string, Method>;

/** Makes a method of a schema for its parameters and of what it does with them. */
export function method<Schema extends z.ZodType>(
  parameters: Schema,
  run: (node: RpcNode, parameters: z.output<Schema>) => unknown,
): Method {
  return (node, given) => {
    const parsed = parameters.safeParse(given);
    if (!parsed.success) {
      throw invalidParams(describe(parsed.error, given));
    }
    return run(node, parsed.data);
  };
}

/** Calls a method by its name. @throws RpcMethodError where there is none of that name, or it cannot do what it is asked. */
export function callMethod(
  methods: Methods,
  node: RpcNode,
  name: string,
  parameters: readonly unknown[] | Readonly<Record<string, unknown>>,
): unknown {
  const found = methods.get(name);
  if (found === undefined) {
    throw new RpcMethodError(RPC_CODES.methodNotFound, 'Method not found');
  }
  if (!Array.isArray(parameters)) {
    throw invalidParams('Invalid params: parameters are given by their place, in a list.');
  }
  return found(node, parameters);
}

function describe(error: z.ZodError, given: readonly unknown[]): string {
  const [issue] = error.issues;
  const [place, ...rest] = issue?.path ?? [];
  if (issue === undefined || typeof place !== 'number') {
    return issue?.code === 'too_small'
      ? `\`params\` should have at least ${String(issue.minimum)} argument(s)`
      : `Invalid params: ${given.length} are too many.`;
  }
  const where = rest.length === 0 ? '' : ` (${rest.join('.')})`;
  return `Invalid params: parameter ${place + 1}${where}: ${issue.message}.`;
}

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The runtime that LiteSVM 1.4.1 is built on, and the name of its features: the first four bytes of the hash of their sorted ids. */
export const SOLANA_CORE_VERSION = '4.2.1';
export const FEATURE_SET = 565_236_538;

/** All that there is is final here: commitments are taken, and change nothing. The last five are old names. */
export const Commitment = z.enum(['processed', 'confirmed', 'finalized', 'recent', 'single', 'singleGossip', 'root', 'max']);

const u64 = z.int().nonnegative();

/** What most methods take last. */
export const ContextConfig = z.object({ commitment: Commitment.nullish(), minContextSlot: u64.nullish() });
export type ContextConfig = z.output<typeof ContextConfig>;

/** How accounts are to be written. */
export const AccountConfig = ContextConfig.extend({
  encoding: z.enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']).nullish(),
  dataSlice: z.object({ offset: u64, length: u64 }).nullish(),
});
export type AccountConfig = z.output<typeof AccountConfig>;

/** How transactions are to be written. */
export const TransactionEncoding = z.enum(['binary', 'base58', 'base64', 'json', 'jsonParsed']);

/** A parameter list of one thing and a configuration that may be absent. */
export function withConfig<First extends z.ZodType, Config extends z.ZodType>(
  first: First,
  config: Config,
): z.ZodTuple<[First, z.ZodOptional<z.ZodNullable<Config>>]> {
  return z.tuple([first, config.nullish()]);
}

/** A parameter list of a configuration that may be absent. */
export function onlyConfig<Config extends z.ZodType>(config: Config): z.ZodTuple<[z.ZodOptional<z.ZodNullable<Config>>]> {
  return z.tuple([config.nullish()]);
}

/** An address as it was given. @throws RpcMethodError in the words of a node. */
export function readAddress(text: string): Address {
  return addressFromBytes(readBase58(text, ADDRESS_BYTES));
}

/** A signature as it was given. @throws RpcMethodError in the words of a node. */
export function readSignature(text: string): string {
  return bs58.encode(readBase58(text, SIGNATURE_BYTES));
}

/** An answer that says as of which slot it is. @throws RpcMethodError where the caller knows of a later one. */
export function inContext<Value>(
  { chain }: RpcNode,
  config: ContextConfig | null | undefined,
  value: Value,
): { readonly context: unknown; readonly value: Value } {
  const { slot } = chain;
  checkSlot(slot, config);
  return { context: { slot, apiVersion: SOLANA_CORE_VERSION }, value };
}

/** @throws RpcMethodError where the caller wants an answer as of a slot that is not there yet. */
export function checkSlot(slot: number, config: ContextConfig | null | undefined): void {
  if (slot < (config?.minContextSlot ?? 0)) {
    throw new RpcMethodError(RPC_CODES.minContextSlotNotReached, 'Minimum context slot has not been reached', { contextSlot: slot });
  }
}

function readBase58(text: string, byteCount: number): Uint8Array {
  // Decoding takes time with the square of the length: what is far too long is not looked at.
  const bytes = text.length > 2 * byteCount ? new Uint8Array() : bs58.decodeUnsafe(text);
  if (bytes === undefined) {
    throw invalidParams('Invalid param: Invalid');
  }
  if (bytes.length !== byteCount) {
    throw invalidParams('Invalid param: WrongSize');
  }
  return bytes;
}
