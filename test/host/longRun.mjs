// What takes longer than a part of `npm test`: `npm run fuzz` (mutated transactions against the review), `npm run crash` (processes that are
// killed in the middle of operations), `npm run soak` (ten minutes of work on a service with faults). All else is handed on to the program.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { join } = await import('node:path');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { prepareTests } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');

const [name, ...args] = process.argv.slice(2);

await runToEnd(async (ending) => {
  await prepareTests(ending, createTeller());
  const program = join('dist', 'test', name, `${name}.js`);
  const { code } = await run(ending, process.execPath, ['--enable-source-maps', program, ...args], { cwd: projectRoot, show: true });
  return code ?? 1;
});
