import { svg, html, type TemplateResult } from 'lit-html';
import { tokenLogoOf } from './tokenLogoModel';

const RADIUS = 14;
const AROUND = 2 * Math.PI * RADIUS;

/** A token's logo, drawn from its symbol and address: nothing is loaded. Hidden from screen readers: the symbol is beside it. */
export function tokenLogo(symbol: string, address?: string): TemplateResult<1> {
  const { letters, length, colour, secondColour, parts } = tokenLogoOf(symbol, address);
  const dash = AROUND / parts / 2;
  return html`<svg class="token-logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">${svg`
    <circle cx="16" cy="16" r=${RADIUS} class="logo-ring logo-${colour}"></circle>
    <circle cx="16" cy="16" r=${RADIUS} class="logo-ring logo-${secondColour}" stroke-dasharray="${dash} ${dash}"></circle>
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
