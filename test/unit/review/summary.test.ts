import assert from 'node:assert/strict';
import { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js';
import { addressBytes } from '../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { NO_FACTS, type AccountState, type ChainFacts } from '../../../src/review/facts/facts';
import { describeDetails } from '../../../src/review/describe/details';
import { describeReview, findingText, summaryAsText } from '../../../src/review/describe/summary';
import type { TokenNames } from '../../../src/review/describe/tokenNames';
import {
  addByStrategy,
  addressOf,
  budget,
  claim,
  createAta,
  dlmm,
  honestZapIn,
  honestZapOut,
  instruction,
  key,
  keyOf,
  MINT,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  POSITION_KEY,
  removal,
  reviewDrafts,
  route,
  THIEF,
  transferSol,
  ZAP_IN,
  UNPRICED_OUT,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { tableOf } from '../../support/review/lookupTables';

const TOKENS: TokenNames = (mint) => (mint === MINT ? { symbol: 'MEME', decimals: 6 } : undefined);

const linesOf = (summary: ReturnType<typeof describeReview>): Record<string, string> =>
  Object.fromEntries(summary.lines.map(({ label, text }) => [label, text]));

describe('review: summary', () => {
  it('The summary describes a zap-out in words', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, honestZapOut()), TOKENS);
    assert.equal(summary.title, 'zap-out');
    assert.equal(summary.verdict, 'allow');
    assert.deepEqual(linesOf(summary), {
      'You spend at most': '0.00719284 SOL (Network fee: 0.000015, Priority fee: 0.00006, Tip: 0.001, Refundable rent: 0.00611784)',
      'Tokens that move at most': 'Swapped: 5 MEME',
      'You receive at least': '0.388 SOL from swaps; the rest is withdrawn as it is',
      'Goes to': 'only you, the pool, Jito tip',
      Pool: POOL,
      Position: POSITION,
      Share: '100%. You chose 100%.',
      Transactions: '3 (1 close, 2 swap)',
      Programs: 'Compute Budget, Associated Token Account, Meteora DLMM, System, Jupiter v6, Token',
      'Last valid block height': '1000',
      Simulated: 'none',
    });
    assert.deepEqual(summary.findings, []);
  });

  it('The summary describes a zap-in in words', () => {
    const summary = describeReview(reviewDrafts(ZAP_IN, honestZapIn()), TOKENS);
    assert.equal(summary.title, 'zap-in');
    const lines = linesOf(summary);
    assert.equal(
      lines['You spend at most'],
      '1.20543952 SOL (Into swaps and the pool: 1, Network fee: 0.00002, Priority fee: 0.00006, Tip: 0.001, Refundable rent: 0.06148464, Non-refundable rent: 0.14287488)',
    );
    assert.equal(lines['The swaps give at least'], '3.977 MEME');
    assert.equal(lines['Tokens that move at most'], 'Into the position: 4 MEME');
    assert.equal(lines.Bins, '-20 to 19, SpotImBalanced. You chose -20 to 19, Spot.');
    assert.equal(lines['Also signed by'], `${POSITION} (position)`);
  });

  it('The summary counts SOL that a zap-out withdraws and swaps as moved, not as spent', () => {
    const sell = route(
      {},
      {
        user_source_token_account: OWN_SOL,
        source_token_account: OWN_SOL,
        user_destination_token_account: OWN_TOKEN,
        source_mint: WRAPPED_SOL_MINT,
        destination_mint: MINT,
      },
    );
    const lines = linesOf(
      describeReview(reviewDrafts({ ...ZAP_OUT, output: 'allToken0' }, [{ group: 'swap', instructions: [sell] }]), TOKENS),
    );
    assert.equal(lines['You spend at most'], '0.000005 SOL (Network fee: 0.000005)');
    assert.equal(lines['Tokens that move at most'], 'Swapped: 0.005 SOL');
  });

  it('The summary separates thousands in amounts', () => {
    const many = (mint: string) => ({ symbol: mint === MINT ? 'MEME' : '?', decimals: 1 });
    const lines = linesOf(
      describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route({ in_amount: 12_345_678n })] }]), many),
    );
    assert.equal(lines['Tokens that move at most'], 'Swapped: 1,234,567.8 MEME');
    const tiny = linesOf(
      describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route({ in_amount: 12_345_678n })] }]), () => ({
        symbol: 'MEME',
        decimals: 9,
      })),
    );
    assert.equal(tiny['Tokens that move at most'], 'Swapped: 0.012345678 MEME');
  });

  it('The summary says if the transactions state no minimum', () => {
    const summary = describeReview(reviewDrafts({ ...ZAP_OUT, output: 'both' }, [{ group: 'close', instructions: [claim()] }]));
    assert.equal(linesOf(summary)['You receive at least'], 'no guaranteed minimum');
  });

  it('The summary shows the simulated proceeds of a zap-out separately from the guaranteed minimum', () => {
    const wallet = (lamports: bigint): AccountState => ({ lamports, program: PROGRAMS.system, data: new Uint8Array() });
    const tokens = (amount: bigint): AccountState => {
      const data = new Uint8Array(165);
      data.set(addressBytes(MINT), 0);
      data.set(addressBytes(OWNER), 32);
      new DataView(data.buffer).setBigUint64(64, amount, true);
      data[108] = 1;
      return { lamports: 2_039_280n, program: PROGRAMS.token, data };
    };
    const simulated = (lamports: bigint, amount: bigint, error?: string) => ({
      error,
      innerInstructions: [],
      before: new Map([
        [OWNER, wallet(10n ** 10n)],
        [OWN_TOKEN, tokens(5n)],
      ]),
      after: new Map([
        [OWNER, wallet(lamports)],
        [OWN_TOKEN, tokens(amount)],
      ]),
    });
    const reviewed = (transactions: readonly ReturnType<typeof simulated>[], intent = { ...ZAP_OUT, output: 'both' as const }) =>
      linesOf(
        describeReview(
          reviewDrafts(intent, [{ group: 'close', instructions: [claim()] }], undefined, {
            facts: { ...NO_FACTS, simulation: { slot: 1n, transactions } },
          }),
          TOKENS,
        ),
      );
    const lines = reviewed([simulated(10n ** 10n + 57_000_000n, 2_500_005n)]);
    assert.equal(lines['Expected (simulated)'], '0.057 SOL, 2.5 MEME, including rent and fees');
    assert.equal(lines['You receive at least'], 'no guaranteed minimum');
    assert.equal(reviewed([simulated(10n ** 10n - 5_000n, 5n)])['Expected (simulated)'], '0 SOL');
    // Nothing is expected of what would fail, was simulated in part, or is not a zap-out.
    assert.equal(reviewed([simulated(10n ** 10n, 5n, 'custom error 6004')])['Expected (simulated)'], undefined);
    assert.equal(reviewed([])['Expected (simulated)'], undefined);
  });

  it('The summary shows raw units of unknown tokens', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route()] }]));
    assert.equal(linesOf(summary)['Tokens that move at most'], `Swapped: 5000000 raw units of ${MINT}`);
    const noDecimals = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route()] }]), () => ({
      symbol: 'MEME',
      decimals: undefined,
    }));
    assert.equal(linesOf(noDecimals)['Tokens that move at most'], 'Swapped: 5000000 raw units of MEME');
  });

  it('The summary shows every recipient in full', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 7n)] }]));
    assert.equal(linesOf(summary)['Goes to'], `you, the pool, ${THIEF} (gets SOL)`);
    assert.equal(summary.verdict, 'confirm');
    assert.match(summary.findings[0] ?? '', new RegExp(`^Confirm \\(SYS-1, transaction 1, instruction 2\\): 0\\.000000007 SOL .*${THIEF}`));
  });

  it('The summary does not claim that only owner and pool receive funds if a finding doubts it', () => {
    const tables = [tableOf([associatedTokenAddress(THIEF, MINT)])];
    const hidden = describeReview(
      reviewDrafts(ZAP_OUT, [{ group: 'close', tables, instructions: [claim({ user_token_x: associatedTokenAddress(THIEF, MINT) })] }]),
    );
    assert.equal(hidden.verdict, 'confirm');
    assert.equal(linesOf(hidden)['Goes to'], 'you, the pool, but see the findings');
    const paidFor = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), createAta(MINT, THIEF)] }]));
    assert.equal(linesOf(paidFor)['Goes to'], `you, the pool, ${THIEF} (gets a token account)`);
  });

  it('The summary makes no promise about blocked transactions', () => {
    const summary = describeReview(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim({ user_token_x: THIEF })] }]));
    assert.equal(linesOf(summary)['Goes to'], 'you, the pool, but see the findings');
    assert.match(summary.findings[0] ?? '', /^Blocked \(DLMM-2, transaction 1, instruction 1\)/);
  });

  it('The summary has a plain text form', () => {
    const text = summaryAsText(describeReview(reviewDrafts(UNPRICED_OUT, honestZapOut())));
    const paragraphs = text.split('\n\n');
    assert.match(paragraphs[0] ?? '', /^You receive at least: .*\nYou spend at most: .*\n/);
    assert.match(paragraphs[1] ?? '', /^Confirm \(SWP-9, transaction 2, instruction 4\): /);
    assert.match(paragraphs[2] ?? '', /^Pool: .*\nPosition: /);
    assert.equal(paragraphs.length, 3);
  });

  it('The summary begins with the money lines that the caller supplies', () => {
    const text = summaryAsText(describeReview(reviewDrafts(ZAP_OUT, honestZapOut())), ['Should come back: about $100.00']);
    assert.match(text, /^Should come back: about \$100\.00\nYou receive at least: /);
  });

  it('The summary names the RPC facts that the review used', () => {
    const checked = (facts: Partial<ChainFacts>, drafts: readonly Draft[] = honestZapOut()): readonly (string | undefined)[] => {
      const lines = linesOf(describeReview(reviewDrafts(ZAP_OUT, drafts, undefined, { facts: { ...NO_FACTS, ...facts } })));
      return [lines['Simulated'], lines['Lookup tables']];
    };
    const [close, swap] = honestZapOut();
    const tables = ['one', 'two'].map(
      (name) =>
        new AddressLookupTableAccount({
          key: key(addressOf(name)),
          state: {
            deactivationSlot: 2n ** 64n - 1n,
            lastExtendedSlot: 0,
            lastExtendedSlotStartIndex: 0,
            addresses: [key(name === 'one' ? MINT : addressOf('route account'))],
          },
        }),
    );
    const lookupTables = new Map([[addressOf('one'), { addresses: [MINT], isDeactivated: false }]]);
    const simulated = { error: undefined, before: new Map(), after: new Map(), innerInstructions: [] };
    assert.deepEqual(checked({}), ['none', undefined]);
    assert.deepEqual(checked({ simulation: { slot: 9n, transactions: [simulated] } }), ['1 / 3 (slot 9)', undefined]);
    assert.deepEqual(checked({ simulation: { slot: 9n, transactions: [simulated, simulated, simulated] } }), ['3 / 3 (slot 9)', undefined]);
    assert.deepEqual(
      checked({}, [
        { ...close, tables },
        { ...swap, tables },
      ]),
      ['none', '0 / 2'],
    );
    assert.deepEqual(
      checked({ lookupTables }, [
        { ...close, tables },
        { ...swap, tables },
      ]),
      ['none', '1 / 2'],
    );
  });

  it('The summary shows the requested values beside the decoded ones', () => {
    const share = (shareBps: number, ...instructions: readonly TransactionInstruction[]): string | undefined =>
      linesOf(describeReview(reviewDrafts({ ...ZAP_OUT, shareBps }, [{ group: 'close', instructions }])))['Share'];
    assert.equal(share(5_000, removal(7_000), removal(2_500)), '70%, 25%. You chose 50%.');
    assert.equal(share(5_000, dlmm('remove_all_liquidity')), '100%. You chose 50%.');
    assert.equal(share(10_000, claim()), 'You chose 100%.');
    const [swap, add] = honestZapIn();
    assert.equal(
      linesOf(describeReview(reviewDrafts({ ...ZAP_IN, toBinId: 30, strategy: 'Curve' }, [swap, add])))['Bins'],
      '-20 to 19, SpotImBalanced. You chose -20 to 30, Curve.',
    );
    const withoutBins = { ...ZAP_IN, fromBinId: undefined, toBinId: undefined, strategy: undefined };
    assert.equal(linesOf(describeReview(reviewDrafts(withoutBins, [swap])))['Bins'], 'You chose full range.');
  });

  it('The summary accepts an intent without a position', () => {
    assert.equal(linesOf(describeReview(reviewDrafts({ ...ZAP_OUT, position: undefined }, honestZapOut())))['Position'], undefined);
  });

  it('The summary shows the address of a finding in full and only once', () => {
    assert.equal(findingText({ rule: 'X-1', verdict: 'block', message: 'Odd.', address: THIEF }), `Blocked (X-1): Odd. (${THIEF})`);
    assert.equal(
      findingText({ rule: 'X-1', verdict: 'block', message: `Odd: ${THIEF}.`, address: THIEF }),
      `Blocked (X-1): Odd: ${THIEF}.`,
    );
    for (const review of [
      reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim({ user_token_x: THIEF }), transferSol(THIEF, 10n ** 9n)] }]),
      reviewDrafts(ZAP_IN, honestZapOut()),
    ]) {
      for (const finding of review.findings) {
        assert.ok(finding.address === undefined || findingText(finding).includes(finding.address));
      }
    }
  });

  it('The summary shows the worst findings and the number of the others', () => {
    const many = reviewDrafts(
      ZAP_OUT,
      Array.from({ length: 6 }, (_, at) => ({
        group: 'close',
        instructions: Array.from({ length: 15 }, () => claim({ user_token_x: THIEF })),
        blockhash: addressOf(`hash ${at}`),
        tables: [],
      })),
    );
    const { findings } = describeReview(many);
    assert.equal(findings.length, 51);
    assert.ok(findings.slice(0, 50).every((text) => text.startsWith('Blocked')));
    assert.equal(findings[50], `… and ${many.findings.filter(({ rule }) => rule !== 'LIM-3').length - 50} more`);
    assert.equal(describeDetails(many).match(/^- (?:Blocked|Confirm|Note) /gm)?.length, many.findings.length);
  });

  it('The summary prevents a token symbol from passing for a well-known token or for text of the extension', () => {
    const shown = (symbol: string): string | undefined =>
      linesOf(describeReview(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [route()] }]), () => ({ symbol, decimals: 6 })))[
        'Tokens that move at most'
      ];
    assert.equal(shown('wSOL'), `Swapped: 5 "wSOL" (not SOL, but ${MINT})`);
    for (const symbol of ['SOL.', '$SOL', '.wSOL-', 'S0L', '5OL', 'soI']) {
      assert.equal(shown(symbol), `Swapped: 5 "${symbol}" (not SOL, but ${MINT})`);
    }
    for (const [symbol, original] of [
      ['USDC', 'USDC'],
      ['usdc', 'USDC'],
      ['U5DC', 'USDC'],
      ['$USDC', 'USDC'],
      ['U$DC', 'USDC'],
      ['USD.C', 'USDC'],
      ['wUSDC', 'USDC'],
      ['USDT', 'USDT'],
      ['U5D7', 'USDT'],
      ['JUP', 'JUP'],
      ['$OL', 'SOL'],
    ] as const) {
      assert.equal(shown(symbol), `Swapped: 5 "${symbol}" (not ${original}, but ${MINT})`);
    }
    for (const symbol of ['000', '000.5', '.5', '+5', 'e6', 'E+6', '2Z']) {
      assert.equal(shown(symbol), `Swapped: 5 "${symbol}"`);
    }
    for (const symbol of ['$WIF', 'mSOL', 'JitoSOL', 'USDG', 'JUPP', 'e', 'M', 'BTC.b']) {
      assert.equal(shown(symbol), `Swapped: 5 ${symbol}`);
    }
    assert.equal(shown('`x`\n'), 'Swapped: 5 "\\u{60}x\\u{60}\\u{a}"');
    assert.ok((shown('x'.repeat(1_000)) ?? '').length < 60);
  });

  it('The summary names the other signers as far as the transactions explain them', () => {
    const lines = linesOf(
      describeReview(
        reviewDrafts(ZAP_IN, [
          { group: 'add', instructions: [openPosition(), transferSol(OWNER, 0n, THIEF)], signers: [POSITION_KEY, keyOf('thief')] },
        ]),
      ),
    );
    assert.equal(lines['Also signed by'], `${POSITION} (position), ${THIEF}`);
  });

  it('The summary shows findings about the whole operation without a place', () => {
    assert.equal(findingText({ rule: 'BND-1', verdict: 'confirm', message: 'Odd.' }), 'Confirm (BND-1): Odd.');
  });
});

