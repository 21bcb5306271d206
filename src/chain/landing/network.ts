import * as z from 'zod';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { oneLine } from '../../base/text';

/** The status of a transaction on the chain. */
export type TransactionStatus =
  /** In no block that this node knows. */
  | { readonly kind: 'unknown' }
  /** In a block that a fork may still drop. */
  | { readonly kind: 'processed' }
  | { readonly kind: 'confirmed'; readonly slot: number }
  /** In a confirmed block, without effect: only its fee was paid. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Statuses of several transactions, as of a slot. */
export interface StatusesAtSlot {
  readonly slot: number;
  /** In the order of the signatures. */
  readonly statuses: readonly TransactionStatus[];
  /** The node has searched its whole history, not only the last 300 slots or so. */
  readonly isHistorySearched: boolean;
}

/** A finalized block: no fork drops it. */
export interface FinalizedBlock {
  readonly slot: number;
  readonly blockHeight: number;
}

/** A node's answer to a transaction that was sent to it. */
export type SendAnswer =
  /** The node accepted it. It may land or not. */
  | { readonly kind: 'accepted' }
  /** No usable answer: the node may have accepted it. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** The node does not offer `sendTransaction` to this client, and forwards nothing. */
  | { readonly kind: 'notOffered'; readonly reason: string };

const Statuses = z.object({
  context: z.object({ slot: z.int() }),
  value: z.array(
    z
      .object({
        slot: z.int(),
        err: z.unknown(),
        confirmations: z.int().nullish(),
        confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
      })
      .nullable(),
  ),
});

const EpochInfo = z.object({ absoluteSlot: z.int(), blockHeight: z.int() });

const Simulation = z.object({
  context: z.object({ slot: z.int() }),
  value: z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() }),
});

/** The requests to the chain that landing needs. */
export class LandingNetwork {
  readonly #rpc: ChainRpc;
  readonly #signal: AbortSignal;

  /** @param signal cancels all requests at the end of the process */
  constructor(rpc: ChainRpc, signal: AbortSignal) {
    this.#rpc = rpc;
    this.#signal = signal;
  }

  /**
   * Asks for the statuses of transactions.
   * @param searchHistory also looks further back than the last minutes; a node without such a history answers for the last minutes
   * @throws ChainRpcError
   */
  async statuses(signatures: readonly string[], searchHistory: boolean, signal = this.#signal): Promise<StatusesAtSlot> {
    try {
      return await this.#statuses(signatures, searchHistory, signal);
    } catch (error) {
      if (searchHistory && isNotOffered(error)) {
        return this.#statuses(signatures, false, signal);
      }
      throw error;
    }
  }

  /** The newest finalized block. @throws ChainRpcError */
  async finalized(signal = this.#signal): Promise<FinalizedBlock> {
    const { absoluteSlot, blockHeight } = await this.#rpc.call('getEpochInfo', [{ commitment: 'finalized' }], EpochInfo, { signal });
    return { slot: absoluteSlot, blockHeight };
  }

  /** Sends a transaction without checks by the node. Sending the same bytes again changes nothing. @throws ChainRpcError if it is cancelled */
  async send(bytes: Uint8Array): Promise<SendAnswer> {
    try {
      const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
      await this.#rpc.call('sendTransaction', [base64FromBytes(bytes), options], z.string(), { signal: this.#signal });
      return { kind: 'accepted' };
    } catch (error) {
      if (error instanceof ChainRpcError && error.kind !== 'cancelled') {
        return { kind: isNotOffered(error) ? 'notOffered' : 'unclear', reason: error.message };
      }
      throw error;
    }
  }

  /**
   * Simulates a transaction in the present state of the chain.
   * @param minSlot the node must have processed this slot
   * @returns why it would fail; `undefined`: it would not, or the node does not simulate
   * @throws ChainRpcError if the RPC fails
   */
  async simulate(bytes: Uint8Array, minSlot: number | undefined, signal = this.#signal): Promise<FailureDescription | undefined> {
    const options = {
      encoding: 'base64',
      sigVerify: true,
      commitment: 'confirmed',
      ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
    };
    try {
      const { value } = await this.#rpc.call('simulateTransaction', [base64FromBytes(bytes), options], Simulation, { signal });
      return describeFailure(value.err, value.logs ?? []);
    } catch (error) {
      if (error instanceof ChainRpcError && error.kind === 'refusedMethod') {
        return undefined;
      }
      throw error;
    }
  }

  /** The first slot whose transactions this node still has; `undefined` if it does not report it. @throws ChainRpcError */
  async firstSlot(): Promise<number | undefined> {
    try {
      return await this.#rpc.call('getFirstAvailableBlock', [], z.int(), { signal: this.#signal });
    } catch (error) {
      if (error instanceof ChainRpcError && (error.kind === 'refusedMethod' || error.kind === 'refused')) {
        return undefined;
      }
      throw error;
    }
  }

  async #statuses(signatures: readonly string[], searchTransactionHistory: boolean, signal: AbortSignal): Promise<StatusesAtSlot> {
    const parameters = [signatures, { searchTransactionHistory }];
    const { context, value } = await this.#rpc.call('getSignatureStatuses', parameters, Statuses, { signal });
    return {
      slot: context.slot,
      statuses: signatures.map((_, index) => statusOf(value[index] ?? null)),
      isHistorySearched: searchTransactionHistory,
    };
  }
}

function isNotOffered(error: unknown): boolean {
  return error instanceof ChainRpcError && (error.kind === 'refusedMethod' || error.kind === 'unauthorized');
}

function statusOf(value: z.output<typeof Statuses>['value'][number]): TransactionStatus {
  if (value === null) {
    return { kind: 'unknown' };
  }
  // Old nodes do not send the status. Their `confirmations` is null for what is finalized.
  const commitment = value.confirmationStatus ?? (value.confirmations === null ? 'finalized' : 'processed');
  if (commitment === 'processed') {
    return { kind: 'processed' };
  }
  const failure = describeFailure(value.err, []);
  return failure === undefined ? { kind: 'confirmed', slot: value.slot } : { kind: 'failed', reason: failure.text };
}

/** Why a transaction fails. */
export interface FailureDescription {
  /** The failure does not depend on the instructions: the transaction has landed already, or the node does not know its blockhash. */
  readonly isTransient: boolean;
  /** For a message, without a full stop. */
  readonly text: string;
}

/** Failures of the runtime that another node may not report, or not a moment later. */
const TRANSIENT: ReadonlySet<string> = new Set(['AlreadyProcessed', 'BlockhashNotFound']);

const LONGEST = 300;
/** The line that Anchor logs: "AnchorError … Error Code: ExceededX. Error Number: 6003. Error Message: Exceeded x." */
const ANCHOR = /Error Code: (\w{1,80})\. Error Number: (\d{1,10})\. Error Message: (.*?)\.?$/;

/**
 * Describes the error of a transaction.
 * @param error `err` of a status or a simulation: untrusted JSON
 * @param logs of the programs: untrusted
 * @returns `undefined`: there is no error
 */
function describeFailure(error: unknown, logs: readonly string[]): FailureDescription | undefined {
  if (error === null || error === undefined) {
    return undefined;
  }
  if (typeof error === 'string') {
    return { isTransient: TRANSIENT.has(error), text: oneLine(error, LONGEST) };
  }
  const [, code, number, message] = logs.map((line) => ANCHOR.exec(line)).findLast((match) => match !== null) ?? [];
  const text = code === undefined ? JSON.stringify(error) : `${code} (${number ?? ''}): ${message ?? ''}`;
  return { isTransient: false, text: oneLine(text, LONGEST) };
}
