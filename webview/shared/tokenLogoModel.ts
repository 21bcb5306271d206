/** How many colours there are to draw with (page.css, `logo-…`). */
export const LOGO_COLOURS = 6;

/** What stands for a token where there is no picture: letters, and a ring of two colours in so many parts. */
export interface TokenLogo {
  /** One to three letters or digits of the symbol; "?" where it has none. */
  readonly letters: string;
  /** How many of them; 1 to 3. */
  readonly length: number;
  /** 0 to {@link LOGO_COLOURS} − 1, not the same. */
  readonly colour: number;
  readonly secondColour: number;
  /** Into how many parts of each colour the ring is cut, 1 to 8: two tokens with the same letters are told apart without colour, too. */
  readonly parts: number;
}

/** The same token always looks the same. @param address absent: told apart by its symbol alone */
export function tokenLogoOf(symbol: string, address?: string): TokenLogo {
  const letters = Array.from(symbol.normalize('NFKC').toUpperCase())
    .filter((letter) => /^[\p{L}\p{N}]/u.test(letter))
    .slice(0, 3);
  const hash = fnv1a(address ?? symbol);
  const colour = hash % LOGO_COLOURS;
  const step = 1 + ((hash >>> 8) % (LOGO_COLOURS - 1));
  return {
    letters: letters.length === 0 ? '?' : letters.join(''),
    length: Math.max(letters.length, 1),
    colour,
    secondColour: (colour + step) % LOGO_COLOURS,
    parts: 1 + ((hash >>> 16) % 8),
  };
}

/** FNV-1a, 32 bits: spreads addresses that differ in one letter. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
