import assert from 'node:assert/strict';
import { Connection } from '@solana/web3.js';
import { Lanes } from '../crash/lanes';
import { calmPlan, nameOfPlan, type TrialPlan } from '../crash/plans';
import { describe as told, type Trial } from '../crash/trial';
import { landed, refused } from '../support/sandbox/client';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

const SLOT_MS = 200;

describe('The service at 200 ms per slot', () => {
  const client = useSandbox('all', { args: [...(STILL.args ?? []), '--slot-ms', String(SLOT_MS)], hasShortPast: true });
  const connection = (): Connection =>
    new Connection(new URL(`/rpc?api-key=${client().sandbox.apiKey}`, client().sandbox.url).href, 'processed');
  const entry = async () => {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    return client().add(pool, { inputSOL: 0.1, fromBinId: active - 10, toBinId: active + 10 });
  };

  it('A built operation lands up to 150 blocks later, which is half a minute', async () => {
    const built = await entry();
    assert.ok(built.lastValidBlockHeight - (await connection().getBlockHeight()) >= 140);
    await client().control('advance', { ms: 20_000 });
    landed(await client().landAdd(built));
    assert.ok((await client().position(built.meta.positionPubKey)) !== undefined);
  });

  it('A built operation does not land 31 seconds later, and its height and blockhash say so', async () => {
    const built = await entry();
    const { blockhash, lastValidBlockHeight } = await connection().getLatestBlockhash();
    await client().control('advance', { ms: 31_000 });
    assert.match(refused(422, await client().landAdd(built)), /blockhash expired/);
    assert.equal(await client().position(built.meta.positionPubKey), undefined);
    assert.ok((await connection().getBlockHeight()) > lastValidBlockHeight);
    assert.equal((await connection().isBlockhashValid(blockhash)).value, false);
    assert.deepEqual(await client().audit(), []);
  });
});

describe('Operations at 200 ms per slot', () => {
  let lanes: Lanes;
  before(async () => {
    lanes = await Lanes.open(1, [SLOT_MS]);
  });
  after(() => lanes.close());

  const killedAt = (plan: TrialPlan, point: Extract<TrialPlan['kill'], { kind: 'point' }>['point']): TrialPlan => ({
    ...plan,
    kill: { kind: 'point', point, afterMs: 0 },
  });
  const [zapIn, zapOut] = [calmPlan('zapIn'), calmPlan('zapOut')];
  const plans: readonly (readonly [string, TrialPlan])[] = [
    [
      'An operation that was never sent is proven expired by the other window, half a minute after its build',
      { ...killedAt(zapIn, 'after submitted of zapIn'), mustEnd: 'expired' },
    ],
    [
      'Without an RPC, an operation of a killed window that was to be sent ends as unclear, not as expired',
      { ...killedAt(zapOut, 'after submitted of zapOut'), hasRpc: false, mustEnd: 'failed' },
    ],
    [
      'An operation that expires before it is sent is built again only after proof',
      { ...zapIn, trouble: 'expiresBefore', mustEnd: 'expired' },
    ],
    [
      'An operation that landed in a killed window is found settled, and a second window cannot start the same meanwhile',
      { ...killedAt(zapIn, 'after landing of zapIn'), repeats: true, mustEnd: 'settled' },
    ],
  ];
  for (const [title, plan] of plans) {
    it(title, async () => {
      const trials: Trial[] = [];
      await lanes.run([plan], (trial) => trials.push(trial));
      assert.deepEqual(trials.filter(({ faults }) => faults.length > 0).map(told), [], nameOfPlan(plan));
      assert.deepEqual(
        trials.map(({ slotMs }) => slotMs),
        [SLOT_MS],
      );
    });
  }
});
