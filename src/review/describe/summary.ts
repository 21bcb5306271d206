import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { formatRaw, lamportsToSol } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import { depositPricesText } from './depositPrices';
import { type TokenNames, tokenOf } from './tokenNames';
import {
  compoundedFees,
  type DepositIntent,
  deposits,
  exchanges,
  type IntentOf,
  poolFieldsOf,
  spendsOf,
  type WithdrawalIntent,
} from '../intents';
import { leastReceived, plausibleMinimums, statesWithdrawal, totalLamports } from '../spends';
import type { DecodedInstruction, DecodedTransaction, Finding, Intents, Review, ReviewBasis, Spends, TokenSpend, Verdict } from '../types';

/** Formats an amount with its token: "1,234.5 MEME", "0.1 SOL", or raw units of an unknown token. */
export function amountText(mint: Address | undefined, amountRaw: bigint, tokens: TokenNames): string {
  if (mint === undefined) {
    return l10n.t`${String(amountRaw)} raw units of an unknown token`;
  }
  if (mint === WRAPPED_SOL_MINT) {
    return l10n.t`${grouped(formatRaw(amountRaw, SOL_DECIMALS))} SOL`;
  }
  const token = tokens(mint);
  if (token === undefined) {
    return l10n.t`${String(amountRaw)} raw units of ${mint}`;
  }
  const symbol = tickerText(token.symbol, mint);
  return token.decimals === undefined
    ? l10n.t`${String(amountRaw)} raw units of ${symbol}`
    : `${grouped(formatRaw(amountRaw, token.decimals))} ${symbol}`;
}

/** Adds thousands separators: "22,745,796.83322". */
function grouped(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}

/** Formats the chosen bins and shape, and those of the transactions. */
function rangeText({ fromBinId, toBinId, strategy }: DepositIntent, review: Review): string {
  const asked =
    fromBinId === undefined || toBinId === undefined
      ? l10n.t('full range')
      : [l10n.t`${fromBinId} to ${toBinId}`, ...(strategy === undefined ? [] : [strategy])].join(', ');
  const { depositRange } = review;
  const shapes = new Set(instructionsOf(review).flatMap((instruction) => valuesIn(instruction, 'strategy_type')));
  const found = [...(depositRange === undefined ? [] : [l10n.t`${depositRange.fromBinId} to ${depositRange.toBinId}`]), ...shapes];
  return found.length === 0 ? l10n.t`you chose ${asked}` : l10n.t`you chose ${asked}; transactions: ${found.join(', ')}`;
}

/** Formats the chosen share, and those that the withdrawals state. */
function shareText({ shareBps }: WithdrawalIntent, review: Review): string {
  const shares = instructionsOf(review).flatMap((instruction) =>
    instruction.name === 'remove_all_liquidity' ? [WHOLE_BPS] : numbersIn(instruction, 'bps_to_remove'),
  );
  const found = [...new Set(shares)].sort((one, other) => other - one).map(percent);
  return found.length === 0
    ? l10n.t`you chose ${percent(shareBps)}`
    : l10n.t`you chose ${percent(shareBps)}; transactions: ${found.join(', ')}`;
}

function percent(bps: number): string {
  return `${bps / 100}%`;
}

function instructionsOf({ transactions }: Review): readonly DecodedInstruction[] {
  return transactions.flatMap(({ instructions }) => instructions);
}

function numbersIn(instruction: DecodedInstruction, name: string): number[] {
  return valuesIn(instruction, name).map(Number).filter(Number.isSafeInteger);
}

/** Values by the last part of their name, at any depth of the arguments. */
function valuesIn({ args }: DecodedInstruction, name: string): string[] {
  return args.filter((arg) => arg.name === name || arg.name.endsWith(`.${name}`)).map(({ value }) => value);
}

/** A review as the confirmation shows it, in plain text. */
export interface ReviewSummary {
  /** "Zap out 100% of position 8Hq4…x9Ba" */
  readonly title: string;
  readonly verdict: Verdict;
  /** Money first, then how it is done. */
  readonly lines: readonly SummaryLine[];
  /** Worst first: "Blocked (DLMM-2, transaction 1, instruction 5): …" */
  readonly findings: readonly string[];
}

/** One line of the confirmation. */
export interface SummaryLine {
  /** `money`: what the user gets and pays. `transactions`: how it is done. */
  readonly about: 'money' | 'transactions';
  readonly label: string;
  readonly text: string;
}

