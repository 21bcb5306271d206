import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { desktopEnvironment, findDesktop } from '../desktop.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('the desktop VS Code', function () {
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

  it('is the program behind the command on the PATH', () => {
    assert.deepEqual(find(screen), { executable: join(home(), 'code'), version: '1.105.1' });
  });

  it('is not looked for without a screen', () => assert.equal(find({}), undefined));
  it('is not looked for when the one from npm is asked for', () => assert.equal(find({ ...screen, BINSIGHT_EDITOR: 'npm' }), undefined));
  it('may not be there', () => assert.equal(find({ ...screen, PATH: home() + '-not' }), undefined));

  it('may be too old, and that is said', () => {
    write(join(home(), 'resources', 'app', 'package.json'), { version: '1.99.3' });
    assert.equal(find(screen), undefined);
    assert.match(unusable.join(), /is VS Code 1\.99\.3; Binsight needs 1\.101 or later/);
  });

  it('is not the command of a remote window', () => {
    program(join(folder(), 'remote-cli', 'code'));
    assert.equal(find({ ...screen, PATH: join(folder(), 'remote-cli') }), undefined);
  });

  it('is the one that VSCODE_EXECUTABLE names, as program or as command', () => {
    for (const path of [join(home(), 'code'), join(bin(), 'code')]) {
      assert.equal(find({ VSCODE_EXECUTABLE: path, PATH: '' })?.executable, join(home(), 'code'));
    }
  });

  for (const [what, path] of Object.entries({ nothing: 'nowhere', 'something else': 'bin/other' })) {
    it(`cannot be had when VSCODE_EXECUTABLE names ${what}`, () => {
      assert.throws(() => find({ VSCODE_EXECUTABLE: join(folder(), path) }), /VSCODE_EXECUTABLE: .*(not there|not a program)/);
    });
  }

  it('does not get what the window around this terminal keeps in the environment', () => {
    assert.deepEqual(desktopEnvironment({ HOME: '/h', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' }), { HOME: '/h' });
  });
});
