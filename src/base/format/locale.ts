import * as l10n from '@vscode/l10n';

const DEFAULT_LOCALE = 'en-US';

/** The language of the texts, as a BCP 47 tag: numbers and dates in a text are written in its language, so each translation names its own. */
export function displayLocale(): string {
  const tag = l10n.t('en-US');
  return tag === DEFAULT_LOCALE ? tag : validLocale(tag);
}

/** The canonical form of a tag, or the default if `Intl` rejects it. */
export function validLocale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? DEFAULT_LOCALE;
  } catch {
    return DEFAULT_LOCALE;
  }
}

/**
 * A locale that caches its formatters: creating one takes ten times as long as using it, which matters for thousands of figures. For a
 * few figures, pass the BCP 47 tag instead.
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

/** A BCP 47 tag, with or without cached formatters. */
export type Locale = string | WarmLocale;

export function tagOf(locale: Locale): string {
  return typeof locale === 'string' ? locale : locale.tag;
}

export function numbersIn(locale: Locale, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return typeof locale === 'string' ? new Intl.NumberFormat(locale, options) : locale.numbers(options);
}

export function datesIn(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return typeof locale === 'string' ? new Intl.DateTimeFormat(locale, options) : locale.dates(options);
}

/** Returns the cached formatter for these options, or creates it. */
function kept<Format>(formats: Map<string, Format>, options: object, make: () => Format): Format {
  let key = '';
  for (const [name, value] of Object.entries(options)) {
    key += `${name}:${String(value)};`;
  }
  const known = formats.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  formats.set(key, made);
  return made;
}
