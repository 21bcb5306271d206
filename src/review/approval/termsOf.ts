import type { Address } from '../../base/solana/address';
import type { ArgumentValue } from '../../base/solana/instructionCodec';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { addressIn, type DecodedCall, integerAt, isInstruction, type ReadTransaction } from '../decode/instructions';
import { programName, REVIEW_PROGRAMS } from '../decode/programs';
import type { AccountView, TransactionView } from '../decode/transaction';
import { askedBy, deposits, poolFactOf, poolFieldsOf } from '../intents';
import type { PlacedEffect } from '../notes';
import { landingPrices, rangeOfPool } from '../rules/landingPrices';
import { createsPosition, fillsPosition } from '../decode/meteora';
import { leastReceived, leftWrapped, outflowBound } from '../spends';
import { addSwaps } from './swapTermsOf';
import type { Finding, Intent, Review, ReviewInput } from '../types';
import { mintKey, type Terms, TermSheet } from '../terms';

/** The parts of a review that its terms follow from. */
interface TermSources extends Pick<Review, 'spends' | 'minimumOut' | 'tokenSpends' | 'recipients' | 'checked' | 'simulated'> {
  readonly input: ReviewInput;
  readonly findings: readonly Finding[];
  readonly effects: readonly PlacedEffect[];
  readonly transactions: readonly ReadTransaction[];
}

/**
 * Returns the terms of reviewed transactions: everything that a person agrees to by signing them, and nothing that differs between two
 * builds of the same operation. So blockhashes are left out; a position that the operation opens for the owner counts as "a new position"
 * whatever its address is; and the Jito tip accounts count as one. Whatever the review cannot read counts with its exact bytes.
 */
export function termsOf(sources: TermSources): Terms {
  const sheet = new TermSheet();
  const { intent } = sources.input;
  const names = newPositions(sources.transactions, intent.owner);
  sheet.add('request', requestText(intent), 1n);
  addMoney(sources, sheet);
  addParties(sources, names, sheet);
  const progress = { deposits: 0 };
  for (const transaction of sources.transactions) {
    addSteps(transaction, names, { progress, input: sources.input }, sheet);
  }
  addKnowledge(sources, sheet);
  addFindings(sources.findings, names, sheet);
  return sheet.terms;
}

/** Figures that only serve to check the transactions are left out. */
function requestText(intent: Intent): string {
  const { kind, owner, slippageBps } = intent;
  const { pool, poolType, tokenX, tokenY, fromBinId, toBinId } = poolFieldsOf(intent);
  const common = { kind, owner, pool, poolType, slippageBps, tokenX, tokenY, fromBinId, toBinId };
  return plainText({ ...common, ...askedBy(intent) });
}

function addMoney({ input, effects, spends, minimumOut, tokenSpends, simulated, ...rest }: TermSources, sheet: TermSheet): void {
  sheet.add('outflow', '', outflowBound(input.intent, effects));
  sheet.add('spent', '', spends.consumedLamports);
  sheet.add('wrapped', '', spends.wrappedLamports);
  sheet.add('leftWrapped', '', leftWrapped(effects));
  sheet.add('networkFee', '', spends.networkFeeLamports);
  sheet.add('priorityFee', '', spends.priorityFeeLamports);
  sheet.add('tip', '', spends.tipLamports);
  sheet.add('refundableRent', '', spends.refundableRentLamports);
  sheet.add('spentRent', '', spends.spentRentLamports);
  for (const effect of effects) {
    if (effect.kind === 'send') {
      sheet.add('solToOthers', effect.to, effect.lamports);
    } else if (effect.kind === 'consume' && effect.into !== 'swap') {
      sheet.add('deposited', WRAPPED_SOL_MINT, effect.lamports);
    } else if (effect.kind === 'minimumOut') {
      sheet.add('guaranteedByWithdrawal', mintKey(effect.mint), effect.amountRaw);
    }
  }
  for (const { mint, amountRaw, into } of tokenSpends.filter((spend) => spend.into !== 'swap')) {
    sheet.add(into === 'others' ? 'tokensToOthers' : 'deposited', mintKey(mint), amountRaw);
  }
  addSwaps(effects, rest.transactions, sheet);
  if (!deposits(input.intent)) {
    leastReceived({ minimumOut, tokenSpends, spends }).forEach((amountRaw, mint) => sheet.add('received', mintKey(mint), amountRaw));
    // A zap-in is not shown by its simulation: what is left of its tokens is too small to matter.
    simulated?.forEach((amountRaw, mint) => sheet.add('simulated', mint, amountRaw));
  }
  const { simulation } = rest.checked;
  sheet.add('unsimulatedTransactions', '', simulation ? BigInt(input.transactions.length - simulation.transactions) : NO_SIMULATION);
}

/** More than any operation has transactions. */
const NO_SIMULATION = 1_000n;

const JITO_TIP = 'Jito tip';

