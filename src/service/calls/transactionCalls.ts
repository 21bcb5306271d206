import type { Call } from './transport';
import { PROTOCOL_OF, type Strategy } from '../common';
import { dataOf, fieldsOf, hasFields, listOf } from '../parsing/envelope';
import { parseNumber } from '../parsing/scalars';
import { checkAdd, checkAddTo, checkClaim, checkDecrease, checkLanding, checkShare, checkSwap } from './requestChecks';
import type { LiquidityService } from '../service';
import { readBalances } from '../tokens';
import {
  type AddRequest,
  type AddToRequest,
  notOffered,
  readAddBuild,
  readClaimBuild,
  readDecreaseBuild,
  readLanded,
  readSwapBuild,
  type SwapRequest,
} from '../transactions';

/** The endpoints that move liquidity, and the token balances. */
export type TransactionCalls = Pick<
  LiquidityService,
  | 'tokenBalances'
  | 'decreaseQuote'
  | 'buildDecrease'
  | 'landDecrease'
  | 'buildClaim'
  | 'landClaim'
  | 'buildAdd'
  | 'buildAddTo'
  | 'landAdd'
  | 'buildSwap'
  | 'landSwap'
>;

export function transactionCalls(call: Call): TransactionCalls {
  return {
    tokenBalances: async ({ owner, mints }, options) => {
      const endpoint = 'GET /token/balance';
      // An empty `ca` would request all tokens.
      if (mints?.length === 0) {
        return { items: [], warnings: [] };
      }
      return call({ endpoint, query: { owner, ca: mints?.join(',') }, ...options }, (body, reading) => {
        const items = readBalances(listOf(dataOf(body, endpoint), endpoint, 'data'), 'data', reading);
        return { items: items.filter(({ mint }) => mints?.includes(mint) ?? true), warnings: reading.warnings.all() };
      });
    },

    decreaseQuote: async (query, options) => {
      const endpoint = 'POST /position/decrease-quotes';
      checkShare(endpoint, query);
      return call({ endpoint, body: { id: query.positionId, bps: query.bps }, ...options }, (body) => {
        const raw = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
        const price = hasFields(raw.price) ? raw.price : {};
        return { price0Usd: parseNumber(price.token0), price1Usd: parseNumber(price.token1), raw };
      });
    },

    buildDecrease: async (request, options) => {
      const endpoint = 'POST /position/decrease-tx';
      checkDecrease(endpoint, request);
      const { positionId, bps, owner, slippageBps, output, poolType } = request;
      const body = {
        position_id: positionId,
        bps,
        owner,
        slippage_bps: slippageBps,
        output,
        ...(poolType === undefined ? {} : { type: PROTOCOL_OF[poolType] }),
      };
      return call({ endpoint, body, ...options }, (answer) => readDecreaseBuild(answer, endpoint));
    },

    landDecrease: async ({ closeTransactions, swapTransactions, lastValidBlockHeight }, options) => {
      const endpoint = 'POST /position/landing-decrease-tx';
      checkLanding(endpoint, 'closeTransactions', [...closeTransactions, ...swapTransactions]);
      const body = {
        lastValidBlockHeight,
        closeTxs: [],
        swapTxs: [],
        closeTxsWithJito: closeTransactions,
        swapTxsWithJito: swapTransactions,
      };
      return call({ endpoint, body, lands: true, ...options }, (answer, { warnings }) => readLanded(answer, warnings));
    },

    buildClaim: async (request, options) => {
      const endpoint = 'POST /position/claim-tx';
      checkClaim(endpoint, request);
      const body = { owner: request.owner, position_ids: request.positionIds };
      return call({ endpoint, body, ...options }, (answer) => readClaimBuild(answer, endpoint)).catch((error: unknown) => {
        throw notOffered(error, request.positionIds);
      });
    },

    landClaim: async ({ claimTransactions, lastValidBlockHeight, meta }, options) => {
      const endpoint = 'POST /position/landing-claim-tx';
      checkLanding(endpoint, 'claimTransactions', claimTransactions);
      const body = { lastValidBlockHeight, claimTxsWithJito: claimTransactions, meta };
      return call({ endpoint, body, lands: true, ...options }, (answer, { warnings }) => readLanded(answer, warnings));
    },

    buildAdd: async (request, options) => {
      const endpoint = 'POST /pools/{id}/add-tx';
      checkAdd(endpoint, request);
      const path = `/pools/${encodeURIComponent(request.pool)}/add-tx`;
      return call({ endpoint, path, body: addBody(request), ...options }, (answer) => readAddBuild(answer, endpoint));
    },

    buildAddTo: async (request, options) => {
      const endpoint = 'POST /position/add-tx';
      checkAddTo(endpoint, request);
      const body = { position_id: request.positionId, ...addBody(request) };
      return call({ endpoint, body, ...options }, (answer) => readAddBuild(answer, endpoint)).catch((error: unknown) => {
        throw notOffered(error, [request.positionId]);
      });
    },

    landAdd: async ({ swapTransactions, addTransactions, lastValidBlockHeight, meta }, options) => {
      const endpoint = 'POST /pools/landing-add-tx';
      checkLanding(endpoint, 'addTransactions', [...swapTransactions, ...addTransactions]);
      const body = { lastValidBlockHeight, swapTxsWithJito: swapTransactions, addLiquidityTxsWithJito: addTransactions, meta };
      return call({ endpoint, body, lands: true, ...options }, (answer, { warnings }) => readLanded(answer, warnings));
    },

    buildSwap: async (request, options) => {
      const endpoint = 'POST /token/swap-tx';
      checkSwap(endpoint, request);
      return call({ endpoint, body: swapBody(request), ...options }, (answer) => readSwapBuild(answer, endpoint)).catch(
        (error: unknown) => {
          throw notOffered(error, namesIn(request));
        },
      );
    },

    landSwap: async ({ swapTransactions, lastValidBlockHeight }, options) => {
      const endpoint = 'POST /token/landing-swap-tx';
      checkLanding(endpoint, 'swapTransactions', swapTransactions);
      const body = { lastValidBlockHeight, swapTxsWithJito: swapTransactions };
      return call({ endpoint, body, lands: true, ...options }, (answer, { warnings }) => readLanded(answer, warnings));
    },
  };
}

