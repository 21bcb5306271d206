import assert from 'node:assert/strict';
import { SignedAttempts, type SignedAttempt } from '../../../src/operations/signedAttempts';
import { NO_SPENDS } from '../../../src/review/spends';
import { createRpc } from '../../../src/rpc/rpc';
import { asOf, ScriptedNode } from '../rpc/scriptedNode';

const never = new AbortController().signal;
const attempt = (consumedLamports: bigint, signedAtMs: number, blockhash = 'hash'): SignedAttempt => ({ spends: { ...NO_SPENDS, consumedLamports, tipLamports: 1n }, blockhashes: [blockhash], signedAtMs });

describe('signed attempts', () => {
  it('count together, each operation by itself, as long as they may land', async () => {
    const attempts = new SignedAttempts();
    const prior = (operation: string, nowMs: number) => attempts.prior(operation, nowMs, undefined, never);
    assert.equal(await prior('a', 0), undefined);
    attempts.signed('a', attempt(5n, 0));
    attempts.signed('a', attempt(7n, 30_000));
    attempts.signed('b', attempt(100n, 0));
    assert.deepEqual(await prior('a', 60_000), { ...NO_SPENDS, consumedLamports: 12n, tipLamports: 2n });
    assert.deepEqual(await prior('b', 60_000), { ...NO_SPENDS, consumedLamports: 100n, tipLamports: 1n });
    assert.equal((await prior('a', 119_999))?.consumedLamports, 12n);
    assert.equal((await prior('a', 120_000))?.consumedLamports, 7n);
    assert.equal(await prior('a', 150_000), undefined);
  });

  it('stay where the clock is set back', async () => {
    const attempts = new SignedAttempts();
    attempts.signed('a', attempt(5n, 1_000_000));
    assert.equal((await attempts.prior('a', 0, undefined, never))?.consumedLamports, 5n);
  });

  it('are forgotten one by one as they land: an earlier one may still do so too', async () => {
    const attempts = new SignedAttempts();
    const [first, second] = [attempt(5n, 0), attempt(7n, 0)];
    attempts.signed('a', first);
    attempts.signed('a', second);
    attempts.landed('a', second);
    assert.equal((await attempts.prior('a', 0, undefined, never))?.consumedLamports, 5n);
    attempts.landed('a', first);
    attempts.landed('a', first);
    assert.equal(await attempts.prior('a', 0, undefined, never), undefined);
  });

  describe('with an RPC', () => {
    let node: ScriptedNode;
    before(async () => {
      node = await ScriptedNode.start();
    });
    after(() => node.stop());

    it('are over when it takes none of their blockhashes any more, unless it may not have seen them yet', async () => {
      const attempts = new SignedAttempts();
      attempts.signed('a', attempt(5n, 0, 'old'));
      attempts.signed('a', attempt(7n, 5_000, 'valid'));
      attempts.signed('a', attempt(9n, 15_000, 'unseen'));
      node.willAnswer({ isBlockhashValid: { byParams: ([hash]) => asOf(hash === 'valid') } });
      const prior = await attempts.prior('a', 30_000, node.client(), never);
      assert.equal(prior?.consumedLamports, 16n);
      assert.deepEqual(node.received.map(({ params }) => params[0]).sort(), ['old', 'valid']);
    });

    it('count also when they are signed while it is asked', async () => {
      const attempts = new SignedAttempts();
      attempts.signed('a', attempt(5n, 0, 'old'));
      node.willAnswer({
        isBlockhashValid: {
          byParams: () => {
            attempts.signed('a', attempt(7n, 30_000, 'new'));
            return asOf(false);
          },
        },
      });
      assert.equal((await attempts.prior('a', 30_000, node.client(), never))?.consumedLamports, 7n);
    });

    it('count where it does not say', async () => {
      const attempts = new SignedAttempts();
      attempts.signed('a', attempt(5n, 0));
      node.willAnswer({ isBlockhashValid: { error: { code: -32005, message: 'behind' } } });
      assert.equal((await attempts.prior('a', 30_000, node.client(), never))?.consumedLamports, 5n);
      const gone = await ScriptedNode.start();
      const url = gone.url();
      await gone.stop();
      assert.equal((await attempts.prior('a', 30_000, createRpc({ url }), never))?.consumedLamports, 5n);
    });
  });
});
