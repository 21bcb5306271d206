// What is measured on this machine (test/bench): `npm run bench`, what it costs to have Binsight; `npm run bench:sandbox`, what the sandbox does;
// `npm run bench:service`, what the service over a chain does; `npm run bench:review`, what the review takes; `npm run bench:operations`, what operations add to the service's own time. And `npm run fuzz` (test/fuzz):
// mutated transactions, the same ones in every run; `npm run crash` (test/crash): processes that are killed in the middle of operations.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { join } = await import('node:path');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { aloneAtSetup, prepareProject } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');

const tell = createTeller();
const PROGRAMS = {
  editor: ['bench', 'bench.js'],
  sandbox: ['bench', 'sandboxBench.js'],
  service: ['bench', 'serviceBench.js'],
  review: ['bench', 'reviewBench.js'],
  operations: ['bench', 'operationsBench.js'],
  panels: ['bench', 'panelsBench.js'],
  fuzz: ['fuzz', 'fuzz.js'],
  crash: ['crash', 'crash.js'],
};
const [name = 'editor', ...args] = process.argv.slice(2);
const inProject = { cwd: projectRoot };

await runToEnd(async (ending) => {
  await prepareProject(ending, tell, { build: false });
  await aloneAtSetup(ending, tell, () => tell.step('Building', () => run(ending, process.execPath, ['esbuild.mjs', '--tests'], inProject)));
  const { code } = await run(ending, process.execPath, [join('dist', 'test', ...PROGRAMS[name]), ...args], { ...inProject, show: true });
  return code ?? 1;
});
