import assert from 'node:assert/strict';
import { NO_FACTS, type MintRisk } from '../../../src/review/facts/facts';
import type { PolicySettings } from '../../../src/review/policy';
import type { Intent, Review } from '../../../src/review/types';
import {
  addressOf,
  buyToken,
  honestZapIn,
  honestZapOut,
  MINT,
  objections,
  reviewDrafts,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

function reviewWith(intent: Intent, risks: readonly MintRisk[], policy?: Partial<PolicySettings>, mint = MINT): Review {
  const drafts = intent.kind === 'zapIn' ? honestZapIn() : honestZapOut();
  return reviewDrafts(intent, drafts, policy, { facts: { ...NO_FACTS, mints: new Map([[mint, risks]]) } });
}

describe('review: risks of the mints (MINT-1)', () => {
  const kinds = [
    'permanentDelegate',
    'transferHook',
    'frozenByDefault',
    'nonTransferable',
    'pausable',
    'paused',
    'confidentialTransfer',
    'scaledAmount',
    'unknown',
  ] as const;

  it('The review asks once before a zap-in buys a token with mint risks', () => {
    for (const kind of kinds) {
      assert.deepEqual(objections(reviewWith(ZAP_IN, [{ kind }])), ['confirm MINT-1'], kind);
    }
    const all = reviewWith(
      ZAP_IN,
      kinds.map((kind) => ({ kind })),
    );
    assert.equal(all.findings.filter(({ rule }) => rule === 'MINT-1').length, 1);
    assert.match(all.findings[0]?.message ?? '', new RegExp(MINT));
  });

  it('The review only mentions risks that do not reduce the proceeds of a zap-out', () => {
    for (const kind of [
      'permanentDelegate',
      'transferHook',
      'frozenByDefault',
      'pausable',
      'confidentialTransfer',
      'scaledAmount',
    ] as const) {
      const review = reviewWith(ZAP_OUT, [{ kind }]);
      assert.deepEqual(objections(review), [], kind);
      assert.equal(review.findings.find(({ rule }) => rule === 'MINT-1')?.verdict, 'info', kind);
    }
  });

  it('The review asks about risks that reduce or prevent the proceeds of a zap-out', () => {
    for (const risk of [
      { kind: 'transferFee', bps: 501 },
      { kind: 'transferFee' },
      { kind: 'nonTransferable' },
      { kind: 'paused' },
      { kind: 'unknown' },
    ] as const) {
      assert.deepEqual(objections(reviewWith(ZAP_OUT, [risk])), ['confirm MINT-1'], risk.kind);
    }
  });

  it('The review asks about a zap-out that buys a token with mint risks', () => {
    const draft: Draft = { group: 'swap', instructions: [buyToken()] };
    const facts = (risk: MintRisk) => ({ facts: { ...NO_FACTS, mints: new Map([[MINT, [risk]]]) } });
    const [close] = honestZapOut();
    const intent = { ...ZAP_OUT, output: 'allToken0' } as const;
    for (const kind of ['permanentDelegate', 'transferHook', 'frozenByDefault', 'pausable'] as const) {
      assert.ok(objections(reviewDrafts(intent, [close, draft], undefined, facts({ kind }))).includes('confirm MINT-1'), kind);
      assert.ok(!objections(reviewDrafts(intent, [close], undefined, facts({ kind }))).includes('confirm MINT-1'), kind);
    }
  });

  it('The review mentions a transfer fee within the limit, which explains the missing amount', () => {
    for (const intent of [ZAP_IN, ZAP_OUT]) {
      const said = (bps: number) =>
        reviewWith(intent, [{ kind: 'transferFee', bps }])
          .findings.filter(({ rule }) => rule === 'MINT-1')
          .map(({ verdict, message }) => `${verdict} ${message}`);
      assert.deepEqual(said(0), []);
      assert.deepEqual(said(250), [`info Risks of the token ${MINT}: each transfer costs a fee of 2.5%.`]);
    }
  });

  it('The review accepts a transfer fee up to the limit', () => {
    const withFee = (bps: number | undefined, limit?: number): string[] =>
      objections(
        reviewWith(
          ZAP_IN,
          [{ kind: 'transferFee', ...(bps === undefined ? {} : { bps }) }],
          limit === undefined ? {} : { transferFeeConfirmBps: limit },
        ),
      );
    assert.deepEqual(withFee(500), []);
    assert.deepEqual(withFee(501), ['confirm MINT-1']);
    assert.deepEqual(withFee(undefined), ['confirm MINT-1']);
    assert.deepEqual(withFee(101, 100), ['confirm MINT-1']);
  });

  it("The review ignores mints without risks and mints that are not the pool's", () => {
    assert.deepEqual(objections(reviewWith(ZAP_IN, [])), []);
    assert.deepEqual(objections(reviewWith(ZAP_IN, [{ kind: 'pausable' }], undefined, addressOf('another mint'))), []);
  });
});
