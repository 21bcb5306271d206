import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Statements about the whole review, which no transaction attacks. */
const NOT_ATTACKED = ['RPC-1'];
/** Names in the corpus that are no ids of rules: WRP-1 is a form of SYS-1, and SGN is the signing of the command line. */
const CORPUS_ONLY = ['WRP-1', 'SGN'];

/** The id of a rule. */
export type PolicyRule = `${string}-${number}` | 'SGN';

/** The ids of the rules of src/review/README.md, in its order. */
export function idsInReadme(): readonly string[] {
  const readme = readFileSync(join('src', 'review', 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| ([A-Z]{2,4}-\d+) \|/gm)].map(([, id]) => id ?? '');
}

/** The rules that the corpus must attack. */
export function attackedRules(): readonly string[] {
  return [...idsInReadme().filter((rule) => !NOT_ATTACKED.includes(rule)), ...CORPUS_ONLY];
}
