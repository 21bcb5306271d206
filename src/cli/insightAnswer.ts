import { type Spread, spreadOverBins } from '../base/dlmm/strategy';
import { exportCsv } from '../base/insight/export';
import { flowsOf } from '../base/insight/flows';
import { gate, USUAL_MARGIN } from '../base/insight/gate';
import { inventory } from '../base/insight/inventory';
import { ledgerOf } from '../base/insight/ledger';
import { type BinnedOutlook, binnedOutlook, breakEvenSigma, plannedBins, productOutlook, type Sigma } from '../base/insight/outlook';
import { replay } from '../base/insight/replay';
import { estimateVolatility } from '../base/insight/volatility';
import { compareWidths } from '../base/insight/widths';
import { oneLine } from '../base/text';
import { parsedLine } from './answerLines';
import type { BinnedQuestion, InsightOperation, Question } from './insightQuestions';
import { QUESTIONS } from './insightQuestions';
import type { Line } from './lines';

/** The version of the format of questions and answers (src/base/insight/README.md). */
const SCHEMA = 1;

/** An answer: raw amounts are text; `known: false` comes with a reason. */
export interface InsightAnswer {
  readonly schema: typeof SCHEMA;
  readonly op?: InsightOperation;
  /** As in the question. */
  readonly id?: string | number;
  readonly known: boolean;
  readonly [field: string]: unknown;
}

type Computed = { readonly known: boolean };
type Answered = Computed & { readonly why?: string };

/** A message about a line for the person who wrote it. */
class QuestionError extends Error {
  override readonly name = 'QuestionError';
}

const LONGEST_MESSAGE = 300;
const LONGEST_ID = 100;

/**
 * Answers one line: `{"op": "outlook", "input": {…}}`, or the fields of the input beside `op`. A line that cannot be read gets an answer with
 * `known: false`, `why: "badLine"` and a message. Never throws, and no number is ever NaN or infinite.
 */
export function answerQuestion(line: Line): InsightAnswer {
  let about: Pick<InsightAnswer, 'id' | 'op'> = {};
  try {
    const question = parsedLine(line);
    if (typeof question !== 'object' || question === null || Array.isArray(question)) {
      throw new QuestionError('The line is not an object');
    }
    const fields: Readonly<Record<string, unknown>> = { ...question };
    about = idOf(fields['id']);
    if ((fields['schema'] ?? SCHEMA) !== SCHEMA) {
      throw new QuestionError(`This version answers schema ${SCHEMA} only`);
    }
    const op = operationOf(fields['op']);
    about = { ...about, op };
    return { schema: SCHEMA, ...about, ...finite(OPERATIONS[op](fields['input'] ?? fields)) };
  } catch (error) {
    const isExplained = error instanceof QuestionError || error instanceof SyntaxError || error instanceof RangeError;
    const message = isExplained ? oneLine(error.message, LONGEST_MESSAGE) : 'The question could not be answered';
    return { schema: SCHEMA, ...about, known: false, why: 'badLine', message };
  }
}

function idOf(id: unknown): { readonly id?: string | number } {
  return (typeof id === 'string' && id.length <= LONGEST_ID) || typeof id === 'number' ? { id } : {};
}

function operationOf(op: unknown): InsightOperation {
  const names = Object.keys(QUESTIONS);
  const isOperation = (name: unknown): name is InsightOperation => typeof name === 'string' && names.includes(name);
  if (!isOperation(op)) {
    throw new QuestionError(`op has to be one of ${names.join(', ')}`);
  }
  return op;
}

/** Reads the input of an operation, and computes its answer. */
function operation<Name extends InsightOperation>(name: Name, answer: (input: Question<Name>) => Computed): (input: unknown) => Computed {
  return (input) => {
    const read = QUESTIONS[name].safeParse(input);
    if (!read.success) {
      throw new QuestionError(describeIssue(read.error.issues));
    }
    // The schema of this very operation.
    return answer(read.data as Question<Name>);
  };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly Issue[])[];
}

