import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../../../src/base/async/clock';
import type { Finding, Review } from '../../../../src/review/types';
import { isWorse } from '../../../../src/transactions/inspect/reviewer';
import { runZapIn } from '../../../../src/transactions/run/zapIn';
import { runZapOut } from '../../../../src/transactions/run/zapOut';
import type { OperationHost } from '../../../../src/transactions/types';
import { SigningError } from '../../../../src/wallet/errors';
import { FakeClock } from '../../../support/portfolio/fixtures';
import { objections, OWNER, OWNER_KEY } from '../../../support/review/bundles';
import { type Script, ScriptedNode } from '../../../support/rpc/scriptedNode';
import {
  answered,
  bench,
  type Bench,
  failureOf,
  FakeChain,
  goingOn,
  realSigner,
  sent,
  WALLET,
  zapInPlan,
  zapOutPlan,
} from '../../../support/transactions/harness';
import { buildingAnew, calmWorld, landedBuilds, nodeOf } from '../../../support/transactions/run/withdrawals';

/** Waits take a hundredth of their time. */
const HUNDREDFOLD: Clock = { now: Date.now, after: (ms, run) => systemClock.after(ms / 100, run) };

const runOut = ({ dependencies, host, abort }: Bench) => runZapOut(zapOutPlan(), dependencies, host, abort.signal);
const runIn = ({ dependencies, host, abort }: Bench) => runZapIn(zapInPlan(), dependencies, host, abort.signal);

