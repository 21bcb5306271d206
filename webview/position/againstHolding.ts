import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { PositionEvent, PositionView } from '../../src/protocol/position';
import type { MoneyView } from '../../src/protocol/schemas';
import { infoTooltip } from '../shared/controls';
import { isDeposit, kindOfEvent } from './eventKinds';
import { nativePerUsd } from './holdings';
import { currencyOf, type PositionState } from './state';

/** A position against the tokens that were put into it, US dollars at today's prices. */
export interface AgainstHolding {
  /** What the deposited tokens are worth now. */
  readonly heldUsd: number;
  /** What is in the position now, and what was withdrawn. */
  readonly nowUsd: number;
  /** `nowUsd` less `heldUsd`: the impermanent loss if it is negative. */
  readonly priceEffectUsd: number;
  /** Unclaimed fees at today's prices, and claimed fees as the service values them. */
  readonly feesUsd: number;
  readonly differenceUsd: number;
  /** Of `heldUsd`. */
  readonly differencePercent: number;
}

/** Why there is no comparison. */
export type NoComparison = 'noEvents' | 'noPrices' | 'unknownAmounts' | 'incomplete';

type Compared = Pick<PositionView, 'x' | 'y' | 'input' | 'output' | 'collectedFee' | 'uncollectedFee'>;

/** Share by which the events may differ from the sums that the service reports: both are valued at slightly different moments. */
const TOLERANCE = 0.05;
/** Below this a difference is rounding, US dollars. */
const LEAST_USD = 0.05;

/**
 * Compares a position with holding the deposited tokens: what is in it, withdrawn tokens and fees against the deposits, all of it at today's prices
 * except for claimed fees. Only if every deposit and withdrawal is known: events whose sums differ from what the service reports are incomplete.
 */
export function againstHolding(position: Compared, events: readonly PositionEvent[] | undefined): AgainstHolding | NoComparison {
  const { x, y, input, output, collectedFee, uncollectedFee } = position;
  const [priceX, priceY] = [x.priceUsd, y.priceUsd];
  if (!isFigure(priceX) || !isFigure(priceY) || !isFigure(x.amount) || !isFigure(y.amount)) {
    return 'noPrices';
  }
  if (!isFigure(collectedFee.usd) || !isFigure(uncollectedFee.usd)) {
    return 'unknownAmounts';
  }
  if (events === undefined) {
    return 'noEvents';
  }
  const deposits = events.filter(isDeposit);
  const withdrawals = events.filter((event) => kindOfEvent(event) === 'withdrawal');
  if (deposits.length === 0) {
    return 'noEvents';
  }
  if (events.some((event) => isUnexplained(event)) || events.some((event) => kindOfEvent(event) === 'deposit' && !hasAmounts(event))) {
    return 'unknownAmounts';
  }
  const held = deposits.map((event) => valueOf(event, priceX, priceY));
  const out = withdrawals.map((event) => valueOf(event, priceX, priceY));
  const [heldUsd, outUsd] = [sumOf(held), sumOf(out)];
  if (heldUsd === undefined || outUsd === undefined || !(heldUsd > 0)) {
    return 'unknownAmounts';
  }
  if (!addsUp(deposits, input.usd) || !addsUp(withdrawals, output.usd)) {
    return 'incomplete';
  }
  const nowUsd = x.amount * priceX + y.amount * priceY + outUsd;
  const feesUsd = uncollectedFee.usd + collectedFee.usd;
  const differenceUsd = nowUsd + feesUsd - heldUsd;
  return { heldUsd, nowUsd, priceEffectUsd: nowUsd - heldUsd, feesUsd, differenceUsd, differencePercent: (100 * differenceUsd) / heldUsd };
}

/** An event that moved tokens in a way that is not known. */
function isUnexplained(event: PositionEvent): boolean {
  const kind = kindOfEvent(event);
  return (
    (kind === 'unknown' || kind === 'close') && [event.amount0Raw, event.amount1Raw].some((raw) => raw !== undefined && BigInt(raw) > 0n)
  );
}

function hasAmounts({ amount0Raw, amount1Raw }: PositionEvent): boolean {
  return amount0Raw !== undefined && amount1Raw !== undefined;
}

