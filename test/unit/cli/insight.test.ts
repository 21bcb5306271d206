import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { answerQuestion } from '../../../src/cli/insightAnswer';

// `node dist/insight.js` as a user runs it, and what it says to lines that nobody should write.

const PROGRAM = resolve('dist', 'insight.js');

const SPREAD = { strategy: 'Spot', fromBinId: -1, toBinId: 1, activeBinId: 0, binStepBps: 10, amountX: '30', amountY: '20' };
const OUTLOOK = {
  ...{ binStepBps: 10, activeBinId: 0, horizonS: 86_400, sigmaPerDay: 0.05, lpFeesPerDayY: 1_000, costsY: 5 },
  plan: { strategy: 'Curve', fromBinId: -20, toBinId: 20, amountX: '1000000', amountY: '1000000' },
  pool: { bins: [{ binId: 0, x: 5, y: 1e9 }] },
};

const BAD_LINES: readonly (readonly [what: string, line: string, message: RegExp])[] = [
  ['not JSON', '{"op": "spread", ', /not JSON/],
  ['a word', 'hello', /not JSON/],
  ['empty', '', /not JSON/],
  ['nested a million times', '['.repeat(1_000_000), /not JSON/],
  ['a list', '[]', /not an object/],
  ['null', 'null', /not an object/],
  ['without an operation', '{}', /op has to be one of/],
  ['an operation that is a method of objects', '{"op":"constructor"}', /op has to be one of/],
  ['another schema', '{"op":"spread","schema":2}', /schema 1/],
  ['without its input', '{"op":"spread"}', /Cannot read strategy/],
  ['an input that is text', '{"op":"volatility","input":"candles"}', /Cannot read the input/],
  ['a strategy that does not exist', line('spread', { ...SPREAD, strategy: 'Flat' }), /Cannot read strategy/],
  ['without an amount', line('spread', { ...SPREAD, amountX: undefined }), /amountX.*digits/],
  ['a bin without liquidity', line('outlook', { ...OUTLOOK, pool: { bins: [{ binId: 1, x: 0 }] } }), /pool\.bins\.0\.y/],
  ['a negative amount', line('spread', { ...SPREAD, amountX: '-1' }), /amountX.*not negative/],
  ['an amount with a fraction', line('spread', { ...SPREAD, amountX: '1.5' }), /amountX.*digits/],
  ['an amount of a thousand digits', line('spread', { ...SPREAD, amountX: '9'.repeat(1_000) }), /amountX.*digits/],
  ['a number that is too large for JavaScript', '{"op":"outlook","input":{"horizonS":1e999}}', /Cannot read/],
  ['a range that is inverted', line('spread', { ...SPREAD, fromBinId: 5, toBinId: -5 }), /range goes upwards/],
  ['a range of a million bins', line('spread', { ...SPREAD, fromBinId: -400_000, toBinId: 400_000 }), /at most 1400 bins/],
  ['a bin that has no price at its step', line('spread', { ...SPREAD, binStepBps: 400, activeBinId: 100_000 }), /A bin of step 400/],
  ['a bin step of 0', line('spread', { ...SPREAD, binStepBps: 0 }), /Cannot read binStepBps/],
  ['a horizon of 0', line('outlook', { ...OUTLOOK, horizonS: 0 }), /Cannot read horizonS/],
  ['instruction data that is not base58', line('flows', transactionWith('0OIl')), /transactions\.0.*base58/],
];

function line(op: string, input: unknown): string {
  return JSON.stringify({ op, input });
}

function transactionWith(data: string): unknown {
  const message = { accountKeys: ['a'], instructions: [{ programIdIndex: 0, accounts: [], data }] };
  const meta = { err: null, fee: 5_000, preBalances: [1], postBalances: [1], innerInstructions: [] };
  return {
    owner: 'a',
    pool: { address: 'p', x: 'x', y: 'y' },
    transactions: [{ blockTime: 1, transaction: { signatures: ['s'], message }, meta }],
  };
}

/** All answers of one run. */
async function run(input: string): Promise<{ readonly code: unknown; readonly lines: readonly string[]; readonly errors: string }> {
  const child = spawn(process.execPath, [PROGRAM], { env: {}, stdio: 'pipe' });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as readonly unknown[];
  return { code, lines: output.split('\n').slice(0, -1), errors };
}

