import assert from 'node:assert/strict';
import { isExpiryError } from '../../../../src/transactions/expiry';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { OperationHost } from '../../../../src/transactions/types';
import { objections } from '../../../support/review/bundles';
import { ScriptedNode } from '../../../support/rpc/scriptedNode';
import { bench, type Bench, failureOf, realSigner, zapOutPlan } from '../../../support/transactions/harness';
import { buildingAnew, calmWorld, landedBuilds, nodeOf, simulatedBuilds } from '../../../support/transactions/run/withdrawals';

const run = ({ dependencies, host, abort }: Bench, part: Partial<OperationHost> = {}) =>
  runZapOut(zapOutPlan(), dependencies, { ...host, ...part }, abort.signal);

describe('operation: transactions that expire before they are signed', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  /** A node that stops accepting the first build, and calls it by this name, once `begin` is called. */
  function aging(error = 'BlockhashNotFound') {
    const world = calmWorld();
    node.willAnswer(nodeOf(world));
    return { world, begin: () => world.expired.set(1, error) };
  }

  for (const [what, approver] of [
    ['the user', 'user'],
    ['automation', 'automation'],
  ] as const) {
    it(`A key that is unlocked after the blockhash has expired leads to a new build that is signed, with no alarm (${what})`, async () => {
      const { begin } = aging();
      const fixture = await bench({
        rpc: node.client(),
        service: buildingAnew(),
        host: {
          signer: async () => {
            if (fixture.trace.signersAsked === 1) {
              await fixture.clock.advance(75_000);
              begin();
            }
            return realSigner(fixture.clock);
          },
        },
      });
      assert.equal((await run(fixture, { approver })).kind, 'settled');
      assert.deepEqual(fixture.trace.reasons, approver === 'user' ? [undefined] : [undefined, 'tookTooLong']);
      assert.deepEqual(fixture.trace.reviews.flatMap(objections), []);
      assert.deepEqual(landedBuilds(fixture), [2]);
      // What has expired is not simulated again.
      assert.deepEqual(new Set(simulatedBuilds(node).slice(1)), new Set([2]));
    });
  }

  for (const error of [
    'BlockhashNotFound',
    'Blockhash not found',
    'TransactionExpiredBlockheightExceededError: block height exceeded',
    'Transaction too old',
  ]) {
    it(`A simulation that fails because of the age of the transactions leads to a new build, not to a question ("${error}")`, async () => {
      const { begin } = aging(error);
      const fixture = await bench({
        rpc: node.client(),
        service: buildingAnew(),
        host: {
          approve: async () => {
            // Young enough by the clock, as after a short sleep of the machine: only the node knows.
            await fixture.clock.advance(6_000);
            begin();
            return true;
          },
        },
      });
      assert.equal((await run(fixture)).kind, 'settled');
      assert.deepEqual(fixture.trace.reasons, [undefined]);
      assert.deepEqual(landedBuilds(fixture), [2]);
    });
  }

  it('A build that the node does not accept when it is reviewed is built again before anyone is asked', async () => {
    aging().begin();
    const fixture = await bench({ rpc: node.client(), service: buildingAnew() });
    assert.equal((await run(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reviews.map(objections), [[]]);
    assert.deepEqual(landedBuilds(fixture), [2]);
  });

  it('A new build after a late key that does something else is a question that says what changed', async () => {
    let reads = 0;
    const honest = buildingAnew();
    const fixture = await bench({
      service: {
        buildDecrease: async (...request) => {
          const built = await honest.buildDecrease(...request);
          // The later builds lack the transaction that unwraps the proceeds.
          return fixture.trace.builds.length === 1 ? built : { ...built, swapTransactions: built.swapTransactions.slice(0, -1) };
        },
      },
      host: {
        approve: (_, reason) => Promise.resolve(reason === undefined),
        signer: async () => {
          reads += 1;
          await fixture.clock.advance(reads === 1 ? 75_000 : 0);
          return realSigner(fixture.clock);
        },
      },
    });
    assert.deepEqual(await run(fixture), { kind: 'declined' });
    assert.deepEqual(fixture.trace.reasons, [undefined, 'otherTerms']);
    assert.ok((fixture.trace.details[1]?.changes.length ?? 0) > 0);
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A question about another effect of the same transactions names a time that is still to come, by the block height of the RPC', async () => {
    const world = calmWorld();
    node.willAnswer(nodeOf(world));
    const left: number[] = [];
    const fixture = await bench({
      rpc: node.client(),
      host: {
        approve: async (_, reason, details) => {
          left.push((details?.holdsUntilMs ?? 0) - fixture.clock.now());
          await fixture.clock.advance(30_000);
          world.error = '{"InstructionError":[4,{"Custom":6001}]}';
          return reason === undefined;
        },
      },
    });
    assert.deepEqual(await run(fixture), { kind: 'declined' });
    // 100 blocks are left of its last valid one (1,000): 61 of them, at 200 ms each, before there is no time to land.
    assert.deepEqual(left, [20_000, 12_200]);
  });

  it('An operation ends with the reason when the key comes too late each time', async () => {
    const fixture = await bench({
      service: buildingAnew(),
      host: {
        signer: async () => {
          await fixture.clock.advance(61_000);
          return realSigner(fixture.clock);
        },
      },
    });
    const failure = await failureOf(run(fixture));
    assert.equal(
      failure.message,
      'Every quote expired before the wallet was unlocked. Nothing was signed or sent. Your money has not moved. Unlock the wallet, then try again.',
    );
    assert.deepEqual(fixture.trace.reasons, [undefined, 'tookTooLong', 'tookTooLong']);
  });

  it('An operation ends with the reason when the RPC does not know any new blockhash', async () => {
    const world = calmWorld();
    world.error = 'BlockhashNotFound';
    node.willAnswer(nodeOf(world));
    const fixture = await bench({ rpc: node.client(), service: buildingAnew() });
    const failure = await failureOf(run(fixture));
    assert.equal(failure.kind, 'tooSlow');
    assert.match(
      failure.message,
      /^The RPC 127\.0\.0\.1:\d+ lags behind or belongs to another network\. Nothing was signed or sent\. Your money has not moved\. Set another RPC, or turn off binsight\.review\.simulate\.$/,
    );
    assert.deepEqual([fixture.trace.reviews.length, fixture.trace.builds.length], [0, 3]);
  });
});

describe('isExpiryError', () => {
  it('The words of nodes and libraries for an expired blockhash count as its age, and errors of programs do not', () => {
    for (const error of [
      'BlockhashNotFound',
      'Transaction simulation failed: Blockhash not found',
      'blockhash expired',
      'The blockhash has expired',
      'Blockhash is no longer valid',
      'Signature x has expired: block height exceeded.',
      'TransactionTooOld',
      'The transaction has expired',
    ]) {
      assert.ok(isExpiryError(error), error);
    }
    for (const error of [
      '{"InstructionError":[0,{"Custom":6003}]}',
      '{"InstructionError":[0,{"BorshIoError":"Blockhash not found"}]}',
      '{"InsufficientFundsForRent":{"account_index":0}}',
      'AccountNotFound',
      'AlreadyProcessed',
    ]) {
      assert.ok(!isExpiryError(error), error);
    }
  });
});
