import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { NO_FACTS } from '../../../src/review/facts/facts';
import type { Intent, Review } from '../../../src/review/types';
import { moneyLines } from '../../../src/ui/zap/moneyLines';
import { addressOf } from '../../support/portfolio/fixtures';
import { reviewWith } from '../../support/ui/reviews';

const BONK = addressOf(600);
const TOKENS = (mint: string) => (mint === BONK ? { symbol: 'BONK', decimals: 5 } : undefined);
const FULL = { isBrief: false, hasCostParts: true, hasTokensMoved: false };
const TERSE = { ...FULL, hasCostParts: false, isTerse: true };
const BRIEF = { isBrief: true, hasCostParts: false, hasTokensMoved: false };

const ZAP_IN: Intent = {
  kind: 'zapIn',
  owner: addressOf(1),
  pool: addressOf(500),
  position: undefined,
  slippageBps: 100,
  tokenX: BONK,
  tokenY: WRAPPED_SOL_MINT,
  inputLamports: 500_000_000n,
  strategy: 'Spot',
  fromBinId: -10,
  toBinId: 10,
  listedPrices: [
    { mint: WRAPPED_SOL_MINT, usd: 142.8 },
    { mint: BONK, usd: 0.5, isElsewhere: true },
  ],
};
const TRANSACTION = {
  transaction: 0,
  group: 'add',
  version: 0,
  feePayer: addressOf(1),
  signers: [],
  instructions: [],
  messageHash: 'a'.repeat(64),
} as const;

function review(part: Partial<Review>): Review {
  return reviewWith(part.verdict ?? 'allow', [], { transactions: [TRANSACTION], ...part });
}

/** A review with the rent by an RPC. */
function toldRent(part: Partial<Review>): Review {
  const { input, ...rest } = review(part);
  return { ...rest, input: { ...input, facts: { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(6_960n) } } };
}

const SPENDS = reviewWith('allow').spends;
const COSTS = {
  ...SPENDS,
  consumedLamports: 500_000_000n,
  priorityFeeLamports: 1_234_567n,
  refundableRentLamports: 57_406_080n,
  spentRentLamports: 4_078_560n,
};

