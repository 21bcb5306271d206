import { join } from 'node:path';
import { buildProduct } from './build.mjs';
import { exclusively } from './exclusively.mjs';
import { installPackages, PROJECT, TOOLS } from './install.mjs';
import { projectRoot, runFolder } from './paths.mjs';
import { CommandError, run } from './processes.mjs';
import { requireWritable } from './setupProblems.mjs';

/**
 * Installs and builds what is missing, so that nothing has to be done by hand after a clone.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @param {{ build?: boolean }} options
 */
export async function prepareProject(ending, tell, { build = true } = {}) {
  await aloneAtSetup(ending, tell, async () => {
    await installPackages(PROJECT, ending, tell);
    if (build) await buildProduct(projectRoot, ending, tell);
  });
}

/**
 * Installs the tools of test/host/tools where they are missing.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 */
export async function prepareTools(ending, tell) {
  await aloneAtSetup(ending, tell, () => installPackages(TOOLS, ending, tell));
}

/**
 * Installs what is missing and builds everything with the tests, which `npm run bench`, `fuzz`, `crash` and `soak` run.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @throws CommandError where the build fails
 */
export async function prepareTests(ending, tell) {
  await prepareProject(ending, tell, { build: false });
  await aloneAtSetup(ending, tell, () =>
    tell.step('Building', async () => {
      const result = await run(ending, process.execPath, ['esbuild.mjs', '--tests'], { cwd: projectRoot });
      if (result.code !== 0) throw new CommandError('The build', result);
    }),
  );
}

/**
 * Does `work`, which writes to node_modules or dist, while no other script of this project does the like.
 * @template T
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function aloneAtSetup(ending, tell, work) {
  requireWritable(runFolder, 'Clone the project into a folder that you may write to.');
  const onWait = () => tell.say('Waiting for another Binsight script, which is installing or building at this moment.');
  return exclusively(join(runFolder, 'setup.lock'), ending, { onWait }, work);
}
