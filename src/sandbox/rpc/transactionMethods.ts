import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { LAMPORTS_PER_SIGNATURE, PROGRAMS } from '../../base/solana/programs';
import { parseTransaction, type WireTransaction } from '../../base/solana/wireTransaction';
import {
  ContextConfig,
  inContext,
  invalidParams,
  method,
  type Method,
  readAddress,
  readSignature,
  RPC_CODES,
  RpcMethodError,
  TransactionEncoding,
  withConfig,
} from './method';
import { landedView, readMessage } from './transactionFormat';

/** Opcodes of the Compute Budget program. */
const SET_COMPUTE_UNIT_LIMIT = 2;

const SET_COMPUTE_UNIT_PRICE = 3;

/** Default compute unit limits: per instruction of a built-in program, per instruction of another program, per transaction. */
const UNITS_OF_BUILT_IN = 3_000n;

const UNITS_OF_PROGRAM = 200_000n;

const MAX_UNITS = 1_400_000n;

const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** Built-in programs of the runtime that occur in the sandbox. */
const BUILT_IN: ReadonlySet<string> = new Set([PROGRAMS.system, PROGRAMS.computeBudget]);

const MAX_SIGNATURES = 256;

/** Slots until a transaction is finalized. */
const SLOTS_TO_FINALITY = 32;

const StatusConfig = z.object({ searchTransactionHistory: z.boolean().nullish() });

const TransactionConfig = ContextConfig.extend({
  encoding: TransactionEncoding.nullish(),
  maxSupportedTransactionVersion: z.int().min(0).max(255).nullish(),
});

/** Methods about landed transactions, fees and airdrops. */
export const transactionMethods: Readonly<Record<string, Method>> = {
  getSignatureStatuses: method(withConfig(z.array(z.string()), StatusConfig), (node, [signatures]) => {
    if (signatures.length > MAX_SIGNATURES) {
      throw invalidParams(`Too many inputs provided; max ${MAX_SIGNATURES}`);
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
    if (version !== 'legacy' && version > (newest ?? -1)) {
      throw new RpcMethodError(
        RPC_CODES.unsupportedTransactionVersion,
        `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
      );
    }
    return landedView(landed, config?.encoding ?? 'json', typeof newest === 'number');
  }),

  getFeeForMessage: method(withConfig(z.string(), ContextConfig), (node, [message, config]) => {
    const wire = readMessage(message);
    return inContext(node, config, node.chain.isBlockhashValid(wire.recentBlockhash) ? feeOf(wire) : null);
  }),

  requestAirdrop: method(z.tuple([z.string(), z.int().nonnegative(), ContextConfig.nullish()]), (node, [to, lamports]) => {
    const result = node.chain.airdrop(node.faucet, readAddress(to), BigInt(lamports));
    if (result.kind === 'failed') {
      throw new RpcMethodError(RPC_CODES.internalError, `Internal error: ${result.reason}`);
    }
    node.commit();
    return result.signatures[0];
  }),

  sendTransaction: method(z.array(z.unknown()), () => {
    throw new RpcMethodError(
      RPC_CODES.methodNotFound,
      'sendTransaction is not available: transactions land through the landing endpoints of the service, POST /position/landing-decrease-tx, POST /position/landing-claim-tx, POST /pools/landing-add-tx and POST /token/landing-swap-tx',
    );
  }),
};

/**
 * Fee of a transaction, lamports: 5,000 per signature, and the priority fee. In v1 that is what the config says; otherwise the price of the
 * requested compute units, rounded up.
 */
export function feeOf({ version, config, requiredSignatures, instructions, staticKeys }: WireTransaction): bigint {
  const signatureFee = BigInt(requiredSignatures) * LAMPORTS_PER_SIGNATURE;
  if (version === 1) {
    return signatureFee + (config?.priorityFeeLamports ?? 0n);
  }
  let price = 0n;
  let limit: bigint | undefined;
  let byDefault = 0n;
  for (const { programIdIndex, data } of instructions) {
    const program = staticKeys[programIdIndex] ?? '';
    byDefault += BUILT_IN.has(program) ? UNITS_OF_BUILT_IN : UNITS_OF_PROGRAM;
    if (program === PROGRAMS.computeBudget) {
      const bytes = Buffer.from(data);
      if (bytes[0] === SET_COMPUTE_UNIT_LIMIT && bytes.length >= 5) {
        limit = BigInt(bytes.readUInt32LE(1));
      } else if (bytes[0] === SET_COMPUTE_UNIT_PRICE && bytes.length >= 9) {
        price = bytes.readBigUInt64LE(1);
      }
    }
  }
  const units = least(limit ?? byDefault, MAX_UNITS);
  return signatureFee + (units * price + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
