import assert from 'node:assert/strict';
import { generateKeyPairSync, sign as signEd25519 } from 'node:crypto';
import { landed, refused, SOL, type DecreaseBuild, type TestClient } from '../support/sandbox/client';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

describe('Landing', function () {
  const client = useSandbox('each', STILL_AND_SHORT);
  let before: { readonly sol: bigint; readonly positions: number };

  beforeEach(async () => {
    before = { sol: await client().balance(SOL), positions: (await client().opening()).length };
  });

  async function build(bps = 10_000): Promise<DecreaseBuild> {
    return client().decrease((await client().soldOutPosition()).id, bps);
  }

  async function nothingChanged(): Promise<void> {
    assert.deepEqual({ sol: await client().balance(SOL), positions: (await client().opening()).length }, before);
  }

  function land(built: DecreaseBuild, change: Record<string, unknown>): ReturnType<TestClient['post']> {
    return client().post('/position/landing-decrease-tx', { ...client().signedDecrease(built), ...change });
  }

  it('An unsigned bundle does not land', async () => {
    const built = await build();
    assert.match(refused(422, await land(built, { closeTxsWithJito: built.closeTxsWithJito })), /Signature 1 of transaction 1 is missing/);
    assert.match(refused(422, await land(built, { swapTxsWithJito: built.swapTxsWithJito })), /is missing.*|Signature/);
    await nothingChanged();
  });

  it('A bundle with the signature of another key does not land', async () => {
    const built = await build();
    const { privateKey } = generateKeyPairSync('ed25519');
    const foreign = built.closeTxsWithJito.map((text) => {
      const bytes = Buffer.from(text, 'base64');
      signEd25519(null, bytes.subarray(65), privateKey).copy(bytes, 1);
      return bytes.toString('base64');
    });
    assert.match(refused(422, await land(built, { closeTxsWithJito: foreign })), /Signature 1 of transaction 1 is wrong/);
    await nothingChanged();
  });

  it('A bundle with any changed byte does not land, even with a new signature', async () => {
    const built = await build();
    for (const offset of [-1, -40, 70, 100]) {
      const altered = Buffer.from(built.closeTxsWithJito[0] ?? '', 'base64');
      const at = offset < 0 ? altered.length + offset : offset;
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      let signed: string[];
      try {
        signed = client().sign([altered.toString('base64')]);
      } catch {
        continue; // the owner's own key was altered
      }
      refused(400, await land(built, { closeTxsWithJito: signed }));
    }
    await nothingChanged();
  });

  it('Unknown, truncated and overlong transactions do not land', async () => {
    const built = await build();
    const [signed = ''] = client().sign(built.closeTxsWithJito);
    const bytes = Buffer.from(signed, 'base64');
    for (const [wrong, words] of [
      [bytes.subarray(0, -3), /malformed/],
      [Buffer.concat([bytes, Buffer.alloc(4)]), /malformed/],
      [Buffer.alloc(100), /malformed|not built/],
      [Buffer.alloc(1_300, 1), /malformed/],
      [Buffer.from([0]), /malformed/],
    ] as const) {
      assert.match(refused(400, await land(built, { closeTxsWithJito: [wrong.toString('base64')] })), words);
    }
    await nothingChanged();
  });

  it('An empty bundle does not land', async () => {
    assert.match(
      refused(400, await client().post('/position/landing-decrease-tx', { lastValidBlockHeight: 1, closeTxsWithJito: [] })),
      /no transaction/,
    );
  });

  it('A bundle that is reordered, mixed, repeated or in the wrong list does not land', async () => {
    const built = await build();
    const other = await client().decrease((await client().positionInRange()).id, 10_000);
    const [close, swaps] = [client().sign(built.closeTxsWithJito), client().sign(built.swapTxsWithJito)];
    assert.match(refused(400, await land(built, { closeTxsWithJito: swaps, swapTxsWithJito: close })), /order/);
    assert.match(refused(400, await land(built, { closeTxsWithJito: [...close, ...close] })), /twice/);
    assert.match(refused(400, await land(built, { swapTxsWithJito: client().sign(other.swapTxsWithJito) })), /different operations/);
    const elsewhere = { lastValidBlockHeight: built.lastValidBlockHeight, addLiquidityTxsWithJito: close, swapTxsWithJito: [] };
    assert.match(refused(400, await client().post('/pools/landing-add-tx', elsewhere)), /decrease-tx/);
    await nothingChanged();
  });

  it('A bundle does not land after its blockhash expired', async () => {
    const built = await build();
    assert.equal((await client().control('advance', { ms: 90_000 })).status, 200);
    assert.match(refused(422, await client().landDecrease(built)), /expired/);
    await nothingChanged();
    landed(await client().landDecrease(await build()));
  });

  it('A bundle lands once, and a repeated request returns the same signature', async () => {
    const built = await build(4_000);
    const body = client().signedDecrease(built);
    const first = landed(await client().post('/position/landing-decrease-tx', body));
    const [sol, position] = [await client().balance(SOL), await client().soldOutPosition()];
    assert.equal(landed(await client().post('/position/landing-decrease-tx', body)), first);
    assert.equal(landed(await client().landDecrease(built)), first);
    assert.equal(await client().balance(SOL), sol);
    assert.deepEqual((await client().soldOutPosition()).current, position.current);
  });

  it('Only one of the variants with and without tips lands, and the other returns the same signature', async () => {
    const built = await build(4_000);
    const height = { lastValidBlockHeight: built.lastValidBlockHeight };
    const plain = { ...height, closeTxs: client().sign(built.closeTxs), swapTxs: client().sign(built.swapTxs) };
    assert.notDeepEqual(built.closeTxs, built.closeTxsWithJito);
    assert.match(
      refused(400, await client().post('/position/landing-decrease-tx', { ...plain, closeTxs: [], swapTxs: plain.swapTxs })),
      /was built as \d transactions, and only \d of them (?:is|are) given/,
    );
    const first = landed(await client().post('/position/landing-decrease-tx', plain));
    const [sol, position] = [await client().balance(SOL), await client().soldOutPosition()];
    assert.equal(landed(await client().landDecrease(built)), first);
    assert.equal(landed(await client().post('/position/landing-decrease-tx', plain)), first);
    assert.equal(await client().balance(SOL), sol);
    assert.deepEqual((await client().position(position.position))?.current, position.current);
    assert.deepEqual(await client().audit(), []);
  });

  it('The variant with tips lands if a client sends both, signed or not', async () => {
    const built = await build(2_000);
    const unsigned = { closeTxs: built.closeTxs, swapTxs: built.swapTxs };
    const first = landed(await client().post('/position/landing-decrease-tx', { ...client().signedDecrease(built), ...unsigned }));
    assert.equal(landed(await client().landDecrease(built)), first);
    const inRange = await client().decrease((await client().positionInRange()).id, 2_000);
    const mixed = {
      lastValidBlockHeight: inRange.lastValidBlockHeight,
      closeTxs: client().sign(inRange.closeTxs),
      swapTxsWithJito: client().sign(inRange.swapTxsWithJito),
    };
    assert.ok(mixed.swapTxsWithJito.length > 0);
    assert.match(refused(400, await client().post('/position/landing-decrease-tx', mixed)), /tip/);
  });

  it('An entry without tips lands', async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 10, toBinId: active + 10 });
    const body = {
      lastValidBlockHeight: built.lastValidBlockHeight,
      addLiquidityTxs: client().sign(built.addLiquidityTxs),
      swapTxs: client().sign(built.swapTxs),
    };
    const signature = landed(await client().post('/pools/landing-add-tx', body));
    assert.equal(landed(await client().landAdd(built)), signature);
    assert.equal((await client().opening()).length, before.positions + 1);
  });

  it('Two landings at the same time execute once', async () => {
    const built = await build(4_000);
    const body = client().signedDecrease(built);
    const value = BigInt((await client().soldOutPosition()).current.amount1);
    const signatures = await Promise.all([1, 2, 3, 4].map(async () => landed(await client().post('/position/landing-decrease-tx', body))));
    assert.equal(new Set(signatures).size, 1);
    const left = BigInt((await client().soldOutPosition()).current.amount1);
    assert.ok(left > (value * 59n) / 100n && left < (value * 61n) / 100n, `${left} of ${value}`);
  });

  it('A second withdrawal of a closed position does not land', async () => {
    const [first, second] = [await build(), await build()];
    landed(await client().landDecrease(first));
    const sol = await client().balance(SOL);
    assert.match(refused(422, await client().landDecrease(second)), /no open position/);
    assert.equal(await client().balance(SOL), sol);
  });

  it('An entry lands only once', async () => {
    const { pool } = await client().pool('WYFF/SOL', 80);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 1, fromBinId: active - 10, toBinId: active + 10 });
    const body = client().signedAdd(built);
    const [first, second] = await Promise.all([client().post('/pools/landing-add-tx', body), client().post('/pools/landing-add-tx', body)]);
    assert.equal(landed(first), landed(second));
    assert.equal((await client().opening()).length, before.positions + 1);
    const unsigned = {
      lastValidBlockHeight: 1,
      addLiquidityTxsWithJito: built.addLiquidityTxsWithJito,
      swapTxsWithJito: built.swapTxsWithJito,
    };
    assert.match(refused(422, await client().post('/pools/landing-add-tx', unsigned)), /Signature/);
  });
});
