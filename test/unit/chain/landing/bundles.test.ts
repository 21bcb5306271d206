import assert from 'node:assert/strict';
import { LandingProcess, refusal, split } from '../../../support/chain/landingProcess';
import { ScriptedEngine } from '../../../support/chain/landingWorld';

describe('Landing: bundles', () => {
  let service: LandingProcess;

  /** A service whose block engine answers by a function. */
  function withEngine(answer: ConstructorParameters<typeof ScriptedEngine>[0]): ScriptedEngine {
    const engine = new ScriptedEngine(answer);
    service = new LandingProcess({ bundles: engine });
    return engine;
  }

  afterEach(() => service.close());

  it('A bundle is sent to the block engine until it is in a block, and never to the RPC', async () => {
    const engine = withEngine((bundle, sending) => {
      if (sending === 3) {
        service.world.executeBundle(bundle);
      }
      return { kind: 'accepted', id: 'b' };
    });
    await service.land(service.buildTipped([3]));
    assert.equal(engine.bundles.length, 3);
    assert.ok(engine.bundles.every((bundle) => bundle.length === 3));
    assert.deepEqual([service.world.executed, service.world.sent], [[1, 2, 3], []]);
  });

  it('More than five transactions are several bundles, one after the other', async () => {
    const engine = withEngine((bundle) => {
      service.world.executeBundle(bundle);
      return { kind: 'accepted', id: 'b' };
    });
    await service.land(service.buildTipped([5, 3]));
    assert.deepEqual(
      engine.bundles.map((bundle) => bundle.length),
      [5, 3],
    );
  });

  it('A bundle that the engine refuses has not landed, and can be landed later', async () => {
    let refuses = true;
    withEngine((bundle) => {
      if (!refuses) {
        service.world.executeBundle(bundle);
      }
      return refuses ? { kind: 'refused', reason: 'Bundles must write lock at least one tip account' } : { kind: 'accepted', id: 'b' };
    });
    const signed = service.buildTipped([2]);
    assert.match(await refusal('notLanded', service.land(signed)), /write lock/);
    refuses = false;
    await service.land(signed);
    assert.deepEqual(service.world.executed, [1, 2]);
  });

  it('If the engine refuses the second bundle, the answer says that only the first was executed', async () => {
    withEngine((bundle, sending) => {
      if (sending > 1) {
        return { kind: 'refused', reason: 'Not now' };
      }
      service.world.executeBundle(bundle);
      return { kind: 'accepted', id: 'b' };
    });
    const signed = service.buildTipped([2, 1]);
    const message = await refusal('partiallyLanded', service.land(signed));
    assert.match(message, /Only the first 2 of 3 transactions were executed.*Not now/);
    assert.equal(await refusal('partiallyLanded', service.land(signed)), message);
  });

  it('A bundle that the engine may have accepted has not landed only when its blockhash has expired', async () => {
    withEngine((_, sending) => (sending === 1 ? { kind: 'unclear', reason: 'no answer' } : { kind: 'refused', reason: 'no' }));
    const began = service.world.slot;
    assert.match(await refusal('notLanded', service.outcome(service.buildTipped([2]))), /blockhash expired/);
    assert.ok(service.world.slot - began > 180);
    assert.deepEqual(service.world.sent, []);
  });

  it('If a fork drops a part of a bundle, the rest is sent by the RPC, in order', async () => {
    withEngine((bundle) => {
      service.world.executeBundle(bundle, 1);
      return { kind: 'accepted', id: 'b' };
    });
    await service.land(service.buildTipped([3]));
    assert.deepEqual(
      [service.world.executed, service.world.sent],
      [
        [1, 2, 3],
        [2, 3],
      ],
    );
  });

  it('With tips but no block engine the transactions are sent one after another by the RPC', async () => {
    service = new LandingProcess();
    const { world } = service;
    world.confirmAfterSlots = 4;
    const slots: number[] = [];
    world.fateOf = () => {
      slots.push(world.slot);
      return 'land';
    };
    await service.land(service.buildTipped([2]));
    const [first = 0, second = 0] = slots;
    assert.ok(second - first >= 4, String(slots));
  });

  it('Only one variant of an operation lands: the other gets the same answer', async () => {
    withEngine((bundle) => {
      service.world.executeBundle(bundle);
      return { kind: 'accepted', id: 'b' };
    });
    const { world } = service;
    const plain = world.build(2);
    const tipped = world.build(2, { label: 'tipped' });
    const { owner, lastValidBlockHeight } = world;
    service.issued.issue({ kind: 'decrease', owner, lastValidBlockHeight, stages: split(plain, [1, 1]), bundles: [tipped] });
    const answer = await service.land(world.sign(tipped));
    const signedPlain = world.sign(plain);
    assert.deepEqual(await service.land(signedPlain), answer);
    const mixed = [world.sign(tipped)[0] ?? '', signedPlain[1] ?? ''];
    assert.match(await refusal('invalid', service.land(mixed)), /some without/);
    assert.deepEqual(world.sent, []);
  });
});
