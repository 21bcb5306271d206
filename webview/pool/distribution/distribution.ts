import * as l10n from '@vscode/l10n';
import { html, render, type TemplateResult } from 'lit-html';
import type { BinRange } from '../../../src/base/dlmm/bins';
import type { OwnRange } from '../../../src/protocol/pool';
import { onThemeChange } from '../../shared/chart/theme';
import { announce } from '../../shared/controls';
import { mounted, type Mountable } from '../../shared/rendering';
import { BarPainter } from './canvas';
import { keyAction, listenToGestures } from './gestures';
import { DistributionModel, type DistributionShown, drawable } from './model';
import { paintChart, PLOT_HEIGHT } from './picture';
import { BinTable, shell } from './shell';
import { centered, panned, revealing, type Viewport, viewportOf, within, zoomed } from './viewport';

export interface DistributionEvents {
  /** The viewport changed and has settled. */
  readonly onViewport: (viewport: Viewport) => void;
  readonly openPosition: (key: string) => void;
}

/** The viewport is saved this long after the last move. */
const SETTLED_MS = 250;

/**
 * The chart of a pool's liquidity by bin. It renders its own element, so panning and zooming do not render the rest of the panel. Create it
 * once; {@link view} includes it in each view of the panel.
 */
export class Distribution implements Mountable {
  readonly #events: DistributionEvents;
  readonly #model = new DistributionModel();
  #shown: DistributionShown | undefined;
  /** `undefined`: not moved by the user yet; follows the active bin. */
  #viewport: Viewport | undefined;
  #cursor: { readonly binId: number; readonly by: 'pointer' | 'keys' } | undefined;
  readonly #table = new BinTable();
  readonly #painter = new BarPainter();
  #isTableOpen = false;
  #container: HTMLElement | undefined;
  #plot: HTMLElement | undefined;
  #width = 0;
  #ending = new AbortController();
  #frame: number | undefined;
  #settling: number | undefined;

  /** @param viewport the saved viewport */
  constructor(viewport: Viewport | undefined, events: DistributionEvents) {
    this.#viewport = viewport;
    this.#events = events;
  }

  view(shown: DistributionShown): TemplateResult<1> {
    this.#shown = shown;
    this.#model.show(shown);
    return html`<div class="distribution" ${mounted(this)}></div>`;
  }

  /** Moves the viewport to a range that is not wholly visible. */
  showRange(range: BinRange): void {
    const { from, to } = this.#viewportNow();
    if (range.fromBinId < from || range.toBinId + 1 > to) {
      this.#look(viewportOf(range, this.#model.extent));
    }
  }

  attach(container: Element): void {
    if (!(container instanceof HTMLElement)) {
      return;
    }
    if (this.#container !== container) {
      this.detach();
      this.#container = container;
    }
    this.#paint();
    this.#takePlot(container);
  }

