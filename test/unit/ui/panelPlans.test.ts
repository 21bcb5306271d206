import assert from 'node:assert/strict';
import { PanelPlans } from '../../../src/ui/shell/panelPlans';
import { pool } from '../../support/portfolio/fixtures';

const PLAN = { kind: 'plan', pool: pool(1).address, plan: { amountLamports: '300000000', slippageBps: 300 } } as const;

describe('Plans of panels', () => {
  it("Only what a panel of this window sends counts as the user's own plan, once, and for the same pool and plan", () => {
    const plans = new PanelPlans();
    const sent = plans.announced(PLAN) as Readonly<Record<string, unknown>>;
    const proposed = { ...PLAN, isProposal: true };
    assert.deepEqual(plans.received(PLAN), proposed);
    assert.deepEqual(plans.received({ ...PLAN, isProposal: false }), proposed);
    assert.deepEqual(plans.received({ ...PLAN, panelId: 'guessed' }), proposed);
    const raised = { ...sent, plan: { ...PLAN.plan, amountLamports: '900000000' } };
    assert.deepEqual(plans.received(raised), { ...proposed, plan: raised.plan });
    assert.deepEqual(plans.received(sent), PLAN);
    assert.deepEqual(plans.received(sent), proposed, 'the second time');
    assert.deepEqual(plans.received(new PanelPlans().announced(PLAN)), proposed, 'of another window');
  });

  it('Other arguments pass unchanged, and plans that are never received do not pile up', () => {
    const plans = new PanelPlans();
    for (const argument of [undefined, null, 'plan', { kind: 'position', key: 'a' }]) {
      assert.equal(plans.announced(argument), argument);
      assert.equal(plans.received(argument), argument);
    }
    const [first, ...later] = Array.from({ length: 17 }, () => plans.announced(PLAN));
    assert.deepEqual(plans.received(first), { ...PLAN, isProposal: true });
    later.forEach((argument) => assert.deepEqual(plans.received(argument), PLAN));
  });
});
