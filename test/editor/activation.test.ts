import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { COMMAND_IDS } from '../../src/settings/generated/commandIds';
import type { Inspection } from '../../src/ui/services';
import { extensionReady } from '../support/editor/extensionReady';
import { readExtension } from '../support/editor/inspect';

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** How often the comparison is measured. The slowest counts: activation was measured only once, while the editor started. */
const LOADS = 3;

/** The file that holds a package, as the build wrote it down. */
function chunkOf(extensionPath: string, name: string): string {
  const { outputs } = JSON.parse(readFileSync(join(extensionPath, 'dist', 'extension.meta.json'), 'utf8')) as {
    readonly outputs: Readonly<Record<string, Output>>;
  };
  const found = Object.entries(outputs).find(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.includes(`node_modules/${name}/`)),
  );
  assert.ok(found, name);
  return join(extensionPath, found[0]);
}

/** What a module loads at once, as the build wrote it down: itself and what it imports, but not what it imports later. */
function loadedAtOnce(extensionPath: string, module: RegExp): readonly (readonly [string, Output])[] {
  const { outputs } = JSON.parse(readFileSync(join(extensionPath, 'dist', 'extension.meta.json'), 'utf8')) as {
    readonly outputs: Readonly<Record<string, Output>>;
  };
  const entry = Object.keys(outputs).find((path) => module.test(basename(path)));
  const found = new Map<string, Output>();
  const visit = (path: string | undefined) => {
    const output = path === undefined ? undefined : outputs[path];
    if (path === undefined || output === undefined || found.has(path)) {
      return;
    }
    found.set(path, output);
    output.imports.filter(({ kind }) => kind === 'import-statement').forEach((imported) => visit(imported.path));
  };
  visit(entry);
  return [...found];
}

describe('Activation', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });

  it('The extension activates without an error and provides the views, the status bar item and the sandbox', () => {
    assert.equal(inspection.sandbox.state.kind, 'running');
    assert.equal(inspection.connection.status.kind, 'open');
    assert.ok(inspection.views.statusBar.model);
    assert.ok(inspection.views.positionsView.visible);
  });

  it('Activation takes less than twice the time of loading web3.js alone', async () => {
    const { extensionPath } = await extensionReady();
    const loads: number[] = [];
    for (let count = 0; count < LOADS; count += 1) {
      const start = performance.now();
      // Under another name it is loaded once more.
      await import(`${pathToFileURL(chunkOf(extensionPath, '@solana/web3.js')).href}?load=${count}`);
      loads.push(performance.now() - start);
    }
    assert.ok(inspection.activationMs < 2 * Math.max(...loads), `${inspection.activationMs} ms, web3.js ${loads.join(', ')} ms`);
  });

  it('Activation registers every command', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      COMMAND_IDS.filter((id) => !registered.has(id)),
      [],
    );
  });

  it('Activation and what follows it load nothing of web3.js, zod and node-fetch', async () => {
    const { extensionPath } = await extensionReady();
    const activation = loadedAtOnce(extensionPath, /^extension\.js$/);
    const start = loadedAtOnce(extensionPath, /^start-\w+\.js$/);
    const inputs = [...activation, ...start].flatMap(([, output]) => Object.keys(output.inputs));
    assert.ok(inputs.includes('src/extension.ts') && inputs.includes('src/ui/start.ts'), inputs.join(', '));
    assert.deepEqual(
      inputs.filter((input) => /node_modules\/(@solana|zod|node-fetch)\//.test(input)),
      [],
    );
  });
});
