import * as l10n from '@vscode/l10n';

const DEFAULT_LOCALE = 'en-US';

/** `negative`: a sign only below zero. `always`: also above zero, for differences. Zero never has a sign. */
export type Sign = 'negative' | 'always';

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
  /** By the options' object: constant options need no key. */
  readonly #numbersOf: Readonly<Record<Sign, WeakMap<Intl.NumberFormatOptions, Intl.NumberFormat>>> = {
    negative: new WeakMap(),
    always: new WeakMap(),
  };
  readonly #dates = new Map<string, Intl.DateTimeFormat>();

  constructor(readonly tag: string) {}

  /** @param options must not be changed afterwards. The same object is found several times as fast as equal ones. */
  numbers(options: Intl.NumberFormatOptions, sign: Sign): Intl.NumberFormat {
    const known = this.#numbersOf[sign].get(options);
    if (known !== undefined) {
      return known;
    }
    const all = withSign(options, sign);
    const format = kept(this.#numbers, all, () => new Intl.NumberFormat(this.tag, all));
    this.#numbersOf[sign].set(options, format);
    return format;
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

/** Numbers have Latin digits in every language: amounts and addresses are compared by eye. */
export function numbersIn(locale: Locale, options: Intl.NumberFormatOptions, sign: Sign): Intl.NumberFormat {
  return typeof locale === 'string' ? new Intl.NumberFormat(locale, withSign(options, sign)) : locale.numbers(options, sign);
}

function withSign(options: Intl.NumberFormatOptions, sign: Sign): Intl.NumberFormatOptions {
  return { numberingSystem: 'latn', signDisplay: sign === 'always' ? 'exceptZero' : 'negative', ...options };
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
