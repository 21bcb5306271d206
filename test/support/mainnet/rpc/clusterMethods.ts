import * as z from 'zod';
import {
  ContextConfig,
  FEATURE_SET,
  method,
  type Method,
  onlyConfig,
  readAddress,
  RPC_CODES,
  RpcMethodError,
  SOLANA_CORE_VERSION,
  withConfig,
} from '../../../../src/sandbox/rpc/method';
import { SLOTS_PER_EPOCH } from '../../../../src/sandbox/chain/machine';
import type { Node } from './node';

const CONTEXT = onlyConfig(ContextConfig);
/** Nodes keep the priority fees of so many blocks. */
const FEE_BLOCKS = 150;
const SAMPLE_SECONDS = 60;
const MAX_SAMPLES = 720;

/** Methods about the node, slots, blocks and blockhashes. */
export const clusterMethods: Readonly<Record<string, Method<Node>>> = {
  getHealth: method(z.tuple([]), ({ faults }) => {
    if (faults.lagSlots > 0) {
      throw new RpcMethodError(-32005, `Node is behind by ${faults.lagSlots} slots`, { numSlotsBehind: faults.lagSlots });
    }
    return 'ok';
  }),
  getVersion: method(z.tuple([]), () => ({ 'solana-core': SOLANA_CORE_VERSION, 'feature-set': FEATURE_SET })),
  getGenesisHash: method(z.tuple([]), ({ chain }) => chain.genesisHash),
  getSlot: method(CONTEXT, (node, [config]) => node.slot(config)),
  getBlockHeight: method(CONTEXT, (node, [config]) => node.chain.blockHeight(node.slot(config))),
  getTransactionCount: method(CONTEXT, (node) => node.chain.transactionCount),
  getFirstAvailableBlock: method(z.tuple([]), ({ faults }) => faults.prunedBeforeSlot),
  minimumLedgerSlot: method(z.tuple([]), ({ faults }) => faults.prunedBeforeSlot),

  getEpochInfo: method(CONTEXT, (node, [config]) => {
    const slot = node.slot(config);
    return {
      absoluteSlot: slot,
      blockHeight: node.chain.blockHeight(slot),
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: node.chain.transactionCount,
    };
  }),

  getBlockTime: method(z.tuple([z.int().nonnegative()]), ({ chain, faults }, [slot]) => {
    if (slot < faults.prunedBeforeSlot) {
      throw new RpcMethodError(
        -32001,
        `Block ${slot} cleaned up, does not exist on node. First available block: ${faults.prunedBeforeSlot}`,
      );
    }
    if (slot > chain.slot) {
      throw new RpcMethodError(-32004, `Block not available for slot ${slot}`);
    }
    return chain.blockTime(slot);
  }),

  getLatestBlockhash: method(CONTEXT, (node, [config]) => {
    const slot = node.slot(config);
    return node.inContext(slot, node.chain.latestBlockhash(slot));
  }),

  isBlockhashValid: method(withConfig(z.string(), ContextConfig), (node, [blockhash, config]) => {
    const slot = node.slot(config);
    return node.inContext(slot, node.chain.isBlockhashValid(readAddress(blockhash), slot));
  }),

  getMinimumBalanceForRentExemption: method(withConfig(z.int().nonnegative(), ContextConfig), ({ chain }, [bytes]) => {
    if (bytes > 10 * 1_024 * 1_024) {
      throw new RpcMethodError(RPC_CODES.invalidRequest, 'Invalid request');
    }
    return chain.minimumBalance(bytes);
  }),

  getRecentPerformanceSamples: method(onlyConfig(z.int().nonnegative()), ({ chain }, [limit]) => {
    const numSlots = Math.floor((SAMPLE_SECONDS * 1_000) / chain.slotMs);
    return Array.from({ length: Math.min(limit ?? MAX_SAMPLES, MAX_SAMPLES) }, (_, index) => ({
      slot: chain.slot - index * numSlots,
      numTransactions: 0,
      numNonVoteTransactions: 0,
      numSlots,
      samplePeriodSecs: SAMPLE_SECONDS,
    }));
  }),

  getRecentPrioritizationFees: method(onlyConfig(z.array(z.string()).max(128)), ({ chain, faults }, [accounts]) => {
    accounts?.forEach(readAddress);
    return Array.from({ length: FEE_BLOCKS }, (_, index) => ({
      slot: chain.slot - FEE_BLOCKS + index,
      prioritizationFee: faults.priorityFee,
    }));
  }),
};
