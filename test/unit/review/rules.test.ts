import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_RULES } from '../../corpus/policyRules';

const REVIEW = join('src', 'review');
/** The wire reader names the rules on bytes itself. */
const WIRE_READER = ['wireTransaction.ts', 'wireConfig.ts', 'wireReader.ts'].map((name) => join('src', 'base', 'solana', name));

/** Rules without a finding of their own: BND-4 is how the verdict of an operation is formed. */
const WITHOUT_FINDING = ['BND-4'];
/** Names in the corpus that are no rule ids: WRP-1 is a form of SYS-1, and SGN is the signing of the command line. */
const CORPUS_ONLY: readonly string[] = ['WRP-1', 'SGN'];

/** The rule ids that the code reports, in alphabetical order. */
function idsInCode(): string[] {
  const files = readdirSync(REVIEW, { recursive: true })
    .map((name) => join(REVIEW, String(name)))
    .filter((name) => name.endsWith('.ts'));
  const found = [...files, ...WIRE_READER].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'([A-Z]{2,4}-\d+)'/g)].map(([, id]) => id ?? ''),
  );
  return [...new Set(found)].sort();
}

/** The rule ids with a row in the README, one for each row. */
function idsInReadme(): string[] {
  const readme = readFileSync(join(REVIEW, 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| ([A-Z]{2,4}-\d+) \|/gm)].map(([, id]) => id ?? '').sort();
}

describe('review: rules', () => {
  it('Every rule id in the code has exactly one row in the README, and the reverse', () => {
    assert.deepEqual(idsInReadme(), [...idsInCode(), ...WITHOUT_FINDING].sort());
  });

  it('The corpus attacks exactly the rules of the README, except for the note about the RPC', () => {
    const attacked = POLICY_RULES.filter((rule) => !CORPUS_ONLY.includes(rule));
    assert.deepEqual([...attacked, 'RPC-1'].sort(), idsInReadme());
  });
});
