import type { Address } from '../../solana/address';
import { decodeInstruction, InstructionCodecError, type Arguments, type InstructionLayout } from '../../solana/instructionCodec';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../solana/programs';
import { integerAt, numberAt } from '../argumentValues';
import { isOwned, ownedMint, type TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { ALL_BPS } from '../policy';
import { accountIn, addressIn, type Reading } from '../reading';
import { noteSpend } from './dlmmAmounts';
import type { InstructionRule } from './rule';

const SOURCE_ROLES = ['user_source_token_account', 'source_token_account'];
const DESTINATION_ROLES = ['user_destination_token_account', 'destination_token_account'];

/** Policy §10: swaps through the Jupiter router (SWP). What the route does inside is Jupiter's, and not checked. */
export const reviewJupiter: InstructionRule = (reading, context, notes) => {
  const { layout } = reading;
  if (layout === undefined) {
    notes.block('SWP-0', 'An instruction to Jupiter is not one that swaps, or not one that Binsight knows.');
    return;
  }
  const args = reading.args ?? claimedArguments(reading, layout);
  if (args === undefined) {
    notes.block('SWP-5', `The Jupiter instruction "${layout.name}" cannot be read: ${reading.problem?.message ?? 'its data is odd'}.`);
    return;
  }
  if (reading.args === undefined) {
    notes.confirm('SWP-5', 'The route trades in a way that is newer than Binsight; its amounts are only what it claims.');
  }
  reviewAccounts(reading, context, notes);
  reviewLimits(reading, args, context, notes);
  reviewAmounts(reading, args, context, notes);
};

/**
 * Reads the amounts of a route whose plan names an unknown way to trade: they stand before the plan, or end the data.
 * That they do is only a claim (SWP-5), because the program itself reads on from wherever the plan ends.
 */
function claimedArguments(reading: Reading, layout: InstructionLayout): Arguments | undefined {
  if (reading.problem?.unknownChoice !== true) {
    return undefined;
  }
  const plan = layout.args.findIndex(([name]) => name === 'route_plan');
  const behind = layout.args.slice(plan + 1);
  const scalars = behind.length > 0 ? behind : layout.args.slice(0, plan);
  const { data } = reading.view;
  const size = scalars.reduce((sum, [, type]) => sum + (typeof type === 'string' ? (SCALAR_BYTES[type] ?? 0) : 0), 0);
  const begin = layout.discriminator.length / 2;
  const claimed = behind.length > 0 ? data.subarray(Math.max(begin, data.length - size)) : data.subarray(begin, begin + size);
  try {
    return decodeInstruction({ ...layout, discriminator: '', args: scalars }, claimed);
  } catch (error) {
    if (error instanceof InstructionCodecError) {
      return undefined;
    }
    throw error;
  }
}

const SCALAR_BYTES: Readonly<Record<string, number>> = { u8: 1, u16: 2, u64: 8 };

/** SWP-1 and SWP-6: the owner swaps out of and into the owner's own accounts, and only tokens of the pool. */
function reviewAccounts(reading: Reading, context: TransactionContext, notes: PlaceNotes): void {
  const { intent, poolMints } = context;
  const authority = addressIn(reading, 'user_transfer_authority');
  if (authority !== intent.owner) {
    notes.block('SWP-1', `The swap is made for ${authority ?? 'somebody in a lookup table'}, not for you.`, { address: authority });
  }
  for (const role of DESTINATION_ROLES) {
    const account = accountIn(reading, role);
    const optional = reading.layout?.accounts.find(({ name }) => name === role)?.optional === true;
    if (account === undefined || (optional && account.address === PROGRAMS.jupiterV6)) {
      continue;
    }
    if (account.address === undefined) {
      notes.confirm('SWP-1', 'What the swap gives goes to an account in a lookup table, which could not be checked.');
    } else if (!isOwned(context, account.address)) {
      notes.block('SWP-1', `What the swap gives would go to ${account.address}, which is not one of your accounts.`, { address: account.address });
    }
  }
  const sold = ownedMint(context, sourceAccount(reading));
  const bought = addressIn(reading, 'destination_mint');
  const expectedSold = intent.kind === 'zapIn' ? sold === WRAPPED_SOL_MINT : sold !== undefined && poolMints.has(sold);
  if (!expectedSold) {
    notes.confirm('SWP-6', `The swap sells ${sold ?? 'a token that could not be determined'}, which this operation is not about.`, { address: sold });
  }
  if (bought === undefined || !expectedOutputs(context).has(bought)) {
    notes.confirm('SWP-6', `The swap buys ${bought ?? 'a token that could not be determined'}, which this operation is not about.`, { address: bought });
  }
}

/** What may be bought: for a zap-in the pool's tokens, for a zap-out what the user wants to receive (nothing for both as they are). */
function expectedOutputs(context: TransactionContext): ReadonlySet<Address> {
  const { intent, poolMints } = context;
  if (intent.kind === 'zapIn') {
    return poolMints;
  }
  switch (intent.output) {
    case 'both':
      return new Set();
    case 'allBaseToken':
      return new Set([WRAPPED_SOL_MINT]);
    case 'allToken0':
      return intent.tokenX === undefined ? poolMints : new Set([intent.tokenX]);
    case 'allToken1':
      return intent.tokenY === undefined ? poolMints : new Set([intent.tokenY]);
  }
}

/** SWP-2 and SWP-4: how much worse the result may be, and what others get of it. */
function reviewLimits(reading: Reading, args: Arguments, context: TransactionContext, notes: PlaceNotes): void {
  const { intent, policy } = context;
  const slippageBps = numberAt(args, 'slippage_bps') ?? ALL_BPS;
  if (slippageBps > policy.slippageBlockBps) {
    notes.block('SWP-2', `The swap may give ${slippageBps / 100} % less than quoted.`);
  } else if (slippageBps > intent.slippageBps) {
    notes.confirm('SWP-2', `The swap may give ${slippageBps / 100} % less than quoted; you allowed ${intent.slippageBps / 100} %.`);
  }
  const platformFeeBps = numberAt(args, 'platform_fee_bps') ?? 0;
  if (platformFeeBps === 0) {
    return;
  }
  const named = addressIn(reading, 'platform_fee_account');
  const taker = named === PROGRAMS.jupiterV6 ? undefined : named;
  const words = `${platformFeeBps / 100} % of the swap goes to ${taker ?? 'the platform'} as a fee.`;
  if (platformFeeBps > policy.platformFeeBlockBps) {
    notes.block('SWP-4', words, { address: taker });
  } else {
    notes.confirm('SWP-4', words, { address: taker });
  }
  if (taker !== undefined) {
    notes.effect({ kind: 'recipient', address: taker, role: 'platform fee' });
  }
}

/** SWP-3, SWP-9 and the amounts: what goes in at most, and what comes out at least. */
function reviewAmounts(reading: Reading, args: Arguments, context: TransactionContext, notes: PlaceNotes): void {
  const slippageBps = BigInt(numberAt(args, 'slippage_bps') ?? ALL_BPS);
  const all = BigInt(ALL_BPS);
  const mint = addressIn(reading, 'destination_mint');
  const exactOut = integerAt(args, 'out_amount');
  const quotedOut = integerAt(args, 'quoted_out_amount') ?? 0n;
  const quotedIn = integerAt(args, 'quoted_in_amount') ?? 0n;
  const kept = slippageBps > all ? 0n : all - slippageBps;
  const out = exactOut ?? (quotedOut * kept) / all;
  const most = exactOut === undefined ? integerAt(args, 'in_amount') : (quotedIn * (all + slippageBps) + all - 1n) / all;
  if (most === undefined) {
    notes.confirm('SWP-7', 'How much is swapped is not in the transaction: it depends on your balance at that moment.');
  } else {
    noteSpend(sourceAccount(reading), most, 'swap', context, notes);
  }
  notes.effect({ kind: 'minimumOut', mint, amountRaw: out, from: 'swap' });
  if (out === 0n) {
    notes.block('SWP-3', 'The swap would accept any result, even nothing.');
  } else if (out < context.policy.dustQuoteRaw) {
    notes.confirm('SWP-3', `The swap guarantees only ${out} raw units, which is next to nothing.`);
  }
  notes.info('SWP-9', 'The quoted price of the swap is the service\'s own; it was not compared with another source.');
}

function sourceAccount(reading: Reading): Address | undefined {
  return SOURCE_ROLES.map((role) => addressIn(reading, role)).find((address) => address !== undefined);
}
