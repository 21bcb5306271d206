import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { leastReceived, statesWithdrawal, totalLamports } from '../spends';
import type {
  DecodedInstruction,
  DecodedTransaction,
  Finding,
  Review,
  ReviewBasis,
  Spends,
  TokenSpend,
  Verdict,
  ZapInIntent,
  ZapOutIntent,
} from '../types';
import { amountText, type TokenNames } from './amountText';

// What was asked for beside what the transactions say (policy §14): bins and shape of a zap-in, share of a zap-out.

/** Writes the bins and the shape that were asked for, and those that were found. */
export function rangeText({ fromBinId, toBinId, strategy }: ZapInIntent, review: Review): string {
  const asked =
    fromBinId === undefined || toBinId === undefined
      ? l10n.t('all prices, without bins')
      : [l10n.t`${fromBinId} to ${toBinId}`, ...(strategy === undefined ? [] : [strategy])].join(', ');
  const { depositRange } = review;
  const shapes = new Set(instructionsOf(review).flatMap((instruction) => valuesIn(instruction, 'strategy_type')));
  const found = [...(depositRange === undefined ? [] : [l10n.t`${depositRange.fromBinId} to ${depositRange.toBinId}`]), ...shapes];
  return found.length === 0 ? l10n.t`asked ${asked}` : l10n.t`asked ${asked}; found ${found.join(', ')}`;
}

/** Writes the share that was asked for, and those that withdrawals name. */
export function shareText({ shareBps }: ZapOutIntent, review: Review): string {
  const shares = instructionsOf(review).flatMap((instruction) =>
    instruction.name === 'remove_all_liquidity' ? [WHOLE_BPS] : numbersIn(instruction, 'bps_to_remove'),
  );
  const found = [...new Set(shares)].sort((one, other) => other - one).map(percent);
  return l10n.t`asked ${percent(shareBps)}${found.length === 0 ? '' : l10n.t`; found ${found.join(', ')}`}`;
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

/** Values by the last part of their name, wherever in the arguments they are. */
function valuesIn({ args }: DecodedInstruction, name: string): string[] {
  return args.filter((arg) => arg.name === name || arg.name.endsWith(`.${name}`)).map(({ value }) => value);
}

export type { TokenNames } from './amountText';

/** What the confirmation shows of a review, as plain text. */
export interface ReviewSummary {
  /** "Zap out 100 % of position 8Hq4…x9Ba" */
  readonly title: string;
  readonly verdict: Verdict;
  /** What it costs, what it gives, where it goes, in this order. */
  readonly lines: readonly SummaryLine[];
  /** Worst first: "Blocked (DLMM-2, transaction 1, instruction 5): …" */
  readonly findings: readonly string[];
}

/** One line of the confirmation. */
export interface SummaryLine {
  /** What it speaks of: what the user gains and loses, or how it is done. */
  readonly about: 'money' | 'transactions';
  readonly label: string;
  readonly text: string;
  /** The same with what decides alone, for where there is little room. Without it there is no shorter form. */
  readonly brief?: string | undefined;
}

/** More findings than this are not read in a dialog; the details have all of them. */
const SHOWN_FINDINGS = 50;

/** Puts a review into the lines of a confirmation (policy §14). */
export function describeReview(review: Review, tokens: TokenNames = () => undefined): ReviewSummary {
  const { intent } = review;
  const lines: (SummaryLine | undefined)[] = [
    expectedLine(review, tokens),
    minimumLine(review, tokens),
    spendLine({ ...review.spends, consumedLamports: fromWallet(review) }),
    tokenLine(review, tokens),
    recipientLine(review),
    technical('Pool', intent.pool),
    intent.kind === 'zapOut' && intent.position !== undefined ? technical('Position', intent.position) : undefined,
    intent.kind === 'zapOut' ? technical('Share', shareText(intent, review)) : technical('Bins', rangeText(intent, review)),
    cosignerLine(review),
    technical('Transactions', transactionText(review)),
    technical('Programs', review.programs.join(', ') || 'none'),
    technical('Expires', expiryText(review.lastValidBlockHeight)),
    checkedLine(review.checked, review.transactions),
  ];
  return {
    title: titleOf(review, tokens),
    verdict: review.verdict,
    lines: lines.filter((line) => line !== undefined),
    findings: findingTexts(review),
  };
}

/** What is said of the findings in a dialog: not again what the line about the spending says (LIM-3), and not thousands of them. */
function findingTexts({ findings }: Review): readonly string[] {
  const told = findings.filter(({ rule }) => rule !== 'LIM-3');
  const left = told.length - SHOWN_FINDINGS;
  return [...told.slice(0, SHOWN_FINDINGS).map(findingText), ...(left > 0 ? [l10n.t`… and ${left} more, which the details show.`] : [])];
}

function money(label: string, text: string, brief?: string): SummaryLine {
  return { about: 'money', label, text, brief };
}

function technical(label: string, text: string, brief?: string): SummaryLine {
  return { about: 'transactions', label, text, brief };
}

/**
 * Writes a summary as one text, for a dialog that takes nothing else: the money, the findings, how it is done, each a
 * paragraph. `before` are lines of the caller's own about the money.
 */
export function summaryAsText(summary: ReviewSummary, before: readonly string[] = []): string {
  const linesAbout = (about: SummaryLine['about']) =>
    summary.lines.filter((line) => line.about === about).map(({ label, text }) => `${label}: ${text}`);
  return [[...before, ...linesAbout('money')], summary.findings, linesAbout('transactions')]
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => paragraph.join('\n'))
    .join('\n\n');
}

