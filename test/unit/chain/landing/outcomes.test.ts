import assert from 'node:assert/strict';
import { LandingProcess, refusal } from '../../../support/chain/landingProcess';
import type { LandingWorld } from '../../../support/chain/landingWorld';

describe('Landing: operations that do not land, or land in part', () => {
  let service: LandingProcess;
  let world: LandingWorld;

  beforeEach(() => {
    service = new LandingProcess();
    ({ world } = service);
  });
  afterEach(() => service.close());

  it('A transaction that no block contains has not landed once its blockhash has expired in a finalized block, and not before', async () => {
    const signed = service.build(1);
    world.fateOf = () => 'vanish';
    const began = world.slot;
    assert.match(await refusal('notLanded', service.outcome(signed)), /nothing of it was executed.*blockhash expired/s);
    assert.ok(world.slot - began >= 150 + 32, `${world.slot - began} slots`);
    const sent = world.sent.length;
    world.fateOf = () => 'land';
    await refusal('notLanded', service.land(signed));
    assert.equal(world.sent.length, sent, 'and it is not sent again');
  });

  it('A node that lags does not make a transaction look expired', async () => {
    const signed = service.build(1);
    const last = world.lastValidBlockHeight;
    // It lands in one of its last blocks, which is finalized before this node knows it.
    world.lagSlots = 60;
    world.fateOf = () => (world.blockHeight > last - 5 && world.blockHeight <= last ? 'land' : 'vanish');
    await service.outcome(signed);
    assert.deepEqual(world.executed, [1]);
  });

  it('An operation that is submitted after its blockhash has expired is answered at once, and nothing is sent', async () => {
    const signed = service.build(2);
    await service.wait(120_000);
    assert.match(await refusal('notLanded', service.land(signed)), /blockhash expired/);
    assert.deepEqual(world.sent, []);
  });

  it('An expired operation that the client has sent itself is found on the chain', async () => {
    const signed = service.build(2);
    world.executeBundle(signed.map((text) => Buffer.from(text, 'base64')));
    await service.wait(120_000);
    assert.equal((await service.land(signed)).signature, world.signatures.at(-1));
    assert.deepEqual(world.sent, []);
  });

  it('Of an expired operation that could be in slots that the node no longer has, the outcome is not claimed to be known', async () => {
    const signed = service.build(1);
    await service.wait(120_000);
    world.firstAvailableSlot = world.slot - 50;
    assert.match(await refusal('unconfirmed', service.land(signed)), /history of the RPC does not reach back/);
  });

  it('A node without a history is enough for an operation that was followed from the beginning', async () => {
    const signed = service.build(1);
    world.fateOf = () => 'vanish';
    world.intercept = ({ method, params }) =>
      method === 'getSignatureStatuses' && JSON.stringify(params).includes('"searchTransactionHistory":true')
        ? { error: { code: -32011, message: 'Transaction history is not available from this node' } }
        : undefined;
    assert.match(await refusal('notLanded', service.outcome(signed)), /blockhash expired/);
  });

  it('A node without a history does not show the outcome of what was sent long before a restart', async () => {
    const signed = service.build(1);
    world.fateOf = () => 'vanish';
    world.intercept = ({ method, params }) =>
      method === 'getSignatureStatuses' && JSON.stringify(params).includes('"searchTransactionHistory":true')
        ? { error: { code: -32011, message: 'Transaction history is not available from this node' } }
        : undefined;
    await refusal('unconfirmed', service.land(signed));
    service.restart();
    await service.wait(300_000);
    assert.match(await refusal('unconfirmed', service.land(signed)), /history of the RPC does not reach back/);
  });

  it('A computer that slept while an operation was landing does not take missing history for a failure', async () => {
    const signed = service.build(1);
    world.fateOf = () => 'vanish';
    await refusal('unconfirmed', service.land(signed));
    let isAsleep = true;
    world.intercept = () => (isAsleep ? { status: 503 } : undefined);
    await service.wait(600_000);
    isAsleep = false;
    world.firstAvailableSlot = world.slot - 50;
    assert.match(await refusal('unconfirmed', service.outcome(signed)), /history of the RPC does not reach back/);
  });

  it('If a transaction fails on the chain, the answer names it, and those behind it are not sent', async () => {
    const signed = service.build(3);
    world.fateOf = (number) => (number === 2 ? { failure: { InstructionError: [1, { Custom: 6004 }] } } : 'land');
    const message = await refusal('partiallyLanded', service.land(signed));
    assert.match(message, /Only the first 1 of 3 transactions were executed/);
    assert.match(message, /Transaction 2 failed on the chain/);
    assert.deepEqual(world.sent, [1, 2]);
    assert.equal(await refusal('partiallyLanded', service.land(signed)), message, 'the same request gets the same answer');
  });

  it('Nothing is executed if the first transaction fails on the chain', async () => {
    world.fateOf = () => ({ failure: 'InsufficientFundsForFee' });
    assert.match(await refusal('notLanded', service.land(service.build(2))), /Transaction 1 failed on the chain, and its fee was paid/);
    assert.deepEqual(world.sent, [1]);
  });

  it('A transaction that would fail behind landed ones is simulated again for some seconds, and then not sent', async () => {
    const signed = service.build(2);
    world.simulationOf = (number) => (number === 2 ? { InstructionError: [0, { Custom: 6003 }] } : null);
    const message = await refusal('partiallyLanded', service.land(signed));
    assert.match(message, /Only the first 1 of 2.*Transaction 2 would fail now, and was not sent/s);
    assert.deepEqual(world.sent, [1]);
  });

  it('A transaction that would fail behind landed ones is sent as soon as it would succeed', async () => {
    const signed = service.build(2);
    world.simulationOf = (number, times) => (number === 2 && times < 3 ? { InstructionError: [0, { Custom: 6003 }] } : null);
    await service.land(signed);
    assert.deepEqual(world.executed, [1, 2]);
  });

  it('Of a stage that landed in part, the answer names exactly the transactions that were executed', async () => {
    const signed = service.build(4, { stages: [4] });
    world.fateOf = (number) => (number === 2 ? { failure: { InstructionError: [1, { Custom: 1 }] } } : number === 4 ? 'vanish' : 'land');
    assert.match(
      await refusal('partiallyLanded', service.outcome(signed)),
      /Only 2 of 4 transactions were executed \(numbers 1, 3\); the others were not, and will not be/,
    );
  });
});
