import assert from 'node:assert/strict';
import { uiPriceOfBin } from '../../../src/base/dlmm/bins';
import { address } from '../../../src/base/solana/address';
import { parseBase64Transaction } from '../../../src/base/solana/wireTransaction';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { reviewOperation } from '../../../src/review/review';
import type {
  IntentBase,
  Review,
  ReviewInput,
  SwapIntent,
  TransactionGroup,
  UnwrapIntent,
  ZapInIntent,
  ZapOutIntent,
} from '../../../src/review/types';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createLiquidityService } from '../../../src/service/client';
import type { LiquidityService } from '../../../src/service/service';
import {
  holdingsOfShare,
  listedPricesOfPlan,
  listedPricesOfPosition,
  type PricedLists,
  referencesOfPlan,
  referencesOfPosition,
  worthOfShare,
} from '../../../src/transactions/inspect/listedPrices';
import { Reviewer } from '../../../src/transactions/inspect/reviewer';
import type { AddBuild, DecreaseBuild, TestClient } from './client';

/** The slippage that intents of tests are made with; the client asks for the same. */
export const SLIPPAGE_BPS = 500;

/** A pool as the user was shown it. */
export interface ShownPool {
  readonly pool: string;
  readonly token0: string;
  readonly token1: string;
}

/** What an editor knows of a pool when it has something reviewed. */
export function intentBase(
  { sandbox }: TestClient,
  { pool, token0, token1 }: ShownPool,
): Pick<IntentBase, 'owner' | 'pool' | 'slippageBps' | 'tokenX' | 'tokenY'> {
  return {
    owner: address(sandbox.owner),
    pool: address(pool),
    slippageBps: SLIPPAGE_BPS,
    tokenX: address(token0),
    tokenY: address(token1),
  };
}

/** The figures that the service lists of a position, as an operation hands them to the review. */
export async function shownOfPosition(
  client: TestClient,
  position: string,
  shareBps: number,
): Promise<Pick<ZapOutIntent, 'references' | 'worth' | 'holdings' | 'listedPrices'>> {
  const { positions, pools } = await listsOf(client);
  const listed = positions.find((one) => one.address === position);
  assert.ok(listed !== undefined, `${position} is not listed`);
  return {
    references: referencesOfPosition(listed),
    worth: worthOfShare(listed, shareBps),
    holdings: holdingsOfShare(listed, shareBps),
    listedPrices: listedPricesOfPosition(listed, { positions, pools }),
  };
}

/** The prices that the service lists of a pool, token X by the active bin where there is one, as an operation hands them to the review. */
export async function shownOfPool(
  client: TestClient,
  pool: string,
): Promise<Pick<ZapInIntent, 'references' | 'listedPrices' | 'activeBinId' | 'binStepBps'>> {
  const lists = await listsOf(client);
  const listed = lists.pools.find((one) => one.address === pool);
  assert.ok(listed !== undefined, `${pool} is not listed`);
  const { token0, token1, price0Usd, price1Usd, binStepBps } = listed;
  const { items } = await serviceOf(client).tokenBalances({ owner: address(client.sandbox.owner) });
  const { activeBin } = await serviceOf(client).poolInfo(listed.address);
  const { decimals: decimals0 } = token0;
  const { decimals: decimals1 } = token1;
  const isBinned = activeBin !== undefined && binStepBps !== undefined && decimals0 !== undefined && decimals1 !== undefined;
  const byBin =
    !isBinned || price1Usd === undefined ? undefined : uiPriceOfBin(activeBin.binId, binStepBps, decimals0, decimals1) * price1Usd;
  const prices = {
    decimalsX: token0.decimals,
    decimalsY: token1.decimals,
    priceXUsd: byBin ?? price0Usd,
    priceYUsd: price1Usd,
    solUsd: items.find(({ mint }) => mint === WRAPPED_SOL_MINT)?.priceUsd,
  };
  const plan = { tokenX: token0.address, tokenY: token1.address, prices };
  return { references: referencesOfPlan(plan), listedPrices: listedPricesOfPlan(plan, lists), activeBinId: activeBin?.binId, binStepBps };
}