  detach(): void {
    this.#ending.abort();
    if (this.#frame !== undefined) {
      cancelAnimationFrame(this.#frame);
    }
    this.#container = this.#plot = this.#frame = undefined;
  }

  /** Finds the plot after the first render and starts to observe it. */
  #takePlot(container: HTMLElement): void {
    const plot = container.querySelector<HTMLElement>('.distribution-plot');
    if (plot === null || plot === this.#plot) {
      return;
    }
    this.#ending.abort();
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    this.#plot = plot;
    this.#width = plot.clientWidth;
    const resizes = new ResizeObserver(() => {
      if (plot.clientWidth !== this.#width) {
        this.#width = plot.clientWidth;
        this.#soon();
      }
    });
    resizes.observe(plot);
    // A canvas must be repainted when the theme changes; everything else uses style sheets.
    const unwatchTheme = onThemeChange(this.#soon);
    signal.addEventListener('abort', () => {
      resizes.disconnect();
      unwatchTheme();
    });
    listenToGestures(
      plot,
      {
        point: (clientX) => this.#point(clientX),
        pan: (pixels) => this.#look(panned(this.#viewportNow(), pixels / this.#binWidth(), this.#model.extent)),
        zoom: (factor, clientX) => this.#look(zoomed(this.#viewportNow(), factor, this.#placeAt(clientX), this.#model.extent)),
        hold: (isHeld) => plot.classList.toggle('is-held', isHeld),
      },
      signal,
    );
    this.#paint();
  }

  readonly #soon = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#paint();
    });
  };

  #paint(): void {
    const [container, shown] = [this.#container, this.#shown];
    if (container === undefined || shown === undefined) {
      return;
    }
    const cursor = this.#cursor?.binId;
    const viewport = this.#viewportNow();
    const svgContent =
      this.#width > 0
        ? paintChart({
            shown,
            model: this.#model,
            viewport,
            width: this.#width,
            cursor,
            binAt: this.#binAt,
            reveal: this.#reveal,
            openPosition: this.#events.openPosition,
            canvas: container.querySelector('canvas'),
            painter: this.#painter,
          })
        : undefined;
    const template = shell({
      shown,
      model: this.#model,
      picture: svgContent,
      width: this.#width,
      height: PLOT_HEIGHT,
      cursor,
      table: this.#table,
      isTableOpen: this.#isTableOpen,
      onTable: (isOpen) => {
        this.#isTableOpen = isOpen;
        this.#soon();
      },
      onKey: this.#onKey,
      onBlur: () => this.#setCursor(undefined),
      onZoom: (factor) => this.#zoomByStep(factor),
      onCenter: () => this.#toActive(),
      onAll: () => this.#look(this.#model.whole, true),
      onOwn: (own) => this.#showOwn(own),
      openPosition: this.#events.openPosition,
    });
    render(template, container);
  }

  #viewportNow(): Viewport {
    return this.#viewport === undefined ? this.#model.initial : within(this.#viewport, this.#model.extent);
  }

  #look(viewport: Viewport, isAnnounced = false): void {
    this.#viewport = viewport;
    this.#soon();
    window.clearTimeout(this.#settling);
    this.#settling = window.setTimeout(() => this.#events.onViewport(viewport), SETTLED_MS);
    if (isAnnounced && this.#shown !== undefined) {
      const { text } = this.#shown.figures;
      announce(`${l10n.t('Bins')}: ${text.bins(Math.ceil(viewport.from), Math.floor(viewport.to) - 1)}`);
    }
  }

  #zoomByStep(factor: number): void {
    const viewport = this.#viewportNow();
    const isVisible = (binId: number | undefined): binId is number => binId !== undefined && binId >= viewport.from && binId < viewport.to;
    const around = [this.#cursor?.binId, this.#shown?.pool.activeBinId].find(isVisible);
    this.#look(zoomed(viewport, factor, around === undefined ? (viewport.from + viewport.to) / 2 : around + 0.5, this.#model.extent), true);
  }

  #toActive(): void {
    const active = this.#shown?.pool.activeBinId;
    if (active !== undefined) {
      this.#look(centered(this.#viewportNow(), active, this.#model.extent), true);
    }
  }

  #showOwn(own: OwnRange): void {
    const [range] = drawable([own]);
    if (range !== undefined) {
      this.#look(viewportOf(range, this.#model.extent), true);
      this.#plot?.scrollIntoView({ block: 'nearest' });
    }
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const action = keyAction(event);
    const shown = this.#shown;
    if (action === undefined || shown === undefined) {
      return;
    }
    event.preventDefault();
    if (action.kind === 'zoom') {
      this.#zoomByStep(action.factor);
      return;
    }
    const { least, most } = this.#model.cursorLimits;
    const at = this.#cursor?.binId ?? shown.pool.activeBinId ?? least;
    const targets = { first: least, last: most, active: shown.pool.activeBinId ?? at };
    const target = action.kind === 'go' ? targets[action.to] : Math.min(Math.max(at + action.by, least), most);
    this.#setCursor({ binId: target, by: 'keys' });
    this.#reveal(target);
  };

  #point(clientX: number | undefined): void {
    if (clientX !== undefined) {
      this.#setCursor({ binId: this.#binAt(clientX), by: 'pointer' });
    } else if (this.#cursor?.by === 'pointer') {
      this.#setCursor(undefined);
    }
  }

  #setCursor(cursor: { readonly binId: number; readonly by: 'pointer' | 'keys' } | undefined): void {
    if (cursor?.binId !== this.#cursor?.binId) {
      this.#soon();
    }
    this.#cursor = cursor;
  }

  readonly #reveal = (binId: number): void => {
    const viewport = this.#viewportNow();
    const revealed = revealing(viewport, binId, this.#model.extent);
    if (revealed !== viewport) {
      this.#look(revealed);
    }
  };

  readonly #binAt = (clientX: number): number => Math.floor(this.#placeAt(clientX));

  #placeAt(clientX: number): number {
    return this.#viewportNow().from + (clientX - (this.#plot?.getBoundingClientRect().left ?? 0)) / this.#binWidth();
  }

  #binWidth(): number {
    const { from, to } = this.#viewportNow();
    return Math.max(this.#width, 1) / (to - from);
  }
}
