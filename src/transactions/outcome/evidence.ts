import { WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import type { PortfolioSnapshot } from '../../portfolio/types';
import { isPartlyLocked, type OpenPosition, withdrawablePart } from '../../service/positions';
import type { ClaimBefore, JournalPlan, PositionBefore } from '../journal/plans';
import { type Withdrawal, withdrawalOf } from '../operations';
import type { OperationRecord } from '../journal/types';

/**
 * Swaps in the pool and price moves change the amounts in a position. A withdrawal shows only where at least this part of the withdrawn share
 * is gone; anything less is unclear.
 */
const CLEAR_PART = 0.5;

/** Whether a snapshot shows the effect of an operation. */
export type EffectPredicate = (snapshot: PortfolioSnapshot) => boolean;

/** A withdrawal shows when the position is gone or, for a share or a position with locked liquidity, when that share is. */
export function withdrawn(before: OpenPosition, shareBps: number): EffectPredicate {
  const closes = shareBps === WHOLE_BPS && !isPartlyLocked(before);
  return ({ positions }) => {
    const now = positions.find((position) => position.key === before.key);
    return now === undefined || (!closes && isReduced(before, now, shareBps));
  };
}

/**
 * A deposit shows when the new position is listed; without a known address, when the pool has a position that was not there before.
 * `before`: `undefined` if the positions were not read, then no position counts as new.
 */
export function entered(position: Address | undefined, pool: Address, before: readonly OpenPosition[] | undefined): EffectPredicate {
  const known = before && new Set(before.map(({ key }) => key));
  const isNew = (listed: OpenPosition) =>
    position === undefined ? listed.pool === pool && known?.has(listed.key) === false : isSamePosition(listed, position);
  return ({ positions }) => positions.some(isNew);
}

/** DAMM v2 positions are identified by account or NFT mint, and builds and listings don't always use the same one. */
export function isSamePosition({ address, poolType }: OpenPosition, position: Address): boolean {
  return (
    address === position ||
    (poolType === 'dammV2' && address !== undefined && (address === dammPosition(position) || dammPosition(address) === position))
  );
}

/**
 * Whether a share was withdrawn: the service reports more withdrawn, or the tokens are worth clearly less at the previous prices, which
 * swaps in the pool hardly affect. Without figures for either, any change counts.
 */
function isReduced(before: OpenPosition, now: OpenPosition, shareBps: number): boolean {
  if (isMore(before.output.usd, now.output.usd) || isMore(before.output.native, now.output.native)) {
    return true;
  }
  const worthBefore = valueAtPricesOf(before, before);
  const worthNow = valueAtPricesOf(now, before);
  if (worthBefore !== undefined && worthNow !== undefined) {
    return worthNow <= worthBefore * (1 - (CLEAR_PART * shareBps) / WHOLE_BPS);
  }
  return (
    now.amount0 !== before.amount0 ||
    now.amount1 !== before.amount1 ||
    now.value.usd !== before.value.usd ||
    now.value.native !== before.value.native
  );
}

function valueAtPricesOf(position: OpenPosition, { price0Usd, price1Usd }: OpenPosition): number | undefined {
  const { amount0, amount1 } = withdrawablePart(position);
  const known = amount0 !== undefined && amount1 !== undefined && price0Usd !== undefined && price1Usd !== undefined;
  return known ? amount0 * price0Usd + amount1 * price1Usd : undefined;
}

function isMore(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now > before;
}

/** What a listing says about an operation's effect. */
export type Evidence = 'shows' | 'doesNotShow' | 'unclear';

/** How long after its settlement a zap-out may still be missing in a listing: services answer from several replicas, some of which lag. */
const LISTED_LATE_MS = 600_000;

/**
 * How much of a listed position earlier zap-outs have withdrawn already: the listing may be older than one that showed them, and their
 * effect would look like that of the next zap-out. In basis points; `undefined`: none.
 * @param records of the journal
 */
export function missedBps(listed: OpenPosition, owner: Address, records: readonly OperationRecord[], nowMs: number): number | undefined {
  const left = records.reduce((part, record) => {
    const { plan, owner: whose } = record.created;
    const withdrawal = withdrawalOf(plan);
    const isEarlier =
      withdrawal !== undefined &&
      whose === owner &&
      withdrawal.positionId === listed.id &&
      record.state === 'settled' &&
      Math.abs(nowMs - record.updatedAtMs) <= LISTED_LATE_MS;
    return isEarlier && withdrawal.shareBps < WHOLE_BPS && evidenceOfWithdrawal(withdrawal, [listed]) === 'doesNotShow'
      ? part * (1 - withdrawal.shareBps / WHOLE_BPS)
      : part;
  }, 1);
  const missed = Math.round((1 - left) * WHOLE_BPS);
  return missed === 0 ? undefined : missed;
}

/** The state of a position before a zap-out, for recognizing its effect later. @param missed see {@link missedBps} */
export function snapshotBefore(position: OpenPosition, missed?: number): PositionBefore {
  const { price0Usd, price1Usd, output, uncollectedFee } = position;
  const { amount0, amount1, value } = withdrawablePart(position);
  const valueNative = value.native === undefined ? undefined : value.native + (uncollectedFee.native ?? 0);
  return {
    amount0: textOf(amount0),
    amount1: textOf(amount1),
    price0Usd: textOf(price0Usd),
    price1Usd: textOf(price1Usd),
    outputUsd: textOf(output.usd),
    valueNative: textOf(valueNative),
    missedBps: missed,
  };
}

export function evidenceOfWithdrawal({ position, positionId, shareBps, before }: Withdrawal, listed: readonly OpenPosition[]): Evidence {
  const now = listed.find((one) => one.id === positionId || isSamePosition(one, position));
  if (now === undefined) {
    return 'shows';
  }
  return shareBps === WHOLE_BPS ? 'doesNotShow' : evidenceOfListed(before, snapshotBefore(now), shareBps);
}

/**
 * The evidence of a new position in a listing.
 * @param made the new position, if its address is known
 * @param openBefore the positions before; `undefined`: they were not read
 */
export function evidenceOfOpening(
  made: Address | undefined,
  pool: Address,
  openBefore: readonly Address[] | undefined,
  listed: readonly OpenPosition[],
): Evidence {
  if (made !== undefined) {
    return listed.some((position) => isSamePosition(position, made)) ? 'shows' : 'doesNotShow';
  }
  const before = openBefore && new Set(openBefore);
  const inPool = listed.filter((position) => position.pool === pool && position.address !== undefined);
  if (inPool.length === 0) {
    return 'doesNotShow';
  }
  return before === undefined
    ? 'unclear'
    : inPool.some(({ address }) => address !== undefined && !before.has(address))
      ? 'shows'
      : 'doesNotShow';
}

/**
 * The evidence of a claim in a listing: fees grow, and only a claim or a withdrawal makes them fewer. Each transaction of a claim stands
 * alone, so one position proves nothing of the others. A position without fees has nothing to show, also when its rewards were claimed.
 */
export function evidenceOfClaim(claimed: readonly ClaimBefore[], listed: readonly OpenPosition[]): Evidence {
  const each = new Set(claimed.filter(hadFees).map((before) => evidenceOfFees(before, listed)));
  const [first, ...others] = each;
  return first === undefined || others.length > 0 ? 'unclear' : first;
}

/** Whether a position had fees, or none were reported. */
function hadFees({ fee0, fee1 }: ClaimBefore): boolean {
  return numberOf(fee0) !== 0 || numberOf(fee1) !== 0;
}

function evidenceOfFees(before: ClaimBefore, listed: readonly OpenPosition[]): Evidence {
  const now = listed.find((one) => one.id === before.positionId || isSamePosition(one, before.position));
  if (now === undefined) {
    return 'unclear';
  }
  const pairs = [
    [numberOf(before.fee0), now.uncollectedFee0],
    [numberOf(before.fee1), now.uncollectedFee1],
  ] as const;
  const known = pairs.filter(([then, since]) => then !== undefined && then > 0 && since !== undefined);
  return known.length === 0 ? 'unclear' : known.some(([then, since]) => isMore(since, then)) ? 'shows' : 'doesNotShow';
}

/** A claim shows when the fees of each of its positions are fewer. */
export function claimed(positions: readonly ClaimBefore[]): EffectPredicate {
  return (snapshot) => evidenceOfClaim(positions, snapshot.positions) === 'shows';
}

/** What is known of a position before a deposit into it. */
type BeforeDeposit = Pick<JournalPlan<'addLiquidity'>, 'into' | 'before' | 'source'>;

/**
 * The evidence of a deposit into an existing position in a listing: its fees are fewer if they were deposited. A deposit from the wallet makes it
 * worth more at the present prices than it would be without one; price moves alone never do.
 */
export function evidenceOfDeposit({ into, before, source }: BeforeDeposit, listed: readonly OpenPosition[]): Evidence {
  if (source === 'fees') {
    return evidenceOfClaim([into], listed);
  }
  const now = listed.find((one) => one.id === into.positionId || isSamePosition(one, into.position));
  const [then, since] = [amounts(numberOf(before.amount0), numberOf(before.amount1)), amounts(now?.amount0, now?.amount1)];
  if (then === undefined || since === undefined) {
    return 'unclear';
  }
  const [grows0, grows1] = [since[0] - then[0], since[1] - then[1]];
  if (grows0 >= 0 && grows1 >= 0) {
    return grows0 + grows1 > 0 ? 'shows' : 'doesNotShow';
  }
  const prices = amounts(now?.price0Usd, now?.price1Usd);
  return prices !== undefined && worth(since, prices) > worth(then, prices) ? 'shows' : 'unclear';
}

/** A position before a deposit into it, for recognizing its effect later. */
export function amountsBefore({ amount0, amount1 }: OpenPosition): Pick<PositionBefore, 'amount0' | 'amount1'> {
  return { amount0: textOf(amount0), amount1: textOf(amount1) };
}

/** A deposit into an existing position shows when the position has grown, or its fees are fewer. */
export function added(before: BeforeDeposit): EffectPredicate {
  return ({ positions }) => evidenceOfDeposit(before, positions) === 'shows';
}

/** The fees of a position before a claim. */
export function feesBefore({ uncollectedFee0, uncollectedFee1 }: OpenPosition): Pick<ClaimBefore, 'fee0' | 'fee1'> {
  return { fee0: textOf(uncollectedFee0), fee1: textOf(uncollectedFee1) };
}

/**
 * Whether the listing from which a zap-out was begun showed the effect of an earlier zap-out of the same position: then the later one did
 * not make that change, and what the position lost since that listing is not the earlier one's.
 */
export function wasListedBefore(laterRecord: OperationRecord, earlierRecord: OperationRecord): boolean {
  const [later, earlier] = [withdrawalOf(laterRecord.created.plan), withdrawalOf(earlierRecord.created.plan)];
  return (
    earlier !== undefined &&
    later !== undefined &&
    earlier.shareBps < WHOLE_BPS &&
    evidenceOfListed(earlier.before, later.before, earlier.shareBps) === 'shows'
  );
}

/**
 * Whether a share was withdrawn since an earlier listing. If that one listed too much, the share must be missing from the real amounts,
 * too; otherwise the listing is no evidence.
 */
function evidenceOfListed(before: PositionBefore, now: PositionBefore, shareBps: number): Evidence {
  const byList = evidenceOfShare(before, now, shareBps);
  if (before.missedBps === undefined || byList === 'doesNotShow') {
    return byList;
  }
  const left = 1 - before.missedBps / WHOLE_BPS;
  const scaled = (amount: string | undefined): string | undefined => {
    const value = numberOf(amount);
    return value === undefined ? undefined : String(value * left);
  };
  const real = { ...before, amount0: scaled(before.amount0), amount1: scaled(before.amount1), outputUsd: undefined };
  return byList === 'shows' && evidenceOfShare(real, now, shareBps) === 'shows' ? 'shows' : 'unclear';
}

/**
 * Whether a share was withdrawn. Price moves convert one token into the other. They never make the position worth less at the previous
 * prices, nor worth more than its previous amounts at the current prices: the first shows a withdrawal, the second its absence, whatever
 * the prices did.
 */
function evidenceOfShare(before: PositionBefore, now: PositionBefore, shareBps: number): Evidence {
  const outputBefore = numberOf(before.outputUsd);
  if (isMore(outputBefore, numberOf(now.outputUsd))) {
    return 'shows';
  }
  const amountsBefore = amounts(numberOf(before.amount0), numberOf(before.amount1));
  const amountsNow = amounts(numberOf(now.amount0), numberOf(now.amount1));
  const pricesBefore = amounts(numberOf(before.price0Usd), numberOf(before.price1Usd));
  const pricesNow = amounts(numberOf(now.price0Usd), numberOf(now.price1Usd));
  if (amountsBefore === undefined || amountsNow === undefined) {
    return 'unclear';
  }
  const left = 1 - (CLEAR_PART * shareBps) / WHOLE_BPS;
  if (pricesBefore !== undefined && worth(amountsNow, pricesBefore) <= worth(amountsBefore, pricesBefore) * left) {
    return 'shows';
  }
  return pricesNow !== undefined && worth(amountsNow, pricesNow) > worth(amountsBefore, pricesNow) * left ? 'doesNotShow' : 'unclear';
}

type Two = readonly [number, number];

function amounts(first: number | undefined, second: number | undefined): Two | undefined {
  return first === undefined || second === undefined ? undefined : [first, second];
}

function worth([amount0, amount1]: Two, [price0, price1]: Two): number {
  return amount0 * price0 + amount1 * price1;
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : String(value);
}

function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
