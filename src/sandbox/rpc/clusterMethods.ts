import * as z from 'zod';
import { SLOTS_PER_EPOCH } from '../chain/machine';
import {
  checkSlot,
  ContextConfig,
  FEATURE_SET,
  inContext,
  invalidParams,
  method,
  type Method,
  onlyConfig,
  readAddress,
  RPC_CODES,
  RpcMethodError,
  SOLANA_CORE_VERSION,
  withConfig,
} from './method';

const NOTHING = z.tuple([]);
const CONTEXT = onlyConfig(ContextConfig);

/** Maximum size of an account (runtime: MAX_PERMITTED_DATA_LENGTH). */
const MAX_ACCOUNT_BYTES = 10 * 1_024 * 1_024;

/** Number of blocks for which nodes keep priority fees. */
const FEE_BLOCKS = 150;
const MAX_FEE_ACCOUNTS = 128;

/** Length and maximum number of performance samples (agave: MAX_RPC_PERFORMANCE_SAMPLES). */
const SAMPLE_SECONDS = 60;
const MAX_SAMPLES = 720;

/** Methods about the node, slots, blocks and blockhashes. */
export const clusterMethods: Readonly<Record<string, Method>> = {
  getHealth: method(NOTHING, () => 'ok'),

  getVersion: method(NOTHING, () => ({ 'solana-core': SOLANA_CORE_VERSION, 'feature-set': FEATURE_SET })),

  getGenesisHash: method(NOTHING, ({ chain }) => chain.genesisHash),

  getSlot: method(CONTEXT, ({ chain }, [config]) => {
    checkSlot(chain.slot, config);
    return chain.slot;
  }),

  getBlockHeight: method(CONTEXT, ({ chain }, [config]) => {
    checkSlot(chain.slot, config);
    return chain.blockHeight;
  }),

  getEpochInfo: method(CONTEXT, ({ chain }, [config]) => {
    const { slot, blockHeight, transactionCount } = chain;
    checkSlot(slot, config);
    return {
      absoluteSlot: slot,
      blockHeight,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount,
    };
  }),

  getTransactionCount: method(CONTEXT, ({ chain }, [config]) => {
    checkSlot(chain.slot, config);
    return chain.transactionCount;
  }),

  getLatestBlockhash: method(CONTEXT, (node, [config]) => {
    const { blockhash, lastValidBlockHeight } = node.chain.latestBlockhash();
    node.commit();
    return inContext(node, config, { blockhash, lastValidBlockHeight });
  }),

  isBlockhashValid: method(withConfig(z.string(), ContextConfig), (node, [blockhash, config]) =>
    inContext(node, config, node.chain.isBlockhashValid(readAddress(blockhash))),
  ),

  getMinimumBalanceForRentExemption: method(withConfig(z.int().nonnegative(), ContextConfig), ({ chain }, [bytes]) => {
    if (bytes > MAX_ACCOUNT_BYTES) {
      throw new RpcMethodError(RPC_CODES.invalidRequest, 'Invalid request');
    }
    return chain.rent.minimumBalance(bytes);
  }),

  // The past at the present slot length. The sandbox does not count the transactions of a minute.
  getRecentPerformanceSamples: method(onlyConfig(z.int().nonnegative()), ({ chain }, [limit]) => {
    const count = limit ?? MAX_SAMPLES;
    if (count > MAX_SAMPLES) {
      throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
    }
    const numSlots = Math.floor((SAMPLE_SECONDS * 1_000) / chain.slotMs);
    return Array.from({ length: count }, (_, index) => ({
      slot: chain.slot - index * numSlots,
      numTransactions: 0,
      numNonVoteTransactions: 0,
      numSlots,
      samplePeriodSecs: SAMPLE_SECONDS,
    }));
  }),

  // Blocks are never full, so no fee is needed.
  getRecentPrioritizationFees: method(onlyConfig(z.array(z.string()).max(MAX_FEE_ACCOUNTS)), ({ chain }, [accounts]) => {
    accounts?.forEach(readAddress);
    return Array.from({ length: FEE_BLOCKS }, (_, index) => ({ slot: chain.slot - FEE_BLOCKS + index, prioritizationFee: 0 }));
  }),
};