/** The first problem. Of an input with several forms, that of the form with the fewest problems, or the deepest one. */
function describeIssue(issues: readonly Issue[]): string {
  const [issue] = issues;
  if (issue === undefined) {
    return 'Cannot read the input';
  }
  const depthOf = (form: readonly Issue[]): number => form.reduce((depth, { path }) => Math.max(depth, path.length), 0);
  const [nearest] = (issue.errors ?? [])
    .filter((form) => form.length > 0)
    .toSorted((first, second) => first.length - second.length || depthOf(second) - depthOf(first));
  if (nearest !== undefined) {
    return describeIssue(nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  }
  return `Cannot read ${issue.path.length === 0 ? 'the input' : issue.path.map(String).join('.')}: ${issue.message}`;
}

const OPERATIONS: Readonly<Record<InsightOperation, (input: unknown) => Computed>> = {
  volatility: operation('volatility', ({ nowS, ...input }) => estimateVolatility({ ...input, nowS: nowS ?? undefined })),
  outlook: operation('outlook', (input) => {
    const question = 'product' in input ? { ...conditionsOf(input), ...input.product } : binnedOf(input);
    const asked = { ...question, horizonS: input.horizonS };
    const answer = 'own' in asked ? binnedOutlook(asked) : productOutlook(asked);
    return answer.known && answer.fees !== null ? { ...answer, breakEvenSigmaPerDay: breakEvenSigma(asked) } : answer;
  }),
  widths: operation('widths', ({ amountX, amountY, binStepBps, activeBinId, pool, horizonS, ...conditions }) =>
    compareWidths({ ...conditionsOf(conditions), amountX, amountY, binStepBps, activeBinId, others: pool?.bins ?? [], horizonS }),
  ),
  inventory: operation('inventory', ({ activeX, activeY, price, ...input }) =>
    inventory({ ...input, activeX: activeX ?? undefined, activeY: activeY ?? undefined, price: price ?? undefined }),
  ),
  replay: operation('replay', ({ hypothetical, mostGapS, ...input }) =>
    replay({ ...input, isHypothetical: hypothetical ?? false, mostGapS: mostGapS ?? undefined }),
  ),
  flows: operation('flows', ({ owner, pool, position, positions, transactions }) => {
    const { binStepBps, decimalsX, decimalsY, ...mints } = pool;
    const own = [...(positions ?? []), ...(typeof position === 'string' ? [position] : [])];
    return flowsOf({
      owner,
      pool: { ...mints, binStepBps: binStepBps ?? undefined, decimalsX: decimalsX ?? undefined, decimalsY: decimalsY ?? undefined },
      positions: own.length > 0 ? own : undefined,
      transactions,
    });
  }),
  ledger: operation('ledger', ({ transactions, open, pricesNow, reportedPnlSol, ...input }) =>
    ledgerOf({
      ...input,
      transactions: transactions.map(({ pool, transferFees, commission, prices, ...one }) => ({
        ...one,
        pool: { in: pool.in ?? undefined, out: pool.out ?? undefined, fees: pool.fees ?? undefined },
        transferFees: transferFees ?? undefined,
        commission: commission ?? undefined,
        prices: knownPrices(prices),
      })),
      open: open ?? undefined,
      pricesNow: knownPrices(pricesNow),
      reportedPnlSol: reportedPnlSol ?? undefined,
    }),
  ),
  gate: operation('gate', ({ stay, enter, costsY, margin }) =>
    typeof costsY === 'number'
      ? gate({ stay: binnedOf(stay), enter: binnedOf(enter), costsY, margin: margin ?? USUAL_MARGIN })
      : { known: false, why: 'costsNotKnown' },
  ),
  export: operation('export', ({ format, entries }) => {
    const csv = exportCsv(
      format,
      entries.map(({ sent, received, rewards, fee, ...entry }) => ({
        ...entry,
        sent: sent ?? [],
        received: received ?? [],
        rewards: rewards ?? [],
        feeLamports: fee?.raw ?? 0n,
      })),
    );
    return { known: true, csv };
  }),
  spread: operation('spread', (spread: Spread) => {
    const bins = spreadOverBins(spread).map(({ binId, amountX, amountY }) => ({ binId, x: amountX, y: amountY }));
    return { known: true, bins };
  }),
};

interface ConditionFields {
  readonly lpFeesPerDayY?: number | null | undefined;
  readonly sigmaPerDay?: number | null | undefined;
  readonly sigmaLow?: number | null | undefined;
  readonly sigmaHigh?: number | null | undefined;
  readonly costsY?: number | null | undefined;
}

function conditionsOf({
  lpFeesPerDayY,
  sigmaPerDay,
  sigmaLow,
  sigmaHigh,
  costsY,
}: ConditionFields): Pick<BinnedOutlook, 'lpFeesPerDayY' | 'sigma' | 'costsY'> {
  return { lpFeesPerDayY: lpFeesPerDayY ?? undefined, sigma: sigmaOf(sigmaPerDay, sigmaLow, sigmaHigh), costsY: costsY ?? undefined };
}

function sigmaOf(value: number | null | undefined, low: number | null | undefined, high: number | null | undefined): Sigma | undefined {
  const isVolatility = (one: number | null | undefined): one is number => typeof one === 'number' && one > 0;
  return isVolatility(value) ? { value, low: isVolatility(low) ? low : value, high: isVolatility(high) ? high : value } : undefined;
}

function binnedOf(question: BinnedQuestion): Omit<BinnedOutlook, 'horizonS'> {
  const { binStepBps, activeBinId, pool } = question;
  const position =
    'plan' in question ? { own: plannedBins({ ...question.plan, activeBinId, binStepBps }), range: question.plan } : { own: question.bins };
  return { ...conditionsOf(question), ...position, binStepBps, activeBinId, others: pool?.bins ?? [] };
}

function knownPrices(prices: Readonly<Record<string, number | null>> | null | undefined): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(prices ?? {}).flatMap(([mint, price]) => (price === null ? [] : [[mint, price]])));
}

/** An answer as it is written: raw amounts as text. One that a float cannot express is not known. */
function finite(answer: Computed): Answered {
  return hasOnlyFinite(answer) ? (written(answer) as Computed) : { known: false, why: 'outOfRange' };
}

function hasOnlyFinite(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' || value === null || Object.values(value).every((field) => hasOnlyFinite(field));
}

function written(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (typeof value !== 'object' || value === null) {
    // Never -0.
    return value === 0 ? 0 : value;
  }
  return Array.isArray(value)
    ? value.map(written)
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, written(field)]));
}
