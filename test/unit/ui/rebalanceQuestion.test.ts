import assert from 'node:assert/strict';
import { askApproval } from '../../../src/ui/zap/approval';
import { linesOf } from '../../../src/ui/zap/dialogSpace';
import { askAmountBack, rebalanceSubject } from '../../../src/ui/rebalance/rebalanceMessages';
import type { ReapprovalReason } from '../../../src/transactions/types';
import type { TokenNames } from '../../../src/review/describe/tokenNames';
import type { DecodedTransaction, Finding, Review, Verdict } from '../../../src/review/types';
import type { SolanaRpc } from '../../../src/rpc/types';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import { NOW_MS, reviewWith } from '../../support/ui/reviews';

const [TOKEN_X, TOKEN_Y] = [addressOf(600), addressOf(602)];
const TOKENS: TokenNames = (mint) =>
  mint === TOKEN_X ? { symbol: 'GIGALAMB', decimals: 5 } : mint === TOKEN_Y ? { symbol: 'sandUSDC', decimals: 6 } : undefined;
/** Figures that are long when written, and names of eight letters. */
const LARGE = openPosition(1, {
  pairName: 'GIGALAMB/sandUSDC',
  token0: { address: TOKEN_X, symbol: 'GIGALAMB', name: undefined, decimals: 5 },
  token1: { address: TOKEN_Y, symbol: 'sandUSDC', name: undefined, decimals: 6 },
  value: { usd: 8_765.43, native: 698.765432 },
  uncollectedFee: { usd: 1_234.56, native: 8.765432 },
});
const TERMS = { halfWidthBins: undefined, strategy: undefined, slippageBps: 150, reserveLamports: 1_250_000_000n };
const RPC = {} as SolanaRpc;

function transaction(place: number): DecodedTransaction {
  return {
    transaction: place,
    group: place === 0 ? 'close' : 'swap',
    version: 0,
    feePayer: addressOf(1),
    signers: [],
    instructions: [],
    messageHash: 'a'.repeat(64),
  };
}

/** All that a zap-out of that position can have: two swaps, all kinds of costs, a tip, lookup tables and a simulation. */
function largeReview(verdict: Verdict, findings: readonly Finding[]): Review {
  return reviewWith(
    verdict,
    [
      { rule: 'LIM-3', verdict: 'info', message: 'By its instructions the operation takes at most 0.01 SOL from your wallet.' },
      ...findings,
    ],
    {
      spends: {
        consumedLamports: 0n,
        wrappedLamports: 0n,
        networkFeeLamports: 25_000n,
        priorityFeeLamports: 1_234_567n,
        tipLamports: 1_000_000n,
        refundableRentLamports: 57_406_080n,
        spentRentLamports: 4_078_560n,
        otherLamports: 0n,
      },
      minimumOut: [
        { mint: TOKEN_X, amountRaw: 123_456_789_012n, from: 'withdrawal' },
        { mint: TOKEN_Y, amountRaw: 123_456_789_012n, from: 'withdrawal' },
        { mint: WRAPPED_SOL_MINT, amountRaw: 702_345_678_901n, from: 'Jupiter' },
      ],
      tokenSpends: [
        { mint: TOKEN_X, amountRaw: 123_456_789_011n, into: 'swap' },
        { mint: TOKEN_Y, amountRaw: 123_456_789_012n, into: 'swap' },
      ],
      simulated: new Map([
        [WRAPPED_SOL_MINT, 707_345_678_901n],
        [TOKEN_X, 1n],
      ]),
      programs: ['System', 'Compute Budget', 'Token', 'Associated Token Account', 'Meteora DLMM', 'Jupiter', 'Meteora Zap'],
      recipients: [{ address: addressOf(90), role: 'Jito tip' }],
      transactions: [0, 1, 2].map(transaction),
      checked: { resolvedTables: 3, usedTables: 3, simulation: { slot: 412_345_678n, transactions: 3 } },
    },
  );
}

