import { WHOLE_BPS } from '../../base/basisPoints';
import { type EndedForecast, FEWEST_ENDED, type ForecastFees, type ForecastRecord, forecastRecord } from '../../base/insight/forecasts';
import type { Address } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import { LAMPORTS_PER_SOL } from '../../base/solana/programs';
import { SECOND_MS } from '../../base/time';
import type { ClosedPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import type { ForecastOutlook, JournalForecast } from '../journal/forecast';
import type { JournalPlan } from '../journal/plans';
import type { OperationJournal, OperationRecord } from '../journal/types';
import { positionsOf } from '../operations';
import { mayHaveLanded } from './positionChain';

// How good the outlooks of a wallet's zap-ins were: those in the journal, compared with the fees of the positions that have ended since.

/** A zap-in with what was expected of it. */
interface ForecastZapIn {
  /** The addresses by which the position may be listed. */
  readonly addresses: readonly Address[];
  readonly inputLamports: bigint;
  readonly openedAtMs: number;
  readonly forecast: JournalForecast;
}

/** The service's maximum. */
const PAGE_SIZE = 100;
const MOST_PAGES = 3;
/** A position that got more or less than was forecast for is another one. Swaps and costs of an entry take less than this. */
const MOST_APART = 1.25;

/**
 * Reads how good the forecasts of a wallet were. The service is asked only if there are enough of them.
 * @returns `undefined`: too few positions with a forecast have ended
 * @throws ServiceError
 */
export async function readOwnForecasts(
  owner: Address,
  journal: Pick<OperationJournal, 'read'>,
  service: Pick<LiquidityService, 'closedPositions'>,
  signal: AbortSignal,
): Promise<ForecastRecord | undefined> {
  const { records } = await journal.read();
  const zapIns = forecastZapIns(records.filter(({ created }) => created.owner === owner));
  if (zapIns.length < FEWEST_ENDED) {
    return undefined;
  }
  const from = new Date(Math.min(...zapIns.map(({ openedAtMs }) => openedAtMs)));
  const closed: ClosedPosition[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { items, hasNextPage } = await service.closedPositions({ owner, from, page, pageSize: PAGE_SIZE }, { signal });
    closed.push(...items);
    if (!hasNextPage) {
      break;
    }
  }
  return forecastRecord(endedForecasts(zapIns, closed));
}

/**
 * The zap-ins with a forecast. Left out are positions that the journal knows to have been changed later, by a deposit or by the withdrawal of a part:
 * what they earned was not forecast.
 * @param records of one wallet
 */
function forecastZapIns(records: readonly OperationRecord[]): readonly ForecastZapIn[] {
  const changed = new Set(records.filter(mayHaveLanded).flatMap(({ created: { plan } }) => changedBy(plan)));
  return records.flatMap(({ state, created: { plan, poolType, atMs }, built, events }) => {
    const forecast = events.flatMap((event) => (event.kind === 'approved' && event.forecast !== undefined ? [event.forecast] : [])).at(-1);
    if (plan.kind !== 'zapIn' || state !== 'settled' || forecast === undefined || built?.position === undefined) {
      return [];
    }
    // A build names a position of DAMM v2 by its account or by the mint of its NFT.
    const addresses = poolType === 'dammV2' ? [built.position, dammPosition(built.position)] : [built.position];
    return addresses.some((address) => changed.has(address))
      ? []
      : [{ addresses, inputLamports: plan.inputLamports, openedAtMs: atMs, forecast }];
  });
}

/** The positions of which an operation changes the liquidity without ending them. */
function changedBy(plan: JournalPlan): readonly Address[] {
  const isChanged = plan.kind === 'addLiquidity' || (plan.kind === 'zapOut' && plan.shareBps < WHOLE_BPS);
  return isChanged ? positionsOf(plan).map(({ address }) => address) : [];
}

/** @param closed those that ended last first */
function endedForecasts(zapIns: readonly ForecastZapIn[], closed: readonly ClosedPosition[]): readonly EndedForecast[] {
  return closed.flatMap((position) => {
    const { address, closedAt, createdAt, fee, input, isFeeEstimate, doubt } = position;
    const zapIn = zapIns.find(({ addresses }) => address !== undefined && addresses.includes(address));
    const isOneOfSeveral = closed.some((other) => other !== position && other.address === address);
    if (zapIn === undefined || isOneOfSeveral || closedAt === undefined || isFeeEstimate === true || doubt !== undefined) {
      return [];
    }
    const deposited = ((input.native ?? NaN) * Number(LAMPORTS_PER_SOL)) / Number(zapIn.inputLamports);
    if (fee.native === undefined || !(deposited >= 1 / MOST_APART && deposited <= MOST_APART)) {
      return [];
    }
    const livedS = (closedAt.getTime() - (createdAt?.getTime() ?? zapIn.openedAtMs)) / SECOND_MS;
    return [{ forecast: zapIn.forecast.outlooks.flatMap(feesOf), livedS, fees: fee.native * Number(LAMPORTS_PER_SOL) }];
  });
}

/** In lamports. */
function feesOf({ horizonS, fees }: ForecastOutlook): readonly ForecastFees[] {
  return fees === undefined
    ? []
    : [{ horizonS, fees: { value: Number(fees.lamports), low: Number(fees.lowLamports), high: Number(fees.highLamports) } }];
}
