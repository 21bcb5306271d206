import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChainView, expiresInMs, hasExpired, isOfSameNetwork, isWorthSending, type Lifetime } from '../../../src/transactions/expiry';

const LAST_VALID = 1_000_150;
/** The height at which the blockhash was issued. */
const ISSUED = LAST_VALID - 150;
/** Slots of the schedule of SIMD-0525, and slower ones. */
const SLOTS_MS = [200, 250, 300, 350, 400, 800];

const built = (ageMs: number, lastValidBlockHeight: number | undefined = LAST_VALID): Lifetime => ({ lastValidBlockHeight, ageMs });
const at = (height: number, isBlockhashValid = height <= LAST_VALID): ChainView => ({ blockHeight: BigInt(height), isBlockhashValid });

/** What a chain with slots of that length shows to an RPC, so long after the build. */
const chainAfter = (ageMs: number, slotMs: number): ChainView => at(ISSUED + Math.floor(ageMs / slotMs));

describe('Expiry of transactions', () => {
  it('Transactions have expired 32 blocks after their last valid block, and not one block earlier', () => {
    assert.equal(hasExpired(built(60_000), at(LAST_VALID + 32)), false);
    assert.equal(hasExpired(built(60_000), at(LAST_VALID + 33)), true);
    assert.equal(hasExpired(built(60_000, LAST_VALID - 0.5), at(LAST_VALID + 32)), false, 'a part of a block counts as a block');
  });

  it('Transactions have not expired while the RPC accepts a blockhash, or may not know it yet', () => {
    assert.equal(hasExpired(built(60_000), at(LAST_VALID + 33, true)), false);
    assert.equal(hasExpired(built(60_000, ISSUED - 1_000), at(ISSUED + 10)), false, 'the service named a block that is too low');
    assert.equal(hasExpired(built(19_999), at(LAST_VALID + 33)), false);
    assert.equal(hasExpired(built(20_000), at(LAST_VALID + 33)), true);
    assert.equal(hasExpired(built(3_600_000), at(ISSUED - 5, false)), false, 'a node that stands still does not know the blockhash');
  });

  it('An RPC of another network, and one without a last valid block to compare with, tell nothing', () => {
    for (const lastValid of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
      assert.equal(hasExpired({ lastValidBlockHeight: lastValid, ageMs: 60_000 }, at(LAST_VALID + 33)), undefined, String(lastValid));
    }
    assert.equal(hasExpired(built(60_000), at(LAST_VALID + 40_000_000)), undefined);
    assert.equal(isOfSameNetwork(built(0), at(LAST_VALID + 2_000)), true);
    assert.equal(isOfSameNetwork(built(0), at(LAST_VALID + 2_001)), false);
  });

  for (const slotMs of SLOTS_MS) {
    it(`At ${slotMs} ms per slot, transactions are never declared expired while a block may take them, and are soon afterwards`, () => {
      const lastMs = 151 * slotMs - 1;
      for (const ageMs of [0, 20_000, lastMs - 1_000, lastMs, lastMs + 31 * slotMs]) {
        assert.equal(hasExpired(built(ageMs), chainAfter(ageMs, slotMs)), false, `${ageMs} ms`);
      }
      const overMs = 183 * slotMs;
      assert.equal(hasExpired(built(overMs), chainAfter(overMs, slotMs)), true);
      assert.ok(isOfSameNetwork(built(86_400_000), chainAfter(86_400_000, slotMs)), 'also after a day');
    });

    it(`At ${slotMs} ms per slot, what is still sent without an RPC can still land`, () => {
      for (let ageMs = 0; ageMs < 200_000; ageMs += 500) {
        if (isWorthSending(built(ageMs), undefined)) {
          assert.ok(chainAfter(ageMs + 1_900, slotMs).isBlockhashValid, `${ageMs} ms`);
        }
      }
    });
  }

  it('Without an RPC, transactions are sent again if they are younger than 28 s after the wait', () => {
    assert.equal(isWorthSending(built(27_999), undefined), true);
    assert.equal(isWorthSending(built(28_000), undefined), false);
    assert.equal(isWorthSending(built(8_000), undefined, 19_999), true);
    assert.equal(isWorthSending(built(8_000), undefined, 20_000), false);
    assert.equal(isWorthSending(built(-5_000), undefined, 28_000), false, 'on a clock that was set back');
    assert.equal(isWorthSending(built(28_000), at(LAST_VALID + 40_000_000)), false, 'an RPC of another network does not decide');
    assert.equal(isWorthSending(built(27_999), at(LAST_VALID + 40_000_000)), true);
  });

  it('With an RPC, transactions are sent again up to the block before their last valid one, whatever the clock says', () => {
    assert.equal(isWorthSending(built(300_000), at(LAST_VALID - 1)), true);
    assert.equal(isWorthSending(built(300_000), at(LAST_VALID - 1), 600_000), true, 'a wait is not counted');
    assert.equal(isWorthSending(built(25_000), at(LAST_VALID)), false);
    assert.equal(isWorthSending(built(25_000), at(LAST_VALID - 1, false)), false, 'the service named a block that is too high');
    assert.equal(isWorthSending(built(19_999), at(LAST_VALID - 1, false)), true, 'the node may not know the blockhash yet');
  });

  it('The time until the expiry is estimated by the measured slot length', () => {
    assert.equal(expiresInMs(built(0), BigInt(ISSUED), 200), 183 * 200);
    assert.equal(expiresInMs(built(0), BigInt(ISSUED), 400), 183 * 400);
    assert.equal(expiresInMs(built(5_000), BigInt(LAST_VALID + 40), 200), 15_000, 'younger ones do not count as expired');
    assert.equal(expiresInMs(built(30_000), BigInt(LAST_VALID + 40), 200), 0);
    assert.equal(expiresInMs({ lastValidBlockHeight: undefined, ageMs: 0 }, BigInt(ISSUED), 200), undefined);
  });

  it('Nothing that can be sent has expired, for any age, height and last valid block', () => {
    const heights = fc.integer({ min: ISSUED - 500, max: LAST_VALID + 5_000 });
    fc.assert(
      fc.property(heights, heights, fc.integer({ min: -60_000, max: 900_000 }), fc.boolean(), (lastValid, height, ageMs, isValid) => {
        const [lifetime, view] = [built(ageMs, lastValid), at(height, isValid)];
        assert.ok(!(hasExpired(lifetime, view) === true && isWorthSending(lifetime, view)));
      }),
    );
  });
});