/** The maximum number of findings in a dialog; the details show all. */
const SHOWN_FINDINGS = 50;

/** Summarizes a review for a confirmation. */
export function describeReview(review: Review, tokens: TokenNames = () => undefined): ReviewSummary {
  const { intent } = review;
  const { pool } = poolFieldsOf(intent);
  const lines: (SummaryLine | undefined)[] = [
    expectedLine(review, tokens),
    minimumLine(review, tokens),
    spendLine({ ...review.spends, consumedLamports: fromWallet(review) }),
    tokenLine(review, tokens),
    landingLine(review, tokens),
    recipientLine(review),
    ...(pool === undefined ? [] : [technical(l10n.t('Pool'), pool)]),
    ...placeLines(intent, review),
    cosignerLine(review),
    technical(l10n.t('Transactions'), transactionText(review)),
    technical(l10n.t('Programs'), review.programs.join(', ') || l10n.t('none')),
    technical(l10n.t('Expires'), expiryText(review.lastValidBlockHeight)),
    checkedLine(review.checked, review.transactions),
  ];
  return {
    title: titleOf(intent, tokens),
    verdict: review.verdict,
    lines: lines.filter((line) => line !== undefined),
    findings: findingTexts(review),
  };
}

/** The findings for a dialog: without LIM-3, which the line about the spending repeats, and at most {@link SHOWN_FINDINGS}. */
function findingTexts({ findings }: Review): readonly string[] {
  const shown = withoutRepeats(findings).filter(({ rule }) => rule !== 'LIM-3');
  const left = shown.length - SHOWN_FINDINGS;
  return [
    ...shown.slice(0, SHOWN_FINDINGS).map(findingText),
    ...(left > 0 ? [l10n.t`… and ${left} more. The details show all findings.`] : []),
  ];
}

/**
 * The findings to list. One about an instruction is left out where the same rule says the same of its whole transaction, and blocks it. Both
 * stay in the review: the limit of a transaction and the question about an instruction are separate rules.
 */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const keyOf = ({ rule, message, transaction }: Finding) => JSON.stringify([rule, message, transaction]);
  const blocked = new Set(findings.filter(({ verdict, instruction }) => verdict === 'block' && instruction === undefined).map(keyOf));
  return findings.filter((finding) => finding.verdict === 'block' || !blocked.has(keyOf(finding)));
}

function money(label: string, text: string): SummaryLine {
  return { about: 'money', label, text };
}

function technical(label: string, text: string): SummaryLine {
  return { about: 'transactions', label, text };
}

/**
 * Formats a summary as one text with three paragraphs: the money, the findings, how it is done.
 * @param before additional lines about the money
 */
export function summaryAsText(summary: ReviewSummary, before: readonly string[] = []): string {
  const linesAbout = (about: SummaryLine['about']) =>
    summary.lines.filter((line) => line.about === about).map(({ label, text }) => `${label}: ${text}`);
  return [[...before, ...linesAbout('money')], summary.findings, linesAbout('transactions')]
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => paragraph.join('\n'))
    .join('\n\n');
}

/** Formats a finding with its verdict, rule and place, and with its address in full. */
export function findingText({ rule, verdict, message, transaction, instruction, address }: Finding): string {
  const place = [
    rule,
    ...(transaction === undefined ? [] : [l10n.t`transaction ${transaction + 1}`]),
    ...(instruction === undefined ? [] : [l10n.t`instruction ${instruction + 1}`]),
  ].join(', ');
  const about = address === undefined || message.includes(address) ? '' : ` (${address})`;
  return `${verdictNames()[verdict]} (${place}): ${message}${about}`;
}

const verdictNames = (): Readonly<Record<Finding['verdict'], string>> => ({
  block: l10n.t('Blocked'),
  confirm: l10n.t('Confirm'),
  allow: l10n.t('Allowed'),
  info: l10n.t('Note'),
});

/** What the summary says about a kind of intent. */
interface IntentWords<Of extends keyof Intents> {
  title(intent: Intents[Of], tokens: TokenNames): string;
  /** Where in the pool it works, or with which tokens. */
  place(intent: Intents[Of], review: Review): readonly SummaryLine[];
}

