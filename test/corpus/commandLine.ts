import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { writeCase, type CaseInput } from '../../src/review/report/caseFormat';

// Runs `node dist/review.js` as a user would. It is built before the tests run; a single run may name another build.

const PROGRAM = resolve(process.env['BINSIGHT_REVIEW_PROGRAM'] ?? 'dist/review.js');

const Answer = z.object({
  schema: z.literal(1),
  verdict: z.enum(['allow', 'confirm', 'block']),
  findings: z.array(
    z.object({
      rule: z.string(),
      verdict: z.enum(['allow', 'confirm', 'block', 'info']),
      message: z.string().min(1),
      tx: z.int().optional(),
      ix: z.int().optional(),
      address: z.string().optional(),
      amount: z.string().optional(),
    }),
  ),
  summary: z.array(z.string()).min(1),
  spends: z.object({
    consumedLamports: z.string(),
    wrappedLamports: z.string(),
    tipLamports: z.string(),
    feeLamports: z.string(),
    rentLamports: z.string(),
    otherLamports: z.string(),
    tokensOut: z.array(z.unknown()),
  }),
  reviewHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  recipients: z.array(z.object({ address: z.string(), role: z.string(), own: z.boolean() })),
  signed: z.array(z.string()).optional(),
});

/** The answer to one line. */
export type CommandLineAnswer = z.output<typeof Answer>;

/** The complete result of one run. */
export interface Run {
  readonly code: number | null;
  readonly answers: readonly CommandLineAnswer[];
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs the command line on this input with an empty environment.
 * @throws if a line of the output does not have the format that src/review/README.md describes.
 */
export async function run(input: string | Uint8Array): Promise<Run> {
  if (!existsSync(PROGRAM)) {
    throw new Error(`${PROGRAM} is not there: it is built with \`npm run build\``);
  }
  const child = spawn(process.execPath, [PROGRAM], { env: {}, stdio: 'pipe' });
  const [output, errors] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  }) as [Buffer[], Buffer[]];
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  });
  const text = Buffer.concat(output).toString('utf8');
  const answers = text
    .split('\n')
    .slice(0, -1)
    .map((line) => Answer.parse(JSON.parse(line)));
  return { code, answers, output: text, errors: Buffer.concat(errors).toString('utf8') };
}

/** A request line for a review input. */
export function lineOf(input: CaseInput, more: Readonly<Record<string, unknown>> = { op: 'review' }): string {
  return JSON.stringify({ schema: 1, ...more, case: writeCase(input, 'case') });
}

/** Says whether the case format can hold the whole input: of the RPC facts it holds only lookup tables. */
export function canBeWritten({ facts }: CaseInput): boolean {
  return (
    facts === undefined ||
    (facts.simulation === undefined &&
      [facts.tokenAccounts, facts.mints, facts.blockhashes].every(({ size }) => size === 0) &&
      [...facts.lookupTables.values()].every(({ isDeactivated }) => !isDeactivated))
  );
}
