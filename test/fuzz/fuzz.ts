// The program behind `npm run fuzz`: reviews the attacks of the corpus in all their places, then changes honest transactions in every way that a hostile or broken service could, and checks the review.
// The review must never throw, never take long, and allow nothing beyond the request (meaning.ts checks that independently of the review).
// The same seed gives the same transactions. Exits with 1 and prints the case when it finds a fault.
import { parseArgs } from 'node:util';
import { writeCase, type CaseInput } from '../../src/review/report/caseFormat';
import { NO_FACTS } from '../../src/review/facts/facts';
import { reviewOperation } from '../../src/review/review';
import { bytesFromBase64, type Base64Transaction } from '../../src/base/solana/wireTransaction';
import { say } from '../bench/figures';
import { CORPUS } from '../corpus/corpus';
import { faultIn } from '../corpus/judge';
import { compared, FACTS } from '../corpus/stricter';
import { honestBases, SERVICE_KEYS, STRANGERS, type Base } from './bases';
import { trialOf, type Trial } from './figures';
import { Meaning } from './meaning';
import { MUTATIONS } from './mutations';
import { Random } from './random';
import type { ReviewInput } from '../../src/review/types';

/** Milliseconds. A review that takes more processor time is a fault: an editor would freeze. Elapsed time would include other programs. */
const LONGEST_MS = 2_000;
/** One in this many changes also tries figures that make a theft look right: three reviews. */
const FIGURES_ONCE_IN = 4;
/** A sale of up to this many times the shown holdings counts as shown to the user. */
const MOST_TIMES_SHOWN = 10n;
/** One in this many changes is also reviewed with facts, which takes two more reviews. */
const FACTS_ONCE_IN = 8;

/** The facts that fit a change, by its name: the lie that an accomplice at the RPC would tell. */
const LIES: Readonly<Record<string, string>> = {
  'a destination that the attacker has created': "an attacker's accounts",
  'an account moved into a lookup table': "lookup tables that seem to hold the owner's accounts",
};

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100000' } },
});
const random = new Random(Number(options.seed));
const count = Number(options.count);
const bases = honestBases();
const meaning = new Meaning();
const names = Object.keys(MUTATIONS);
const tally = new Map(names.map((name) => [name, { allow: 0, confirm: 0, block: 0 }]));
const faults: string[] = [];
let slowestMs = 0;
let compares = 0;
let trials = 0;