const WORDS: { readonly [Of in keyof Intents]: IntentWords<Of> } = {
  zapOut: {
    title: ({ position, shareBps }) =>
      position === undefined
        ? l10n.t`Zap out ${shareBps / 100}% of a position`
        : l10n.t`Zap out ${shareBps / 100}% of position ${shortened(position)}`,
    place: (intent, review) => [
      ...(intent.position === undefined ? [] : [technical(l10n.t('Position'), intent.position)]),
      technical(l10n.t('Share'), shareText(intent, review)),
    ],
  },
  zapIn: {
    title: (intent, tokens) => l10n.t`Zap in ${inputText(intent, tokens)} to pool ${shortened(intent.pool)}`,
    place: (intent, review) => [technical(l10n.t('Bins'), rangeText(intent, review))],
  },
  claim: {
    title: ({ positions: [first, ...others] }) =>
      first === undefined || others.length > 0
        ? l10n.t`Claim the fees of ${others.length + 1} positions`
        : l10n.t`Claim the fees of position ${shortened(first.position)}`,
    place: ({ positions }) => [technical(l10n.t('Positions'), positions.map(({ position }) => position).join(', '))],
  },
  addLiquidity: {
    title: (intent, tokens) =>
      intent.fees === undefined
        ? l10n.t`Add ${inputText(intent, tokens)} to position ${shortened(intent.position)}`
        : l10n.t`Compound the fees of position ${shortened(intent.position)}`,
    place: (intent, review) => [technical(l10n.t('Position'), intent.position), technical(l10n.t('Bins'), rangeText(intent, review))],
  },
  swap: {
    title: ({ inputMint, outputMint, amountRaw }, tokens) =>
      l10n.t`Swap ${amountText(inputMint, amountRaw, tokens)} for ${tokenText(outputMint, tokens)}`,
    place: ({ inputMint, outputMint }) => [technical(l10n.t('Sold token'), inputMint), technical(l10n.t('Bought token'), outputMint)],
  },
  unwrap: { title: () => l10n.t('Unwrap SOL'), place: () => [] },
};

function tokenText(mint: Address, tokens: TokenNames): string {
  const token = tokenOf(mint, tokens);
  return token === undefined ? mint : tickerText(token.symbol, mint);
}

function titleOf<Of extends keyof Intents>(intent: IntentOf<Of>, tokens: TokenNames): string {
  return WORDS[intent.kind].title(intent, tokens);
}

function placeLines<Of extends keyof Intents>(intent: IntentOf<Of>, review: Review): readonly SummaryLine[] {
  return WORDS[intent.kind].place(intent, review);
}

/** The input: SOL, or the tokens that are deposited without a swap. */
function inputText({ inputLamports, tokens: atHand }: DepositIntent, tokens: TokenNames): string {
  const sol = l10n.t`${lamportsToSol(inputLamports)} SOL`;
  const others = (atHand ?? []).filter(({ amountRaw }) => amountRaw > 0n).map(({ mint, amountRaw }) => amountText(mint, amountRaw, tokens));
  return others.length === 0 ? sol : [...others, ...(inputLamports > 0n ? [sol] : [])].join(' + ');
}

function shortened(address: Address): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/**
 * The SOL that swaps and the pool take from the wallet. Of the SOL that a zap-out swaps, only what was wrapped before is the wallet's; the
 * withdrawn rest is listed with the tokens that move.
 */
function fromWallet({ intent, spends: { consumedLamports, wrappedLamports } }: Review): bigint {
  return spendsOf(intent).lamports !== undefined || consumedLamports < wrappedLamports ? consumedLamports : wrappedLamports;
}

function spendLine(spends: Spends): SummaryLine {
  const parts: readonly (readonly [bigint, string])[] = [
    [spends.consumedLamports, l10n.t('into swaps and the pool')],
    [spends.networkFeeLamports, l10n.t('network fee')],
    [spends.priorityFeeLamports, l10n.t('priority fee')],
    [spends.tipLamports, l10n.t('tip')],
    [spends.refundableRentLamports, l10n.t('rent, refundable when the accounts are closed')],
    [spends.spentRentLamports, l10n.t('non-refundable rent')],
    [spends.otherLamports, l10n.t('to others')],
  ];
  const named = parts.filter(([lamports]) => lamports > 0n).map(([lamports, words]) => `${lamportsToSol(lamports)} ${words}`);
  const total = l10n.t`${lamportsToSol(totalLamports(spends))} SOL`;
  return money(l10n.t('You spend at most'), `${total}${named.length === 0 ? '' : ` (${named.join(', ')})`}`);
}

