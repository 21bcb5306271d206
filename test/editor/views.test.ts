import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Lineages } from '../../src/ui/shell/lineages';
import { poolTooltip, positionTooltip } from '../../src/ui/positions/tooltips';
import type { Inspection } from '../../src/ui/services';
import { CONTEXT } from '../../src/ui/shell/names';
import { BusyPositions } from '../../src/ui/shell/busyPositions';
import { PoolsTree } from '../../src/ui/pools/poolsTree';
import type { PositionListOptions } from '../../src/ui/positions/positionList';
import { PositionListControl } from '../../src/ui/positions/positionListControl';
import { PositionsTree } from '../../src/ui/positions/positionsTree';
import { Emitter } from '../../src/base/async/emitter';
import { type Sign, WarmLocale } from '../../src/base/format/locale';
import { changeBetween, emptySnapshot, withParts } from '../../src/portfolio/snapshot';
import type { PortfolioChange, PortfolioReader, PortfolioSnapshot } from '../../src/portfolio/types';
import { ReadScheduler } from '../../src/portfolio/readScheduler';
import { WalletGroupsTree } from '../../src/ui/walletGroups/walletGroupsTree';
import type { OpenPosition } from '../../src/service/positions';
import { FakeClock, openPosition, OTHER_OWNER, OWNER, pool } from '../support/portfolio/fixtures';
import { answering, askSandbox, readExtension, recordsIn, refresh, sandboxOf, untilShown } from '../support/editor/inspect';
import { remembered } from '../support/ui/memory';
import type { ScriptedAnswer } from '../support/editor/scriptedPrompts';
import type { Subscription } from '../../src/base/async/clock';

function fail(error: unknown): never {
  throw error;
}

