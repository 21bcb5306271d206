import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { allowsStep, withdraws } from '../intents';
import { type InstructionRule, ownedMint, type TransactionContext } from '../context';
import { addressIn, type DecodedCall, integerAt, isInstruction } from '../decode/instructions';
import type { PlaceNotes } from '../notes';
import { reviewDepositPrice } from './depositPrice';
import { isPoolSwap } from '../decode/meteora';
import { DAMM_STEPS, DAMM_ROLES } from './meteoraRoles';
import { noteSpend, reviewPoolAndPosition, reviewRecipients } from './meteoraAccounts';
import { reviewPoolSwap } from './poolSwap';
import { reviewShare } from './removals';
import { foreignWords, unreadWords } from './words';

// A position in DAMM v2 belongs to the holder of its NFT, and its address is derived from the NFT's mint. The service does not document
// which of the two addresses it gives, so both are accepted (DAMM-1).

/** DAMM-1: the position and the NFT account are derived from the NFT's mint, as far as the mint is known. */
export function reviewNft(reading: DecodedCall, rule: string, context: TransactionContext, notes: PlaceNotes): void {
  const position = addressIn(reading, 'position');
  const named = addressIn(reading, 'position_nft_mint');
  if (named !== undefined && position !== undefined && context.derived.dammPosition(named) !== position) {
    notes.block(rule, l10n.t`The position ${position} does not belong to the NFT ${named}.`, { address: named });
  }
  const account = addressIn(reading, 'position_nft_account');
  const mint = named ?? mintOf(position, context);
  if (account !== undefined && mint !== undefined && context.derived.dammPositionNftAccount(mint) !== account) {
    notes.block(rule, l10n.t`The account ${account} does not hold the position's NFT.`, { address: account });
  }
}

/** The mint of the position's NFT, if the intent or another instruction of the operation names it. */
function mintOf(position: Address | undefined, { transactions, places, derived }: TransactionContext): Address | undefined {
  if (position === undefined) {
    return undefined;
  }
  const named = places.flatMap((place) => place.position ?? []);
  if (!named.includes(position)) {
    return named.find((mint) => derived.dammPosition(mint) === position);
  }
  return transactions
    .flatMap(({ readings }) => readings)
    .filter((reading) => addressIn(reading, 'position') === position)
    .flatMap((reading) => addressIn(reading, 'position_nft_mint') ?? [])
    .find((mint) => derived.dammPosition(mint) === position);
}

/** Roles of the owner's token accounts and their mints, with the argument that limits the amount. */
const SIDES = [
  ['token_a_account', 'token_a_mint', 'token_a_amount_threshold'],
  ['token_b_account', 'token_b_mint', 'token_b_amount_threshold'],
] as const;

/**
 * Notes the most that a DAMM v2 instruction takes from the owner and the least that it pays out (DAMM-4): the thresholds of a deposit are
 * maximums, those of a withdrawal minimums.
 */
function noteDammAmounts(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const isAddition = isInstruction(reading, PROGRAMS.dammV2, 'add_liquidity');
  if (!isAddition && !isInstruction(reading, PROGRAMS.dammV2, 'remove_liquidity', 'remove_all_liquidity')) {
    return;
  }
  const thresholds = SIDES.map(([account, mint, threshold]) => ({
    account: addressIn(reading, account),
    namedMint: addressIn(reading, mint),
    amountRaw: integerAt(reading.args, 'params', threshold) ?? integerAt(reading.args, threshold) ?? 0n,
  }));
  if (isAddition) {
    thresholds.forEach(({ account, namedMint, amountRaw }) => noteSpend(account, amountRaw, 'position', context, notes, namedMint));
    return;
  }
  for (const { account, namedMint, amountRaw } of thresholds.filter((threshold) => threshold.amountRaw > 0n)) {
    notes.effect({ kind: 'minimumOut', mint: ownedMint(context, account) ?? namedMint, amountRaw });
  }
  if (thresholds.every(({ amountRaw }) => amountRaw === 0n)) {
    notes.info('DAMM-4', l10n.t('The withdrawal guarantees no minimum: a trade right before it could reduce what you get.'));
  }
}

/**
 * Reviews Meteora DAMM v2 (DAMM-1 to DAMM-7, and DLMM-0 and DLMM-4, which apply to both programs). DLMM-10 is checked for the whole
 * operation (positionPlan.ts).
 */
export const reviewDamm: InstructionRule = (reading, context, notes) => {
  const { layout, args } = reading;
  const { intent } = context;
  if (layout === undefined || args === undefined) {
    notes.block('DLMM-0', unreadWords(reading));
    return;
  }
  const step = DAMM_STEPS.get(layout.name);
  if (step === undefined || !allowsStep(intent, step)) {
    notes.block('DAMM-5', foreignWords(reading));
    return;
  }
  reviewPoolAndPosition(reading, DAMM_ROLES, context, notes);
  reviewRecipients(reading, DAMM_ROLES, context, notes);
  reviewNft(reading, 'DAMM-1', context, notes);
  if (withdraws(intent)) {
    reviewShare(reading, intent, notes);
  } else {
    reviewDepositPrice(reading, context, notes);
  }
  if (isPoolSwap(reading)) {
    reviewPoolSwap(reading, context, notes);
  } else {
    noteDammAmounts(reading, context, notes);
  }
};
