import type { Address } from '../solana/address';
import { formatRaw, lamportsToSol } from '../solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';
import { totalLamports } from './spends';
import type { Finding, Review, Spends, TokenSpend, Verdict } from './types';

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
}

/** Gives a token's ticker and decimals, where they are known; without them amounts are shown in raw units. */
export type TokenNames = (mint: Address) => { readonly symbol: string; readonly decimals: number | undefined } | undefined;

/** Puts a review into the lines of a confirmation (policy §14). */
export function describeReview(review: Review, tokens: TokenNames = () => undefined): ReviewSummary {
  const { intent } = review;
  const lines: (SummaryLine | undefined)[] = [
    money(intent.kind === 'zapIn' ? 'The swaps give at least' : 'You receive at least', minimumText(review, tokens)),
    money('You spend at most', spendText({ ...review.spends, consumedLamports: fromWallet(review) })),
    tokenLine(review, tokens),
    money('Goes to', recipientText(review)),
    technical('Pool', intent.pool),
    intent.kind === 'zapOut' ? technical('Position', intent.position) : technical('Bins', `${intent.fromBinId} to ${intent.toBinId}, ${intent.strategy}`),
    cosignerLine(review),
    technical('Transactions', transactionText(review)),
    technical('Programs', review.programs.join(', ') || 'none'),
    technical('Expires', expiryText(review.lastValidBlockHeight)),
    technical('Checked', 'offline, from the bytes of the transactions alone'),
  ];
  return {
    title: titleOf(review),
    verdict: review.verdict,
    lines: lines.filter((line) => line !== undefined),
    findings: review.findings.map(findingText),
  };
}

function money(label: string, text: string): SummaryLine {
  return { about: 'money', label, text };
}

function technical(label: string, text: string): SummaryLine {
  return { about: 'transactions', label, text };
}

/**
 * Writes a summary as one text, for a dialog that takes nothing else: the money, the findings, how it is done, each a
 * paragraph. `before` are lines of the caller's own about the money.
 */
export function summaryAsText(summary: ReviewSummary, before: readonly string[] = []): string {
  const linesAbout = (about: SummaryLine['about']) => summary.lines.filter((line) => line.about === about).map(({ label, text }) => `${label}: ${text}`);
  return [[...before, ...linesAbout('money')], summary.findings, linesAbout('transactions')]
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => paragraph.join('\n'))
    .join('\n\n');
}

/** Writes a finding with its verdict, rule and place. */
export function findingText({ rule, verdict, message, transaction, instruction }: Finding): string {
  const place = [
    rule,
    ...(transaction === undefined ? [] : [`transaction ${transaction + 1}`]),
    ...(instruction === undefined ? [] : [`instruction ${instruction + 1}`]),
  ].join(', ');
  return `${VERDICT_WORDS[verdict]} (${place}): ${message}`;
}

const VERDICT_WORDS: Readonly<Record<Finding['verdict'], string>> = {
  block: 'Blocked',
  confirm: 'Decide',
  allow: 'Fine',
  info: 'Note',
};