describe('The views', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });

  it('The Positions view lists the positions of the service, out-of-range ones first', async () => {
    const listed = recordsIn(await askSandbox(inspection, `/lp-positions/opening?owner=${sandboxOf(inspection).owner}`));
    await refresh(inspection);
    const tree = inspection.views.positions;
    const [totals, ...items] = tree.getChildren().map((node) => tree.getTreeItem(node));
    assert.equal(totals?.label, `Total of ${listed.length}`);
    assert.ok(items.length >= 5);
    assert.deepEqual(items.map(({ id }) => id).sort(), listed.map((record) => record['position']).sort());
    const names = items.map(({ label }) => (typeof label === 'string' ? label : (label?.label ?? '')));
    assert.equal(new Set(names).size, names.length);
    assert.ok(listed.every(({ pairName }) => names.some((name) => name.startsWith(String(pairName)))));
    const outOfRange = items.map(({ contextValue }) => /\boutOfRange\b/.test(contextValue ?? ''));
    assert.deepEqual(
      outOfRange,
      [...outOfRange].sort((one, other) => Number(other) - Number(one)),
    );
  });

  it('The Pools view lists the pools of the service', async () => {
    const listed = recordsIn(await askSandbox(inspection, '/pools/discover?pageSize=100'));
    const tree = inspection.views.pools;
    const items = tree.getChildren().map((node) => tree.getTreeItem(node));
    const ids = new Set(listed.map((record) => record['pool']));
    assert.ok(items.length >= 8);
    assert.deepEqual(
      items.filter(({ id }) => id !== 'more' && !ids.has(id)),
      [],
    );
  });

  it('The Positions view shows a position’s details below it and everything else in its tooltip', async () => {
    const tree = inspection.views.positions;
    const node = tree.getChildren().find(({ kind }) => kind === 'position');
    assert.ok(node);
    const labels = tree.getChildren(node).map((child) => tree.getTreeItem(child).label);
    for (const label of ['Range', 'Price', 'PnL', 'Age', 'Unclaimed fees', 'Address']) {
      assert.ok(labels.includes(label), label);
    }
    const { tooltip } = await tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.value.includes('| PnL |') && tooltip.isTrusted === false);
  });

  it('Every row has an accessibility label for screen readers', () => {
    const { positions, pools } = inspection.views;
    const items = [
      ...positions.getChildren().map((node) => positions.getTreeItem(node)),
      ...pools.getChildren().map((node) => pools.getTreeItem(node)),
    ];
    for (const item of items) {
      assert.ok((item.accessibilityInformation?.label ?? '').length > 10, String(item.id));
    }
  });

  it('The Positions view keeps the same nodes across refreshes', async () => {
    const before = inspection.views.positions.getChildren();
    await refresh(inspection);
    assert.ok(inspection.views.positions.getChildren().every((node) => before.includes(node)));
  });

  it('The Positions view shows the service and the time of its data', () => {
    assert.match(inspection.views.positionsView.description ?? '', /^Sandbox · as of \d\d:\d\d:\d\d$/);
    assert.equal(inspection.views.positionsView.message ?? '', '');
  });

  it('The Positions view shows the number of out-of-range positions as a badge', () => {
    const { outOfRange } = inspection.portfolio.snapshot.totals;
    assert.equal(inspection.views.positionsView.badge?.value, outOfRange === 0 ? undefined : outOfRange);
  });

  it('The views set the context keys of their states for the menus', () => {
    const { contextKeys } = inspection.views;
    assert.equal(contextKeys.get(CONTEXT.positionsState), 'listed');
    assert.equal(contextKeys.get(CONTEXT.poolsState), 'listed');
    assert.equal(contextKeys.get(CONTEXT.isSandbox), true);
    assert.equal(contextKeys.get(CONTEXT.isWatchedOnly), false);
  });

  it('The order and the groups that are chosen in View Options apply at once', async () => {
    const tree = inspection.views.positions;
    const ids = () => tree.getChildren().flatMap((node) => (node.kind === 'position' ? [tree.getTreeItem(node).id] : []));
    const choose = (...labels: readonly string[]) =>
      answering(
        inspection,
        labels.map((pick) => ({ pick })),
        async () => {
          for (let chosen = 0; chosen < labels.length; chosen += 1) {
            await vscode.commands.executeCommand('binsight.viewOptions');
          }
        },
      );
    const by = (figure: (of: OpenPosition) => number) =>
      [...inspection.portfolio.snapshot.positions]
        .sort((one, other) => figure(other) - figure(one) || (one.key < other.key ? -1 : 1))
        .map(({ key }) => key);
    const before = ids();
    try {
      await choose('Value');
      const byValue = by(({ value }) => value.usd ?? 0);
      assert.deepEqual(ids(), byValue);
      await choose('Unclaimed fees');
      assert.deepEqual(
        ids(),
        by(({ uncollectedFee }) => uncollectedFee.usd ?? 0),
      );
      await choose('Pool');
      assert.deepEqual(ids(), [], 'positions are below their pools');
    } finally {
      await choose('Needs attention', 'None');
    }
    assert.deepEqual(ids(), before);
  });

  it('The Pools view can be searched and can list all pools again', async () => {
    const wanted = inspection.portfolio.snapshot.pools[0]?.pairName ?? '';
    await answering(inspection, [{ pick: 'Search for', search: wanted }], async () => {
      await vscode.commands.executeCommand('binsight.searchPools');
    });
    await untilShown(
      inspection,
      'the pools that match',
      ({ poolsState, pools }) => poolsState.kind === 'ready' && pools.length > 0 && pools.every(({ pairName }) => pairName === wanted),
    );
    assert.equal(inspection.views.contextKeys.get(CONTEXT.poolsNarrowed), true);
    await vscode.commands.executeCommand('binsight.showAllPools');
    await untilShown(inspection, 'all pools', ({ pools }) => pools.length >= 8);
    assert.equal(inspection.views.contextKeys.get(CONTEXT.poolsNarrowed), false);
  });

  it('Pools can be filtered and starred by commands; where nothing matches, a row below the favorites shows all pools', async () => {
    const { pools: tree, poolsView, contextKeys } = inspection.views;
    const filter = async (...answers: readonly ScriptedAnswer[]) =>
      answering(inspection, answers, async () => {
        await vscode.commands.executeCommand('binsight.searchPools');
      });
    await filter({ pick: 'Pool type' }, { pick: 'DAMM v2' });
    await untilShown(
      inspection,
      'the pools of one type',
      ({ poolsState, pools: listed }) => poolsState.kind === 'ready' && listed.every(({ poolType }) => poolType === 'dammV2'),
    );
    assert.equal(contextKeys.get(CONTEXT.poolsNarrowed), true);
    assert.match(poolsView.description ?? '', / [↑↓]$/);
    assert.equal(poolsView.message, 'Filters: DAMM v2');

    const [starred] = inspection.portfolio.snapshot.pools;
    assert.ok(starred !== undefined);
    const row = { kind: 'pool', pool: { address: starred.address } };
    await vscode.commands.executeCommand('binsight.toggleFavorite', row);
    const labels = () => tree.getChildren().map((node) => tree.getTreeItem(node).label);
    const [group] = tree.getChildren();
    assert.deepEqual([labels()[0], tree.getChildren(group).length], ['Favorites', 1]);

    await filter({ pick: 'TVL' }, { type: '900B' }, { type: '' });
    await untilShown(inspection, 'no pools', ({ poolsState, pools: listed }) => poolsState.kind === 'ready' && listed.length === 0);
    assert.deepEqual(labels(), ['Favorites', 'No pools match']);
    const last = tree.getChildren().at(-1);
    assert.ok(last !== undefined);
    await vscode.commands.executeCommand(tree.getTreeItem(last).command?.command ?? '');
    await untilShown(inspection, 'all pools', ({ pools: listed }) => listed.length >= 8);
    assert.deepEqual([contextKeys.get(CONTEXT.poolsNarrowed), poolsView.message], [false, undefined]);
    await vscode.commands.executeCommand('binsight.toggleFavorite', row);
    assert.equal(labels().includes('Favorites'), false);
  });
});

