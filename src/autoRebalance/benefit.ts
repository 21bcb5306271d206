import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/async/clock';
import { WHOLE_BPS } from '../base/basisPoints';
import { type BinRange, shareOfXBins } from '../base/dlmm/bins';
import { usdToTheCent } from '../base/format/money';
import { runWithin } from '../base/http';
import { gate, USUAL_MARGIN } from '../base/insight/gate';
import type { BinnedOutlook } from '../base/insight/outlook';
import { type AskedOutlook, type Expectation, planToAsk, positionToAsk, type ReportedPool } from '../base/insight/poolOutlook';
import { dlmmBinArray } from '../base/solana/pda';
import type { Address } from '../base/solana/address';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../base/solana/programs';
import { RentRate } from '../base/solana/rent';
import { DAY_S, MINUTE_MS, SECOND_MS } from '../base/time';
import type { SolanaRpc } from '../rpc/types';
import type { OpenPosition } from '../service/positions';
import { reportedPool } from '../service/reportedPool';
import type { LiquidityService } from '../service/service';
import { readVolatility } from '../service/volatility';
import { errorMessageOf } from '../transactions/errors';
import { binArraysNeeded, reentryCosts } from '../transactions/rebalance/costs';
import { worthSol } from '../transactions/rebalance/market';
import { reentryRange } from '../transactions/rebalance/rebalancePlan';
import type { ReentryTerms } from '../transactions/rebalance/types';
import { span } from './cooldowns';
import type { PlannedPosition } from './types';

/** What re-centering is expected to bring over the time that the new range is expected to hold, and what it costs, US dollars. */
export type Benefit =
  | { readonly known: false }
  | {
      readonly known: true;
      readonly benefitUsd: number;
      readonly costUsd: number;
      readonly horizonMs: number;
      readonly isWorthIt: boolean;
    };

/** Reads the benefit of re-centering a position. `undefined`: the service has no prices of the past. Never rejects. */
export type BenefitOf = (position: OpenPosition, terms: ReentryTerms, cancelled: AbortSignal) => Promise<Benefit | undefined>;

export interface BenefitSources {
  /** `undefined`: the service in use has no prices of the past. */
  readonly service: () => Promise<Pick<LiquidityService, 'poolInfo' | 'candles'> | undefined>;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly clock: Clock;
  readonly log: (level: 'warn', message: string) => void;
}

/** How long a benefit counts: checks may be a minute apart. */
const KEPT_MS = 10 * MINUTE_MS;
/** A check does not wait longer: positions may have to be closed. */
const READ_WITHIN_MS = 10 * SECOND_MS;

/** Reads benefits, each at most every ten minutes. */
export class BenefitReader {
  readonly #sources: BenefitSources;
  readonly #known = new Map<string, { readonly atMs: number; readonly benefit: Benefit | undefined }>();

  constructor(sources: BenefitSources) {
    this.#sources = sources;
  }

