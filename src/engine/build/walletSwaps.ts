import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { minimumOut } from '../assembly/jupiterRoute';
import { buildWalletSwap, type WalletSwapPlan } from '../assembly/swaps';
import type { SwapPlan, WrittenSwap } from '../assembly/types';
import { WRAPPED_SOL } from '../assembly/walletInstructions';
import { EngineError, type SwapParameters } from '../engine';
import type { WireSwap } from '../wire/transactions';
import { type Build, wait } from './build';
import { requireLamports, requireToken, tokensOf } from './costs';
import { asBuilt, handOut } from './handOut';
import type { BuildService, PlannedSwap, Wallet } from './ports';

/** What a swap of a wallet's tokens does, without its terms. */
interface SwapDraft extends Pick<WalletSwapPlan, 'swap' | 'wrapLamports' | 'unwraps'> {
  readonly wallet: Wallet;
  readonly quote: Omit<WireSwap['quote'], 'provider'>;
}

/**
 * Builds a swap of tokens of a wallet, or the unwrapping of its SOL.
 * @throws EngineError if a token or a way between them does not exist, the wallet has too little, or a transaction would fail
 */
export function* buildSwap(service: BuildService, parameters: SwapParameters, revise = asBuilt): Build<WireSwap> {
  const { owner } = parameters;
  const { wallet, quote, ...draft } = parameters.unwrap ? yield* unwrapping(service, parameters) : yield* swapping(service, parameters);
  const swaps = draft.swap === undefined ? [] : [draft.swap];
  const pools = swaps.flatMap((swap) => ('hops' in swap ? swap.hops.map(({ via }) => via) : []));
  const written = pools.map(({ pool }) => pool);
  const { terms, lastValidBlockHeight } = yield* wait(service.terms(owner, written, MOST_TRANSACTIONS));
  const plan: WalletSwapPlan = { ...terms, ...draft };
  const { withJito, plain, coverage } = yield* handOut(service, {
    kind: 'swap',
    plan,
    pools: [],
    swaps,
    lastValidBlockHeight,
    wallet,
    spentLamports: draft.wrapLamports,
    promised: { strategy: null, price: null },
    lists: ['swap'],
    build: (of: WalletSwapPlan) => ({ position: undefined, transactions: { swap: revise(buildWalletSwap(of), of) } }),
  });
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    swapTxs: plain.swap,
    swapTxsWithJito: withJito.swap,
    simulation: coverage,
    quote: { ...quote, provider: service.provider },
  };
}

/** Wrapping, token accounts, the swap and unwrapping, each on its own. */
const MOST_TRANSACTIONS = 4;

function* swapping(service: BuildService, parameters: Extract<SwapParameters, { unwrap: false }>): Build<SwapDraft> {
  const { owner, inputMint, outputMint, amount, slippageBps } = parameters;
  if (inputMint === outputMint) {
    throw new EngineError('invalid', 'inputMint and outputMint are the same token');
  }
  const { sell, buy, swaps } = yield* wait(service.pair(inputMint, outputMint));
  const before = yield* wait(service.wallet(owner, [sell, WRAPPED_SOL]));
  requireToken(sell, before, amount);
  const isSold = sell.mint === WRAPPED_SOL_MINT;
  requireLamports(before, isSold ? amount : 0n);
  function* quoted(): Build<PlannedSwap | undefined> {
    return yield* wait(swaps({ owner, slippageBps }).plan(sell, buy, amount));
  }
  const planned = yield* service.dryRun(quoted());
  if (planned === undefined) {
    throw new EngineError(
      'notFound',
      `There is no way to swap ${amount} (raw) of ${sell.name} to ${buy.name}: no pools take that much of it`,
    );
  }
  const swap = yield* wait(planned.write());
  const hadWrappedSol = before.balance(WRAPPED_SOL) !== undefined;
  return {
    swap,
    wrapLamports: isSold ? amount : 0n,
    // What is bought arrives as SOL. An account that was there before the sale of SOL stays, with what is in it.
    unwraps: buy.mint === WRAPPED_SOL_MINT || (!hadWrappedSol && opensWrappedSol(swap, isSold)),
    wallet: yield* wait(service.wallet(owner, tokensOf([], [swap]))),
    quote: { sold: String(amount), expected: String(planned.out), guaranteed: String(minimumOut({ quotedOut: planned.out, slippageBps })) },
  };
}

/** Whether a swap opens an account for wrapped SOL: it sells SOL, or goes through it. */
function opensWrappedSol(swap: SwapPlan | WrittenSwap, isSold: boolean): boolean {
  const tokens = 'hops' in swap ? swap.hops.flatMap(({ via }) => [via.tokenX, via.tokenY]) : [];
  return isSold || tokens.some(({ mint }) => mint === WRAPPED_SOL_MINT);
}

function* unwrapping(service: BuildService, { owner }: Extract<SwapParameters, { unwrap: true }>): Build<SwapDraft> {
  const wallet = yield* wait(service.wallet(owner, [WRAPPED_SOL]));
  const wrapped = wallet.balance(WRAPPED_SOL) ?? 0n;
  if (wrapped === 0n) {
    throw new EngineError('invalid', 'There is nothing to unwrap: the wallet has no wrapped SOL in its own token account');
  }
  const all = String(wrapped);
  return { swap: undefined, wrapLamports: 0n, unwraps: true, wallet, quote: { sold: all, expected: all, guaranteed: all } };
}
