import * as z from 'zod';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { type FailureWords, wordsOfFailure } from './failureWords';

/** What the chain says about a transaction. */
export type TransactionStatus =
  /** In no block that this node knows. */
  | { readonly kind: 'unknown' }
  /** In a block that may still be dropped by a fork. */
  | { readonly kind: 'processed' }
  | { readonly kind: 'confirmed'; readonly slot: number }
  /** In a block for good, without effect: only its fee was paid. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The statuses of some transactions, as of a slot. */
export interface Statuses {
  readonly slot: number;
  readonly of: readonly TransactionStatus[];
}

const Statuses = z.object({
  context: z.object({ slot: z.int() }),
  value: z.array(
    z.object({ slot: z.int(), err: z.unknown(), confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish() }).nullable(),
  ),
});

const EpochInfo = z.object({ absoluteSlot: z.int(), blockHeight: z.int() });

const Simulation = z.object({
  context: z.object({ slot: z.int() }),
  value: z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() }),
});

/** A finalized block. */
export interface Height {
  readonly slot: number;
  readonly blockHeight: number;
}

/** The chain, as far as landing needs it. */
export class LandingNetwork {
  readonly #rpc: ChainRpc;
  readonly #signal: AbortSignal;

  /** @param signal ends all requests */
  constructor(rpc: ChainRpc, signal: AbortSignal) {
    this.#rpc = rpc;
    this.#signal = signal;
  }

  /** @param searchHistory also looks further back than the last minutes @throws ChainRpcError */
  async statuses(signatures: readonly string[], searchHistory: boolean): Promise<Statuses> {
    const { context, value } = await this.#call(
      'getSignatureStatuses',
      [signatures, { searchTransactionHistory: searchHistory }],
      Statuses,
    );
    return { slot: context.slot, of: signatures.map((_, index) => statusOf(value[index] ?? null)) };
  }

  /** The newest finalized block: no fork drops it or what is before it. @throws ChainRpcError */
  async finalized(): Promise<Height> {
    const { absoluteSlot, blockHeight } = await this.#call('getEpochInfo', [{ commitment: 'finalized' }], EpochInfo);
    return { slot: absoluteSlot, blockHeight };
  }

  /**
   * Sends a transaction without checks of the node: sending the same bytes again changes nothing.
   * @returns why it was not taken for certain; `undefined`: it was taken, or nobody knows
   */
  async send(bytes: Uint8Array): Promise<string | undefined> {
    try {
      const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
      await this.#call('sendTransaction', [base64FromBytes(bytes), options], z.string());
      return undefined;
    } catch (error) {
      if (error instanceof ChainRpcError && error.kind !== 'cancelled') {
        return error.kind === 'timeout' || error.kind === 'unavailable' || error.kind === 'invalidResponse' ? undefined : error.message;
      }
      throw error;
    }
  }

  /**
   * Simulates a transaction in the present state of the chain.
   * @param minSlot what the node has to know
   * @returns why it would fail; `undefined`: it would not, or the node does not simulate, or knows its blockhash not yet
   * @throws ChainRpcError if the chain cannot be asked
   */
  async simulate(bytes: Uint8Array, minSlot: number | undefined): Promise<FailureWords | undefined> {
    const options = {
      encoding: 'base64',
      sigVerify: true,
      commitment: 'confirmed',
      ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
    };
    try {
      const { value } = await this.#call('simulateTransaction', [base64FromBytes(bytes), options], Simulation);
      return wordsOfFailure(value.err, value.logs ?? []);
    } catch (error) {
      if (error instanceof ChainRpcError && error.kind === 'refusedMethod') {
        return undefined;
      }
      throw error;
    }
  }

  /** The first slot of which this node still has the transactions; `undefined` if it does not say. */
  async firstSlot(): Promise<number | undefined> {
    try {
      return await this.#call('getFirstAvailableBlock', [], z.int());
    } catch (error) {
      if (error instanceof ChainRpcError && (error.kind === 'refusedMethod' || error.kind === 'refused')) {
        return undefined;
      }
      throw error;
    }
  }

  #call<Schema extends z.ZodType>(method: string, parameters: readonly unknown[], schema: Schema): Promise<z.output<Schema>> {
    return this.#rpc.call(method, parameters, schema, { signal: this.#signal });
  }
}

function statusOf(value: z.output<typeof Statuses>['value'][number]): TransactionStatus {
  if (value === null) {
    return { kind: 'unknown' };
  }
  // Only old nodes leave the status out; they list what is rooted.
  if (value.confirmationStatus === 'processed') {
    return { kind: 'processed' };
  }
  const failure = wordsOfFailure(value.err, []);
  return failure === undefined ? { kind: 'confirmed', slot: value.slot } : { kind: 'failed', reason: failure.words };
}
