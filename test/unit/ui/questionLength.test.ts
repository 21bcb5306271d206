import assert from 'node:assert/strict';
import { RentRate } from '../../../src/base/solana/rent';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { TokenNames } from '../../../src/review/describe/tokenNames';
import { SLIPPAGE_SCALE } from '../../../src/review/terms';
import type { Intent, Review } from '../../../src/review/types';
import { rebalanceSubject } from '../../../src/ui/rebalance/rebalanceMessages';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { type ApprovalSubject, askApproval } from '../../../src/ui/zap/approval';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { positionText } from '../../../src/ui/zap/zapInMessages';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import { NOW_MS, reviewWith } from '../../support/ui/reviews';

const [BONQ, POOL] = [addressOf(600), addressOf(500)];
const TOKENS: TokenNames = (mint) => (mint === BONQ ? { symbol: 'BONQ', decimals: 5 } : undefined);
const SOL_USD = 166;
/** Nine SOL, of which two thirds are BONQ: $1,521. */
const POSITION = openPosition(1, {
  pairName: 'BONQ/SOL',
  token0: { address: BONQ, symbol: 'BONQ', name: undefined, decimals: 5 },
  token1: { address: WRAPPED_SOL_MINT, symbol: 'SOL', name: undefined, decimals: 9 },
  inRange: false,
  value: { usd: 1_521, native: 9.164 },
  uncollectedFee: { usd: 0, native: 0 },
  ...{ amount0: 1_000, amount1: 3.3, uncollectedFee0: 0, uncollectedFee1: 0, lowerBinId: -34, upperBinId: 34 },
});
const TERMS = { halfWidthBins: undefined, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n };
const INTENT = {
  ...reviewWith('allow').intent,
  tokenX: BONQ,
  tokenY: WRAPPED_SOL_MINT,
  listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: SOL_USD }],
  references: [{ inMint: BONQ, outMint: WRAPPED_SOL_MINT, inAmountRaw: 100_000_000n, outAmountRaw: 5_864_000_000n }],
};
/** Swaps all BONQ, at a quote that is 0.25% below the shown price. */
const ZAP_OUT = {
  intent: INTENT,
  spends: { ...reviewWith('allow').spends, networkFeeLamports: 15_000n, priorityFeeLamports: 334_000n, tipLamports: 1_000_000n },
  minimumOut: [{ mint: WRAPPED_SOL_MINT, amountRaw: 5_790_846_600n, from: 'Jupiter' }],
  simulated: new Map([[WRAPPED_SOL_MINT, 9_221_406_080n]]),
  rentBackLamports: 57_406_080n,
  recipients: [{ address: addressOf(90), role: 'Jito tip' }],
  transactions: [
    { transaction: 0, group: 'close', version: 0, feePayer: addressOf(1), signers: [], instructions: [], messageHash: 'a'.repeat(64) },
  ],
  checked: { resolvedTables: 1, usedTables: 1, simulation: { slot: 5n, transactions: 1 } },
  terms: [
    { topic: 'swapped', of: `${BONQ} ${WRAPPED_SOL_MINT} 1`, amount: 100_000_000n, better: 'less' },
    { topic: 'guaranteedBySwaps', of: `${BONQ} ${WRAPPED_SOL_MINT} 1`, amount: 5_790_846_600n, better: 'more' },
    { topic: 'swapSlippage', of: `${BONQ} ${WRAPPED_SOL_MINT} 1`, amount: 100n * SLIPPAGE_SCALE, better: 'less' },
  ],
} as const;

async function asked(review: Review, subject: ApprovalSubject): Promise<{ readonly words: number; readonly text: string }> {
  const prompts = new ScriptedPrompts(['escape']);
  const actions = { showDocument: () => Promise.resolve(), saveText: () => assert.fail('nothing is saved') };
  const details = { changes: [], holdsUntilMs: NOW_MS + 20_000, isRenewed: true };
  await askApproval(
    { review, reason: undefined, details, tokens: TOKENS, subject },
    { prompts, actions, nowMs: () => NOW_MS, serviceInUse: () => SANDBOX },
    new AbortController().signal,
  );
  const [question] = prompts.asked;
  assert.ok(question);
  const text = `${question.title}\n${question.text}`;
  return { words: text.split(/\s+/).length, text };
}

const rebalance = (feePercent: number | undefined = 0.25) =>
  rebalanceSubject({ position: POSITION, terms: TERMS }, { name: 'BONQ/SOL 100 bps', rpc: undefined, perMinute: undefined, feePercent });

