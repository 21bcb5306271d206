import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OwnRange } from '../../../src/protocol/pool';
import { icon, iconButton } from '../../shared/controls';
import { type Column, VirtualTable } from '../../shared/table/virtualTable';
import { binOf } from './bars';
import { ZOOM_STEP } from './gestures';
import { binMessages, type BinMessages, type BinTextContext, spokenBin, worthText } from './messages';
import type { DistributionModel, DistributionShown } from './model';
import { ownLabel } from './picture';
import { placeText } from '../plan/range';
import { sumsOf, type ValuedBin } from './worth';

/** The chart's bins as a table. Create once per chart. */
export class BinTable {
  readonly #table = new VirtualTable<ValuedBin>({
    id: 'bins',
    label: l10n.t('Bins around the price'),
    keyOf: ({ binId }) => String(binId),
  });
  #textContext: BinTextContext | undefined;
  #columns: readonly Column<ValuedBin>[] = [];

  view({ textContext: context, valued: weighed }: DistributionModel): TemplateResult<1> {
    if (context !== this.#textContext) {
      this.#textContext = context;
      this.#columns = columnsOf(context);
    }
    return this.#table.view({ rows: weighed.bins, columns: this.#columns, isMarked: ({ binId }) => binId === context.pool.activeBinId });
  }
}

function columnsOf(context: BinTextContext): readonly Column<ValuedBin>[] {
  const { pool } = context;
  const textOf = (bin: ValuedBin): ReturnType<typeof binMessages> => binMessages(bin.binId, bin, context);
  const column = (id: string, label: string, text: (bin: ValuedBin) => string): Column<ValuedBin> => ({
    id,
    label,
    align: 'end',
    text,
    cell: text,
  });
  return [
    {
      ...column('bin', l10n.t('Bin'), (bin) => (bin.binId === pool.activeBinId ? l10n.t`${textOf(bin).bin} (active)` : textOf(bin).bin)),
      isRowName: true,
    },
    column(
      'price',
      l10n.t`Price, ${context.isPriceSwapped ? l10n.t`${pool.x.symbol} per ${pool.y.symbol}` : l10n.t`${pool.y.symbol} per ${pool.x.symbol}`}`,
      (bin) => textOf(bin).priceAlone,
    ),
    column('fromActive', l10n.t('From active'), (bin) => textOf(bin).fromActive ?? ''),
    column('y', pool.y.symbol, (bin) => textOf(bin).yAlone),
    column('x', pool.x.symbol, (bin) => textOf(bin).xAlone),
    column('worth', l10n.t('Value'), (bin) => textOf(bin).worth),
  ];
}

/** Input of {@link shell}. */
export interface Shell {
  readonly shown: DistributionShown;
  readonly model: DistributionModel;
  /** `undefined`: the width is not known yet. */
  readonly picture: TemplateResult<2> | undefined;
  readonly width: number;
  readonly height: number;
  readonly cursor: number | undefined;
  readonly table: BinTable;
  readonly isTableOpen: boolean;
  readonly onTable: (isOpen: boolean) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
  readonly onZoom: (factor: number) => void;
  readonly onCenter: () => void;
  readonly onAll: () => void;
  readonly onOwn: (own: OwnRange) => void;
  readonly openPosition: (key: string) => void;
}

/** Explains pointer and keyboard control of the chart. */
export const help = (): string => l10n.t('Drag to move, Ctrl+wheel to zoom. Keys: arrows, Page Up, Page Down, Home, End, 0, + and −.');

/** The whole chart: legend, controls, figures of one bin, picture, summary and table. */
export function shell(of: Shell): TemplateResult<1> {
  const { shown, model, cursor } = of;
  const { pool } = shown;
  const at = cursor ?? pool.activeBinId;
  const bin = at === undefined ? undefined : binOf(model.valued.bins, at);
  const words = at === undefined ? undefined : binMessages(at, bin, model.textContext);
  const planned = at === undefined ? undefined : shown.overlay?.wordsFor(at);
  const { least, most } = model.cursorLimits;
  return html`
    <div class="distribution-head">${legend(of)}${controls(of)}</div>
    ${words === undefined ? nothing : readout(words, planned, shown)}
    <div class="distribution-plot">
      <canvas class="distribution-canvas" width="0" height="0" aria-hidden="true"></canvas>
      <div
        class="distribution-cursor" role="slider" tabindex="0" aria-label=${l10n.t('Liquidity')} aria-orientation="horizontal" aria-describedby="distribution-summary"
        aria-valuemin=${Math.min(least, at ?? least)} aria-valuemax=${Math.max(most, at ?? most)} aria-valuenow=${at ?? least}
        aria-valuetext=${words === undefined ? l10n.t('not known') : spokenBin(words, planned)}
        @keydown=${of.onKey} @blur=${of.onBlur}
      ></div>
      <svg class="distribution-picture" width=${of.width} height=${of.height} focusable="false">${of.picture ?? nothing}</svg>
    </div>
    ${ownList(of)}
    <p class="chart-summary" id="distribution-summary">${model.summary}</p>
    <details class="chart-data" ?open=${of.isTableOpen} @toggle=${(event: Event) => event.currentTarget instanceof HTMLDetailsElement && of.onTable(event.currentTarget.open)}>
      <summary>${l10n.t('Bins around the price')}</summary>
      ${of.isTableOpen ? of.table.view(model) : nothing}
    </details>`;
}

