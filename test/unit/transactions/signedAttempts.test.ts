import assert from 'node:assert/strict';
import { recordOf } from '../../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../../src/transactions/journal/types';
import { openAttempts, priorSpends, stillUnderWay, stillUnderWayByChain } from '../../../src/transactions/signedAttempts';
import { NO_SPENDS } from '../../../src/review/spends';
import { createRpc } from '../../../src/rpc/rpc';
import { OTHER_OWNER } from '../../support/portfolio/fixtures';
import { addressOf, OWNER, POOL, POSITION } from '../../support/review/bundles';
import { asOf, ScriptedNode } from '../../support/rpc/scriptedNode';
import { zapInCreated, zapOutCreated } from '../../support/transactions/records';

const never = new AbortController().signal;

type Tail = readonly JournalEvent['kind'][];

/** A zap-in that was signed for so much, at so many milliseconds, and went on as told. */
function signedZapIn(
  consumedLamports: bigint,
  atMs: number,
  tail: Tail = ['submitted', 'failed'],
  blockhash = 'hash',
  created = zapInCreated(atMs),
): OperationRecord {
  const of = (kind: JournalEvent['kind']): JournalEvent => ({ atMs, kind, ...DETAILS[kind] }) as JournalEvent;
  const built: JournalEvent = { ...of('built'), blockhashes: [blockhash] } as JournalEvent;
  const signed: JournalEvent = { atMs, kind: 'signed', signatures: ['one'], spends: { ...NO_SPENDS, consumedLamports, tipLamports: 1n } };
  return recordOf(`${atMs} ${consumedLamports}`, [created, built, of('reviewed'), of('approved'), signed, ...tail.map(of)]);
}

const DETAILS: Readonly<Partial<Record<JournalEvent['kind'], object>>> = {
  built: { position: undefined, transactions: 1, messageHashes: [], blockhashes: [], lastValidBlockHeight: 100 },
  reviewed: { verdict: 'allow', rules: [] },
  approved: { by: 'user' },
  submitted: { lamportsBefore: undefined },
  landed: { signature: undefined },
  settled: { lamportsBack: undefined, shortfall: undefined },
  unconfirmed: { reason: 'x' },
  expired: { reason: 'x' },
  failed: { reason: 'x' },
  abandoned: { reason: 'x' },
};

async function prior(records: readonly OperationRecord[], nowMs: number, subject = zapInCreated(0)): Promise<bigint | undefined> {
  return (
    await priorSpends(
      openAttempts(records, subject, () => nowMs),
      undefined,
      never,
    )
  )?.consumedLamports;
}

