import type { Address } from '../../base/solana/address';
import type { UsdAndNative } from '../../engine/state/figures';
import type { EventFacts } from '../../engine/state/positionState';
import { SECOND_MS } from '../../base/time';
import type { DataAmount, DataFlow, DataPosition, DataPositionEvent } from '../dataApi/types';
import type { IndexedEvent, IndexedPosition, TokenAmounts } from '../index/types';
import type { OnchainPool } from '../pools/types';
import type { PublicWallet } from '../positions/publicPositions';

// Positions as Meteora's public data reports them. The chain's own figures take their place as soon as the index has read them.

/** A position, and what the public data reports of it. */
export interface ReportedPosition extends IndexedPosition {
  readonly reported?: DataPosition | undefined;
}

/** The positions of an owner from the index, and those that only the public data has. */
export function withReported(
  indexed: readonly IndexedPosition[],
  wallet: PublicWallet | undefined,
  owner: Address,
): readonly ReportedPosition[] {
  if (wallet === undefined) {
    return indexed;
  }
  const lives = new Map<Address, number>();
  indexed.forEach(({ address }) => lives.set(address, (lives.get(address) ?? 0) + 1));
  const others = [...wallet.positions.values()].filter(({ address }) => !lives.has(address));
  return [
    // A report adds up what all positions of an address did: it stands in for none of several, and contradicts none.
    ...indexed.map((position) => joined(position, lives.get(position.address) === 1 ? wallet.positions.get(position.address) : undefined)),
    ...others.map((reported) => positionOf(reported, owner)),
  ];
}

/** What the chain has, where it is whole or newer; else what is reported. */
function joined(position: IndexedPosition, reported: DataPosition | undefined): ReportedPosition {
  if (reported === undefined || (position.closed && !reported.isClosed)) {
    return position;
  }
  const { owner, strategy, hasClaimedRewards } = position;
  return position.complete ? { ...position, reported } : { ...positionOf(reported, owner), strategy, hasClaimedRewards };
}

/** A position of which nothing but the report is known: its times, and no amounts of single events. */
export function positionOf(reported: DataPosition, owner: Address): ReportedPosition {
  const { address, pool, lowerBinId, upperBinId, createdAtS, closedAtS, isClosed } = reported;
  const at = (kind: 'create' | 'close', blockTimeS: number | undefined): readonly IndexedEvent[] =>
    blockTimeS === undefined
      ? []
      : [{ kind, amounts: NOTHING, order: blockTimeS, slot: 0, signature: '', blockTimeS, rawPrice: undefined }];
  return {
    address,
    pool,
    program: 'dlmm',
    owner,
    range: { lowerBinId, upperBinId },
    strategy: undefined,
    closed: isClosed,
    complete: false,
    hasClaimedRewards: false,
    reported,
    events: [...at('create', createdAtS), ...(isClosed ? at('close', closedAtS) : [])],
  };
}

const NOTHING: TokenAmounts = { x: 0n, y: 0n };

/** The worth of what went one way, as the public data values it. */
export function worthOfFlow({ usd, sol }: DataFlow): UsdAndNative {
  return { usd: usd ?? null, native: sol ?? null };
}

/**
 * Whether the public data contradicts the chain about a closed position: other amounts of tokens went in or out. Its figures have the noise of floating
 * point, so one unit more or less of each event is none.
 */
export function isContradicted({ reported, complete, closed, events }: ReportedPosition, { x, y }: Pick<OnchainPool, 'x' | 'y'>): boolean {
  if (reported === undefined || !complete || !closed || !reported.isClosed) {
    return false;
  }
  const flows = [
    ['deposit', reported.deposits],
    ['withdrawal', reported.withdrawals],
  ] as const;
  return flows.some(([kind, flow]) => {
    const own = events.filter((event) => event.kind === kind);
    const isOther = (side: 'x' | 'y', decimals: number): boolean => {
      const sum = own.reduce((total, { amounts }) => total + amounts[side], 0n);
      const told = rawOf(flow[side], decimals);
      return told === undefined || told > sum + BigInt(own.length) || told < sum - BigInt(own.length);
    };
    return isOther('x', x.decimals) || isOther('y', y.decimals);
  });
}

const REPORTED_ACTIONS: Readonly<Partial<Record<DataPositionEvent['kind'], EventFacts['action']>>> = {
  add: 'add_liquidity',
  remove: 'remove_liquidity',
  claim_fee: 'claim_fee',
};

/** Reported events as those of logs, oldest first; without rewards, as there. `undefined`: an amount cannot be read, and a list without it would look whole. */
export function reportedEvents(
  events: readonly DataPositionEvent[],
  { x, y }: Pick<OnchainPool, 'x' | 'y'>,
): readonly EventFacts[] | undefined {
  const read = [...events]
    .sort(({ place: [slot, at] }, { place: [otherSlot, otherAt] }) => slot - otherSlot || at - otherAt)
    .flatMap((event): readonly (EventFacts | undefined)[] => {
      const action = REPORTED_ACTIONS[event.kind];
      if (action === undefined) {
        return [];
      }
      const amounts = { x: rawOf(event.x.amount, x.decimals), y: rawOf(event.y.amount, y.decimals) };
      return amounts.x === undefined || amounts.y === undefined
        ? [undefined]
        : [
            {
              action,
              at: event.timeS * SECOND_MS,
              amounts: { x: amounts.x, y: amounts.y },
              usd0: priceIn(event.x),
              usd1: priceIn(event.y),
              usdSol: null,
              bps: null,
              signature: event.signature,
              isReported: true,
            },
          ];
    });
  const known = read.filter((event) => event !== undefined);
  return known.length === read.length ? known : undefined;
}

/** US dollars for a whole token. */
function priceIn({ amount, usd }: DataAmount): number | null {
  const price = usd === undefined ? NaN : usd / Number(amount);
  return Number.isFinite(price) && price > 0 ? price : null;
}

/** Raw amount of whole tokens, rounded: the text may have more places than the token. `undefined`: it is none. */
function rawOf(text: string, decimals: number): bigint | undefined {
  const plain = text.includes('e') ? Number(text).toFixed(decimals) : text;
  const [, whole, places = ''] = /^(\d+)(?:\.(\d+))?$/.exec(plain) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  const isUp = Number(places[decimals] ?? 0) >= ROUNDED_UP;
  return BigInt(whole + places.slice(0, decimals).padEnd(decimals, '0')) + (isUp ? 1n : 0n);
}

const ROUNDED_UP = 5;
