import bs58 from 'bs58';
import * as z from 'zod';
import { addressFromBytes, type Address } from '../../base/solana/address';
import { invalidParams, RPC_CODES, RpcError } from './errors';
import type { RpcNode } from './node';

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

/** An address as it was given. @throws RpcError in the words of a node. */
export function readAddress(text: string): Address {
  return addressFromBytes(readBase58(text, ADDRESS_BYTES));
}

/** A signature as it was given. @throws RpcError in the words of a node. */
export function readSignature(text: string): string {
  return bs58.encode(readBase58(text, SIGNATURE_BYTES));
}

/** An answer that says as of which slot it is. @throws RpcError where the caller knows of a later one. */
export function inContext<Value>(
  { chain }: RpcNode,
  config: ContextConfig | null | undefined,
  value: Value,
): { readonly context: unknown; readonly value: Value } {
  const { slot } = chain;
  checkSlot(slot, config);
  return { context: { slot, apiVersion: SOLANA_CORE_VERSION }, value };
}

/** @throws RpcError where the caller wants an answer as of a slot that is not there yet. */
export function checkSlot(slot: number, config: ContextConfig | null | undefined): void {
  if (slot < (config?.minContextSlot ?? 0)) {
    throw new RpcError(RPC_CODES.minContextSlotNotReached, 'Minimum context slot has not been reached', { contextSlot: slot });
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