function tokenLine(review: Review, tokens: TokenNames): SummaryLine | undefined {
  const { tokenSpends, spends } = review;
  const withdrawnSol = spends.consumedLamports - fromWallet(review);
  const solTexts = withdrawnSol > 0n ? [l10n.t`${amountText(WRAPPED_SOL_MINT, withdrawnSol, tokens)} into swaps`] : [];
  const tokenTexts = (['swap', 'position', 'others'] as const).flatMap((into) => {
    const sums = sumByMint(tokenSpends.filter((spend: TokenSpend) => spend.into === into));
    return sums.map(([mint, amountRaw]) => `${amountText(mint, amountRaw, tokens)} ${intoWords()[into]}`);
  });
  const texts = [...tokenTexts, ...solTexts];
  return texts.length === 0 ? undefined : money(l10n.t('Tokens that move at most'), texts.join(', '));
}

/** The prices between which the deposit lands. */
function landingLine({ depositPrices }: Review, tokens: TokenNames): SummaryLine | undefined {
  const text = depositPrices && depositPricesText(depositPrices, tokens);
  return text === undefined ? undefined : money(l10n.t('The deposit lands only while'), text);
}

const intoWords = (): Readonly<Record<TokenSpend['into'], string>> => ({
  swap: l10n.t('into swaps'),
  position: l10n.t('into the position'),
  others: l10n.t('to others'),
});

/** The simulated result of a zap-out. Not a guarantee: prices may move until it lands. */
function expectedLine({ intent, simulated, verdict }: Review, tokens: TokenNames): SummaryLine | undefined {
  if (deposits(intent) || simulated === undefined || verdict === 'block') {
    return undefined;
  }
  const received = [...simulated].filter(([, amountRaw]) => amountRaw > 0n).map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens));
  return received.length === 0
    ? money(expected(), l10n.t('nothing'))
    : money(expected(), l10n.t`${received.join(', ')}, including rent and fees`);
}

const expected = () => l10n.t('Expected (simulated)');

function minimumLine(review: Review, tokens: TokenNames): SummaryLine {
  const label = deposits(review.intent) ? l10n.t('The swaps give at least') : l10n.t('You receive at least');
  return money(label, minimumText(review, tokens));
}

/** The minimum amounts, and a remark. */
function minimumText(review: Review, tokens: TokenNames): string {
  const { intent } = review;
  const minimums = plausibleMinimums(review);
  if (minimums.length === 0) {
    if (intent.kind === 'unwrap') {
      return l10n.t('all SOL in your account for wrapped SOL, and its rent');
    }
    if (deposits(intent) && intent.tokens !== undefined) {
      return l10n.t('no swaps') + l10n.t('; your tokens are deposited directly');
    }
    if (compoundedFees(intent) !== undefined) {
      return l10n.t('no swaps') + l10n.t('; the claimed fees are deposited directly');
    }
    if (deposits(intent)) {
      return l10n.t('no swaps, or no guaranteed minimum');
    }
    return review.simulated === undefined
      ? l10n.t('unknown: the transactions guarantee no minimum')
      : l10n.t('the transactions guarantee no minimum');
  }
  if (!deposits(intent) && statesWithdrawal(review)) {
    const least = [...leastReceived(review)].map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens));
    return least.length === 0
      ? l10n.t('no guaranteed minimum') + l10n.t(': the withdrawn tokens may be swapped')
      : least.join(', ') + l10n.t(', plus claimed fees');
  }
  const amounts = deposits(intent) ? sumByMint(minimums) : [...leastReceived(review)];
  const swapped = amounts.map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens)).join(', ');
  if (deposits(intent) || (exchanges(intent) && swapped !== '')) {
    return swapped;
  }
  return swapped === ''
    ? l10n.t('no guaranteed minimum') + l10n.t(': the result of the swaps may be sold again, or go to others')
    : l10n.t`${swapped} from swaps` + l10n.t('; the transactions guarantee no minimum for the rest');
}

function sumByMint(
  amounts: readonly { readonly mint: Address | undefined; readonly amountRaw: bigint }[],
): [Address | undefined, bigint][] {
  const sums = new Map<Address | undefined, bigint>();
  for (const { mint, amountRaw } of amounts) {
    sums.set(mint, (sums.get(mint) ?? 0n) + amountRaw);
  }
  return [...sums];
}

