import type { Address } from '../../base/solana/address';
import type { LedgerLines } from '../../base/insight/ledger';
import { formatRaw } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { EarningsNotKnown, EarningsView } from '../../protocol/earnings';
import type { ClosedPosition, OpenPosition } from '../../service/positions';
import type { Earnings, EarningsSubject, UnknownEarnings } from '../../transactions/earnings/earnings';

/** What is known of a position besides its record. */
export interface EarningsTerms {
  readonly owner: Address;
  /** The service no longer lists it. */
  readonly isClosed: boolean;
  /** The service answers from a history of its own, which may be incomplete. */
  readonly hasOwnHistory: boolean;
}

/** The question about a position; without its address, its tokens and what it contains there is none. */
export function earningsSubject(
  position: OpenPosition,
  { owner, isClosed, hasOwnHistory }: EarningsTerms,
): EarningsSubject | 'noAddress' | 'noAmounts' {
  const place = placeOf(position);
  if (typeof place === 'string') {
    return place;
  }
  const { x, y, decimalsX, decimalsY } = place.pool;
  const contents = [
    rawOf(position.amount0, decimalsX),
    rawOf(position.amount1, decimalsY),
    rawOf(position.uncollectedFee0, decimalsX),
    rawOf(position.uncollectedFee1, decimalsY),
  ] as const;
  const [amountX, amountY, feeX, feeY] = contents;
  const open =
    amountX === undefined || amountY === undefined || feeX === undefined || feeY === undefined
      ? undefined
      : { x: amountX, y: amountY, feeX, feeY };
  if (open === undefined && !isClosed) {
    return 'noAmounts';
  }
  return {
    owner,
    ...place,
    scope: 'chain',
    open: isClosed ? undefined : open,
    pricesNow: pricesNow(position, x, y),
    solUsdNow: solUsdOf(position, x, y),
    reportedPnlSol: position.pnl.native,
    isHistoryWhole: !hasOwnHistory || (position.input.native !== undefined && position.doubt !== 'reported'),
  };
}

/** The question about a closed position alone: its result can be compared with the one that the service reports. */
export function closedSubject(
  position: ClosedPosition,
  { owner, hasOwnHistory }: Omit<EarningsTerms, 'isClosed'>,
): EarningsSubject | 'noAddress' | 'noAmounts' {
  const place = placeOf(position);
  return typeof place === 'string'
    ? place
    : {
        owner,
        ...place,
        scope: 'position',
        open: undefined,
        pricesNow: 'atEnd',
        solUsdNow: undefined,
        reportedPnlSol: position.pnl.native,
        isHistoryWhole: !hasOwnHistory || position.input.native !== undefined,
      };
}

function placeOf({
  address,
  pool,
  token0,
  token1,
  poolType,
  binStepBps,
}: Pick<OpenPosition, 'address' | 'pool' | 'token0' | 'token1' | 'poolType' | 'binStepBps'>):
  | Pick<EarningsSubject, 'position' | 'pool'>
  | 'noAddress'
  | 'noAmounts' {
  const [x, y, decimalsX, decimalsY] = [token0.address, token1.address, token0.decimals, token1.decimals];
  if (address === undefined || pool === undefined || x === undefined || y === undefined) {
    return 'noAddress';
  }
  if (decimalsX === undefined || decimalsY === undefined) {
    return 'noAmounts';
  }
  return { position: address, pool: { address: pool, poolType, x, y, decimalsX, decimalsY, binStepBps } };
}

/** Raw units of an amount that is listed in whole tokens. */
function rawOf(amount: number | undefined, decimals: number): bigint | undefined {
  const raw = (amount ?? NaN) * 10 ** decimals;
  return Number.isFinite(raw) && raw >= 0 ? BigInt(Math.round(raw)) : undefined;
}