export function serviceOf({ sandbox: { url, apiKey } }: TestClient): LiquidityService {
  return createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
}

async function listsOf(client: TestClient): Promise<PricedLists> {
  const service = serviceOf(client);
  const { items: positions } = await service.openPositions(address(client.sandbox.owner));
  const { items: pools } = await service.discoverPools({ pageSize: 100, poolType: 'all' });
  return { positions, pools };
}

/** The transactions of a withdrawal as the review takes them. */
export function decreaseInput(
  intent: ZapOutIntent,
  { lastValidBlockHeight, closeTxsWithJito, swapTxsWithJito }: DecreaseBuild,
): ReviewInput {
  return {
    intent,
    transactions: [...inGroup('close', closeTxsWithJito), ...inGroup('swap', swapTxsWithJito)],
    lastValidBlockHeight,
    nowMs: Date.now(),
  };
}

/** The transactions of an entry as the review takes them. */
export function addInput(intent: ZapInIntent, { lastValidBlockHeight, swapTxsWithJito, addLiquidityTxsWithJito }: AddBuild): ReviewInput {
  return {
    intent,
    transactions: [...inGroup('swap', swapTxsWithJito), ...inGroup('add', addLiquidityTxsWithJito)],
    lastValidBlockHeight,
    nowMs: Date.now(),
  };
}

/** The transactions of a swap of the wallet's tokens, or of unwrapping, as the review takes them. */
export function swapInput(
  intent: SwapIntent | UnwrapIntent,
  { lastValidBlockHeight, swapTxsWithJito }: Pick<DecreaseBuild, 'lastValidBlockHeight' | 'swapTxsWithJito'>,
): ReviewInput {
  return { intent, transactions: inGroup('swap', swapTxsWithJito), lastValidBlockHeight, nowMs: Date.now() };
}

/** Reviews as the extension does where the sandbox's own RPC is the user's: tables looked up, transactions simulated. */
export async function reviewWithRpc({ sandbox }: TestClient, input: ReviewInput): Promise<Review> {
  const { intent, lastValidBlockHeight } = input;
  const transactions = input.transactions.map(({ group, base64 }) => ({
    group,
    base64: parseBase64Transaction(base64) ?? assert.fail('It is not base64'),
  }));
  const problems: string[] = [];
  const reviewer = new Reviewer(
    { intent, transactions, lastValidBlockHeight },
    {
      rpc: createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${sandbox.apiKey}`, sandbox.url).href) }),
      policy: () => ({}),
      isSimulating: true,
      nowMs: () => Date.now(),
      reviewOperation,
      prior: undefined,
      signal: new AbortController().signal,
      log: (problem) => void problems.push(problem),
    },
  );
  const review = await reviewer.review();
  assert.deepEqual(problems, []);
  return review;
}

/** Passes without a question. */
export function assertAllowed({ verdict, findings }: Review, what: string): void {
  assert.deepEqual(
    findings.filter((finding) => finding.verdict !== 'info').map(({ rule, message }) => `${rule} ${message}`),
    [],
    what,
  );
  assert.equal(verdict, 'allow', what);
}

/** Is blocked by that rule; nothing of it can be signed. */
export function assertBlocked(input: ReviewInput, rule: string): void {
  const { verdict, findings, reviewed } = reviewOperation(input);
  assert.equal(verdict, 'block');
  assert.ok(
    findings.some((finding) => finding.verdict === 'block' && finding.rule === rule),
    `${rule} is not among ${findings.map((finding) => `${finding.verdict} ${finding.rule} ${finding.message}`).join('\n')}`,
  );
  assert.deepEqual(reviewed, []);
}

function inGroup(group: TransactionGroup, texts: readonly string[]): ReviewInput['transactions'] {
  return texts.map((base64) => ({ group, base64 }));
}
