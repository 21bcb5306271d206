// Fails where `npm ci` would need more than the registry: a compiler, another address, or a newer Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestFolder, SERVER_LOCK } from '../hostCache.mjs';
import { PROJECT, TOOLS } from '../install.mjs';
import { lockFileProblems, originProblems } from './lockFile.mjs';

const LOCK = 'package-lock.json';
const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
const locks = [PROJECT, TOOLS].map(({ root }) => packagesOf(join(root, LOCK)));
/** These run on a Node of their own: of the VS Code from npm, and of the workflow that publishes. */
const others = [join(manifestFolder, LOCK), join(manifestFolder, SERVER_LOCK), join(PROJECT.root, '.github', 'publish', LOCK)].map(
  packagesOf,
);
const settings = Object.fromEntries(
  readFileSync(join(PROJECT.root, '.npmrc'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('=') && !/^[;#]/.test(line))
    .map((line) => line.split('=').map((side) => side.trim())),
);
const problems = [...lockFileProblems(locks, settings), ...others.flatMap(originProblems)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `${[...locks, ...others].reduce((sum, packages) => sum + Object.keys(packages).length - 1, 0)} packages come from the registry alone, and need no compiler.`,
  );
