import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { valueOf } from '../intents';
import type { OperationContext } from '../context';
import type { Notes } from '../notes';
import type { Spends, TokenAmount } from '../types';
import { knownPrices, leastWorth } from './swapPrice';
import { confirmAboveWords } from './words';

/** Costs up to this are those of a few signatures, and no question however little is moved. */
const NEGLIGIBLE_LAMPORTS = 500_000n;

/**
 * FEE-4: tips, network and priority fees may be within their caps and still take much of a small operation. Rent is left out: it comes back,
 * or pays for a bin array, which no service can choose to be dearer (RNT-1). Where the value is not known, the caps alone apply.
 * @param spends of the operation and of earlier attempts
 */
export function reviewCosts(context: OperationContext, spends: Spends, notes: Notes): void {
  const { policy } = context;
  const costs = spends.tipLamports + spends.networkFeeLamports + spends.priorityFeeLamports;
  const value = valueLamports(context);
  if (value === undefined || costs <= NEGLIGIBLE_LAMPORTS || costs * BASIS_POINTS <= value * policy.costConfirmBps) {
    return;
  }
  const [sol, most] = [lamportsToSol(costs), Number(policy.costConfirmBps) / 100];
  const share = value > 0n ? Number((costs * BASIS_POINTS) / value) / 100 : 100;
  const words = `${l10n.t`Tips and fees cost up to ${sol} SOL, ${share}% of the amount.`} ${confirmAboveWords(`${most}%`)}`;
  notes.operation('FEE-4', 'confirm', words, { amountRaw: costs });
}

/** What the user moves, lamports, at the lowest known prices; `undefined` if a part of it has no known price. */
function valueLamports(context: OperationContext): bigint | undefined {
  const moved = valueOf(context.intent);
  if ('all' in moved) {
    return moved.all
      .map((amount) => inLamports(amount, context))
      .reduce<bigint | undefined>((total, value) => (total === undefined || value === undefined ? undefined : total + value), 0n);
  }
  const values = moved.either.flatMap((worth) => inLamports(worth, context) ?? []);
  return values.reduce<bigint | undefined>((least, value) => (least === undefined || value < least ? value : least), undefined);
}

function inLamports({ mint, amountRaw }: TokenAmount, context: OperationContext): bigint | undefined {
  return mint === WRAPPED_SOL_MINT || amountRaw === 0n
    ? amountRaw
    : leastWorth(amountRaw, knownPrices({ sold: mint, bought: WRAPPED_SOL_MINT }, context));
}
