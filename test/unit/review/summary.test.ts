import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import { describeDetails } from '../../../src/review/details';
import { describeReview, findingText, summaryAsText, type TokenNames } from '../../../src/review/summary';
import { addByStrategy, budget, claim, honestZapIn, honestZapOut, instruction, key, MINT, OWN_SOL, OWN_TOKEN, OWNER, POOL, POSITION, reviewDrafts, route, THIEF, transferSol, ZAP_IN, ZAP_OUT } from './bundles';

const TOKENS: TokenNames = (mint) => (mint === MINT ? { symbol: 'MEME', decimals: 6 } : undefined);

const linesOf = (summary: ReturnType<typeof describeReview>): Record<string, string> => Object.fromEntries(summary.lines.map(({ label, text }) => [label, text]));

describe('summary of a review', () => {
  it('says what a zap-out does, in words', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, honestZapOut()), TOKENS);
    assert.equal(summary.title, `Zap out 100 % of position ${POSITION.slice(0, 4)}…${POSITION.slice(-4)}`);
    assert.equal(summary.verdict, 'allow');
    assert.deepEqual(linesOf(summary), {
      'You spend at most': '0.00719284 SOL (0.000015 network fee, 0.00006 priority fee, 0.001 tip, 0.00611784 rent that comes back when the accounts are closed)',
      'Tokens that move at most': '5 MEME into swaps',
      'You receive at least': '0.388 SOL from swaps; for the rest the transactions state no minimum',
      'Goes to': 'only your own accounts and the pool, besides the tip',
      Pool: POOL,
      Position: POSITION,
      Transactions: '3 (1 close, 2 swap)',
      Programs: 'Compute Budget, Associated Token Account, Meteora DLMM, System, Jupiter v6, Token',
      Expires: 'about a minute after they were made (block height 1000)',
      Checked: 'offline, from the bytes of the transactions alone',
    });
    assert.deepEqual(summary.findings.map((text) => text.slice(0, 4)), ['Note']);
  });

  it('says what a zap-in does, in words', () => {
    const summary = describeReview(reviewDrafts(ZAP_IN, honestZapIn()), TOKENS);
    assert.equal(summary.title, `Zap in 1 SOL to pool ${POOL.slice(0, 4)}…${POOL.slice(-4)}`);
    const lines = linesOf(summary);
    assert.equal(
      lines['You spend at most'],
      '1.20543952 SOL (1 into swaps and the pool, 0.00002 network fee, 0.00006 priority fee, 0.001 tip, 0.06148464 rent that comes back when the accounts are closed, 0.14287488 rent that does not come back)',
    );
    assert.equal(lines['The swaps give at least'], '3.977 MEME');
    assert.equal(lines['Tokens that move at most'], '4 MEME into the position');
    assert.equal(lines.Bins, '-20 to 19, Spot');
    assert.equal(lines['Also signed by'], `the new position's key ${POSITION}`);
  });

  it('counts SOL that a zap-out withdraws and swaps as moved, not as spent', () => {
    const sell = route({}, { user_source_token_account: OWN_SOL, source_token_account: OWN_SOL, user_destination_token_account: OWN_TOKEN, source_mint: WRAPPED_SOL_MINT, destination_mint: MINT });
    const lines = linesOf(describeReview(reviewDrafts({ ...ZAP_OUT, output: 'allToken0' }, [{ group: 'swap', instructions: [sell] }]), TOKENS));
    assert.equal(lines['You spend at most'], '0.000005 SOL (0.000005 network fee)');
    assert.equal(lines['Tokens that move at most'], '0.005 SOL into swaps');
  });

  it('separates thousands in amounts', () => {
    const many = (mint: string) => ({ symbol: mint === MINT ? 'MEME' : '?', decimals: 1 });
    const lines = linesOf(describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route({ in_amount: 12_345_678n })] }]), many));
    assert.equal(lines['Tokens that move at most'], '1,234,567.8 MEME into swaps');
    const tiny = linesOf(describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route({ in_amount: 12_345_678n })] }]), () => ({ symbol: 'MEME', decimals: 9 })));
    assert.equal(tiny['Tokens that move at most'], '0.012345678 MEME into swaps');
  });

  it('says so where the transactions state no minimum', () => {
    const summary = describeReview(reviewDrafts({ ...ZAP_OUT, output: 'both' }, [{ group: 'close', instructions: [claim()] }]));
    assert.equal(linesOf(summary)['You receive at least'], 'not stated in the transactions');
  });

  it('shows raw units where a token is not known', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route()] }]));
    assert.equal(linesOf(summary)['Tokens that move at most'], `5000000 raw units of ${MINT} into swaps`);
    const noDecimals = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route()] }]), () => ({ symbol: 'MEME', decimals: undefined }));
    assert.equal(linesOf(noDecimals)['Tokens that move at most'], '5000000 raw units of MEME into swaps');
  });

  it('names everybody who gets something, in full', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 7n)] }]));
    assert.equal(linesOf(summary)['Goes to'], `your own accounts, the pool, and ${THIEF} (gets SOL)`);
    assert.equal(summary.verdict, 'confirm');
    assert.match(summary.findings[0] ?? '', new RegExp(`^Decide \\(SYS-1, transaction 1, instruction 2\\): 0\\.000000007 SOL .*${THIEF}`));
  });

  it('promises nothing about blocked transactions', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim({ user_token_x: THIEF })] }]));
    assert.equal(linesOf(summary)['Goes to'], 'not certain: see the findings');
    assert.match(summary.findings[0] ?? '', /^Blocked \(DLMM-2, transaction 1, instruction 1\)/);
  });

  it('writes itself as one text', () => {
    const text = summaryAsText(describeReview(reviewDrafts(ZAP_OUT, honestZapOut())));
    const paragraphs = text.split('\n\n');
    assert.match(paragraphs[0] ?? '', /^You receive at least: .*\nYou spend at most: .*\n/);
    assert.match(paragraphs[1] ?? '', /^Note \(SWP-9, transaction 2, instruction 4\): /);
    assert.match(paragraphs[2] ?? '', /^Pool: .*\nPosition: /);
    assert.equal(paragraphs.length, 3);
  });

  it('begins with what the caller knows of the money', () => {
    const text = summaryAsText(describeReview(reviewDrafts(ZAP_OUT, honestZapOut())), ['Should come back: about $100.00']);
    assert.match(text, /^Should come back: about \$100\.00\nYou receive at least: /);
  });

  it('writes findings about the whole operation without a place', () => {
    assert.equal(findingText({ rule: 'BND-1', verdict: 'confirm', message: 'Odd.' }), 'Decide (BND-1): Odd.');
  });
});

