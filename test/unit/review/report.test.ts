import assert from 'node:assert/strict';
import { associatedTokenAddress, dlmmReserve } from '../../../src/base/solana/pda';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { type Base64Transaction, parseTransaction } from '../../../src/base/solana/wireTransaction';
import { type AccountState, type ChainFacts, NO_FACTS } from '../../../src/review/facts/facts';
import { readCase } from '../../../src/review/report/caseFormat';
import { writeReport } from '../../../src/review/report/report';
import { reviewOperation } from '../../../src/review/review';
import { NO_SPENDS } from '../../../src/review/spends';
import type { Review } from '../../../src/review/types';
import { INTO_POSITION, TOKENS_IN } from '../../corpus/tokensIn';
import {
  base64Of,
  BLOCKHASH,
  bytesOf,
  claim,
  dlmm,
  type Draft,
  honestZapIn,
  honestZapOut,
  MINT,
  NO_SLICES,
  NOW_MS,
  OWN_TOKEN,
  OWNER,
  OWNER_KEY,
  POOL,
  POSITION,
  removal,
  reviewDrafts,
  THIEF,
  tokenAmount,
  tokenInstruction,
  transferSol,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/review/bundles';
import { TABLE, tableOf } from '../../support/review/lookupTables';

const RESERVE = dlmmReserve(POOL, MINT);
const wallet = (lamports: bigint): AccountState => ({ lamports, program: PROGRAMS.system, data: new Uint8Array() });

interface Written {
  readonly schema: number;
  readonly op: string;
  readonly case: { readonly name: string; readonly txs: readonly { readonly group: string; readonly txBase64: string }[] };
  readonly review: {
    readonly verdict: string;
    readonly findings: readonly Readonly<Record<string, unknown>>[];
    readonly summary: readonly string[];
    readonly checked: unknown;
  };
}

const read = (report: string): Written => JSON.parse(report) as Written;

/** What the maintainers see when they review the case of a report. */
const again = (report: string): Review => reviewOperation({ ...readCase(read(report).case), nowMs: NOW_MS });

describe('review: report', () => {
  it('A report is one line that reproduces the review', () => {
    const reviews = [
      reviewDrafts(ZAP_OUT, honestZapOut()),
      reviewDrafts({ ...ZAP_OUT, fromBinId: -20, toBinId: 19 }, honestZapOut()),
      reviewDrafts(ZAP_IN, honestZapIn()),
      reviewDrafts({ ...ZAP_IN, isSolOnly: true }, honestZapIn().slice(1)),
      reviewDrafts({ ...ZAP_IN, fromBinId: undefined, toBinId: undefined, strategy: undefined, inputLamports: 1n }, honestZapIn()),
      reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 6_000_000n)] }], { tipAllowLamports: 5n }),
      reviewDrafts(ZAP_OUT, honestZapOut(), undefined, { prior: { ...NO_SPENDS, tipLamports: 49_900_000n } }),
      reviewDrafts(ZAP_OUT, []),
      reviewDrafts(TOKENS_IN, INTO_POSITION.drafts(0)),
      reviewDrafts({ ...TOKENS_IN, tokens: [] }, INTO_POSITION.drafts(0)),
      reviewDrafts({ ...TOKENS_IN, tokens: [{ mint: MINT, amountRaw: 4_000_000n, decimals: 9 }] }, INTO_POSITION.drafts(0), undefined, {
        facts: { ...NO_FACTS, decimals: new Map([[MINT, 6]]) },
      }),
    ];
    for (const review of reviews) {
      const report = writeReport(review, 'Zap out');
      assert.match(report, /^[^\n]+\n$/);
      const repeated = again(report);
      assert.equal(repeated.verdict, review.verdict);
      assert.deepEqual(repeated.findings, review.findings);
      assert.deepEqual(
        read(report).case.txs.map(({ txBase64 }) => txBase64),
        review.input.transactions.map(({ base64 }) => base64),
      );
    }
  });

  it('A report contains the findings and writes large numbers as text', () => {
    const report = read(
      writeReport(
        reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 6_000_000n)] }]),
        'Zap out 100% of MEME/SOL',
      ),
    );
    assert.equal(report.schema, 1);
    assert.equal(report.op, 'review');
    assert.equal(report.case.name, 'Zap out 100% of MEME/SOL');
    assert.equal(report.review.verdict, 'block');
    const [worst] = report.review.findings;
    assert.deepEqual([worst?.['rule'], worst?.['verdict'], worst?.['tx'], worst?.['amount']], ['SYS-1', 'block', 0, '6000000']);
    assert.match(report.review.summary.join('\n'), /You spend at most: 0\.006005 SOL/);
  });

  it('A report keeps the RPC answers so that it reproduces the review', () => {
    const facts: ChainFacts = {
      lookupTables: new Map([[TABLE, { addresses: [MINT, RESERVE], isDeactivated: true }]]),
      tokenAccounts: new Map([[OWN_TOKEN, { owner: THIEF, mint: MINT }]]),
      mints: new Map([[MINT, [{ kind: 'transferFee', bps: 600 }, { kind: 'pausable' }]]]),
      decimals: new Map([[MINT, 6]]),
      blockhashes: new Map([[BLOCKHASH, false]]),
      simulation: {
        slot: 77n,
        transactions: [
          {
            error: undefined,
            before: new Map([[OWNER, wallet(10n ** 10n)]]),
            after: new Map([[OWNER, wallet(10n ** 9n)]]),
            innerInstructions: [{ calledBy: 0, programIdIndex: 1, accountIndexes: [0, -1], data: new Uint8Array([6, 0]) }],
          },
          { error: 'custom program error: 0x1\n', before: new Map(), after: new Map(), innerInstructions: undefined },
        ],
      },
    };
    const drafts: readonly Draft[] = [
      { group: 'close', tables: [tableOf([MINT, RESERVE])], instructions: [removal(), claim()] },
      { group: 'swap', instructions: [dlmm('swap2', { amount_in: 9_000_000n, min_amount_out: 5_000n, ...NO_SLICES })] },
    ];
    const review = reviewDrafts({ ...ZAP_OUT, worth: [{ mint: MINT, amountRaw: 1_000n }] }, drafts, undefined, { facts });
    for (const rule of ['ALT-4', 'DLMM-2', 'NON-3', 'SIM-1', 'SIM-5', 'SWP-7']) {
      assert.ok(
        review.findings.some((finding) => finding.rule === rule),
        rule,
      );
    }
    const report = writeReport(review, 'Zap out');
    const repeated = again(report);
    assert.deepEqual(repeated.findings, review.findings);
    assert.deepEqual(repeated.checked, review.checked);
    assert.deepEqual(repeated.questions, review.questions);
    assert.deepEqual(repeated.input.facts, facts);
    assert.deepEqual(read(report).review.checked, { resolvedTables: 1, usedTables: 1, simulation: { slot: '77', transactions: 2 } });
  });

  it('A report reproduces the review even if a simulation answered a question', () => {
    const draft: Draft = {
      group: 'close',
      instructions: [claim(), tokenInstruction(tokenAmount(3, 80n), [OWN_TOKEN, associatedTokenAddress(THIEF, MINT), OWNER])],
    };
    const keys = parseTransaction(bytesOf(draft)).staticKeys;
    const paid = {
      calledBy: 0,
      programIdIndex: keys.indexOf(PROGRAMS.token),
      accountIndexes: [RESERVE, OWN_TOKEN, POOL].map((of) => keys.indexOf(of)),
      data: new Uint8Array(tokenAmount(3, 800n)),
    };
    const simulated = {
      error: undefined,
      before: new Map([[OWNER, wallet(7_000n)]]),
      after: new Map([[OWNER, wallet(2_000n)]]),
      innerInstructions: [paid],
    };
    const review = reviewDrafts(
      ZAP_OUT,
      [draft],
      { feeRecipients: [THIEF] },
      { facts: { ...NO_FACTS, simulation: { slot: 1n, transactions: [simulated] } } },
    );
    assert.equal(review.verdict, 'allow');
    const repeated = again(writeReport(review, 'Zap out'));
    assert.equal(repeated.verdict, 'allow');
    assert.deepEqual(repeated.findings, review.findings);
  });

  it('A report does not name the RPC, whose URL may contain a key', () => {
    const facts = { ...NO_FACTS, problem: 'The RPC abc123.example.com took longer than 8 s.' };
    const review = reviewDrafts(ZAP_OUT, honestZapOut(), undefined, { facts });
    assert.ok(review.findings.some(({ message }) => message.includes('abc123.example.com')));
    const report = writeReport(review, 'Zap out');
    assert.equal(report.includes('abc123'), false);
    assert.ok(read(report).review.findings.some(({ rule, verdict }) => rule === 'RPC-1' && verdict === 'info'));
    const repeated = again(report);
    assert.deepEqual(
      repeated.findings.map(({ rule }) => rule),
      review.findings.map(({ rule }) => rule),
    );
    assert.ok(repeated.findings.every(({ message }) => !message.includes('abc123')));
  });

  it('A report contains no signature of the owner, even if the service sent one', () => {
    const signed = { ...honestZapOut()[0], signers: [OWNER_KEY] };
    const report = writeReport(reviewDrafts(ZAP_OUT, [signed]), 'Zap out');
    const written = Buffer.from(read(report).case.txs[0]?.txBase64 ?? '', 'base64');
    assert.deepEqual(written, Buffer.from(bytesOf(honestZapOut()[0])));
    assert.equal(report.includes(base64Of(signed)), false);
    assert.deepEqual(read(report).review.findings[0]?.['rule'], 'SIG-3');
  });

  it('A report keeps the signatures of others, on which the review depends', () => {
    const [, add] = honestZapIn();
    assert.equal(read(writeReport(reviewDrafts(ZAP_IN, [add]), 'Zap in')).case.txs[0]?.txBase64, base64Of(add));
  });

  it('A report accepts any text that the service sent as transactions', () => {
    const review = reviewOperation({
      intent: ZAP_OUT,
      transactions: ['', '"\n\u2028<script>', 'AAAA', '8J+Ygg=='].map((text) => ({ group: 'close', base64: text as Base64Transaction })),
      lastValidBlockHeight: undefined,
      nowMs: NOW_MS,
    });
    const report = writeReport(review, 'Zap out "of" <MEME>\n');
    assert.match(report, /^[^\n]+\n$/);
    assert.equal(again(report).verdict, 'block');
    assert.equal(read(report).case.txs[1]?.txBase64, '"\n\u2028<script>');
  });

  it('A report names the owner, the pool and the position that the review is about', () => {
    const report = writeReport(reviewDrafts(ZAP_OUT, honestZapOut()), 'Zap out');
    assert.ok([OWNER, POOL, POSITION].every((one) => report.includes(one)));
  });
});