function addParties({ recipients, transactions, input }: TermSources, names: Names, sheet: TermSheet): void {
  for (const { address, role } of recipients) {
    // One of eight accounts, chosen at random; no other account has this role.
    sheet.raise('recipient', role === JITO_TIP ? JITO_TIP : `${address} (${role})`, 1n);
  }
  for (const { group } of input.transactions) {
    sheet.add('transactions', group, 1n);
  }
  for (const { view, readings } of transactions) {
    const [feePayer, ...others] = view.wire.staticKeys.slice(0, view.wire.requiredSignatures);
    sheet.raise('feePayer', feePayer ?? '', 1n);
    for (const signer of others.filter((one) => one !== input.intent.owner)) {
      sheet.raise('cosigner', names.get(signer) ?? signer, 1n);
    }
    // The Compute Budget program only sets fees and limits, which v1 has in its config instead; fees are terms of their own.
    for (const { view: call } of readings.filter(({ view: { program } }) => program !== PROGRAMS.computeBudget)) {
      sheet.raise('program', call.program, 1n, programName(call.program));
    }
  }
}

/** Programs whose instructions are compared one by one. Those of the routers count with their amounts: a route differs in each quote. */
const COMPARED_PROGRAMS: readonly Address[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, REVIEW_PROGRAMS.meteoraZap];

/** Instructions whose number may fall: somebody else may have created the account. Their rent is a term of its own. */
const CREATIONS = ['initialize_bin_array', 'initialize_bin_array_bitmap_extension'];

/** The number of deposits so far, over the operation. */
interface Progress {
  deposits: number;
}

/** What the terms of a step depend on besides the step. */
interface StepContext {
  readonly progress: Progress;
  readonly input: ReviewInput;
}

function addSteps({ view, readings }: ReadTransaction, names: Names, context: StepContext, sheet: TermSheet): void {
  for (const reading of readings) {
    const { layout, args, view: call } = reading;
    if (layout === undefined || args === undefined) {
      sheet.raise('opaqueTransaction', view.messageHash, 1n, programName(call.program));
      continue;
    }
    if (isInstruction(reading, PROGRAMS.dlmm, ...CREATIONS)) {
      sheet.add('createdAccount', stepText(reading, names), 1n);
    } else if (COMPARED_PROGRAMS.includes(call.program)) {
      addStep(reading, names, context, sheet);
    } else if (call.program === PROGRAMS.associatedToken) {
      sheet.add('createdAccount', addressIn(reading, 'account') ?? call.accounts[1]?.address ?? '', 1n);
    } else if (layout.name === 'close_account') {
      sheet.add('closedAccount', addressIn(reading, 'account') ?? '', 1n);
    }
    layout.accounts.forEach(({ name }, place) => {
      const account = call.accounts[place];
      if (account !== undefined && account.address === undefined) {
        sheet.raise('unreadAccount', `${layout.name} ${name} ${placeOf(account, view)}`, 1n);
      }
    });
  }
  for (const table of view.tables.filter(({ content }) => content === undefined)) {
    sheet.raise('unreadTable', table.address, 1n);
  }
}

/** Any bin id of 32 bits, and what may be added to it, plus this is above 0. */
const BIN_OFFSET = 2n ** 33n;
/** Above any bin: the deposit has no bound. A missing lowest bin counts as 0, below any. */
const ANY_BIN = 2n ** 35n;

function addStep(reading: DecodedCall, names: Names, context: StepContext, sheet: TermSheet): void {
  const { args } = reading;
  sheet.add('step', stepText(reading, names), 1n);
  addLandingPrices(reading, context, sheet);
  const liquidity = integerAt(args, 'params', 'liquidity_delta');
  if (isInstruction(reading, PROGRAMS.dammV2, 'add_liquidity') && liquidity !== undefined) {
    sheet.add('liquidity', positionOf(reading, names), liquidity);
  }
}

/** One by one: the widest of several deposits would hide a change of the others. */
function addLandingPrices(reading: DecodedCall, { progress, input: { intent, facts } }: StepContext, sheet: TermSheet): void {
  const landing = landingPrices(reading, intent, rangeOfPool(poolFactOf(intent, facts)));
  if (landing === undefined) {
    return;
  }
  progress.deposits += 1;
  const of = String(progress.deposits);
  if (landing.kind === 'bins') {
    const { lowest, highest } = landing;
    sheet.add('lowestActiveBin', of, lowest === undefined ? 0n : BigInt(lowest) + BIN_OFFSET);
    sheet.add('highestActiveBin', of, highest === undefined ? ANY_BIN : BigInt(highest) + BIN_OFFSET);
  } else {
    sheet.add('lowestPrice', of, landing.lowestQ64);
    sheet.add('highestPrice', of, landing.highestQ64);
  }
}

/** The arguments of a deposit that are compared by {@link addLandingPrices} alone. A swap's `active_id` is compared as it is. */
const BOUNDS_OF_DEPOSIT: readonly string[] = ['active_id', 'max_active_bin_slippage'];

