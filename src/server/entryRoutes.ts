import { Hono } from 'hono';
import * as z from 'zod';
import { STRATEGIES } from '../base/dlmm/strategy';
import { LAMPORTS_PER_SOL } from '../base/solana/programs';
import { WHOLE_BPS } from '../base/basisPoints';
import { EngineError, type AddParameters, type EngineOf } from './engine';
import { success } from './answers';
import { requiredTransactionsOf, transactionsOf, withHeight } from './landing';
import { addressNamed, numberNamed, readParameters, transactionsNamed, wordNamed } from './parameters';
import { readBody } from './readBody';

const DEFAULT_SLIPPAGE_BPS = 500;
/** More than the supply of SOL. */
const MOST_SOL = 1e9;

const ADD = z.object({
  stratergy: wordNamed('stratergy', STRATEGIES),
  owner: addressNamed('owner'),
  // Pools without bins have no range; the engine requires it for bin pools.
  fromBinId: numberNamed('fromBinId', { whole: true }).nullish(),
  toBinId: numberNamed('toBinId', { whole: true }).nullish(),
  slippage_bps: numberNamed('slippage_bps', { least: 0, most: WHOLE_BPS, whole: true }).nullish(),
  mode: wordNamed('mode', ['zap-in', 'normal']).nullish(),
  inputSOL: numberNamed('inputSOL', { least: 0, most: MOST_SOL }).nullish(),
  percentX: numberNamed('percentX', { least: 0, most: 1 }).nullish(),
  amountX: numberNamed('amountX', { least: 0 }).nullish(),
  amountY: numberNamed('amountY', { least: 0 }).nullish(),
});

const LAND = z.object({
  lastValidBlockHeight: numberNamed('lastValidBlockHeight', { least: 0, whole: true }),
  swapTxs: transactionsNamed('swapTxs').nullish(),
  addLiquidityTxs: transactionsNamed('addLiquidityTxs').nullish(),
  swapTxsWithJito: transactionsNamed('swapTxsWithJito').nullish(),
  addLiquidityTxsWithJito: transactionsNamed('addLiquidityTxsWithJito').nullish(),
});

/** Routes under /pools that build and land entries. */
export function entryRoutes(engine: EngineOf): Hono {
  const routes = new Hono();
  routes.post('/landing-add-tx', async (context) => {
    const body = readParameters(LAND, withHeight(await readBody(context)));
    const first = transactionsOf({ withJito: body.swapTxsWithJito, plain: body.swapTxs });
    const second = requiredTransactionsOf('addLiquidityTxsWithJito', {
      withJito: body.addLiquidityTxsWithJito,
      plain: body.addLiquidityTxs,
    });
    return success(context, { data: await engine(context).landAdd({ first, second }) });
  });
  routes.post('/:poolId/add-tx', async (context) => {
    const { strategy, ...given } = await readBody(context);
    const body = readParameters(ADD, { stratergy: strategy, ...given });
    const built = await engine(context).buildAdd({
      pool: context.req.param('poolId'),
      owner: body.owner,
      strategy: body.stratergy,
      fromBinId: body.fromBinId ?? undefined,
      toBinId: body.toBinId ?? undefined,
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
  const lamports = BigInt(Math.floor((inputSOL ?? 0) * Number(LAMPORTS_PER_SOL) + 1e-6));
  if (lamports === 0n) {
    throw new EngineError('invalid', 'inputSOL is required: missing amount to ZapIn');
  }
  if (percentX === undefined || percentX === null) {
    throw new EngineError('invalid', 'percentX is required: Amount X or Amount Y or Percent X is required');
  }
  return { mode: 'zap-in', lamports, percentX };
}
