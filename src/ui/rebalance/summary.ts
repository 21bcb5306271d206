import * as l10n from '@vscode/l10n';
import { lamportsAsSol, usdShort } from '../../base/format/money';
import { counted } from '../../base/format/counted';
import { isKnown } from '../../base/format/numbers';
import type { BinRange } from '../../base/dlmm/bins';
import { percent } from '../../base/format/percent';
import { binRange, shortAddress } from '../../base/format/identifiers';
import type { Strategy } from '../../service/common';
import { isPartlyLocked, type OpenPosition } from '../../service/positions';
import { reentryRange } from '../../transactions/rebalance/rebalancePlan';
import type { ReentryTerms } from '../../transactions/rebalance/types';
import { type NamesByKey, nameIn } from '../positions/positionList';
import type { PickItem, Prompts } from '../shell/prompts/prompts';
import { joined } from '../shell/views/rows';
import { firstThatFits } from '../zap/dialogSpace';
import { pricedPoolOf, pricesOf } from '../zap/zapInRange';
import { WHOLE_BPS } from '../../base/basisPoints';
import { figuresOf, hasImplausibleWorth, withdrawalWorth, worthOfWithdrawal } from '../zap/results';
import { rebalanceTitle } from '../zap/operationWords';

/** Number of bins of a position's range. */
function binsOf({ lowerBinId, upperBinId }: OpenPosition): number | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : upperBinId - lowerBinId + 1;
}

/** The strategy of a rebalance: from the settings, or else the position's own. */
function strategyOf({ strategy }: Pick<ReentryTerms, 'strategy'>, position: OpenPosition): Strategy {
  return strategy ?? position.strategy ?? 'Spot';
}

/** The width of the new range: "34 bins on each side", "1 bin", "69 bins", "as many bins as now". */
function widthText({ halfWidthBins }: ReentryTerms, position?: OpenPosition): string {
  if (halfWidthBins === undefined) {
    const bins = position === undefined ? undefined : binsOf(position);
    return bins === undefined ? l10n.t('as many bins as now') : counted(bins, 'bin');
  }
  return halfWidthBins === 0 ? counted(1, 'bin') : l10n.t`${counted(halfWidthBins, 'bin')} on each side`;
}

/** What the approval of a rebalance also covers once the position is closed, in a few words: never left out of the question. */
export function followUpBriefly({ halfWidthBins, strategy }: ReentryTerms, position: OpenPosition): readonly string[] {
  const bins = halfWidthBins === undefined ? binsOf(position) : 2 * halfWidthBins + 1;
  const shape = strategyOf({ strategy }, position);
  return [l10n.t`Re-enters around the price: ${shape}, ${bins === undefined ? l10n.t('as many bins as now') : counted(bins, 'bin')}`];
}

/** The same in full, for the details. */
export function followUpText(terms: ReentryTerms, position: OpenPosition): readonly string[] {
  return [...followUpBriefly(terms, position), reserveText(terms), askedAgainText()];
}

/** What stays in the wallet. */
export const reserveText = ({ reserveLamports }: Pick<ReentryTerms, 'reserveLamports'>): string =>
  l10n.t`At least ${lamportsAsSol(reserveLamports)} stay in the wallet.`;
const askedAgainText = (): string => l10n.t('You are asked again only if the review finds anything.');

/** "Max slippage: 1%" */
export function slippageText({ slippageBps }: ReentryTerms): string {
  return l10n.t`Max slippage: ${percent(slippageBps / 100)}`;
}

/** Positions that the question names; the list before it shows all of them. */
const MOST_NAMED = 8;
/** Where several are selected. Short: in a narrow window "3 Selected" takes most of the field. */
export const clearText = (): string => l10n.t('Clear the ones to leave alone');
const changeText = () => l10n.t('Change Selection');

/** What is asked about several positions at once. */
export interface Summary {
  readonly title: string;
  /** The button that approves. */
  readonly action: string;
  /** What happens to a position, by detail of its row in the list. */
  readonly effect: (position: OpenPosition) => string;
  /** "Close 3 positions?" */
  readonly message: (positions: readonly OpenPosition[]) => string;
  /** A position in the question: "estimated return $102.00, Spot". */
  readonly line: (position: OpenPosition) => string;
  /** What happens, and by which terms. */
  readonly terms: (positions: readonly OpenPosition[]) => readonly string[];
}

/** Rebalancing: each position's new range, and the terms of the re-entries. */
export function rebalanceSummary(terms: ReentryTerms): Summary {
  return {
    title: l10n.t('Rebalance All Out of Range'),
    action: l10n.t('Rebalance'),
    effect: (position) => {
      const range = newRange(position, terms);
      const present =
        position.lowerBinId === undefined || position.upperBinId === undefined
          ? binRange(position.lowerBinId, position.upperBinId)
          : rangeOf(position, { fromBinId: position.lowerBinId, toBinId: position.upperBinId });
      return joined([
        `${present} → ${range === undefined ? widthText(terms, position) : rangeOf(position, range)}`,
        strategyOf(terms, position),
      ]);
    },
    message: ({ length }) => `${rebalanceTitle(counted(length, 'position'))}?`,
    line: (position) => `${returnText(position)}, ${strategyOf(terms, position)}`,
    terms: (positions) => [
      l10n.t`Each is closed for SOL and re-entered around the price: ${widthText(terms, positions.length === 1 ? positions[0] : undefined)}.`,
      `${slippageText(terms)}. ${reserveText(terms)}`,
    ],
  };
}