describe('operation: late consent', () => {
  for (const [what, ms] of [
    ['to an expired quote', 60_001],
    ['with a clock that was set back', -5_000],
  ] as const) {
    it(`After a consent ${what}, the extension signs a later build that does the same, without a second question`, async () => {
      const fixture = await bench({
        service: buildingAnew(),
        host: {
          approve: async () => {
            await fixture.clock.advance(ms);
            return true;
          },
        },
      });
      assert.equal((await runOut(fixture)).kind, 'settled');
      assert.deepEqual(fixture.trace.reasons, [undefined]);
      assert.deepEqual([fixture.trace.signersAsked, fixture.trace.landings.length], [1, 1]);
      assert.deepEqual(landedBuilds(fixture), [fixture.trace.builds.length]);
    });
  }

  it('A consent just in time signs what was shown', async () => {
    const fixture = await bench({
      service: buildingAnew(),
      host: {
        approve: async () => {
          await fixture.clock.advance(19_000);
          return true;
        },
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined]);
    assert.deepEqual(landedBuilds(fixture), [1]);
  });

  it('Automation, whose rules decide about each build, decides again if its consent came too late', async () => {
    const fixture = await bench({
      service: buildingAnew(),
      host: {
        approve: async (_, reason) => {
          await fixture.clock.advance(reason === undefined ? 21_000 : 0);
          return true;
        },
      },
    });
    const host: OperationHost = { ...fixture.host, approver: 'automation' };
    assert.equal((await runZapOut(zapOutPlan(), fixture.dependencies, host, fixture.abort.signal)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined, 'tookTooLong']);
    assert.equal(fixture.trace.builds.length, 2);
  });

  it('The extension signs a later build if access to the key took too long', async () => {
    let reads = 0;
    const fixture = await bench({
      service: buildingAnew(),
      host: {
        signer: () =>
          Promise.resolve(
            realSigner(fixture.clock, async () => {
              reads += 1;
              await fixture.clock.advance(reads === 1 ? 61_000 : 1_000);
              return OWNER_KEY.secretKey.slice(0, 32);
            }),
          ),
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined]);
    assert.deepEqual(landedBuilds(fixture), [2]);
  });

  it('The extension builds and asks again if access to the key takes too long each time', async () => {
    let reads = 0;
    const fixture = await bench({
      service: buildingAnew(),
      host: {
        signer: () =>
          Promise.resolve(
            realSigner(fixture.clock, async () => {
              reads += 1;
              await fixture.clock.advance(reads <= 4 ? 61_000 : 0);
              return OWNER_KEY.secretKey.slice(0, 32);
            }),
          ),
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined, 'tookTooLong']);
  });
});

describe('operation: locked key', () => {
  it('A locked key declines the operation without a signature or a failure', async () => {
    const locked = new SigningError('locked', 'The passphrase was not entered.');
    const fixture = await bench({ host: { signer: () => Promise.resolve({ owner: OWNER, sign: () => Promise.reject(locked) }) } });
    assert.deepEqual(await runOut(fixture), { kind: 'declined' });
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('A missing passphrase declines the operation as well', async () => {
    const fixture = await bench({ host: { signer: () => Promise.reject(new SigningError('locked', 'The passphrase was not entered.')) } });
    assert.deepEqual(await runOut(fixture), { kind: 'declined' });
    assert.equal(fixture.trace.landings.length, 0);
  });
});

const finding = (part: Partial<Finding> = {}): Finding => ({
  rule: 'SIM-5',
  verdict: 'confirm',
  message: 'It would fail now.',
  transaction: 0,
  ...part,
});
const reviewOf = (verdict: Review['verdict'], ...findings: readonly Finding[]): Review => ({ verdict, findings }) as unknown as Review;

describe('operation: later review of the same transactions', () => {
  const approved = reviewOf('confirm', finding(), finding({ rule: 'TIP-1', transaction: undefined as never, amountRaw: 5n }));

  it('A later review is worse if it asks for a new decision', () => {
    for (const worse of [
      reviewOf('block'),
      reviewOf('confirm', finding({ rule: 'SIM-4' })),
      reviewOf('confirm', finding({ transaction: 1 })),
      reviewOf('confirm', finding({ instruction: 2 })),
      reviewOf('confirm', finding({ address: OWNER })),
      reviewOf('confirm', finding(), finding()),
      reviewOf('confirm', finding({ rule: 'TIP-1', transaction: undefined as never, amountRaw: 6n })),
    ]) {
      assert.ok(isWorse(worse, approved));
    }
    assert.ok(isWorse(approved, reviewOf('allow')));
  });

  it('A later review is not worse if it asks for the same, for less or in other words', () => {
    for (const same of [
      approved,
      reviewOf('allow'),
      reviewOf('confirm', finding({ message: 'It would fail now, at slot 5.' })),
      reviewOf('allow', finding({ rule: 'SIM-9', verdict: 'info' })),
    ]) {
      assert.ok(!isWorse(same, approved));
    }
  });
});

/** What a node says of a swap that would now return too little: an error of the program, not of the transaction's age. */
const SLIPPED = '{"InstructionError":[4,{"Custom":6001}]}';

describe('operation: review and simulation with an RPC', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  const simulations = () => node.received.filter(({ method }) => method === 'simulateTransaction').length;

  it('The extension simulates the operation before the consent and again right before signing', async () => {
    const world = calmWorld();
    node.willAnswer(nodeOf(world));
    const fixture = await bench({
      rpc: node.client(),
      host: {
        approve: async () => {
          await fixture.clock.advance(5_001);
          return true;
        },
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.equal(fixture.trace.reviews[0]?.checked.simulation?.slot, 7n);
    assert.equal(simulations(), 2);
    assert.deepEqual(fixture.trace.reasons, [undefined]);
  });

  it('The extension does not repeat a recent simulation and runs none if the setting is off', async () => {
    for (const [isSimulating, expected] of [
      [true, 1],
      [false, 0],
    ] as const) {
      node.willAnswer(nodeOf(calmWorld()));
      const fixture = await bench({ rpc: node.client(), isSimulating });
      assert.equal((await runOut(fixture)).kind, 'settled');
      assert.equal(simulations(), expected);
      assert.equal(fixture.trace.reviews[0]?.checked.simulation === undefined, !isSimulating);
    }
  });

  it('The extension asks again if the operation would fail now, and sends what the user approved last', async () => {
    const world = calmWorld();
    node.willAnswer(nodeOf(world));
    const fixture = await bench({
      rpc: node.client(),
      host: {
        approve: async () => {
          await fixture.clock.advance(6_000);
          world.error = SLIPPED;
          return true;
        },
      },
    });
    assert.equal((await runOut(fixture)).kind, 'settled');
    assert.deepEqual(fixture.trace.reasons, [undefined, 'changed']);
    assert.deepEqual(fixture.trace.reviews.map(objections), [[], ['confirm SIM-5']]);
    assert.deepEqual([fixture.trace.builds.length, fixture.trace.landings.length], [1, 1]);
    const messages = fixture.trace.reviews.map(({ transactions }) => transactions.map(({ messageHash }) => messageHash));
    assert.deepEqual(messages[0], messages[1]);
  });

  it('The extension does not sign an operation that would now drain the wallet', async () => {
    const world = calmWorld();
    node.willAnswer(nodeOf(world));
    const fixture = await bench({
      rpc: node.client(),
      host: {
        approve: async () => {
          await fixture.clock.advance(6_000);
          world.after = 1_000_000;
          return true;
        },
      },
    });
    const result = await runOut(fixture);
    assert.equal(result.kind, 'blocked');
    assert.deepEqual(fixture.trace.reasons, [undefined, 'changed']);
    assert.ok(objections(result.review).includes('block SIM-1'));
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('The extension signs nothing if the user declines the second time', async () => {
    const world = calmWorld();
    node.willAnswer(nodeOf(world));
    const fixture = await bench({
      rpc: node.client(),
      host: {
        approve: async (_, reason) => {
          await fixture.clock.advance(6_000);
          world.error = SLIPPED;
          return reason === undefined;
        },
      },
    });
    assert.deepEqual(await runOut(fixture), { kind: 'declined' });
    assert.equal(fixture.trace.landings.length, 0);
  });

  it('The extension does not simulate an operation that the review blocks already', async () => {
    node.willAnswer(nodeOf(calmWorld()));
    const fixture = await bench({ rpc: node.client() });
    const plan = zapInPlan({ inputLamports: 1_000_000n });
    assert.equal((await runZapIn(plan, fixture.dependencies, fixture.host, fixture.abort.signal)).kind, 'blocked');
    assert.equal(simulations(), 0);
  });

  it('The extension asks the RPC each question once, and at most three times for further ones', async () => {
    node.willAnswer(nodeOf(calmWorld()));
    let asked: readonly string[] = [];
    const fixture = await bench({
      rpc: node.client(),
      isSimulating: false,
      host: {
        approve: () => {
          asked = node.received.map(({ method, params }) => `${method} ${JSON.stringify(params[0])}`);
          return Promise.resolve(true);
        },
      },
    });
    await runOut(fixture);
    assert.equal(new Set(asked).size, asked.length);
    assert.ok(asked.length > 0 && asked.length <= 6, asked.join('\n'));
  });

  const troubles: Readonly<Record<string, Readonly<Record<string, Script>>>> = {
    'knows no method': {},
    'breaks off': Object.fromEntries(
      ['getMultipleAccounts', 'isBlockhashValid', 'simulateBundle', 'simulateTransaction'].map(
        (method) => [method, (response) => response.destroy()] satisfies [string, Script],
      ),
    ),
    'answers nonsense': Object.fromEntries(
      ['getMultipleAccounts', 'isBlockhashValid', 'simulateBundle', 'simulateTransaction'].map(
        (method) => [method, { result: ['nonsense'] }] satisfies [string, Script],
      ),
    ),
    'never answers': Object.fromEntries(
      ['getMultipleAccounts', 'isBlockhashValid', 'simulateBundle', 'simulateTransaction'].map(
        (method) => [method, () => undefined] satisfies [string, Script],
      ),
    ),
  };
  for (const [what, script] of Object.entries(troubles)) {
    it(`The operation continues without the RPC and reports it if the RPC ${what}`, async () => {
      node.willAnswer(script);
      const fixture = await bench({ rpc: node.client({ timeoutMs: 60 }), dependencies: { clock: HUNDREDFOLD } });
      // Only the chain proves that it landed.
      assert.equal((await runOut(fixture)).kind, 'landedNotListed');
      const [review] = fixture.trace.reviews;
      assert.ok(review !== undefined);
      assert.equal(review.verdict, 'allow');
      assert.equal(review.checked.simulation, undefined);
      const [note] = review.findings.filter(({ message }) => message.includes(node.client().name));
      assert.equal(
        note?.verdict,
        'info',
        JSON.stringify(review.findings, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      );
      assert.match(fixture.trace.logs.join('\n'), /warn .*127\.0\.0\.1/);
    });
  }

  it('The operation ends at once if the user cancels during an RPC request', async () => {
    const fixture = await bench({ rpc: node.client() });
    node.willAnswer({ isBlockhashValid: () => fixture.abort.abort() });
    assert.deepEqual(await runOut(fixture), { kind: 'declined' });
    assert.deepEqual([fixture.trace.reviews.length, fixture.trace.signersAsked], [0, 0]);
  });
});

describe('operation: earlier signed attempt', () => {
  it('An operation that the service refused prevents another until it can provably no longer land', async () => {
    const fixture = await bench({ listed: [], service: { ...WALLET, landAdd: () => Promise.reject(answered(400, 'slippage')) } });
    const failing = failureOf(runIn(fixture));
    await sent(fixture);
    await fixture.clock.advance(60_000);
    fixture.abort.abort();
    assert.equal((await failing).kind, 'mayHaveLanded');
    const again = await bench({ listed: [], storage: fixture.storage, clock: fixture.clock });
    assert.equal((await failureOf(runIn(again))).kind, 'underWay');
    assert.equal(again.trace.builds.length, 0);
  });

  it('An operation that provably did not land does not count against the limits', async () => {
    let isRefusing = true;
    const chain = new FakeChain(new FakeClock());
    const fixture = await bench({
      ...chain.parts,
      listed: [],
      service: {
        ...WALLET,
        landAdd: (landing) => {
          if (isRefusing) {
            return Promise.reject(answered(400, 'slippage'));
          }
          chain.land(landing);
          return Promise.resolve({ signature: undefined });
        },
      },
    });
    assert.equal((await goingOn(fixture.clock, 10_000, failureOf(runIn(fixture)))).kind, 'notLanded');
    isRefusing = false;
    const running = runIn(fixture);
    await sent(fixture);
    await fixture.clock.advance(24_000);
    assert.equal((await running).kind, 'landedNotListed');
    assert.equal(fixture.trace.landings.length, 2);
  });

  it('An operation that landed does not count against the limits', async () => {
    const fixture = await bench({ listed: [] });
    assert.equal((await runIn(fixture)).kind, 'settled');
    fixture.listed = [];
    await fixture.portfolio.refresh('manual', ['positions']);
    assert.equal((await runIn(fixture)).kind, 'settled');
    assert.ok(fixture.trace.reviews.every(({ findings }) => !findings.some(({ rule }) => rule === 'BND-2')));
  });
});