async function question(
  review: Review,
  reason: ReapprovalReason | undefined,
  isAgain: boolean,
  rpc: SolanaRpc | undefined,
): Promise<string> {
  const prompts = new ScriptedPrompts(['escape']);
  const subject = rebalanceSubject(
    { position: LARGE, terms: TERMS, isAgain },
    { rpc, perMinute: 5, name: LARGE.pairName, feePercent: 0.25 },
  );
  const actions = {
    showDocument: () => Promise.reject(new Error('nothing is shown')),
    saveText: () => Promise.reject(new Error('nothing is saved')),
  };
  await askApproval({ review, reason, tokens: TOKENS, subject }, { prompts, actions, nowMs: () => NOW_MS }, new AbortController().signal);
  return prompts.asked[0]?.text ?? '';
}

const NOTES = Array.from({ length: 5 }, (_, place): Finding => ({
  rule: `ALT-${place}`,
  verdict: 'info',
  message: `Pool accounts come from lookup table ${addressOf(place)}, and what it holds was read from your RPC alone.`,
}));
const OPEN = Array.from({ length: 5 }, (_, place): Finding => ({
  rule: `TOK-${place}`,
  verdict: 'confirm',
  transaction: 1,
  instruction: 12,
  message: 'The receiver of these tokens is in a lookup table that could not be read. '.repeat(6).trim(),
  address: addressOf(place),
}));
const REASONS: readonly (ReapprovalReason | undefined)[] = [undefined, 'tookTooLong', 'changed', 'firstTryDidNotLand'];

describe('The question of a large rebalance with two swaps, a simulation and a small plan', () => {
  for (const [verdict, findings] of [
    ['allow', []],
    ['allow', NOTES],
    ['confirm', OPEN.slice(0, 1)],
    ['confirm', OPEN],
  ] as const) {
    it(`The question fits a dialog with its dollars and duration, ${verdict === 'allow' ? 'as expected' : 'to be decided'}, with ${findings.length} findings, for any reason`, async () => {
      for (const reason of REASONS) {
        for (const isAgain of [false, true]) {
          for (const rpc of [RPC, undefined]) {
            const text = await question(largeReview(verdict, findings), reason, isAgain, rpc);
            assert.match(text, /^You pay: 100% of the position \(in range\), ≈ \$9,999\.99$/m);
            assert.match(text, /^Duration: at least [12] minutes?$/m);
            assert.match(text, /^You get: .*at least [^\n]+ SOL/m);
            assert.match(text, /^Re-enters around the price: /m);
            assert.match(text, /^Checked offline and simulated; valid until \d\d:\d\d:\d\d$/m);
            assert.ok(
              linesOf(text) <= 23,
              `${linesOf(text)} lines, asked for the reason ${String(reason)}${isAgain ? ' after a first try' : ''}:\n${text}`,
            );
          }
        }
      }
    });
  }
});

describe('The question how much SOL to re-enter with', () => {
  it('Only an amount above 0 with at most nine decimals is taken, in lamports, and the value of the position is shown', async () => {
    const prompts = new ScriptedPrompts([{ type: '0' }, { type: 'all' }, { type: '0.1234567891' }, { type: '1.000000001' }]);
    assert.equal(await askAmountBack('BONK/SOL', 1.5, prompts), 1_000_000_001n);
    prompts.assertDone();
    assert.equal(prompts.refused.length, 3);
    assert.match(prompts.asked[0]?.text ?? '', /^Value: about 1\.5 SOL\./);
  });

  it('Without a known value the question names none, and Escape re-enters nothing', async () => {
    for (const worth of [undefined, Number.NaN]) {
      const prompts = new ScriptedPrompts(['escape']);
      assert.equal(await askAmountBack('BONK/SOL', worth, prompts), undefined);
      assert.doesNotMatch(prompts.asked[0]?.text ?? '', /worth/);
    }
  });
});