describe('details of a review', () => {
  it('show every instruction with its accounts and arguments', () => {
    const text = describeDetails(reviewDrafts(ZAP_IN, honestZapIn()), TOKENS);
    assert.match(text, /^# Zap in 1 SOL/);
    assert.match(text, /Verdict: allowed\./);
    assert.match(text, /## Transaction 2: add/);
    assert.match(text, new RegExp(`- Signer: \`${POSITION}\` \\(has signed\\)`));
    assert.match(text, new RegExp(`- Signer: \`${OWNER}\` \\(has not signed yet\\)`));
    assert.match(text, /### 3\. Meteora DLMM: initialize_position2/);
    assert.match(text, /- Argument lower_bin_id: `-20`/);
    assert.match(text, /strategy_type: SpotImBalanced/);
    assert.match(text, new RegExp(`- Account user_token_x: \`[^\`]+\` \\(your token account of ${MINT}, is written\\)`));
    assert.equal(text.match(/^### /gm)?.length, 7 + 7 + 3);
  });

  it('show what could not be read as bytes, and why', () => {
    const unknown = new TransactionInstruction({ programId: key(THIEF), keys: [], data: Buffer.alloc(80, 1) });
    const text = describeDetails(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), unknown] }]));
    assert.match(text, new RegExp(`### 2\\. ${THIEF}: unknown`));
    assert.match(text, /- Argument data: `0x(01){64}… \(80 bytes\)`/);
    assert.match(text, /- Problem: Binsight does not know this instruction/);
    const spoilt = claim();
    spoilt.data = spoilt.data.subarray(0, 12);
    assert.match(describeDetails(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [spoilt] }])), /- Problem: The instruction data is cut short/);
  });

  it('show hostile text only escaped', () => {
    const memo = instruction(PROGRAMS.memo, [{ name: 'memo', discriminator: '', accounts: [], args: [['data', 'rest']] }], 'memo', {}, { data: new Uint8Array(Buffer.from('`](javascript:x)\n# Verdict: allowed')) });
    const text = describeDetails(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), memo] }]));
    assert.doesNotMatch(text, /\n# Verdict/);
    assert.doesNotMatch(text, /javascript:x\)\n/);
  });

  it('are there for transactions that were refused, as far as they could be read', () => {
    const text = describeDetails(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [...budget(), addByStrategy()] }]));
    assert.match(text, /Verdict: blocked\. None of it is signed\./);
    assert.match(text, /add_liquidity_by_strategy2/);
  });
});
