import type { Address } from '../../solana/address';
import { PROGRAMS } from '../../solana/programs';
import { addressIn, isInstruction, type DecodedCall } from '../reading';
import { DAMM_CLOSINGS, DAMM_DEPOSITS, DAMM_SWAPS, DAMM_WITHDRAWALS } from './dammRoles';
import { DLMM_CLOSINGS, DLMM_DEPOSITS, DLMM_SWAPS, DLMM_WITHDRAWALS } from './dlmmRoles';

// What Meteora's two pool programs have in common, so that other rules need not know which of them an instruction calls.

/** Says whether the instruction takes liquidity, fees or rewards out of a position. */
export function isWithdrawal(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_WITHDRAWALS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_WITHDRAWALS);
}

/** Says whether the instruction takes liquidity out of a position, and not only fees or rewards. A rebalance may. */
export function isRemoval(reading: DecodedCall): boolean {
  return (isWithdrawal(reading) && reading.layout?.name.startsWith('remove_') === true) || isInstruction(reading, PROGRAMS.dlmm, 'rebalance_liquidity');
}

/** Says whether the instruction puts liquidity into a position. A rebalance may. */
export function isDeposit(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_DEPOSITS, 'rebalance_liquidity') || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_DEPOSITS);
}

/** Says whether the instruction ends a position. */
export function isClosing(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_CLOSINGS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_CLOSINGS);
}

/** Says whether the instruction trades directly in a pool. */
export function isPoolSwap(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dlmm, ...DLMM_SWAPS) || isInstruction(reading, PROGRAMS.dammV2, ...DAMM_SWAPS);
}

/** Gives the pool that an instruction to DLMM or DAMM v2 is about; `undefined` where it names none, or only a lookup table holds it. */
export function poolIn(reading: DecodedCall): Address | undefined {
  switch (reading.view.program) {
    case PROGRAMS.dlmm:
      return addressIn(reading, 'lb_pair');
    case PROGRAMS.dammV2:
      return addressIn(reading, 'pool');
    default:
      return undefined;
  }
}

/** Gives the pool's mints, as far as an instruction to DLMM or DAMM v2 names them; none where it is about no pool. */
export function poolMintsIn(reading: DecodedCall): Address[] {
  const roles = reading.view.program === PROGRAMS.dammV2 ? ['token_a_mint', 'token_b_mint'] : ['token_x_mint', 'token_y_mint'];
  return poolIn(reading) === undefined ? [] : roles.flatMap((role) => addressIn(reading, role) ?? []);
}
