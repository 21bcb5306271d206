import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import type { BinRange } from '../../base/dlmm/bins';
import { exactAmount, shortAmount } from '../../base/format/amounts';
import { counted } from '../../base/format/counted';
import { binRange } from '../../base/format/identifiers';
import { percent } from '../../base/format/percent';
import type { OperationKind } from '../../base/operationKinds';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import type { JournalPlan } from '../../transactions/journal/plans';
import type { OperationRecord } from '../../transactions/journal/types';
import { joined } from '../shell/views/rows';
import { positionName } from '../positions/positionList';
import { documentSentence, plainText } from '../shell/views/text';
import { movedInLine, pairText, tokenName, tokensInText, tokenText } from './movedTokens';

/** The figures of an operation that were measured, or are in its plan. */
type Figures = Pick<OperationRecord, 'created' | 'lamportsBack' | 'state' | 'changes' | 'promised'>;

/** A line of a document: label and text; `undefined`: it is left out. */
export type Fact = readonly [label: string, text: string | undefined];

// The titles of operations: of their progress, their question and their result.
export const zapOutTitle = (pair: string, shareBps: number): string => l10n.t`Zap out ${percent(shareBps / 100)} of ${pair}`;
export const zapInTitle = (deposit: string, pair: string): string => l10n.t`Zap ${deposit} into ${pair}`;
export const claimTitle = (of: string): string => l10n.t`Claim fees of ${of}`;
export const compoundTitle = (of: string): string => l10n.t`Compound fees of ${of}`;
export const additionTitle = (of: string): string => l10n.t`Add liquidity to ${of}`;
export const swapTitle = (sold: string, bought: string): string => l10n.t`Swap ${sold} to ${bought}`;
export const unwrapTitle = (what: string): string => l10n.t`Unwrap ${what}`;
export const rebalanceTitle = (pair: string): string => l10n.t`Rebalance ${pair}`;

export const reentryTitle = (pair: string): string => l10n.t`Re-enter ${pair}`;
/** A part of a rebalance. */
export const legTitle = (leg: 'zapOut' | 'zapIn'): string => WORDS[leg].label();

export const tokensUnknownText = (): string => l10n.t('Received tokens are known only with an RPC');
export const positionClosedWords = (): string => l10n.t('The position was closed.');

/** The words of a kind of operation: one row a kind. */
interface OperationWords<Kind extends OperationKind> {
  /** "Zap out of BONK/SOL" */
  name(pair: string, plan: JournalPlan<Kind>): string;
  /** "Zap-out", as a label. */
  label(): string;
  /** See {@link amountsText}. */
  amounts(plan: JournalPlan<Kind>, record: Figures, parts: readonly OperationRecord[]): string;
  /** What its own transactions return to the wallet; `tokens`: others than SOL, too. */
  returns(plan: JournalPlan<Kind>): 'nothing' | 'SOL' | 'tokens';
  /** The open positions that it works on, by all ids that lists use; the address of the first one first. */
  positions(plan: JournalPlan<Kind>): readonly string[];
  /** What was asked for, for the document about it. */
  facts(plan: JournalPlan<Kind>, created: OperationRecord['created']): readonly Fact[];
}