/** Writes a finding with its verdict, rule and place, and with the address that it is about, in full. */
export function findingText({ rule, verdict, message, transaction, instruction, address }: Finding): string {
  const place = [
    rule,
    ...(transaction === undefined ? [] : [l10n.t`transaction ${transaction + 1}`]),
    ...(instruction === undefined ? [] : [l10n.t`instruction ${instruction + 1}`]),
  ].join(', ');
  const about = address === undefined || message.includes(address) ? '' : ` (${address})`;
  return `${VERDICT_WORDS[verdict]} (${place}): ${message}${about}`;
}

const VERDICT_WORDS: Readonly<Record<Finding['verdict'], string>> = { block: 'Blocked', confirm: 'Decide', allow: 'Fine', info: 'Note' };

function titleOf({ intent }: Review, tokens: TokenNames): string {
  return intent.kind === 'zapOut'
    ? l10n.t`Zap out ${intent.shareBps / 100} % of ${intent.position === undefined ? 'a position' : l10n.t`position ${shortened(intent.position)}`}`
    : l10n.t`Zap in ${inputText(intent, tokens)} to pool ${shortened(intent.pool)}`;
}

/** What goes in: SOL, or the tokens that go in as they are. */
function inputText({ inputLamports, tokens: atHand }: ZapInIntent, tokens: TokenNames): string {
  const sol = l10n.t`${lamportsToSol(inputLamports)} SOL`;
  const others = (atHand ?? []).filter(({ amountRaw }) => amountRaw > 0n).map(({ mint, amountRaw }) => amountText(mint, amountRaw, tokens));
  return others.length === 0 ? sol : [...others, ...(inputLamports > 0n ? [sol] : [])].join(' and ');
}

function shortened(address: Address): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/**
 * The SOL that swaps and the pool take from the wallet. A zap-out swaps SOL that it has withdrawn: of that only what was
 * wrapped beforehand is the wallet's; the rest is told with the tokens that move.
 */
function fromWallet({ intent, spends: { consumedLamports, wrappedLamports } }: Review): bigint {
  return intent.kind === 'zapIn' || consumedLamports < wrappedLamports ? consumedLamports : wrappedLamports;
}

