import { WHOLE_BPS } from '../base/basisPoints';
import { mayHaveClaims } from '../base/dlmm/claimable';
import { type Proposal, type ToolContext, ToolError } from './context';
import type { InputOf, OutputOf } from './definitions';
import { checkPlan } from './poolTools';
import { findPosition, readPositions } from './positionTools';

/** The answer of every proposal. */
type Shown = OutputOf<'binsight_propose_zap_out'>;

const OUTPUTS = { SOL: 'allBaseToken', both: 'both', token0: 'allToken0', token1: 'allToken1' } as const;

/** Answers binsight_propose_zap_out. */
export async function proposeZapOut(
  { position, sharePercent, receive = 'SOL', maxSlippagePercent }: InputOf<'binsight_propose_zap_out'>,
  context: ToolContext,
): Promise<Shown> {
  const { key, poolType } = findPosition(await readPositions(context), position);
  if (poolType === 'other') {
    throw new ToolError('Binsight cannot leave this type of pool: it supports Meteora DLMM and DAMM v2.');
  }
  return show(
    { kind: 'zapOut', key, shareBps: bpsOf(sharePercent), output: OUTPUTS[receive], slippageBps: slippageOf(maxSlippagePercent, context) },
    context,
  );
}

/** Answers binsight_propose_zap_in. */
export async function proposeZapIn(
  { strategy = 'Spot', maxSlippagePercent, ...input }: InputOf<'binsight_propose_zap_in'>,
  context: ToolContext,
): Promise<Shown> {
  const { pool, range, activeBinId, amountLamports, percentX } = await checkPlan(input, context);
  return show(
    {
      kind: 'zapIn',
      pool,
      plan: {
        ...(range === undefined ? {} : { range }),
        ...(activeBinId === undefined ? {} : { activeBinId }),
        strategy,
        amountLamports: String(amountLamports),
        percentX,
        slippageBps: slippageOf(maxSlippagePercent, context),
      },
    },
    context,
  );
}

/** Answers binsight_propose_claim. */
export async function proposeClaim({ position }: InputOf<'binsight_propose_claim'>, context: ToolContext): Promise<Shown> {
  const found = findPosition(await readPositions(context), position);
  if (!context.reads.wallet().canClaim) {
    throw new ToolError(
      'The service in use builds no claims of fees: that needs a Solana RPC or the sandbox. Fees come with a withdrawal.',
    );
  }
  if (!mayHaveClaims(found)) {
    throw new ToolError('This position has nothing to claim, or Binsight does not support its type of pool.');
  }
  return show({ kind: 'claim', key: found.key }, context);
}

/** Answers binsight_propose_rebalance. */
export async function proposeRebalance({ position }: InputOf<'binsight_propose_rebalance'>, context: ToolContext): Promise<Shown> {
  const { key, poolType, lowerBinId, upperBinId } = findPosition(await readPositions(context), position);
  if (poolType !== 'dlmm' || lowerBinId === undefined || upperBinId === undefined) {
    throw new ToolError('This position cannot be rebalanced: its pool has no bins, or the service does not report its range.');
  }
  return show({ kind: 'rebalance', key }, context);
}

function show(proposal: Proposal, { propose, reads, signal }: ToolContext): Shown {
  // The figures took a while: the assistant may have cancelled, or its time is up.
  if (signal.aborted) {
    throw new ToolError('The call was canceled or took too long. Nothing was shown to the user.');
  }
  if (!reads.wallet().canSign) {
    throw new ToolError('The selected wallet is watch-only or missing: Binsight can sign nothing for it.');
  }
  const answer = propose(proposal);
  if (answer.kind === 'refused') {
    throw new ToolError(answer.reason);
  }
  return {
    status: 'shown',
    note: 'Binsight shows the proposal to the user, who decides. Nothing has been signed. Do not repeat it; look at binsight_positions later.',
  };
}

function bpsOf(percent: number): number {
  return Math.round((percent * WHOLE_BPS) / 100);
}

function slippageOf(percent: number | undefined, { reads }: ToolContext): number {
  return percent === undefined ? reads.defaultSlippageBps() : bpsOf(percent);
}
