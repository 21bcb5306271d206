import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainLanding } from '../../../../src/chain/landing/landing';
import type { StoredIssuedOperations } from '../../../../src/chain/landing/issued';
import { EngineError, type EngineErrorKind } from '../../../../src/server/engine';
import { LandingWorld, ScriptedEngine } from '../../../support/chain/landingWorld';

/** Cuts a list into parts of these sizes. */
function cut<Item>(items: readonly Item[], sizes: readonly number[]): readonly (readonly Item[])[] {
  let start = 0;
  return sizes.map((size) => items.slice(start, (start += size)));
}

/** The refusal of a landing. */
async function refusal(kind: EngineErrorKind, landing: Promise<unknown>): Promise<string> {
  const error: unknown = await landing.then(
    () => assert.fail('It landed'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof EngineError, String(error));
  assert.equal(error.kind, kind, error.message);
  return error.message;
}

describe('Landing on a chain', () => {
  let folder: string;
  let world: LandingWorld;
  let landing: ChainLanding;
  let issued: StoredIssuedOperations;

  /** Hands an operation out, and gives it back signed. @param stages sizes @param bundles with tips */
  function handOut(
    count: number,
    { stages, bundles = [], label }: { stages?: readonly number[]; bundles?: readonly (readonly Uint8Array[])[]; label?: string } = {},
  ): string[] {
    const plain = world.build(count, label === undefined ? {} : { label });
    const { owner, lastValidBlockHeight } = world;
    issued.issue({ kind: 'decrease', owner, lastValidBlockHeight, stages: cut(plain, stages ?? plain.map(() => 1)), bundles });
    return world.sign(plain);
  }

  const land = (first: readonly string[]): Promise<unknown> => landing.land('decrease', { first, second: [] });

  /** The process ends, and another one begins on the same folder. */
  function restart(): void {
    world.reopen();
    ({ landing, issued } = world.service());
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-landing-'));
    world = new LandingWorld(folder);
    ({ landing, issued } = world.service());
  });
  afterEach(() => {
    world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('What may land', () => {
    it('A transaction that this service did not build is refused, and nothing is sent', async () => {
      handOut(1);
      const foreign = world.sign(world.build(1, { label: 'foreign' }));
      assert.match(await refusal('invalid', land(foreign)), /not built by this service/);
      assert.deepEqual(world.sent, []);
    });

    it('A transaction that was changed by one byte is refused', async () => {
      const [signed = ''] = handOut(1);
      const bytes = Buffer.from(signed, 'base64');
      bytes[bytes.length - 2] = (bytes[bytes.length - 2] ?? 0) ^ 1;
      assert.match(await refusal('invalid', land([bytes.toString('base64')])), /changed since|malformed/);
    });

    it('An operation without a signature, or with a wrong one, is refused and may land later', async () => {
      const [signed = ''] = handOut(1);
      const bytes = Buffer.from(signed, 'base64');
      const unsigned = Buffer.from(bytes);
      unsigned.fill(0, 1, 65);
      assert.match(await refusal('notLanded', land([unsigned.toString('base64')])), /Signature 1 of transaction 1 is missing/);
      const wrong = Buffer.from(bytes);
      wrong[1] = (wrong[1] ?? 0) ^ 1;
      assert.match(await refusal('notLanded', land([wrong.toString('base64')])), /Signature 1 of transaction 1 is wrong/);
      assert.deepEqual(world.sent, []);
      await land([signed]);
    });

    it('An operation lands whole, in order, on its own endpoint and only there', async () => {
      const signed = handOut(3);
      assert.match(await refusal('invalid', land(signed.slice(0, 2))), /built as 3 transactions/);
      assert.match(await refusal('invalid', land(signed.toReversed())), /not in the order/);
      assert.match(await refusal('invalid', landing.land('add', { first: [], second: signed })), /built by decrease-tx/);
      assert.match(await refusal('invalid', land([...signed.slice(0, 2), ...handOut(1, { label: 'another' })])), /different operations/);
      await land(signed);
      assert.deepEqual(world.executed, [1, 2, 3]);
    });

    it('What would fail is refused with the reason before anything is sent, and may land later', async () => {
      const signed = handOut(2);
      world.simulationOf = () => ({ InstructionError: [2, { Custom: 6003 }] });
      assert.match(await refusal('notLanded', land(signed)), /would fail: .*6003/);
      assert.deepEqual(world.sent, []);
      world.simulationOf = () => null;
      await land(signed);
    });

    it('Nothing is sent while the chain cannot be asked', async () => {
      const signed = handOut(1);
      world.intercept = () => ({ status: 503 });
      assert.match(await refusal('unavailable', land(signed)), /Nothing was sent/);
      world.intercept = () => undefined;
      await land(signed);
      assert.deepEqual(world.sent, [1]);
    });

    it('What was handed out before a restart lands after it', async () => {
      const signed = handOut(2);
      restart();
      await land(signed);
      assert.deepEqual(world.executed, [1, 2]);
    });
  });

  describe('Sending', () => {
    it('Each transaction is sent after the one before it is confirmed, and the answer is the last signature', async () => {
      const signed = handOut(3);
      world.confirmAfterSlots = 4;
      const executedBefore: number[] = [];
      world.fateOf = (number) => {
        executedBefore.push(world.slot);
        return number > 0 ? 'land' : 'vanish';
      };
      const { signature } = await landing.land('decrease', { first: signed.slice(0, 1), second: signed.slice(1) });
      assert.equal(signature.length > 80, true);
      const [first = 0, second = 0, third = 0] = executedBefore;
      assert.ok(second - first >= 4 && third - second >= 4, String(executedBefore));
      assert.deepEqual(world.sent, [1, 2, 3]);
    });

    it('Transactions of one stage are sent at the same time', async () => {
      world.confirmAfterSlots = 10;
      const began = world.slot;
      await land(handOut(6, { stages: [1, 5] }));
      assert.ok(world.slot - began < 40, `${world.slot - began} slots`);
      assert.deepEqual(world.sent, [1, 2, 3, 4, 5, 6]);
    });

    it('A transaction that vanishes is sent again, the same bytes, until it is seen', async () => {
      const signed = handOut(1);
      world.fateOf = (_, sending) => (sending < 4 ? 'vanish' : 'land');
      await land(signed);
      const bytes = new Set(world.client.requests.filter(({ method }) => method === 'sendTransaction').map(({ params }) => params[0]));
      assert.deepEqual([...bytes], signed);
      assert.deepEqual(world.executed, [1]);
    });

    for (const [what, answer] of [
      ['a time-out of the gateway', { status: 504 }],
      ['429', { status: 429, headers: { 'retry-after': '1' } }],
      ['half an answer', { status: 200, text: '{"jsonrpc":' }],
      ['an internal error', { error: { code: -32603, message: 'Internal error' } }],
    ] as const) {
      it(`${what} for a transaction that landed is no failure, and it is not executed twice`, async () => {
        world.fateOf = () => ({ landsWith: answer });
        await land(handOut(1));
        assert.deepEqual(world.executed, [1]);
      });

      it(`${what} for a transaction that did not land is tried again`, async () => {
        world.fateOf = (_, sending) => (sending === 1 ? { answer } : 'land');
        await land(handOut(1));
        assert.deepEqual(world.executed, [1]);
      });
    }

    it('A transaction that a fork drops before it is confirmed is sent again', async () => {
      const signed = handOut(2);
      world.confirmAfterSlots = 8;
      let forked = false;
      world.intercept = ({ method }) => {
        if (method === 'getSignatureStatuses' && !forked && world.executed.length === 1) {
          forked = true;
          world.fork(8);
        }
        return undefined;
      };
      await land(signed);
      assert.deepEqual(world.executed, [1, 1, 2]);
    });

    it('Failed questions while it lands change nothing about the result', async () => {
      const signed = handOut(2);
      let questions = 0;
      world.intercept = ({ method }) => (method === 'getSignatureStatuses' && (questions += 1) < 20 ? { status: 502 } : undefined);
      await land(signed);
      assert.deepEqual(world.executed, [1, 2]);
      assert.equal(world.logged.length, 1, 'and the log says so once');
    });
  });

  describe('What does not land', () => {
    it('A transaction that no block takes has not landed when its blockhash has expired in a final block, and never before', async () => {
      const signed = handOut(1);
      world.fateOf = () => 'vanish';
      const began = world.slot;
      assert.match(await refusal('notLanded', land(signed)), /nothing of it was executed.*blockhash expired/s);
      assert.ok(world.slot - began >= 150 + 32, `${world.slot - began} slots`);
      const sent = world.sent.length;
      world.fateOf = () => 'land';
      await refusal('notLanded', land(signed));
      assert.equal(world.sent.length, sent, 'and is not sent again');
    });

    it('A node that is behind does not make it expired', async () => {
      const signed = handOut(1);
      const last = world.lastValidBlockHeight;
      // It lands with the last of its blocks, and is final before this node knows it.
      world.lagSlots = 60;
      world.fateOf = () => (world.blockHeight > last - 5 && world.blockHeight <= last ? 'land' : 'vanish');
      await land(signed);
      assert.deepEqual(world.executed, [1]);
    });

    it('A transaction that fails on the chain is told, and those behind it are not sent', async () => {
      const signed = handOut(3);
      world.fateOf = (number) => (number === 2 ? { failure: { InstructionError: [1, { Custom: 6004 }] } } : 'land');
      const message = await refusal('partiallyLanded', land(signed));
      assert.match(message, /Only the first 1 of 3 transactions were executed/);
      assert.match(message, /Transaction 2 failed on the chain/);
      assert.deepEqual(world.sent, [1, 2]);
      assert.equal(await refusal('partiallyLanded', land(signed)), message, 'and the same is told again');
    });

    it('Nothing is executed if the first fails on the chain', async () => {
      world.fateOf = () => ({ failure: 'InsufficientFundsForFee' });
      assert.match(await refusal('notLanded', land(handOut(2))), /Transaction 1 failed on the chain, and its fee was paid/);
      assert.deepEqual(world.sent, [1]);
    });

    it('A transaction that would fail behind others is tried for some seconds, and then not sent', async () => {
      const signed = handOut(2);
      world.simulationOf = (number) => (number === 2 ? { InstructionError: [0, { Custom: 6003 }] } : null);
      assert.match(
        await refusal('partiallyLanded', land(signed)),
        /Only the first 1 of 2.*Transaction 2 would fail now, and was not sent/s,
      );
      assert.deepEqual(world.sent, [1]);
    });

    it('A transaction that would fail behind others is sent when it no longer would', async () => {
      const signed = handOut(2);
      world.simulationOf = (number, times) => (number === 2 && times < 3 ? { InstructionError: [0, { Custom: 6003 }] } : null);
      await land(signed);
      assert.deepEqual(world.executed, [1, 2]);
    });

    it('Of a stage, exactly what was executed is told', async () => {
      const signed = handOut(4, { stages: [4] });
      world.fateOf = (number) => (number === 2 ? { failure: { InstructionError: [1, { Custom: 1 }] } } : number === 4 ? 'vanish' : 'land');
      assert.match(await refusal('partiallyLanded', land(signed)), /Only 2 of 4 transactions were executed \(numbers 1, 3\)/);
    });
  });

  describe('The same payload again', () => {
    it('Two requests at the same time and one later get the same answer, and it lands once', async () => {
      const signed = handOut(2);
      const [one, other] = await Promise.all([land(signed), land(signed)]);
      assert.deepEqual(other, one);
      assert.deepEqual(await land(signed), one);
      assert.deepEqual(world.sent, [1, 2]);
    });

    it('After a restart, too', async () => {
      const signed = handOut(2);
      const answer = await land(signed);
      restart();
      assert.deepEqual(await land(signed), answer);
      assert.deepEqual(world.sent, [1, 2]);
    });
  });

  describe('After a crash', () => {
    /** Lands, and ends the process when so many transactions were sent. */
    async function crash(signed: readonly string[], afterSends: number): Promise<void> {
      const ending = new AbortController();
      const service = world.service({ signal: ending.signal });
      world.confirmAfterSlots = 5;
      world.intercept = () => {
        if (world.sent.length >= afterSends) {
          ending.abort();
        }
        return undefined;
      };
      await refusal('unconfirmed', service.landing.land('decrease', { first: signed, second: [] }));
      world.intercept = () => undefined;
      restart();
    }

    it('A transaction that landed is known to have landed, and is not sent again', async () => {
      const signed = handOut(1);
      await crash(signed, 1);
      landing.recover();
      await land(signed);
      assert.deepEqual(world.sent, [1]);
    });

    it('The rest of an operation is landed while its blockhash is good', async () => {
      const signed = handOut(3);
      await crash(signed, 1);
      landing.recover();
      await land(signed);
      assert.deepEqual(world.executed, [1, 2, 3]);
    });

    it('An operation that was interrupted and has expired meanwhile is told as partially executed', async () => {
      const signed = handOut(3);
      await crash(signed, 1);
      await new Promise<void>((resolve) => void world.client.clock.after(120_000, resolve));
      landing.recover();
      assert.match(await refusal('partiallyLanded', land(signed)), /Only the first 1 of 3/);
      assert.deepEqual(world.sent, [1]);
    });

    it('What is no longer in the history of the node is not known, and is not said to be lost', async () => {
      const signed = handOut(1);
      world.fateOf = () => 'vanish';
      await crash(signed, 1);
      await new Promise<void>((resolve) => void world.client.clock.after(120_000, resolve));
      world.firstAvailableSlot = world.slot - 50;
      assert.match(await refusal('unconfirmed', land(signed)), /history of the RPC does not reach back/);
      world.firstAvailableSlot = 0;
      assert.match(await refusal('notLanded', land(signed)), /blockhash expired/);
    });
  });

  describe('Bundles', () => {
    /** Hands out an operation with tips, on a service with a block engine. @param sizes of the bundles */
    function withEngine(sizes: readonly number[], engine: ScriptedEngine): string[] {
      ({ landing, issued } = world.service({ bundles: engine }));
      const count = sizes.reduce((sum, size) => sum + size, 0);
      const tipped = world.build(count, { label: 'tipped' });
      handOut(count, { bundles: cut(tipped, sizes) });
      return world.sign(tipped);
    }

    it('A bundle is given to the block engine until it is in a block, and never to the RPC', async () => {
      const engine = new ScriptedEngine((bundle, sending) => {
        if (sending === 3) {
          world.executeBundle(bundle);
        }
        return { kind: 'accepted', id: 'b' };
      });
      const signed = withEngine([3], engine);
      await land(signed);
      assert.equal(engine.bundles.length, 3);
      assert.ok(engine.bundles.every((bundle) => bundle.length === 3));
      assert.deepEqual([world.executed, world.sent], [[1, 2, 3], []]);
    });

    it('More than five transactions are several bundles, one after the other', async () => {
      const engine = new ScriptedEngine((bundle) => {
        world.executeBundle(bundle);
        return { kind: 'accepted', id: 'b' };
      });
      await land(withEngine([5, 3], engine));
      assert.deepEqual(
        engine.bundles.map((bundle) => bundle.length),
        [5, 3],
      );
    });

    it('A bundle that the engine refuses has not landed, and may be tried again', async () => {
      let refuses = true;
      const engine = new ScriptedEngine((bundle) => {
        if (!refuses) {
          world.executeBundle(bundle);
        }
        return refuses ? { kind: 'refused', reason: 'Bundles must write lock at least one tip account' } : { kind: 'accepted', id: 'b' };
      });
      const signed = withEngine([2], engine);
      assert.match(await refusal('notLanded', land(signed)), /write lock/);
      refuses = false;
      await land(signed);
      assert.deepEqual(world.executed, [1, 2]);
    });

    it('A bundle that was perhaps accepted has not landed only when its blockhash has expired', async () => {
      const engine = new ScriptedEngine((_, sending) =>
        sending === 1 ? { kind: 'unclear', reason: 'no answer' } : { kind: 'refused', reason: 'no' },
      );
      const began = world.slot;
      assert.match(await refusal('notLanded', land(withEngine([2], engine))), /blockhash expired/);
      assert.ok(world.slot - began > 180);
      assert.deepEqual(world.sent, []);
    });

    it('The rest of a bundle that came apart in a dropped block is sent by the RPC, in order', async () => {
      const engine = new ScriptedEngine((bundle) => {
        world.executeBundle(bundle, 1);
        return { kind: 'accepted', id: 'b' };
      });
      await land(withEngine([3], engine));
      assert.deepEqual(
        [world.executed, world.sent],
        [
          [1, 2, 3],
          [2, 3],
        ],
      );
    });

    it('One variant lands: the other gets the same answer', async () => {
      const engine = new ScriptedEngine((bundle) => {
        world.executeBundle(bundle);
        return { kind: 'accepted', id: 'b' };
      });
      ({ landing, issued } = world.service({ bundles: engine }));
      const plain = world.build(2);
      const tipped = world.build(2, { label: 'tipped' });
      const { owner, lastValidBlockHeight } = world;
      issued.issue({ kind: 'decrease', owner, lastValidBlockHeight, stages: cut(plain, [1, 1]), bundles: [tipped] });
      const answer = await land(world.sign(tipped));
      const signedPlain = world.sign(plain);
      assert.deepEqual(await land(signedPlain), answer);
      assert.match(
        await refusal('invalid', land([world.sign(tipped)[0] ?? '', signedPlain[1] ?? ''])),
        /with a tip, and some of the one without/,
      );
      assert.deepEqual(world.sent, []);
    });
  });
});
