// Fails where a bundle is larger than its budget, or has none.
//   node test/host/bundles/checkSizes.mjs --accept    takes the sizes of this build as the new ones (sizes.json)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../paths.mjs';
import { readOutputs } from './metafiles.mjs';
import { measure, sizeProblems, unmeasured } from './sizes.mjs';

const { values } = parseArgs({ options: { accept: { type: 'boolean' } } });
const file = join(import.meta.dirname, 'sizes.json');
const accepted = JSON.parse(readFileSync(file, 'utf8'));
const outputs = readOutputs(join(projectRoot, 'dist'));
const sizes = measure(projectRoot, outputs);

if (values.accept) {
  const elsewhere = Object.entries(accepted).filter(([name]) => name.startsWith('node_modules/') && !(name in sizes));
  const all = Object.entries({ ...sizes, ...Object.fromEntries(elsewhere) });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`);
} else {
  const problems = [
    ...sizeProblems(sizes, accepted),
    ...unmeasured(join(projectRoot, 'dist'), outputs).map((name) => `${name} is in dist, but in no metafile (esbuild.mjs).`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('If the growth is meant, accept it: npm run build && node test/host/bundles/checkSizes.mjs --accept');
    process.exitCode = 1;
  } else {
    console.log(
      `${Object.keys(sizes).length} sizes are within their budgets, ${sizes['all bundles'].bytes.toLocaleString('en-US')} bytes of bundles in all.`,
    );
  }
}
