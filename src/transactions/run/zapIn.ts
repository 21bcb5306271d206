import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { isDecimals } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { oneLine } from '../../base/text';
import type { TokenAtHand, ZapInIntent } from '../../review/types';
import { entered } from '../outcome/evidence';
import { decimalsOfPlan, listedPricesOfPlan, referencesOfPlan, shown, tokensOfPlan } from '../inspect/listedPrices';
import type { JournalToken, JournalTokens } from '../journal/plans';
import type { OperationSpec } from './steps';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../types';
import { runOperation } from './runOperation';
import { checkZapIn } from './validation';

/** Maximum length of a stored symbol in characters. */
const LONGEST_SYMBOL = 40;

/**
 * Deposits SOL, or the pool's tokens from the wallet, into a new position; see {@link runOperation} for the steps. Settled when the
 * portfolio lists the new position.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function runZapIn(
  plan: ZapInPlan,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { service, portfolio } = dependencies;
  const { amounts, range } = checkZapIn(plan, portfolio.snapshot.owner);
  const { owner, pool, poolType, pairName, tokenX, tokenY, inputLamports, percentX, slippageBps, tokens, activeBinId, binStepBps } = plan;
  const { positions, positionsState } = portfolio.snapshot;
  const before = positionsState.kind === 'ready' || positionsState.kind === 'stale' ? positions : undefined;
  const work: OperationSpec = {
    name: `Zap-in to ${pool}`,
    noun: l10n.t('zap-in'),
    subject: {
      operation: 'zapIn',
      owner,
      pool,
      poolType,
      pairName,
      tokens: tokensOfPlan(plan),
      plan: {
        kind: 'zapIn',
        inputLamports,
        percentX,
        tokens: writtenTokens(plan),
        ...range,
        slippageBps,
        openBefore: before?.flatMap(({ address }) => (address === undefined ? [] : [address])),
      },
    },
    build: async (cancel, buildSlippageBps) => {
      const built = await service.buildAdd({ pool, owner, ...range, slippageBps: buildSlippageBps, ...amounts }, { signal: cancel });
      const { position, lastValidBlockHeight, meta } = built;
      const intent: ZapInIntent = {
        kind: 'zapIn',
        owner,
        pool,
        poolType,
        position,
        slippageBps,
        tokenX,
        tokenY,
        ...inputOf(plan),
        ...range,
        activeBinId,
        binStepBps,
        ...shown(referencesOfPlan(plan)),
        listedPrices: listedPricesOfPlan(plan, portfolio.snapshot),
        listedDecimals: decimalsOfPlan(plan),
      };
      return {
        intent,
        transactions: [
          ...built.swapTransactions.map((base64) => ({ group: 'swap' as const, base64 })),
          ...built.addTransactions.map((base64) => ({ group: 'add' as const, base64 })),
        ],
        lastValidBlockHeight,
        position,
        land: (signed) => service.landAdd({ swapTransactions: signed('swap'), addTransactions: signed('add'), lastValidBlockHeight, meta }),
        effect: entered(position, pool, before),
      };
    },
  };
  // The review counts lamports that an earlier attempt may still spend, but not tokens: a deposit of tokens waits for that attempt.
  return runOperation(work, tokens === undefined ? dependencies : { ...dependencies, waitsForEarlier: true }, host, signal);
}

/** The deposited tokens for the journal, with their symbols if known. */
function writtenTokens({ tokens, tokenX, tokenY, symbolX, symbolY, prices }: ZapInPlan): JournalTokens | undefined {
  return tokens && { ...tokens, x: writtenToken(tokenX, symbolX, prices.decimalsX), y: writtenToken(tokenY, symbolY, prices.decimalsY) };
}

/** Decimals are validated only for deposited tokens; invalid ones are left out. */
function writtenToken(mint: Address | undefined, symbol: string | undefined, decimals: number | undefined): JournalToken | undefined {
  return (
    mint && {
      mint,
      symbol: symbol === undefined ? undefined : oneLine(symbol, LONGEST_SYMBOL),
      decimals: isDecimals(decimals) ? decimals : undefined,
    }
  );
}

/** The deposit in the units of the review: SOL in lamports, other tokens by mint. */
function inputOf({
  inputLamports,
  tokenX,
  tokenY,
  tokens,
  prices,
}: ZapInPlan): Pick<ZapInIntent, 'inputLamports' | 'isSolOnly' | 'tokens'> {
  if (tokens === undefined) {
    return { inputLamports, isSolOnly: true };
  }
  const sides = [...tokenOf(tokenX, tokens.amountXRaw, prices.decimalsX), ...tokenOf(tokenY, tokens.amountYRaw, prices.decimalsY)];
  const lamports = sides.filter(({ mint }) => mint === WRAPPED_SOL_MINT).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
  return { inputLamports: lamports, tokens: sides.filter(({ mint }) => mint !== WRAPPED_SOL_MINT) };
}

function tokenOf(mint: Address | undefined, amountRaw: bigint, decimals: number | undefined): readonly TokenAtHand[] {
  return mint === undefined ? [] : [{ mint, amountRaw, decimals }];
}
