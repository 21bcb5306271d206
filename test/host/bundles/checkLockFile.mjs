// Fails where `npm ci` would need more than the registry: a compiler, another address, or a newer Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, TOOLS } from '../install.mjs';
import { lockFileProblems } from './lockFile.mjs';

const locks = [PROJECT, TOOLS].map(({ root }) => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
const settings = Object.fromEntries(
  readFileSync(join(PROJECT.root, '.npmrc'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('=') && !/^[;#]/.test(line))
    .map((line) => line.split('=').map((side) => side.trim())),
);
const problems = lockFileProblems(locks, settings);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `${locks.reduce((sum, packages) => sum + Object.keys(packages).length - 1, 0)} packages come from the registry alone, and need no compiler.`,
  );
