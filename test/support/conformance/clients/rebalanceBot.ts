import assert from 'node:assert/strict';
import * as z from 'zod';
import { type Access, type ClientWorld, get, post, sign } from './access';

const SOL = 'So11111111111111111111111111111111111111112';

/** A bot that closes positions outside of their ranges, and opens new ones around the price. */
export async function runRebalanceBot(world: ClientWorld): Promise<void> {
  const { access: given } = world;
  const owner = given.wallet.publicKey.toBase58();
  await world.pushOutOfRange();

  const Opening = z.object({
    count: z.int(),
    data: z.array(
      z.looseObject({
        id: z.string(),
        position: z.string(),
        pool: z.string(),
        inRange: z.boolean(),
        inputNative: z.number(),
        valueNative: z.number(),
        uncollectedFeeNative: z.number(),
        ageHour: z.null(),
        pnl: z.object({ percentNative: z.number() }),
        token0Info: z.object({ token_symbol: z.string() }),
      }),
    ),
  });
  const outside = (await get(given, Opening, `/lp-positions/opening?owner=${owner}`)).data.filter(({ inRange }) => !inRange);
  assert.ok(outside.length > 0);
  let rebalanced = 0;
  for (const position of outside) {
    await zapOut(given, position.id);
    const solBefore = await solOf(given);

    const Info = z.object({
      data: z.looseObject({
        type: z.literal('meteora'),
        liquidityViz: z.object({
          activeBin: z.object({ binId: z.int() }),
          bins: z.array(z.object({ binId: z.int(), xAmount: z.number(), yAmount: z.number() })),
        }),
      }),
    });
    const {
      liquidityViz: { activeBin, bins },
    } = (await get(given, Info, `/pools/${position.pool}/info`)).data;
    // Four fifths of the bins shown, all of them below the price: SOL alone where it is the second token.
    const width = Math.floor(bins.length * 0.8);
    const fresh = await zapIn(given, position.pool, {
      inputSOL: Math.min(1, solBefore / 10),
      percentX: 0,
      fromBinId: activeBin.binId - width + 1,
      toBinId: activeBin.binId,
    });

    const { data } = await get(given, Opening, `/lp-positions/opening?owner=${owner}`);
    assert.ok(data.every(({ id }) => id !== position.id));
    const entered = data.find(({ position: at }) => at === fresh);
    assert.ok(entered, 'a position is listed as soon as it has landed');
    assert.equal(entered.inRange, true);
    assert.ok(Math.abs(entered.valueNative / entered.inputNative - 1) < 0.02);
    rebalanced += 1;
  }
  assert.equal(rebalanced, outside.length);
  assert.deepEqual(await world.audit(), []);
}

async function zapOut(access: Access, id: string): Promise<void> {
  const Built = z.object({
    data: z.object({ closeTxsWithJito: z.array(z.string()), swapTxsWithJito: z.array(z.string()), lastValidBlockHeight: z.int() }),
  });
  const { data } = await post(access, Built, '/position/decrease-tx', {
    position_id: id,
    bps: 10_000,
    owner: access.wallet.publicKey.toBase58(),
    slippage_bps: 500,
    output: 'allBaseToken',
    provider: 'OKX',
  });
  await post(access, z.object({ data: z.looseObject({ signature: z.string() }) }), '/position/landing-decrease-tx', {
    lastValidBlockHeight: data.lastValidBlockHeight,
    closeTxs: [],
    swapTxs: [],
    closeTxsWithJito: sign(data.closeTxsWithJito, access.wallet),
    swapTxsWithJito: sign(data.swapTxsWithJito, access.wallet),
  });
}

/** Gives the new position's address. */
async function zapIn(
  access: Access,
  pool: string,
  range: Readonly<Record<'inputSOL' | 'percentX' | 'fromBinId' | 'toBinId', number>>,
): Promise<string> {
  const Built = z.object({
    data: z.object({
      swapTxsWithJito: z.array(z.string()),
      addLiquidityTxsWithJito: z.array(z.string()),
      lastValidBlockHeight: z.int(),
      meta: z.looseObject({ positionPubKey: z.string() }),
    }),
  });
  const { data } = await post(access, Built, `/pools/${pool}/add-tx`, {
    stratergy: 'Spot',
    ...range,
    owner: access.wallet.publicKey.toBase58(),
    slippage_bps: 500,
    mode: 'zap-in',
  });
  await post(access, z.object({ data: z.looseObject({ signature: z.string() }) }), '/pools/landing-add-tx', {
    lastValidBlockHeight: data.lastValidBlockHeight,
    swapTxsWithJito: sign(data.swapTxsWithJito, access.wallet),
    addLiquidityTxsWithJito: sign(data.addLiquidityTxsWithJito, access.wallet),
    meta: data.meta,
  });
  return data.meta.positionPubKey;
}

/** Whole SOL, read as the tutorial's bot does. */
async function solOf(access: Access): Promise<number> {
  const Balances = z.object({ data: z.array(z.looseObject({ address: z.string(), uiAmount: z.string(), price: z.number().optional() })) });
  const { data } = await get(access, Balances, `/token/balance?owner=${access.wallet.publicKey.toBase58()}`);
  return Number(data.find(({ address }) => address === SOL)?.uiAmount ?? '0');
}
