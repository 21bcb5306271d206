import { Hono } from 'hono';
import * as z from 'zod';
import { WHOLE_BPS } from '../../base/basisPoints';
import { STRATEGIES } from '../../base/dlmm/strategy';
import { rawFromNumber } from '../../base/solana/amounts';
import { SOL_DECIMALS } from '../../base/solana/programs';
import { success } from './answers';
import { type AddParameters, EngineError, type EngineOf, type ProtocolNames, type SwapParameters } from '../engine';
import {
  addressParameter,
  booleanParameter,
  numberParameter,
  rawAmountParameter,
  readBody,
  readParameters,
  textParameter,
  textsParameter,
  transactionsParameter,
  wordParameter,
} from './parameters';

const BPS = { max: WHOLE_BPS, isInteger: true } as const;

const QUOTE = z.object({ id: textParameter('id'), bps: numberParameter('bps', { min: 0, ...BPS }) });

const DECREASE = z.object({
  position_id: textParameter('position_id'),
  bps: numberParameter('bps', { min: 1, ...BPS }),
  owner: addressParameter('owner'),
  slippage_bps: numberParameter('slippage_bps', { min: 0, ...BPS }),
  output: wordParameter('output', ['allBaseToken', 'allToken0', 'allToken1', 'both']).nullish(),
  fromBinId: numberParameter('fromBinId', { isInteger: true }).nullish(),
  toBinId: numberParameter('toBinId', { isInteger: true }).nullish(),
});

const LAND_DECREASE = z.object({
  lastValidBlockHeight: numberParameter('lastValidBlockHeight', { min: 0, isInteger: true }),
  closeTxs: transactionsParameter('closeTxs').nullish(),
  swapTxs: transactionsParameter('swapTxs').nullish(),
  closeTxsWithJito: transactionsParameter('closeTxsWithJito').nullish(),
  swapTxsWithJito: transactionsParameter('swapTxsWithJito').nullish(),
});

/** More would take too long to build for one request. */
const MAX_CLAIMED_POSITIONS = 20;

const CLAIM = z.object({ owner: addressParameter('owner'), position_ids: textsParameter('position_ids', MAX_CLAIMED_POSITIONS) });

const LAND_CLAIM = z.object({
  lastValidBlockHeight: numberParameter('lastValidBlockHeight', { min: 0, isInteger: true }),
  claimTxs: transactionsParameter('claimTxs').nullish(),
  claimTxsWithJito: transactionsParameter('claimTxsWithJito').nullish(),
});

/** Routes under /position that quote, build and land withdrawals, and that build deposits and claims of fees. */
export function positionOperationRoutes(engine: EngineOf, { bins, product }: ProtocolNames): Hono {
  const decrease = DECREASE.extend({ type: wordParameter('type', [bins, product]).nullish() });
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
  routes.post('/add-tx', async (context) => {
    const body = readParameters(DEPOSIT, withStrategy(await readBody(context)));
    const built = await engine(context).buildDeposit({
      positionId: body.position_id,
      owner: body.owner,
      strategy: body.stratergy ?? undefined,
      fromBinId: body.fromBinId ?? undefined,
      toBinId: body.toBinId ?? undefined,
      slippageBps: body.slippage_bps ?? DEFAULT_SLIPPAGE_BPS,
      input: body.mode === 'compound' ? { mode: body.mode } : inputOf({ ...body, mode: body.mode }),
    });
    return success(context, { data: built });
  });
  routes.post('/claim-tx', async (context) => {
    const { owner, position_ids: positionIds } = readParameters(CLAIM, await readBody(context));
    return success(context, { data: await engine(context).buildClaim({ owner, positionIds }) });
  });
  routes.post('/landing-claim-tx', async (context) => {
    const body = readParameters(LAND_CLAIM, withHeight(await readBody(context)));
    const first = requiredTransactionsOf('claimTxsWithJito', { withJito: body.claimTxsWithJito, plain: body.claimTxs });
    return success(context, { data: await engine(context).land('claim', { first, second: [] }) });
  });
  routes.post('/landing-decrease-tx', async (context) => {
    const body = readParameters(LAND_DECREASE, withHeight(await readBody(context)));
    const first = requiredTransactionsOf('closeTxsWithJito', { withJito: body.closeTxsWithJito, plain: body.closeTxs });
    const second = transactionsOf({ withJito: body.swapTxsWithJito, plain: body.swapTxs });
    return success(context, { data: await engine(context).land('decrease', { first, second }) });
  });
  return routes;
}

const DEFAULT_SLIPPAGE_BPS = 500;

/** More than the supply of SOL. */
const MAX_SOL = 1e9;

const ADD = z.object({
  stratergy: wordParameter('stratergy', STRATEGIES),
  owner: addressParameter('owner'),
  // Pools without bins have no range; the engine requires it for bin pools.
  fromBinId: numberParameter('fromBinId', { isInteger: true }).nullish(),
  toBinId: numberParameter('toBinId', { isInteger: true }).nullish(),
  slippage_bps: numberParameter('slippage_bps', { min: 0, max: WHOLE_BPS, isInteger: true }).nullish(),
  mode: wordParameter('mode', ['zap-in', 'normal']).nullish(),
  inputSOL: numberParameter('inputSOL', { min: 0, max: MAX_SOL }).nullish(),
  percentX: numberParameter('percentX', { min: 0, max: 1 }).nullish(),
  amountX: numberParameter('amountX', { min: 0 }).nullish(),
  amountY: numberParameter('amountY', { min: 0 }).nullish(),
});

