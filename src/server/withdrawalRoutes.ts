import { Hono } from 'hono';
import * as z from 'zod';
import { WHOLE_BPS } from '../base/basisPoints';
import type { EngineOf, ProtocolNames } from './engine';
import { success } from './answers';
import { requiredTransactionsOf, transactionsOf, withHeight } from './landing';
import { addressNamed, numberNamed, readParameters, textNamed, transactionsNamed, wordNamed } from './parameters';
import { readBody } from './readBody';

const BPS = { most: WHOLE_BPS, whole: true } as const;

const QUOTE = z.object({ id: textNamed('id'), bps: numberNamed('bps', { least: 0, ...BPS }) });

const DECREASE = z.object({
  position_id: textNamed('position_id'),
  bps: numberNamed('bps', { least: 1, ...BPS }),
  owner: addressNamed('owner'),
  slippage_bps: numberNamed('slippage_bps', { least: 0, ...BPS }),
  output: wordNamed('output', ['allBaseToken', 'allToken0', 'allToken1', 'both']).nullish(),
  fromBinId: numberNamed('fromBinId', { whole: true }).nullish(),
  toBinId: numberNamed('toBinId', { whole: true }).nullish(),
});

const LAND = z.object({
  lastValidBlockHeight: numberNamed('lastValidBlockHeight', { least: 0, whole: true }),
  closeTxs: transactionsNamed('closeTxs').nullish(),
  swapTxs: transactionsNamed('swapTxs').nullish(),
  closeTxsWithJito: transactionsNamed('closeTxsWithJito').nullish(),
  swapTxsWithJito: transactionsNamed('swapTxsWithJito').nullish(),
});

/** Routes under /position that quote, build and land withdrawals. */
export function withdrawalRoutes(engine: EngineOf, { bins, product }: ProtocolNames): Hono {
  const decrease = DECREASE.extend({ type: wordNamed('type', [bins, product]).nullish() });
  const routes = new Hono();
  routes.post('/decrease-quotes', async (context) => {
    const { id, bps } = readParameters(QUOTE, await readBody(context));
    return success(context, { data: await engine(context).decreaseQuote(id, bps) });
  });
  routes.post('/decrease-tx', async (context) => {
    const body = readParameters(decrease, await readBody(context));
    const built = await engine(context).buildDecrease({
      positionId: body.position_id,
      bps: body.bps,
      owner: body.owner,
      slippageBps: body.slippage_bps,
      output: body.output ?? 'both',
      protocol: body.type ?? undefined,
      fromBinId: body.fromBinId ?? undefined,
      toBinId: body.toBinId ?? undefined,
    });
    return success(context, { data: built });
  });
  routes.post('/landing-decrease-tx', async (context) => {
    const body = readParameters(LAND, withHeight(await readBody(context)));
    const first = requiredTransactionsOf('closeTxsWithJito', { withJito: body.closeTxsWithJito, plain: body.closeTxs });
    const second = transactionsOf({ withJito: body.swapTxsWithJito, plain: body.swapTxs });
    return success(context, { data: await engine(context).landDecrease({ first, second }) });
  });
  return routes;
}
