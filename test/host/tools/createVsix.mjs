// Makes a VSIX of a folder: node createVsix.mjs --target TARGET --out FILE [--linked], in that folder.
// A process of its own: vsce says much, and ends the process where it refuses.
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';

const { values } = parseArgs({
  options: { target: { type: 'string' }, out: { type: 'string' }, linked: { type: 'boolean', default: false } },
});
await createVSIX({
  packagePath: values.out,
  ...(values.target === 'universal' ? {} : { target: values.target }),
  dependencies: false,
  // Without the address of a repository, relative links stay as they are.
  allowMissingRepository: true,
  rewriteRelativeLinks: values.linked,
});