/** Its brief form keeps the rent that comes back: without that it looks as if it were gone. */
function spendLine(spends: Spends): SummaryLine {
  const parts: readonly (readonly [bigint, string])[] = [
    [spends.consumedLamports, l10n.t('into swaps and the pool')],
    [spends.networkFeeLamports, l10n.t('network fee')],
    [spends.priorityFeeLamports, l10n.t('priority fee')],
    [spends.tipLamports, 'tip'],
    [spends.refundableRentLamports, l10n.t('rent that comes back when the accounts are closed')],
    [spends.spentRentLamports, l10n.t('rent that does not come back')],
    [spends.otherLamports, l10n.t('to others')],
  ];
  const named = parts.filter(([lamports]) => lamports > 0n).map(([lamports, words]) => `${lamportsToSol(lamports)} ${words}`);
  const total = l10n.t`${lamportsToSol(totalLamports(spends))} SOL`;
  const { refundableRentLamports } = spends;
  return money(
    l10n.t('You spend at most'),
    `${total}${named.length === 0 ? '' : ` (${named.join(', ')})`}`,
    `${total}${refundableRentLamports > 0n ? l10n.t`, of which ${lamportsToSol(refundableRentLamports)} SOL is rent that comes back` : ''}`,
  );
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

const intoWords = (): Readonly<Record<TokenSpend['into'], string>> => ({
  swap: l10n.t('into swaps'),
  position: l10n.t('into the position'),
  others: l10n.t('to others'),
});

/** What a zap-out brings by the simulation. It is no guarantee: prices may move until it lands. */
function expectedLine({ intent, simulated, verdict }: Review, tokens: TokenNames): SummaryLine | undefined {
  if (intent.kind !== 'zapOut' || simulated === undefined || verdict === 'block') {
    return undefined;
  }
  const received = [...simulated].filter(([, amountRaw]) => amountRaw > 0n).map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens));
  return received.length === 0
    ? money(expected(), l10n.t('nothing comes into your wallet'))
    : money(expected(), l10n.t`${received.join(', ')}, rent and fees included`, received.join(', '));
}

const expected = () => l10n.t('Expected (simulated)');

function minimumLine(review: Review, tokens: TokenNames): SummaryLine {
  const label = review.intent.kind === 'zapIn' ? l10n.t('The swaps give at least') : l10n.t('You receive at least');
  const [text, more = '', moreBriefly = ''] = minimumText(review, tokens);
  return money(label, `${text}${more}`, `${text}${moreBriefly}`);
}

/** What comes in at least and, apart from that, what is to be said of it: in full, and briefly where that has to be said at all. */
function minimumText(review: Review, tokens: TokenNames): readonly [text: string, more?: string, moreBriefly?: string] {
  const { minimumOut, intent } = review;
  if (minimumOut.length === 0) {
    if (intent.kind === 'zapIn' && intent.tokens !== undefined) {
      return [l10n.t('nothing is swapped'), l10n.t(': your tokens go in as they are')];
    }
    return [
      intent.kind === 'zapIn'
        ? l10n.t('nothing is swapped, or the transactions state no minimum')
        : review.simulated === undefined
          ? l10n.t('not stated in the transactions')
          : l10n.t('no minimum is stated in the transactions'),
    ];
  }
  if (intent.kind === 'zapOut' && statesWithdrawal(review)) {
    const least = [...leastReceived(review)].map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens));
    return least.length === 0
      ? [l10n.t('nothing that is certain'), l10n.t(': what is withdrawn at least may be swapped')]
      : [least.join(', '), l10n.t('; claimed fees come on top')];
  }
  const amounts = intent.kind === 'zapIn' ? sumByMint(minimumOut) : [...leastReceived(review)];
  const swapped = amounts.map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens)).join(', ');
  if (intent.kind === 'zapIn') {
    return [swapped];
  }
  return swapped === ''
    ? [l10n.t('nothing that is certain'), l10n.t(': what swaps give at least may be sold again, or go to others')]
    : [l10n.t`${swapped} from swaps`, l10n.t('; for the rest the transactions state no minimum'), l10n.t('; no minimum for the rest')];
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

