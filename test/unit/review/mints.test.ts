import assert from 'node:assert/strict';
import { NO_FACTS, type MintRisk } from '../../../src/review/facts';
import type { PolicySettings } from '../../../src/review/policy';
import type { Intent, Review } from '../../../src/review/types';
import { addressOf, honestZapIn, honestZapOut, MINT, objections, reviewDrafts, ZAP_IN, ZAP_OUT } from './bundles';

function reviewWith(intent: Intent, risks: readonly MintRisk[], policy?: Partial<PolicySettings>, mint = MINT): Review {
  const drafts = intent.kind === 'zapIn' ? honestZapIn() : honestZapOut();
  return reviewDrafts(intent, drafts, policy, { facts: { ...NO_FACTS, mints: new Map([[mint, risks]]) } });
}

describe('review: risks of the mints (policy §7)', () => {
  const kinds = ['permanentDelegate', 'transferHook', 'frozenByDefault', 'nonTransferable', 'pausable', 'confidentialTransfer'] as const;

  it('asks once before buying such a token', () => {
    for (const kind of kinds) {
      assert.deepEqual(objections(reviewWith(ZAP_IN, [{ kind }])), ['confirm MINT-1'], kind);
    }
    const all = reviewWith(ZAP_IN, kinds.map((kind) => ({ kind })));
    assert.equal(all.findings.filter(({ rule }) => rule === 'MINT-1').length, 1);
    assert.match(all.findings[0]?.message ?? '', new RegExp(MINT));
  });

  it('only mentions it on the way out', () => {
    const review = reviewWith(ZAP_OUT, [{ kind: 'permanentDelegate' }]);
    assert.deepEqual(objections(review), []);
    assert.equal(review.findings.find(({ rule }) => rule === 'MINT-1')?.verdict, 'info');
  });

  it('takes a transfer fee up to the limit', () => {
    const withFee = (bps: number | undefined, limit?: number): string[] =>
      objections(reviewWith(ZAP_IN, [{ kind: 'transferFee', ...(bps === undefined ? {} : { bps }) }], limit === undefined ? {} : { transferFeeConfirmBps: limit }));
    assert.deepEqual(withFee(500), []);
    assert.deepEqual(withFee(501), ['confirm MINT-1']);
    assert.deepEqual(withFee(undefined), ['confirm MINT-1']);
    assert.deepEqual(withFee(101, 100), ['confirm MINT-1']);
  });

  it('says nothing of mints without risks, and of mints that are not the pool\'s', () => {
    assert.deepEqual(objections(reviewWith(ZAP_IN, [])), []);
    assert.deepEqual(objections(reviewWith(ZAP_IN, [{ kind: 'pausable' }], undefined, addressOf('another mint'))), []);
  });
});
