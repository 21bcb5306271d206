import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestFolder, NODE_PACKAGES, SERVER_LOCK } from '../hostCache.mjs';

describe('The VS Code from npm', () => {
  const { packages } = JSON.parse(readFileSync(join(manifestFolder, 'package-lock.json'), 'utf8'));
  const codeServer = packages['node_modules/code-server'];

  it('It runs on each system with the major version of Node that it asks for', () => {
    assert.match(codeServer.engines.node, /^\d+$/);
    assert.deepEqual(Object.keys(NODE_PACKAGES).sort(), ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']);
    for (const [system, name] of Object.entries(NODE_PACKAGES)) {
      const { version, os, cpu, optional } = packages[`node_modules/${name}`];
      assert.equal(version.split('.')[0], codeServer.engines.node, system);
      // npm installs the one for the system at hand, and leaves out the others.
      assert.deepEqual({ system: `${os}-${cpu}`, optional }, { system, optional: true });
    }
  });

  it('The lock file of its server is of the same VS Code, and holds what other systems need', () => {
    const lock = JSON.parse(readFileSync(join(manifestFolder, SERVER_LOCK), 'utf8'));
    const remedy = `Copy package.json and npm-shrinkwrap.json (as package-lock.json) of lib/vscode in code-server, and the .npmrc of the project, into an empty folder, run \`npm install --package-lock-only\`, and copy the lock file to test/host/vscode/${SERVER_LOCK}.`;
    assert.equal(lock.version, codeServer.version.replace(/^4/, '1'), remedy);
    for (const system of ['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-x64', 'darwin-arm64']) {
      assert.ok(lock.packages[`node_modules/@parcel/watcher-${system}`], system);
    }
  });
});
