import assert from 'node:assert/strict';
import fc from 'fast-check';
import { priceQ64OfBin } from '../../../../src/base/dlmm/bins';
import type { Amounts, TokenSide, Trade } from '../../../../src/sandbox/market/types';
import { anySteps, PEOPLE, Play, REACH, type Step } from '../../../support/sandbox/market/bins/steps';
import { binWorld } from '../../../support/sandbox/market/bins/common';

/** Fractions are kept with so many bits: as good as exact. */
const BITS = 256n;
const BILLION = 1_000_000_000n;
const BASE_RATE = 2_000_000n;

/** The last bin that a trade from `start` may empty; `undefined` where it has nowhere to go. */
function lastBinOf(step: Step, start: number): number | undefined {
  switch (step.kind) {
    case 'swap':
      return step.sells === 'x' ? -2 * REACH : 2 * REACH;
    case 'swapToBin':
      return step.binId === start ? undefined : step.binId + Math.sign(start - step.binId);
    case 'swapTo': {
      const bins = Math.abs(step.bins - Math.round(step.bins)) < 1e-6 ? Math.round(step.bins) : step.bins;
      return bins === start ? undefined : bins > start ? Math.floor(bins) : Math.ceil(bins);
    }
    default:
      return undefined;
  }
}

const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b;
const other = (side: TokenSide): TokenSide => (side === 'x' ? 'y' : 'x');

/**
 * Trades bin by bin in the plainest way, and credits each bin's fee at once to everybody who has shares in it, pro rata.
 * Knows nothing of counters, bin arrays or working sets.
 */
class SlowFees {
  /** By person, with {@link BITS} bits after the point. */
  readonly earned = Array.from({ length: PEOPLE }, () => ({ x: 0n, y: 0n }));
  /** How far what one person gets may be away from that, by token: roundings, and that parts of a share do not count. */
  readonly tolerance = { x: 0n, y: 0n };
  #reference = 0;
  #referenceBin = 0;
  #accumulator = 0;
  #movedAt = 0;

  /** Every bin's fees are rounded once. */
  settles(range: { fromBinId: number; toBinId: number }): void {
    const bins = BigInt(Math.min(range.toBinId, 2 * REACH) - Math.max(range.fromBinId, -2 * REACH) + 1);
    this.tolerance.x += bins;
    this.tolerance.y += bins;
  }

  /** A deposit into the active bin brings the volatility up to date, as a trade does. */
  deposits({ pool, now }: Play, { from, width, x, y }: Extract<Step, { kind: 'deposit' }>): void {
    const { activeBinId } = pool;
    if (from <= activeBinId && activeBinId < from + width && x + y > 0n) {
      this.#refer(activeBinId, now);
      this.#accumulate(activeBinId);
    }
  }

