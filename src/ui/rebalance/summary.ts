import * as l10n from '@vscode/l10n';
import { usdShort } from '../../base/format/money';
import { counted, isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import { binRange } from '../../base/format/places';
import { lamportsToSol } from '../../base/solana/amounts';
import type { Strategy } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import { reentryRange } from '../../transactions/rebalance/range';
import type { ReentryTerms } from '../../transactions/rebalance/types';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import { firstThatFits } from '../zap/dialogSpace';
import { WHOLE_BPS } from '../../base/basisPoints';
import { figuresOf, hasImplausibleWorth, withdrawalWorth, worthOfWithdrawal } from '../zap/worth';

/** How many bins a position has; `undefined` where its range is not known. */
function binsOf({ lowerBinId, upperBinId }: OpenPosition): number | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : upperBinId - lowerBinId + 1;
}

/** How a rebalance will spread the liquidity: as it is set, or as the position has it. */
export function strategyOf({ strategy }: ReentryTerms, position: OpenPosition): Strategy {
  return strategy ?? position.strategy ?? 'Spot';
}

/** How wide a rebalance enters, after "around the active bin": "34 bins to either side", "that bin alone", "as many bins as now (69)". */
export function widthText({ halfWidthBins }: ReentryTerms, position: OpenPosition): string {
  if (halfWidthBins === undefined) {
    const bins = binsOf(position);
    return l10n.t`as many bins as now${bins === undefined ? '' : ` (${bins})`}`;
  }
  return halfWidthBins === 0 ? l10n.t('that bin alone') : l10n.t`${counted(halfWidthBins, 'bin')} to either side`;
}

/** What a yes to a rebalance is also a yes to, once the position is closed: never left out of the question. */
export function followUpText(terms: ReentryTerms, position: OpenPosition): readonly string[] {
  return [
    l10n.t`Then it re-enters with what came out, less costs, around the active bin then: ${widthText(terms, position)}, ${strategyOf(terms, position)}. At least ${lamportsToSol(terms.reserveLamports)} SOL stay in the wallet. You are asked again only if its review finds anything.`,
  ];
}

/** "at most 1 %, out and in each" */
export function slippageText({ slippageBps }: ReentryTerms): string {
  return l10n.t`at most ${percent(slippageBps / 100)}, out and in each`;
}

/** So many positions are named in the question; the list before it had all of them. */
const MOST_NAMED = 8;
const titleText = () => l10n.t('Rebalance All Out of Range');
const REBALANCE = 'Rebalance';

/**
 * Shows what a rebalance of all of these would do, one line each, all of them ticked; what is left ticked is confirmed once, with the
 * totals.
 * @returns what is to be rebalanced; none: the user has left.
 */
export async function askSummary(
  positions: readonly OpenPosition[],
  terms: ReentryTerms,
  prompts: Prompts,
): Promise<readonly OpenPosition[]> {
  const answer = await prompts.select({
    title: titleText(),
    // In a narrow window "3 Selected" takes most of the field.
    placeholder: l10n.t('Untick what stays as it is'),
    items: positions.map((position) => summaryItem(position, terms)),
  });
  if (answer.kind !== 'value' || answer.value.length === 0) {
    return [];
  }
  const action = await prompts.confirm({ severity: 'warning', ...summaryQuestion(answer.value, terms), actions: [REBALANCE] });
  return action === REBALANCE ? answer.value : [];
}

/** A position in the summary: what it is worth, what should come back, and where it goes. */
export function summaryItem(position: OpenPosition, terms: ReentryTerms): PickItem<OpenPosition> {
  const worth = withdrawalWorth(position, WHOLE_BPS);
  const range = newRange(position, terms);
  return {
    label: plainText(position.pairName),
    description: joined([
      isKnown(position.value.usd) && !hasImplausibleWorth(position) ? usdShort(position.value.usd) : l10n.t('value not known'),
      worth === undefined ? undefined : l10n.t`back about ${worth}`,
    ]),
    detail: joined([
      `${binRange(position.lowerBinId, position.upperBinId)} → ${range === undefined ? widthText(terms, position) : l10n.t`${binRange(range.fromBinId, range.toBinId)} as of now`}`,
      strategyOf(terms, position),
    ]),
    value: position,
  };
}

