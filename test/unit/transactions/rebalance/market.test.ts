import assert from 'node:assert/strict';
import { uiPriceOfBin } from '../../../../src/base/dlmm/bins';
import type { Address } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import type { SolanaRpc } from '../../../../src/rpc/types';
import type { PoolInfo } from '../../../../src/service/poolInfo';
import type { OpenPosition } from '../../../../src/service/positions';
import { type ReentryCosts, reentryCosts } from '../../../../src/transactions/rebalance/costs';
import { poolTokens, priceDriftWarnings, walletByRpc } from '../../../../src/transactions/rebalance/market';
import { addressOf, OWNER } from '../../../support/portfolio/fixtures';
import { MINT } from '../../../support/review/bundles';
import { thePosition } from '../../../support/transactions/harness';

const SOL_USD = 150;
const STEP = 100;
const BIN = -300;
const PRICE_X = uiPriceOfBin(BIN, STEP, 9, 9) * SOL_USD;

/** A position above its range: all of it is SOL, so that its zap-out swaps nothing, and no price of the other token is tried. */
const POSITION_SHOWN = thePosition({
  owner: OWNER,
  lowerBinId: -340,
  upperBinId: -320,
  activeBinId: BIN,
  binStepBps: STEP,
  inRange: false,
  price0Usd: PRICE_X,
  price1Usd: SOL_USD,
  amount0: 0,
  amount1: 2,
  value: { usd: 300, native: 2 },
  uncollectedFee: { usd: 3, native: 0.02 },
});

function info(
  part: { readonly priceXUsd?: number; readonly priceYUsd?: number; readonly tokenX?: OpenPosition['token0']['address'] } = {},
): PoolInfo {
  const nothing = { symbol: 'T', name: undefined, marketCapUsd: undefined, fdvUsd: undefined, organicScore: undefined, holders: undefined };
  return {
    poolType: 'dlmm',
    protocol: 'meteora',
    amountX: undefined,
    amountY: undefined,
    bins: [],
    feeStats: [],
    statistics: {},
    tokens: [
      { ...nothing, address: part.tokenX ?? MINT, decimals: 9, priceUsd: part.priceXUsd ?? PRICE_X },
      { ...nothing, address: WRAPPED_SOL_MINT, decimals: 9, priceUsd: part.priceYUsd ?? SOL_USD },
    ],
    fees: { basePercent: undefined, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
    activeBin: { binId: BIN, price: undefined },
  };
}

function doubts({
  position = POSITION_SHOWN,
  lamportsBack = 2_080_000_000n,
  activeBinId = BIN,
  details = info(),
}: {
  readonly position?: OpenPosition;
  readonly lamportsBack?: bigint;
  readonly activeBinId?: number;
  readonly details?: PoolInfo;
} = {}): readonly string[] {
  return priceDriftWarnings({
    position,
    before: { fromBinId: -340, toBinId: -320 },
    lamportsBack,
    info: details,
    activeBinId,
    tokens: poolTokens(details, position, undefined),
  });
}

describe('rebalance: re-entry under the consent to the zap-out', () => {
  it('The re-entry uses the prices that the user was shown, not later ones', () => {
    const { prices } = poolTokens(info({ priceXUsd: PRICE_X * 40, priceYUsd: SOL_USD / 40 }), POSITION_SHOWN, undefined);
    assert.deepEqual([prices.priceXUsd, prices.priceYUsd], [PRICE_X, SOL_USD]);
    const later = poolTokens(info({ priceXUsd: 7 }), { ...POSITION_SHOWN, price0Usd: undefined }, undefined);
    assert.equal(later.prices.priceXUsd, 7, 'where none was shown there is no other');
  });

  it('The consent to the zap-out covers the re-entry if only small changes happened', () => {
    assert.deepEqual(doubts(), []);
    assert.deepEqual(doubts({ lamportsBack: 1_000_000_000n, activeBinId: BIN + 4 }), []);
    assert.deepEqual(doubts({ lamportsBack: 2_582_406_080n }), [], 'a quarter more, and the rent');
  });

  const spoiled: readonly [string, RegExp, Parameters<typeof doubts>[0]][] = [
    [
      'proceeds above the shown worth of the position',
      /^3 SOL came back, but the position was shown at 2\.0200 SOL: some may not be from it\.$/,
      { lamportsBack: 3_000_000_000n },
    ],
    [
      'proceeds above the worth in dollars, though not in SOL',
      /^100 SOL came back/,
      { lamportsBack: 100_000_000_000n, position: { ...POSITION_SHOWN, value: { usd: 300, native: 100 } } },
    ],
    [
      'a position without a shown worth',
      /What came back cannot be checked/,
      { position: { ...POSITION_SHOWN, value: { usd: undefined, native: undefined } } },
    ],
    [
      'a range far from the shown one',
      /^The active bin is -200 now; it was -300 when you approved\.$/,
      { activeBinId: -200, position: { ...POSITION_SHOWN, price0Usd: undefined }, details: { ...info(), tokens: [] } },
    ],
    ['a range if none was shown', /the new range cannot be checked/, { position: { ...POSITION_SHOWN, activeBinId: undefined } }],
    ['swaps at a price other than that of the pool', /contradict each other/, { position: { ...POSITION_SHOWN, price0Usd: PRICE_X * 40 } }],
    ['other tokens', /^The service names other tokens/, { details: info({ tokenX: addressOf(77) }) }],
  ];
  for (const [what, words, of] of spoiled) {
    it(`The consent to the zap-out does not cover ${what}`, () => {
      const found = doubts(of);
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', words);
    });
  }

  it('The consent does not cover a re-entry with invalid figures', () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0]) {
      assert.equal(
        doubts({ position: { ...POSITION_SHOWN, value: { usd: odd, native: odd }, uncollectedFee: { usd: undefined, native: undefined } } })
          .length,
        1,
        `worth ${odd}`,
      );
      assert.equal(doubts({ position: { ...POSITION_SHOWN, price0Usd: odd } }).length, 1, `price ${odd}`);
      assert.ok(doubts({ position: { ...POSITION_SHOWN, binStepBps: odd } }).length > 0, `step ${odd}`);
    }
  });
});