describe('review: details', () => {
  it('A theft is listed once, as blocked, and the document has the title of the question', () => {
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 5_000_000_000n)] }]);
    const text = describeDetails(review, TOKENS, [], 'Zap out 100% of PENGO/SOL');
    assert.match(text, /^# Zap out 100% of PENGO\/SOL\n/);
    assert.deepEqual(
      text.match(/^- \w+ \(SYS-1.*would go to/gm)?.map((line) => line.slice(0, line.indexOf(':'))),
      ['- Blocked (SYS-1, transaction 1)'],
    );
    assert.equal(describeReview(review).findings.filter((finding) => finding.includes('would go to')).length, 1);
  });

  it('The details show every instruction with its accounts and arguments', () => {
    const text = describeDetails(reviewDrafts(ZAP_IN, honestZapIn()), TOKENS);
    assert.match(text, /^# zap-in/);
    assert.match(text, /Allowed: everything was read/);
    assert.match(text, /## Transaction 2: add/);
    assert.match(text, new RegExp(`- Signer: \`${POSITION}\` \\(signed\\)`));
    assert.match(text, new RegExp(`- Signer: \`${OWNER}\`\n`));
    assert.match(text, /### 3\. Meteora DLMM: initialize_position2/);
    assert.match(text, /- Argument lower_bin_id: `-20`/);
    assert.match(text, /- Argument liquidity_parameter\.strategy_parameters\.strategy_type: `SpotImBalanced`/);
    assert.match(text, /- Argument liquidity_parameter\.amount_x: `4000000` \(4 MEME\)/);
    assert.match(text, /- Argument liquidity_parameter\.amount_y: `500000000` \(0\.5 SOL\)/);
    assert.match(text, /- Argument in_amount: `500000000` \(0\.5 SOL\)/);
    assert.match(text, /- Argument quoted_out_amount: `4100000` \(4\.1 MEME\)/);
    assert.match(text, /- Argument lamports: `1000000` \(0\.001 SOL\)/);
    assert.match(text, /- Argument liquidity_parameter\.active_id: `0`\n/);
    assert.match(text, /- Account platform_fee_account: `JUP6[^`]+` \(none/);
    assert.match(text, /- Note \(LIM-3\): The operation takes at most 1\.20543952 SOL/);
    assert.match(text, new RegExp(`- Account user_token_x: \`[^\`]+\` \\(your token account for ${MINT}, writable\\)`));
    assert.equal(text.match(/^### /gm)?.length, 7 + 7 + 3);
  });

  it('The details show unreadable data as bytes and give the reason', () => {
    const unknown = new TransactionInstruction({ programId: key(THIEF), keys: [], data: Buffer.alloc(80, 1) });
    const text = describeDetails(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), unknown] }]));
    assert.match(text, new RegExp(`### 2\\. ${THIEF}: unknown`));
    assert.match(text, /- Argument data: `0x(01){64}… \(80 B\)`/);
    assert.match(text, /- Problem: Binsight does not know this instruction/);
    const spoilt = claim();
    spoilt.data = spoilt.data.subarray(0, 12);
    assert.match(
      describeDetails(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [spoilt] }])),
      /- Problem: The instruction data is cut short/,
    );
  });

  it('The details of a review escape hostile text', () => {
    const memo = instruction(
      PROGRAMS.memo,
      [{ name: 'memo', discriminator: '', accounts: [], args: [['data', 'rest']] }],
      'memo',
      {},
      { data: new Uint8Array(Buffer.from('`](javascript:x)\n# Verdict: allowed')) },
    );
    const text = describeDetails(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), memo] }]));
    assert.doesNotMatch(text, /\n# Verdict/);
    assert.doesNotMatch(text, /javascript:x\)\n/);
  });

  it('The details cover blocked transactions as far as the decoder could read them', () => {
    const text = describeDetails(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [...budget(), addByStrategy()] }]));
    assert.match(text, /Blocked: nothing is signed\./);
    assert.match(text, /add_liquidity_by_strategy2/);
  });
});
