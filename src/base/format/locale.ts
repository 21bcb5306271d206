/**
 * A locale, together with the formatters that were made for it: making one takes ten times as long as using it, which tells where thousands
 * of figures are written. Who writes few says the locale by its BCP 47 tag alone.
 */
export class WarmLocale {
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();

  constructor(readonly tag: string) {}

  numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    return kept(this.#numbers, options, () => new Intl.NumberFormat(this.tag, options));
  }

  dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return kept(this.#dates, options, () => new Intl.DateTimeFormat(this.tag, options));
  }
}

/** How figures are written: a BCP 47 tag, or one with its formatters. */
export type Locale = string | WarmLocale;

/** @returns the locale's BCP 47 tag */
export function tagOf(locale: Locale): string {
  return typeof locale === 'string' ? locale : locale.tag;
}

/** A formatter for numbers. */
export function numbersIn(locale: Locale, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return typeof locale === 'string' ? new Intl.NumberFormat(locale, options) : locale.numbers(options);
}

/** A formatter for dates and times. */
export function datesIn(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return typeof locale === 'string' ? new Intl.DateTimeFormat(locale, options) : locale.dates(options);
}

/** Options are few, and told apart by all that they say. */
function kept<Format>(formats: Map<string, Format>, options: object, make: () => Format): Format {
  const key = JSON.stringify(options);
  const known = formats.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  formats.set(key, made);
  return made;
}