describe('The question before signing', () => {
  it('The question of a rebalance takes at most 60 words, with the whole costs, the rent and what follows', async () => {
    const { words, text } = await asked(reviewWith('allow', [], ZAP_OUT), rebalance());
    assert.equal(
      text,
      [
        'Rebalance BONQ/SOL 100 bps?',
        'You pay: 100% of the position, ≈ $1,521.00',
        'You get: about 9.221 SOL ($1,530.75), of it at least 5.79 SOL ($961.28) from swaps; the rest is withdrawn as it is; includes 0.0574 SOL rent back',
        'Costs: about $4.78 (0.31%)',
        'Goes to: only you, pool, tip',
        'Service: Sandbox (pretend)',
        '',
        'Re-enters around the price: Spot, 69 bins',
      ].join('\n'),
    );
    assert.ok(words <= 60, `${words} words:\n${text}`);
  });

  it('The costs of a rebalance are those of both halves, and never only what the first half pays the network', async () => {
    const costs = async (part: Partial<Review>, feePercent?: number): Promise<string | undefined> =>
      /^Costs: (.+)$/m.exec((await asked(reviewWith('allow', [], { ...ZAP_OUT, ...part }), rebalance(feePercent))).text)?.[1];
    // 2 × 0.00135 SOL to the network and 0.25% of 5.86 and of 4.58 SOL.
    assert.equal(await costs({}), 'about $4.78 (0.31%)');
    // Quotes that lose more than the pool's fee count as they are.
    const worse = ZAP_OUT.terms.map((term) => (term.topic === 'guaranteedBySwaps' ? { ...term, amount: 5_700_000_000n } : term));
    assert.equal(await costs({ terms: worse }), 'about $32 (2.1%)');
    // Without a known fee or a quote, the tolerance bounds what the swaps lose.
    assert.equal(await costs({ terms: [], intent: { ...INTENT, references: [] } }, Number.NaN), 'up to about $18 (1.17%)');
    const refunded = { ...ZAP_OUT.spends, refundableRentLamports: 57_406_080n };
    assert.equal(await costs({ spends: refunded }), 'about $4.78 (0.31%)', 'refundable rent is no cost');
    const forGood = { ...ZAP_OUT.spends, spentRentLamports: 71_437_440n };
    assert.equal(await costs({ spends: forGood }), 'about $17 (1.09%)', 'rent for good is, once');
  });

  it('The question of a zap-in takes at most 60 words, and says the range once, in prices', async () => {
    const zapIn: Intent = {
      ...{ kind: 'zapIn', owner: addressOf(1), pool: POOL, position: undefined, slippageBps: 100 },
      ...{ tokenX: BONQ, tokenY: WRAPPED_SOL_MINT, inputLamports: 2_000_000_000n, strategy: 'Spot', fromBinId: -10, toBinId: 10 },
      listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: SOL_USD }],
    };
    const choices: ZapInChoices = {
      target: {
        poolType: 'dlmm',
        ...{ pool: POOL, pairName: 'BONQ/SOL', tokenX: BONQ, tokenY: WRAPPED_SOL_MINT },
        ...{ symbolX: 'BONQ', symbolY: 'SOL', decimalsX: 5, decimalsY: 9, priceXUsd: undefined, priceYUsd: SOL_USD, binStepBps: 100 },
      },
      bins: { strategy: 'Spot', range: { fromBinId: 910, toBinId: 930 }, activeBin: { binId: 920, price: undefined } },
      ...{ inputLamports: 2_000_000_000n, tokens: undefined, percentX: 0.5, slippageBps: 100, solUsd: SOL_USD },
    };
    const { words, text } = await asked(
      reviewWith('allow', [], {
        ...ZAP_OUT,
        intent: zapIn,
        simulated: undefined,
        input: { ...reviewWith('allow').input, facts: { ...NO_FACTS, rent: RentRate.ofLamportsPerByte(6_960n) } },
        minimumOut: [{ mint: BONQ, amountRaw: 1_234_567_891n, from: 'Jupiter' }],
        spends: { ...ZAP_OUT.spends, consumedLamports: 2_000_000_000n, refundableRentLamports: 57_406_080n },
        depositPrices: { lowestPrice: 9_400, highestPrice: 9_500, tokenX: BONQ, tokenY: WRAPPED_SOL_MINT },
      }),
      {
        title: 'Zap 2 SOL into BONQ/SOL 100 bps',
        gets: positionText(choices),
        keyFigures: ['Wallet: Main wallet'],
        expectations: ['Max slippage: 1%'],
      },
    );
    assert.ok(words <= 60, `${words} words:\n${text}`);
    assert.match(text, /^You get: a Spot position, 0\.\d+ to \d\.\d+ SOL per BONQ \(−9\.47% to \+10\.46%\); buys at least 12,345 BONQ$/m);
    assert.match(text, /^Lands only at: 0\.94–0\.95$/m);
    assert.equal(text.match(/SOL per BONQ/g)?.length, 1);
    assert.doesNotMatch(text, /\bbins?\b|valid until/);
  });
});