describe('rebalance: what the accounts of a re-entry cost', () => {
  const question = {
    owner: OWNER,
    pool: addressOf(500),
    tokens: { tokenX: MINT, tokenY: WRAPPED_SOL_MINT },
    range: { fromBinId: -10, toBinId: 79 },
  };
  /** A node that knows the mint, as one of Token-2022, and nothing else. */
  const nodeWith = (rentRate: () => Promise<RentRate>): SolanaRpc =>
    ({
      rentRate,
      accounts: ({ addresses }: { readonly addresses: readonly Address[] }) =>
        Promise.resolve({
          slot: 1n,
          value: addresses.map((at) => (at === MINT ? { lamports: 1n, program: PROGRAMS.token2022, data: new Uint8Array() } : undefined)),
        }),
    }) as Partial<SolanaRpc> as SolanaRpc;
  const costsBy = async (rentRate: () => Promise<RentRate>): Promise<ReentryCosts> => {
    const { missing } = await walletByRpc(question, nodeWith(rentRate), new AbortController().signal);
    return reentryCosts(question.range, missing);
  };

  for (const rate of [6_333n, 5_080n, 2_575n]) {
    it(`The costs are what the chain asks for at ${rate} lamports a byte`, async () => {
      const { parts, lentLamports } = await costsBy(() => Promise.resolve(RentRate.ofLamportsPerByte(rate)));
      const [position, arrays, tokens] = parts;
      assert.equal(position?.lamports, (8_248n + 20n * 112n) * rate);
      assert.equal(arrays?.lamports, 3n * 10_264n * rate);
      assert.equal(tokens?.lamports, 298n * rate);
      assert.equal(lentLamports, 293n * rate);
      assert.ok(parts.slice(0, 3).every(({ isMost }) => !isMost));
    });
  }

  it('Without an answer about the rent the costs are upper bounds', async () => {
    const { parts } = await costsBy(() => Promise.reject(new Error('down')));
    assert.equal(parts[0]?.lamports, 57_406_080n + 20n * 779_520n);
    assert.equal(parts[0].isMost, true);
  });
});
