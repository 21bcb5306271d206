/**
 * A system for which there is a package of its own.
 * @typedef {object} Target
 * @property {string} name as VS Code names it; `universal` is for all systems that have no package of their own
 * @property {string} [native] the npm package with LiteSVM for this system; without it there is no sandbox
 */

/** @type {readonly Target[]} */
export const TARGETS = [
  { name: 'linux-x64', native: 'litesvm-linux-x64-gnu' },
  { name: 'linux-arm64', native: 'litesvm-linux-arm64-gnu' },
  { name: 'alpine-x64', native: 'litesvm-linux-x64-musl' },
  { name: 'alpine-arm64', native: 'litesvm-linux-arm64-musl' },
  { name: 'darwin-x64', native: 'litesvm-darwin-x64' },
  { name: 'darwin-arm64', native: 'litesvm-darwin-arm64' },
  { name: 'win32-x64' },
  { name: 'universal' },
];

/** Stands for the target of this machine. */
const CURRENT = 'current';

/**
 * The targets of a list of names, `current` among them.
 * @param {readonly string[]} names
 * @returns {readonly Target[]}
 * @throws Error where a name is of no target
 */
export function targetsOf(names) {
  return names.map((name) => {
    const target = TARGETS.find((known) => known.name === (name === CURRENT ? currentName() : name));
    if (target === undefined)
      throw new Error(`No target is called ${name}. The targets: ${TARGETS.map((known) => known.name).join(', ')}.`);
    return target;
  });
}

function currentName() {
  // VS Code calls Linux with musl `alpine`.
  const system =
    process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined ? 'alpine' : process.platform;
  const own = `${system}-${process.arch}`;
  return TARGETS.some(({ name }) => name === own) ? own : 'universal';
}

/**
 * The name of a target's VSIX file.
 * @param {Target} target
 * @param {{ name: string, version: string }} manifest
 */
export function vsixName({ name }, manifest) {
  const suffix = name === 'universal' ? '' : `-${name}`;
  return `${manifest.name}-${manifest.version}${suffix}.vsix`;
}
