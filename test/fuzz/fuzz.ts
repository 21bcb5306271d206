// What `npm run fuzz` does: takes honest transactions, changes them in every way that a hostile or broken service could, and looks at what
// the review says. It must never throw, never take long, and allow nothing that does more than was asked for (meaning.ts reads that apart
// from the review). The same seed gives the same transactions. Ends with 1 where it finds something, and prints the case.
import { parseArgs } from 'node:util';
import { writeCase } from '../../src/review/report/caseFormat';
import { NO_FACTS } from '../../src/review/facts/facts';
import { reviewOperation } from '../../src/review/review';
import { bytesFromBase64, type Base64Transaction } from '../../src/base/solana/wireTransaction';
import { say } from '../bench/figures';
import { compared, FACTS } from '../corpus/stricter';
import { honestBases, SERVICE_KEYS, STRANGERS, type Base } from './bases';
import { trialOf, type Trial } from './figures';
import { Meaning } from './meaning';
import { MUTATIONS } from './mutations';
import { Random } from './random';
import type { ReviewInput } from '../../src/review/types';

/** A review that takes more processor time than this is a fault: an editor would freeze. Elapsed time would count other programs, too. */
const LONGEST_MS = 2_000;
/** So often figures are tried that make a theft look right: three reviews. */
const FIGURES_ONCE_IN = 4;
/** A user who is shown that a position holds a tenth of what is sold has been shown that. */
const MOST_TIMES_SHOWN = 10n;
/** It takes two reviews more. */
const FACTS_ONCE_IN = 8;

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

function fault(what: string, input: ReviewInput): void {
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

/** A whole balance for dust is never as expected: not with what the chain really says, and without an RPC only as far as the user was shown that much. */
function tryFigures({ input, honest, absurd, sold, shownRaw, isPriceTrue }: Trial, { name, intent }: Base): void {
  trials += 1;
  const what = `figures that lie, in the ${name}`;
  try {
    const offline = reviewOperation(input).verdict;
    if (offline === 'allow' && (isPriceTrue || (intent.kind === 'zapOut' && sold > MOST_TIMES_SHOWN * (shownRaw ?? 0n)))) {
      fault(`${what}: ${sold} raw units for dust were allowed, of which ${shownRaw ?? 'nothing'} was shown`, input);
    }
    if (reviewOperation({ ...input, facts: honest }).verdict === 'allow') {
      fault(`${what}: allowed against the price of the pool on the chain`, { ...input, facts: honest });
    }
    if (offline !== 'allow' && reviewOperation({ ...input, facts: absurd }).verdict === 'allow') {
      fault(`${what}: an RPC made it laxer`, { ...input, facts: absurd });
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
  // Alone, among all, or among those that are left when others are dropped: the service chooses.
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
      fault(`${name}: ${reviewed.length} of ${texts.length} transactions were handed out, though the verdict is ${verdict}`, input);
    }
    const harm = verdict === 'allow' ? meaning.harm({ ...base, bytes: bytesFromBase64(text as Base64Transaction) }) : [];
    if (harm.length > 0) {
      fault(`${name} in the ${base.name} was allowed: ${harm.join('; ')}`, input);
    }
    // Hostile and honest facts: an RPC can only make it stricter, and what it still allows then is no more than was asked for.
    if (name.startsWith('a destination') || random.once(FACTS_ONCE_IN)) {
      const of = name.startsWith('a destination') ? "an attacker's accounts" : random.of(Object.keys(FACTS));
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
      const harmThen = comparison.withFacts === 'allow' ? meaning.harm(scene) : [];
      if (harmThen.length > 0) {
        fault(`${name} in the ${base.name} was allowed with ${of}: ${harmThen.join('; ')}`, { ...input, facts });
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
  `\n${count} changed transactions, seed ${options.seed}, ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} a second, ${compares} of them held against facts of an RPC, ${trials} thefts with figures that make them look right, the slowest review ${slowestMs.toFixed(0)} ms: ${faults.length === 0 ? 'nothing found' : `${faults.length} FAULTS`}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
