import { wordsOf } from '../../../support/transactions/words';
import assert from 'node:assert/strict';
import { runRebalance } from '../../../../src/transactions/rebalance/rebalance';
import { closeRebalances } from '../../../../src/transactions/recovery/watcher';
import { operationLock } from '../../../../src/transactions/target';
import { OWNER, POSITION } from '../../../support/review/bundles';
import { World, type Mishap, type Window } from '../../../support/transactions/rebalance/rebalanceWorld';

const TERMS = { halfWidthBins: 10, strategy: undefined, slippageBps: 300, reserveLamports: 0n };

describe('recovery: unattended rebalances', () => {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.dispose());

  async function begun(mishap: Mishap): Promise<Window> {
    const window = await world.open({}, mishap);
    const [position] = window.portfolio.snapshot.positions.filter(({ address }) => address === POSITION);
    assert.ok(position !== undefined);
    assert.equal(
      await window.run(() => runRebalance({ position, owner: OWNER, terms: TERMS }, window.dependencies, window.host, window.abort.signal)),
      'struck',
    );
    return world.open();
  }

  it('The extension ends a rebalance of which nothing was sent once, and reports it', async () => {
    const window = await begun({ kind: 'dies', at: 1 });
    const found: string[] = [];
    const watch = { ...window.dependencies, onFound: ({ id, state }: { id: string; state: string }) => void found.push(`${id} ${state}`) };
    const records = await window.records();
    assert.deepEqual(
      records.map(({ state }) => state),
      ['created'],
    );
    assert.deepEqual(await closeRebalances(records, watch), []);
    assert.deepEqual(await closeRebalances(records, watch), [], 'what was read before does not count');
    assert.deepEqual(found, [`${records[0]?.id ?? ''} abandoned`]);
    assert.match(wordsOf((await window.records())[0]?.reason), /closed before anything was sent/);
  });

  it('The extension does not end a rebalance that another window has locked, and looks at it again later', async () => {
    const window = await begun({ kind: 'dies', at: 1 });
    const other = await world.open();
    const [record] = await window.records();
    assert.ok(record !== undefined);
    const lock = await other.dependencies.locks.tryAcquire(operationLock(record.id));
    const watch = { ...window.dependencies, onFound: () => assert.fail('it is not ended') };
    assert.deepEqual(
      (await closeRebalances([record], watch)).map(({ id }) => id),
      [record.id],
    );
    await lock?.release();
    assert.deepEqual(
      (await window.records()).map(({ state }) => state),
      ['created'],
    );
  });

  it('The extension keeps a rebalance open that waits for the user', async () => {
    // Between the two parts: once the pool is read.
    for (let at = 30; ; at += 1) {
      const window = await begun({ kind: 'dies', at });
      const [one] = await window.rebalances();
      if (one?.standing.kind === 'awaitsReentry') {
        assert.deepEqual(
          await closeRebalances(await window.records(), { ...window.dependencies, onFound: () => assert.fail('it is not ended') }),
          [],
        );
        assert.equal((await window.rebalances())[0]?.record.state, 'created');
        return;
      }
      await world.dispose();
      world = await World.make();
    }
  });
});