function titleOf({ intent }: Review): string {
  return intent.kind === 'zapOut'
    ? `Zap out ${intent.shareBps / 100} % of position ${shortened(intent.position)}`
    : `Zap in ${lamportsToSol(intent.inputLamports)} SOL to pool ${shortened(intent.pool)}`;
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

function spendText(spends: Spends): string {
  const parts: readonly (readonly [bigint, string])[] = [
    [spends.consumedLamports, 'into swaps and the pool'],
    [spends.networkFeeLamports, 'network fee'],
    [spends.priorityFeeLamports, 'priority fee'],
    [spends.tipLamports, 'tip'],
    [spends.refundableRentLamports, 'rent that comes back when the accounts are closed'],
    [spends.spentRentLamports, 'rent that does not come back'],
    [spends.otherLamports, 'to others'],
  ];
  const named = parts.filter(([lamports]) => lamports > 0n).map(([lamports, words]) => `${lamportsToSol(lamports)} ${words}`);
  return `${lamportsToSol(totalLamports(spends))} SOL${named.length === 0 ? '' : ` (${named.join(', ')})`}`;
}

function tokenLine(review: Review, tokens: TokenNames): SummaryLine | undefined {
  const { tokenSpends, spends } = review;
  const withdrawnSol = spends.consumedLamports - fromWallet(review);
  const solTexts = withdrawnSol > 0n ? [`${amountText(WRAPPED_SOL_MINT, withdrawnSol, tokens)} into swaps`] : [];
  const tokenTexts = (['swap', 'position'] as const).flatMap((into) => {
    const sums = sumByMint(tokenSpends.filter((spend: TokenSpend) => spend.into === into));
    return sums.map(([mint, amountRaw]) => `${amountText(mint, amountRaw, tokens)} into ${into === 'swap' ? 'swaps' : 'the position'}`);
  });
  const texts = [...tokenTexts, ...solTexts];
  return texts.length === 0 ? undefined : money('Tokens that move at most', texts.join(', '));
}

function minimumText({ minimumOut, intent }: Review, tokens: TokenNames): string {
  if (minimumOut.length === 0) {
    return intent.kind === 'zapIn' ? 'nothing is swapped, or the transactions state no minimum' : 'not stated in the transactions';
  }
  const swapped = sumByMint(minimumOut).map(([mint, amountRaw]) => amountText(mint, amountRaw, tokens)).join(', ');
  return intent.kind === 'zapIn' ? swapped : `${swapped} from swaps; for the rest the transactions state no minimum`;
}

function sumByMint(amounts: readonly { readonly mint: Address | undefined; readonly amountRaw: bigint }[]): [Address | undefined, bigint][] {
  const sums = new Map<Address | undefined, bigint>();
  for (const { mint, amountRaw } of amounts) {
    sums.set(mint, (sums.get(mint) ?? 0n) + amountRaw);
  }
  return [...sums];
}

function amountText(mint: Address | undefined, amountRaw: bigint, tokens: TokenNames): string {
  if (mint === undefined) {
    return `${amountRaw} raw units of a token that could not be determined`;
  }
  if (mint === WRAPPED_SOL_MINT) {
    return `${grouped(formatRaw(amountRaw, SOL_DECIMALS))} SOL`;
  }
  const token = tokens(mint);
  return token?.decimals === undefined ? `${amountRaw} raw units of ${token?.symbol ?? mint}` : `${grouped(formatRaw(amountRaw, token.decimals))} ${token.symbol}`;
}

/** Puts a comma before every three whole digits: "22,745,796.83322". */
function grouped(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}

function recipientText({ recipients, verdict, transactions }: Review): string {
  if (transactions.length === 0) {
    return 'unknown: nothing could be read';
  }
  const others = recipients.filter(({ role }) => role !== 'Jito tip').map(({ address, role }) => `${address} (${role})`);
  if (others.length > 0) {
    return `your own accounts, the pool, and ${others.join(', ')}`;
  }
  if (verdict === 'block') {
    return 'not certain: see the findings';
  }
  return recipients.length > 0 ? 'only your own accounts and the pool, besides the tip' : 'only your own accounts and the pool';
}

function cosignerLine({ transactions, intent }: Review): SummaryLine | undefined {
  const cosigners = [...new Set(transactions.flatMap(({ signers }) => signers.map(({ address }) => address)))].filter((address) => address !== intent.owner);
  if (cosigners.length === 0) {
    return undefined;
  }
  const position = intent.kind === 'zapIn' ? intent.position : undefined;
  return technical('Also signed by', cosigners.map((address) => (address === position ? `the new position's key ${address}` : address)).join(', '));
}

function transactionText({ transactions }: Review): string {
  const groups = (['close', 'swap', 'add'] as const).map((group) => [group, transactions.filter((one) => one.group === group).length] as const);
  const named = groups.filter(([, count]) => count > 0).map(([group, count]) => `${count} ${group}`);
  return named.length === 0 ? 'none that could be read' : `${transactions.length} (${named.join(', ')})`;
}

function expiryText(lastValidBlockHeight: number | undefined): string {
  const about = 'about a minute after they were made';
  return lastValidBlockHeight === undefined ? about : `${about} (block height ${lastValidBlockHeight})`;
}