/** "add_liquidity_by_strategy2: position new position 1, …": what the instruction does, without amounts. */
function stepText(reading: DecodedCall, names: Names): string {
  const { layout, args, view } = reading;
  const name = layout?.name ?? '';
  const isExact = name === 'rebalance_liquidity' || view.program === REVIEW_PROGRAMS.meteoraZap;
  // Amounts have terms of their own.
  const comparedOtherwise = [
    ...(isInstruction(reading, PROGRAMS.dammV2, 'add_liquidity') ? ['liquidity_delta'] : []),
    ...(fillsPosition(reading) ? BOUNDS_OF_DEPOSIT : []),
  ];
  const parts = leaves(args, '')
    .filter(([path]) => isExact || !(lastPart(path).includes('amount') || comparedOtherwise.includes(lastPart(path))))
    .map(([path, value]) => `${lastPart(path)} ${plainText(value)}`);
  const pool = addressIn(reading, 'lb_pair') ?? addressIn(reading, 'pool');
  return [
    name,
    ...(pool === undefined ? [] : [`pool ${pool}`]),
    ...(layout?.accounts.some((role) => role.name === 'position') === true ? [`position ${positionOf(reading, names)}`] : []),
    ...parts,
  ].join(', ');
}

function positionOf(reading: DecodedCall, names: Names): string {
  const position = addressIn(reading, 'position');
  return position === undefined ? 'unread' : (names.get(position) ?? position);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Flattens records; lists, choices and bytes stay whole. */
function leaves(value: ArgumentValue, path: string): readonly (readonly [string, ArgumentValue])[] {
  const isRecord = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array) && !('kind' in value);
  return isRecord
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
    : [[path, value]];
}

/** An entry of a lookup table that was not read: the same table and place are the same account, since tables only grow. */
function placeOf(account: AccountView, { wire, accounts }: TransactionView): string {
  const entries = [
    ...wire.tableLookups.flatMap(({ table, writableIndexes }) => writableIndexes.map((place) => `${table} ${place}`)),
    ...wire.tableLookups.flatMap(({ table, readonlyIndexes }) => readonlyIndexes.map((place) => `${table} ${place}`)),
  ];
  return entries[accounts.indexOf(account) - wire.staticKeys.length] ?? '';
}

function addKnowledge({ input }: TermSources, sheet: TermSheet): void {
  sheet.add('answersOfRpc', '', input.facts === undefined ? 0n : 1n);
}

/** Findings whose only content is a sum over the operation: a smaller sum is better. Every other finding counts word for word. */
const SUM_RULES = ['BND-2', 'TIP-1', 'FEE-1', 'FEE-4', 'RNT-1', 'LIM-2'];
/** Findings that say the same as other terms: the greatest outflow, and accounts from tables that were not read. */
const SAID_OTHERWISE = ['LIM-3', 'ALT-2'];

/**
 * Findings by what they say: a decision, or having read a note, covers the same words only. Another figure in them, another place or one
 * more of them is something that the user has not seen.
 */
function addFindings(findings: readonly Finding[], names: Names, sheet: TermSheet): void {
  for (const { rule, verdict, message, transaction, address, amountRaw } of findings) {
    const isNote = verdict === 'info';
    if (isNote && SAID_OTHERWISE.includes(rule)) {
      continue;
    }
    const words = withNames(message, names);
    if (transaction === undefined && amountRaw !== undefined && SUM_RULES.includes(rule)) {
      sheet.raise('findingSum', `${verdict} ${rule}`, amountRaw, message);
    } else {
      const subject = address === undefined ? '' : (names.get(address) ?? address);
      sheet.add('finding', [verdict, rule, transaction ?? '', subject, words].join(' '), 1n, message);
    }
  }
}

/** Names for addresses that differ in each build, because the operation creates what they name. */
type Names = ReadonlyMap<Address, string>;

function newPositions(transactions: readonly ReadTransaction[], owner: Address): Names {
  const names = new Map<Address, string>();
  let count = 0;
  for (const reading of transactions.flatMap(({ readings }) => readings)) {
    const position = addressIn(reading, 'position');
    if (reading.args === undefined || !createsPosition(reading) || addressIn(reading, 'owner') !== owner || position === undefined) {
      continue;
    }
    if (!names.has(position)) {
      count += 1;
      names.set(position, `new position ${count}`);
    }
    for (const role of ['base', 'position_nft_mint', 'position_nft_account']) {
      const address = addressIn(reading, role);
      if (address !== undefined && address !== owner && !names.has(address)) {
        names.set(address, `${role} of new position ${count}`);
      }
    }
  }
  return names;
}

function withNames(message: string, names: Names): string {
  return [...names].reduce((text, [address, name]) => text.replaceAll(address, name), message);
}

/** Values as text, the same for the same value. */
function plainText(value: unknown): string {
  return value === undefined
    ? 'none'
    : JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === 'bigint' ? String(inner) : inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner,
      );
}