describe('operation: signed attempts', () => {
  it('The signed attempts of each pool and wallet count together as long as they may land', async () => {
    const elsewhere = { ...zapInCreated(0), pool: addressOf('another pool') };
    const records = [signedZapIn(5n, 0), signedZapIn(7n, 30_000), signedZapIn(100n, 0, ['submitted'], 'hash', elsewhere)];
    assert.deepEqual(
      await priorSpends(
        openAttempts(records, zapInCreated(0), () => 60_000),
        undefined,
        never,
      ),
      { ...NO_SPENDS, consumedLamports: 12n, tipLamports: 2n },
    );
    assert.equal(await prior(records, 60_000, elsewhere), 100n);
    assert.equal(await prior(records, 60_000, { ...zapInCreated(0), owner: OTHER_OWNER }), undefined);
    assert.equal(await prior(records, 119_999), 12n);
    assert.equal(await prior(records, 120_000), 7n);
    assert.equal(await prior(records, 150_000), undefined);
  });

  it('Only signed attempts that may land count, also on another service', async () => {
    for (const tail of [['submitted'], ['submitted', 'unconfirmed'], ['submitted', 'landed'], ['submitted', 'failed']] as const) {
      assert.equal(await prior([signedZapIn(5n, 0, tail, 'hash', { ...zapInCreated(0), service: 'another' })], 1), 5n, tail.join());
    }
    for (const tail of [[], ['abandoned'], ['failed'], ['submitted', 'expired'], ['submitted', 'landed', 'settled']] as const) {
      assert.equal(await prior([signedZapIn(5n, 0, tail)], 1), undefined, tail.join());
    }
  });

  it('The signed attempts continue to count if the clock is set back', async () => {
    assert.equal(await prior([signedZapIn(5n, 1_000_000)], 0), 5n);
  });

  it('An attempt with an unknown outcome prevents another operation from starting', () => {
    const zapOut = zapOutCreated(0);
    for (const tail of [['submitted'], ['submitted', 'unconfirmed'], ['submitted', 'landed']] as const) {
      const record = signedZapIn(5n, 0, tail);
      assert.equal(
        stillUnderWay([record], zapInCreated(0), () => 299_999),
        record,
      );
      assert.equal(
        stillUnderWay([record], zapInCreated(0), () => 300_000),
        undefined,
      );
      assert.equal(
        stillUnderWay([record], zapOut, () => 1),
        undefined,
      );
    }
    for (const tail of [[], ['submitted', 'failed'], ['submitted', 'expired'], ['submitted', 'settled']] as const) {
      assert.equal(
        stillUnderWay([signedZapIn(5n, 0, tail)], zapInCreated(0), () => 1),
        undefined,
      );
    }
    const ofPosition = signedZapIn(5n, 0, ['submitted'], 'hash', zapOut);
    assert.equal(
      stillUnderWay([ofPosition], zapOut, () => 1),
      ofPosition,
    );
    assert.deepEqual([zapOut.owner, zapOut.pool, zapOut.plan.kind === 'zapOut' && zapOut.plan.position], [OWNER, POOL, POSITION]);
  });

  describe('with an RPC', () => {
    let node: ScriptedNode;
    before(async () => {
      node = await ScriptedNode.start();
    });
    after(() => node.stop());

    const attempts = (records: readonly OperationRecord[], nowMs: number) => openAttempts(records, zapInCreated(0), () => nowMs);

    const heightOf = (result: number) => ({ getBlockHeight: { result } });

    it('An attempt is over when the RPC rejects its blockhash, unless the RPC may not have seen it yet', async () => {
      const records = [
        signedZapIn(5n, 0, undefined, 'old'),
        signedZapIn(7n, 5_000, undefined, 'valid'),
        signedZapIn(9n, 15_000, undefined, 'unseen'),
      ];
      node.willAnswer({ ...heightOf(133), isBlockhashValid: { byParams: ([hash]) => asOf(hash === 'valid') } });
      const spends = await priorSpends(attempts(records, 30_000), node.client(), never);
      assert.equal(spends?.consumedLamports, 16n);
      assert.deepEqual(node.received.flatMap(({ method, params }) => (method === 'isBlockhashValid' ? [params[0]] : [])).sort(), [
        'old',
        'valid',
      ]);
    });

    for (const [what, height] of [
      ['is not past its last valid block', 132],
      ['stands still since before the build', 10],
      ['is on another network', 300_000_000],
    ] as const) {
      it(`An attempt counts for two minutes if the RPC rejects its blockhash and ${what}`, async () => {
        const records = [signedZapIn(5n, 0)];
        node.willAnswer({ ...heightOf(height), isBlockhashValid: asOf(false) });
        assert.equal((await priorSpends(attempts(records, 119_999), node.client(), never))?.consumedLamports, 5n);
        assert.equal(await priorSpends(attempts(records, 120_000), node.client(), never), undefined);
      });
    }

    it('An attempt of a journal without its last valid block is over when the RPC rejects its blockhash', async () => {
      const { events, id } = signedZapIn(5n, 0);
      const older = recordOf(
        id,
        events.map((event) => (event.kind === 'built' ? { ...event, lastValidBlockHeight: undefined } : event)),
      );
      node.willAnswer({ isBlockhashValid: asOf(false) });
      assert.equal((await priorSpends(attempts([older], 19_999), node.client(), never))?.consumedLamports, 5n);
      assert.equal(await priorSpends(attempts([older], 20_000), node.client(), never), undefined);
    });

    it('Attempts count longer than two minutes while the RPC accepts their blockhashes: the chain is slow then', async () => {
      const records = [
        signedZapIn(5n, 0, undefined, 'first'),
        signedZapIn(7n, 60_000, undefined, 'second'),
        signedZapIn(9n, 90_000, undefined, 'third'),
      ];
      const over = new Set<unknown>();
      node.willAnswer({ ...heightOf(50), isBlockhashValid: { byParams: ([hash]) => asOf(!over.has(hash)) } });
      const counted = async () => (await priorSpends(attempts(records, 3_600_000), node.client(), never))?.consumedLamports;
      assert.equal(await counted(), 21n);
      over.add('first');
      assert.equal(await counted(), 16n);
      over.add('second').add('third');
      node.received.length = 0;
      assert.equal(await counted(), undefined);
      assert.deepEqual(
        node.received.map(({ params }) => params[0]),
        ['third'],
        'blockhashes expire in the order of their age',
      );
      over.clear();
      assert.equal(await priorSpends(attempts(records, 86_490_000), node.client(), never), undefined, 'after a day');
      node.willAnswer({});
      assert.equal(await counted(), undefined, 'without an answer the clock decides');
    });

    it('An operation with an unknown outcome stays under way for longer than five minutes while the RPC accepts its blockhash', async () => {
      const record = signedZapIn(5n, 0, ['submitted', 'unconfirmed']);
      const underWay = (records: readonly OperationRecord[], nowMs: number, rpc = node.client()) =>
        stillUnderWayByChain(records, zapInCreated(0), () => nowMs, rpc, never);
      node.willAnswer({ isBlockhashValid: asOf(true) });
      assert.equal(await underWay([record], 299_999), record);
      assert.equal(await underWay([record], 3_600_000), record);
      assert.equal(await underWay([signedZapIn(5n, 0)], 3_600_000), undefined, 'that one has ended');
      node.willAnswer({ isBlockhashValid: asOf(false) });
      assert.equal(await underWay([record], 299_999), record);
      assert.equal(await underWay([record], 300_000), undefined);
      assert.equal(await stillUnderWayByChain([record], zapInCreated(0), () => 300_000, undefined, never), undefined);
    });

    it('An attempt counts while the RPC does not answer', async () => {
      const records = [signedZapIn(5n, 0)];
      node.willAnswer({ ...heightOf(133), isBlockhashValid: { error: { code: -32005, message: 'behind' } } });
      assert.equal((await priorSpends(attempts(records, 30_000), node.client(), never))?.consumedLamports, 5n);
      node.willAnswer({ isBlockhashValid: asOf(false) });
      assert.equal((await priorSpends(attempts(records, 30_000), node.client(), never))?.consumedLamports, 5n);
      const gone = await ScriptedNode.start();
      const url = gone.url();
      await gone.stop();
      assert.equal((await priorSpends(attempts(records, 30_000), createRpc({ url }), never))?.consumedLamports, 5n);
    });
  });
});
