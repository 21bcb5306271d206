import * as z from 'zod/mini';
import { binNumber, figure, list, rawAmount } from './schemas';

/** A position as it was planned in a panel: only what the user chose. The pool is that of the panel, the wallet that of the extension. */
export const plan = z.object({
  /** Absent for pools without bins. */
  range: z.optional(z.object({ fromBinId: binNumber, toBinId: binNumber })),
  /** The active bin when this was planned, only to detect that it has moved since. */
  activeBinId: z.optional(binNumber),
  strategy: z.enum(['Spot', 'Curve', 'BidAsk']),
  amountLamports: rawAmount,
  /** Share of the SOL for token X, 0 to 1. */
  percentX: z.number().check(z.gte(0), z.lte(1)),
  slippageBps: z.number().check(z.int(), z.gte(0), z.lte(10_000)),
});
export type Plan = z.output<typeof plan>;

/** The inputs of a plan's cost: the wallet's SOL and the program's rents, all in lamports. */
export const planFigures = z.object({
  balanceLamports: rawAmount,
  /** Reserve that stays in the wallet for rent and fees. */
  reserveLamports: rawAmount,
  solUsd: figure,
  defaultSlippageBps: z.number(),
  /** Rent of a position of up to 70 bins, and of each bin beyond; refunded when the position is closed. */
  positionLamports: rawAmount,
  positionPerBinAbove70Lamports: rawAmount,
  /** Rent of a bin array, which is non-refundable. */
  binArrayLamports: rawAmount,
  /** The existing bin arrays, by index, within `from` to `to`; absent without an RPC. */
  binArrays: z.optional(z.object({ from: binNumber, to: binNumber, existing: list(binNumber) })),
  /** Room for the network's fees of one transaction at what services bid; and the most that the whole tips without the review asking. */
  feePerTransactionLamports: rawAmount,
  tipLamports: rawAmount,
});
export type PlanFigures = z.output<typeof planFigures>;