describe('dist/insight.js', () => {
  it('Every line has an answer in its place, also among lines that cannot be read, and the program ends with 0', async () => {
    const good = line('spread', SPREAD);
    const input = BAD_LINES.flatMap(([, bad]) => [bad, good]);
    const { code, lines, errors } = await run(`\ufeff${good}\r\n${input.join('\n')}`);
    const answers = lines.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
    assert.deepEqual([code, errors, answers.length], [0, '', input.length + 1]);
    assert.deepEqual(
      answers.map(({ known }) => known),
      [true, ...BAD_LINES.flatMap(() => [false, true])],
    );
    assert.deepEqual(answers[0], {
      ...{ schema: 1, op: 'spread', known: true },
      bins: [
        { binId: -1, x: '0', y: '10' },
        { binId: 0, x: '0', y: '10' },
        { binId: 1, x: '30', y: '0' },
      ],
    });
  });

  for (const [what, bad, message] of BAD_LINES) {
    it(`A line that is ${what} is answered with what is wrong with it`, () => {
      const answer = answerQuestion(bad);
      assert.deepEqual([answer.known, answer['why']], [false, 'badLine']);
      assert.match(String(answer['message']), message);
      assert.ok(String(answer['message']).length <= 300);
    });
  }

  it('A line that is too long is answered like any other that cannot be read', () => {
    assert.deepEqual(answerQuestion(undefined), { schema: 1, known: false, why: 'badLine', message: 'The line is too long' });
  });

  it('An answer carries the id of its question, and the fields of the input may stand beside the operation', () => {
    const { id, known } = answerQuestion(JSON.stringify({ op: 'spread', id: 'q1', ...SPREAD }));
    assert.deepEqual([id, known], ['q1', true]);
  });

  it('Fields that nobody asked for change nothing', () => {
    const more = { ...SPREAD, note: 'x', limits: [{}] };
    assert.deepEqual(answerQuestion(line('spread', more)), answerQuestion(line('spread', SPREAD)));
  });

  it('An answer has no NaN, no infinity and no number that JSON cannot express, whatever one field of the question is replaced by', () => {
    const odd = fc.oneof(
      fc.constantFrom(null, '', '0', -1, 0, 1e308, -1e308, 5e-324, 2 ** 53, '9'.repeat(39), [], {}, true, 'NaN'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
    );
    const place = fc.constantFrom(...Object.keys(OUTLOOK), 'sigmaLow', 'sigmaHigh', 'plan.amountX', 'plan.toBinId');
    fc.assert(
      fc.property(place, odd, (path, value) => {
        const [field = '', inner] = path.split('.');
        const input = inner === undefined ? { ...OUTLOOK, [field]: value } : { ...OUTLOOK, plan: { ...OUTLOOK.plan, [inner]: value } };
        const answer = answerQuestion(line('outlook', input));
        assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
      }),
      { numRuns: 400 },
    );
  });

  for (const [what, change] of [
    ['a volatility of 10,000% a day', { sigmaPerDay: 100 }],
    ['hardly any volatility', { sigmaPerDay: 1e-12 }],
    ['ten years', { horizonS: 3_650 * 86_400 }],
    ['one second', { horizonS: 1 }],
    ['more than all tokens of the world', { plan: { ...OUTLOOK.plan, amountX: '9'.repeat(38), amountY: '9'.repeat(38) } }],
    [
      'the last bins of the program',
      { activeBinId: 443_600, plan: { ...OUTLOOK.plan, fromBinId: 443_590, toBinId: 443_610 }, binStepBps: 1 },
    ],
    ['the widest range of the widest step', { binStepBps: 400, plan: { ...OUTLOOK.plan, fromBinId: -699, toBinId: 700 } }],
  ] as const) {
    it(`An outlook over ${what} is an answer with finite figures`, () => {
      const answer = answerQuestion(line('outlook', { ...OUTLOOK, ...change }));
      assert.deepEqual([answer['message'], answer.known], [undefined, true]);
      assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
    });
  }
});
