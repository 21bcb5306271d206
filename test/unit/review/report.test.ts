import assert from 'node:assert/strict';
import { AddressLookupTableAccount } from '@solana/web3.js';
import type { Base64Transaction } from '../../../src/solana/base64Transaction';
import { readCase } from '../../../src/review/caseFormat';
import { NO_FACTS } from '../../../src/review/facts';
import { writeReport } from '../../../src/review/report';
import { reviewOperation } from '../../../src/review/review';
import { NO_SPENDS } from '../../../src/review/spends';
import type { Review } from '../../../src/review/types';
import { addressOf, base64Of, bytesOf, claim, honestZapIn, honestZapOut, key, MINT, NOW_MS, OWNER, OWNER_KEY, POOL, POSITION, removal, reviewDrafts, THIEF, transferSol, ZAP_IN, ZAP_OUT } from './bundles';

interface Written {
  readonly schema: number;
  readonly op: string;
  readonly case: { readonly name: string; readonly txs: readonly { readonly group: string; readonly txBase64: string }[] };
  readonly review: { readonly verdict: string; readonly findings: readonly Readonly<Record<string, unknown>>[]; readonly summary: readonly string[]; readonly checked: unknown };
}

const read = (report: string): Written => JSON.parse(report) as Written;

/** What the maintainers see when they review the case of a report. */
const again = (report: string): Review => reviewOperation({ ...readCase(read(report).case), nowMs: NOW_MS });

describe('report of a review', () => {
  it('is one line, which gives the same review again', () => {
    const reviews = [
      reviewDrafts(ZAP_OUT, honestZapOut()),
      reviewDrafts({ ...ZAP_OUT, fromBinId: -20, toBinId: 19 }, honestZapOut()),
      reviewDrafts(ZAP_IN, honestZapIn()),
      reviewDrafts({ ...ZAP_IN, fromBinId: undefined, toBinId: undefined, strategy: undefined, inputLamports: 1n }, honestZapIn()),
      reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 6_000_000n)] }], { tipAllowLamports: 5n }),
      reviewDrafts(ZAP_OUT, honestZapOut(), undefined, { prior: { ...NO_SPENDS, tipLamports: 49_900_000n } }),
      reviewDrafts(ZAP_OUT, []),
    ];
    for (const review of reviews) {
      const report = writeReport(review, 'Zap out');
      assert.match(report, /^[^\n]+\n$/);
      const repeated = again(report);
      assert.equal(repeated.verdict, review.verdict);
      assert.deepEqual(repeated.findings, review.findings);
      assert.deepEqual(read(report).case.txs.map(({ txBase64 }) => txBase64), review.input.transactions.map(({ base64 }) => base64));
    }
  });

  it('holds what was found, with numbers as text', () => {
    const report = read(writeReport(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transferSol(THIEF, 6_000_000n)] }]), 'Zap out 100 % of MEME/SOL'));
    assert.equal(report.schema, 1);
    assert.equal(report.op, 'review');
    assert.equal(report.case.name, 'Zap out 100 % of MEME/SOL');
    assert.equal(report.review.verdict, 'block');
    const [worst] = report.review.findings;
    assert.deepEqual([worst?.['rule'], worst?.['verdict'], worst?.['tx'], worst?.['amount']], ['SYS-1', 'block', 0, '6000000']);
    assert.match(report.review.summary.join('\n'), /You spend at most: 0\.006005 SOL/);
  });

  it('keeps what an RPC said of lookup tables, and nothing of a simulation but its slot', () => {
    const table = new AddressLookupTableAccount({ key: key(addressOf('table')), state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [key(MINT)] } });
    const lookupTables = new Map([[addressOf('table'), { addresses: [MINT], isDeactivated: false }]]);
    const simulation = { slot: 77n, transactions: [] };
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', tables: [table], instructions: [removal()] }], undefined, { facts: { ...NO_FACTS, lookupTables, simulation } });
    const report = writeReport(review, 'Zap out');
    assert.deepEqual(read(report).review.checked, { resolvedTables: 1, usedTables: 1, simulation: { slot: '77', transactions: 0 } });
    assert.deepEqual(again(report).checked, { resolvedTables: 1, usedTables: 1, simulation: undefined });
  });

  it('does not name the RPC, which may have a key in its name', () => {
    const facts = { ...NO_FACTS, problem: 'The RPC abc123.example.com took longer than 8 s.' };
    const review = reviewDrafts(ZAP_OUT, honestZapOut(), undefined, { facts });
    assert.ok(review.findings.some(({ message }) => message.includes('abc123.example.com')));
    const report = writeReport(review, 'Zap out');
    assert.equal(report.includes('abc123'), false);
    assert.ok(read(report).review.findings.some(({ rule, verdict }) => rule === 'RPC-1' && verdict === 'info'));
  });

  it('holds no signature of the owner, also where the service has put one in', () => {
    const signed = { ...honestZapOut()[0], signers: [OWNER_KEY] };
    const report = writeReport(reviewDrafts(ZAP_OUT, [signed]), 'Zap out');
    const written = Buffer.from(read(report).case.txs[0]?.txBase64 ?? '', 'base64');
    assert.deepEqual(written, Buffer.from(bytesOf(honestZapOut()[0])));
    assert.equal(report.includes(base64Of(signed)), false);
    assert.deepEqual(read(report).review.findings[0]?.['rule'], 'SIG-3');
  });

  it('keeps the signatures of others, without which the case would be another', () => {
    const [, add] = honestZapIn();
    assert.equal(read(writeReport(reviewDrafts(ZAP_IN, [add]), 'Zap in')).case.txs[0]?.txBase64, base64Of(add));
  });

  it('takes whatever the service sent instead of transactions', () => {
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

  it('names the owner, the pool and the position: that is what it is about', () => {
    const report = writeReport(reviewDrafts(ZAP_OUT, honestZapOut()), 'Zap out');
    assert.ok([OWNER, POOL, POSITION].every((one) => report.includes(one)));
  });
});
