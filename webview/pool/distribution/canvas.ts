import type { Bar } from './bars';

/** The theme's colors of both tokens. */
export interface BarColors {
  readonly x: string;
  readonly y: string;
}

/** Lengths of the hatch, device pixels. */
const TILE = 8;
const LINE = 2.5;
const TINT = 0.4;

/**
 * Paints bars on a canvas when there are too many for smooth SVG: token Y filled, token X hatched over a tint. Bars are aligned to device
 * pixels, so each is a plain rectangle.
 */
export class BarPainter {
  #hatch: { readonly color: string; readonly pattern: CanvasPattern | null } | undefined;

  /** Lengths in CSS pixels. */
  paint(canvas: HTMLCanvasElement, bars: readonly Bar[], width: number, height: number, { x, y }: BarColors): void {
    const ratio = window.devicePixelRatio;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== columns || canvas.height !== rows) {
      canvas.width = columns;
      canvas.height = rows;
    }
    const context = canvas.getContext('2d');
    if (context === null) {
      return;
    }
    context.clearRect(0, 0, columns, rows);
    const fill = (from: (bar: Bar) => number, to: (bar: Bar) => number): void => {
      for (const bar of bars) {
        const [low, high] = [Math.round(from(bar) * ratio), Math.round(to(bar) * ratio)];
        if (low > high) {
          const left = Math.round(bar.x * ratio);
          context.fillRect(left, high, Math.max(Math.round((bar.x + bar.width) * ratio) - left, 1), low - high);
        }
      }
    };
    context.fillStyle = y;
    fill(
      ({ bottom }) => bottom,
      ({ middle }) => middle,
    );
    context.globalAlpha = TINT;
    context.fillStyle = x;
    fill(
      ({ middle }) => middle,
      ({ top }) => top,
    );
    context.globalAlpha = 1;
    context.fillStyle = this.#hatchIn(context, x) ?? x;
    fill(
      ({ middle }) => middle,
      ({ top }) => top,
    );
  }

  clear(canvas: HTMLCanvasElement): void {
    if (canvas.width > 0) {
      canvas.width = 0;
    }
  }

  #hatchIn(context: CanvasRenderingContext2D, color: string): CanvasPattern | null {
    if (this.#hatch?.color !== color) {
      this.#hatch = { color, pattern: hatch(context, color) };
    }
    return this.#hatch.pattern;
  }
}

/** A seamless tile of diagonal lines. */
function hatch(context: CanvasRenderingContext2D, color: string): CanvasPattern | null {
  const tile = document.createElement('canvas');
  tile.width = tile.height = TILE;
  const lines = tile.getContext('2d');
  if (lines === null) {
    return null;
  }
  lines.strokeStyle = color;
  lines.lineWidth = LINE;
  for (const offset of [-TILE, 0, TILE]) {
    lines.moveTo(offset, TILE);
    lines.lineTo(offset + TILE, 0);
  }
  lines.stroke();
  return context.createPattern(tile, 'repeat');
}