/** Like {@link ADD}, into an open position: without a strategy, the deposit has the position's shape. */
const DEPOSIT = ADD.extend({
  position_id: textParameter('position_id'),
  stratergy: ADD.shape.stratergy.nullish(),
  mode: wordParameter('mode', ['zap-in', 'normal', 'compound']),
});

const LAND_ADD = z.object({
  lastValidBlockHeight: numberParameter('lastValidBlockHeight', { min: 0, isInteger: true }),
  swapTxs: transactionsParameter('swapTxs').nullish(),
  addLiquidityTxs: transactionsParameter('addLiquidityTxs').nullish(),
  swapTxsWithJito: transactionsParameter('swapTxsWithJito').nullish(),
  addLiquidityTxsWithJito: transactionsParameter('addLiquidityTxsWithJito').nullish(),
});

/** Routes under /pools that build and land entries. */
export function entryRoutes(engine: EngineOf): Hono {
  const routes = new Hono();
  routes.post('/landing-add-tx', async (context) => {
    const body = readParameters(LAND_ADD, withHeight(await readBody(context)));
    const first = transactionsOf({ withJito: body.swapTxsWithJito, plain: body.swapTxs });
    const second = requiredTransactionsOf('addLiquidityTxsWithJito', {
      withJito: body.addLiquidityTxsWithJito,
      plain: body.addLiquidityTxs,
    });
    return success(context, { data: await engine(context).land('add', { first, second }) });
  });
  routes.post('/:poolId/add-tx', async (context) => {
    const body = readParameters(ADD, withStrategy(await readBody(context)));
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

const SWAP = z.object({
  owner: addressParameter('owner'),
  inputMint: addressParameter('inputMint'),
  outputMint: addressParameter('outputMint'),
  amount: rawAmountParameter('amount'),
  slippage_bps: numberParameter('slippage_bps', { min: 0, ...BPS }).nullish(),
});

const UNWRAP = z.object({ owner: addressParameter('owner') });

const LAND_SWAP = z.object({
  lastValidBlockHeight: numberParameter('lastValidBlockHeight', { min: 0, isInteger: true }),
  swapTxs: transactionsParameter('swapTxs').nullish(),
  swapTxsWithJito: transactionsParameter('swapTxsWithJito').nullish(),
});

const WANTS_UNWRAP = z.object({ unwrap: booleanParameter('unwrap').nullish() });

/** Routes under /token that build and land swaps of a wallet's tokens, and the unwrapping of SOL. */
export function swapRoutes(engine: EngineOf): Hono {
  const routes = new Hono();
  routes.post('/swap-tx', async (context) => {
    const body = await readBody(context);
    const isUnwrap = readParameters(WANTS_UNWRAP, body).unwrap === true;
    return success(context, {
      data: await engine(context).buildSwap(isUnwrap ? { ...readParameters(UNWRAP, body), unwrap: true } : swapOf(body)),
    });
  });
  routes.post('/landing-swap-tx', async (context) => {
    const body = readParameters(LAND_SWAP, withHeight(await readBody(context)));
    const first = requiredTransactionsOf('swapTxsWithJito', { withJito: body.swapTxsWithJito, plain: body.swapTxs });
    return success(context, { data: await engine(context).land('swap', { first, second: [] }) });
  });
  return routes;
}

function swapOf(body: unknown): SwapParameters {
  const { slippage_bps: slippageBps, ...swap } = readParameters(SWAP, body);
  return { ...swap, unwrap: false, slippageBps: slippageBps ?? DEFAULT_SLIPPAGE_BPS };
}

/** A list of transactions as clients send it: with the tip for a bundle, without one, or both. */
interface BothForms {
  readonly withJito: readonly string[] | null | undefined;
  readonly plain: readonly string[] | null | undefined;
}

/** The transactions with a tip, or else those without. May be empty. */
function transactionsOf({ withJito, plain }: BothForms): readonly string[] {
  return withJito !== undefined && withJito !== null && withJito.length > 0 ? withJito : (plain ?? []);
}

/** Like {@link transactionsOf}, for a required list. @throws EngineError that names the list if both forms are missing */
function requiredTransactionsOf(name: string, { withJito, plain }: BothForms): readonly string[] {
  if ((withJito ?? plain ?? undefined) === undefined) {
    throw new EngineError('invalid', `${name} is required`);
  }
  return transactionsOf({ withJito, plain });
}

/** The body of a landing. The published contract and some clients call the height `lastValidBlock`. */
function withHeight(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...body, lastValidBlockHeight: body['lastValidBlockHeight'] ?? body['lastValidBlock'] };
}

/** The body of a deposit. Some clients spell the strategy as it is spelled elsewhere. */
function withStrategy({ strategy, ...given }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { stratergy: strategy, ...given };
}

function inputOf({ mode, inputSOL, percentX, amountX, amountY }: Omit<z.output<typeof ADD>, 'stratergy'>): AddParameters['input'] {
  if (mode === 'normal') {
    if ((amountX ?? 0) + (amountY ?? 0) === 0) {
      throw new EngineError('invalid', 'amountX or amountY is required in mode normal');
    }
    return { mode, amountX: amountX ?? 0, amountY: amountY ?? 0 };
  }
  const lamports = rawFromNumber(inputSOL ?? 0, SOL_DECIMALS);
  if (lamports === 0n) {
    throw new EngineError('invalid', 'inputSOL is required: missing amount to ZapIn');
  }
  if (percentX === undefined || percentX === null) {
    throw new EngineError('invalid', 'percentX is required: Amount X or Amount Y or Percent X is required');
  }
  return { mode: 'zap-in', lamports, percentX };
}
