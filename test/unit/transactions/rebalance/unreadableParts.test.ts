import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isEnd } from '../../../../src/transactions/journal/states';
import { declineReentry, resumeReentry, runRebalance } from '../../../../src/transactions/rebalance/rebalance';
import { wasSubmitted } from '../../../../src/transactions/signedAttempts';
import { OWNER, POSITION } from '../../../support/review/bundles';
import { type Window, World } from '../../../support/transactions/rebalance/rebalanceWorld';

const TERMS = { halfWidthBins: 10, strategy: undefined, slippageBps: 300, reserveLamports: 0n };
const LONG_MS = 600_000;
/** No rebalance has more. */
const MOST_STEPS = 80;

describe('rebalance: unreadable part in the journal', function () {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.dispose());

  /** A rebalance whose window died when one of its parts was sent, a step that is searched for; the file of that part is damaged then. */
  async function damaged(part: 'zapOut' | 'zapIn'): Promise<Window> {
    for (let [before, after] = [-1, MOST_STEPS]; after - before > 1;) {
      const at = (before + after) >> 1;
      const window = await world.open({}, { kind: 'dies', at });
      const position = window.portfolio.snapshot.positions.find(({ address }) => address === POSITION);
      assert.ok(position !== undefined);
      await window.run(() => runRebalance({ position, owner: OWNER, terms: TERMS }, window.dependencies, window.host, window.abort.signal));
      const next = await world.open();
      const sent = (await next.records()).find(
        (record) => record.created.operation === part && wasSubmitted(record) && !isEnd(record.state),
      );
      const hasLanded = (part === 'zapOut' ? world.outs : world.ins).length === 1;
      if (sent !== undefined && hasLanded) {
        const path = join(world.folder, 'journal', `${sent.id}.jsonl`);
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace('"submitted"', '"subm#tted"').replace('{', '#'));
        return next;
      }
      [before, after] = hasLanded ? [before, at] : [at, after];
      await world.dispose();
      world = await World.make();
    }
    return assert.fail('it never died there');
  }

  it('The extension offers no second re-entry after an unreadable part, and the user can end the rebalance', async () => {
    const window = await damaged('zapIn');
    await window.watch(LONG_MS);
    const [one] = await window.rebalances();
    assert.equal(one?.record.state, 'created');
    const { id } = one.record;
    await assert.rejects(
      window.run(() => resumeReentry(id, window.dependencies, window.host, window.abort.signal)),
      /may be part of this rebalance\..* may have been sent/,
    );
    assert.deepEqual([world.outs.length, world.ins.length], [1, 1]);
    assert.ok(isEnd((await declineReentry(id, window.dependencies)).state));
  });

  it('The extension does not conclude that nothing was sent if a part of the rebalance is unreadable', async () => {
    const window = await damaged('zapOut');
    await window.watch(LONG_MS);
    assert.deepEqual(
      (await window.rebalances()).map(({ record }) => record.state),
      ['created'],
    );
  });
});

describe('rebalance: delayed wallet balance', function () {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.dispose());

  async function rebalanced(showsAfterMs: number) {
    const window = await world.open();
    const position = window.portfolio.snapshot.positions.find(({ address }) => address === POSITION);
    assert.ok(position !== undefined);
    const host = {
      ...window.host,
      report: ({ step }: { readonly step: string }) => {
        if (step === 'readingPool') {
          const real = world.walletLamports;
          world.walletLamports = 20_000_000n;
          world.clock.after(showsAfterMs, () => (world.walletLamports = real));
        }
      },
    };
    const result = await window.run(() =>
      runRebalance(
        { position, owner: OWNER, terms: { ...TERMS, reserveLamports: 50_000_000n } },
        window.dependencies,
        host,
        window.abort.signal,
      ),
    );
    assert.ok(result !== 'struck');
    return { window, result };
  }

  it('The rebalance waits until the wallet shows the proceeds', async () => {
    const { result } = await rebalanced(4_000);
    assert.equal(result.kind, 'settled');
    assert.equal(world.ins.length, 1);
  });

  it('The rebalance stays open and offers the re-entry if the wallet does not show the proceeds', async () => {
    const { window, result } = await rebalanced(120_000);
    assert.ok(result.kind === 'notReentered' && result.isOpen, 'it is still offered');
    assert.match(result.words, /2 SOL came back, but the wallet is reported to hold 0\.02 SOL\./);
    assert.equal(world.ins.length, 0);
    assert.deepEqual(
      (await window.rebalances()).map(({ standing }) => standing.kind),
      ['awaitsReentry'],
    );
  });
});