function inputOf(
  { intent, transactions, tables }: Base,
  texts: readonly string[],
  groups = transactions.map(({ group }) => group),
): ReviewInput {
  return {
    intent,
    transactions: texts.map((base64, index) => ({ base64, group: groups[index] ?? 'swap' })),
    lastValidBlockHeight: 9,
    facts: { ...NO_FACTS, lookupTables: new Map([...tables].map(([table, addresses]) => [table, { addresses, isDeactivated: false }])) },
    nowMs: 0,
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function fault(what: string, input: CaseInput): void {
  faults.push(what);
  say(`FAULT: ${what}\n${JSON.stringify({ schema: 1, op: 'review', case: writeCase(input, what) })}`);
}

for (const base of bases) {
  const { verdict, findings } = reviewOperation(
    inputOf(
      base,
      base.transactions.map(({ bytes }) => textOf(bytes)),
    ),
  );
  if (verdict !== 'allow') {
    fault(
      `the honest ${base.name} is not allowed: ${findings.map(({ rule, message }) => `${rule} ${message}`).join(' ')}`,
      inputOf(base, []),
    );
  }
}

let attacks = 0;
for (const { rule, what, cases } of CORPUS) {
  for (const one of cases()) {
    attacks += 1;
    const wrong = faultIn(one);
    if (wrong !== undefined) fault(`${rule}: ${what}: ${wrong}`, one.input);
  }
}
say(`${attacks} attacks of the corpus, in all their places`);

/** The review must never allow a whole balance for dust: not with the true facts of the pool, and without an RPC only up to the amount that the user was shown. */
function tryFigures({ input, honest, absurd, sold, shownRaw, isPriceTrue }: Trial, { name, intent }: Base): void {
  trials += 1;
  const what = `false figures, in the ${name}`;
  try {
    const offline = reviewOperation(input).verdict;
    if (offline === 'allow' && (isPriceTrue || (intent.kind === 'zapOut' && sold > MOST_TIMES_SHOWN * (shownRaw ?? 0n)))) {
      fault(`${what}: ${sold} raw units for dust were allowed, of which ${shownRaw ?? 'nothing'} was shown`, input);
    }
    if (reviewOperation({ ...input, facts: honest }).verdict === 'allow') {
      fault(`${what}: allowed against the price of the pool on the chain`, { ...input, facts: honest });
    }
    if (offline !== 'allow' && reviewOperation({ ...input, facts: absurd }).verdict === 'allow') {
      fault(`${what}: an RPC made it less strict`, { ...input, facts: absurd });
    }
  } catch (error) {
    fault(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : 'an unknown fault'}`, input);
  }
}

const from = performance.now();
for (let done = 0; done < count && faults.length < 10; done += 1) {
  const base = random.of(bases);
  const trial = random.once(FIGURES_ONCE_IN) ? trialOf(base, random) : undefined;
  if (trial !== undefined) {
    tryFigures(trial, base);
  }
  const place = random.below(base.transactions.length);
  const name = names[done % names.length] ?? '';
  const others = base.transactions.map(({ bytes }) => bytes);
  const text =
    MUTATIONS[name]?.({ bytes: others[place] ?? new Uint8Array(), others, strangers: STRANGERS, keys: SERVICE_KEYS, random }) ?? '';
  // The service chooses: the changed transaction alone, with all others, or with some of them.
  const isAlone = !random.once(4);
  const kept = others.map((_, index) => index).filter((index) => index === place || !(isAlone || random.once(4)));
  const texts = kept.map((index) => (index === place ? text : textOf(others[index] ?? new Uint8Array())));
  const input = inputOf(
    base,
    texts,
    kept.map((index) => base.transactions[index]?.group ?? 'swap'),
  );
  try {
    const start = process.cpuUsage();
    const { verdict, reviewed } = reviewOperation(input);
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1_000;
    slowestMs = Math.max(slowestMs, ms);
    const counts = tally.get(name);
    if (counts !== undefined) {
      counts[verdict] += 1;
    }
    if (ms > LONGEST_MS) {
      fault(`${name}: the review took ${Math.round(ms)} ms of processor time`, input);
    }
    if (reviewed.length !== (verdict === 'block' ? 0 : texts.length)) {
      fault(`${name}: the review returned ${reviewed.length} of ${texts.length} transactions, though the verdict is ${verdict}`, input);
    }
    const harm =
      verdict === 'allow'
        ? meaning.harm({ ...base, bytes: bytesFromBase64(text as Base64Transaction), isWhole: kept.length === others.length })
        : [];
    if (harm.length > 0) {
      fault(`${name} in the ${base.name} was allowed: ${harm.join('; ')}`, input);
    }
    // Hostile and honest facts: an RPC can only make the review stricter, and what the review still allows must match the request.
    const lie = LIES[name];
    if (lie !== undefined || random.once(FACTS_ONCE_IN)) {
      const of = lie ?? random.of(Object.keys(FACTS));
      const facts = FACTS[of]?.(input) ?? NO_FACTS;
      const comparison = compared(input, facts);
      compares += 1;
      for (const finding of comparison.unproved) {
        fault(
          `${name} in the ${base.name} with ${of}: ${comparison.offline} became ${comparison.withFacts}, without ${finding.rule} ${finding.message}`,
          { ...input, facts },
        );
      }
      const scene = {
        ...base,
        tables: new Map([...facts.lookupTables].map(([table, { addresses }]) => [table, addresses])),
        bytes: bytesFromBase64(text as Base64Transaction),
      };
      const harmWithFacts = comparison.withFacts === 'allow' ? meaning.harm(scene) : [];
      if (harmWithFacts.length > 0) {
        fault(`${name} in the ${base.name} was allowed with ${of}: ${harmWithFacts.join('; ')}`, { ...input, facts });
      }
    }
  } catch (error) {
    fault(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : 'an unknown fault'}`, input);
  }
}
const seconds = (performance.now() - from) / 1_000;

say(`\n${'change'.padEnd(44)}${['allowed', 'to decide', 'blocked'].map((word) => word.padStart(11)).join('')}`);
for (const [name, { allow, confirm, block }] of tally) {
  say(`${name.padEnd(44)}${[allow, confirm, block].map((number) => String(number).padStart(11)).join('')}`);
}
say(
  `\n${count} changed transactions, seed ${options.seed}, ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} per second, ${compares} of them compared with RPC facts, ${trials} thefts with false figures, slowest review ${slowestMs.toFixed(0)} ms: ${faults.length === 0 ? 'nothing found' : `${faults.length} FAULTS`}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
