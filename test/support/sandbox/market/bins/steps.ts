import fc from 'fast-check';
import type { Amounts, BinHolding, BinPool, TokenSide, Trade } from '../../../../../src/sandbox/market/types';
import { ALL_BINS, holdingOver, NOON, plus } from './common';

/** Bins that random sequences play in, around bin 0. */
export const REACH = 60;
export const PEOPLE = 3;

/** Something that can happen to a pool. */
export type Step =
  | {
      readonly kind: 'deposit';
      readonly who: number;
      readonly from: number;
      readonly width: number;
      readonly x: bigint;
      readonly y: bigint;
    }
  | { readonly kind: 'withdraw'; readonly who: number; readonly from: number; readonly width: number; readonly bps: number }
  | { readonly kind: 'collect'; readonly who: number }
  | { readonly kind: 'swap'; readonly sells: TokenSide; readonly amount: bigint }
  | { readonly kind: 'swapTo'; readonly bins: number }
  | { readonly kind: 'swapToBin'; readonly binId: number }
  | { readonly kind: 'wait'; readonly seconds: number };

const who = fc.nat(PEOPLE - 1);
const from = fc.integer({ min: -REACH, max: REACH });
const width = fc.integer({ min: 1, max: 40 });
const amount = (max: bigint): fc.Arbitrary<bigint> => fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max }));

const anyTrade: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('swap' as const), sells: fc.constantFrom('x' as const, 'y' as const), amount: amount(60_000_000n) }),
  fc.record({ kind: fc.constant('swapTo' as const), bins: fc.double({ min: -REACH, max: REACH, noNaN: true }) }),
  fc.record({ kind: fc.constant('swapToBin' as const), binId: from }),
);
const anyDeposit: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('deposit' as const),
  who,
  from,
  width,
  x: amount(10_000_000n),
  y: amount(10_000_000n),
});

/** Any sequence, with something in the pool to begin with. */
export const anySteps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(anyDeposit, { minLength: 1, maxLength: 3 }),
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: anyDeposit },
        {
          weight: 2,
          arbitrary: fc.record({
            kind: fc.constant('withdraw' as const),
            who,
            from,
            width,
            bps: fc.oneof(fc.constantFrom(10_000, 9_999, 1), fc.nat(10_000)),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('collect' as const), who }) },
        { weight: 6, arbitrary: anyTrade },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 29, 31, 601) }) },
      ),
      { maxLength: 40 },
    ),
  )
  .map(([first, then]) => [...first, ...then]);

/** Hears what a {@link Play} does. */
export interface Watcher {
  /** Before somebody's shares in these bins change, or their fees are settled. */
  settles?(play: Play, range: { readonly fromBinId: number; readonly toBinId: number }): void;
  /** After a deposit. */
  deposits?(play: Play, step: Extract<Step, { kind: 'deposit' }>): void;
  /** Before a trade. Gives what is to be called after it. */
  trades?(play: Play, step: Step): (trade: Trade) => void;
}

/** Plays steps on a pool, with one holding for each of the people, and keeps account of what went in and came out. */
export class Play {
  now = NOON;
  put: Amounts = { x: 0n, y: 0n };
  taken: Amounts = { x: 0n, y: 0n };
  readonly holdings: readonly BinHolding[];
  /** What each has collected. */
  readonly collected: Amounts[];

  readonly #watcher: Watcher;

  constructor(
    readonly pool: BinPool,
    watcher: Watcher = {},
  ) {
    this.#watcher = watcher;

    this.holdings = Array.from({ length: PEOPLE }, () => holdingOver(pool, -2 * REACH, 2 * REACH));
    this.collected = this.holdings.map(() => ({ x: 0n, y: 0n }));
  }

  holding(of: number): BinHolding {
    const found = this.holdings[of];
    if (found === undefined) {
      throw new RangeError(`No one is ${of}`);
    }
    return found;
  }

  play(step: Step): void {
    const { pool } = this;
    switch (step.kind) {
      case 'deposit':
        this.#deposit(step);
        break;
      case 'withdraw':
        this.#withdraw(step.who, { fromBinId: step.from, toBinId: step.from + step.width - 1 }, step.bps);
        break;
      case 'collect':
        this.#collect(step.who);
        break;
      case 'swap':
        this.#trade(step, () => pool.swap(step.sells, step.amount, this.now));
        break;
      case 'swapTo':
        this.#trade(step, () => pool.swapTo(1.002 ** step.bins, this.now));
        break;
      case 'swapToBin':
        this.#trade(step, () => pool.swapToBin(step.binId, this.now));
        break;
      case 'wait':
        this.now += step.seconds * 1_000;
        break;
    }
  }

  /** Everybody leaves. */
  end(): void {
    this.holdings.forEach((_, who) => {
      this.#withdraw(who, ALL_BINS, 10_000);
      this.#collect(who);
    });
  }

  #deposit(step: Extract<Step, { kind: 'deposit' }>): void {
    const { pool } = this;
    const { who, from, width, x, y } = step;
    this.#watcher.settles?.(this, { fromBinId: from, toBinId: from + width - 1 });
    const bins = Array.from({ length: width }, (_, place) => {
      const binId = from + place;
      return { binId, amountX: binId >= pool.activeBinId ? x : 0n, amountY: binId <= pool.activeBinId ? y : 0n };
    });
    this.put = plus(this.put, pool.deposit(this.holding(who), bins, this.now));
    this.#watcher.deposits?.(this, step);
  }

  #withdraw(who: number, range: { fromBinId: number; toBinId: number }, bps: number): void {
    this.#watcher.settles?.(this, range);
    this.taken = plus(this.taken, this.pool.withdraw(this.holding(who), range, bps));
  }

  #collect(who: number): void {
    this.#watcher.settles?.(this, ALL_BINS);
    const fees = this.pool.collect(this.holding(who));
    this.taken = plus(this.taken, fees);
    this.collected[who] = plus(this.collected[who] ?? fees, fees);
  }

  #trade(step: Step, run: () => Trade): void {
    const after = this.#watcher.trades?.(this, step);
    const trade = run();
    const { sells, amountIn, amountOut } = trade;
    this.put = plus(this.put, sells === 'x' ? { x: amountIn, y: 0n } : { x: 0n, y: amountIn });
    this.taken = plus(this.taken, sells === 'x' ? { x: 0n, y: amountOut } : { x: amountOut, y: 0n });
    after?.(trade);
  }
}
