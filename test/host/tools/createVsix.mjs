// Makes a VSIX of a folder: node createVsix.mjs --target TARGET --out FILE [--tag TAG] [--pre-release], in that folder.
// A process of its own: vsce says much, and ends the process where it refuses.
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    out: { type: 'string' },
    tag: { type: 'string' },
    'pre-release': { type: 'boolean', default: false },
  },
});
await createVSIX({
  packagePath: values.out,
  ...(values.target === 'universal' ? {} : { target: values.target }),
  dependencies: false,
  // Without the address of a repository, relative links stay as they are.
  allowMissingRepository: true,
  rewriteRelativeLinks: values.tag !== undefined,
  // Without them vsce would link to HEAD, which changes.
  githubBranch: values.tag,
  gitlabBranch: values.tag,
  preRelease: values['pre-release'],
});
