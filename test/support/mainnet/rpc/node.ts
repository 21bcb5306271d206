import {
  type Commitment as Commitments,
  type ContextConfig,
  invalidParams,
  RPC_CODES,
  RpcMethodError,
  SOLANA_CORE_VERSION,
} from '../../../../src/sandbox/rpc/method';
import { SLOTS_TO_FINALITY } from '../chain/littleChain';
import type { NodeChain } from '../chain/nodeChain';
import type { NodeFaults } from './faults';

/** Names of the finalized commitment, the default, with the deprecated ones. */
const FINALIZED: readonly string[] = ['finalized', 'root', 'max'];
const PROCESSED: readonly string[] = ['processed', 'recent'];

/** An RPC node: the chain as one computer sees it. */
export class Node {
  readonly chain: NodeChain;
  readonly faults: NodeFaults;

  constructor(chain: NodeChain, faults: NodeFaults) {
    this.chain = chain;
    this.faults = faults;
  }

  /** The newest slot of a commitment that this node has seen. */
  slotOf(commitment: string | null | undefined): number {
    const seen = this.chain.slot - this.faults.lagSlots;
    if (FINALIZED.includes(commitment ?? 'finalized')) {
      return seen - SLOTS_TO_FINALITY;
    }
    return PROCESSED.includes(commitment ?? '') ? seen : seen - this.faults.confirmAfterSlots;
  }

  /** The slot that a call reads. @throws RpcMethodError if it wants a later one */
  slot(config: ContextConfig | null | undefined): number {
    const slot = this.slotOf(config?.commitment);
    if (slot < (config?.minContextSlot ?? 0)) {
      throw new RpcMethodError(RPC_CODES.minContextSlotNotReached, 'Minimum context slot has not been reached', { contextSlot: slot });
    }
    return slot;
  }

  /** The same of methods that do not show what may still be dropped. */
  confirmedSlot(config: ContextConfig | null | undefined): number {
    if (PROCESSED.includes(config?.commitment ?? 'finalized')) {
      throw invalidParams('Method does not support commitment below `confirmed`');
    }
    return this.slot(config);
  }

  /** A result with the slot that it is of. */
  inContext<Value>(slot: number, value: Value): { readonly context: unknown; readonly value: Value } {
    return { context: { slot, apiVersion: SOLANA_CORE_VERSION }, value };
  }

  /** How certain it is that a transaction of this slot stays on the chain. */
  commitmentOf(slot: number): Commitment {
    if (slot <= this.slotOf('finalized')) {
      return 'finalized';
    }
    return slot <= this.slotOf('confirmed') ? 'confirmed' : 'processed';
  }
}

type Commitment = (typeof Commitments)['options'][number];
