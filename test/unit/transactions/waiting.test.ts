import assert from 'node:assert/strict';
import { runZapIn } from '../../../src/transactions/run/zapIn';
import { NO_SPENDS } from '../../../src/review/spends';
import type { SolanaRpc } from '../../../src/rpc/types';
import { FakeClock } from '../portfolio/fixtures';
import { asOf, ScriptedNode } from '../rpc/scriptedNode';
import { bench, failureOf, recordsOf, until, zapInPlan, type Bench } from './harness';
import { zapInCreated } from './records';

const runIn = ({ dependencies, host, abort }: Bench) => runZapIn(zapInPlan(), dependencies, host, abort.signal);

/** A window in which a zap-in of 5 SOL was signed and sent at the beginning, and ended like that; the next one waits for it. */
async function afterEarlier(end: 'failed' | undefined, rpc?: SolanaRpc, waitsForEarlier = true): Promise<Bench> {
  const clock = new FakeClock();
  const it = await bench({
    clock,
    listed: [],
    isSimulating: false,
    dependencies: { clock, waitsForEarlier },
    ...(rpc === undefined ? {} : { rpc }),
  });
  const entry = await it.dependencies.journal.begin(zapInCreated(0));
  await entry.append({
    kind: 'built',
    position: undefined,
    transactions: 1,
    messageHashes: [],
    blockhashes: ['earlier'],
    lastValidBlockHeight: 1,
  });
  await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
  await entry.append({ kind: 'approved', by: 'user' });
  await entry.append({ kind: 'signed', signatures: ['s'], spends: { ...NO_SPENDS, consumedLamports: 5_000_000_000n } });
  await entry.append({ kind: 'submitted', lamportsBefore: undefined });
  if (end !== undefined) {
    await entry.append({ kind: 'failed', reason: 'slippage' });
  }
  return it;
}

const waits = ({ trace, clock }: Bench) => until(() => trace.steps.at(-1) === 'waitingForEarlier' && clock.timers > 0);

describe('a zap-in that waits for an earlier one', () => {
  it('begins nothing until that can no longer land, two minutes after it was built, and is then reviewed by itself', async () => {
    const it = await afterEarlier('failed');
    const running = runIn(it);
    await waits(it);
    await it.clock.advance(119_999);
    assert.deepEqual([it.trace.steps, it.trace.builds.length], [['waitingForEarlier'], 0]);
    await it.clock.advance(1);
    assert.equal((await running).kind, 'settled');
    const consumed = it.trace.reviews.map(({ verdict }) => verdict);
    assert.ok(consumed.length === 1 && consumed[0] !== 'block', consumed.join());
  });

  it('is what it would not pass without: both count together', async () => {
    const it = await afterEarlier('failed', undefined, false);
    assert.equal((await runIn(it)).kind, 'blocked');
    assert.ok(!it.trace.steps.includes('waitingForEarlier'));
  });

  it('can be cancelled: nothing was asked of anybody, and nothing is written', async () => {
    const it = await afterEarlier('failed');
    const running = runIn(it);
    await waits(it);
    it.abort.abort();
    assert.deepEqual(await running, { kind: 'declined' });
    assert.deepEqual([it.clock.timers, it.trace.builds.length, (await recordsOf(it)).length], [0, 0, 1]);
  });

  it('does not wait where there is nothing to wait for', async () => {
    const clock = new FakeClock();
    const it = await bench({ clock, listed: [], dependencies: { clock, waitsForEarlier: true } });
    assert.equal((await runIn(it)).kind, 'settled');
    assert.ok(!it.trace.steps.includes('waitingForEarlier'));
  });

  it('does not wait for what may have landed: that is refused at once', async () => {
    const it = await afterEarlier(undefined);
    assert.equal((await failureOf(runIn(it))).kind, 'underWay');
    assert.equal(it.clock.timers, 0);
  });

  it('waits two minutes at most, also on a clock that was set back; the review counts what is left', async () => {
    const it = await afterEarlier('failed');
    const entry = await it.dependencies.journal.begin({ ...zapInCreated(0) });
    await entry.append({ kind: 'failed', reason: 'x' });
    await it.clock.advance(-1_000_000);
    const running = runIn(it);
    await waits(it);
    await it.clock.advance(120_000);
    assert.equal((await running).kind, 'blocked');
  });

  describe('with an RPC', () => {
    let node: ScriptedNode;
    before(async () => {
      node = await ScriptedNode.start();
    });
    after(() => node.stop());

    it('waits only until the network takes its blockhash no more', async () => {
      let isValid = true;
      node.willAnswer({
        getMultipleAccounts: { byParams: ([addresses]) => asOf((addresses as readonly string[]).map(() => null)) },
        isBlockhashValid: { byParams: ([hash]) => asOf(hash !== 'earlier' || isValid) },
      });
      const it = await afterEarlier('failed', node.client());
      const running = runIn(it);
      await waits(it);
      for (let looks = 0; looks < 9; looks += 1) {
        await it.clock.advance(3_000);
        await waits(it);
      }
      assert.equal(it.trace.builds.length, 0);
      isValid = false;
      await it.clock.advance(3_000);
      assert.equal((await running).kind, 'settled');
      assert.ok(it.clock.now() < 60_000 + new FakeClock().now());
    });
  });
});