/** A portfolio that shows what the test wants, and tells of it as the real one does. */
class ShownPortfolio implements PortfolioReader {
  readonly warnings = [];
  snapshot = emptySnapshot(OWNER);
  readonly #changes = new Emitter<PortfolioChange>(fail);

  onDidChange(listener: (change: PortfolioChange) => void): Subscription {
    return this.#changes.on(listener);
  }

  show(parts: Partial<Omit<PortfolioSnapshot, 'totals'>>): void {
    const before = this.snapshot;
    this.snapshot = withParts(before, parts);
    const change = changeBetween(before, this.snapshot);
    if (change !== undefined) {
      this.#changes.fire(change);
    }
  }
}

function listControl({ groupBy = 'none', sortBy = 'attention' }: Partial<PositionListOptions> = {}): PositionListControl {
  return new PositionListControl({ sortBy: remembered(sortBy), groupBy: remembered(groupBy) }, fail);
}

describe('A tree', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });

  it('A tree fires change events only for the rows that look different', () => {
    const portfolio = new ShownPortfolio();
    const busy = new BusyPositions(fail);
    const tree = new PositionsTree(
      portfolio,
      listControl(),
      busy,
      (position) => Promise.resolve(positionTooltip(position)),
      new Lineages(fail),
    );
    const fired: (readonly string[] | 'all')[] = [];
    tree.onDidChangeTreeData((nodes) => fired.push(nodes?.map(({ row }) => row.id) ?? 'all'));
    portfolio.show({ positions: [openPosition(1), openPosition(2)] });
    const [totals, first, second] = tree.getChildren();
    assert.ok(totals && first && second);
    // Nothing of this is on the row or below it.
    portfolio.show({ positions: [openPosition(1, { updatedAt: new Date(0) }), openPosition(2)] });
    portfolio.show({
      positions: [openPosition(1), openPosition(2, { pnlPercent: { usd: 22.2, native: 0.2 }, pnl: { usd: 20, native: 0.2 } })],
    });
    assert.deepEqual(fired, ['all', [openPosition(2).key, 'totals']]);
    assert.deepEqual(tree.getChildren(), [totals, first, second]);
    assert.equal(tree.getTreeItem(second).description, '$100 · +22% · $1.97 to claim · 5h');
    portfolio.show({ positions: [openPosition(2), openPosition(1, { value: { usd: 1, native: undefined } })] });
    portfolio.show({ positions: [openPosition(2)] });
    assert.deepEqual(fired.slice(2), ['all', 'all']);
    tree.dispose();
  });

  it('A tree compares the details of a position only while VS Code shows them', () => {
    const portfolio = new ShownPortfolio();
    const tree = new PositionsTree(portfolio, listControl(), new BusyPositions(fail), () => Promise.resolve(''), new Lineages(fail));
    portfolio.show({ positions: [openPosition(1)] });
    const [node] = tree.getChildren();
    assert.ok(node);
    const fired: unknown[] = [];
    tree.onDidChangeTreeData((nodes) => fired.push(nodes?.map(({ row }) => row.id)));
    // Only a detail row shows the amount.
    portfolio.show({ positions: [openPosition(1, { amount0: 2_000 })] });
    assert.deepEqual(fired, []);
    const amountOf = () => tree.getChildren(node).find(({ row }) => row.label === 'BONK')?.row.description;
    assert.equal(amountOf(), '2,000 · $0.04');
    portfolio.show({ positions: [openPosition(1, { amount0: 3_000 })] });
    assert.deepEqual(fired, [[openPosition(1).key]]);
    assert.equal(amountOf(), '3,000 · $0.06');
    tree.dispose();
  });

  it('A refresh formats each row once, and the details of expanded positions only', () => {
    class CountingLocale extends WarmLocale {
      formatted = 0;

      override numbers(options: Intl.NumberFormatOptions, sign: Sign): Intl.NumberFormat {
        this.formatted += 1;
        return super.numbers(options, sign);
      }
    }
    const COUNT = 200;
    const locale = new CountingLocale('en-US');
    const portfolio = new ShownPortfolio();
    const tree = new PositionsTree(
      portfolio,
      listControl(),
      new BusyPositions(fail),
      () => Promise.resolve(''),
      new Lineages(fail),
      locale,
    );
    /** Only detail rows show the amount. */
    const formattedFor = (amount0: number) => {
      locale.formatted = 0;
      const pairs = Array.from({ length: COUNT }, (_, index) => openPosition(index, { pairName: `T${index}/SOL`, amount0 }));
      portfolio.show({ positions: pairs });
      tree.getChildren().forEach((node) => tree.getTreeItem(node));
      return locale.formatted;
    };
    formattedFor(0);
    const rowsAlone = formattedFor(1);
    assert.ok(rowsAlone > COUNT && rowsAlone <= 10 * COUNT, `${rowsAlone}`);
    const [, first] = tree.getChildren();
    assert.ok(first);
    tree.getChildren(first);
    const withOne = formattedFor(2) - rowsAlone;
    assert.ok(withOne > 0 && withOne <= 30, `${withOne}`);
    tree.getChildren().forEach((node) => tree.getChildren(node));
    tree.getChildren().forEach((node) => tree.collapsed(node));
    assert.equal(formattedFor(3), rowsAlone);
    tree.dispose();
  });

  it('Details that changed while a position was collapsed are read again when it is expanded', () => {
    const portfolio = new ShownPortfolio();
    const tree = new PositionsTree(portfolio, listControl(), new BusyPositions(fail), () => Promise.resolve(''), new Lineages(fail));
    portfolio.show({ positions: [openPosition(1)] });
    const [node] = tree.getChildren();
    assert.ok(node);
    tree.getChildren(node);
    tree.collapsed(node);
    const fired: unknown[] = [];
    tree.onDidChangeTreeData((nodes) => fired.push(nodes?.map(({ row }) => row.id)));
    tree.expanded(node);
    tree.collapsed(node);
    portfolio.show({ positions: [openPosition(1, { amount0: 2_000 })] });
    assert.deepEqual(fired, []);
    tree.expanded(node);
    assert.deepEqual(fired, [[openPosition(1).key]]);
    tree.dispose();
  });

  it('A tree groups, sorts and filters positions, and a position that moves to another group goes there', () => {
    const portfolio = new ShownPortfolio();
    const control = listControl({ groupBy: 'range', sortBy: 'pair' });
    const tree = new PositionsTree(portfolio, control, new BusyPositions(fail), () => Promise.resolve(''), new Lineages(fail));
    const shown = () =>
      tree.getChildren().map((node) => [tree.getTreeItem(node).label, ...tree.getChildren(node).map(({ row }) => row.id)]);
    const [one, two, three] = [1, 2, 3].map((number) => openPosition(number).key);
    portfolio.show({ positions: [openPosition(1), openPosition(2, { inRange: false }), openPosition(3)] });
    assert.deepEqual(shown(), [['Total of 3'], ['Out of range', two], ['In range', one, three]]);
    portfolio.show({ positions: [openPosition(1, { inRange: false }), openPosition(2), openPosition(3)] });
    assert.deepEqual(shown(), [['Total of 3'], ['Out of range', one], ['In range', two, three]]);
    const [, , inRange] = tree.getChildren();
    const [child] = inRange === undefined ? [] : tree.getChildren(inRange);
    assert.ok(child !== undefined && tree.getParent(child) === inRange);
    control.filter('outOfRange');
    assert.deepEqual(shown(), [['Total of 1, 2 hidden'], ['Out of range', one]]);
    tree.dispose();
  });

  it('A tree grouped by wallet shows the positions of other wallets with a way to switch, and otherwise those of the wallet in use', async () => {
    const portfolio = new ShownPortfolio();
    const control = listControl({ sortBy: 'pair', groupBy: 'wallet' });
    const inner = new PositionsTree(portfolio, control, new BusyPositions(fail), () => Promise.resolve(''), new Lineages(fail));
    const owners = [OWNER, OTHER_OWNER].map((address) => ({ address, canSign: false, origin: 'user', hasPassphrase: false }) as const);
    const never = () => ({ dispose: () => undefined });
    const clock = new FakeClock();
    const tree = new WalletGroupsTree(inner, {
      ...{ portfolio, clock, positionList: control, log: () => undefined, onDidRefresh: never },
      coordinator: { scheduler: new ReadScheduler(clock) },
      connection: { choice: inspection.connection.choice, status: { kind: 'open' }, onDidChange: never, onDidChangeStatus: never },
      connect: () => Promise.resolve({ openPositions: () => Promise.resolve({ items: [openPosition(3)], warnings: [] }) }),
      owners: { active: () => owners[0], known: () => owners, onDidChange: never },
    });
    const fired: (readonly string[] | 'all')[] = [];
    tree.onDidChangeTreeData((nodes) => fired.push(nodes?.map(({ row }) => row.id) ?? 'all'));
    tree.setVisible(true);
    portfolio.show({ positions: [openPosition(1), openPosition(2)], positionsState: { kind: 'ready', asOf: new Date(0) } });
    await clock.advance(1_000);
    const below = () => tree.getChildren().map((node) => tree.getChildren(node).map(({ row }) => row.id));
    const [one, two, three] = [1, 2, 3].map((number) => openPosition(number).key);
    assert.deepEqual(below(), [[one, two], [`walletGroup/${OTHER_OWNER}/${three}`]]);
    const [inUse, other] = tree.getChildren();
    assert.ok(inUse !== undefined && other !== undefined);
    const [own] = tree.getChildren(inUse);
    const [foreign] = tree.getChildren(other);
    assert.ok(own !== undefined && foreign !== undefined);
    assert.deepEqual([tree.getParent(own), tree.getParent(foreign)], [inUse, other]);
    assert.deepEqual(tree.getTreeItem(foreign).command?.arguments, [{ kind: 'wallet', address: OTHER_OWNER }]);
    assert.deepEqual([tree.getTreeItem(own).command, tree.getTreeItem(other).command], [undefined, undefined]);
    fired.length = 0;
    portfolio.show({ positions: [openPosition(1), openPosition(2, { value: { usd: 1, native: undefined } })] });
    assert.deepEqual([fired.flat().includes(inUse.row.id), fired.includes('all'), tree.getChildren()[0]], [true, false, inUse]);
    portfolio.show({ positions: [] });
    const states = tree.getChildren().map((node) => tree.getTreeItem(node).collapsibleState);
    assert.deepEqual(states, [vscode.TreeItemCollapsibleState.None, vscode.TreeItemCollapsibleState.Expanded]);
    portfolio.show({ positions: [openPosition(1), openPosition(2)] });
    await control.group('none');
    assert.deepEqual(
      tree.getChildren().map(({ row }) => row.id),
      ['totals', one, two],
    );
    tree.dispose();
    inner.dispose();
  });

  it('A tree shows a position as busy while an operation on it is under way', async () => {
    const portfolio = new ShownPortfolio();
    const busy = new BusyPositions(fail);
    const tree = new PositionsTree(
      portfolio,
      listControl(),
      busy,
      (position) => Promise.resolve(positionTooltip(position)),
      new Lineages(fail),
    );
    portfolio.show({ positions: [openPosition(1)] });
    const contexts: (string | undefined)[] = [];
    tree.onDidChangeTreeData((nodes) => contexts.push(...(nodes ?? []).map((node) => tree.getTreeItem(node).contextValue)));
    await busy.during(openPosition(1).key, async () => {
      assert.equal(await busy.during(openPosition(1).key, () => assert.fail('a second one ran')), undefined);
    });
    assert.deepEqual(
      contexts.map((context) => /\bbusy\b/.test(context ?? '')),
      [true, false],
    );
    tree.dispose();
  });

  it('The Pools tree ends with a row that loads more pools while there are more', () => {
    const portfolio = new ShownPortfolio();
    const tree = new PoolsTree(
      portfolio,
      () => 'tvl',
      (pool) => Promise.resolve(poolTooltip(pool)),
    );
    portfolio.show({ pools: [pool(1)], poolsHaveMore: true });
    const items = () => tree.getChildren().map((node) => tree.getTreeItem(node));
    assert.equal(items().at(-1)?.command?.command, 'binsight.loadMorePools');
    portfolio.show({ pools: [pool(1), pool(2)], poolsHaveMore: false });
    assert.deepEqual(
      items().map(({ id }) => id),
      [pool(1).address, pool(2).address],
    );
    tree.dispose();
  });
});
