import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { CONTEXT } from '../../src/ui/shell/names';
import { answering, commandEnding, readExtension, refresh } from '../support/editor/inspect';

describe('Claims of fees', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
    await refresh(inspection);
  });

  const withFees = () =>
    inspection.views.positions
      .getChildren()
      .flatMap((node) =>
        node.kind === 'position' && node.position.poolType !== 'other' && (node.position.uncollectedFee.usd ?? 0) >= 1 ? [node] : [],
      );
  const feesOf = (key: string): number =>
    inspection.views.positions.getChildren().find((node) => node.kind === 'position' && node.key === key)?.kind === 'position'
      ? (withFees().find((node) => node.key === key)?.position.uncollectedFee.usd ?? 0)
      : assert.fail(`${key} is not listed`);

  it('The sandbox offers claims', () => {
    assert.equal(inspection.views.contextKeys.get(CONTEXT.isOwnService), true);
  });

  it('Claim Fees on a row asks one question without findings, and the result says the amount of each token with its value', async () => {
    const [node] = withFees();
    assert.ok(node, 'a position with fees');
    const { asked } = await answering(inspection, [{ press: 'Sign and Send' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.claimFees', node);
      const { message } = await scripted.noticed(/^Claim fees of .+: done\. /);
      assert.match(message, /\. Change in your wallet, with fees and rent: .*[+−][\d.,]+ \S+ \(<?\$[\d.,]+\)/);
    });
    const [question] = asked;
    assert.deepEqual(question?.shown, ['Show Details', 'Sign and Send']);
    assert.match(question.title, /^Claim fees of .+\?$/);
    assert.match(
      question.text,
      /You pay: nothing but the costs\nYou get: about [^]+nothing is swapped\nCosts: at most [^]+\nGoes to: only you, pool, tip/,
    );
    await refresh(inspection);
    assert.ok(feesOf(node.key) < 1, 'the fees are gone, and the position is still listed');
  });

  it('Claim All Fees lists what is worth claiming with its sum, and claims from all that stay selected', async () => {
    const positions = withFees();
    assert.ok(positions.length >= 2, `${positions.length} positions with fees`);
    const { asked } = await answering(inspection, [{ untick: [] }, { press: 'Sign and Send' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.claimAllFees');
      await scripted.noticed(new RegExp(`^Claim fees of ${positions.length} positions: done\\. Change in your wallet`));
    });
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['select', 'confirm'],
    );
    assert.equal(asked[0]?.shown.length, positions.length);
    assert.match(asked[1]?.title ?? '', new RegExp(`^Claim fees of ${positions.length} positions\\?$`));
    await refresh(inspection);
    assert.deepEqual(withFees(), []);
    await commandEnding(inspection, 'binsight.claimAllFees', undefined, [], /^No open position has \$1\.00 or more to claim/);
  });
});
