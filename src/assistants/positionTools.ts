import type { Address } from '../base/solana/address';
import type { Money, Token } from '../service/common';
import type { PositionLog } from '../service/positionLogs';
import type { OpenPosition, PositionBase } from '../service/positions';
import { rangeStatus } from '../base/dlmm/rangeStatus';
import { type PositionsRead, type ToolContext, ToolError } from './context';
import { DEFAULT_LIMIT, type OutputOf } from './definitions';
import { plainKey, untrusted } from './untrusted';

type PositionOutput = OutputOf<'binsight_position'>;
type PositionFigures = Omit<OutputOf<'binsight_history'>['positions'][number], 'closedAt' | 'createdAt' | 'input' | 'output' | 'fees'>;
type WalletPart = Pick<PositionOutput, 'wallet' | 'isWatchOnly' | 'canClaim' | 'service' | 'isPretendMoney' | 'asOf' | 'isOutdated'>;

/** Events of a position that are reported at most. */
const MOST_EVENTS = 10;

export interface MoneyFigures {
  readonly usd: number | undefined;
  readonly sol: number | undefined;
}

/** A figure in both currencies. */
export function moneyFigures({ usd, native }: Money): MoneyFigures {
  return { usd, sol: native };
}

/** The selected wallet. @throws ToolError if none is selected */
export function selectedOwner({ reads }: ToolContext): Address {
  const { owner } = reads.wallet();
  if (owner === undefined) {
    throw new ToolError(
      'No wallet is selected in Binsight. The user can run "Binsight: Watch Address…" or "Binsight: Import Wallet Key…".',
    );
  }
  return owner;
}

/** The wallet's positions, once there is a wallet. @throws ToolError if none is selected or none could be read */
export async function readPositions(context: ToolContext): Promise<PositionsRead> {
  // Only after the read: the sandbox adds its wallet when it is connected.
  const read = await context.reads.positions();
  selectedOwner(context);
  if (read.state.kind === 'failed') {
    throw read.state.error;
  }
  if (read.state.kind === 'idle' || read.state.kind === 'loading') {
    throw new ToolError('The positions have not been read yet. Try again in a few seconds.');
  }
  return read;
}

/** An open position of the selected wallet. @throws ToolError if none has this address */
export function findPosition({ positions }: PositionsRead, wanted: string): OpenPosition {
  const found = positions.find(({ key, address }) => key === wanted || address === wanted);
  if (found === undefined) {
    throw new ToolError('The selected wallet has no open position with this address. binsight_positions lists them.');
  }
  return found;
}

/** Answers binsight_positions. */
export async function listPositions(
  { offset = 0, limit = DEFAULT_LIMIT }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
  context: ToolContext,
): Promise<OutputOf<'binsight_positions'>> {
  const read = await readPositions(context);
  const { totals } = read;
  return {
    ...walletPart(context, read),
    total: read.positions.length,
    offset,
    totals: {
      value: { usd: totals.valueUsd, sol: totals.valueNative },
      pnl: { usd: totals.pnlUsd, sol: totals.pnlNative },
      pnlPercent: { usd: totals.pnlPercent, sol: totals.pnlPercentNative },
      uncollectedFees: { usd: totals.uncollectedFeeUsd, sol: totals.uncollectedFeeNative },
      outOfRange: totals.outOfRange,
    },
    positions: read.positions.slice(offset, offset + limit).map(positionRow),
  };
}

/** Answers binsight_position. */
export async function showPosition({ position }: { readonly position: string }, context: ToolContext): Promise<PositionOutput> {
  const read = await readPositions(context);
  const found = findPosition(read, position);
  return {
    ...walletPart(context, read),
    ...positionRow(found),
    strategy: found.strategy,
    binStepBps: found.binStepBps,
    priceRangeUsd: found.priceRangeUsd,
    input: moneyFigures(found.input),
    output: moneyFigures(found.output),
    collectedFees: moneyFigures(found.collectedFee),
    dailyReturnFraction: moneyFigures(found.dailyReturn),
    aprPercent: found.aprPercent,
    withdrawableShare: found.withdrawableShare,
    token0: { ...tokenRow(found.token0), amount: found.amount0, uncollectedFee: found.uncollectedFee0, priceUsd: found.price0Usd },
    token1: { ...tokenRow(found.token1), amount: found.amount1, uncollectedFee: found.uncollectedFee1, priceUsd: found.price1Usd },
    rewards: (found.uncollectedRewards ?? []).map(({ token, amount, worth }) => ({
      mint: token.address,
      symbol: untrusted(token.symbol),
      amount,
      value: moneyFigures(worth),
    })),
    createdAt: found.createdAt?.toISOString(),
    events: found.logs.read().items.slice(-MOST_EVENTS).map(eventRow),
  };
}

function walletPart({ reads }: ToolContext, { state }: PositionsRead): WalletPart {
  const { service, isSandbox, owner, canSign, canClaim } = reads.wallet();
  return {
    wallet: owner,
    isWatchOnly: !canSign,
    canClaim: canSign && canClaim,
    service,
    isPretendMoney: isSandbox,
    asOf: state.kind === 'ready' || state.kind === 'stale' ? state.asOf.toISOString() : undefined,
    isOutdated: state.kind === 'stale',
  };
}

/** The fields of open and closed positions. */
export function positionFigures(position: PositionBase): PositionFigures {
  return {
    position: plainKey(position.address ?? position.key),
    pair: untrusted(position.pairName),
    pool: position.pool,
    poolType: position.poolType,
    range:
      position.lowerBinId === undefined || position.upperBinId === undefined
        ? undefined
        : { lowerBinId: position.lowerBinId, upperBinId: position.upperBinId },
    pnl: moneyFigures(position.pnl),
    pnlPercent: moneyFigures(position.pnlPercent),
    ageHours: position.ageHours,
  };
}

function positionRow(position: OpenPosition): OutputOf<'binsight_positions'>['positions'][number] {
  return {
    ...positionFigures(position),
    status: rangeStatus(position),
    activeBinId: position.activeBinId,
    value: moneyFigures(position.value),
    uncollectedFees: moneyFigures(position.uncollectedFee),
  };
}

/** A token: its mint identifies it; its ticker can be anything. */
export function tokenRow({ address, symbol, decimals }: Token): OutputOf<'binsight_pools'>['pools'][number]['token0'] {
  return { mint: address, symbol: untrusted(symbol), decimals };
}

function eventRow({ action, at, amount0, amount1, decimals0, decimals1, bps }: PositionLog): PositionOutput['events'][number] {
  const whole = (raw: bigint | undefined, decimals: number | undefined): number | undefined =>
    raw === undefined || decimals === undefined ? undefined : Number(raw) / 10 ** decimals;
  return { action: untrusted(action), at: at?.toISOString(), amount0: whole(amount0, decimals0), amount1: whole(amount1, decimals1), bps };
}
