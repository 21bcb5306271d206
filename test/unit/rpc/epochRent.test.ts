import assert from 'node:assert/strict';
import { RentRate } from '../../../src/base/solana/rent';
import { EpochRent } from '../../../src/rpc/epochRent';
import { RpcError } from '../../../src/rpc/transport';
import { type NodeAnswer, ScriptedNode } from '../../support/rpc/scriptedNode';

const MINUTE_MS = 60_000;
const EPOCH = { epoch: 873, slotIndex: 5, slotsInEpoch: 432_000, absoluteSlot: 377_136_005, blockHeight: 355_000_000 };

describe('Rent by the RPC', () => {
  let node: ScriptedNode;
  before(async () => (node = await ScriptedNode.start()));
  after(() => node.stop());

  const methods = (): readonly string[] => node.received.map(({ method }) => method);

  for (const rate of [6_333, 5_080, 2_575]) {
    it(`The client reads a rate of ${rate} lamports a byte once`, async () => {
      node.willAnswer({ getEpochInfo: { result: EPOCH }, getMinimumBalanceForRentExemption: { result: 128 * rate } });
      const rpc = node.client();
      const rent = await rpc.rentRate();
      assert.deepEqual([rent.lamportsPerByte, rent.isUpperBound], [BigInt(rate), false]);
      assert.deepEqual(
        [rent.tokenAccount, rent.position, rent.binArray],
        [293n, 8_248n, 10_264n].map((bytes) => bytes * BigInt(rate)),
      );
      assert.equal(await rpc.rentRate(), rent);
      assert.deepEqual(methods(), ['getEpochInfo', 'getMinimumBalanceForRentExemption']);
      assert.equal(node.received[1]?.params[0], 0);
    });
  }

  const impossible: readonly [string, NodeAnswer][] = [
    ['no rent at all', { result: 0 }],
    ['less than a tenth of the highest rate known', { result: 128 * 695 }],
    ['more than ten times that rate', { result: 128 * 69_601 }],
    ['no whole rate', { result: 128 * 5_080 + 1 }],
    ['a fraction', { result: 0.5 }],
    ['a negative amount', { result: -650_240 }],
    ['text', { result: '650240' }],
    ['an error', { error: { code: -32_601, message: 'Method not found' } }],
  ];
  for (const [what, answer] of impossible) {
    it(`The client does not believe a node that tells ${what}`, async () => {
      node.willAnswer({ getEpochInfo: { result: EPOCH }, getMinimumBalanceForRentExemption: answer });
      const rpc = node.client();
      await assert.rejects(rpc.rentRate(), RpcError);
      node.willAnswer({ getEpochInfo: { result: EPOCH }, getMinimumBalanceForRentExemption: { result: 128 * 5_080 } });
      assert.equal((await rpc.rentRate()).lamportsPerByte, 5_080n, 'and asks again');
    });
  }

  it('The rate is read again only in another epoch, and the epoch at most once a minute', async () => {
    const asked: string[] = [];
    let [nowMs, epoch, rate] = [0, 1n, 6_960n];
    const rent = new EpochRent({
      epoch: () => Promise.resolve(epoch).finally(() => asked.push('epoch')),
      rate: () => Promise.resolve(RentRate.ofLamportsPerByte(rate)).finally(() => asked.push('rate')),
      nowMs: () => nowMs,
    });
    const current = async (): Promise<bigint> => (await rent.current()).lamportsPerByte;
    assert.equal(await current(), 6_960n);
    [epoch, rate] = [2n, 6_333n];
    nowMs = MINUTE_MS - 1;
    assert.equal(await current(), 6_960n);
    assert.deepEqual(asked, ['epoch', 'rate']);
    nowMs = MINUTE_MS;
    assert.equal(await current(), 6_333n);
    nowMs = 2 * MINUTE_MS;
    assert.equal(await current(), 6_333n);
    assert.deepEqual(asked, ['epoch', 'rate', 'epoch', 'rate', 'epoch']);
  });
});
