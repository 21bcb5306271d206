import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { answering, readExtension, refresh } from '../support/editor/inspect';

describe('Deposits into a position', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
    await refresh(inspection);
  });

  const positions = () =>
    inspection.views.positions
      .getChildren()
      .flatMap((node) => (node.kind === 'position' && node.position.poolType === 'dlmm' ? [node] : []));
  const listed = (key: string) => positions().find((node) => node.key === key) ?? assert.fail(`${key} is not listed`);

  it('Compound Fees on a row asks one question without findings, and the result says what went into the position with its value', async () => {
    const [node] = positions().filter(({ position }) => (position.uncollectedFee.usd ?? 0) >= 1);
    assert.ok(node, 'a position with fees');
    const { asked } = await answering(inspection, [{ press: 'Sign and Send' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.compoundFees', node);
      const { message } = await scripted.noticed(/^Compound fees of .+: done\. /);
      assert.match(message, /\. Into the position: about [\d.,]+ \S+ \(/);
    });
    const [question] = asked;
    assert.deepEqual(question?.shown, ['Show Details', 'Sign and Send']);
    assert.match(question.title, /^Compound fees of .+\?$/);
    assert.match(question.text, /You pay: nothing but the costs[^]+nothing is swapped[^]+Goes to: only you, pool, tip/);
    await refresh(inspection);
    assert.ok((listed(node.key).position.uncollectedFee.usd ?? 0) < 1, 'the fees are in the position');
  });

  it('Add Liquidity on a row asks for an amount of SOL and the slippage, and the position is worth more afterwards', async () => {
    const [node] = positions().filter(({ position }) => position.inRange === true);
    assert.ok(node, 'a position in range');
    const before = node.position.value.usd ?? 0;
    const { asked } = await answering(
      inspection,
      [{ pick: 'Other…' }, { type: '0.5' }, { pick: '1%' }, { press: 'Sign and Send' }],
      async (scripted) => {
        await vscode.commands.executeCommand('binsight.addLiquidity', node);
        const { message } = await scripted.noticed(/^Add liquidity to .+: done\. /);
        assert.match(message, /Change in your wallet, with fees and rent: .*−[\d.,]+ SOL \(/);
      },
    );
    assert.match(asked.at(-1)?.title ?? '', /^Add liquidity to .+\?$/);
    await refresh(inspection);
    assert.ok((listed(node.key).position.value.usd ?? 0) > before, 'it is worth more');
  });
});