describe('Money lines of the approval', () => {
  it('Four lines say what a zap-in pays, gets and costs and who receives it, with dollar values', () => {
    const zapIn = toldRent({ intent: ZAP_IN, spends: COSTS, minimumOut: [{ mint: BONK, amountRaw: 1_234_567_891n, from: 'Jupiter' }] });
    assert.deepEqual(moneyLines(zapIn, TOKENS, FULL), [
      'You pay: at most 0.5 SOL (≈ $71.40)',
      'You get: a position; buys at least 12,345 BONK',
      'Costs: at most 0.06273 SOL (≈ $8.96): network fee 0.000005, priority fee 0.001235, refundable rent up to 0.0574, non-refundable rent 0.004079',
      'Goes to: only you, pool',
    ]);
    assert.equal(moneyLines(zapIn, TOKENS, BRIEF)[2], 'Costs: at most 0.06273 SOL (≈ $8.96), up to 0.0574 SOL refundable');
  });

  it('Rent that no RPC told is an upper bound', () => {
    const zapIn = review({ intent: ZAP_IN, spends: COSTS });
    assert.equal(
      moneyLines(zapIn, TOKENS, FULL)[2],
      'Costs: at most 0.06273 SOL (≈ $8.96): network fee 0.000005, priority fee 0.001235, refundable rent up to 0.0574, non-refundable rent 0.004079',
    );
    assert.equal(moneyLines(zapIn, TOKENS, BRIEF)[2], 'Costs: at most 0.06273 SOL (≈ $8.96), up to 0.0574 SOL refundable');
  });

  it('A zap-out says what comes at least from swaps as a part of the whole, that the rest is withdrawn as it is, and the rent in it', () => {
    const intent: Intent = { ...reviewWith('allow').intent, listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: 100 }] };
    const nearlyAllSol: Partial<Review> = {
      intent,
      minimumOut: [{ mint: WRAPPED_SOL_MINT, amountRaw: 48_089_999n, from: 'Jupiter' }],
      simulated: new Map([
        [WRAPPED_SOL_MINT, 3_345_999_999n],
        [BONK, -1n],
      ]),
      rentBackLamports: 57_406_080n,
    };
    const [get, ...others] = moneyLines(review(nearlyAllSol), TOKENS, TERSE);
    assert.equal(
      get,
      'You get: about 3.345 SOL ($334.60), of it at least 0.04808 SOL ($4.81) from swaps; the rest is withdrawn as it is; includes 0.0574 SOL rent back',
    );
    assert.equal(others.length, 2);
    assert.equal(
      moneyLines(review({ ...nearlyAllSol, rentBackLamports: undefined }), TOKENS, FULL)[0],
      'You get: about 3.345 SOL (≈ $334.60) by simulation, fees and rent included, of it at least 0.04808 SOL (≈ $4.81) from swaps; the rest is withdrawn as it is',
    );
  });

  it('A zap-out that swaps nothing does not sound like a gamble, and one whose swaps state no minimum says so', () => {
    const { intent } = reviewWith('allow');
    const simulated = new Map([[WRAPPED_SOL_MINT, 3_345_999_999n]]);
    assert.equal(moneyLines(review({ intent, simulated }), TOKENS, TERSE)[0], 'You get: about 3.345 SOL, nothing is swapped');
    const swapped = { tokenSpends: [{ mint: BONK, amountRaw: 1n, into: 'swap' }] } as const;
    assert.equal(
      moneyLines(review({ intent, simulated, ...swapped }), TOKENS, TERSE)[0],
      'You get: about 3.345 SOL, no guaranteed minimum',
    );
    assert.equal(moneyLines(review({ intent, ...swapped }), TOKENS, FULL)[0], 'You get: no guaranteed minimum');
  });

  it('The question always names amounts sent to others, in SOL and tokens, and every other recipient', () => {
    const thief = addressOf(90);
    const part = {
      spends: { ...SPENDS, otherLamports: 5_000_000_000n },
      tokenSpends: [{ mint: BONK, amountRaw: 700_000n, into: 'others' }],
      recipients: [{ address: thief, role: 'gets SOL' }],
    } as const;
    for (const extent of [FULL, BRIEF]) {
      for (const verdict of ['allow', 'confirm'] as const) {
        const lines = moneyLines(review({ ...part, verdict }), TOKENS, extent);
        assert.ok(lines.includes('Sent to others: at most 7 BONK, 5 SOL'), lines.join('\n'));
        assert.ok(lines.includes(`Goes to: you, pool, ${thief} (gets SOL)`), lines.join('\n'));
      }
    }
  });

  it('The question about a swap of the wallet’s tokens, or about unwrapping, names no pool: the user chose none', () => {
    const common = { owner: addressOf(1), slippageBps: 100, listedPrices: [] };
    const tip = { address: addressOf(91), role: 'Jito tip' };
    for (const intent of [
      { ...common, kind: 'swap', inputMint: BONK, outputMint: WRAPPED_SOL_MINT, amountRaw: 1n },
      { ...common, kind: 'unwrap', slippageBps: 0 },
    ] as const satisfies readonly Intent[]) {
      const last = (part: Partial<Review>, extent: Parameters<typeof moneyLines>[2]) =>
        moneyLines(review({ intent, ...part }), TOKENS, extent).at(-1);
      assert.equal(last({}, FULL), 'Goes to: only you');
      assert.equal(last({ recipients: [tip] }, FULL), 'Goes to: only you, tip');
      assert.equal(last({ recipients: [tip] }, TERSE), 'Goes to: only you, tip');
      assert.equal(last({}, TERSE), 'Goes to: only you');
      assert.equal(last({ verdict: 'confirm' }, FULL), 'Goes to: you, but see the findings');
      assert.equal(last({ verdict: 'confirm' }, BRIEF), 'Goes to: you, but see the findings');
      assert.match(last({ recipients: [{ address: addressOf(90), role: 'gets SOL' }] }, FULL) ?? '', /^Goes to: you, [^,]+ \(gets SOL\)$/);
    }
  });

  it('Tokens with unknown decimals are shown by mint and in raw units', () => {
    const strange = addressOf(77);
    const zapIn = review({
      intent: { ...ZAP_IN, tokens: [{ mint: strange, amountRaw: 123_456_789n }], inputLamports: 0n },
      spends: SPENDS,
    });
    const lines = moneyLines({ ...zapIn, tokenSpends: [{ mint: strange, amountRaw: 123_456_789n, into: 'position' }] }, TOKENS, FULL);
    assert.equal(lines[0], `You pay: at most 123456789 raw units of ${strange}`);
    assert.equal(lines[1], 'You get: a position; nothing is swapped');
  });

  it('The question says between which prices a deposit lands, or between which bins where the prices are not known', () => {
    const bins = { lowestBinId: -3, highestBinId: 3, tokenX: BONK, tokenY: WRAPPED_SOL_MINT };
    const lineOf = (depositPrices: Review['depositPrices']): string | undefined =>
      moneyLines(review({ intent: ZAP_IN, depositPrices }), TOKENS, BRIEF).find((line) => line.startsWith('Lands'));
    assert.equal(lineOf({ ...bins, lowestPrice: 122.5, highestPrice: 125 }), 'Lands only at: 0.01225 to 0.0125 SOL per BONK');
    assert.equal(lineOf({ ...bins, highestBinId: undefined, lowestPrice: 122.5 }), 'Lands only at: at least 0.01225 SOL per BONK');
    assert.equal(lineOf(bins), 'Lands only at: active bin -3 to 3');
    assert.equal(lineOf({ ...bins, lowestPrice: 1, highestPrice: 2, tokenX: addressOf(1) }), 'Lands only at: active bin -3 to 3');
    assert.equal(lineOf(undefined), undefined);
  });

  it('A question names the given up position and the received tokens even without amounts', () => {
    const exchange = { pays: '50% of the position, ≈ $102.00', gets: 'BONK and SOL' };
    assert.deepEqual(moneyLines(review({}), TOKENS, FULL, exchange).slice(0, 2), [
      'You pay: 50% of the position, ≈ $102.00',
      'You get: BONK and SOL; nothing is swapped',
    ]);
    const wrapped = review({ spends: { ...SPENDS, consumedLamports: 5_000_000_000n, wrappedLamports: 1_000_000_000n } });
    assert.equal(moneyLines(wrapped, TOKENS, FULL, exchange)[1], 'From your wallet: at most 1 SOL');
    const zapIn = review({ intent: ZAP_IN, minimumOut: [{ mint: BONK, amountRaw: 1_234_567_891n, from: 'Jupiter' }] });
    assert.equal(
      moneyLines(zapIn, TOKENS, FULL, { gets: 'a Spot position in −10 to 10 (21 bins)' })[0],
      'You get: a Spot position in −10 to 10 (21 bins); buys at least 12,345 BONK',
    );
  });

  it('Amounts "at most" round up and amounts "at least" round down, by less than a thousandth', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (lamports) => {
        const [pay = ''] = moneyLines(
          review({ intent: { ...ZAP_IN, listedPrices: [] }, spends: { ...SPENDS, consumedLamports: lamports } }),
          TOKENS,
          FULL,
        );
        const [get = ''] = moneyLines(
          review({ minimumOut: [{ mint: WRAPPED_SOL_MINT, amountRaw: lamports, from: 'Jupiter' }] }),
          TOKENS,
          BRIEF,
        );
        const most = lamportsOf(pay);
        const least = lamportsOf(get);
        assert.ok(least <= lamports && lamports <= most, `${pay}, ${get}: ${lamports}`);
        assert.ok((most - least) * 1_000n <= lamports, `${pay}, ${get}: ${lamports}`);
      }),
    );
  });
});

/** The first amount of SOL in a line, in lamports. */
function lamportsOf(line: string): bigint {
  const [, whole = '', fraction = ''] = /([\d,]+)(?:\.(\d+))? SOL/.exec(line) ?? [];
  return BigInt(whole.replaceAll(',', '')) * 10n ** 9n + BigInt(fraction.padEnd(9, '0'));
}
