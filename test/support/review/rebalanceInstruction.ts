import type { TransactionInstruction } from '@solana/web3.js';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { dlmm, FROM_BIN, NO_SLICES, TO_BIN } from './bundles';

/** What a rebalance of a DLMM position does; by default nothing. */
export interface RebalanceChoices {
  /** So many withdrawals of everything from the bins 0 and 1. */
  readonly removes?: number;
  /** So many deposits. */
  readonly adds?: number;
  /** Relative to the active bin; by default the range of the zap-in. */
  readonly addsInto?: readonly [from: number, to: number];
  /** Of each token into each bin of a deposit, raw units. */
  readonly perBinRaw?: bigint;
  /** What it may take at most, raw units. */
  readonly mostXRaw?: bigint;
  readonly mostYRaw?: bigint;
  readonly activeBinId?: number;
  readonly slippageBins?: number;
}

/** Builds `rebalance_liquidity` of DLMM. */
export function rebalance({
  removes = 0,
  adds = 0,
  addsInto: [from, to] = [FROM_BIN, TO_BIN],
  perBinRaw = 0n,
  mostXRaw = 0n,
  mostYRaw = 0n,
  activeBinId = 0,
  slippageBins = 3,
}: RebalanceChoices): TransactionInstruction {
  const remove = (): Arguments => ({ min_bin_id: 0, max_bin_id: 1, bps: 10_000, padding: new Uint8Array(16) });
  const add = (): Arguments => ({
    min_delta_id: from,
    max_delta_id: to,
    x0: perBinRaw,
    y0: perBinRaw,
    delta_x: 0n,
    delta_y: 0n,
    bit_flag: 0,
    favor_x_in_active_id: false,
    padding: new Uint8Array(16),
  });
  return dlmm('rebalance_liquidity', {
    params: {
      active_id: activeBinId,
      max_active_bin_slippage: slippageBins,
      should_claim_fee: false,
      should_claim_reward: false,
      min_withdraw_x_amount: 0n,
      max_deposit_x_amount: mostXRaw,
      min_withdraw_y_amount: 0n,
      max_deposit_y_amount: mostYRaw,
      shrink_mode: 0,
      padding: new Uint8Array(31),
      removes: Array.from({ length: removes }, remove),
      adds: Array.from({ length: adds }, add),
    },
    ...NO_SLICES,
  });
}
