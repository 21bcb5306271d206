// `npm run l10n`: lists the texts of the code in media/l10n/bundle.l10n.json.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { join } = await import('node:path');
const { runToEnd } = await import('./ending.mjs');
const { TOOLS } = await import('./install.mjs');
const { projectRoot } = await import('./paths.mjs');
const { prepareTools } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');

await runToEnd(async (ending) => {
  await prepareTools(ending, createTeller());
  const program = join(TOOLS.root, 'node_modules', '@vscode', 'l10n-dev', 'dist', 'cli.js');
  const args = [program, 'export', '--outDir', join('media', 'l10n'), 'src', 'webview'];
  const { code } = await run(ending, process.execPath, args, { cwd: projectRoot, show: true });
  return code ?? 1;
});
