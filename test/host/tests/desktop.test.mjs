import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { desktopEnvironment, findDesktop, versionToDownload } from '../desktop.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('The search for the desktop VS Code', function () {
  // The layout is that of Linux.
  if (process.platform !== 'linux') return;
  const folder = useTemporaryFolder();
  const home = () => join(folder(), 'share', 'code');
  const bin = () => join(folder(), 'bin');
  const screen = { DISPLAY: ':0' };
  let unusable;
  const find = (env) => findDesktop((why) => unusable.push(why), { PATH: bin(), ...env });

  function program(path) {
    write(path, '#!/bin/sh\n');
    chmodSync(path, 0o755);
  }

  beforeEach(() => {
    unusable = [];
    program(join(home(), 'code'));
    program(join(home(), 'bin', 'code'));
    write(join(home(), 'resources', 'app', 'package.json'), { version: '1.105.1' });
    write(join(bin(), 'other'));
    symlinkSync(join(home(), 'bin', 'code'), join(bin(), 'code'));
  });

  it('The desktop VS Code is the program behind the command on the PATH', () => {
    assert.deepEqual(find(screen), { executable: join(home(), 'code'), version: '1.105.1' });
  });

  it('VS Code is not searched for without a screen', () => assert.equal(find({}), undefined));
  it('The desktop VS Code is not searched for when the one from npm is requested', () =>
    assert.equal(find({ ...screen, BINSIGHT_EDITOR: 'npm' }), undefined));
  it('The search for VS Code may find none', () => assert.equal(find({ ...screen, PATH: home() + '-not' }), undefined));

  it('An outdated VS Code is reported as too old', () => {
    write(join(home(), 'resources', 'app', 'package.json'), { version: '1.99.3' });
    assert.equal(find(screen), undefined);
    assert.match(unusable.join(), /is VS Code 1\.99\.3; Binsight needs 1\.101 or later/);
  });

  it('The command of a remote window is not taken for the desktop VS Code', () => {
    program(join(folder(), 'remote-cli', 'code'));
    assert.equal(find({ ...screen, PATH: join(folder(), 'remote-cli') }), undefined);
  });

  it('VSCODE_EXECUTABLE names the VS Code to use, as a program or as a command', () => {
    for (const path of [join(home(), 'code'), join(bin(), 'code')]) {
      assert.equal(find({ VSCODE_EXECUTABLE: path, PATH: '' })?.executable, join(home(), 'code'));
    }
  });

  for (const [what, path] of Object.entries({ nothing: 'nowhere', 'something else': 'bin/other' })) {
    it(`The search for VS Code fails when VSCODE_EXECUTABLE names ${what}`, () => {
      assert.throws(() => find({ VSCODE_EXECUTABLE: join(folder(), path) }), /VSCODE_EXECUTABLE: .*(not there|not a program)/);
    });
  }

  it('VS Code does not inherit environment variables of the window around the terminal', () => {
    assert.deepEqual(desktopEnvironment({ HOME: '/h', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' }), { HOME: '/h' });
  });

  it('The oldest VS Code to download is the one that the manifest asks for', () => {
    const engines = { vscode: '^1.101.0' };
    assert.equal(versionToDownload('oldest', engines), '1.101.0');
    assert.equal(versionToDownload('newest', engines), 'stable');
    for (const other of [undefined, 'npm', 'desktop']) assert.equal(versionToDownload(other, engines), undefined);
  });
});
