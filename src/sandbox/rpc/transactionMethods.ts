import * as z from 'zod';
import { parseTransaction } from '../../base/solana/wireTransaction';
import { invalidParams, RPC_CODES, RpcError } from './errors';
import { feeOf } from './fees';
import { method, type Method } from './method';
import { ContextConfig, inContext, readAddress, readSignature, TransactionEncoding, withConfig } from './parameters';
import { readMessage } from './transactionBytes';
import { landedView } from './transactionView';

const MOST_SIGNATURES = 256;

/** Slots after which a transaction is final. */
const SLOTS_TO_FINALITY = 32;

const StatusConfig = z.object({ searchTransactionHistory: z.boolean().nullish() });
const TransactionConfig = ContextConfig.extend({
  encoding: TransactionEncoding.nullish(),
  maxSupportedTransactionVersion: z.int().min(0).max(255).nullish(),
});

/** Transactions that have landed, what they cost, and lamports for the asking. */
export const transactionMethods: Readonly<Record<string, Method>> = {
  getSignatureStatuses: method(withConfig(z.array(z.string()), StatusConfig), (node, [signatures]) => {
    if (signatures.length > MOST_SIGNATURES) {
      throw invalidParams(`Too many inputs provided; max ${MOST_SIGNATURES}`);
    }
    const { chain } = node;
    const statuses = signatures.map(readSignature).map((signature) => {
      const landed = chain.landedTransaction(signature);
      if (landed === undefined) {
        return null;
      }
      const behind = chain.slot - landed.slot;
      const final = behind >= SLOTS_TO_FINALITY;
      return {
        slot: landed.slot,
        confirmations: final ? null : behind,
        status: { Ok: null },
        err: null,
        confirmationStatus: final ? 'finalized' : 'confirmed',
      };
    });
    return inContext(node, undefined, statuses);
  }),

  getTransaction: method(withConfig(z.string(), z.union([TransactionEncoding, TransactionConfig])), ({ chain }, [signature, given]) => {
    const config = typeof given === 'string' ? { encoding: given } : given;
    const landed = chain.landedTransaction(readSignature(signature));
    if (landed === undefined) {
      return null;
    }
    const { version } = parseTransaction(landed.bytes);
    const newest = config?.maxSupportedTransactionVersion;
    if (version === 0 && typeof newest !== 'number') {
      throw new RpcError(
        RPC_CODES.unsupportedTransactionVersion,
        'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
      );
    }
    return landedView(landed, config?.encoding ?? 'json', typeof newest === 'number');
  }),

  getFeeForMessage: method(withConfig(z.string(), ContextConfig), (node, [message, config]) => {
    const wire = readMessage(message);
    return inContext(node, config, node.chain.isBlockhashValid(wire.recentBlockhash) ? feeOf(wire) : null);
  }),

  requestAirdrop: method(z.tuple([z.string(), z.int().nonnegative(), ContextConfig.nullish()]), (node, [to, lamports]) => {
    const result = node.chain.grant(node.faucet, readAddress(to), BigInt(lamports));
    if (result.kind === 'failed') {
      throw new RpcError(RPC_CODES.internalError, `Internal error: ${result.reason}`);
    }
    node.commit();
    return result.signatures[0];
  }),

  sendTransaction: method(z.array(z.unknown()), () => {
    throw new RpcError(
      RPC_CODES.methodNotFound,
      'sendTransaction is not available: transactions land through the landing endpoints of the service, POST /position/landing-decrease-tx and POST /pools/landing-add-tx',
    );
  }),
};
