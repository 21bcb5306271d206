// Fails where something is shipped whose license is not allowed, or is not in the notices.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.mjs';
import { collectLicenses, NOTICES_FILE, noticesOf, readReviews } from './licenses.mjs';
import { readOutputs } from './metafiles.mjs';

const { packages, problems } = collectLicenses({
  root: projectRoot,
  outputs: readOutputs(join(projectRoot, 'dist')),
  reviews: readReviews(),
});
const written = readFileSync(join(projectRoot, 'dist', NOTICES_FILE), 'utf8');
const all = written === noticesOf(packages) ? problems : [...problems, `dist/${NOTICES_FILE} is not that of this build.`];
for (const problem of all) console.error(problem);
if (all.length > 0) process.exitCode = 1;
else console.log(`${packages.length} packages are shipped, each with an allowed license and its text.`);