const WORDS: { readonly [Kind in OperationKind]: OperationWords<Kind> } = {
  zapOut: {
    name: (pair) => l10n.t`Zap out of ${pair}`,
    label: () => l10n.t('Zap Out'),
    amounts: ({ shareBps }, record) =>
      joined([
        shareBps === WHOLE_BPS ? undefined : percent(shareBps / 100),
        movedInLine(record) ?? returnedText(record),
        areTokensUnknown(record) ? tokensUnknownText() : undefined,
      ]),
    returns: ({ output }) => (output === 'allBaseToken' ? 'SOL' : 'tokens'),
    positions: ({ position, positionId }) => [position, positionId],
    facts: ({ shareBps, output }, created) => [
      [l10n.t('Share'), percent(shareBps / 100)],
      [l10n.t('Received as'), outputText(output, created)],
    ],
  },
  zapIn: {
    name: (pair) => l10n.t`Zap into ${pair}`,
    label: () => l10n.t('Zap In'),
    amounts: walletDeposit,
    returns: () => 'nothing',
    positions: () => [],
    facts: (plan) => [
      [l10n.t('Deposited'), depositText(plan)],
      [l10n.t('Strategy'), plan.strategy],
      [l10n.t('Bins'), plan.fromBinId === undefined || plan.toBinId === undefined ? undefined : binRange(plan.fromBinId, plan.toBinId)],
    ],
  },
  claim: {
    name: claimTitle,
    label: () => l10n.t('Claim Fees'),
    amounts: ({ positions }, record) =>
      joined([
        positions.length === 1 ? undefined : counted(positions.length, 'position'),
        movedInLine(record),
        areTokensUnknown(record) ? tokensUnknownText() : undefined,
      ]),
    returns: () => 'tokens',
    positions: ({ positions }) => positions.flatMap(({ position, positionId }) => [position, positionId]),
    facts: ({ positions }) => [[l10n.t('Positions'), positions.map(({ position }) => position).join(', ')]],
  },
  addLiquidity: {
    name: (pair, { source }) => (source === 'fees' ? compoundTitle(pair) : additionTitle(pair)),
    label: () => l10n.t('Add Liquidity'),
    amounts: (plan, record) => (plan.source === 'fees' ? (movedInLine(record) ?? '') : walletDeposit(plan)),
    returns: () => 'nothing',
    positions: ({ into }) => [into.position, into.positionId],
    facts: (plan) => [
      [l10n.t('Position'), plan.into.position],
      [l10n.t('Deposited'), plan.source === 'fees' ? l10n.t('Claimed fees') : depositText(plan)],
      [l10n.t('Strategy'), plan.strategy],
      [l10n.t('Bins'), plan.fromBinId === undefined || plan.toBinId === undefined ? undefined : binRange(plan.fromBinId, plan.toBinId)],
    ],
  },
  swap: {
    name: (_, { sold, bought }) => swapTitle(tokenName(sold), tokenName(bought)),
    label: () => l10n.t('Swap'),
    amounts: ({ sold, amountRaw }, record) => movedInLine(record) ?? tokenText(amountRaw, sold, shortAmount),
    returns: () => 'tokens',
    positions: () => [],
    facts: ({ sold, bought, amountRaw }) => [
      [l10n.t('Swap'), escapedAmounts(tokenText(amountRaw, sold, exactAmount), documentSentence)],
      [l10n.t('Received as'), documentSentence(tokenName(bought))],
    ],
  },
  unwrap: {
    name: () => unwrapTitle('SOL'),
    label: () => unwrapTitle('SOL'),
    amounts: ({ lamports }) => shortSol(lamports),
    returns: () => 'SOL',
    positions: () => [],
    facts: ({ lamports }) => [[unwrapTitle('SOL'), exactSolText(lamports)]],
  },
  rebalance: {
    name: rebalanceTitle,
    label: () => l10n.t('Rebalance'),
    amounts: (_, record, parts) => {
      const again = reenteredIn(parts);
      return again === undefined
        ? (returnedText(record) ?? '')
        : record.lamportsBack === undefined
          ? shortSol(again.inputLamports)
          : `${shortSol(record.lamportsBack)} → ${shortSol(again.inputLamports)}`;
    },
    returns: () => 'nothing',
    positions: ({ position }) => [position],
    facts: (plan) => [
      [l10n.t('Bins'), binRange(plan.fromBinId, plan.toBinId)],
      [l10n.t('Strategy'), plan.strategy],
      [
        l10n.t('New range'),
        plan.halfWidthBins === undefined ? l10n.t('as many bins as now') : l10n.t`${counted(plan.halfWidthBins, 'bin')} on each side`,
      ],
      [l10n.t('Stays in the wallet'), exactSolText(plan.reserveLamports)],
    ],
  },
};

/** "Zap out of BONK/SOL" @param position the name of its position, where that is longer than the pair */
export function operationName({ created }: Pick<OperationRecord, 'created'>, position?: string): string {
  return nameBy(created.plan, position ?? positionName({ pairName: created.pairName, poolType: created.poolType ?? 'other' }));
}

function nameBy<Kind extends OperationKind>(plan: JournalPlan<Kind>, pair: string): string {
  return WORDS[plan.kind].name(pair, plan);
}

/** "Zap-out", as a label. */
export function operationLabel({ created: { operation } }: Pick<OperationRecord, 'created'>): string {
  return WORDS[operation].label();
}

/**
 * The figures of an operation: "50% · +17,002 GIGALAMB, +0.055 SOL", "1.23 SOL returned" where only that was measured, "0.75 SOL",
 * "1.2M BONK and 0.5 SOL", "3.35 SOL → 3.29 SOL".
 * @param parts of a rebalance
 */
export function amountsText(record: Figures, parts: readonly OperationRecord[] = []): string {
  return amountsBy(record.created.plan, record, parts);
}

function amountsBy<Kind extends OperationKind>(plan: JournalPlan<Kind>, record: Figures, parts: readonly OperationRecord[]): string {
  return WORDS[plan.kind].amounts(plan, record, parts);
}

