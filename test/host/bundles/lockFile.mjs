// Not lockfile-lint: it knows addresses alone. Our lock files have none, and it passes packages without a checksum or with an install script.
import semver from 'semver';

/**
 * Packages with an install script, which would compile or download something. npm runs none of them here (.npmrc), and each works without.
 */
const WITH_INSTALL_SCRIPT = {
  '@vscode/vsce-sign': 'copies its binary, which is for signatures that nothing makes here',
  'bigint-buffer': 'compiles a faster version of what it does in JavaScript',
  bufferutil: 'compiles a faster mask for WebSockets, which nothing opens',
  esbuild: 'checks its binary, which is a package of its own',
  keytar: 'downloads or compiles the key ring in which vsce keeps tokens: it only packs here',
  'utf-8-validate': 'compiles a faster check for WebSockets, which nothing opens',
};

/** Packages for a newer Node than Binsight asks for. */
const FOR_NEWER_NODE = { commander: 'the command line of @solana/errors, which nothing runs' };

/**
 * Packages of a lock file that would come from elsewhere than the registry, or unchecked.
 * @param {Readonly<Record<string, object>>} packages
 * @returns {readonly string[]}
 */
export function originProblems(packages) {
  return Object.entries(packages).flatMap(([path, { version, resolved, link, integrity }]) => {
    if (path === '') return [];
    const title = `${nameAt(path)} ${version} (${path})`;
    return [
      // Without an address, npm takes the package from the registry that is set, and compares it with its checksum.
      ...(resolved === undefined ? [] : [`${title} has an address of its own: ${resolved}. It has to come from the registry.`]),
      ...(link ? [`${title} is a link to a folder.`] : integrity?.startsWith('sha512-') ? [] : [`${title} has no sha512 checksum.`]),
    ];
  });
}

const nameAt = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * What in a lock file would make `npm ci` compile, download something from elsewhere than the registry, or install what does not run here.
 * @param {readonly Readonly<Record<string, object>>[]} locks the packages of each lock file
 * @param {Readonly<Record<string, string | undefined>>} settings of .npmrc
 * @returns {readonly string[]}
 */
export function lockFileProblems(locks, settings) {
  const problems = [];
  if (settings['ignore-scripts'] !== 'true')
    problems.push('.npmrc does not say ignore-scripts=true: npm would run the install scripts of packages.');
  const seen = { scripts: new Set(), newer: new Set() };
  for (const packages of locks) {
    problems.push(...originProblems(packages));
    const { engines, ...root } = packages[''];
    const oldest = semver.minVersion(engines.node);
    for (const [path, entry] of Object.entries(packages)) {
      if (path === '') continue;
      const name = nameAt(path);
      const title = `${name} ${entry.version} (${path})`;
      if (entry.hasInstallScript) {
        seen.scripts.add(name);
        if (!(name in WITH_INSTALL_SCRIPT))
          problems.push(`${title} has an install script. Check that it works without (test/host/bundles/lockFile.mjs).`);
      }
      if (entry.engines?.node !== undefined && !semver.satisfies(oldest, entry.engines.node)) {
        seen.newer.add(name);
        if (!(name in FOR_NEWER_NODE)) problems.push(`${title} needs Node ${entry.engines.node}; Binsight runs on ${oldest.version}.`);
      }
    }
    const direct = Object.entries({ ...root.dependencies, ...root.devDependencies }).filter(
      ([, range]) => semver.validRange(range) === null,
    );
    problems.push(...direct.map(([name, range]) => `${name} is asked for as ${range}, which is no version in the registry.`));
  }
  for (const [list, names] of [
    [WITH_INSTALL_SCRIPT, seen.scripts],
    [FOR_NEWER_NODE, seen.newer],
  ]) {
    problems.push(
      ...Object.keys(list)
        .filter((name) => !names.has(name))
        .map((name) => `${name} is excepted in test/host/bundles/lockFile.mjs without need.`),
    );
  }
  return problems;
}
