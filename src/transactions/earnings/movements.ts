import * as l10n from '@vscode/l10n';
import type { ExportEntry, Movement } from '../../base/insight/export';
import { type AmountsByMint, type LedgerTransaction, tradedIn } from '../../base/insight/ledger';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { addedAmounts } from './ledgerTransactions';

/** A token of a pool, as the service describes it. */
interface NamedToken {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** What is written of the pool of a transaction. */
export interface MovementsPool {
  readonly pairName: string;
  readonly tokens: readonly NamedToken[];
}

/**
 * What transactions of a position moved in and out of the wallet, for a tax program. Fees of the position are rewards, less a commission; network fees, tips and
 * rent for good are the fee. Rent that comes back lies in accounts of the wallet's own and is no movement. Rewards, received, less sent and fee are
 * the change of the wallet.
 * @returns `undefined` if tokens moved that are not the pool's: how they are written is not known
 */
export function movementsOf(
  transactions: readonly LedgerTransaction[],
  { pairName, tokens }: MovementsPool,
): readonly ExportEntry[] | undefined {
  const isKnown = (mint: string): boolean => mint === WRAPPED_SOL_MINT || tokens.some((token) => token.mint === mint);
  if (!transactions.every((one) => one.tokens.every(({ mint }) => isKnown(mint)))) {
    return undefined;
  }
  return transactions.map((transaction) => {
    const { timeS, signature, feeLamports, tipLamports, rent, pool, commission = [] } = transaction;
    const kept = Object.fromEntries(commission.map(({ mint, raw }) => [mint, -raw]));
    const earned = addedAmounts(pool.fees ?? {}, kept);
    const moved = Object.entries(tradedIn({ ...transaction, pool: { fees: earned }, commission: [] }));
    return {
      timeS,
      signature,
      what: whatOf(transaction, pairName),
      sent: named(Object.fromEntries(moved.filter(([, raw]) => raw < 0n).map(([mint, raw]) => [mint, -raw])), tokens),
      received: named(Object.fromEntries(moved.filter(([, raw]) => raw > 0n)), tokens),
      rewards: named(earned, tokens),
      feeLamports: feeLamports + tipLamports + rent.spent,
    };
  });
}

/** Each transaction once, oldest first: a claim of several positions has a part in each of them. */
export function mergedMovements(entries: readonly ExportEntry[]): readonly ExportEntry[] {
  const bySignature = new Map<string, ExportEntry>();
  for (const entry of entries) {
    const other = bySignature.get(entry.signature);
    bySignature.set(
      entry.signature,
      other === undefined
        ? entry
        : {
            ...other,
            what: other.what === entry.what ? other.what : `${other.what}; ${entry.what}`,
            sent: addedMovements(other.sent, entry.sent),
            received: addedMovements(other.received, entry.received),
            rewards: addedMovements(other.rewards, entry.rewards),
            feeLamports: other.feeLamports + entry.feeLamports,
          },
    );
  }
  return [...bySignature.values()].sort((one, other) => one.timeS - other.timeS);
}

function whatOf({ pool }: LedgerTransaction, pair: string): string {
  const [isIn, isOut, isFees] = [pool.in, pool.out, pool.fees].map((amounts) => Object.values(amounts ?? {}).some((raw) => raw > 0n));
  if (isIn === true && isOut === true) {
    return `${l10n.t('Rebalance')}: ${pair}`;
  }
  return isIn === true
    ? `${l10n.t('Deposit')}: ${pair}`
    : isOut === true
      ? `${l10n.t('Withdrawn')}: ${pair}`
      : isFees === true
        ? l10n.t`Claim fees of ${pair}`
        : `${l10n.t('Swap or fee')}: ${pair}`;
}

function named(amounts: AmountsByMint, tokens: readonly NamedToken[]): readonly Movement[] {
  return Object.entries(amounts).flatMap(([mint, raw]): readonly Movement[] => {
    const token = mint === WRAPPED_SOL_MINT ? { symbol: 'SOL', decimals: SOL_DECIMALS } : tokens.find((one) => one.mint === mint);
    return raw > 0n && token !== undefined ? [{ mint, raw, symbol: token.symbol, decimals: token.decimals }] : [];
  });
}

function addedMovements(some: readonly Movement[], others: readonly Movement[]): readonly Movement[] {
  const byMint = new Map<string, Movement>();
  for (const one of [...some, ...others]) {
    byMint.set(one.mint, { ...one, raw: one.raw + (byMint.get(one.mint)?.raw ?? 0n) });
  }
  return [...byMint.values()];
}
