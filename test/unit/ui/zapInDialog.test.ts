import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type BinRange, binStepOf, rangeAround, shareOfXBins, sidesOf, uiPriceOfBin } from '../../../src/base/dlmm/bins';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { PoolInfo } from '../../../src/service/poolInfo';
import type { Pool } from '../../../src/service/pools';
import type { TokenBalance } from '../../../src/service/tokens';
import { UserError } from '../../../src/ui/shell/errors';
import { readAmount } from '../../../src/ui/zap/zapInAmount';
import { RESERVE_LAMPORTS } from '../../../src/ui/zap/zapInDraft';
import { askPlannedZapIn } from '../../../src/ui/zap/plannedZapIn';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { targetOfPool } from '../../../src/ui/zap/zapInDraft';
import { inputText, shownPrices, spreadText, warningsOf } from '../../../src/ui/zap/zapInMessages';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, pool } from '../../support/portfolio/fixtures';

const ACTIVE = -350;
const BALANCE = 10n * LAMPORTS_PER_SOL;

const INFO: PoolInfo = {
  poolType: 'dlmm',
  protocol: 'meteora',
  tokens: [],
  amountX: undefined,
  amountY: undefined,
  fees: { basePercent: undefined, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
  activeBin: { binId: ACTIVE, price: 0.5 },
  bins: [],
  feeStats: [],
  statistics: {},
};

interface Wallet {
  readonly lamports?: bigint;
  /** Tokens besides SOL. */
  readonly held?: readonly TokenBalance[];
  /** The active bin when the plan was made. */
  readonly plannedAt?: number;
}

/** Continues a plan without an amount of SOL, of eleven bins around the price or of this range. */
async function ask(
  answers: readonly ScriptedAnswer[],
  of: Pool,
  { lamports = BALANCE, held = [], plannedAt }: Wallet = {},
  range: BinRange = { fromBinId: ACTIVE - 10, toBinId: ACTIVE + 10 },
): Promise<{ readonly choices: ZapInChoices | undefined; readonly prompts: ScriptedPrompts }> {
  const prompts = new ScriptedPrompts(answers);
  const sol: TokenBalance = { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: lamports, amountText: '0', priceUsd: 100 };
  const hasBins = of.poolType === 'dlmm';
  const plan = { ...(hasBins ? { range, activeBinId: plannedAt } : {}), strategy: 'Spot', percentX: 0.4, slippageBps: 100 };
  const choices = await askPlannedZapIn(
    { pool: of.address, plan, owner: addressOf(9) },
    {
      prompts,
      pools: [of],
      readBalances: (mints) => Promise.resolve([sol, ...held].filter(({ mint }) => mints.includes(mint))),
      readPoolInfo: () => Promise.resolve({ ...INFO, poolType: of.poolType, activeBin: hasBins ? INFO.activeBin : undefined }),
      changePlan: () => Promise.reject(new Error('Nothing is changed.')),
    },
  );
  prompts.assertDone();
  return { choices, prompts };
}

describe('A plan that deposits tokens of the wallet', () => {
  const TOKEN = addressOf(600);
  const SOL_TOKEN = { address: WRAPPED_SOL_MINT, symbol: 'SOL', name: undefined, decimals: 9 };
  const intoBins = pool(1, { token1: SOL_TOKEN });
  const intoProduct = pool(2, { poolType: 'dammV2', token1: SOL_TOKEN, price0Usd: 4, price1Usd: 100 });
  const balance = (part: Partial<TokenBalance> = {}): TokenBalance => ({
    mint: TOKEN,
    symbol: 'P1',
    decimals: 6,
    amountRaw: 40_000_000n,
    amountText: '40',
    priceUsd: 1,
    ...part,
  });
  const WITH_TOKENS: Wallet = { held: [balance()] };
  const ABOVE: BinRange = { fromBinId: -349, toBinId: -300 };
  const BELOW: BinRange = { fromBinId: -400, toBinId: -351 };

  it('It asks only for the amount of each token, and has all else from the plan', async () => {
    const { choices, prompts } = await ask([{ pick: '20 P1' }, { pick: '7.425 SOL' }], intoBins, WITH_TOKENS);
    assert.deepEqual(choices, {
      target: targetOfPool(intoBins),
      inputLamports: 0n,
      tokens: { amountXRaw: 20_000_000n, amountYRaw: 7_425_000_000n },
      bins: { strategy: 'Spot', range: { fromBinId: -360, toBinId: -340 }, activeBin: { binId: ACTIVE, price: 0.5 } },
      percentX: 0.5,
      slippageBps: 100,
      solUsd: 100,
    });
    const [x, y] = prompts.asked;
    assert.match(x?.text ?? '', /Amount \(wallet: 40 P1\)/);
    assert.match(y?.text ?? '', /Amount \(wallet: 9\.9 SOL\)/);
    assert.equal((await ask([{ pick: '20 P1' }, 'escape'], intoBins, WITH_TOKENS)).choices, undefined);
  });

  it('The amount of the second token is suggested by the current price and the bins', async () => {
    const even = await ask([{ pick: '10 P1' }, 'escape'], intoBins, WITH_TOKENS);
    assert.deepEqual(even.prompts.asked.at(-1)?.shown.slice(0, 2), ['5 SOL', '2.475 SOL']);
    // 10.5 of 31 bins hold X, so that 20.5 bins take what 20.5/10.5 of it is worth.
    const lopsided = await ask([{ pick: 'Other…' }, { type: '1.05' }, 'escape'], intoBins, WITH_TOKENS, { fromBinId: -370, toBinId: -340 });
    assert.equal(lopsided.prompts.asked.at(-1)?.shown[0], '1.025 SOL');
    const byUsd = await ask([{ pick: '40 P2' }, 'escape'], intoProduct, WITH_TOKENS);
    assert.equal(byUsd.prompts.asked.at(-1)?.shown[0], '1.6 SOL');
    const tooMuch = await ask([{ pick: '40 P1' }, 'escape'], intoBins, WITH_TOKENS);
    assert.equal(tooMuch.prompts.asked.at(-1)?.shown[0], '2.475 SOL');
  });

  it('The confirmation says that the price has moved since the plan, as for a plan of SOL', async () => {
    const moved = await ask([{ pick: '40 P1' }], intoBins, { ...WITH_TOKENS, plannedAt: -320 }, ABOVE);
    assert.match(moved.choices?.warnings?.join() ?? '', /^The price has moved since you planned: .+ It is now outside the range\.$/);
  });

  it('It asks only for tokens that the range takes', async () => {
    const above = await ask([{ pick: '40 P1' }], intoBins, WITH_TOKENS, ABOVE);
    assert.deepEqual([above.choices?.tokens, above.choices?.percentX], [{ amountXRaw: 40_000_000n, amountYRaw: 0n }, 1]);
    const below = await ask([{ pick: '9.9 SOL' }], intoBins, WITH_TOKENS, BELOW);
    assert.deepEqual(below.choices?.tokens, { amountXRaw: 0n, amountYRaw: 9_900_000_000n });
  });

  it('The user can leave out one token but not both, and neither in a pool without bins', async () => {
    const onlyY = await ask([{ pick: '0 P1' }, { pick: '9.9 SOL' }], intoBins, WITH_TOKENS);
    assert.deepEqual(onlyY.choices?.tokens, { amountXRaw: 0n, amountYRaw: 9_900_000_000n });
    assert.ok(!onlyY.prompts.asked.at(-1)?.shown.includes('0 SOL'));
    const onlyX = await ask([{ pick: '40 P1' }, { pick: '0 SOL' }], intoBins, WITH_TOKENS);
    assert.deepEqual(onlyX.choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 0n });
    const product = await ask([{ pick: '40 P2' }, { pick: '2.475 SOL' }], intoProduct, WITH_TOKENS);
    assert.deepEqual(product.choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 2_475_000_000n });
    assert.ok(product.prompts.asked.every(({ shown }) => !shown.includes('0 P2') && !shown.includes('0 SOL')));
  });

  it('No more than the exact available amount of a token is accepted', async () => {
    const typed: readonly ScriptedAnswer[] = [
      { type: '40.000001' },
      { type: '0' },
      { type: '0.0000001' },
      { type: '-1' },
      { type: '39.999999' },
    ];
    const { choices, prompts } = await ask([{ pick: 'Other…' }, ...typed, { pick: '0 SOL' }], intoBins, WITH_TOKENS);
    assert.deepEqual(choices?.tokens, { amountXRaw: 39_999_999n, amountYRaw: 0n });
    assert.equal(prompts.refused.length, 4);
  });

  it('Tokens can be deposited without enough SOL, and a range that would take nothing is refused', async () => {
    const poor: Wallet = { ...WITH_TOKENS, lamports: RESERVE_LAMPORTS };
    const { choices, prompts } = await ask([{ pick: '40 P1' }], intoBins, poor);
    assert.deepEqual(choices?.tokens, { amountXRaw: 40_000_000n, amountYRaw: 0n });
    assert.ok(!prompts.asked[0]?.shown.includes('0 P1'));
    await assert.rejects(ask([], intoBins, poor, BELOW), /has no tokens that the range takes/);
  });

  it('Tokens with contradictory data, without a name or unusable alone are not deposited', async () => {
    const areAsked = async (of: Pool, ...held: readonly TokenBalance[]): Promise<boolean> => {
      try {
        await ask(['escape'], of, { held });
        return true;
      } catch (error) {
        assert.ok(error instanceof UserError && /has no tokens that the range takes/.test(error.message), String(error));
        return false;
      }
    };
    assert.equal(await areAsked(intoBins, balance()), true);
    assert.equal(await areAsked(intoBins, balance({ amountRaw: undefined, amountText: '40.5', decimals: undefined })), true);
    assert.equal(await areAsked(intoBins), false);
    assert.equal(await areAsked(intoBins, balance({ amountRaw: 0n })), false);
    assert.equal(await areAsked(intoBins, balance({ decimals: 9 })), false);
    assert.equal(await areAsked(intoBins, balance({ amountRaw: undefined, amountText: 'much' })), false);
    assert.equal(
      await areAsked(pool(1, { token0: { ...SOL_TOKEN, address: TOKEN, decimals: undefined }, token1: SOL_TOKEN }), balance()),
      false,
    );
    assert.equal(await areAsked(pool(1, { token1: { ...SOL_TOKEN, decimals: 6 } }), balance()), false);
    assert.equal(await areAsked(pool(1, { token1: { ...SOL_TOKEN, address: TOKEN, decimals: 6 } }), balance()), false);
    const twoTokens = pool(2, { poolType: 'dammV2' });
    assert.equal(await areAsked(twoTokens, balance()), false);
    assert.equal(await areAsked(twoTokens, balance(), balance({ mint: addressOf(601), decimals: 9 })), true);
  });

  it('A token that resembles SOL is named by its mint', async () => {
    const { prompts } = await ask(['escape'], pool(1), { held: [balance({ mint: addressOf(601), decimals: 9 })] }, BELOW);
    assert.match(prompts.asked[0]?.text ?? '', new RegExp(`"SOL" \\(not SOL, but ${addressOf(601)}\\)`));
  });

  it('The summary names token amounts, with the mint if a ticker resembles SOL', () => {
    const choices: ZapInChoices = {
      target: targetOfPool(intoBins),
      inputLamports: 0n,
      tokens: { amountXRaw: 1_234_500_000n, amountYRaw: 500_000_000n },
      bins: undefined,
      percentX: 0.5,
      slippageBps: 100,
      solUsd: 100,
    };
    assert.equal(inputText(choices), '1,234.5 P1 and 0.5 SOL');
    assert.equal(inputText({ ...choices, tokens: { amountXRaw: 0n, amountYRaw: 1n } }), '0.000000001 SOL');
    assert.equal(inputText({ ...choices, inputLamports: 5n, tokens: undefined }), '0.000000005 SOL');
    assert.equal(
      inputText({ ...choices, target: targetOfPool(pool(1)), tokens: { amountXRaw: 0n, amountYRaw: 5n } }),
      `0.000000005 "SOL" (not SOL, but ${addressOf(601)})`,
    );
    assert.match(spreadText(choices), /^What the range does not take stays in your wallet$/);
  });
});

