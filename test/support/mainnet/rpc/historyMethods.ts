import * as z from 'zod';
import { parseTransaction } from '../../../../src/base/solana/wireTransaction';
import {
  ContextConfig,
  invalidParams,
  method,
  type Method,
  readAddress,
  readSignature,
  RPC_CODES,
  RpcMethodError,
  TransactionEncoding,
  withConfig,
} from '../../../../src/sandbox/rpc/method';
import { landedView } from '../../../../src/sandbox/rpc/transactionFormat';
import type { Node } from './node';

const MAX_SIGNATURES_LISTED = 1_000;
const MAX_STATUSES = 256;
/** Without a search in the history, nodes know the transactions of so many slots. */
const STATUS_SLOTS = 300;

const SignaturesConfig = ContextConfig.extend({
  before: z.string().nullish(),
  until: z.string().nullish(),
  limit: z.int().min(1).nullish(),
});
const StatusConfig = z.object({ searchTransactionHistory: z.boolean().nullish() });
const TransactionConfig = ContextConfig.extend({
  encoding: TransactionEncoding.nullish(),
  maxSupportedTransactionVersion: z.int().min(0).max(255).nullish(),
});

/** Methods that read the history of the chain. */
export const historyMethods: Readonly<Record<string, Method<Node>>> = {
  getSignaturesForAddress: method(withConfig(z.string(), SignaturesConfig), (node, [of, config]) => {
    const limit = config?.limit ?? MAX_SIGNATURES_LISTED;
    if (limit > MAX_SIGNATURES_LISTED) {
      throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES_LISTED}`);
    }
    const slot = node.confirmedSlot(config);
    const seen = node.chain
      .transactionsOf(readAddress(of))
      .filter((landed) => landed.slot <= slot && landed.slot >= node.faults.prunedBeforeSlot)
      .reverse();
    const place = (signature: string | null | undefined): number =>
      typeof signature === 'string' ? seen.findIndex((landed) => landed.signature === readSignature(signature)) : -1;
    const before = place(config?.before);
    if (typeof config?.before === 'string' && before < 0) {
      return [];
    }
    const until = place(config?.until);
    return seen
      .slice(before + 1, Math.min(before + 1 + limit, until < 0 ? Infinity : until))
      .map((landed) => ({
        signature: landed.signature,
        slot: landed.slot,
        err: landed.error,
        memo: null,
        blockTime: landed.blockTime,
        confirmationStatus: node.commitmentOf(landed.slot),
      }));
  }),

  getTransaction: method(withConfig(z.string(), z.union([TransactionEncoding, TransactionConfig])), (node, [text, given]) => {
    const config = typeof given === 'string' ? { encoding: given } : given;
    const newest = node.confirmedSlot(config);
    const { transactionsLateSlots, prunedBeforeSlot } = node.faults;
    const landed = node.chain.find(readSignature(text));
    if (landed === undefined || landed.slot > newest - transactionsLateSlots || landed.slot < prunedBeforeSlot) {
      return null;
    }
    const { version } = parseTransaction(landed.bytes);
    const supported = config?.maxSupportedTransactionVersion;
    if (version !== 'legacy' && version > (supported ?? -1)) {
      throw new RpcMethodError(
        RPC_CODES.unsupportedTransactionVersion,
        `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
      );
    }
    return landedView(landed, config?.encoding ?? 'json', typeof supported === 'number', landed.error);
  }),

  getSignatureStatuses: method(withConfig(z.array(z.string()), StatusConfig), (node, [signatures, config]) => {
    if (signatures.length > MAX_STATUSES) {
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    }
    const slot = node.slotOf('processed');
    const oldest = config?.searchTransactionHistory === true ? node.faults.prunedBeforeSlot : slot - STATUS_SLOTS;
    const statuses = signatures.map((text) => {
      const landed = node.chain.find(readSignature(text));
      if (landed === undefined || landed.slot > slot || landed.slot < oldest) {
        return null;
      }
      const confirmationStatus = node.commitmentOf(landed.slot);
      return {
        slot: landed.slot,
        confirmations: confirmationStatus === 'finalized' ? null : slot - landed.slot,
        status: landed.error === null ? { Ok: null } : { Err: landed.error },
        err: landed.error,
        confirmationStatus,
      };
    });
    return node.inContext(slot, statuses);
  }),
};
