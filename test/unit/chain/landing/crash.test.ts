import assert from 'node:assert/strict';
import { EngineError } from '../../../../src/engine/engine';
import { ChainRpcError } from '../../../../src/chain/rpc/errors';
import { LandingProcess, refusal } from '../../../support/chain/landingProcess';
import { ScriptedEngine } from '../../../support/chain/landingWorld';

/** At a request, the process is killed before the node gets it, or before its answer arrives. */
type Moment = 'before' | 'after';

/** Three transactions in two stages, on a chain on which confirmation takes some requests. */
function preparedLanding(): { readonly service: LandingProcess; readonly signed: string[] } {
  const service = new LandingProcess();
  service.world.confirmAfterSlots = 3;
  return { service, signed: service.build(3, { stages: [1, 2] }) };
}

/** Lands, and kills the process at a request. @returns whether the landing made so many requests */
async function killedAt(service: LandingProcess, signed: readonly string[], request: number, moment: Moment): Promise<boolean> {
  const { world } = service;
  let requests = 0;
  let isKilled = false;
  world.intercept = (_, deliver) => {
    requests += 1;
    if (requests < request) {
      return undefined;
    }
    if (moment === 'after' && !isKilled) {
      deliver();
    }
    isKilled = true;
    service.kill();
    return () => {
      throw new Error('The process was killed');
    };
  };
  await service.land(signed).catch((error: unknown) => assert.ok(error instanceof EngineError, String(error)));
  world.intercept = () => undefined;
  return isKilled;
}

/** The result as the client gets it, with the number of executed transactions that it reports. */
async function reported(service: LandingProcess, signed: readonly string[]): Promise<number> {
  try {
    await service.outcome(signed);
    return signed.length;
  } catch (error) {
    assert.ok(error instanceof EngineError, String(error));
    assert.match(error.kind, /^(notLanded|partiallyLanded)$/, error.message);
    return error.kind === 'notLanded' ? 0 : Number(/^Only (?:the first )?(\d+) of/.exec(error.message)?.[1]);
  }
}

describe('Landing: a process that is killed', () => {
  for (const moment of ['before', 'after'] as const) {
    it(`Killed ${moment} any request arrives, its successor lands the rest while the blockhash is valid, and nothing is executed twice`, async () => {
      let steps = 0;
      for (let request = 1; ; request += 1) {
        const { service, signed } = preparedLanding();
        const { world } = service;
        const wasKilled = await killedAt(service, signed, request, moment);
        const wasSent = world.sent.length > 0;
        service.restart();
        service.landing.recover();
        await service.landing.stopped();
        assert.ok(!wasSent || world.executed.length === 3, `killed at request ${request}, and no client has asked again`);
        const { signature } = await service.outcome(signed);
        assert.equal(signature, world.signatures.at(-1));
        assert.deepEqual(world.executed, [1, 2, 3], `killed at request ${request}`);
        service.close();
        if (!wasKilled) {
          break;
        }
        steps = request;
      }
      assert.ok(steps > 12, `the landing takes ${steps} requests`);
    });

    it(`Killed ${moment} any request arrives, its successor reports exactly what landed when the blockhash has expired`, async () => {
      const counts = new Set<number>();
      for (let request = 1; ; request += 1) {
        const { service, signed } = preparedLanding();
        const { world } = service;
        const wasKilled = await killedAt(service, signed, request, moment);
        const executed = world.executed.length;
        service.restart();
        await service.wait(120_000);
        service.landing.recover();
        assert.equal(await reported(service, signed), executed, `killed at request ${request}`);
        assert.equal(world.executed.length, executed);
        service.close();
        counts.add(executed);
        if (!wasKilled) {
          break;
        }
      }
      assert.deepEqual([...counts].sort(), [0, 1, 2, 3]);
    });
  }

  it('Killed while a bundle is submitted, its successor finds out whether the bundle landed, and lands it if it did not', async () => {
    for (const landsBeforeKill of [false, true]) {
      const service: LandingProcess = new LandingProcess({
        bundles: new ScriptedEngine((bundle) => {
          if (landsBeforeKill) {
            service.world.executeBundle(bundle);
          }
          service.kill();
          throw new Error('The process was killed');
        }),
      });
      const { world } = service;
      const signed = service.buildTipped([3]);
      await refusal('unconfirmed', service.land(signed));
      const engine = new ScriptedEngine((bundle) => {
        world.executeBundle(bundle);
        return { kind: 'accepted', id: 'b' };
      });
      service.restart({ bundles: engine });
      service.landing.recover();
      await service.outcome(signed);
      assert.deepEqual([world.executed, engine.bundles.length, world.sent], [[1, 2, 3], landsBeforeKill ? 0 : 1, []]);
      service.close();
    }
  });

  it('A part of a bundle that landed before a kill is completed by the RPC', async () => {
    const service: LandingProcess = new LandingProcess({
      bundles: new ScriptedEngine((bundle) => {
        service.world.executeBundle(bundle, 1);
        service.kill();
        throw new Error('The process was killed');
      }),
    });
    const signed = service.buildTipped([3]);
    await refusal('unconfirmed', service.land(signed));
    service.restart();
    service.landing.recover();
    await service.outcome(signed);
    assert.deepEqual(
      [service.world.executed, service.world.sent],
      [
        [1, 2, 3],
        [2, 3],
      ],
    );
    service.close();
  });

  it('What landed of an expired operation is reported by its places, also if only a later transaction did', async () => {
    const { service, signed } = preparedLanding();
    const { world } = service;
    world.fateOf = () => 'vanish';
    await killedAt(service, signed, 8, 'after');
    // A fork may drop the first transactions of a bundle and not the last one.
    world.executeBundle(signed.slice(2).map((text) => Buffer.from(text, 'base64')));
    await service.wait(120_000);
    service.restart();
    assert.match(await refusal('partiallyLanded', service.land(signed)), /Only 1 of 3 transactions were executed \(numbers 3\)/);
    service.close();
  });

  it('The outcome of a transaction that is no longer in the history of the node is unknown, and not a failure', async () => {
    const { service, signed } = preparedLanding();
    const { world } = service;
    world.fateOf = () => 'vanish';
    await killedAt(service, signed, 8, 'after');
    await service.wait(120_000);
    service.restart();
    world.firstAvailableSlot = world.slot - 50;
    assert.match(await refusal('unconfirmed', service.land(signed)), /history of the RPC does not reach back/);
    world.firstAvailableSlot = 0;
    assert.match(await refusal('notLanded', service.land(signed)), /blockhash expired/);
    service.close();
  });

  it('On an RPC of another chain the successor concludes nothing, and on the right one it finds the outcome', async () => {
    const { service, signed } = preparedLanding();
    const { world } = service;
    await killedAt(service, signed, 8, 'after');
    assert.equal(world.executed.length, 1);
    await service.wait(120_000);
    const requests = world.client.requests.length;
    service.restart({ checkChain: () => Promise.reject(new EngineError('unavailable', 'The RPC is of another chain')) });
    service.landing.recover();
    await service.landing.stopped();
    assert.equal(world.client.requests.length, requests);
    assert.match(world.logged.join('\n'), /is not finished: The RPC is of another chain/);
    let failures = 0;
    service.restart({
      checkChain: () =>
        (failures += 1) < 3 ? Promise.reject(new ChainRpcError('unavailable', 'getGenesisHash', 'No answer')) : Promise.resolve(),
    });
    service.landing.recover();
    assert.match(await refusal('partiallyLanded', service.outcome(signed)), /Only the first 1 of 3/);
    service.close();
  });
});