describe('The summary of a zap-in', () => {
  const target = targetOfPool(pool(1, { price0Usd: 7, price1Usd: 99 }));
  const choices: ZapInChoices = {
    target,
    inputLamports: 1n,
    bins: { strategy: 'Curve', range: { fromBinId: -360, toBinId: -340 }, activeBin: { binId: ACTIVE, price: 0.25 } },
    percentX: 0.5,
    slippageBps: 100,
    solUsd: 100,
  };

  it('The summary states the range and the strategy, or that the pool has no bins', () => {
    assert.match(spreadText(choices), /^Range: Curve, .+ SOL per P1 \(−9\.47% to \+10\.46%\)$/);
    assert.match(
      warningsOf({
        ...choices,
        bins: { strategy: 'Spot', range: { fromBinId: -340, toBinId: -330 }, activeBin: { binId: ACTIVE, price: 0.25 } },
      }).join('\n'),
      /earns no fees until the price rises into the range\.$/,
    );
    assert.equal(spreadText({ ...choices, bins: undefined }), 'Full price range; half of the SOL goes to each token');
  });

  it('The summary prices the tokens by the latest data in one consistent dollar value', () => {
    // A pool whose bin step is not known: the price that stands beside the bin counts.
    const withSol: ZapInChoices = { ...choices, target: { ...target, tokenY: WRAPPED_SOL_MINT, binStepBps: undefined } };
    const { decimalsX, decimalsY } = target;
    assert.deepEqual(shownPrices(withSol), { decimalsX, decimalsY, priceXUsd: 25, priceYUsd: 100, solUsd: 100 });
    assert.deepEqual(shownPrices({ ...withSol, solUsd: undefined }), { decimalsX, decimalsY, priceXUsd: 24.75, priceYUsd: 99, solUsd: 99 });
    assert.deepEqual(shownPrices({ ...withSol, bins: undefined }), { decimalsX, decimalsY, priceXUsd: 7, priceYUsd: 100, solUsd: 100 });
    // With it, what the service puts beside the bin does not: it could be any price.
    const byNumber = uiPriceOfBin(ACTIVE, target.binStepBps ?? 0, decimalsX ?? 0, decimalsY ?? 0);
    for (const price of [0.25, 250_000, undefined]) {
      const told: ZapInChoices = {
        ...withSol,
        target: { ...target, tokenY: WRAPPED_SOL_MINT },
        bins: { strategy: 'Curve', range: { fromBinId: -360, toBinId: -340 }, activeBin: { binId: ACTIVE, price } },
      };
      assert.deepEqual(shownPrices(told), { decimalsX, decimalsY, priceXUsd: byNumber * 100, priceYUsd: 100, solUsd: 100 });
    }
    const solFirst: ZapInChoices = { ...choices, target: { ...target, tokenX: WRAPPED_SOL_MINT, tokenY: addressOf(5) } };
    assert.deepEqual(shownPrices(solFirst), { decimalsX, decimalsY, priceXUsd: 100, priceYUsd: 99, solUsd: 100 });
    const none: ZapInChoices = {
      ...choices,
      target: { ...target, tokenX: undefined, tokenY: undefined, priceXUsd: undefined, priceYUsd: undefined },
      solUsd: undefined,
    };
    assert.deepEqual(shownPrices(none), { decimalsX, decimalsY, priceXUsd: undefined, priceYUsd: undefined, solUsd: undefined });
  });
});

