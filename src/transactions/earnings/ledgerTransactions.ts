import { type Flows, flowsOf, type FlowTransaction, type RawTransaction } from '../../base/insight/flows';
import type { AmountsByMint, LedgerTransaction } from '../../base/insight/ledger';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { paidToOthers } from './commission';
import type { LoggedFlow } from './loggedFlows';

/** The pool of a chain of positions. */
export interface EarningsPool {
  readonly address: string;
  readonly poolType: 'dlmm' | 'dammV2' | 'other';
  readonly x: string;
  readonly y: string;
  readonly decimalsX: number;
  readonly decimalsY: number;
  /** Basis points; `undefined` in pools without bins. */
  readonly binStepBps: number | undefined;
}

/** How many of the positions that a claim worked on belong to the chain. */
export interface ClaimShare {
  readonly own: number;
  readonly all: number;
}

export interface LedgerSource {
  readonly owner: string;
  readonly pool: EarningsPool;
  readonly positions: readonly string[];
  readonly transactions: readonly RawTransaction[];
  /** Events of the positions, by the service. */
  readonly logged: readonly LoggedFlow[];
  /** By signature: claims that took fees of other positions, too. */
  readonly sharedClaims: ReadonlyMap<string, ClaimShare>;
}

/** Why transactions are not a ledger's. */
type NotReadable = Extract<Flows, { known: false }> | { readonly known: false; readonly why: 'incomplete' };

/** Transactions of an operation follow each other within this time, seconds: the price of one counts for the others. */
const SAME_MOMENT_S = 120;
/** The largest part of claimed fees that counts as a commission: LP Agent takes 8%. */
const MOST_COMMISSION = { of: 10n, parts: 1n } as const;
/** The part by which the flows of the transactions may differ from the events that the service reports: some services round. */
const ROUNDING_PARTS = 1_000n;

/**
 * The transactions of a chain of positions, for the ledger. What the pool gave and took is from the programs' own events, or by the service's where
 * a transaction has none; both must agree in sum, or transactions are missing.
 */
export function ledgerTransactionsOf(
  source: LedgerSource,
): NotReadable | { readonly known: true; readonly transactions: readonly LedgerTransaction[] } {
  const { owner, pool, positions, transactions: raws, logged } = source;
  const nfts = new Set(pool.poolType === 'dammV2' ? raws.flatMap((raw) => nftsIn(raw, owner, [pool.x, pool.y])) : []);
  const flows = flowsOf({
    owner,
    pool: { ...pool },
    // Rent of the mint of an NFT comes back with that of its position.
    positions: [...positions, ...nfts],
    transactions: raws,
  });
  if (!flows.known) {
    return flows;
  }
  const withPools = flows.transactions.map((flow) =>
    withPool(
      flow,
      logged.filter(({ signature }) => signature === flow.signature),
      nfts,
    ),
  );
  if (!addsUp(withPools, logged, pool)) {
    return { known: false, why: 'incomplete' };
  }
  const rawOf = new Map(raws.map((raw) => [raw.transaction.signatures[0] ?? '', raw]));
  const priced = withPrices(withPools, logged);
  return {
    known: true,
    transactions: priced.map((one) => {
      const share = source.sharedClaims.get(one.signature);
      const raw = rawOf.get(one.signature);
      return share !== undefined
        ? shareOfClaim(one, share)
        : { ...one, commission: raw === undefined ? [] : commissionIn(paidToOthers(raw, owner), one, priced) };
    }),
  };
}

/** Mints, besides those of the pool, of which a wallet has got or given the only unit: the NFTs that positions of DAMM v2 are. */
export function nftsIn({ meta }: RawTransaction, owner: string, ofPool: readonly string[]): readonly string[] {
  const units = (list: NonNullable<RawTransaction['meta']>['preTokenBalances']): readonly string[] =>
    (list ?? [])
      .filter((one) => one.owner === owner && one.amount === 1n && ![...ofPool, WRAPPED_SOL_MINT].includes(one.mint))
      .map(({ mint }) => mint);
  const [before, after] = [units(meta?.preTokenBalances), units(meta?.postTokenBalances)];
  return [...before.filter((mint) => !after.includes(mint)), ...after.filter((mint) => !before.includes(mint))];
}

/** With what the pool gave and took by its own events, or by the service's where it emits none, and without the NFTs of positions. */
export function withPool(flow: FlowTransaction, logged: readonly LoggedFlow[], nfts: ReadonlySet<string>): FlowTransaction {
  const hasEvents = Object.keys(flow.pool).length > 0;
  const sumOf = (kind: LoggedFlow['kind']): AmountsByMint | undefined => {
    const amounts = logged.filter((one) => one.kind === kind).map((one) => one.amounts);
    return amounts.length === 0 ? undefined : amounts.reduce(addedAmounts);
  };
  return {
    ...flow,
    tokens: flow.tokens.filter(({ mint, change }) => !(nfts.has(mint) && (change === 1n || change === -1n))),
    pool: hasEvents ? flow.pool : { in: sumOf('in'), out: sumOf('out'), fees: sumOf('fees') },
  };
}

