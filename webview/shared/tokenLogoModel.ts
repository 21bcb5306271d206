/** Number of logo colors (page.css, `logo-…`). */
export const LOGO_COLOURS = 6;

/** A generated token logo: letters in a ring of two colors. */
export interface TokenLogo {
  /** One to three letters or digits of the symbol; "?" where it has none. */
  readonly letters: string;
  /** Number of letters, 1 to 3. */
  readonly length: number;
  /** 0 to {@link LOGO_COLOURS} − 1, different from {@link secondColour}. */
  readonly colour: number;
  readonly secondColour: number;
  /** Parts of each color in the ring, 1 to 8: distinguishes tokens with the same letters without relying on color. */
  readonly parts: number;
}

/** Derives a token's logo; the same token always gets the same one. @param address if `undefined`, derived from the symbol alone */
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

/** FNV-1a, 32 bits: gives different results for addresses that differ in one letter. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