describe('An amount of SOL', () => {
  it('An amount of SOL is valid from one lamport to the balance less the reserve', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.bigInt({ min: 0n, max: 10n ** 18n }), (amount, balance) => {
        const text = `${amount / LAMPORTS_PER_SOL}.${(amount % LAMPORTS_PER_SOL).toString().padStart(9, '0')}`;
        const reading = readAmount(text, { lamports: balance, priceUsd: undefined });
        const allowed = amount > 0n && amount <= balance - RESERVE_LAMPORTS;
        assert.equal(reading.ok, allowed);
        assert.ok(!reading.ok || reading.value === amount);
      }),
    );
  });
});

describe('A range', () => {
  it('A range gives token X a share from none to all, and half if it is even', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -700, max: 700 }), fc.nat(700), (active, offset, width) => {
        const range = { fromBinId: active + offset, toBinId: active + offset + width };
        const share = shareOfXBins(range, active);
        const side = sidesOf(range, active);
        assert.ok(side === 'onlyX' ? share === 1 : side === 'onlyY' ? share === 0 : share > 0 && share < 1);
        assert.equal(shareOfXBins(rangeAround(active, width), active), 0.5);
      }),
    );
  });
});

describe('A bin step', () => {
  it('The bin step follows from the prices of two neighboring bins, if there are two', () => {
    const bin = (binId: number, price: number | undefined) => ({ binId, amountX: 0, amountY: 0, price });
    assert.equal(binStepOf([bin(1, 1), bin(3, 1.2), bin(4, 1.2012)]), 10);
    assert.equal(binStepOf([bin(1, 1), bin(3, 1.2)]), undefined);
    assert.equal(binStepOf([bin(1, undefined), bin(2, 1.2)]), undefined);
    assert.equal(binStepOf([]), undefined);
  });
});