export function addedAmounts(one: AmountsByMint, other: AmountsByMint): AmountsByMint {
  const mints = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(mints.map((mint) => [mint, (one[mint] ?? 0n) + (other[mint] ?? 0n)]));
}

/** Whether the transactions have moved what the service reports of all events. */
function addsUp(flows: readonly FlowTransaction[], logged: readonly LoggedFlow[], { x, y }: EarningsPool): boolean {
  return (['in', 'out', 'fees'] as const).every((kind) => {
    const events = logged.filter((one) => one.kind === kind);
    return [x, y].every((mint) => {
      // The service says what was paid.
      const besideOf = ({ transferFees }: FlowTransaction): bigint => (kind === 'in' ? (transferFees?.besideDeposit[mint] ?? 0n) : 0n);
      const ours = flows.reduce((sum, flow) => sum + (flow.pool[kind]?.[mint] ?? 0n) + besideOf(flow), 0n);
      const theirs = events.reduce((sum, { amounts }) => sum + (amounts[mint] ?? 0n), 0n);
      const difference = ours > theirs ? ours - theirs : theirs - ours;
      return difference <= theirs / ROUNDING_PARTS + BigInt(events.length);
    });
  });
}

/**
 * Each with the prices of the pool in it, of the service for it, or of another one of the same moment. A claim alone takes the nearest known prices,
 * since its events in DAMM v2 have none: they decide only how its fees are divided between two lines, not what the lines add up to.
 */
function withPrices(flows: readonly FlowTransaction[], logged: readonly LoggedFlow[]): readonly FlowTransaction[] {
  const known = [
    ...flows.flatMap(({ timeS, prices }) => (prices === undefined ? [] : [{ timeS, prices }])),
    ...logged.flatMap(({ timeS, prices }) => (timeS === undefined || Object.keys(prices).length === 0 ? [] : [{ timeS, prices }])),
  ];
  return flows.map((flow) => {
    const mostS = isClaimAlone(flow) ? Infinity : SAME_MOMENT_S;
    const near = known
      .filter(({ timeS }) => Math.abs(timeS - flow.timeS) <= mostS)
      .sort((one, other) => Math.abs(one.timeS - flow.timeS) - Math.abs(other.timeS - flow.timeS));
    const own = logged.find(({ signature, prices }) => signature === flow.signature && Object.keys(prices).length > 0)?.prices;
    const prices = flow.prices ?? own ?? near[0]?.prices;
    const solUsd = solUsdAt(flow, logged);
    return { ...flow, ...(prices === undefined ? {} : { prices }), ...(solUsd === undefined ? {} : { solUsd }) };
  });
}

/** The price of SOL in the moment of a transaction, by the service. */
function solUsdAt({ signature, timeS }: FlowTransaction, logged: readonly LoggedFlow[]): number | undefined {
  const away = (one: LoggedFlow): number => (one.signature === signature ? 0 : Math.abs((one.timeS ?? Infinity) - timeS));
  const [nearest] = logged
    .filter((one) => one.solUsd !== undefined && away(one) <= SAME_MOMENT_S)
    .sort((one, other) => away(one) - away(other));
  return nearest?.solUsd;
}

/** Whether all tokens that came are fees, and nothing was deposited, withdrawn or traded. */
function isClaimAlone({ pool: { in: into, out, fees }, tokens }: FlowTransaction): boolean {
  return (
    fees !== undefined &&
    into === undefined &&
    out === undefined &&
    tokens.every(({ mint, change }) => mint === WRAPPED_SOL_MINT || change === (fees[mint] ?? 0n))
  );
}

/**
 * The part of a claim of several positions that belongs to the chain: its own fees, and its share of the costs. A claim moves nothing else, as its
 * review has proven.
 */
function shareOfClaim(flow: FlowTransaction, { own, all }: ClaimShare): LedgerTransaction {
  const part = (lamports: bigint): bigint => (lamports * BigInt(own)) / BigInt(all);
  const [fee, tip] = [part(flow.feeLamports), part(flow.tipLamports)];
  const rent = { locked: part(flow.rent.locked), refunded: part(flow.rent.refunded), spent: part(flow.rent.spent) };
  return {
    ...flow,
    lamports: rent.refunded - rent.locked - rent.spent - fee - tip,
    tokens: Object.entries(flow.pool.fees ?? {}).map(([mint, change]) => ({ mint, change })),
    feeLamports: fee,
    tipLamports: tip,
    rent,
  };
}

/** What of the payments to others is a commission: at most a part of the fees that were claimed in the same moment. */
function commissionIn(
  paid: ReturnType<typeof paidToOthers>,
  { timeS }: FlowTransaction,
  flows: readonly FlowTransaction[],
): NonNullable<LedgerTransaction['commission']> {
  const feesOf = (mint: string): bigint =>
    flows.filter((one) => Math.abs(one.timeS - timeS) <= SAME_MOMENT_S).reduce((sum, { pool: { fees } }) => sum + (fees?.[mint] ?? 0n), 0n);
  return paid.filter(({ mint, raw }) => raw > 0n && raw * MOST_COMMISSION.of <= feesOf(mint) * MOST_COMMISSION.parts);
}
