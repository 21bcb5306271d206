// `npm run package`: VSIX files for the Marketplace and Open VSX, one for each system.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdirSync, readFileSync, rmSync, statSync } = await import('node:fs');
const { join, resolve } = await import('node:path');
const { parseArgs } = await import('node:util');
const { CommandError, run } = await import('./processes.mjs');
const { runToEnd } = await import('./ending.mjs');
const { problemsOfManifest } = await import('./packaging/gallery.mjs');
const { isPreRelease, packagedManifest, readManifest, stagePackage, tagOf } = await import('./packaging/stage.mjs');
const { targetsOf, TARGETS, vsixName } = await import('./packaging/targets.mjs');
const { problemsOfFiles, readVsix } = await import('./packaging/vsixContents.mjs');
const { projectRoot, runFolder } = await import('./paths.mjs');
const { prepareProject, prepareTools } = await import('./prepare.mjs');
const { createTeller } = await import('./tell.mjs');

const HELP = `npm run package [-- OPTIONS]
Makes a VSIX file for each system, and checks what is in it.

  --target NAMES      only these, separated by commas: ${TARGETS.map(({ name }) => name).join(', ')}, current
  --out FOLDER        where they go (packages)
  --repository URL    the address of the public repository on GitHub or GitLab. The links and pictures of the README lead to the tag of
                      the version there. Without it, they do not work in VS Code and in the galleries.
  --as-built          do not build, even where the sources are newer
  --help              print this help`;

const WITHOUT_REPOSITORY = `
WARNING: These packages name no repository. In VS Code and in the galleries, the README has no pictures, and its links lead nowhere.
Do not publish them. For packages to publish: npm run package -- --repository https://github.com/OWNER/NAME
`;

const tell = createTeller();

function readOptions() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: TARGETS.map(({ name }) => name).join(',') },
      out: { type: 'string', default: 'packages' },
      repository: { type: 'string' },
      'as-built': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
}

/** Makes the package of a target, checks it, and says what it weighs. */
async function makePackage(target, { ending, folder, repository }) {
  const stage = join(runFolder, 'package', target.name);
  const manifest = packagedManifest(readManifest(), repository);
  await stagePackage(stage, target, { ending, repository });
  const path = join(folder, vsixName(target, manifest));
  const args = [
    ...['--target', target.name, '--out', path],
    ...(repository === undefined ? [] : ['--tag', tagOf(manifest.version)]),
    ...(isPreRelease(manifest.version) ? ['--pre-release'] : []),
  ];
  const result = await run(ending, process.execPath, [join(projectRoot, 'test', 'host', 'tools', 'createVsix.mjs'), ...args], {
    cwd: stage,
  });
  if (result.code !== 0) throw new CommandError(`vsce for ${target.name}`, result);
  const entries = await readVsix(path);
  const { size } = statSync(path);
  const texts = JSON.parse(readFileSync(join(stage, 'package.nls.json'), 'utf8'));
  const problems = [...problemsOfManifest(manifest, texts, stage), ...problemsOfFiles(entries, target, size)];
  if (problems.length > 0) throw new Error(`${path} is not as it has to be:\n${problems.join('\n')}`);
  rmSync(stage, { recursive: true, force: true });
  const native = entries.find(({ name }) => name.endsWith('.node'));
  const share =
    native === undefined ? 'without LiteSVM' : `LiteSVM ${inMegabytes(native.packedBytes)} of it, ${inMegabytes(native.bytes)} unpacked`;
  tell.say(`${path}: ${inMegabytes(size)} (${share}), ${entries.length} files`);
}

const inMegabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(2)} MB`;

await runToEnd(async (ending) => {
  const options = readOptions();
  if (options.help) {
    tell.say(HELP);
    return 0;
  }
  const targets = targetsOf(options.target.split(','));
  await prepareProject(ending, tell, { build: !options['as-built'] });
  await prepareTools(ending, tell);
  const folder = resolve(options.out);
  mkdirSync(folder, { recursive: true });
  for (const target of targets) await makePackage(target, { ending, folder, repository: options.repository });
  // Last, where it is read.
  if (options.repository === undefined) tell.say(WITHOUT_REPOSITORY);
  return 0;
});