  readonly of: BenefitOf = async (position, terms, cancelled) => {
    const { halfWidthBins, strategy, slippageBps } = terms;
    const { clock, log } = this.#sources;
    const nowMs = clock.now();
    for (const [name, { atMs }] of this.#known) {
      // A time in the future is from before the clock was set back.
      if (atMs > nowMs || nowMs - atMs >= KEPT_MS) {
        this.#known.delete(name);
      }
    }
    const name = [position.key, position.activeBinId, halfWidthBins, strategy, slippageBps].join(' ');
    const known = this.#known.get(name);
    if (known !== undefined) {
      return known.benefit;
    }
    try {
      const benefit = await runWithin(cancelled, READ_WITHIN_MS, (signal) => readBenefit(position, terms, this.#sources, signal));
      this.#known.set(name, { atMs: nowMs, benefit });
      return benefit;
    } catch (error) {
      log('warn', `Automation: the benefit of re-centering is not known. ${errorMessageOf(error)}`);
      return { known: false };
    }
  };
}

/**
 * Lets rebalances wait that are not expected to be worth it. Nothing else changes: a benefit that is not known holds nothing back, and closing
 * (stop-loss, take-profit) never waits for it.
 */
export async function withBenefits(
  planned: readonly PlannedPosition[],
  terms: ReentryTerms,
  benefitOf: BenefitOf | undefined,
  cancelled: AbortSignal,
): Promise<readonly PlannedPosition[]> {
  return Promise.all(
    planned.map(async ({ position, decision }): Promise<PlannedPosition> => {
      const isRebalance = decision.kind === 'act' && decision.action === 'rebalance';
      const benefit = isRebalance ? await benefitOf?.(position, terms, cancelled) : undefined;
      if (!isRebalance || benefit === undefined) {
        return { position, decision };
      }
      if (!benefit.known) {
        return { position, decision: { ...decision, why: `${decision.why} ${l10n.t('Whether it covers its costs is not known.')}` } };
      }
      const { benefitUsd, costUsd, horizonMs, isWorthIt } = benefit;
      const figures = l10n.t`Re-centering is expected to bring ${usdToTheCent(benefitUsd)} in ${span(horizonMs)}, and to cost ${usdToTheCent(costUsd)}.`;
      return {
        position,
        decision: isWorthIt
          ? { ...decision, why: `${decision.why} ${figures}` }
          : {
              kind: 'wait',
              why: `${decision.why} ${figures} ${l10n.t`It waits until the first is more than ${USUAL_MARGIN} times the second.`}`,
              untilMs: undefined,
            },
      };
    }),
  );
}

/** @throws ServiceError; RangeError if the program has no such bins */
async function readBenefit(
  position: OpenPosition,
  terms: ReentryTerms,
  { service: opened, rpc, clock }: BenefitSources,
  signal: AbortSignal,
): Promise<Benefit | undefined> {
  const service = await opened();
  const { pool: address, lowerBinId, upperBinId, poolType } = position;
  if (service === undefined || address === undefined || poolType !== 'dlmm' || lowerBinId === undefined || upperBinId === undefined) {
    return undefined;
  }
  const pool = reportedPool(await service.poolInfo(address, { signal }));
  const volatility = await readVolatility(service, address, pool.binStepBps, clock.now(), signal);
  const { activeBinId } = pool;
  const amountSol = worthSol(position);
  if (!volatility.known || activeBinId === undefined || amountSol === undefined) {
    return { known: false };
  }
  const { sigmaPerDay, low, high } = volatility;
  const { usd = NaN, native = NaN } = position.value;
  const expectation = { sigma: { value: sigmaPerDay, low, high }, horizonS: DAY_S, solUsd: usd / native, solMint: WRAPPED_SOL_MINT };
  const before = { fromBinId: lowerBinId, toBinId: upperBinId };
  const range = reentryRange(before, terms.halfWidthBins, activeBinId, pool.binStepBps);
  const strategy = terms.strategy ?? position.strategy ?? 'Spot';
  const enter = planToAsk(pool, { range, strategy, percentX: shareOfXBins(range, activeBinId), amountSol }, expectation);
  const stay = stayToAsk(pool, before, position, amountSol, expectation);
  const [entering, staying] = [binnedOf(enter), binnedOf(stay)];
  if (typeof enter === 'string' || entering === undefined || staying === undefined) {
    return { known: false };
  }
  const costSol = costsSol(range, await missingBinArrays(address, range, await rpc(), signal), terms.slippageBps, amountSol);
  const { usd: usdPerY, native: solPerY } = enter.unit;
  const answer = gate({ stay: staying, enter: entering, costsY: costSol / (solPerY ?? NaN), margin: USUAL_MARGIN });
  if (!answer.known || usdPerY === undefined || !Number.isFinite(answer.benefitY) || !Number.isFinite(answer.costsY)) {
    return { known: false };
  }
  const { benefitY, costsY, horizonS, act } = answer;
  return { known: true, benefitUsd: benefitY * usdPerY, costUsd: costsY * usdPerY, horizonMs: horizonS * SECOND_MS, isWorthIt: act };
}

/** The position as it is beside its range: all in the token of that side, whose bins its strategy filled. */
function stayToAsk(
  pool: ReportedPool,
  range: BinRange,
  { strategy = 'Spot' }: Pick<OpenPosition, 'strategy'>,
  amountSol: number,
  expectation: Expectation,
): ReturnType<typeof planToAsk> {
  const { activeBinId, x, y } = pool;
  const asked = planToAsk(pool, { range, strategy, percentX: shareOfXBins(range, activeBinId ?? NaN), amountSol }, expectation);
  if (typeof asked === 'string' || !('own' in asked.input) || activeBinId === undefined) {
    return typeof asked === 'string' ? asked : 'bins';
  }
  const whole = (raw: number, decimals: number | undefined): number => raw / 10 ** (decimals ?? NaN);
  const bins = asked.input.own.map((bin) => ({ binId: bin.binId, x: whole(bin.x, x.decimals), y: whole(bin.y, y.decimals) }));
  // What is in the pool's bins already has its liquidity.
  return positionToAsk(pool, { bins, range, activeBinId, valueUsd: undefined }, expectation);
}

function binnedOf(asked: AskedOutlook | string): BinnedOutlook | undefined {
  return typeof asked === 'string' || !('own' in asked.input) ? undefined : asked.input;
}

/**
 * What closing and re-entering costs: fees and tips of both, rent of bin arrays, and half the slippage of the half that is swapped.
 * @param missing bin arrays that the new range needs
 */
function costsSol(range: BinRange, missing: number, slippageBps: number, amountSol: number): number {
  const { parts } = reentryCosts(range, { tokenAccountLamports: [], binArrays: missing, wrappedSolLamports: 0n, rent: RentRate.highest });
  const sum = (kind: (typeof parts)[number]['kind']): bigint =>
    parts.filter((part) => part.kind === kind).reduce((total, { lamports }) => total + lamports, 0n);
  return Number(2n * sum('fees') + sum('binArrays')) / Number(LAMPORTS_PER_SOL) + (amountSol * (slippageBps / WHOLE_BPS)) / 4;
}

/** Without an RPC, or its answer, none counts. */
async function missingBinArrays(pool: Address, range: BinRange, rpc: SolanaRpc | undefined, signal: AbortSignal): Promise<number> {
  if (rpc === undefined) {
    return 0;
  }
  const addresses = binArraysNeeded(range).map((index) => dlmmBinArray(pool, index));
  try {
    const { value } = await rpc.accounts({ addresses, firstBytes: 0 }, { signal });
    return value.filter((account) => account === undefined).length;
  } catch {
    return 0;
  }
}
