import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { priceOfBin } from '../../../src/base/dlmm/bins';
import { NO_FACTS, type PoolFact } from '../../../src/review/facts/facts';
import { priceOfPool } from '../../../src/review/rules/swapPrice';
import type { Intent, ListedPrice, PriceReference, Review } from '../../../src/review/types';
import type { Address } from '../../../src/base/solana/address';
import { PROGRAMS, USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { addressOf, honestZapIn, honestZapOut, MINT, objections, POOL, reviewDrafts, ZAP_IN, ZAP_OUT } from '../../support/review/bundles';

const out = (part: Partial<Intent>, pool?: PoolFact): Review =>
  reviewDrafts(
    { ...ZAP_OUT, ...part } as Intent,
    honestZapOut(),
    undefined,
    pool === undefined ? {} : { facts: { ...NO_FACTS, pools: new Map([[POOL, pool]]) } },
  );
const priced = (...listedPrices: readonly ListedPrice[]): string[] => objections(out({ listedPrices }));
const reference = (inMint: Address, inAmountRaw: bigint, outMint: Address, outAmountRaw: bigint): PriceReference => ({
  inMint,
  inAmountRaw,
  outMint,
  outAmountRaw,
});
const withReference = (more: PriceReference): string[] => objections(out({ references: [...(ZAP_OUT.references ?? []), more] }));

describe('review: listed prices (SWP-9)', () => {
  it('The review asks about listed stablecoin prices outside 0.80 to 1.25 dollars and impossible SOL prices', () => {
    for (const mint of [USDC_MINT, USDT_MINT]) {
      assert.deepEqual(priced({ mint, usd: 0.8 }, { mint, usd: 1.25 }), []);
      assert.deepEqual(priced({ mint, usd: 0.799 }), ['confirm SWP-9']);
      assert.deepEqual(priced({ mint, usd: 1.251 }), ['confirm SWP-9']);
      assert.deepEqual(priced({ mint, usd: 0.000001 }), ['confirm SWP-9']);
    }
    assert.deepEqual(priced({ mint: WRAPPED_SOL_MINT, usd: 4 }, { mint: WRAPPED_SOL_MINT, usd: 2_000 }), []);
    assert.deepEqual(priced({ mint: WRAPPED_SOL_MINT, usd: 3.9 }), ['confirm SWP-9']);
    assert.deepEqual(priced({ mint: WRAPPED_SOL_MINT, usd: 1e308 }), ['confirm SWP-9']);
    assert.deepEqual(priced({ mint: WRAPPED_SOL_MINT, usd: Number.NaN }), ['confirm SWP-9']);
    assert.deepEqual(priced({ mint: addressOf('any token'), usd: 1e-12 }), []);
  });

  it('The review asks once for each token, also without a swap and for a zap-in', () => {
    const cheap = [
      { mint: USDC_MINT, usd: 0.01 },
      { mint: USDC_MINT, usd: 0.02 },
    ];
    const review = reviewDrafts({ ...ZAP_OUT, output: 'both', listedPrices: cheap }, honestZapOut().slice(0, 1));
    assert.deepEqual(
      review.findings.filter(({ verdict }) => verdict === 'confirm').map(({ rule, address }) => [rule, address]),
      [['SWP-9', USDC_MINT]],
    );
    assert.match(review.findings[0]?.message ?? '', /^The service lists USDC at \$0\.01, which cannot be right\. /);
    assert.deepEqual(objections(reviewDrafts({ ...ZAP_IN, listedPrices: cheap }, honestZapIn())), ['confirm SWP-9']);
  });

  it('The review asks about an impossible price of two well-known tokens in either direction', () => {
    const dollars = (lamports: bigint) => reference(USDC_MINT, 1_000_000n, WRAPPED_SOL_MINT, lamports);
    const turned = ({ inMint, inAmountRaw, outMint, outAmountRaw }: PriceReference) =>
      reference(outMint, outAmountRaw, inMint, inAmountRaw);
    for (const way of [dollars, (lamports: bigint) => turned(dollars(lamports))]) {
      // A dollar buys a 164th of a SOL; at a millionth of a dollar for one USDC, next to nothing.
      assert.deepEqual(withReference(way(6_097_560n)), []);
      assert.deepEqual(withReference(way(6n)), ['confirm SWP-9']);
      assert.deepEqual(withReference(way(6_097_560_000_000n)), ['confirm SWP-9']);
    }
    assert.deepEqual(withReference(reference(USDC_MINT, 100n, USDT_MINT, 80n)), []);
    assert.deepEqual(withReference(reference(USDC_MINT, 100n, USDT_MINT, 79n)), ['confirm SWP-9']);
    assert.deepEqual(withReference(reference(USDT_MINT, 100n, USDC_MINT, 126n)), ['confirm SWP-9']);
    assert.deepEqual(withReference(reference(USDC_MINT, 0n, USDT_MINT, 0n)), []);
  });

  it('The review asks if the service lists a token at another price elsewhere', () => {
    const elsewhere = (mint: Address, ...usds: readonly number[]): ListedPrice[] => usds.map((usd) => ({ mint, usd, isElsewhere: true }));
    assert.deepEqual(priced({ mint: WRAPPED_SOL_MINT, usd: 164 }, ...elsewhere(WRAPPED_SOL_MINT, 170, 10, 160)), []);
    assert.deepEqual(priced({ mint: WRAPPED_SOL_MINT, usd: 164 }, ...elsewhere(WRAPPED_SOL_MINT, 100, 10, 160)), ['confirm SWP-9']);
    assert.deepEqual(priced({ mint: MINT, usd: 1 }, ...elsewhere(MINT, 2)), []);
    assert.deepEqual(priced({ mint: MINT, usd: 1 }, ...elsewhere(MINT, 2.01)), ['confirm SWP-9']);
    assert.deepEqual(priced({ mint: MINT, usd: 1 }, ...elsewhere(USDC_MINT, 1.1)), []);
  });
});

/** A step of 1%: a raw unit of the token costs 79.7 lamports at bin 440, 71.4 at bin 429, and 1.01 at bin 1. */
const dlmm = (activeBinId: number, part: Partial<PoolFact> = {}): PoolFact =>
  ({ kind: 'dlmm', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, activeBinId, binStepBps: 100, ...part }) as PoolFact;
/** The same price as `80` for `1` by its square root. */
const damm = (sqrtPriceQ64: bigint): PoolFact => ({ kind: 'dammV2', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, sqrtPriceQ64 });
const Q64 = 1n << 64n;

describe('review: price by the active bin of the pool (SWP-9)', () => {
  const others: readonly ListedPrice[] = [0.001, 0.001, 0.001].map((usd) => ({ mint: MINT, usd, isElsewhere: true }));
  const byBin = (usd: number): ListedPrice => ({ mint: MINT, usd, isElsewhere: true, isByBin: true });

  it('The price by the active bin prevails over a wrong price that every list repeats', () => {
    assert.deepEqual(priced({ mint: MINT, usd: 0.001 }, ...others), []);
    assert.deepEqual(priced({ mint: MINT, usd: 0.001 }, byBin(0.002), ...others), []);
    const review = out({ listedPrices: [{ mint: MINT, usd: 0.001 }, byBin(1_000 / 3), ...others] });
    assert.deepEqual(objections(review), ['confirm SWP-9']);
    assert.match(
      review.findings[0]?.message ?? '',
      new RegExp(`^The service lists ${MINT} at \\$0\\.001, but the active bin of its pool gives \\$333\\.333\\. .+: do not sign unless `),
    );
  });
});

describe('review: pool price on the chain (SWP-9)', () => {
  it('The pool price on the chain causes no finding if it equals the shown price', () => {
    assert.deepEqual(objections(out({}, dlmm(440))), []);
    assert.deepEqual(objections(out({}, damm((Q64 * 8_944_271_909n) / 1_000_000_000n))), []);
  });

  /** The findings about the two prices, without those about the quote. */
  const differing = (pool: PoolFact) =>
    out({}, pool).findings.filter(({ message }) => /^The price that you were shown differs/.test(message));

  it('The review asks if the pool price differs from the shown price by more than a tenth and a bin', () => {
    assert.deepEqual(differing(dlmm(430)), []);
    assert.equal(differing(dlmm(428)).length, 1);
    assert.equal(differing(damm(8n * Q64)).length, 1);
  });

  it('The review blocks a quote far below the pool price, even if it fits the shown price', () => {
    const review = out({}, dlmm(520));
    assert.ok(objections(review).includes('block SWP-9'));
    assert.ok(
      review.findings.some(({ message }) =>
        /^The quote of the swap is off: −5\d\.\d\d% against the pool's price on the chain\. /.test(message),
      ),
    );
  });

  it('The pool price does not replace a reference price that is missing', () => {
    assert.deepEqual(objections(out({ references: [] }, dlmm(440))), ['confirm SWP-9']);
  });

  it('The review asks if the pool holds other tokens than the service lists', () => {
    assert.ok(objections(out({}, dlmm(440, { tokenY: USDC_MINT }))).includes('confirm SWP-6'));
  });

  it('The review asks if the address holds no account, a foreign account or another kind of pool', () => {
    const none = (program: Address | undefined): PoolFact => ({ kind: 'none', program });
    for (const fact of [none(undefined), none(PROGRAMS.token), none(PROGRAMS.dlmm)]) {
      assert.deepEqual(objections(out({}, fact)), ['confirm SWP-9']);
      assert.deepEqual(objections(out({ references: [] }, fact)), ['confirm SWP-9']);
      const zapIn = reviewDrafts(ZAP_IN, honestZapIn(), undefined, { facts: { ...NO_FACTS, pools: new Map([[POOL, fact]]) } });
      assert.deepEqual(objections(zapIn), ['confirm SWP-9']);
      assert.deepEqual(zapIn.questions.pools, [], 'it is not asked again');
    }
    assert.match(out({}, none(undefined)).findings[0]?.message ?? '', new RegExp(`^By your RPC: There is no pool ${POOL}\\. `));
    assert.match(out({}, none(PROGRAMS.token)).findings[0]?.message ?? '', new RegExp(`is an account of the program ${PROGRAMS.token}`));
    assert.deepEqual(objections(out({ poolType: 'dlmm' }, dlmm(440))), []);
    assert.deepEqual(objections(out({ poolType: 'dammV2' }, dlmm(440))), ['confirm SWP-9']);
    assert.deepEqual(objections(out({ poolType: 'dlmm' }, damm((Q64 * 8_944_271_909n) / 1_000_000_000n))), ['confirm SWP-9']);
  });

  it('The review ignores a bin or bin step that the program does not support', () => {
    for (const fact of [dlmm(9_999_999), dlmm(0, { binStepBps: 0 }), damm(0n)]) {
      assert.equal(priceOfPool(fact), undefined);
      assert.deepEqual(objections(out({}, fact)), []);
    }
  });

  it('No pool state makes the verdict less strict', () => {
    const severity = { allow: 0, confirm: 1, block: 2 } as const;
    const fact = fc.oneof(
      fc.integer({ min: -900, max: 900 }).map((bin) => dlmm(bin)),
      fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map(damm),
    );
    const part = fc.constantFrom<Partial<Intent>>(
      {},
      { references: [] },
      { references: [reference(MINT, 1n, WRAPPED_SOL_MINT, 200n)] },
      { listedPrices: [{ mint: USDC_MINT, usd: 9 }] },
    );
    fc.assert(
      fc.property(fact, part, (pool, shown) => severity[out(shown, pool).verdict] >= severity[out(shown).verdict]),
      { numRuns: 60 },
    );
  });

  it('The computed bin price is exact to double precision for every bin', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000, max: 4_000 }), fc.integer({ min: 1, max: 100 }), (binId, binStepBps) => {
        const price = priceOfPool(dlmm(binId, { binStepBps }));
        assert.ok(price !== undefined && price.outAmountRaw > 0n);
        const ratio = Number(price.outAmountRaw) / Number(price.inAmountRaw) / priceOfBin(binId, binStepBps);
        assert.ok(Math.abs(ratio - 1) < 1e-12);
      }),
    );
  });
});
