import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idsInReadme } from '../../corpus/policyRules';

const REVIEW = join('src', 'review');
/** The wire reader names the rules on bytes itself. */
const WIRE_READER = ['wireTransaction.ts', 'wireConfig.ts', 'wireReader.ts'].map((name) => join('src', 'base', 'solana', name));

/** Rules without a finding of their own: BND-4 is how the verdict of an operation is formed. */
const WITHOUT_FINDING = ['BND-4'];
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

describe('review: rules', () => {
  it('Every rule id in the code has exactly one row in the README, and the reverse', () => {
    assert.deepEqual(idsInReadme().toSorted(), [...idsInCode(), ...WITHOUT_FINDING].sort());
  });
});
