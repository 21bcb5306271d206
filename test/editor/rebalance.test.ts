import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenPosition } from '../../src/service/positions';
import type { OperationNode } from '../../src/ui/activity/activityTree';
import type { PositionNode } from '../../src/ui/positions/positionsTree';
import { pricedPoolOf, pricesOf } from '../../src/ui/zap/zapInRange';
import type { Inspection } from '../../src/ui/services';
import { parseDecimal } from '../../src/base/solana/amounts';
import {
  answering,
  commandEnding,
  controlSandbox,
  openAddresses,
  readExtension,
  refresh,
  sandboxOf,
  setFaults,
  solBalance,
  until,
  withClock,
  withSetting,
  withShortSlots,
} from '../support/editor/inspect';

const HALF_DONE = /^Zap out of .+: Half done: [\d,.]+\S* \S+ \(\$[\d,.]+\S*\) not swapped(, [\d,.]+ SOL still wrapped)? · /;

describe('Rebalancing', () => {
  let inspection: Inspection;
  /** Pools whose price was moved, and the bin that it was in. */
  const movedFrom = new Map<string, number>();
  before(async () => {
    inspection = await readExtension();
    await vscode.commands.executeCommand('binsight.activity.focus');
    await controlSandbox(inspection, 'pause');
  });
  after(async () => {
    await setFaults(inspection, []);
    // Where the market would take them by itself, while others trade.
    for (const [pool, binId] of movedFrom) {
      await controlSandbox(inspection, 'active-bin', { pool, binId });
    }
    await refresh(inspection);
    await controlSandbox(inspection, 'resume');
  });

  const positionNodes = () => inspection.views.positions.getChildren().flatMap((node) => (node.kind === 'position' ? [node] : []));

  const isOut = ({ poolType, inRange }: OpenPosition): boolean => poolType === 'dlmm' && inRange === false;

  const rangeOf = ({ position }: PositionNode): string =>
    pricesOf({ fromBinId: position.lowerBinId ?? 0, toBinId: position.upperBinId ?? 0 }, pricedPoolOf(position)) ?? '';

  /** So many DLMM positions out of range at least, in so many pools; the price of their pools is moved for that. */
  async function outOfRange(count: number, pools = 1) {
    const isEnough = (out: readonly PositionNode[]) =>
      out.length >= count && new Set(out.map(({ position }) => position.pool)).size >= pools;
    for (const { position } of positionNodes().filter((node) => node.position.poolType === 'dlmm')) {
      const out = positionNodes().filter((node) => isOut(node.position));
      if (isEnough(out)) {
        return out;
      }
      const { pool, activeBinId } = position;
      if (!isOut(position) && pool !== undefined && activeBinId !== undefined) {
        movedFrom.set(pool, movedFrom.get(pool) ?? activeBinId);
        await controlSandbox(inspection, 'active-bin', { pool, binId: (position.upperBinId ?? assert.fail('no range')) + 3 });
        // The fee of a pool rises with such a move, and a swap that costs more than 2% is a question. It falls again in a quarter of an hour.
        await controlSandbox(inspection, 'advance', { ms: 15 * 60_000 });
        await refresh(inspection);
      }
    }
    const out = positionNodes().filter((node) => isOut(node.position));
    assert.ok(isEnough(out), `${out.length} positions are out of range`);
    return out;
  }

  /** The newest rebalance that has this in its row, once it is listed. */
  async function listed(wanted: RegExp): Promise<OperationNode> {
    const { activity, views } = inspection;
    const find = () =>
      views.activity
        .getChildren()
        .find((node): node is OperationNode => node.kind === 'operation' && wanted.test(`${node.row.label}: ${node.row.description}`));
    await until(
      `a rebalance like ${String(wanted)}`,
      (listener) => activity.onDidChange(listener),
      () => find() !== undefined,
    );
    const node = find();
    assert.ok(node);
    return node;
  }

  /** Ends when a part of the newest operation was sent. */
  async function sent(): Promise<void> {
    const { activity, views } = inspection;
    await until(
      'a part was sent',
      (listener) => activity.onDidChange(listener),
      () => {
        const [newest] = views.activity.getChildren();
        const rows = newest === undefined ? [] : [newest, ...views.activity.getChildren(newest)];
        return rows.some(({ row }) => /^(Sent|Unconfirmed) · /.test(row.description));
      },
    );
  }

  async function lamports(): Promise<bigint> {
    return parseDecimal(await solBalance(inspection), 9) ?? assert.fail('the sandbox tells no balance');
  }

  it('Rebalancing a position from its row takes one question and brings it back in range', async () => {
    const [node] = await outOfRange(1);
    assert.ok(node);
    assert.match(node.row.contextValue, /^position dlmm\b.*\boutOfRange\b/);
    const [before, balance] = [await openAddresses(inspection), await lamports()];
    const { asked, notices } = await answering(inspection, [{ press: 'Sign and Send' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.rebalance', node);
      await scripted.noticed(
        /^Rebalance .+: [\d.]+ SOL returned, [\d.]+ SOL re-entered over \S+ to \S+ \S+ per \S+, \w+\. Value: about \$.+ It is in range and earns fees\. Change in your wallet, with fees and rent: .+ SOL\.$/,
      );
    });
    assert.equal(notices.length, 1);
    assert.match(asked[0]?.text ?? '', /^Re-enters around the price: \w+, 69 bins$/m);
    const after = await openAddresses(inspection);
    const fresh = after.filter((address) => !before.includes(address));
    assert.deepEqual([after.includes(node.key), fresh.length, after.length], [false, 1, before.length]);
    const made = inspection.portfolio.snapshot.positions.find(({ address }) => address === fresh[0]);
    assert.deepEqual([made?.inRange, made?.pool, made?.strategy], [true, node.position.pool, node.position.strategy]);
    assert.ok((await lamports()) - balance > -100_000_000n, 'no more went in than came out, and costs');
    const row = await listed(/^Rebalance .+: Done · [\d.]+ SOL → [\d.]+ SOL · /);
    const children = inspection.views.activity.getChildren(row);
    assert.deepEqual(
      children.map(({ row: { label } }) => label.replace(/ of .+| into .+/, '')),
      ['Zap out', 'Zap', 'Started', 'Done'],
    );
  });

  it('With a service that builds transactions of version 1, a rebalance takes one question, although it was open for 45 seconds', async () => {
    const [node] = await outOfRange(1);
    assert.ok(node);
    const before = await openAddresses(inspection);
    await controlSandbox(inspection, 'settings', { transactions: 'v1' });
    try {
      await withShortSlots(inspection, async (pass) => {
        await commandEnding(
          inspection,
          'binsight.rebalance',
          node,
          [{ press: 'Sign and Send', meanwhile: () => pass(45_000) }],
          /^Rebalance .+: [\d.]+ SOL returned, [\d.]+ SOL re-entered over .+\. Value: about \$.+ It is in range/,
        );
      });
    } finally {
      await controlSandbox(inspection, 'settings', { transactions: 'service' });
      // The tests of this file let no time pass by itself.
      await controlSandbox(inspection, 'pause');
    }
    const after = await openAddresses(inspection);
    assert.deepEqual([after.includes(node.key), after.length], [false, before.length]);
  });

  it('Declining a rebalance changes nothing', async () => {
    const [node] = await outOfRange(1);
    const before = await openAddresses(inspection);
    await commandEnding(inspection, 'binsight.rebalance', node, ['escape'], /^Rebalance .+: canceled\. Nothing was signed\.$/);
    assert.deepEqual(await openAddresses(inspection), before);
    await listed(/^Rebalance .+: Not sent · /);
  });

  it('Rebalance from the palette offers only positions with a range and does not start with an unreadable setting', async () => {
    const prompts = await answering(inspection, ['escape'], async () => {
      await vscode.commands.executeCommand('binsight.rebalance');
    });
    assert.equal(prompts.asked[0]?.shown.length, positionNodes().filter(({ position }) => position.poolType === 'dlmm').length);
    await withSetting('binsight.rebalance.reserveSol', 'much', async () => {
      await commandEnding(
        inspection,
        'binsight.rebalance',
        positionNodes()[0],
        [],
        /^“Reserve” .+ Nothing is rebalanced until you correct it\.$/,
      );
    });
  });

  describe('Unfinished rebalances', () => {
    /** Zaps a position out by a rebalance whose second part the service refuses to build. */
    async function stoppedHalfWay(press: string): Promise<{ readonly node: OperationNode; readonly notices: readonly string[] }> {
      const [node] = await outOfRange(1);
      await setFaults(inspection, [{ kind: 'status', status: 502, path: '/pools', method: 'POST' }]);
      const { notices } = await answering(
        inspection,
        [{ press: 'Sign and Send' }],
        async (scripted) => {
          await vscode.commands.executeCommand('binsight.rebalance', node);
          await scripted.noticed(
            /^Rebalance .+: stopped after the zap-out\. The position was closed and returned [\d.]+ SOL\. It is in your wallet; nothing was re-entered\. /,
          );
          await setFaults(inspection, []);
        },
        press === '' ? {} : { 'stopped after the zap-out': press },
      );
      return {
        node: await listed(/^Rebalance .+: Not re-entered: [\d.]+ SOL returned · /),
        notices: notices.map(({ message }) => message),
      };
    }

    it('Activity offers the re-entry of an unfinished rebalance, which asks a question of its own', async () => {
      const { node } = await stoppedHalfWay('');
      assert.match(node.row.contextValue, /^operation rebalance unfinished reenter\b/);
      const { activityView, activity } = inspection.views;
      assert.equal(activityView.badge?.value, 1);
      const { tooltip } = await activity.resolveTreeItem(activity.getTreeItem(node), node);
      assert.ok(tooltip instanceof vscode.MarkdownString && /It is in your wallet/.test(tooltip.value));
      const before = await openAddresses(inspection);
      const { asked } = await answering(inspection, [{ press: 'Sign and Send' }], async (scripted) => {
        await vscode.commands.executeCommand('binsight.reenter', node);
        await scripted.noticed(/^Rebalance .+ re-entered over .+ It is in range and earns fees\.( Change in your wallet, .+ SOL\.)?$/);
      });
      assert.match(asked[0]?.title ?? '', /^Re-enter [^ ]+.*\?$/);
      assert.match(asked[0]?.text ?? '', /^Deposit: [\d.]+ of [\d.]+ SOL; /m);
      assert.equal((await openAddresses(inspection)).length, before.length + 1);
      await until(
        'no badge',
        (listener) => inspection.activity.onDidChange(listener),
        () => activityView.badge === undefined,
      );
      await commandEnding(inspection, 'binsight.reenter', node, [], /^This rebalance has ended\./);
    });

    it('A re-entry that the user skips is closed and is not offered again', async () => {
      const { node } = await stoppedHalfWay('');
      const [before, balance] = [await openAddresses(inspection), await lamports()];
      await commandEnding(inspection, 'binsight.leaveOut', node, [], /: Not re-entered; [\d.]+ SOL returned\.$/);
      const row = await listed(/^Rebalance .+: Not re-entered · [\d.]+ SOL returned · /);
      assert.equal(row.id, node.id);
      assert.doesNotMatch(row.row.contextValue, /reenter/);
      assert.deepEqual([await openAddresses(inspection), await lamports()], [before, balance]);
    });
  });

  it('Rebalancing all out-of-range positions takes one summary and one question, runs in sequence and ends with one notice', async () => {
    await outOfRange(3, 2);
    // Two of different pools: the swap of one must not raise the fee of the other, which would be a question.
    const all = positionNodes().filter(({ position }) => isOut(position));
    const chosen = all
      .filter(({ position }, index) => all.findIndex((other) => other.position.pool === position.pool) === index)
      .filter((node) => all.every((other) => other === node || rangeOf(other) !== rangeOf(node)))
      .slice(0, 2);
    const kept = all.filter((node) => !chosen.includes(node));
    assert.deepEqual([chosen.length, kept.length > 0], [2, true]);
    await controlSandbox(inspection, 'advance', { ms: 15 * 60_000 });
    const before = await openAddresses(inspection);
    const { asked, notices } = await answering(inspection, [{ untick: kept.map(rangeOf) }, { press: 'Rebalance' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.rebalanceAll');
      const { message } = await scripted.noticed(/^Rebalance All Out of Range: /);
      assert.match(message, /^Rebalance All Out of Range: 2 of 2\. /, scripted.asked.map(({ text }) => text).join('\n\n'));
    });
    assert.deepEqual([asked.map(({ kind }) => kind), notices.length], [['select', 'confirm'], 1]);
    assert.equal(asked[0]?.shown.length, all.length);
    assert.match(
      asked[0].text,
      / · estimated return \$.+ · [\d.₀-₉]+ to [\d.₀-₉]+ SOL per \w+ \(\d+ bins\) → [\d.₀-₉]+ to [\d.₀-₉]+ SOL per \w+ \(69 bins\) · /,
    );
    assert.equal(asked[1]?.title, 'Rebalance 2 positions?');
    assert.match(asked[1].text, /Estimated total return: \$[^]+You are asked again only if the review finds anything\./);
    const after = await openAddresses(inspection);
    const fresh = after.filter((address) => !before.includes(address));
    const closed = before.filter((address) => !after.includes(address));
    assert.deepEqual([closed.sort(), fresh.length], [chosen.map(({ key }) => key).sort(), 2]);
    await refresh(inspection);
    assert.ok(positionNodes().every(({ key, position }) => !fresh.includes(key) || position.inRange === true));
  });

  it('Closing the selected positions takes one list and one question, runs in sequence, and ends with one notice', async () => {
    const all = positionNodes().filter(({ position }) => position.poolType !== 'other');
    const chosen = all
      .filter(({ position }, index) => all.findIndex((other) => other.position.pool === position.pool) === index)
      .slice(0, 2);
    const before = await openAddresses(inspection);
    const { asked, notices } = await answering(inspection, [{ untick: [] }, { press: 'Close' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.closePositions', chosen[0], chosen);
      const { message } = await scripted.noticed(/^Close Positions: /);
      assert.match(message, /^Close Positions: 2 of 2\. .+: closed\. .+: closed\.$/, scripted.asked.map(({ text }) => text).join('\n\n'));
    });
    assert.deepEqual([asked.map(({ kind }) => kind), notices.length], [['select', 'confirm'], 1]);
    assert.deepEqual([asked[0]?.shown.length, asked[1]?.title, asked[1]?.shown], [2, 'Close 2 positions?', ['Change Selection', 'Close']]);
    assert.match(asked[1]?.text ?? '', /Estimated total return: \$[^]+Each is closed, and its tokens are swapped to SOL\./);
    const after = await openAddresses(inspection);
    assert.deepEqual(before.filter((address) => !after.includes(address)).sort(), chosen.map(({ key }) => key).sort());
  });

  it('A half-done zap-out stays a warning that says what is not swapped, until its completion has swapped exactly that', async () => {
    // It needs a swap after the withdrawal, which is dropped.
    const node = positionNodes().find(
      ({ position }) => position.poolType === 'dlmm' && position.token1.symbol === 'SOL' && (position.amount0 ?? 0) > 0,
    );
    assert.ok(node);
    await setFaults(inspection, [{ kind: 'partial', transactions: 1, path: '/position/landing-decrease-tx', times: 1 }]);
    await withClock(async (moveOn) => {
      await answering(
        inspection,
        [{ pick: '100%' }, { pick: 'SOL' }, { pick: '3%' }, { press: 'Sign and Send' }],
        async (scripted) => {
          await vscode.commands.executeCommand('binsight.zapOut', node);
          await scripted.noticed(/./);
          await controlSandbox(inspection, 'advance', { ms: 180_000 });
          moveOn(180_000);
          await listed(HALF_DONE);
          await scripted.noticed(/^Half done: [\d,.]+\S* \S+ \(\$[\d,.]+\S*\) not swapped/);
        },
        { 'Cancel only stops waiting': 'Cancel' },
      );
    });
    const half = await listed(HALF_DONE);
    assert.match(half.row.contextValue, /\bpartiallyExecuted\b/);
    assert.equal(half.row.icon.id, 'warning');
    assert.match(inspection.views.activityView.badge?.tooltip ?? '', /Half done: 1/);
    await answering(inspection, [{ press: 'Continue' }, { press: 'Sign and Send' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.finishOperation', half);
      await scripted.noticed(/^Swap [\d,.]+\S* \S+ to SOL: done\. Change in your wallet, with fees and rent: −/);
      const [first, second] = scripted.asked;
      assert.match(first?.text ?? '', /Your wallet still has [\d.]+ \S+ from it, not swapped\.[^]+Next: Swap [\d,.]+\S* \S+ to SOL\./);
      assert.match(second?.text ?? '', /^You pay: at most [^]+You get: [^]+Costs: [^]+Goes to: /);
    });
    await listed(/^Zap out of .+: Acknowledged · /);
    assert.doesNotMatch(inspection.views.activityView.badge?.tooltip ?? '', /half done/);
  });

  it('The sandbox’s audit accounts for every lamport after the rebalances', async () => {
    const { url, apiKey } = sandboxOf(inspection);
    const response = await fetch(new URL('/sandbox/audit', url), { headers: { 'x-api-key': apiKey } });
    assert.deepEqual(((await response.json()) as { readonly data: unknown }).data, []);
  });

  it('A rebalance does not re-enter with SOL from elsewhere because the lists show the position as closed', async () => {
    const [node] = await outOfRange(1);
    const position = node?.position.address ?? assert.fail('It has no address');
    const [before, balance] = [await openAddresses(inspection), await lamports()];
    try {
      // Nothing of the zap-out is executed; the lists, and the balance of the wallet, pretend that it was.
      await setFaults(inspection, [{ kind: 'partial', transactions: 0, path: '/position/landing-decrease-tx', times: 1 }]);
      await withShortSlots(inspection, async (pass) => {
        await answering(inspection, [{ press: 'Sign and Send' }], async (scripted) => {
          const ended = vscode.commands.executeCommand('binsight.rebalance', node);
          await sent();
          await setFaults(inspection, [{ kind: 'missingPosition', position }]);
          await controlSandbox(inspection, 'airdrop', { owner: inspection.portfolio.snapshot.owner, sol: 0.5 });
          await pass(45_000);
          await ended;
          await scripted.noticed(
            /^The zap-out was sent, .+ It may have landed\. Your positions show the change\. Your RPC has none of its transactions: something else may have made it\. Look up its signatures before you repeat it\.$/,
          );
        });
      });
    } finally {
      await setFaults(inspection, []);
      await controlSandbox(inspection, 'pause');
    }
    const row = await listed(/^Rebalance .+: Unclear · /);
    assert.deepEqual(new Set(await openAddresses(inspection)), new Set(before));
    assert.equal((await lamports()) - balance, 500_000_000n);
    // Looked into, so that nobody is asked about it when the same is started again.
    const [part] = inspection.views.activity.getChildren(row);
    await answering(
      inspection,
      [],
      async (scripted) => {
        await vscode.commands.executeCommand('binsight.finishOperation', part);
        await scripted.noticed(/^As far back as your RPC goes, none of the \d transactions landed\. /);
      },
      { 'none of the': 'Mark as Done' },
    );
    await listed(/^Rebalance .+: Failed · /);
  });
});