  trades(play: Play, step: Step): (trade: Trade) => void {
    const { pool } = play;
    const start = pool.activeBinId;
    const bins = new Map(
      Array.from({ length: 4 * REACH + 1 }, (_, place) => [place - 2 * REACH, { ...pool.binAmounts(place - 2 * REACH) }]),
    );
    return (trade) => {
      const { sells } = trade;
      const end = lastBinOf(step, start);
      if (end === undefined) {
        assert.deepEqual([trade.amountIn, trade.amountOut, pool.activeBinId], [0n, 0n, start]);
        return;
      }
      const buys = other(sells);
      const down = sells === 'x' ? -1 : 1;
      let left = step.kind === 'swap' ? step.amount : undefined;
      let [paid, got, fees, toProtocol] = [0n, 0n, 0n, 0n];
      if (trade.amountIn > 0n) {
        this.#refer(start, play.now);
      }
      for (let binId = start; (end - binId) * down >= 0 && left !== 0n; binId += down) {
        const bin = bins.get(binId);
        if (bin === undefined || bin[buys] === 0n) {
          continue;
        }
        this.#accumulate(binId);
        const variable = ceilDiv(40_000n * (BigInt(this.#accumulator) * 20n) ** 2n, 100n * BILLION);
        const rate = BASE_RATE + variable > BILLION / 10n ? BILLION / 10n : BASE_RATE + variable;
        const price = priceQ64OfBin(binId, 20);
        const worth = (amount: bigint) => (sells === 'x' ? (amount * price) >> 64n : (amount << 64n) / price);
        const cost = sells === 'x' ? ceilDiv(bin.y << 64n, price) : ceilDiv(bin.x * price, 1n << 64n);
        let fee = ceilDiv(cost * rate, BILLION - rate);
        let [pays, gets] = [cost + fee, bin[buys]];
        if (left !== undefined && left - ceilDiv(left * rate, BILLION) <= cost) {
          fee = ceilDiv(left * rate, BILLION);
          pays = left;
          gets = pays - fee === cost ? bin[buys] : worth(pays - fee);
        }
        const protocol = (fee * 500n) / 10_000n;
        const counted = this.#credit(play, binId, sells, fee - protocol);
        bin[sells] += pays - fee + (counted ? 0n : fee - protocol);
        bin[buys] -= gets;
        paid += pays;
        got += gets;
        fees += fee;
        toProtocol += protocol;
        left = left === undefined ? undefined : left - pays;
      }
      assert.deepEqual([trade.amountIn, trade.amountOut, trade.fees[sells], trade.protocolFees[sells]], [paid, got, fees, toProtocol]);
      bins.forEach((amounts, binId) => assert.deepEqual(pool.binAmounts(binId), amounts, `bin ${binId}`));
      if (pool.activeBinId !== start && trade.amountIn > 0n) {
        this.#movedAt = Math.floor(play.now / 1_000);
      }
    };
  }

  #refer(activeBinId: number, now: number): void {
    const elapsed = Math.floor(now / 1_000) - this.#movedAt;
    if (elapsed >= 30) {
      this.#reference = elapsed < 600 ? Math.floor(this.#accumulator / 2) : 0;
      this.#referenceBin = activeBinId;
    }
  }

  #accumulate(binId: number): void {
    this.#accumulator = Math.min(this.#reference + 10_000 * Math.abs(this.#referenceBin - binId), 350_000);
  }

  /** Shares a fee out, unless the bin has less than one whole share: then it stays in the bin. */
  #credit({ holdings }: Play, binId: number, token: TokenSide, fee: bigint): boolean {
    const shares = holdings.map((of) => of.bins[binId - of.lowerBinId]?.shares ?? 0n);
    const supply = shares.reduce((a, b) => a + b);
    if (supply >> 64n === 0n) {
      return false;
    }
    shares.forEach((of, who) => {
      const earned = this.earned[who];
      if (earned !== undefined) {
        earned[token] += ((fee * of) << BITS) / supply;
      }
    });
    this.tolerance[token] += ceilDiv(fee, supply >> 64n) + 1n;
    return true;
  }
}

describe('Fees in a bin pool', function () {
  it('Fees match a slow recomputation per holder up to rounding, and never exceed it in sum', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const { pool } = binWorld();
        const slow = new SlowFees();
        const play = new Play(pool, {
          settles: (_, range) => slow.settles(range),
          deposits: (of, step) => slow.deposits(of, step),
          trades: (of, step) => slow.trades(of, step),
        });
        steps.forEach((step) => play.play(step));
        play.end();
        const real = play.collected;
        for (const token of ['x', 'y'] as const) {
          const sum = (of: readonly Amounts[]) => of.reduce((added, amounts) => added + amounts[token], 0n);
          assert.ok(sum(real) << BITS <= sum(slow.earned) + (1n << (BITS - 64n)), `more ${token} than there is`);
          real.forEach((amounts, who) => {
            const due = (slow.earned[who]?.[token] ?? 0n) >> BITS;
            const difference = amounts[token] - due;
            const tolerance = slow.tolerance[token];
            assert.ok(
              difference <= tolerance && -difference <= tolerance,
              `${amounts[token]} ${token} for ${who}, not ${due} ± ${tolerance}`,
            );
          });
        }
      }),
      { numRuns: 150 },
    );
  });
});