function returnedText({ lamportsBack }: Figures): string | undefined {
  return lamportsBack === undefined ? undefined : l10n.t`${shortSol(lamportsBack)} returned`;
}

/** Whether it returned tokens other than SOL whose amounts were not read from its transactions. */
export function areTokensUnknown({ created: { plan }, state, changes }: Pick<OperationRecord, 'created' | 'state' | 'changes'>): boolean {
  return state === 'settled' && returnedBy(plan) === 'tokens' && changes === undefined;
}

/** What the transactions of an operation return to the wallet. */
export function returnedBy<Kind extends OperationKind>(plan: JournalPlan<Kind>): 'nothing' | 'SOL' | 'tokens' {
  return WORDS[plan.kind].returns(plan);
}

/** The open positions that an operation works on, by all ids that lists use; the address of the first one first. */
export function positionIds<Kind extends OperationKind>(plan: JournalPlan<Kind>): readonly string[] {
  return WORDS[plan.kind].positions(plan);
}

/** What was asked for. */
export function planFacts(created: OperationRecord['created']): readonly Fact[] {
  const { plan } = created;
  return [...factsBy(plan, created), [l10n.t('Max slippage'), 'slippageBps' in plan ? percent(plan.slippageBps / 100) : undefined]];
}

function factsBy<Kind extends OperationKind>(plan: JournalPlan<Kind>, created: OperationRecord['created']): readonly Fact[] {
  return WORDS[plan.kind].facts(plan, created);
}

/** The re-entry of a rebalance. */
export interface Reentered {
  readonly inputLamports: bigint;
  /** `undefined`: the bins are not known. */
  readonly range: BinRange | undefined;
  readonly position: Address | undefined;
}

/** The re-entry among the parts of a rebalance; `undefined` if none is known. */
export function reenteredIn(parts: readonly OperationRecord[]): Reentered | undefined {
  const zapIn = parts.find(({ created, state }) => created.operation === 'zapIn' && state === 'settled');
  if (zapIn?.created.plan.kind !== 'zapIn') {
    return undefined;
  }
  const { inputLamports, fromBinId, toBinId } = zapIn.created.plan;
  return {
    inputLamports,
    range: fromBinId === undefined || toBinId === undefined ? undefined : { fromBinId, toBinId },
    position: zapIn.built?.position,
  };
}

const outputNames = () =>
  ({ allToken0: l10n.t('token X'), allToken1: l10n.t('token Y'), allBaseToken: 'SOL', both: l10n.t('both tokens') }) as const;

/** The tokens that a zap-out was asked to return, by ticker where the journal has them for certain. */
function outputText(output: keyof ReturnType<typeof outputNames>, { pairName, tokens = [] }: OperationRecord['created']): string {
  const [first, second] = tokens.map(({ symbol, mint }) =>
    symbol === undefined ? undefined : { symbol, ticker: tickerText(plainText(symbol), mint) },
  );
  // The list lacks a token whose mint was not reported: the next one must not be taken for it.
  if (first === undefined || second === undefined || pairName !== `${first.symbol}/${second.symbol}`) {
    return outputNames()[output];
  }
  const names = { ...outputNames(), allToken0: first.ticker, allToken1: second.ticker, both: pairText([first.ticker, second.ticker]) };
  return documentSentence(names[output]);
}

type WalletDeposit = Pick<JournalPlan<'zapIn'>, 'tokens' | 'inputLamports'>;

function walletDeposit({ tokens, inputLamports }: WalletDeposit): string {
  return tokens === undefined ? shortSol(inputLamports) : (tokensInText(tokens, shortAmount) ?? l10n.t('tokens from the wallet'));
}

/** The deposit with all digits. */
function depositText({ tokens, inputLamports }: WalletDeposit): string {
  if (tokens === undefined) {
    return exactSolText(inputLamports);
  }
  const amounts = tokensInText(tokens, exactAmount);
  return amounts === undefined ? l10n.t('tokens from the wallet') : escapedAmounts(amounts, documentSentence);
}

/** Escapes amounts with untrusted tickers for Markdown: no markup, no links, and numbers unchanged. */
export function escapedAmounts(text: string, escape: (text: string) => string): string {
  return escape(text).replace(/(?<!\d)[.:]|[.:](?!\d)/g, '\\$&');
}

/** Lamports as SOL in about six digits, truncated: "1.23 SOL". */
export function shortSol(lamports: bigint): string {
  return l10n.t`${shortAmount(lamports, SOL_DECIMALS)} SOL`;
}

/** Lamports as SOL with all digits. */
export function exactSolText(lamports: bigint): string {
  return l10n.t`${exactAmount(lamports, SOL_DECIMALS)} SOL`;
}
