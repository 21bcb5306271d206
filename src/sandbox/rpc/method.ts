import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, addressFromBytes } from '../../base/solana/address';
import type { ApplyEffects, Chain, ChainAccount } from '../chain/types';

/** Error codes of JSON-RPC 2.0, and those of Solana nodes (agave: `rpc_custom_error.rs`). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** Failure of a call; becomes the `error` of the answer. */
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

/** The error of invalid parameters. */
export function invalidParams(message: string): RpcMethodError {
  return new RpcMethodError(RPC_CODES.invalidParams, message);
}

/** Interface of the RPC methods to the chain and the market around it. */
export interface RpcNode {
  readonly chain: Chain;
  /** Account that pays airdrops. */
  readonly faucet: Address;
  /** An account of the chain, or of a pool, which the market holds. */
  account(of: Address): Readonly<ChainAccount> | undefined;
  /** Advances the world to the present and commits; called once per request. */
  advance(): void;
  /** Effects of these transactions outside of the VM, for simulations. */
  effectsOf(transactions: readonly Uint8Array[]): ApplyEffects;
  /** Commits the changes of a method; called before the answer. */
  commit(): void;
}

/** A JSON-RPC method of a node: validates its parameters and returns its result. @throws RpcMethodError */
export type Method<Node = RpcNode> = (node: Node, parameters: readonly unknown[]) => unknown;

/** Methods by name. */
export type Methods<Node = RpcNode> = ReadonlyMap<string, Method<Node>>;

/** Creates a method from the schema of its parameters and its implementation. */
export function method<Schema extends z.ZodType, Node = RpcNode>(
  parameters: Schema,
  run: (node: Node, parameters: z.output<Schema>) => unknown,
): Method<Node> {
  return (node, given) => {
    const parsed = parameters.safeParse(given);
    if (!parsed.success) {
      throw invalidParams(describe(parsed.error, given));
    }
    return run(node, parsed.data);
  };
}

/** Calls a method by name. @throws RpcMethodError if there is no such method, or it fails */
export function callMethod<Node = RpcNode>(
  methods: Methods<Node>,
  node: Node,
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

const ADDRESS_BYTES = 32;

const SIGNATURE_BYTES = 64;

/** Version of the runtime in LiteSVM 1.4.1, and its feature set: the first four bytes of the hash of the sorted feature ids. */
export const SOLANA_CORE_VERSION = '4.2.1';

export const FEATURE_SET = 565_236_538;

/** Commitments have no effect: every landed transaction is final. The last five are deprecated names. */
export const Commitment = z.enum(['processed', 'confirmed', 'finalized', 'recent', 'single', 'singleGossip', 'root', 'max']);

const u64 = z.int().nonnegative();

/** The last parameter of most methods. */
export const ContextConfig = z.object({ commitment: Commitment.nullish(), minContextSlot: u64.nullish() });

export type ContextConfig = z.output<typeof ContextConfig>;

/** Encoding of accounts. */
export const AccountConfig = ContextConfig.extend({
  encoding: z.enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']).nullish(),
  dataSlice: z.object({ offset: u64, length: u64 }).nullish(),
});

export type AccountConfig = z.output<typeof AccountConfig>;

export const TransactionEncoding = z.enum(['binary', 'base58', 'base64', 'json', 'jsonParsed']);

/** Parameters: one value and an optional configuration. */
export function withConfig<First extends z.ZodType, Config extends z.ZodType>(
  first: First,
  config: Config,
): z.ZodTuple<[First, z.ZodOptional<z.ZodNullable<Config>>]> {
  return z.tuple([first, config.nullish()]);
}

/** Parameters: an optional configuration. */
export function onlyConfig<Config extends z.ZodType>(config: Config): z.ZodTuple<[z.ZodOptional<z.ZodNullable<Config>>]> {
  return z.tuple([config.nullish()]);
}

/** Parses an address. @throws RpcMethodError with the message of a node */
export function readAddress(text: string): Address {
  return addressFromBytes(readBase58(text, ADDRESS_BYTES));
}

/** Parses a signature. @throws RpcMethodError with the message of a node */
export function readSignature(text: string): string {
  return bs58.encode(readBase58(text, SIGNATURE_BYTES));
}

/** Wraps a result with the present slot. @throws RpcMethodError if the caller requires a later slot */
export function inContext<Value>(
  { chain }: RpcNode,
  config: ContextConfig | null | undefined,
  value: Value,
): { readonly context: unknown; readonly value: Value } {
  const { slot } = chain;
  checkSlot(slot, config);
  return { context: { slot, apiVersion: SOLANA_CORE_VERSION }, value };
}

/** @throws RpcMethodError if the caller requires a slot that has not been reached */
export function checkSlot(slot: number, config: ContextConfig | null | undefined): void {
  if (slot < (config?.minContextSlot ?? 0)) {
    throw new RpcMethodError(RPC_CODES.minContextSlotNotReached, 'Minimum context slot has not been reached', { contextSlot: slot });
  }
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

function readBase58(text: string, byteCount: number): Uint8Array {
  // Decoding takes quadratic time, so a far too long text is refused first.
  const bytes = text.length > 2 * byteCount ? new Uint8Array() : bs58.decodeUnsafe(text);
  if (bytes === undefined) {
    throw invalidParams('Invalid param: Invalid');
  }
  if (bytes.length !== byteCount) {
    throw invalidParams('Invalid param: WrongSize');
  }
  return bytes;
}
