// Facts about the first token of a listed pool. They go as they are from the state of an engine through the record of the pool and its reader to
// the panels, so each of these places takes them from the table here.

/** The facts. `field`: in the record of a pool. */
const TOKEN_FACTS = {
  /** US dollars. */
  marketCapUsd: { field: 'mcap', kind: 'figure' },
  /** The value if all tokens that can be minted existed, US dollars. */
  fdvUsd: { field: 'fdv', kind: 'figure' },
  /** 0 to 100. */
  organicScore: { field: 'organic_score', kind: 'figure' },
  /** What the largest holders have: 7 is 7%. */
  topHolderPercent: { field: 'top_holder', kind: 'figure' },
  /** An authority can mint more, or freeze accounts. */
  mintOrFreezeEnabled: { field: 'mint_freeze', kind: 'flag' },
  /** A service that lists tokens warns of it. Not in the published interface. */
  hasCriticalWarning: { field: 'has_critical_warning', kind: 'flag' },
} as const satisfies Readonly<Record<string, { readonly field: string; readonly kind: keyof Kinds<0, 0> }>>;

/** One thing for figures and one for flags. */
interface Kinds<Figure, Flag> {
  readonly figure: Figure;
  readonly flag: Flag;
}
type Facts = typeof TOKEN_FACTS;

/** Something for each fact, under its name. */
export type ByFact<Figure, Flag> = { readonly [Name in keyof Facts]: Kinds<Figure, Flag>[Facts[Name]['kind']] };
/** Something for each fact, under its field in the record. */
export type ByFactField<Figure, Flag> = {
  readonly [Name in keyof Facts as Facts[Name]['field']]: Kinds<Figure, Flag>[Facts[Name]['kind']];
};
/** What is known of a token; absent: not known. */
export type TokenFacts = Partial<ByFact<number | undefined, boolean | undefined>>;

const NAMES = Object.keys(TOKEN_FACTS) as readonly (keyof Facts)[];

/** The schemas of the facts, under their names. */
export function factSchemas<Figure, Flag>(of: Kinds<Figure, Flag>): ByFact<Figure, Flag> {
  return Object.fromEntries(NAMES.map((name) => [name, of[TOKEN_FACTS[name].kind]])) as ByFact<Figure, Flag>;
}

/** The schemas of the facts, under their fields in the record. */
export function factFieldSchemas<Figure, Flag>(of: Kinds<Figure, Flag>): ByFactField<Figure, Flag> {
  return Object.fromEntries(NAMES.map((name) => [TOKEN_FACTS[name].field, of[TOKEN_FACTS[name].kind]])) as ByFactField<Figure, Flag>;
}

/** The facts as the record has them; null: not known. */
export function writtenFacts(facts: Partial<ByFact<number | null, boolean | null>>): ByFactField<number | null, boolean | null> {
  return Object.fromEntries(NAMES.map((name) => [TOKEN_FACTS[name].field, facts[name] ?? null])) as ByFactField<
    number | null,
    boolean | null
  >;
}

/** The known facts of a record that was read. */
export function readFacts(record: ByFactField<number | undefined, boolean | undefined>): TokenFacts {
  return known((name) => record[TOKEN_FACTS[name].field]);
}

/** The known facts among other properties. */
export function factsOf(properties: TokenFacts | undefined): TokenFacts {
  return known((name) => properties?.[name]);
}

function known(fact: (name: keyof Facts) => number | boolean | undefined): TokenFacts {
  return Object.fromEntries(NAMES.flatMap((name) => (fact(name) === undefined ? [] : [[name, fact(name)]])));
}