/** Closing. @param slippageBps slippage tolerance, 0 to 10000 */
export function closeSummary(slippageBps: number): Summary {
  return {
    title: l10n.t('Close Positions'),
    action: l10n.t('Close'),
    effect: (position) =>
      isPartlyLocked(position)
        ? l10n.t('a part is locked and stays in the pool')
        : position.address === undefined
          ? ''
          : shortAddress(position.address),
    message: ({ length }) => l10n.t`Close ${counted(length, 'position')}?`,
    line: returnText,
    terms: () => [l10n.t('Each is closed, and its tokens are swapped to SOL.'), l10n.t`Max slippage: ${percent(slippageBps / 100)}`],
  };
}

/**
 * Shows what an operation on each position would do, all of them selected. The ones left selected are confirmed once, with the totals.
 * @param names the names of all listed positions
 * @returns the confirmed positions; none if the user cancels
 */
export async function askSummary(
  positions: readonly OpenPosition[],
  names: NamesByKey,
  summary: Summary,
  prompts: Prompts,
): Promise<readonly OpenPosition[]> {
  for (;;) {
    const answer = await prompts.select({
      title: summary.title,
      placeholder: clearText(),
      items: positions.map((position) => summaryItem(position, summary, names)),
    });
    if (answer.kind !== 'value' || answer.value.length === 0) {
      return [];
    }
    const action = await prompts.confirm({
      severity: 'warning',
      ...summaryQuestion(answer.value, summary, names),
      // The first action is preselected. It must not approve: an Enter that was meant for the list could.
      actions: [changeText(), summary.action],
    });
    if (action !== changeText()) {
      return action === summary.action ? answer.value : [];
    }
  }
}

/** A position in the list: its value, the estimated return, and what happens to it. */
export function summaryItem(
  position: OpenPosition,
  { effect }: Pick<Summary, 'effect'>,
  names: NamesByKey = new Map(),
): PickItem<OpenPosition> {
  const worth = withdrawalWorth(position, WHOLE_BPS);
  return {
    label: nameIn(names, position),
    description: joined([
      isKnown(position.value.usd) && !hasImplausibleWorth(position) ? usdShort(position.value.usd) : l10n.t('value unknown'),
      worth === undefined ? undefined : l10n.t`estimated return ${worth}`,
    ]),
    detail: effect(position),
    value: position,
  };
}

/** The one question for all: what happens, the totals, and what the confirmation covers. */
export function summaryQuestion(
  positions: readonly OpenPosition[],
  summary: Summary,
  names: NamesByKey = new Map(),
): { readonly message: string; readonly detail: string } {
  const money = [...(positions.length === 1 ? [] : [totalText(positions)]), ...summary.terms(positions)];
  const covers = `${askedAgainText()} ${l10n.t('A failure does not stop the rest; Cancel does.')}`;
  const write = (most: number) => () =>
    [linesOf(positions, summary, names, most), money.join('\n'), covers].filter((part) => part !== '').join('\n\n');
  return { message: summary.message(positions), detail: firstThatFits([write(MOST_NAMED), write(4), write(2), write(0)]) };
}

function linesOf(positions: readonly OpenPosition[], { line }: Summary, names: NamesByKey, most: number): string {
  const rest = positions.length - most;
  const lines = positions.slice(0, most).map((position) => `${nameIn(names, position)}: ${line(position)}`);
  return [...lines, ...(most > 0 && rest > 0 ? [l10n.t`… and ${rest} more`] : [])].join('\n');
}

/** The range at the current price; `undefined` if the service doesn't report the position's range or the active bin. */
/** In prices where decimals and bin step are known, else in bins; with the number of bins. */
function rangeOf(position: OpenPosition, range: BinRange): string {
  const prices = pricesOf(range, pricedPoolOf(position));
  return prices === undefined
    ? binRange(range.fromBinId, range.toBinId)
    : l10n.t`${prices} (${counted(range.toBinId - range.fromBinId + 1, 'bin')})`;
}

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

/** "estimated return $102.00 (0.714 SOL)" */
function returnText(position: OpenPosition): string {
  const worth = worthOfWithdrawal(position, WHOLE_BPS);
  return worth === undefined ? l10n.t('value unknown') : l10n.t`estimated return ${figuresOf(worth)}`;
}

/** The estimated return of all positions with a known value. */
function totalText(positions: readonly OpenPosition[]): string {
  const known = positions.map((position) => worthOfWithdrawal(position, WHOLE_BPS)).filter((worth) => worth !== undefined);
  const unknown = positions.length - known.length;
  const leftOut = unknown === 0 ? '' : ` ${l10n.t`Without those of unknown value: ${counted(unknown, 'position')}.`}`;
  if (known.length === 0) {
    return leftOut.trim();
  }
  const inSol = known.every((worth) => worth.sol !== undefined) ? known.reduce((sum, worth) => sum + (worth.sol ?? 0), 0) : undefined;
  const total = figuresOf({ usd: known.reduce((sum, worth) => sum + worth.usd, 0), sol: inSol });
  const withFees = known.filter(({ hasFees }) => hasFees).length;
  const text =
    withFees === known.length
      ? l10n.t`${total}, fees included`
      : withFees === 0
        ? l10n.t`${total}, without fees`
        : l10n.t`${total}, fees included where reported`;
  return `${l10n.t`Estimated total return: ${text}.`}${leftOut}`;
}
