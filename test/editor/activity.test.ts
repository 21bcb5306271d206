import { told } from '../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { OperationNode } from '../../src/ui/activity/activityTree';
import { NO_SPENDS } from '../../src/review/spends';
import type { Inspection } from '../../src/ui/services';
import { CONTEXT } from '../../src/ui/shell/names';
import { openJournal } from '../../src/transactions/journal/journal';
import type { JournalEntry, OperationJournal } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import { operationLock } from '../../src/transactions/target';
import { answering, commandEnding, documentOf, readExtension, setFaults, until } from '../support/editor/inspect';
import type { ScriptedAnswer } from '../support/editor/scriptedPrompts';
import { PATIENCE_MS } from '../support/patience';

describe('The Activity view', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
    await vscode.commands.executeCommand('binsight.activity.focus');
  });

  const dlmmNode = () => {
    const node = inspection.views.positions.getChildren().find((one) => one.kind === 'position' && one.position.poolType === 'dlmm');
    assert.ok(node?.kind === 'position');
    return node;
  };

  /** The newest operation that has this in its row, once it is listed. */
  async function listed(wanted: RegExp): Promise<OperationNode> {
    const { activity, views } = inspection;
    const find = () =>
      views.activity
        .getChildren()
        .find((node): node is OperationNode => node.kind === 'operation' && wanted.test(`${node.row.label}: ${node.row.description}`));
    await until(
      `an operation like ${String(wanted)}`,
      (listener) => activity.onDidChange(listener),
      () => find() !== undefined,
    );
    const node = find();
    assert.ok(node);
    return node;
  }

  /** The answers of a zap-out of so many per cent, up to the approval. */
  const share = (percent: string): readonly ScriptedAnswer[] => [{ pick: 'Other' }, { type: percent }, { pick: 'SOL' }, { pick: '3%' }];

  it('The Activity view lists an operation with its state, amounts, steps and signatures', async () => {
    const { position } = dlmmNode();
    await commandEnding(
      inspection,
      'binsight.zapOut',
      dlmmNode(),
      [...share('10'), { press: 'Sign and Send' }],
      /^Zap out 10% of .+: done/,
    );
    const node = await listed(/^Zap out of .+: Done · 10% · .*\+[\d.]+ SOL · /);
    assert.equal(node.record.created.plan.kind === 'zapOut' && node.record.created.plan.position, position.address);
    const tree = inspection.views.activity;
    const steps = tree.getChildren(node);
    assert.deepEqual(
      steps.map(({ row }) => row.label).filter((label) => !label.startsWith('Signature')),
      ['Started', 'Built', 'Reviewed', 'Approved', 'Signed', 'Sent', 'Landed', 'Done'],
    );
    assert.equal(inspection.views.contextKeys.get(CONTEXT.activityState), 'listed');
    assert.ok([node, ...steps].every((one) => (tree.getTreeItem(one).accessibilityInformation?.label ?? '').length > 5));
    assert.doesNotMatch(node.row.contextValue, /explorer/);
    const { tooltip } = await tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.value.includes('It landed') && tooltip.isTrusted === false);
    const signed = steps.find((step) => step.kind === 'step' && step.signature !== undefined);
    await vscode.commands.executeCommand('binsight.copySignature', signed);
    const [signature] = node.record.signatures;
    assert.equal(await vscode.env.clipboard.readText(), signature);
    const document = await documentOf(inspection, async () => vscode.commands.executeCommand('binsight.showOperation', node));
    assert.match(document, /^# Zap out of [^]+## History[^]+: Sent\n[^]+## Transactions/);
    assert.ok(document.includes(signature ?? 'none'));
  });

  it('The Activity view lists a declined operation as not sent', async () => {
    await commandEnding(inspection, 'binsight.zapOut', dlmmNode(), [...share('11'), 'escape'], /: canceled\. Nothing was signed/);
    const node = await listed(/: Not sent · 11% · /);
    assert.deepEqual([node.record.state, node.record.signatures], ['abandoned', []]);
    assert.doesNotMatch(node.row.contextValue, /signed/);
  });

  it('The Activity view lists an unconfirmed operation as landed if the chain has it, and reports its end later', async () => {
    try {
      // It lands; neither the answer nor the positions come through.
      await setFaults(inspection, [
        { kind: 'drop', path: '/position/landing-decrease-tx', times: 1 },
        { kind: 'status', status: 503, path: '/lp-positions/opening' },
      ]);
      const told = await answering(
        inspection,
        [...share('16'), { press: 'Sign and Send' }],
        async (scripted) => {
          await vscode.commands.executeCommand('binsight.zapOut', dlmmNode());
          await scripted.noticed(/: It landed\. The service does not list the change\. Activity shows the result/);
        },
        { 'Cancel only stops waiting': 'Cancel' },
      );
      assert.equal(told.asked.filter(({ text }) => text.includes('Costs: at most')).length, 1);
      const node = await listed(/: Landed · 16% · /);
      assert.deepEqual(inspection.views.activity.getChildren()[0], node);
      assert.equal(inspection.views.activityView.badge?.value, 1);
      assert.match(dlmmNode().row.contextValue, /\bbusy\b/);
    } finally {
      await setFaults(inspection, []);
    }
    await answering(inspection, [], async (scripted) => {
      await scripted.noticed(/^Zap out of .+: Done/);
    });
    await listed(/: Done · 16% · /);
    assert.doesNotMatch(dlmmNode().row.contextValue, /\bbusy\b/);
  });

  describe('of another window', () => {
    let journal: OperationJournal;
    let locks: OperationLocks;
    before(() => {
      const folder = dirname(inspection.sandboxPlace.dataDir);
      journal = openJournal({ folder: join(folder, 'journal'), nowMs: () => Date.now(), log: () => undefined });
      locks = openLocks({ folder: join(folder, 'locks'), log: () => undefined });
    });
    after(async () => {
      journal.dispose();
      await locks.dispose();
    });

    /** Begins a zap-out as another window does. */
    async function begin(shareBps: number): Promise<JournalEntry> {
      const { position } = dlmmNode();
      assert.ok(
        position.address !== undefined &&
          position.pool !== undefined &&
          inspection.portfolio.snapshot.owner !== undefined &&
          position.id !== undefined,
      );
      const before = { amount0: undefined, amount1: undefined, price0Usd: undefined, price1Usd: undefined, outputUsd: undefined };
      return journal.begin({
        ...{
          operation: 'zapOut',
          service: 'sandbox',
          owner: inspection.portfolio.snapshot.owner,
          pool: position.pool,
          poolType: 'dlmm',
          pairName: position.pairName,
          parent: undefined,
        },
        plan: {
          kind: 'zapOut',
          position: position.address,
          positionId: position.id,
          shareBps,
          output: 'allBaseToken',
          slippageBps: 100,
          before,
        },
      });
    }

    it('The Activity view shows a position as busy while another window works on it', async () => {
      const node = dlmmNode();
      const held = await locks.acquire(`position:${node.position.address ?? ''}`, AbortSignal.timeout(PATIENCE_MS));
      const entry = await begin(1_200);
      const writing = await locks.acquire(operationLock(entry.id), AbortSignal.timeout(PATIENCE_MS));
      await listed(/: Started · 12% · /);
      assert.match(node.row.contextValue, /\bbusy\b/);
      // The palette lists it all the same; the lock says no.
      await commandEnding(inspection, 'binsight.zapOut', node, share('13'), /^Another window is working on this position\./);
      await entry.append({ kind: 'abandoned', reason: told('It was declined.') });
      await Promise.all([writing.release(), held.release()]);
      await listed(/: Not sent · 12% · /);
      assert.doesNotMatch(node.row.contextValue, /\bbusy\b/);
    });

    it('What may have landed is started again only after a question that names it and its signature', async () => {
      const { position } = dlmmNode();
      const entry = await begin(1_500);
      const signature = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
      const built = { kind: 'built', transactions: 1, messageHashes: [], blockhashes: [], lastValidBlockHeight: 1 } as const;
      await entry.append({ ...built, position: position.address });
      await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
      await entry.append({ kind: 'approved', by: 'user' });
      await entry.append({ kind: 'signed', signatures: [signature], spends: NO_SPENDS });
      await entry.append({ kind: 'submitted', lamportsBefore: undefined });
      await entry.append({ kind: 'failed', reason: told('Your positions do not show it.'), isUnclear: true });
      await listed(/: Unclear · 15% · /);
      const canceled = /: canceled\. Nothing was signed/;
      const { asked } = await commandEnding(
        inspection,
        'binsight.zapOut',
        dlmmNode(),
        [...share('15'), { press: "Don't Start" }],
        canceled,
      );
      const question = asked.at(-1);
      assert.match(question?.title ?? '', /^Start again\? Zap out of .+ may have landed\.$/);
      assert.deepEqual(question?.shown, ["Don't Start", 'Start All the Same', 'Copy Signature']);
      assert.ok(question.text.includes(signature));
      const again: readonly ScriptedAnswer[] = [...share('15'), { press: 'Copy Signature' }, { press: 'Start All the Same' }, 'escape'];
      await commandEnding(inspection, 'binsight.zapOut', dlmmNode(), again, canceled);
      assert.equal(await vscode.env.clipboard.readText(), signature);
      await entry.append({ kind: 'seen', reason: told('It was looked up.') });
      await listed(/: Acknowledged · 15% · /);
      await commandEnding(inspection, 'binsight.zapOut', dlmmNode(), [...share('15'), 'escape'], canceled);
    });

    it('The Activity view says what became of an operation that another window left behind', async () => {
      await answering(inspection, [], async (scripted) => {
        await begin(1_400);
        const { severity } = await scripted.noticed(/^Zap out of .+: Nothing was sent\. Your money has not moved\./);
        assert.equal(severity, 'info');
      });
      await listed(/: Not sent · 14% · /);
    });
  });
});