function legend({ shown: { pool, overlay }, model }: Shell): TemplateResult<1> {
  const { textContext: context, valued: weighed } = model;
  const sums = sumsOf(weighed.bins);
  const { text } = context;
  return html`<ul class="distribution-legend">
    <li><svg class="legend-sample" width="14" height="14" aria-hidden="true"><rect class="sample-y" width="14" height="14" rx="2" /></svg>${pool.y.symbol} <span class="figure">${text.tokens(sums.y)}</span> <span class="soft figure">${worthText(sums.worthY, context)}</span></li>
    <li>
      <svg class="legend-sample" width="14" height="14" aria-hidden="true"><rect class="sample-x" width="14" height="14" rx="2" /><path class="sample-hatch" d="M0 9 9 0M3 14 14 3M10 14l4-4" /></svg>${pool.x.symbol} <span class="figure">${text.tokens(sums.x)}</span> <span class="soft figure">${worthText(sums.worthX, context)}</span>
    </li>
    ${overlay === undefined ? nothing : html`<li class="legend-plan"><svg class="legend-sample" width="18" height="14" aria-hidden="true"><path class="sample-plan" d="M1 13V8H6V2H12V6H17V13" /></svg>${overlay.legend}</li>`}
  </ul>`;
}

function controls({ onZoom, onCenter, onAll, shown: { pool } }: Shell): TemplateResult<1> {
  return html`<div class="distribution-controls" role="group" aria-label=${l10n.t('Zoom')}>
    ${iconButton('zoom-out', l10n.t('Zoom Out'), () => onZoom(ZOOM_STEP))}${iconButton('zoom-in', l10n.t('Zoom In'), () => onZoom(1 / ZOOM_STEP))}
    ${pool.activeBinId === undefined ? nothing : iconButton('target', l10n.t('Go to Active Bin'), onCenter)}${iconButton('screen-full', l10n.t('Show All Bins'), onAll)}
  </div>`;
}

/** Figures of the bin under the pointer, or else of the active bin, so the layout does not jump. */
function readout(words: BinMessages, planned: string | undefined, { pool, overlay, figures }: DistributionShown): TemplateResult<1> {
  const name = words.isActive ? l10n.t('Active bin') : l10n.t('Bin');
  return html`<div class="bin-readout ${overlay === undefined ? '' : 'with-plan'}" aria-hidden="true">
    <dl>
      <div><dt>${name}</dt><dd>${words.bin}</dd></div>
      <div><dt>${l10n.t('Price')}</dt><dd>${words.priceAlone} <span class="readout-unit">${words.priceUnit}</span></dd></div>
      <div><dt>${l10n.t('From active')}</dt><dd>${words.fromActive ?? figures.text.signedPercent(0)}</dd></div>
      <div><dt>${pool.y.symbol}</dt><dd>${words.yAlone}</dd></div>
      <div><dt>${pool.x.symbol}</dt><dd>${words.xAlone}</dd></div>
      <div><dt>${l10n.t('Value')}</dt><dd>${words.worth}</dd></div>
    </dl>
    ${planned === undefined ? nothing : html`<p>${planned}</p>`}
  </div>`;
}

/** The wallet's positions in this pool: the bands in the picture, for those who can't point at them. */
function ownList({ shown, onOwn, openPosition }: Shell): TemplateResult<1> | typeof nothing {
  const { own, figures } = shown;
  if (own.length === 0) {
    return nothing;
  }
  return html`<ul class="own-list" aria-label=${l10n.t('Open positions')}>
    ${own.map(
      (range) => html`<li>
        ${icon(range.inRange === undefined ? 'circle-large-outline' : range.inRange ? 'pass' : 'circle-slash')}
        <span class="own-words">
          <span>${ownLabel({ own: range }, shown)}</span>
          <span><span class="soft">${range.lowerBinId === undefined || range.upperBinId === undefined ? l10n.t('full range') : placeText({ fromBinId: range.lowerBinId, toBinId: range.upperBinId }, shown.pool, shown.isPriceSwapped, figures.text)} · ${l10n.t('PnL')}</span> ${figures.difference(range.pnl, shown.currency)}</span>
        </span>
        <span class="own-actions">
          ${range.lowerBinId === undefined ? nothing : iconButton('eye', l10n.t('Show Range'), () => onOwn(range))}
          ${iconButton('open-preview', l10n.t('Open Position'), () => openPosition(range.key))}
        </span>
      </li>`,
    )}
  </ul>`;
}
