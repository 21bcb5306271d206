// `npm run --silent sandbox -- --port 0 --data DIR --seed 7`, `npm run --silent service -- --rpc URL`: a service by itself. Standard output is
// the program's own; what is said on the way there goes to standard error.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { join } = await import('node:path');
const { Ending, SIGNALS, codeOfSignal, messageOf, watchParent } = await import('./ending.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { projectRoot } = await import('./paths.mjs');
const { createTeller } = await import('./tell.mjs');

const ending = new Ending();
let onSignal = (signal) => void ending.end().then(() => process.exit(codeOfSignal(signal)));
for (const signal of SIGNALS) process.on(signal, () => onSignal(signal));
watchParent(() => onSignal('SIGTERM'));

try {
  await prepareProject(ending, createTeller(process.stderr));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
const [name, ...args] = process.argv.slice(2);
// In this process's group: ending the group ends the program too.
const program = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, 'dist', `${name}.js`), ...args], { stdio: 'inherit' });
onSignal = (signal) => program.kill(signal);
program.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
program.once('exit', (code, signal) => process.exit(code ?? codeOfSignal(signal)));
