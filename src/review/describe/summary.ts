import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { operationNoun } from '../../base/operationKinds';
import type { Address } from '../../base/solana/address';
import { formatRaw, lamportsToSol } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import { depositPricesText } from './depositPrices';
import type { TokenNames } from './tokenNames';
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
import { boundsText, choseWords, rawAmountText } from '../rules/words';
import { leastReceived, plausibleMinimums, statesWithdrawal, totalLamports } from '../spends';
import type { DecodedInstruction, DecodedTransaction, Finding, Intents, Review, ReviewBasis, Spends, TokenSpend, Verdict } from '../types';

/** Formats an amount with its token: "1,234.5 MEME", "0.1 SOL", or raw units of an unknown token. */
export function amountText(mint: Address | undefined, amountRaw: bigint, tokens: TokenNames): string {
  if (mint === WRAPPED_SOL_MINT) {
    return l10n.t`${grouped(formatRaw(amountRaw, SOL_DECIMALS))} SOL`;
  }
  const token = mint === undefined ? undefined : tokens(mint);
  if (mint === undefined || token === undefined) {
    return rawAmountText(mint, amountRaw);
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
      : [boundsText(fromBinId, toBinId), ...(strategy === undefined ? [] : [strategy])].join(', ');
  const { depositRange } = review;
  const shapes = new Set(instructionsOf(review).flatMap((instruction) => valuesIn(instruction, 'strategy_type')));
  const found = [...(depositRange === undefined ? [] : [boundsText(depositRange.fromBinId, depositRange.toBinId)]), ...shapes];
  return besideChoice(found, asked);
}

/** Formats the chosen share, and those that the withdrawals state. */
function shareText({ shareBps }: WithdrawalIntent, review: Review): string {
  const shares = instructionsOf(review).flatMap((instruction) =>
    instruction.name === 'remove_all_liquidity' ? [WHOLE_BPS] : numbersIn(instruction, 'bps_to_remove'),
  );
  const found = [...new Set(shares)].sort((one, other) => other - one).map(percent);
  return besideChoice(found, percent(shareBps));
}

/** What the transactions state, and what the user chose. */
function besideChoice(found: readonly string[], asked: string): string {
  return [...(found.length === 0 ? [] : [found.join(', ')]), choseWords(asked)].join('. ');
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
  /** "zap-out" */
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
    ...(review.lastValidBlockHeight === undefined
      ? []
      : [technical(l10n.t('Last valid block height'), String(review.lastValidBlockHeight))]),
    ...checkedLines(review.checked, review.transactions),
  ];
  return {
    title: operationNoun(intent.kind),
    verdict: review.verdict,
    lines: lines.filter((line) => line !== undefined),
    findings: findingTexts(review),
  };
}

