import assert from 'node:assert/strict';
import { LandingProcess, refusal } from '../../../support/chain/landingProcess';
import type { LandingWorld } from '../../../support/chain/landingWorld';

describe('Landing: sending by the RPC', () => {
  let service: LandingProcess;
  let world: LandingWorld;

  beforeEach(() => {
    service = new LandingProcess();
    ({ world } = service);
  });
  afterEach(() => service.close());

  it('Each transaction is sent after the one before it is confirmed, and the answer has the last signature', async () => {
    const signed = service.build(3);
    world.confirmAfterSlots = 4;
    const executedBefore: number[] = [];
    world.fateOf = () => {
      executedBefore.push(world.slot);
      return 'land';
    };
    const { signature } = await service.landing.land('decrease', { first: signed.slice(0, 1), second: signed.slice(1) });
    assert.equal(signature, world.signatures.at(-1));
    const [first = 0, second = 0, third = 0] = executedBefore;
    assert.ok(second - first >= 4 && third - second >= 4, String(executedBefore));
    assert.deepEqual(world.sent, [1, 2, 3]);
  });

  it('Transactions of one stage are sent at the same time', async () => {
    world.confirmAfterSlots = 10;
    const began = world.slot;
    await service.land(service.build(6, { stages: [1, 5] }));
    assert.ok(world.slot - began < 40, `${world.slot - began} slots`);
    assert.deepEqual(world.sent, [1, 2, 3, 4, 5, 6]);
  });

  it('A transaction that vanishes is sent again, the same bytes, until it is seen', async () => {
    const signed = service.build(1);
    world.fateOf = (_, sending) => (sending < 4 ? 'vanish' : 'land');
    await service.land(signed);
    const bytes = new Set(world.client.requests.filter(({ method }) => method === 'sendTransaction').map(({ params }) => params[0]));
    assert.deepEqual([...bytes], signed);
    assert.deepEqual([world.sent.length, world.executed], [4, [1]]);
  });

  for (const [what, answer] of [
    ['A time-out of the gateway', { status: 504 }],
    ['429', { status: 429 }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' } }],
    ['Half an answer', { status: 200, text: '{"jsonrpc":' }],
    ['An internal error', { error: { code: -32603, message: 'Internal error' } }],
  ] as const) {
    it(`${what} for a transaction that landed is no failure, and it is not executed twice`, async () => {
      world.fateOf = () => ({ landsWith: answer });
      await service.land(service.build(1));
      assert.deepEqual(world.executed, [1]);
    });

    it(`${what} for a transaction that did not land: it is sent again`, async () => {
      world.fateOf = (_, sending) => (sending === 1 ? { answer } : 'land');
      await service.land(service.build(1));
      assert.deepEqual(world.executed, [1]);
    });
  }

  for (const [what, answer] of [
    ['does not offer sendTransaction', { error: { code: -32601, message: 'Method not found' } }],
    ['does not allow sendTransaction with this key', { status: 403 }],
  ] as const) {
    it(`An RPC that ${what} is named within seconds, and the operation can be landed by another one`, async () => {
      const signed = service.build(2);
      const began = world.client.clock.now();
      world.fateOf = () => ({ answer });
      assert.match(await refusal('notLanded', service.land(signed)), /was not sent.*sendTransaction/);
      assert.ok(world.client.clock.now() - began < 10_000);
      world.fateOf = () => 'land';
      await service.land(signed);
      assert.deepEqual(world.executed, [1, 2]);
    });
  }

  it('An RPC that refuses a transaction once it may have been sent before does not end the landing', async () => {
    const signed = service.build(1);
    world.fateOf = (_, sending) => (sending === 1 ? { answer: { status: 504 } } : sending < 6 ? { answer: { status: 403 } } : 'land');
    await service.land(signed);
    assert.deepEqual(world.executed, [1]);
  });

  it('Operations also land by a node that does not simulate', async () => {
    world.intercept = ({ method }) =>
      method === 'simulateTransaction' ? { error: { code: -32601, message: 'Method not found' } } : undefined;
    await service.land(service.build(2));
    assert.deepEqual(world.executed, [1, 2]);
  });

  it('A transaction that a fork drops before it is confirmed is sent again', async () => {
    const signed = service.build(2);
    world.confirmAfterSlots = 8;
    let forked = false;
    world.intercept = ({ method }) => {
      if (method === 'getSignatureStatuses' && !forked && world.executed.length === 1) {
        forked = true;
        world.fork(8);
      }
      return undefined;
    };
    await service.land(signed);
    assert.deepEqual(world.executed, [1, 1, 2]);
  });

  it('Failed status requests while an operation lands do not change the result, and are logged once', async () => {
    const signed = service.build(2);
    let failures = 0;
    world.intercept = ({ method }) =>
      method === 'getSignatureStatuses' && world.sent.length > 0 && (failures += 1) < 8 ? { status: 502 } : undefined;
    await service.land(signed);
    assert.deepEqual(world.executed, [1, 2]);
    assert.equal(world.logged.length, 1, world.logged.join('\n'));
  });

  it('A landing that takes longer than clients wait is answered with what is confirmed so far, and the same request later gets the result', async () => {
    const signed = service.build(3);
    world.confirmAfterSlots = 25;
    const began = world.client.clock.now();
    const message = await refusal('unconfirmed', service.land(signed));
    assert.match(message, /sent and may have landed\. 2 of 3 are confirmed so far/);
    assert.doesNotMatch(message, /again|expired|slippage/i, 'the extension quotes it, and must not repeat the operation');
    assert.ok(world.client.clock.now() - began < 28_000, 'the extension waits 30 s');
    assert.deepEqual(
      service.landing.progress.map(({ transactions, landed }) => [transactions, landed]),
      [[3, 2]],
    );
    assert.equal((await service.land(signed)).signature, world.signatures.at(-1));
    assert.deepEqual(world.sent, [1, 2, 3]);
    assert.equal(world.logged.length, 1);
    assert.match(world.logged.join(), /it landed/);
  });

  it('The service does not end without clients while an operation is being sent, but it does if the RPC stops answering', async () => {
    const signed = service.build(2);
    world.confirmAfterSlots = 5;
    const landing = service.land(signed);
    assert.equal(service.landing.isSending, true);
    await landing;
    assert.equal(service.landing.isSending, false);
    const another = service.build(1, { label: 'another' });
    world.intercept = ({ method }) => (method === 'getSignatureStatuses' && world.sent.length > 2 ? { status: 503 } : undefined);
    await refusal('unconfirmed', service.land(another));
    await service.wait(180_000);
    assert.equal(service.landing.isSending, false);
    assert.equal(service.landing.progress.length, 1);
  });
});