/** SOL for one whole token, by the list. */
function pricesNow(position: OpenPosition, x: string, y: string): Readonly<Record<string, number>> {
  const { price0Usd, price1Usd } = position;
  const usdSol = solUsdOf(position, x, y);
  const prices = [
    [x, (price0Usd ?? NaN) / (usdSol ?? NaN)],
    [y, (price1Usd ?? NaN) / (usdSol ?? NaN)],
  ] as const;
  return Object.fromEntries(prices.filter(([mint, price]) => mint !== WRAPPED_SOL_MINT && price > 0 && Number.isFinite(price)));
}

/** Why there is no answer, for a panel. */
export function notKnownView(
  earnings: UnknownEarnings | { readonly known: false; readonly why: 'noAddress' | 'noAmounts' | 'notAnswered' },
  symbolOf: (mint: string) => string | undefined,
): EarningsNotKnown {
  return {
    known: false,
    why: earnings.why,
    ...('count' in earnings ? { count: earnings.count } : {}),
    ...('of' in earnings ? { of: earnings.of } : {}),
    ...('mint' in earnings ? { symbol: symbolOf(earnings.mint) ?? earnings.mint } : {}),
  };
}

/** US dollars for one SOL, by the list. */
function solUsdOf({ price0Usd, price1Usd, value }: OpenPosition, x: string, y: string): number | undefined {
  const usd = x === WRAPPED_SOL_MINT ? price0Usd : y === WRAPPED_SOL_MINT ? price1Usd : (value.usd ?? NaN) / (value.native ?? NaN);
  return usd !== undefined && Number.isFinite(usd) && usd > 0 ? usd : undefined;
}

/** What a panel shows of the answer. */
export function earningsView(
  earnings: Earnings | { readonly known: false; readonly why: 'noAddress' | 'noAmounts' },
  { token0, token1, uncollectedRewards }: OpenPosition,
  subject: EarningsSubject | undefined,
): EarningsView {
  const tokenOf = (mint: string) => [token0, token1].find(({ address }) => address === mint);
  if (!earnings.known) {
    return notKnownView(earnings, (mint) => tokenOf(mint)?.symbol);
  }
  const { ledger, linesUsd, positions, transactions, claims, sinceMs } = earnings;
  return {
    known: true,
    realSol: ledger.realPnlSol,
    lines: linesView(ledger.lines),
    ...(linesUsd === undefined ? {} : { linesUsd: linesView(linesUsd) }),
    lockedSol: Number(formatRaw(ledger.rentLockedLamports, SOL_DECIMALS)),
    ...(subject?.open === undefined ? {} : { openSol: ledger.openSol }),
    leftovers: Object.entries(ledger.leftovers).map(([mint, raw]) => {
      const decimals = mint === WRAPPED_SOL_MINT ? SOL_DECIMALS : (tokenOf(mint)?.decimals ?? 0);
      const amount = Number(formatRaw(raw, decimals));
      const prices = typeof subject?.pricesNow === 'object' ? subject.pricesNow : {};
      const price = mint === WRAPPED_SOL_MINT ? 1 : prices[mint];
      return {
        symbol: mint === WRAPPED_SOL_MINT ? 'SOL' : (tokenOf(mint)?.symbol ?? mint),
        amount,
        ...(price === undefined ? {} : { sol: amount * price }),
      };
    }),
    tradedSol: ledger.tradedSol,
    ...(ledger.transferFeesSol === undefined ? {} : { transferFeesSol: ledger.transferFeesSol }),
    claims,
    transactions: transactions.length,
    positions: positions.length,
    sinceMs,
    ...(positions.length === 1 && subject?.reportedPnlSol !== undefined ? { reportedSol: subject.reportedPnlSol } : {}),
    hasRewards: uncollectedRewards !== undefined,
  };
}

/** Network fees, tips and rent are one line. */
function linesView({ networkFees, tips, rentNotRefunded, ...lines }: LedgerLines): Extract<EarningsView, { known: true }>['lines'] {
  return { ...lines, costs: networkFees + tips + rentNotRefunded };
}
