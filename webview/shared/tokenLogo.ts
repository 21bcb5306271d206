import { html, svg, type TemplateResult } from 'lit-html';

/** Number of logo colors (page.css, `logo-…`). */
export const LOGO_COLORS = 6;

/** A generated token logo: letters in a ring of two colors. */
export interface TokenLogo {
  /** One to three letters or digits of the symbol; "?" where it has none. */
  readonly letters: string;
  /** Number of letters, 1 to 3. */
  readonly length: number;
  /** 0 to {@link LOGO_COLORS} − 1, different from {@link secondColor}. */
  readonly color: number;
  readonly secondColor: number;
  /** Parts of each color in the ring, 1 to 8: distinguishes tokens with the same letters without relying on color. */
  readonly parts: number;
}

/** Derives a token's logo; the same token always gets the same one. @param address if `undefined`, derived from the symbol alone */
export function tokenLogoOf(symbol: string, address?: string): TokenLogo {
  const letters = Array.from(symbol.normalize('NFKC').toUpperCase())
    .filter((letter) => /^[\p{L}\p{N}]/u.test(letter))
    .slice(0, 3);
  const hash = fnv1a(address ?? symbol);
  const color = hash % LOGO_COLORS;
  const step = 1 + ((hash >>> 8) % (LOGO_COLORS - 1));
  return {
    letters: letters.length === 0 ? '?' : letters.join(''),
    length: Math.max(letters.length, 1),
    color,
    secondColor: (color + step) % LOGO_COLORS,
    parts: 1 + ((hash >>> 16) % 8),
  };
}

/** FNV-1a, 32 bits: gives different results for addresses that differ in one letter. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}

const RADIUS = 14;
const AROUND = 2 * Math.PI * RADIUS;

/** A token's logo, drawn from its symbol and address: nothing is loaded. Hidden from screen readers: the symbol is beside it. */
export function tokenLogo(symbol: string, address?: string): TemplateResult<1> {
  const { letters, length, color, secondColor, parts } = tokenLogoOf(symbol, address);
  const dash = AROUND / parts / 2;
  return html`<svg class="token-logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">${svg`
    <circle cx="16" cy="16" r=${RADIUS} class="logo-ring logo-${color}"></circle>
    <circle cx="16" cy="16" r=${RADIUS} class="logo-ring logo-${secondColor}" stroke-dasharray="${dash} ${dash}"></circle>
    <text x="16" y="16" class="logo-letters logo-letters-${length}" text-anchor="middle" dominant-baseline="central">${letters}</text>`}
  </svg>`;
}

/** The logos of a pair, the second overlapping the first. */
export function pairLogos(
  x: { readonly symbol: string; readonly address?: string | undefined },
  y: { readonly symbol: string; readonly address?: string | undefined },
): TemplateResult<1> {
  return html`<span class="pair-logos">${tokenLogo(x.symbol, x.address)}${tokenLogo(y.symbol, y.address)}</span>`;
}