function recipientLine({ intent, recipients, verdict, transactions }: Review): SummaryLine {
  const goesTo = (text: string): SummaryLine => money(l10n.t('Goes to'), text);
  if (transactions.length === 0) {
    return goesTo(l10n.t('unknown: no transaction could be read'));
  }
  const others = recipients.filter(({ role }) => role !== 'Jito tip').map(({ address, role }) => `${address} (${role})`);
  const places = exchanges(intent) ? l10n.t('your own accounts') : l10n.t('your own accounts and the pool');
  if (others.length > 0) {
    return goesTo(
      exchanges(intent)
        ? l10n.t`your own accounts, and ${others.join(', ')}`
        : l10n.t`your own accounts, the pool, and ${others.join(', ')}`,
    );
  }
  if (verdict === 'block') {
    return goesTo(l10n.t('uncertain: see the findings'));
  }
  const hasTip = recipients.length > 0;
  // A finding may be about an unknown account, or about a program that the review cannot follow.
  if (verdict === 'confirm') {
    return goesTo(
      hasTip ? l10n.t`${places}, and a tip, unless the findings say otherwise` : l10n.t`${places}, unless the findings say otherwise`,
    );
  }
  return goesTo(hasTip ? l10n.t`only ${places}, and a tip` : l10n.t`only ${places}`);
}

function cosignerLine({ transactions, intent }: Review): SummaryLine | undefined {
  const cosigners = [...new Set(transactions.flatMap(({ signers }) => signers.map(({ address }) => address)))].filter(
    (address) => address !== intent.owner,
  );
  if (cosigners.length === 0) {
    return undefined;
  }
  return technical(l10n.t('Also signed by'), cosigners.map((address) => cosignerText(address, transactions)).join(', '));
}

/** Explains a co-signer by its role (SIG-4). */
function cosignerText(cosigner: Address, transactions: readonly DecodedTransaction[]): string {
  const roles = new Set(
    transactions.flatMap(({ instructions }) =>
      instructions.flatMap(({ accounts }) =>
        accounts.filter(({ address, signer }) => signer && address === cosigner).map(({ role }) => role),
      ),
    ),
  );
  const known = cosignerRoles().find(([role]) => roles.has(role));
  return known === undefined ? cosigner : `${known[1]} ${cosigner}`;
}

const cosignerRoles = (): readonly (readonly [string, string])[] => [
  ['position', l10n.t("the new position's key")],
  ['position_nft_mint', l10n.t("the key of the new position's NFT")],
  ['base', l10n.t('the key that the new position is derived from')],
  ['maker', l10n.t('the market maker')],
  ['account', l10n.t('a temporary account')],
];

/** The basis of the review: the bytes, the lookup tables that were read, and a simulation. */
function checkedLine({ resolvedTables, usedTables, simulation }: ReviewBasis, transactions: readonly DecodedTransaction[]): SummaryLine {
  const tables = usedTables === 0 ? '' : l10n.t` (${resolvedTables} of ${usedTables} lookup tables read)`;
  if (simulation === undefined) {
    return technical(l10n.t('Checked'), l10n.t`offline, by the transactions alone${tables}`);
  }
  const slot = String(simulation.slot);
  const { transactions: count } = simulation;
  const total = transactions.length;
  return count >= total
    ? technical(l10n.t('Checked'), l10n.t`offline${tables}, and simulated at slot ${slot}`)
    : technical(l10n.t('Checked'), l10n.t`offline${tables}, and the first ${count} of ${total} simulated at slot ${slot}`);
}

function transactionText({ transactions }: Review): string {
  const groups = (['close', 'swap', 'add', 'claim'] as const).map(
    (group) => [group, transactions.filter((one) => one.group === group).length] as const,
  );
  const named = groups.filter(([, count]) => count > 0).map(([group, count]) => `${count} ${group}`);
  return named.length === 0 ? l10n.t('none could be read') : `${transactions.length} (${named.join(', ')})`;
}

function expiryText(lastValidBlockHeight: number | undefined): string {
  const about = l10n.t('30 to 60 seconds after they were built');
  return lastValidBlockHeight === undefined ? about : l10n.t`${about} (block height ${lastValidBlockHeight})`;
}