/** Whether events have the sum that the service reports, at the prices of their time. A sum that is not reported can't be checked: events may be missing. */
function addsUp(events: readonly PositionEvent[], reportedUsd: number | undefined): boolean {
  if (reportedUsd === undefined) {
    return false;
  }
  const sum = sumOf(events.map((event) => valueOf(event, event.price0Usd, event.price1Usd)));
  return sum !== undefined && Math.abs(sum - reportedUsd) <= Math.max(TOLERANCE * Math.max(sum, reportedUsd), LEAST_USD);
}

/** The value of an event's tokens at these prices; `undefined`: an amount is not known. */
function valueOf(event: PositionEvent, price0: number | undefined, price1: number | undefined): number | undefined {
  return sumOf([side(event.amount0Raw, event.decimals0, price0), side(event.amount1Raw, event.decimals1, price1)]);
}

function side(raw: string | undefined, decimals: number | undefined, price: number | undefined): number | undefined {
  if (raw !== undefined && BigInt(raw) === 0n) {
    return 0;
  }
  return raw === undefined || !isFigure(decimals) || !isFigure(price) ? undefined : (Number(raw) / 10 ** decimals) * price;
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}

function isFigure(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

/** The comparison with holding, with the rule that made it. */
export function againstHoldingCard(state: PositionState, position: PositionView): TemplateResult<1> {
  const compared = againstHolding(position, state.events.data);
  return html`<section class="card" aria-labelledby="holding-title">
    <div class="section-header"><h2 id="holding-title">${l10n.t('Compared with holding')}</h2>${infoTooltip('about-holding', l10n.t('About the comparison with holding'), l10n.t('What is in the position, plus what was withdrawn, minus the deposited tokens, all at current prices: a negative difference is the impermanent loss. Unclaimed and claimed fees are added to it.'))}</div>
    ${typeof compared === 'string' ? html`<p class="soft">${reasonOf(compared, state)}</p>` : sum(state, position, compared)}
  </section>`;
}

function sum(state: PositionState, position: PositionView, compared: AgainstHolding): TemplateResult<1> {
  const { figures } = state;
  const currency = currencyOf(state);
  const rate = nativePerUsd(position.value);
  const money = (usd: number): MoneyView => ({ usd, native: rate === undefined ? undefined : usd * rate });
  const { heldUsd, nowUsd, priceEffectUsd, feesUsd, differenceUsd, differencePercent } = compared;
  const line = (sign: string, spoken: string, label: string, usd: number): TemplateResult<1> =>
    html`<div><dt><span class="sum-sign" aria-hidden="true">${sign}</span>${spoken === '' ? '' : html`<span class="visually-hidden">${spoken} </span>`}${label}</dt><dd>${figures.amount(money(usd), currency)}</dd></div>`;
  return html`<dl class="facts sum-lines">
      ${line('', '', l10n.t('In the position and withdrawn'), nowUsd)} ${line('−', l10n.t('minus'), l10n.t('Deposited tokens, if held'), heldUsd)}
      <div class="sum"><dt><span class="sum-sign" aria-hidden="true">=</span>${priceEffectUsd < 0 ? l10n.t('Impermanent loss') : l10n.t('Gain without fees')}</dt><dd>${figures.difference(money(priceEffectUsd), currency)}</dd></div>
      ${line('+', l10n.t('plus'), l10n.t('Fees'), feesUsd)}
      <div class="sum"><dt><span class="sum-sign" aria-hidden="true">=</span>${l10n.t('Difference')}</dt><dd>${figures.difference(money(differenceUsd), currency)} <span class="aside">${figures.percentDifference(differencePercent)}</span></dd></div>
    </dl>
    <p class="soft">${l10n.t('Tokens at current prices, from the events below; claimed fees at the prices of their time.')}</p>`;
}

function reasonOf(reason: NoComparison, { events }: PositionState): string {
  switch (reason) {
    case 'noEvents':
      return events.status === 'loading'
        ? l10n.t('Loading the deposits…')
        : l10n.t('Not known: the service reports no deposits of this position.');
    case 'noPrices':
      return l10n.t('Not known: the service does not report amounts and prices of both tokens.');
    case 'unknownAmounts':
      return l10n.t('Not known: the amounts of some events are missing.');
    case 'incomplete':
      return l10n.t('Not known: the events do not add up to what the service reports as deposited and withdrawn.');
  }
}
