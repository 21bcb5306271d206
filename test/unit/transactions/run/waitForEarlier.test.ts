import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { NO_SPENDS } from '../../../../src/review/spends';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { FakeClock } from '../../../support/portfolio/fixtures';
import { asOf, ScriptedNode } from '../../../support/rpc/scriptedNode';
import { bench, failureOf, goingOn, recordsOf, until, zapInPlan, type Bench } from '../../../support/transactions/harness';
import { zapInCreated } from '../../../support/transactions/records';

const LAST_VALID = 1;

const runIn = ({ dependencies, host, abort }: Bench) => runZapIn(zapInPlan(), dependencies, host, abort.signal);

/** A window in which a zap-in of 5 SOL was signed and sent at the beginning, and ended like that; the next one waits for it. */
async function afterEarlier(end: 'failed' | undefined, rpc?: SolanaRpc, waitsForEarlier = true): Promise<Bench> {
  const clock = new FakeClock();
  const fixture = await bench({
    clock,
    listed: [],
    isSimulating: false,
    dependencies: { clock, waitsForEarlier },
    ...(rpc === undefined ? {} : { rpc }),
  });
  const entry = await fixture.dependencies.journal.begin(zapInCreated(0));
  await entry.append({
    kind: 'built',
    position: undefined,
    transactions: 1,
    messageHashes: [],
    blockhashes: ['earlier'],
    lastValidBlockHeight: LAST_VALID,
  });
  await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
  await entry.append({ kind: 'approved', by: 'user' });
  await entry.append({ kind: 'signed', signatures: ['s'], spends: { ...NO_SPENDS, consumedLamports: 5_000_000_000n } });
  await entry.append({ kind: 'submitted', lamportsBefore: undefined });
  if (end !== undefined) {
    await entry.append({ kind: 'failed', reason: told('slippage') });
  }
  return fixture;
}

const waits = ({ trace, clock }: Bench) => until(() => trace.steps.at(-1) === 'waitingForEarlier' && clock.timers > 0);

describe('operation: zap-in after an earlier one', () => {
  it('The zap-in waits until the earlier one cannot land, two minutes after its build, and is reviewed alone', async () => {
    const fixture = await afterEarlier('failed');
    const running = runIn(fixture);
    await waits(fixture);
    await fixture.clock.advance(119_999);
    assert.deepEqual([fixture.trace.steps, fixture.trace.builds.length], [['waitingForEarlier'], 0]);
    await fixture.clock.advance(1);
    assert.equal((await running).kind, 'settled');
    const consumed = fixture.trace.reviews.map(({ verdict }) => verdict);
    assert.ok(consumed.length === 1 && consumed[0] !== 'block', consumed.join());
  });

  it('The review blocks the zap-in without the wait because both count together', async () => {
    const fixture = await afterEarlier('failed', undefined, false);
    assert.equal((await runIn(fixture)).kind, 'blocked');
    assert.ok(!fixture.trace.steps.includes('waitingForEarlier'));
  });

  it('The user can cancel the wait for an earlier zap-in without any request or journal entry', async () => {
    const fixture = await afterEarlier('failed');
    const running = runIn(fixture);
    await waits(fixture);
    fixture.abort.abort();
    assert.deepEqual(await running, { kind: 'declined' });
    assert.deepEqual([fixture.clock.timers, fixture.trace.builds.length, (await recordsOf(fixture)).length], [0, 0, 1]);
  });

  it('The zap-in does not wait without an earlier one', async () => {
    const clock = new FakeClock();
    const fixture = await bench({ clock, listed: [], dependencies: { clock, waitsForEarlier: true } });
    assert.equal((await runIn(fixture)).kind, 'settled');
    assert.ok(!fixture.trace.steps.includes('waitingForEarlier'));
  });

  it('The zap-in does not wait for one that may have landed and is refused at once', async () => {
    const fixture = await afterEarlier(undefined);
    assert.equal((await failureOf(runIn(fixture))).kind, 'underWay');
    assert.equal(fixture.clock.timers, 0);
  });

  it('The zap-in waits at most two minutes, also after a clock change, and the review counts what remains', async () => {
    const fixture = await afterEarlier('failed');
    const entry = await fixture.dependencies.journal.begin({ ...zapInCreated(0) });
    await entry.append({ kind: 'failed', reason: told('x') });
    await fixture.clock.advance(-1_000_000);
    const running = runIn(fixture);
    await waits(fixture);
    await fixture.clock.advance(120_000);
    assert.equal((await running).kind, 'blocked');
  });

  describe('with an RPC', () => {
    let node: ScriptedNode;
    before(async () => {
      node = await ScriptedNode.start();
    });
    after(() => node.stop());

    it('The zap-in waits only until the network rejects the earlier blockhash and is past its last valid block', async () => {
      let isValid = true;
      let height = LAST_VALID + 32;
      node.willAnswer({
        getMultipleAccounts: { byParams: ([addresses]) => asOf((addresses as readonly string[]).map(() => null)) },
        isBlockhashValid: { byParams: ([hash]) => asOf(hash !== 'earlier' || isValid) },
        getBlockHeight: { byParams: () => ({ result: height }) },
        getSignatureStatuses: {
          byParams: ([signatures]) =>
            asOf(
              (signatures as readonly string[]).map(() => ({ slot: 1, confirmations: null, err: null, confirmationStatus: 'finalized' })),
            ),
        },
      });
      const fixture = await afterEarlier('failed', node.client());
      const running = runIn(fixture);
      await waits(fixture);
      for (let looks = 0; looks < 9; looks += 1) {
        await fixture.clock.advance(3_000);
        await waits(fixture);
      }
      assert.equal(fixture.trace.builds.length, 0);
      isValid = false;
      await fixture.clock.advance(3_000);
      await waits(fixture);
      assert.equal(fixture.trace.builds.length, 0, 'the newest blocks may still be dropped');
      height += 1;
      await fixture.clock.advance(3_000);
      assert.equal((await goingOn(fixture.clock, 3_000, running)).kind, 'settled');
      assert.ok(fixture.clock.now() < 60_000 + new FakeClock().now());
    });
  });
});
