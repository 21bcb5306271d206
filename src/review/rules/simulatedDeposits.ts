import * as l10n from '@vscode/l10n';
import { BASIS_POINTS, WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { deposits } from '../intents';
import type { OperationContext } from '../context';
import { type DecodedCall, addressIn, integerAt, isInstruction, readInstruction, type ReadTransaction } from '../decode/instructions';
import { tokenAccountState } from '../facts/accounts';
import type { SimulatedTransaction } from '../facts/facts';
import type { Notes } from '../notes';
import { depositedAmounts } from './depositPrice';
import { isDeposit } from '../decode/meteora';
import { tryOrAcceptWords } from './words';

/**
 * SIM-6: in the simulation, a deposit puts into the position about what it states, of at least one of its tokens. One that takes little of both
 * at the present price would take the rest at another price.
 *
 * The transfers that the instruction calls show it, or the balances where nothing else changes them. Without either, nothing is compared.
 */
export function reviewSimulatedDeposits(index: number, simulated: SimulatedTransaction, context: OperationContext, notes: Notes): void {
  const { intent, policy, transactions } = context;
  const transaction = transactions.find(({ view }) => view.index === index);
  if (transaction === undefined || !deposits(intent)) {
    return;
  }
  const leastBps = BigInt(Math.max(0, WHOLE_BPS - intent.slippageBps - policy.priceToleranceBps));
  for (const reading of transaction.readings.filter((each) => isDeposit(each) && each.args !== undefined)) {
    const sides = statedSides(reading, context).filter(({ stated }) => stated > 0n);
    const isLittle = sides.every(({ account, stated }) => {
      const moved = movedFrom(account, reading, simulated, transaction) ?? fallOf(account, index, simulated, notes);
      return moved !== undefined && moved * BASIS_POINTS < stated * leastBps;
    });
    if (sides.length > 0 && isLittle) {
      notes
        .at(index, reading.index)
        .confirm(
          'SIM-6',
          `${l10n.t('In the simulation, the deposit takes much less than it states: it may take the rest at another price.')} ${tryOrAcceptWords()}`,
        );
    }
  }
}

/** The owner's accounts with the most that the deposit states to take, raw units. */
function statedSides(
  reading: DecodedCall,
  { intent }: OperationContext,
): readonly { readonly account: Address | undefined; readonly stated: bigint }[] {
  if (isInstruction(reading, PROGRAMS.dammV2, 'add_liquidity')) {
    return [
      { account: addressIn(reading, 'token_a_account'), stated: integerAt(reading.args, 'params', 'token_a_amount_threshold') ?? 0n },
      { account: addressIn(reading, 'token_b_account'), stated: integerAt(reading.args, 'params', 'token_b_amount_threshold') ?? 0n },
    ];
  }
  const { amountX, amountY } = depositedAmounts(reading, intent);
  const oneSide = addressIn(reading, 'user_token');
  return oneSide === undefined
    ? [
        { account: addressIn(reading, 'user_token_x'), stated: amountX },
        { account: addressIn(reading, 'user_token_y'), stated: amountY },
      ]
    : [{ account: oneSide, stated: amountX + amountY }];
}

/** What the deposit's transfers move out of an account, raw units; `undefined`: it is not known what it calls. */
function movedFrom(
  account: Address | undefined,
  reading: DecodedCall,
  { innerInstructions = [] }: SimulatedTransaction,
  { view: { accounts } }: ReadTransaction,
): bigint | undefined {
  const called = innerInstructions.filter(({ calledBy }) => calledBy === reading.index);
  if (called.length === 0 || account === undefined) {
    return undefined;
  }
  return called.reduce((sum, { programIdIndex, accountIndexes, data }) => {
    const program = accounts[programIdIndex]?.address;
    const views = accountIndexes.flatMap((place) => accounts[place] ?? []);
    const isToken = (program === PROGRAMS.token || program === PROGRAMS.token2022) && views.length === accountIndexes.length;
    const transfer = isToken ? readInstruction({ program, accounts: views, data }, reading.index) : undefined;
    return transfer !== undefined && addressIn(transfer, 'source') === account ? sum + (integerAt(transfer.args, 'amount') ?? 0n) : sum;
  }, 0n);
}

/** How much less is in an account after the transaction, where only the deposit changes it; `undefined` otherwise, or if it is not shown. */
function fallOf(
  account: Address | undefined,
  index: number,
  { before, after }: SimulatedTransaction,
  { effects }: Notes,
): bigint | undefined {
  const isChangedOtherwise = effects.some(
    (effect) =>
      effect.transaction === index &&
      (effect.kind === 'minimumOut' ||
        effect.kind === 'wrap' ||
        effect.kind === 'unwrap' ||
        ((effect.kind === 'spendToken' || effect.kind === 'consume') && effect.into === 'swap')),
  );
  const [first, last] = [before, after].map((states) => {
    const state = account === undefined ? undefined : states.get(account);
    return state && tokenAccountState(state)?.amountRaw;
  });
  return isChangedOtherwise || first === undefined || last === undefined ? undefined : first - last;
}
