import { Hono } from 'hono';
import * as z from 'zod';
import { STRATEGIES } from '../../dlmm/strategy';
import { EngineError, type AddParameters, type Engine } from '../engine';
import { success } from './answers';
import { addressNamed, numberNamed, readParameters, textNamed, transactionsNamed, wordNamed } from './parameters';
import { readBody } from './readBody';

const BPS = { most: 10_000, whole: true } as const;
const DEFAULT_SLIPPAGE_BPS = 500;
const LAMPORTS_PER_SOL = 1e9;
/** More SOL than there is. */
const MOST_SOL = 1e9;

const heights = { lastValidBlockHeight: numberNamed('lastValidBlockHeight', { least: 0, whole: true }) };

const QUOTE = z.object({ id: textNamed('id'), bps: numberNamed('bps', { least: 0, ...BPS }) });

const DECREASE = z.object({
  position_id: textNamed('position_id'),
  bps: numberNamed('bps', { least: 1, ...BPS }),
  owner: addressNamed('owner'),
  slippage_bps: numberNamed('slippage_bps', { least: 0, ...BPS }),
  output: wordNamed('output', ['allBaseToken', 'allToken0', 'allToken1', 'both']).nullish(),
  type: wordNamed('type', ['meteora', 'meteora_damm_v2']).nullish(),
  fromBinId: numberNamed('fromBinId', { whole: true }).nullish(),
  toBinId: numberNamed('toBinId', { whole: true }).nullish(),
});

const LAND_DECREASE = z.object({
  ...heights,
  closeTxs: transactionsNamed('closeTxs').nullish(),
  swapTxs: transactionsNamed('swapTxs').nullish(),
  closeTxsWithJito: transactionsNamed('closeTxsWithJito'),
  swapTxsWithJito: transactionsNamed('swapTxsWithJito').nullish(),
});

const ADD = z.object({
  stratergy: wordNamed('stratergy', STRATEGIES),
  owner: addressNamed('owner'),
  fromBinId: numberNamed('fromBinId', { whole: true }),
  toBinId: numberNamed('toBinId', { whole: true }),
  slippage_bps: numberNamed('slippage_bps', { least: 0, ...BPS }).nullish(),
  mode: wordNamed('mode', ['zap-in', 'normal']).nullish(),
  inputSOL: numberNamed('inputSOL', { least: 0, most: MOST_SOL }).nullish(),
  percentX: numberNamed('percentX', { least: 0, most: 1 }).nullish(),
  amountX: numberNamed('amountX', { least: 0 }).nullish(),
  amountY: numberNamed('amountY', { least: 0 }).nullish(),
});

const LAND_ADD = z.object({
  ...heights,
  swapTxsWithJito: transactionsNamed('swapTxsWithJito').nullish(),
  addLiquidityTxsWithJito: transactionsNamed('addLiquidityTxsWithJito'),
});

/** What builds and lands: under /position and /pools. */
export function transactionRoutes(engine: Engine): Hono {
  const routes = new Hono();
  routes.post('/position/decrease-quotes', async (context) => {
    const { id, bps } = readParameters(QUOTE, await readBody(context));
    return success(context, { data: await engine.decreaseQuote(id, bps) });
  });
  routes.post('/position/decrease-tx', async (context) => {
    const body = readParameters(DECREASE, await readBody(context));
    const built = await engine.buildDecrease({
      positionId: body.position_id,
      bps: body.bps,
      owner: body.owner,
      slippageBps: body.slippage_bps,
      output: body.output ?? 'both',
      fromBinId: body.fromBinId ?? undefined,
      toBinId: body.toBinId ?? undefined,
    });
    return success(context, { data: built });
  });
  routes.post('/position/landing-decrease-tx', async (context) => {
    const { closeTxs, closeTxsWithJito, swapTxs, swapTxsWithJito } = readParameters(LAND_DECREASE, await readBody(context));
    const transactions = [...(closeTxs ?? []), ...closeTxsWithJito, ...(swapTxs ?? []), ...(swapTxsWithJito ?? [])];
    return success(context, { data: await engine.landDecrease(transactions) });
  });
  routes.post('/pools/landing-add-tx', async (context) => {
    const { swapTxsWithJito, addLiquidityTxsWithJito } = readParameters(LAND_ADD, await readBody(context));
    return success(context, { data: await engine.landAdd([...(swapTxsWithJito ?? []), ...addLiquidityTxsWithJito]) });
  });
  routes.post('/pools/:poolId/add-tx', async (context) => {
    const body = readParameters(ADD, await readBody(context));
    const built = await engine.buildAdd({
      pool: context.req.param('poolId'),
      owner: body.owner,
      strategy: body.stratergy,
      fromBinId: body.fromBinId,
      toBinId: body.toBinId,
      slippageBps: body.slippage_bps ?? DEFAULT_SLIPPAGE_BPS,
      input: inputOf(body),
    });
    return success(context, { data: built });
  });
  return routes;
}

function inputOf({ mode, inputSOL, percentX, amountX, amountY }: z.output<typeof ADD>): AddParameters['input'] {
  if (mode === 'normal') {
    if ((amountX ?? 0) + (amountY ?? 0) === 0) {
      throw new EngineError('invalid', 'amountX or amountY is required in mode normal');
    }
    return { mode, amountX: amountX ?? 0, amountY: amountY ?? 0 };
  }
  const lamports = BigInt(Math.floor((inputSOL ?? 0) * LAMPORTS_PER_SOL + 1e-6));
  if (lamports === 0n) {
    throw new EngineError('invalid', 'inputSOL is required: missing amount to ZapIn');
  }
  if (percentX === undefined || percentX === null) {
    throw new EngineError('invalid', 'percentX is required: Amount X or Amount Y or Percent X is required');
  }
  return { mode: 'zap-in', lamports, percentX };
}
