import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { type BinRange, binStepOf, uiPriceOfBin } from '../../base/dlmm/bins';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { PoolInfo } from '../../service/pools';
import type { OpenPosition } from '../../service/positions';
import { rentBack } from './costs';
import { namesOtherTokens, type PoolTokens } from './market';
import { solText } from './messages';

/** The prices of a pool's two tokens, US dollars for a whole one of each. */
export interface PairPrices {
  readonly priceXUsd: number;
  readonly priceYUsd: number;
  readonly decimalsX: number;
  readonly decimalsY: number;
}

/** The largest ratio between the pool's price and that of other markets, or its own a moment ago. */
export const MOST_RATIO = 1.1;

/**
 * Whether the prices of two tokens are those at which a pool trades them by its active bin, to a tenth and a bin. False also where the
 * program has no such bin or step, or a price is none.
 * @param stepBps the pool's bin step, basis points
 */
export function arePricesOfBin({ priceXUsd, priceYUsd, decimalsX, decimalsY }: PairPrices, activeBinId: number, stepBps: number): boolean {
  const most = MOST_RATIO * (1 + stepBps / WHOLE_BPS);
  try {
    const ratio = priceXUsd / priceYUsd / uiPriceOfBin(activeBinId, stepBps, decimalsX, decimalsY);
    return ratio <= most && ratio >= 1 / most;
  } catch {
    return false;
  }
}

// The yes to a rebalance is given before it is known what goes back in, and where: to what the position was shown to be then. What
// differs from that by more than time explains was not agreed to, however clean its transactions are.

/** What is put back, and what the user was shown of it when they agreed. */
export interface ApprovedAndCurrent {
  /** As it was shown. */
  readonly position: OpenPosition;
  /** The bins that it had. */
  readonly before: BinRange;
  readonly lamportsBack: bigint;
  readonly info: PoolInfo;
  readonly activeBinId: number;
  readonly tokens: PoolTokens;
}

/** More than this part of a position's shown value does not come out of it; as in outcome/measure.ts. */
const MOST_PART = 1.25;
/** How many bins the price may move meanwhile where the bin step is not known. */
const MOST_BINS = 20;
/**
 * Reasons not to re-enter under the approval of the zap-out, as sentences for the user. All figures come from the service, at two times and from
 * several endpoints: they prove nothing, but where they contradict each other the user is asked again.
 */
export function priceDriftWarnings(found: ApprovedAndCurrent): readonly string[] {
  return [otherTokens(found), tooMuchBack(found), movedFar(found), otherPrice(found)].filter((doubt) => doubt !== undefined);
}

type DriftWarning = string | undefined;

function otherTokens({ info, position }: ApprovedAndCurrent): DriftWarning {
  return namesOtherTokens(info, position)
    ? l10n.t('The service now names other tokens for the pool than it named for the position.')
    : undefined;
}

function tooMuchBack({ position, before, lamportsBack }: ApprovedAndCurrent): DriftWarning {
  const worth = worthSol(position);
  if (worth === undefined) {
    return l10n.t("The service did not report what the position was worth in SOL, so the amount that came back can't be checked.");
  }
  const most = BigInt(Math.ceil(worth * MOST_PART * Number(LAMPORTS_PER_SOL))) + rentBack(before);
  return lamportsBack > most
    ? l10n.t`${solText(lamportsBack)} came back, but the position was shown to be worth ${worth.toFixed(4)} SOL: some of it may not be from the position.`
    : undefined;
}

function movedFar({ position, info, activeBinId }: ApprovedAndCurrent): DriftWarning {
  const { activeBinId: shown } = position;
  if (shown === undefined) {
    return l10n.t("The service did not report the earlier active bin, so the new range can't be checked.");
  }
  const bins = Math.abs(activeBinId - shown);
  const step = position.binStepBps ?? binStepOf(info.bins);
  const isFar = step === undefined ? bins > MOST_BINS : bins > 1 && (1 + step / WHOLE_BPS) ** bins > MOST_RATIO;
  return isFar ? l10n.t`The active bin is ${activeBinId} now; it was ${shown} when you approved.` : undefined;
}

/** The price in the pool against the one that the review measures its swaps by. */
function otherPrice({ position, info, activeBinId, tokens: { prices } }: ApprovedAndCurrent): DriftWarning {
  const step = position.binStepBps ?? binStepOf(info.bins);
  const { decimalsX, decimalsY, priceXUsd, priceYUsd } = prices;
  if (step === undefined || decimalsX === undefined || decimalsY === undefined || priceXUsd === undefined || priceYUsd === undefined) {
    // Without prices the review itself asks about each swap.
    return undefined;
  }
  return arePricesOfBin({ priceXUsd, priceYUsd, decimalsX, decimalsY }, activeBinId, step)
    ? undefined
    : l10n.t(
        "The service's token prices do not match the price in the pool, by its active bin, so the swaps can't be checked against them.",
      );
}

/** What it was shown to be worth with its fees, SOL: the least of what the figures say. `undefined`: they do not. */
function worthSol({ value, uncollectedFee, token0, token1, price0Usd, price1Usd }: OpenPosition): number | undefined {
  const solUsd = token1.address === WRAPPED_SOL_MINT ? price1Usd : token0.address === WRAPPED_SOL_MINT ? price0Usd : undefined;
  const inNative = value.native === undefined ? undefined : value.native + (uncollectedFee.native ?? 0);
  const byUsd =
    value.usd === undefined || solUsd === undefined || !(solUsd > 0) ? undefined : (value.usd + (uncollectedFee.usd ?? 0)) / solUsd;
  const told = [inNative, byUsd].filter((worth) => worth !== undefined && Number.isFinite(worth) && worth >= 0) as readonly number[];
  return told.length === 0 ? undefined : Math.min(...told);
}
