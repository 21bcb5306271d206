import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Pool } from '../../src/service/pools';
import type { Inspection } from '../../src/ui/services';
import type { PositionNode } from '../../src/ui/positions/positionsTree';
import { extensionReady } from '../support/editor/extensionReady';
import { commandEnding, documentOf, openAddresses, readExtension, refresh, untilShown } from '../support/editor/inspect';
import type { ScriptedAnswer } from '../support/editor/scriptedPrompts';

/** Which rows a command stands on in the context menu of a view, as package.json says it. */
async function rowsWith(command: string, view: string): Promise<RegExp> {
  const manifest = (await extensionReady()).packageJSON as {
    readonly contributes: { readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>> };
  };
  const whens = (manifest.contributes.menus['view/item/context'] ?? [])
    .filter((entry) => entry.command === command)
    .map(({ when }) => when);
  const patterns = whens.filter((when) => when.includes(`view == ${view}`)).map((when) => /viewItem =~ \/(.+)\//.exec(when)?.[1]);
  const [pattern, ...others] = [...new Set(patterns)];
  assert.ok(pattern !== undefined && others.length === 0, whens.join('; '));
  return new RegExp(pattern);
}

describe('Pools without bins', () => {
  let inspection: Inspection;
  let pool: Pool;
  /** Positions that the tests make. */
  const made: unknown[] = [];

  before(async () => {
    inspection = await readExtension();
    const { portfolio } = inspection;
    while (portfolio.snapshot.poolsHaveMore) {
      const before = portfolio.snapshot.pools.length;
      await vscode.commands.executeCommand('binsight.loadMorePools');
      await untilShown(inspection, 'more pools', ({ pools, poolsHaveMore }) => pools.length > before || !poolsHaveMore);
    }
    // Not a pair of which a position is open: where the list of positions is asked from, this one is found by its pair.
    const found = portfolio.snapshot.pools.find(
      ({ poolType, pairName }) => poolType === 'dammV2' && !portfolio.snapshot.positions.some((position) => position.pairName === pairName),
    );
    assert.ok(found);
    pool = found;
  });

  /** The row of a position that was made here. */
  const nodeOf = (address: unknown): PositionNode => {
    const node = inspection.views.positions.getChildren().find((one) => one.kind === 'position' && one.position.address === address);
    assert.ok(node?.kind === 'position');
    return node;
  };

  /** Zaps in, and gives what was asked; the new position is noted. */
  async function zapIn(amountLamports: string): Promise<readonly string[]> {
    const before = await openAddresses(inspection);
    const { asked } = await commandEnding(
      inspection,
      'binsight.continuePlan',
      await inspection.panelPlans.announced({
        kind: 'plan',
        pool: pool.address,
        plan: { strategy: 'Spot', amountLamports, percentX: 0.5, slippageBps: 300 },
      }),
      [{ press: 'Sign and Send' }],
      /^Zap .+ into .+: done\. Value: about \$[\d.,]+\.$/,
    );
    const fresh = (await openAddresses(inspection)).filter((address) => !before.includes(address));
    assert.equal(fresh.length, 1);
    made.push(...fresh);
    for (const { title, shown } of asked) {
      assert.doesNotMatch([title, ...shown].join('\n'), /\bbins?\b|Spot|Curve|BidAsk/, 'it was asked how to spread over bins');
    }
    return asked.map(({ text }) => text);
  }

  it('A plan for a pool without bins asks for no strategy and no range', async () => {
    const { pools } = inspection.views;
    const node = pools.getChildren().find((one) => one.kind === 'pool' && one.pool.address === pool.address);
    assert.ok(node);
    assert.match(pools.getTreeItem(node).contextValue ?? '', await rowsWith('binsight.zapIn', 'binsight.pools'));
    const texts = await zapIn('600000000');
    const question = texts.at(-1) ?? '';
    assert.match(question, /^You get: a position over the full price range; buys at least /m);
    assert.match(question, /^You pay: at most 0\.(?:59\d*|6) SOL/m);
    assert.match(question, /^Goes to: only you, pool(?:, tip)?$/m);
    assert.doesNotMatch(question, /active bin|undefined|NaN|… \d/);
  });

  it('The user can zap into a pool without bins again', async () => {
    const texts = await zapIn('400000000');
    assert.match(texts.at(-1) ?? '', /^You get: a position over the full price range; /m);
  });

  it('A position without bins shows its full range and offers Zap Out on its row', async () => {
    const tree = inspection.views.positions;
    const node = nodeOf(made[0]);
    assert.match(tree.getTreeItem(node).contextValue ?? '', await rowsWith('binsight.zapOut', 'binsight.positions'));
    const details = tree.getChildren(node).map(({ row }) => `${row.label}: ${row.description}`);
    assert.ok(details.includes('Range: full range'), details.join('\n'));
    assert.doesNotMatch(details.join('\n'), /\bbins?\b|undefined|NaN/);
  });

  it('Zapping out of half of a position without bins leaves the rest open', async () => {
    const node = nodeOf(made[0]);
    const before = node.position.value.usd ?? 0;
    const { asked } = await commandEnding(
      inspection,
      'binsight.zapOut',
      node,
      [{ pick: '50%' }, { pick: 'SOL' }, { pick: '3%' }, { press: 'Sign and Send' }],
      /^Zap out 50% of .+: done\..+ The position stays open, now worth \$/,
    );
    const question = asked.at(-1)?.text ?? '';
    assert.match(question, /^You pay: 50% of the position, ≈ \$/m);
    assert.match(question, /^You get: .*at least 0\.\d+ SOL/m);
    assert.doesNotMatch(question, /\bbins?\b/);
    await refresh(inspection);
    const after = nodeOf(made[0]).position.value.usd ?? 0;
    assert.ok(after > 0.4 * before && after < 0.6 * before, `${before} → ${after}`);
  });

  it('The details of an operation without bins show what it does and never mention bins', async () => {
    const answers: readonly ScriptedAnswer[] = [
      { pick: '50%' },
      { pick: 'SOL' },
      { pick: '3%' },
      { press: 'Show Details' },
      { pick: "Don't Sign" },
    ];
    const text = await documentOf(inspection, () =>
      commandEnding(inspection, 'binsight.zapOut', nodeOf(made[0]), answers, /: canceled\. Nothing was signed/),
    );
    assert.match(text, /^### \d+\. Meteora DAMM v2: remove_liquidity/m);
    assert.match(text, /^- Share: You chose 50%/m);
    assert.doesNotMatch(text, /\bBins\b|from_bin|active bin/);
  });

  it('The user can close positions without bins from the row and from the palette', async () => {
    const [first, second] = made.map(nodeOf);
    assert.ok(first && second);
    await commandEnding(
      inspection,
      'binsight.zapOut',
      first,
      [{ pick: '100%' }, { pick: `${first.position.token0.symbol} and` }, { pick: '3%' }, { press: 'Sign and Send' }],
      /^Zap out 100% of .+: done\. The position was closed\. Value: about \$/,
    );
    assert.ok(!(await openAddresses(inspection)).includes(first.position.address));
    // Of this pair and kind no other is open: the list begins with it.
    const others = inspection.portfolio.snapshot.positions.filter(
      ({ pairName, key }) => pairName === second.position.pairName && key !== second.key,
    );
    assert.deepEqual(
      others.map(({ key }) => key),
      [],
    );
    await commandEnding(
      inspection,
      'binsight.zapOut',
      undefined,
      [{ pick: second.position.pairName }, { pick: '100%' }, { pick: 'SOL' }, { pick: '3%' }, { press: 'Sign and Send' }],
      /^Zap out 100% of .+: done\. The position was closed\. Value: about \$/,
    );
    const open = await openAddresses(inspection);
    assert.ok(made.every((address) => !open.includes(address)));
  });
});
