import assert from 'node:assert/strict';
import { panelCommands } from '../../../src/ui/panels/panelCommands';
import { UserError } from '../../../src/ui/shell/errors';
import { emptySnapshot, withParts } from '../../../src/portfolio/snapshot';
import type { PortfolioSnapshot } from '../../../src/portfolio/types';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { fakeService, openPosition, OWNER, pageOf, pool } from '../../support/portfolio/fixtures';

function setUp(answers: readonly ScriptedAnswer[] = [], parts: Partial<Omit<PortfolioSnapshot, 'totals'>> = {}) {
  const opened: unknown[] = [];
  const prompts = new ScriptedPrompts(answers);
  const snapshot = withParts(emptySnapshot(OWNER), {
    pools: [pool(1), pool(2), pool(3, { poolType: 'other' })],
    positions: [openPosition(1), openPosition(2, { pool: undefined })],
    ...parts,
  });
  const commands = panelCommands({
    prompts,
    portfolio: { snapshot, warnings: [], onDidChange: () => ({ dispose: () => undefined }) },
    connect: () =>
      Promise.resolve(
        fakeService({
          discoverPools: ({ search }) => Promise.resolve(pageOf(search === 'WYFF' ? [pool(8, { pairName: 'WYFF/SOL' })] : [], 1, 20)),
        }),
      ),
    panels: () =>
      Promise.resolve({
        openPool: (...what: unknown[]) => void opened.push(['pool', ...what]),
        openPosition: (key: string) => void opened.push(['position', key]),
        openOverview: () => void opened.push(['overview']),
      }),
  });
  return { commands, opened, prompts };
}

describe('Commands that open panels', () => {
  it('Open Pool opens the pool of a row, listed or not, and the pool of a position', async () => {
    const { commands, opened } = setUp();
    await commands['binsight.openPool']({ kind: 'pool', address: pool(7).address });
    await commands['binsight.openPool']({ kind: 'position', key: openPosition(1).key });
    assert.deepEqual(opened, [
      ['pool', pool(7).address],
      ['pool', openPosition(1).pool],
    ]);
  });

  it('Open Pool and Open Position refuse unknown pools and unlisted positions', async () => {
    const { commands, opened } = setUp();
    await assert.rejects(commands['binsight.openPool']({ kind: 'position', key: openPosition(2).key }), UserError);
    await assert.rejects(commands['binsight.openPool']({ kind: 'position', key: 'gone' }), UserError);
    await assert.rejects(commands['binsight.openPosition']({ kind: 'position', key: 'gone' }), UserError);
    assert.deepEqual(opened, []);
  });

  it('Open Pool from the palette asks for a listed pool or an address', async () => {
    const { commands, opened, prompts } = setUp([
      { pick: 'P2/SOL' },
      { pick: 'Pool Address' },
      { type: 'no address' },
      'back',
      { pick: 'Pool Address' },
      { type: ` ${pool(9).address} ` },
      'escape',
    ]);
    await commands['binsight.openPool'](undefined);
    await commands['binsight.openPool'](undefined);
    await commands['binsight.openPool'](undefined);
    prompts.assertDone();
    assert.equal(prompts.refused.length, 1);
    assert.deepEqual(prompts.asked[0]?.shown, ['P1/SOL', 'P2/SOL', 'P3/SOL', 'Pool Address…']);
    assert.deepEqual(opened, [
      ['pool', pool(2).address],
      ['pool', pool(9).address],
    ]);
  });

  it('A pool that is not listed is found by the service, and by its address', async () => {
    const { commands, opened, prompts } = setUp([
      { search: 'WYFF', pick: 'WYFF/SOL' },
      { search: pool(9).address, pick: 'Pool Address' },
    ]);
    await commands['binsight.openPool'](undefined);
    await commands['binsight.zapIn'](undefined);
    prompts.assertDone();
    assert.deepEqual(opened, [
      ['pool', pool(8).address],
      ['pool', pool(9).address, { kind: 'startPlan' }],
    ]);
  });

  it('Zap In opens only pools that can be entered and tells the panel to begin', async () => {
    const { commands, opened, prompts } = setUp([{ pick: 'P1/SOL' }]);
    await commands['binsight.zapIn'](undefined);
    await commands['binsight.zapIn']({ kind: 'pool', address: pool(7).address });
    prompts.assertDone();
    assert.ok(!prompts.asked[0]?.shown.includes('P3/SOL'));
    assert.deepEqual(opened, [
      ['pool', pool(1).address, { kind: 'startPlan' }],
      ['pool', pool(7).address, { kind: 'startPlan' }],
    ]);
  });

  it('Open Position opens the position of a row or asks which one', async () => {
    const { commands, opened, prompts } = setUp([{ pick: 'BONK/SOL' }, 'escape']);
    await commands['binsight.openPosition']({ kind: 'position', key: openPosition(2).key });
    await commands['binsight.openPosition'](undefined);
    await commands['binsight.openPosition'](undefined);
    prompts.assertDone();
    assert.deepEqual(opened, [
      ['position', openPosition(2).key],
      ['position', openPosition(1).key],
    ]);
  });

  it('Open Position says that there is no position to open', async () => {
    const { commands } = setUp([], { positions: [] });
    await assert.rejects(commands['binsight.openPosition'](undefined), UserError);
  });

  it('Open Overview opens the overview', async () => {
    const { commands, opened } = setUp();
    await commands['binsight.openOverview'](undefined);
    assert.deepEqual(opened, [['overview']]);
  });
});
