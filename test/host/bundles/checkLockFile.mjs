// Fails where `npm ci` would need more than the registry: a compiler, another address, or a newer Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.mjs';
import { lockFileProblems } from './lockFile.mjs';

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
const settings = Object.fromEntries(
  readFileSync(join(projectRoot, '.npmrc'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('=') && !/^[;#]/.test(line))
    .map((line) => line.split('=').map((side) => side.trim())),
);
const problems = lockFileProblems(packages, settings);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${Object.keys(packages).length - 1} packages come from the registry alone, and need no compiler.`);
