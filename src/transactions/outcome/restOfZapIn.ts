import type { AmountLeft } from '../../base/reasons/reason';
import type { Address } from '../../base/solana/address';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import type { PoolTokenFacts } from '../../service/poolInfo';
import type { JournalPlan } from '../journal/plans';
import type { OperationRecord } from '../journal/types';
import type { TokensAtHand } from '../types';
import { isSamePosition } from './evidence';
import { exchanged } from './leftovers';
import {
  amountOf,
  explained,
  type Known,
  type LandedPart,
  least,
  type RemainingRange,
  type Remainder,
  wrappedLamportsOf,
} from './remainder';

/** Costs of a new position besides the deposit: its rent, that of two token accounts, and fees. */
function keptLamports(rent: RentRate): bigint {
  return rent.position + 2n * rent.token2022Account + 5_000_000n;
}

/** The minimum for a position of its own: fees and closing it cost as much. */
const LEAST_LAMPORTS = 1_000_000n;

/** What is left of a zap-in of which a part landed: the tokens that are not deposited yet. */
export function restOfZapIn(plan: JournalPlan<'zapIn'>, record: OperationRecord, known: Known, landed: LandedPart): Remainder {
  const { poolType } = record.created;
  const { listed, changed, held, pool, rent = RentRate.highest } = known;
  const [tokenX, tokenY] = pool?.tokens ?? [];
  if (listed === undefined || tokenX?.address === undefined || tokenY?.address === undefined || held === undefined) {
    return explained({ code: 'depositUnread', ...landed }, 'again');
  }
  if (changed === undefined || changed.from !== 'transactions') {
    return explained({ code: 'depositUnknown', ...landed }, 'asked');
  }
  const made = record.built?.position;
  const isOpen = made !== undefined && listed.some((one) => isSamePosition(one, made));
  const atHand = (mint: Address, meantRaw: bigint | undefined): bigint => {
    const isSol = mint === WRAPPED_SOL_MINT;
    // Rent and fees are paid in SOL, too: never more than the user chose, less what the transactions took.
    const meant = meantRaw ?? (isSol ? plan.inputLamports : 0n);
    const left = meant + (changed.tokens.get(mint) ?? 0n) + (isSol ? changed.lamports : 0n);
    return most(0n, least(left, (held.get(mint) ?? 0n) - (isSol ? keptLamports(rent) : 0n)));
  };
  const all = { amountXRaw: atHand(tokenX.address, plan.tokens?.amountXRaw), amountYRaw: atHand(tokenY.address, plan.tokens?.amountYRaw) };
  const amountsOf = ({ amountXRaw, amountYRaw }: TokensAtHand): AmountLeft[] => [
    ...(amountXRaw > 0n ? [amountOf(tokenX.address ?? WRAPPED_SOL_MINT, amountXRaw, tokenX)] : []),
    ...(amountYRaw > 0n ? [amountOf(tokenY.address ?? WRAPPED_SOL_MINT, amountYRaw, tokenY)] : []),
  ];
  const rest = { ...landed, isOpen, amounts: amountsOf(all), wrappedLamports: wrappedLamportsOf(changed, known) };
  // SOL stays as it is.
  const sold = rest.amounts.filter(({ mint }) => mint !== WRAPPED_SOL_MINT);
  const wrappedLamports = most(0n, rest.wrappedLamports);
  if (rest.amounts.length === 0) {
    return exchanged(record, { amounts: [], wrappedLamports }, { code: 'depositUsed', ...rest });
  }
  const tokens = withoutDust(all, plan);
  const amounts = amountsOf(tokens);
  if (amounts.length === 0 || isTooLittle(tokens, known)) {
    return exchanged(record, { amounts: [], wrappedLamports }, { code: 'depositTooLittle', ...rest });
  }
  if (poolType === 'dammV2' && (tokens.amountXRaw === 0n || tokens.amountYRaw === 0n)) {
    return exchanged(record, { amounts: sold, wrappedLamports }, { code: 'depositOneSided', ...rest, amounts });
  }
  const range = remainingRange(plan, tokens, pool?.activeBinId);
  if (range === undefined) {
    const reason = { code: 'depositOutOfRange' as const, ...rest, amounts };
    return sold.length + Number(wrappedLamports) === 0
      ? explained(reason, 'asked')
      : exchanged(record, { amounts: sold, wrappedLamports }, reason);
  }
  return { kind: 'zapIn', of: record, tokens, range, reason: { code: 'depositLeft', ...rest, amounts } };
}

/** Drops amounts below one raw unit per bin: no bin could receive any. */
function withoutDust({ amountXRaw, amountYRaw }: TokensAtHand, { fromBinId, toBinId }: RemainingRange): TokensAtHand {
  const bins = fromBinId === undefined || toBinId === undefined ? 1n : BigInt(toBinId - fromBinId + 1);
  return { amountXRaw: amountXRaw < bins ? 0n : amountXRaw, amountYRaw: amountYRaw < bins ? 0n : amountYRaw };
}

/** Whether the tokens are worth next to nothing by the pool's prices. False without prices. */
function isTooLittle({ amountXRaw, amountYRaw }: TokensAtHand, { pool, solUsd }: Known): boolean {
  const [tokenX, tokenY] = pool?.tokens ?? [];
  const priceOfSol = [tokenX, tokenY].find((token) => token?.address === WRAPPED_SOL_MINT)?.priceUsd ?? solUsd;
  const worthOf = (raw: bigint, token: PoolTokenFacts | undefined): number => {
    if (raw === 0n || token?.address === WRAPPED_SOL_MINT) {
      return Number(raw);
    }
    const { priceUsd, decimals } = token ?? {};
    return priceUsd === undefined || decimals === undefined || priceOfSol === undefined || !(priceOfSol > 0)
      ? Number.NaN
      : ((Number(raw) / 10 ** decimals) * priceUsd * Number(LAMPORTS_PER_SOL)) / priceOfSol;
  };
  return worthOf(amountXRaw, tokenX) + worthOf(amountYRaw, tokenY) < Number(LEAST_LAMPORTS);
}

/** The bins that the available tokens can fill: token X alone above the price, token Y alone below it. */
function remainingRange(
  { fromBinId, toBinId }: RemainingRange,
  { amountXRaw, amountYRaw }: TokensAtHand,
  activeBinId: number | undefined,
): RemainingRange | undefined {
  if (fromBinId === undefined || toBinId === undefined || (amountXRaw > 0n && amountYRaw > 0n)) {
    return { fromBinId, toBinId };
  }
  if (activeBinId === undefined) {
    return undefined;
  }
  const range =
    amountXRaw > 0n
      ? { fromBinId: Math.max(fromBinId, activeBinId + 1), toBinId }
      : { fromBinId, toBinId: Math.min(toBinId, activeBinId - 1) };
  return range.fromBinId > range.toBinId ? undefined : range;
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
