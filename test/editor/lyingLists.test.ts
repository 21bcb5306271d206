import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenPosition } from '../../src/service/positions';
import type { Inspection } from '../../src/ui/services';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import {
  commandEnding,
  openAddresses,
  plannedZapIn,
  readExtension,
  refresh,
  setFaults,
  solBalance,
  solPool,
  withSetting,
} from '../support/editor/inspect';
import type { Asked, ScriptedAnswer } from '../support/editor/scriptedPrompts';

const NOT_SIGNED = /: not signed$/;

// The service lists wrong figures and builds a sale for dust that fits them: from the command to what the user reads.
describe('False lists', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });

  afterEach(async () => {
    await setFaults(inspection, []);
    await refresh(inspection);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const wealth = async () => [await openAddresses(inspection), await solBalance(inspection)];

  /** A position with tokens in it that are not SOL: the smallest one, because every pool can buy its tokens. */
  function tokenPosition(): OpenPosition & { readonly token0Address: string } {
    const { positions } = inspection.portfolio.snapshot;
    const [found] = positions
      .filter(
        ({ poolType, token1, amount0, value }) =>
          poolType === 'dlmm' && token1.address === WRAPPED_SOL_MINT && (amount0 ?? 0) > 0 && (value.usd ?? 0) > 100,
      )
      .toSorted((one, other) => (one.value.usd ?? 0) - (other.value.usd ?? 0));
    assert.ok(found?.token0.address !== undefined, 'a position with tokens in it');
    return { ...found, token0Address: found.token0.address };
  }

  /** Lets the service lie, reads its lists, and zaps all of the position out to SOL. Gives the question, and what was to be ticked. */
  async function zapOut(
    position: OpenPosition,
    faults: readonly unknown[],
    last: readonly ScriptedAnswer[],
    ending: RegExp,
  ): Promise<{ readonly question: Asked; readonly ticked: Asked | undefined }> {
    await setFaults(inspection, faults);
    await refresh(inspection);
    const node = inspection.views.positions.getChildren().find((one) => one.kind === 'position' && one.position.key === position.key);
    assert.ok(node !== undefined, 'the position is still in the list');
    const before = await wealth();
    const { asked } = await commandEnding(
      inspection,
      'binsight.zapOut',
      node,
      [{ pick: '100%' }, { pick: 'SOL' }, { pick: '3%' }, ...last],
      ending,
    );
    assert.deepEqual(await wealth(), before);
    const [question, ...others] = asked.filter(({ kind }) => kind === 'confirm');
    assert.ok(question !== undefined && others.length === 0);
    return { question, ticked: asked.find(({ kind }) => kind === 'acknowledge') };
  }

  const SALE = { kind: 'hostile', attack: 'sellForDust' };

  /** With an RPC the pool's own price decides, whatever the lists say. */
  const BY_THE_CHAIN =
    /• The quote of the swap is off: −99\.99% against the pool's price on the chain\. You would lose more than 50% of the value\. \(Rule SWP-9, transaction \d/;

  it('The review blocks a sale at a false price that all lists share, by the pool’s on-chain price', async () => {
    const position = tokenPosition();
    const price = { kind: 'wrongPrice', mint: position.token0Address, usd: (position.price0Usd ?? 1) / 1e6, isConsistent: true };
    const { question: refusal } = await zapOut(position, [SALE, price], [{ press: 'Show Details' }], NOT_SIGNED);
    assert.deepEqual(refusal.shown, ['Show Details', 'Save Report…']);
    assert.match(refusal.title, /: not signed$/);
    assert.match(refusal.text, /Nothing was signed or sent\. Your money has not moved\./);
    assert.match(refusal.text, BY_THE_CHAIN);
    assert.match(refusal.text, /Do not sign these transactions elsewhere either\./);
  });

  const LIES: Readonly<Record<string, (position: ReturnType<typeof tokenPosition>) => readonly unknown[]>> = {
    'an impossible price': ({ token0Address }) => [{ kind: 'wrongPrice', mint: token0Address, usd: 1e-12 }],
    'no prices': () => [{ kind: 'missingWorth', of: 'price' }],
  };

  for (const [what, faults] of Object.entries(LIES)) {
    it(`With ${what}, the review blocks the sale by the on-chain pool price even without a simulation`, async () => {
      await withSetting('binsight.review.simulate', false, async () => {
        const { question: refusal } = await zapOut(
          tokenPosition(),
          [SALE, ...faults(tokenPosition())],
          [{ press: 'Show Details' }],
          NOT_SIGNED,
        );
        assert.deepEqual(refusal.shown, ['Show Details', 'Save Report…']);
        assert.match(refusal.title, /: not signed$/);
        assert.match(refusal.text, BY_THE_CHAIN);
      });
    });
  }

  it('The review blocks the sale by its price if the lists omit the position’s worth and nothing is simulated', async () => {
    await withSetting('binsight.review.simulate', false, async () => {
      const { question: refusal } = await zapOut(
        tokenPosition(),
        [SALE, { kind: 'missingWorth' }],
        [{ press: 'Show Details' }],
        NOT_SIGNED,
      );
      assert.deepEqual(refusal.shown, ['Show Details', 'Save Report…']);
      assert.match(
        refusal.text,
        /• The quote of the swap is off: −99\.99% against the (?:price that you were shown|pool's price on the chain)\. You would lose more than 50% of the value\. \(Rule SWP-9, /,
      );
    });
  });

  it('The review blocks a zap-in that buys dust, whatever price the list gives beside the active bin', async () => {
    const pool = solPool(inspection);
    await withSetting('binsight.review.simulate', false, async () => {
      await setFaults(inspection, [
        SALE,
        { kind: 'wrongPrice', mint: pool.token0.address, usd: (pool.price0Usd ?? 1) * 1e6, isConsistent: true },
      ]);
      await refresh(inspection);
      const before = await wealth();
      const answers: readonly ScriptedAnswer[] = [{ press: 'Show Details' }];
      const { asked } = await commandEnding(inspection, 'binsight.continuePlan', await plannedZapIn(inspection, pool), answers, NOT_SIGNED);
      const refusal = asked.at(-1);
      assert.deepEqual(refusal?.shown, ['Show Details', 'Save Report…']);
      assert.match(
        refusal.text,
        /• The quote of the swap is off: −99\.99% against the (?:price that you were shown|pool's price on the chain)\./,
      );
      assert.deepEqual(await wealth(), before);
    });
  });
});