function recipientLine({ recipients, verdict, transactions }: Review): SummaryLine {
  const goesTo = (text: string, brief?: string): SummaryLine => money(l10n.t('Goes to'), text, brief);
  if (transactions.length === 0) {
    return goesTo(l10n.t('unknown: nothing could be read'));
  }
  const others = recipients.filter(({ role }) => role !== 'Jito tip').map(({ address, role }) => `${address} (${role})`);
  if (others.length > 0) {
    return goesTo(l10n.t`your own accounts, the pool, and ${others.join(', ')}`);
  }
  if (verdict === 'block') {
    return goesTo(l10n.t('not certain: see the findings'));
  }
  const tip = recipients.length > 0 ? l10n.t(', besides the tip') : '';
  // A finding may be about an account that nobody can name, or about a program that cannot be followed.
  return verdict === 'confirm'
    ? goesTo(
        l10n.t`your own accounts and the pool${tip}, as far as the findings do not say otherwise`,
        l10n.t('you and the pool, but see the findings'),
      )
    : goesTo(l10n.t`only your own accounts and the pool${tip}`);
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

/** Why another signs along, by the role in which it is named (SIG-4). */
function cosignerText(cosigner: Address, transactions: readonly DecodedTransaction[]): string {
  const roles = new Set(
    transactions.flatMap(({ instructions }) =>
      instructions.flatMap(({ accounts }) =>
        accounts.filter(({ address, signer }) => signer && address === cosigner).map(({ role }) => role),
      ),
    ),
  );
  const known = cosignersText().find(([role]) => roles.has(role));
  return known === undefined ? cosigner : `${known[1]} ${cosigner}`;
}

const cosignersText = (): readonly (readonly [string, string])[] => [
  ['position', l10n.t("the new position's key")],
  ['position_nft_mint', l10n.t("the key of the new position's NFT")],
  ['base', l10n.t('the key that the new position is derived from')],
  ['maker', l10n.t('the market maker')],
  ['account', l10n.t('a passing account')],
];

/** How it was checked: from the bytes, with which lookup tables, and whether in a simulation. */
function checkedLine({ resolvedTables, usedTables, simulation }: ReviewBasis, transactions: readonly DecodedTransaction[]): SummaryLine {
  const tables = usedTables === 0 ? '' : l10n.t`; ${resolvedTables} of ${usedTables} lookup tables could be read`;
  const unread = usedTables > resolvedTables ? l10n.t`, without ${usedTables - resolvedTables} of ${usedTables} lookup tables` : '';
  if (simulation === undefined) {
    return technical(
      'Checked',
      l10n.t`offline, from the bytes of the transactions${usedTables === 0 ? ' alone' : tables}`,
      `offline${unread}`,
    );
  }
  const part =
    simulation.transactions >= transactions.length ? '' : l10n.t`the first ${simulation.transactions} of ${transactions.length} `;
  return technical(
    'Checked',
    l10n.t`offline, from the bytes of the transactions${tables}, and ${part}simulated at slot ${String(simulation.slot)}`,
    `offline${unread}, ${part}simulated`,
  );
}

function transactionText({ transactions }: Review): string {
  const groups = (['close', 'swap', 'add'] as const).map(
    (group) => [group, transactions.filter((one) => one.group === group).length] as const,
  );
  const named = groups.filter(([, count]) => count > 0).map(([group, count]) => `${count} ${group}`);
  return named.length === 0 ? l10n.t('none that could be read') : `${transactions.length} (${named.join(', ')})`;
}

function expiryText(lastValidBlockHeight: number | undefined): string {
  const about = l10n.t('about a minute after they were made');
  return lastValidBlockHeight === undefined ? about : l10n.t`${about} (block height ${lastValidBlockHeight})`;
}
