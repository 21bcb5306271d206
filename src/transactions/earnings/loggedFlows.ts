import { kindOfEvent } from '../../base/insight/positionEvents';
import type { AmountsByMint } from '../../base/insight/ledger';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { SECOND_MS } from '../../base/time';
import type { Incomplete } from '../../service/common';
import { ServiceError } from '../../service/errors';
import type { PositionLog } from '../../service/positionLogs';
import type { LiquidityService } from '../../service/service';

/** What an event of a position moved, by the service. */
export interface LoggedFlow {
  /** `undefined`: services of others do not name it. */
  readonly signature: string | undefined;
  readonly timeS: number | undefined;
  readonly kind: 'in' | 'out' | 'fees';
  readonly amounts: AmountsByMint;
  /** SOL for one whole token, as far as it is known. */
  readonly prices: Readonly<Record<string, number>>;
  /** US dollars for one SOL. */
  readonly solUsd: number | undefined;
}

/** The events of a position by the service; `undefined`: it does not have them. */
export type ReadLogs = (
  position: Address,
  signal: AbortSignal,
) => Promise<{ readonly items: readonly PositionLog[]; readonly incomplete?: Incomplete } | undefined>;

/** Reads events from a service. Not every service has them. */
export function logsOf(service: Pick<LiquidityService, 'positionLogs'>): ReadLogs {
  return async (position, signal) => {
    try {
      return await service.positionLogs({ position }, { signal });
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'notFound') {
        return undefined;
      }
      throw error;
    }
  };
}

/** The mints of a pool. */
interface Pair {
  readonly x: string;
  readonly y: string;
}

/**
 * The flows of a position's events.
 * @returns `rewards` if some were claimed, which no line has; `notUnderstood` if an event may have moved tokens and does not say how
 */
export function loggedFlows(logs: readonly PositionLog[], pair: Pair): readonly LoggedFlow[] | 'rewards' | 'notUnderstood' {
  const flows: LoggedFlow[] = [];
  for (const log of logs) {
    const { amount0, amount1 } = log;
    const kind = kindOfEvent(log);
    const movesNothing = (amount0 ?? 0n) === 0n && (amount1 ?? 0n) === 0n;
    if (kind === 'rewards') {
      return 'rewards';
    }
    if (movesNothing && (kind === 'open' || kind === 'close')) {
      continue;
    }
    if (kind === 'unknown' || amount0 === undefined || amount1 === undefined) {
      return 'notUnderstood';
    }
    flows.push({
      signature: log.signature,
      timeS: log.at === undefined ? undefined : Math.floor(log.at.getTime() / SECOND_MS),
      kind: kind === 'fees' ? 'fees' : kind === 'withdrawal' || kind === 'close' ? 'out' : 'in',
      amounts: { [pair.x]: amount0, [pair.y]: amount1 },
      prices: pricesOf(log, pair),
      solUsd: solUsdOf(log, pair),
    });
  }
  return flows;
}

/** In a pool with SOL the price of its side is that of SOL in the same moment. */
function solUsdOf({ price0Usd, price1Usd, nativePriceUsd }: PositionLog, { x, y }: Pair): number | undefined {
  const usd = x === WRAPPED_SOL_MINT ? price0Usd : y === WRAPPED_SOL_MINT ? price1Usd : nativePriceUsd;
  return usd !== undefined && Number.isFinite(usd) && usd > 0 ? usd : undefined;
}

function pricesOf(log: PositionLog, pair: Pair): Readonly<Record<string, number>> {
  const { price0Usd, price1Usd } = log;
  const { x, y } = pair;
  const sol = solUsdOf(log, pair);
  const sides = [
    [x, price0Usd],
    [y, price1Usd],
  ] as const;
  return Object.fromEntries(
    sides.flatMap(([mint, usd]) => {
      const price = (usd ?? NaN) / (sol ?? NaN);
      return mint !== WRAPPED_SOL_MINT && Number.isFinite(price) && price > 0 ? [[mint, price] as const] : [];
    }),
  );
}
