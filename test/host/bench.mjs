// `npm run bench`: what it costs to have Binsight; `npm run bench:sandbox`: what the sandbox does. Measured on this machine (test/bench).
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { join } = await import('node:path');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { aloneAtSetup, prepareProject } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');

const tell = createTeller();
const inProject = { cwd: projectRoot };

await runToEnd(async (ending) => {
  await prepareProject(ending, tell, { build: false });
  await aloneAtSetup(ending, tell, () => tell.step('Building', () => run(ending, process.execPath, ['esbuild.mjs', '--tests'], inProject)));
  const { code } = await run(ending, process.execPath, [join('dist', 'test', 'bench', process.argv[2] === 'sandbox' ? 'sandboxBench.js' : 'bench.js')], { ...inProject, show: true });
  return code ?? 1;
});
