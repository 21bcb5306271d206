// Writes what is declared in settings.ts and commands.ts into package.json, package.nls.json, the README, docs/settings.md and
// generated/: `npm run generate`. test/unit/settings/generated.test.ts fails when a file differs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const projectRoot = join(import.meta.dirname, '..', '..');
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'generate', 'files.ts')],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
const { generatedFiles } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
for (const [path, text] of Object.entries(generatedFiles((name) => readFileSync(join(projectRoot, name), 'utf8')))) {
  mkdirSync(dirname(join(projectRoot, path)), { recursive: true });
  writeFileSync(join(projectRoot, path), text);
}