/** The findings for a dialog: without LIM-3, which the line about the spending repeats, and at most {@link SHOWN_FINDINGS}. */
function findingTexts({ findings }: Review): readonly string[] {
  const shown = withoutRepeats(findings).filter(({ rule }) => rule !== 'LIM-3');
  const left = shown.length - SHOWN_FINDINGS;
  return [...shown.slice(0, SHOWN_FINDINGS).map(findingText), ...(left > 0 ? [l10n.t`… and ${left} more`] : [])];
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

/** Where in the pool an operation of each kind works, or with which tokens. */
const PLACES: { readonly [Of in keyof Intents]: (intent: Intents[Of], review: Review) => readonly SummaryLine[] } = {
  zapOut: (intent, review) => [
    ...(intent.position === undefined ? [] : [technical(l10n.t('Position'), intent.position)]),
    technical(l10n.t('Share'), shareText(intent, review)),
  ],
  zapIn: (intent, review) => [technical(l10n.t('Bins'), rangeText(intent, review))],
  claim: ({ positions }) => [technical(l10n.t('Positions'), positions.map(({ position }) => position).join(', '))],
  addLiquidity: (intent, review) => [technical(l10n.t('Position'), intent.position), technical(l10n.t('Bins'), rangeText(intent, review))],
  swap: ({ inputMint, outputMint }) => [technical(l10n.t('Sold token'), inputMint), technical(l10n.t('Bought token'), outputMint)],
  unwrap: () => [],
};

function placeLines<Of extends keyof Intents>(intent: IntentOf<Of>, review: Review): readonly SummaryLine[] {
  return PLACES[intent.kind](intent, review);
}

/**
 * The SOL that swaps and the pool take from the wallet. Of the SOL that a zap-out swaps, only what was wrapped before is the wallet's; the
 * withdrawn rest is listed with the tokens that move.
 */
function fromWallet({ intent, spends: { consumedLamports, wrappedLamports } }: Review): bigint {
  return spendsOf(intent).lamports !== undefined || consumedLamports < wrappedLamports ? consumedLamports : wrappedLamports;
}

/** The labels of what an operation costs and moves. */
export const spendLabels = (): Readonly<
  Record<'consumed' | 'networkFee' | 'priorityFee' | 'tip' | 'refundableRent' | 'spentRent' | 'others' | 'swap' | 'position', string>
> => ({
  consumed: l10n.t('Into swaps and the pool'),
  networkFee: l10n.t('Network fee'),
  priorityFee: l10n.t('Priority fee'),
  tip: l10n.t('Tip'),
  refundableRent: l10n.t('Refundable rent'),
  spentRent: l10n.t('Non-refundable rent'),
  others: l10n.t('Sent to others'),
  swap: l10n.t('Swapped'),
  position: l10n.t('Into the position'),
});

function spendLine(spends: Spends): SummaryLine {
  const labels = spendLabels();
  const parts: readonly (readonly [bigint, string])[] = [
    [spends.consumedLamports, labels.consumed],
    [spends.networkFeeLamports, labels.networkFee],
    [spends.priorityFeeLamports, labels.priorityFee],
    [spends.tipLamports, labels.tip],
    [spends.refundableRentLamports, labels.refundableRent],
    [spends.spentRentLamports, labels.spentRent],
    [spends.otherLamports, labels.others],
  ];
  const named = parts.filter(([lamports]) => lamports > 0n).map(([lamports, label]) => `${label}: ${lamportsToSol(lamports)}`);
  const total = l10n.t`${lamportsToSol(totalLamports(spends))} SOL`;
  return money(l10n.t('You spend at most'), `${total}${named.length === 0 ? '' : ` (${named.join(', ')})`}`);
}

function tokenLine(review: Review, tokens: TokenNames): SummaryLine | undefined {
  const { tokenSpends, spends } = review;
  const labels = spendLabels();
  const withdrawnSol = spends.consumedLamports - fromWallet(review);
  const texts = (['swap', 'position', 'others'] as const).flatMap((into) => {
    const sums = sumByMint([
      ...tokenSpends.filter((spend: TokenSpend) => spend.into === into),
      ...(into === 'swap' && withdrawnSol > 0n ? [{ mint: WRAPPED_SOL_MINT, amountRaw: withdrawnSol }] : []),
    ]);
    const amounts = sums.map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens));
    return amounts.length === 0 ? [] : [`${labels[into]}: ${amounts.join(', ')}`];
  });
  return texts.length === 0 ? undefined : money(l10n.t('Tokens that move at most'), texts.join('; '));
}

/** The prices between which the deposit lands. */
function landingLine({ depositPrices }: Review, tokens: TokenNames): SummaryLine | undefined {
  const text = depositPrices && depositPricesText(depositPrices, tokens);
  return text === undefined ? undefined : money(landsLabel(), text);
}

export const landsLabel = (): string => l10n.t('Lands only at');

/** The simulated result of a zap-out. Not a guarantee: prices may move until it lands. */
function expectedLine({ intent, simulated, verdict }: Review, tokens: TokenNames): SummaryLine | undefined {
  if (deposits(intent) || simulated === undefined || verdict === 'block') {
    return undefined;
  }
  const received = [...simulated].filter(([, amountRaw]) => amountRaw > 0n).map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens));
  const text = received.length === 0 ? amountText(WRAPPED_SOL_MINT, 0n, tokens) : l10n.t`${received.join(', ')}, including rent and fees`;
  return money(expectedLabel(), text);
}

export const expectedLabel = (): string => l10n.t('Expected (simulated)');
export const swapsGiveLabel = (): string => l10n.t('The swaps give at least');
export const receivedLabel = (): string => l10n.t('You receive at least');

function minimumLine(review: Review, tokens: TokenNames): SummaryLine {
  const label = deposits(review.intent) ? swapsGiveLabel() : receivedLabel();
  return money(label, minimumText(review, tokens));
}