/** add-tx requires a strategy even for pools without bins, where it has no effect. */
const STRATEGY_WITHOUT_BINS: Strategy = 'Spot';

/** The body of add-tx; `stratergy` is the service's spelling. A range that is `undefined` is not sent. */
function addBody(request: AddRequest | AddToRequest): Readonly<Record<string, unknown>> {
  const { strategy, owner, fromBinId, toBinId, slippageBps, mode } = request;
  const shared = { stratergy: strategy ?? STRATEGY_WITHOUT_BINS, owner, fromBinId, toBinId, slippage_bps: slippageBps, mode };
  switch (request.mode) {
    case 'zap-in':
      return { ...shared, inputSOL: request.inputSol, percentX: request.percentX };
    case 'normal':
      return { ...shared, amountX: request.amountX, amountY: request.amountY };
    case 'compound':
      return shared;
  }
}

/** The body of swap-tx. */
function swapBody(request: SwapRequest): Readonly<Record<string, unknown>> {
  const { owner } = request;
  if (request.kind === 'unwrap') {
    return { owner, unwrap: true };
  }
  const { inputMint, outputMint, amountRaw, slippageBps } = request;
  return { owner, inputMint, outputMint, amount: String(amountRaw), slippage_bps: slippageBps };
}

/** What a service names of a swap that it cannot build. */
function namesIn(request: SwapRequest): readonly string[] {
  return request.kind === 'unwrap' ? [] : [request.inputMint, request.outputMint, String(request.amountRaw)];
}
