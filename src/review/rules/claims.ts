import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { isOwnPlace, type OperationContext, type OperationRule } from '../context';
import { addressIn, type DecodedCall } from '../decode/instructions';
import { isFeeClaim, poolIn } from '../decode/meteora';
import { claims } from '../intents';
import { tokenAccountState } from '../facts/accounts';
import type { SimulatedTransaction } from '../facts/facts';
import type { Notes } from '../notes';
import type { ClaimIntent } from '../types';
import { sumSpends } from '../spends';
import { simulatedChange } from './simulation';
import { rawAmountText, shownWords } from './words';

/** Fees grow until the claim lands, so less than this part of what was shown is not explained by time: parts in a hundred. */
const LEAST_PERCENT = 99n;
const PERCENT = 100n;

/** CLM-1: a claim claims the fees of each position that the user chose, and in the simulation at least 99% of what they were shown arrives. */
export const reviewClaims: OperationRule = (context, notes) => {
  const { intent } = context;
  if (claims(intent)) {
    reviewEachPosition(intent, context, notes);
    reviewArrival(intent, context, notes);
  }
};

function reviewEachPosition({ positions }: ClaimIntent, context: OperationContext, notes: Notes): void {
  const claimed = feeClaims(context);
  for (const place of positions) {
    const isClaimed = claimed.some((reading) => {
      const position = addressIn(reading, 'position');
      return position !== undefined && isOwnPlace(context, position, poolIn(reading), [place]);
    });
    if (!isClaimed) {
      const words = l10n.t`No transaction claims the fees of the position ${place.position}.`;
      notes.operation('CLM-1', 'confirm', words, { address: place.position });
    }
  }
}

function reviewArrival({ positions }: ClaimIntent, context: OperationContext, notes: Notes): void {
  const change = simulatedChange(context);
  if (change === undefined) {
    return;
  }
  const shown = new Map<Address, bigint>();
  for (const { mint, amountRaw } of positions.flatMap(({ fees }) => fees)) {
    shown.set(mint, (shown.get(mint) ?? 0n) + amountRaw);
  }
  for (const [mint, amountRaw] of shown) {
    const isSol = mint === WRAPPED_SOL_MINT;
    const arriving = isSol ? solArriving(context, notes) : (change.get(mint) ?? 0n);
    if (arriving * PERCENT < amountRaw * LEAST_PERCENT) {
      const words = `${l10n.t`In the simulation, only ${rawAmountText(mint, arriving)} arrives.`} ${shownWords(rawAmountText(mint, amountRaw))}`;
      notes.operation('CLM-1', 'confirm', words, { ...(isSol ? {} : { address: mint }), amountRaw: arriving });
    }
  }
}

/**
 * The SOL that the wallet and its token accounts gain, with what fees and tips take. Rent that is locked in or comes back from an own account
 * only moves between them.
 */
function solArriving({ facts, intent: { owner }, transactionCount }: OperationContext, { effects }: Notes): bigint {
  const simulated = facts.simulation?.transactions.slice(0, transactionCount) ?? [];
  const { networkFeeLamports, priorityFeeLamports, tipLamports, otherLamports } = sumSpends(effects);
  const costs = networkFeeLamports + priorityFeeLamports + tipLamports + otherLamports;
  return ownLamports(simulated.at(-1)?.after, owner) - ownLamports(simulated[0]?.before, owner) + costs;
}

function ownLamports(states: SimulatedTransaction['after'] | undefined, owner: Address): bigint {
  return [...(states ?? [])].reduce(
    (total, [account, state]) => (account === owner || tokenAccountState(state)?.owner === owner ? total + state.lamports : total),
    0n,
  );
}

function feeClaims({ transactions }: OperationContext): readonly DecodedCall[] {
  return transactions.flatMap(({ readings }) => readings.filter((reading) => reading.args !== undefined && isFeeClaim(reading)));
}