/** The minimum amounts, and a remark. */
function minimumText(review: Review, tokens: TokenNames): string {
  const { intent } = review;
  const list = (amounts: readonly (readonly [Address | undefined, bigint])[]): string =>
    amounts.map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens)).join(', ');
  const minimums = plausibleMinimums(review);
  if (minimums.length === 0) {
    if (intent.kind === 'unwrap') {
      return l10n.t('all your wrapped SOL, and its rent');
    }
    const isWithoutSwap = compoundedFees(intent) !== undefined || (deposits(intent) && intent.tokens !== undefined);
    return isWithoutSwap ? l10n.t('nothing is swapped') : noMinimumText();
  }
  if (deposits(intent)) {
    return list(sumByMint(minimums));
  }
  const least = list([...leastReceived(review)]);
  if (least === '') {
    return noMinimumText();
  }
  return statesWithdrawal(review) || exchanges(intent) ? least : l10n.t`${least} from swaps; the rest is withdrawn as it is`;
}

const noMinimumText = (): string => l10n.t('no guaranteed minimum');

function sumByMint(
  amounts: readonly { readonly mint: Address | undefined; readonly amountRaw: bigint }[],
): [Address | undefined, bigint][] {
  const sums = new Map<Address | undefined, bigint>();
  for (const { mint, amountRaw } of amounts) {
    sums.set(mint, (sums.get(mint) ?? 0n) + amountRaw);
  }
  return [...sums];
}

/** The role of a recipient that every operation may have. */
const TIP = 'Jito tip';

function recipientLine(review: Review): SummaryLine {
  return money(l10n.t('Goes to'), recipientText(review));
}

/** Who receives something: "only you, the pool, Jito tip". */
function recipientText({ intent, recipients, verdict, transactions }: Review): string {
  if (transactions.length === 0) {
    return l10n.t('unknown');
  }
  const others = recipients.filter(({ role }) => role !== TIP).map(({ address, role }) => `${address} (${role})`);
  const listed = [
    l10n.t('you'),
    // The user chose no pool for a swap of the wallet's tokens, and unwrapping has none.
    ...(exchanges(intent) ? [] : [l10n.t('the pool')]),
    ...(recipients.some(({ role }) => role === TIP) ? [TIP] : []),
    ...others,
  ].join(', ');
  if (others.length > 0) {
    return listed;
  }
  // A finding may be about an account that cannot be named, or about a program that cannot be followed.
  return verdict === 'allow' ? l10n.t`only ${listed}` : l10n.t`${listed}, but see the findings`;
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

/** Explains a co-signer by its role in the instructions (SIG-4). */
function cosignerText(cosigner: Address, transactions: readonly DecodedTransaction[]): string {
  const roles = new Set(
    transactions.flatMap(({ instructions }) =>
      instructions.flatMap(({ accounts }) =>
        accounts.filter(({ address, signer }) => signer && address === cosigner).map(({ role }) => role),
      ),
    ),
  );
  const known = EXPLAINING_ROLES.find((role) => roles.has(role));
  return known === undefined ? cosigner : `${cosigner} (${known})`;
}

const EXPLAINING_ROLES: readonly string[] = ['position', 'position_nft_mint', 'base', 'maker', 'account'];

/** The basis of the review besides the bytes: a simulation, and the lookup tables that were read. */
function checkedLines({ resolvedTables, usedTables, simulation }: ReviewBasis, transactions: readonly unknown[]): readonly SummaryLine[] {
  const simulated = simulation && `${simulation.transactions} / ${transactions.length} (slot ${String(simulation.slot)})`;
  return [
    technical(l10n.t('Simulated'), simulated ?? l10n.t('none')),
    ...(usedTables === 0 ? [] : [technical(l10n.t('Lookup tables'), `${resolvedTables} / ${usedTables}`)]),
  ];
}

function transactionText({ transactions }: Review): string {
  const groups = (['close', 'swap', 'add', 'claim'] as const).map(
    (group) => [group, transactions.filter((one) => one.group === group).length] as const,
  );
  const named = groups.filter(([, count]) => count > 0).map(([group, count]) => `${count} ${group}`);
  return named.length === 0 ? l10n.t('none') : `${transactions.length} (${named.join(', ')})`;
}
