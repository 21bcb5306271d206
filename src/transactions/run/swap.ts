import { operationNoun } from '../../base/operationKinds';
import type { SwapIntent, UnwrapIntent } from '../../review/types';
import type { SwapRequest } from '../../service/transactions';
import { decimalsOfPlan, listedPricesOfPlan, referencesOfPlan, shown, tokensOfPlan } from '../inspect/listedPrices';
import type { JournalPlan } from '../journal/plans';
import type { OperationDependencies, OperationHost, OperationResult, TokenSwapPlan, UnwrapPlan } from '../types';
import { writtenToken } from './deposits';
import { runOperation } from './runOperation';
import type { OperationSpec } from './steps';
import { checkSwap, checkUnwrap } from './validation';

/**
 * Swaps a token of the wallet; see {@link runOperation} for the steps. No list of positions shows it: only its own signatures on the chain settle
 * it. It waits until an earlier swap of the token can no longer land: both together could sell more than the user chose.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runSwap(
  plan: TokenSwapPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { owner, sold, bought, amountRaw, slippageBps, leavesMore } = plan;
  checkSwap(plan, dependencies.portfolio.snapshot);
  const pair = {
    tokenX: sold.mint,
    tokenY: bought.mint,
    symbolX: sold.symbol,
    symbolY: bought.symbol,
    prices: {
      decimalsX: sold.decimals,
      decimalsY: bought.decimals,
      priceXUsd: sold.priceUsd,
      priceYUsd: bought.priceUsd,
      solUsd: plan.solUsd,
    },
  };
  const intent: SwapIntent = {
    kind: 'swap',
    owner,
    inputMint: sold.mint,
    outputMint: bought.mint,
    amountRaw,
    slippageBps,
    ...shown(referencesOfPlan(pair)),
    listedPrices: listedPricesOfPlan(pair, dependencies.portfolio.snapshot),
    listedDecimals: decimalsOfPlan(pair),
  };
  const written: JournalPlan<'swap'> = {
    kind: 'swap',
    sold: writtenToken(sold.mint, sold.symbol, sold.decimals),
    bought: writtenToken(bought.mint, bought.symbol, bought.decimals),
    amountRaw,
    slippageBps,
    ...(leavesMore === true ? { leavesMore } : {}),
  };
  const work = exchange(
    {
      name: `Swap of ${amountRaw} of ${sold.mint} to ${bought.mint}`,
      plan: written,
      pairName: `${sold.symbol ?? sold.mint}/${bought.symbol ?? bought.mint}`,
      tokens: tokensOfPlan(pair),
    },
    intent,
    (buildSlippageBps) => ({
      kind: 'swap',
      owner,
      inputMint: sold.mint,
      outputMint: bought.mint,
      amountRaw,
      slippageBps: buildSlippageBps,
    }),
    dependencies,
  );
  return runOperation(work, { ...dependencies, waitsForEarlier: true }, host, signal);
}

/**
 * Unwraps all SOL in the wallet's own account for wrapped SOL, as {@link runSwap} does.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runUnwrap(
  plan: UnwrapPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { owner, lamports, solUsd, leavesMore } = plan;
  checkUnwrap(plan, dependencies.portfolio.snapshot);
  const prices = { decimalsX: undefined, decimalsY: undefined, priceXUsd: undefined, priceYUsd: undefined, solUsd };
  const work = exchange(
    {
      name: 'Unwrapping of SOL',
      plan: { kind: 'unwrap', lamports, ...(leavesMore === true ? { leavesMore } : {}) },
      pairName: 'SOL',
      tokens: tokensOfPlan({ tokenX: undefined, tokenY: undefined, prices }),
    },
    { kind: 'unwrap', owner, slippageBps: 0 },
    () => ({ kind: 'unwrap', owner }),
    dependencies,
  );
  return runOperation(work, { ...dependencies, waitsForEarlier: true }, host, signal);
}

/** An operation that exchanges tokens of the wallet, in no pool of its own. */
function exchange(
  {
    name,
    plan,
    ...of
  }: Pick<OperationSpec['subject'], 'pairName' | 'tokens'> & { readonly name: string; readonly plan: JournalPlan<'swap' | 'unwrap'> },
  intent: SwapIntent | UnwrapIntent,
  request: (slippageBps: number) => SwapRequest,
  { service }: Pick<OperationDependencies, 'service'>,
): OperationSpec {
  return {
    name,
    noun: operationNoun(plan.kind),
    subject: { ...of, operation: plan.kind, owner: intent.owner, pool: undefined, poolType: undefined, plan },
    build: async (cancel, slippageBps) => {
      const { swapTransactions, lastValidBlockHeight } = await service.buildSwap(request(slippageBps), { signal: cancel });
      return {
        intent,
        transactions: swapTransactions.map((base64) => ({ group: 'swap' as const, base64 })),
        lastValidBlockHeight,
        position: undefined,
        land: (signed) => service.landSwap({ swapTransactions: signed('swap'), lastValidBlockHeight }),
        effect: undefined,
      };
    },
  };
}
