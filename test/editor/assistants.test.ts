import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { TOOLS } from '../../src/assistants/definitions';
import { answering, eventually, openAddresses, readExtension, setSetting, solBalance } from '../support/editor/inspect';

/** Newer than the types that the extension is built with. */
const { LanguageModelDataPart } = vscode as {
  readonly LanguageModelDataPart?: new (...args: never) => { readonly mimeType: string; readonly data: Uint8Array };
};

async function invoke(name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part, data] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  if (LanguageModelDataPart !== undefined && data !== undefined) {
    assert.ok(data instanceof LanguageModelDataPart);
    assert.equal(data.mimeType, 'application/json');
    assert.deepEqual(JSON.parse(new TextDecoder().decode(data.data)), JSON.parse(part.value));
  }
  // A VS Code without data parts gets the text alone, and so does a refusal.
  assert.equal(data !== undefined, LanguageModelDataPart !== undefined && !part.value.startsWith('{"error":'));
  return JSON.parse(part.value) as Readonly<Record<string, unknown>>;
}

describe('Tools for assistants', () => {
  let inspection: Inspection;
  before(async () => {
    inspection = await readExtension();
  });
  after(() => setSetting('binsight.assistants.enabled', undefined));

  const sessions = (): readonly string[] => {
    const folder = join(dirname(inspection.sandboxPlace.dataDir), 'assistants');
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  };

  it('Without the setting there are no tools, and nothing listens', async () => {
    assert.deepEqual(sessions(), []);
    // `lm.tools` lists what package.json contributes; its `when` keeps the tools from models.
    for (const name of Object.keys(TOOLS)) {
      await assert.rejects(invoke(name, {}), name);
    }
  });

  it('With the setting an assistant reads the positions, a proposal only opens the dialog, and without it all is gone again', async () => {
    await setSetting('binsight.assistants.enabled', true);
    await eventually('the socket is announced', () => sessions().length === 1);
    const before = [await openAddresses(inspection), await solBalance(inspection)];

    const { positions } = (await invoke('binsight_positions', {})) as { readonly positions: readonly { readonly position: string }[] };
    assert.deepEqual(
      positions.map(({ position }) => position),
      inspection.portfolio.snapshot.positions.slice(0, 20).map(({ address }) => address),
    );

    const [first] = positions;
    assert.ok(first);
    const prompts = await answering(inspection, [{ press: 'Decline' }], async (scripted) => {
      const answer = await invoke('binsight_propose_zap_out', { position: first.position, sharePercent: 100 });
      assert.equal(answer['status'], 'shown');
      await eventually('the dialog is open', () => scripted.asked.length > 0);
    });
    assert.match(prompts.asked[0]?.title ?? '', /^Proposed by an assistant: Zap out 100% of .+\?$/);
    assert.deepEqual(
      prompts.asked.map(({ kind }) => kind),
      ['confirm'],
    );
    assert.deepEqual([await openAddresses(inspection), await solBalance(inspection)], before);

    await setSetting('binsight.assistants.enabled', undefined);
    await eventually('the socket is gone', () => sessions().length === 0);
    await assert.rejects(invoke('binsight_positions', {}));
  });
});