/** The one question for all: what it does, the totals, and what the yes covers. */
export function summaryQuestion(
  positions: readonly OpenPosition[],
  terms: ReentryTerms,
): { readonly message: string; readonly detail: string } {
  const [first] = positions;
  const isOne = positions.length === 1;
  const money = [
    ...(isOne ? [] : [totalWords(positions)]),
    l10n.t`${isOne ? l10n.t('It is') : l10n.t('Each is')} zapped out as a whole for SOL, then re-entered with what came out of it, less costs, around the active bin${first !== undefined && isOne ? `, ${widthText(terms, first)}` : terms.halfWidthBins === undefined ? l10n.t(', as many bins as now') : l10n.t`, ${counted(terms.halfWidthBins, 'bin')} to either side`}.`,
    l10n.t`Slippage: ${slippageText(terms)}. At least ${lamportsToSol(terms.reserveLamports)} SOL stay in the wallet.`,
  ];
  const covers = [
    l10n.t(
      'Your yes covers transactions of which the review finds nothing at all. Whatever else comes up is shown and asked in full, one by one. One that fails does not stop the others; Cancel on the progress stops the rest.',
    ),
  ];
  const write = (most: number) => () =>
    [namesOf(positions, terms, most), money.join('\n'), covers.join('\n')].filter((part) => part !== '').join('\n\n');
  return {
    message: l10n.t`Rebalance ${counted(positions.length, 'position')}?`,
    detail: firstThatFits([write(MOST_NAMED), write(4), write(2), write(0)]),
  };
}

function namesOf(positions: readonly OpenPosition[], terms: ReentryTerms, most: number): string {
  const rest = positions.length - most;
  const lines = positions
    .slice(0, most)
    .map((position) => `${plainText(position.pairName)}: ${backWords(position)}, ${strategyOf(terms, position)}`);
  return [...lines, ...(most > 0 && rest > 0 ? [l10n.t`… and ${rest} more`] : [])].join('\n');
}

/** Where it would go in now; `undefined` where the service does not say where the price is. */
function newRange(
  { lowerBinId, upperBinId, activeBinId, binStepBps }: OpenPosition,
  { halfWidthBins }: ReentryTerms,
): ReturnType<typeof reentryRange> | undefined {
  if (lowerBinId === undefined || upperBinId === undefined || activeBinId === undefined) {
    return undefined;
  }
  try {
    return reentryRange({ fromBinId: lowerBinId, toBinId: upperBinId }, halfWidthBins, activeBinId, binStepBps);
  } catch {
    return undefined;
  }
}

/** "about $102.00 (0.714 SOL) back" */
function backWords(position: OpenPosition): string {
  const worth = worthOfWithdrawal(position, WHOLE_BPS);
  return worth === undefined ? l10n.t('value not known') : l10n.t`about ${figuresOf(worth)} back`;
}

/** The sum of what should come back of those that the service values. */
function totalWords(positions: readonly OpenPosition[]): string {
  const known = positions.map((position) => worthOfWithdrawal(position, WHOLE_BPS)).filter((worth) => worth !== undefined);
  const implausible = positions.filter(hasImplausibleWorth).length;
  const leftOut =
    implausible === 0 ? '' : l10n.t` Left out, because the figure is too large to be real: ${counted(implausible, 'position')}.`;
  if (known.length === 0) {
    return l10n.t`The service does not value them.${leftOut}`;
  }
  const inSol = known.every((worth) => worth.sol !== undefined) ? known.reduce((sum, worth) => sum + (worth.sol ?? 0), 0) : undefined;
  const withFees = known.filter(({ hasFees }) => hasFees).length;
  const fees =
    withFees === known.length
      ? l10n.t('fees included')
      : withFees === 0
        ? l10n.t('fees not counted')
        : l10n.t('fees included where the service values them');
  const unpriced = positions.length - known.length - implausible;
  return l10n.t`Together: about ${figuresOf({ usd: known.reduce((sum, worth) => sum + worth.usd, 0), sol: inSol })} back, ${fees}${unpriced === 0 ? '' : l10n.t`; ${unpriced} not valued`}.${leftOut}`;
}
