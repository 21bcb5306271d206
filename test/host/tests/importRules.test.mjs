import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { projectRoot } from '../paths.mjs';

describe('the import rules', () => {
  const eslint = new ESLint({
    cwd: projectRoot,
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => ruleId === 'house/imports',
  });

  /** What is said of a source file with this text: each complaint without where the rule stands. */
  async function complaints(file, text) {
    const [result] = await eslint.lintText(text, { filePath: join(projectRoot, 'src', file) });
    return result.messages.map(({ message }) => message.replace(' (eslint.config.mjs, HOUSE)', ''));
  }

  const SANDBOX = ['editor does not import sandbox.'];
  for (const text of [
    "import { Clock } from '../../sandbox/clock';",
    "import type { Clock } from '../../sandbox/clock';",
    "import { Clock } from './../../sandbox/clock';",
    "import { Clock } from '../../../src/sandbox/clock';",
    "import '../../sandbox/main';",
    "export { Clock } from '../../sandbox/clock';",
    "export * from '../../sandbox/clock';",
    "void import('../../sandbox/main');",
    "export type Time = import('../../sandbox/clock').Clock;",
  ]) {
    it(`keep editor from sandbox: ${text}`, async () => assert.deepEqual(await complaints('editor/views/some.ts', text), SANDBOX));
  }

  it('keep the front door from the sandbox, and the rooms from the front door', async () => {
    assert.deepEqual(await complaints('extension.ts', "import { Clock } from './sandbox/clock';"), ['extension does not import sandbox.']);
    assert.deepEqual(await complaints('wallet/some.ts', "import { activate } from '../extension';"), ['wallet does not import extension.']);
  });

  it('keep vscode to the editor, as a type too', async () => {
    for (const text of ["import * as vscode from 'vscode';", "import type { Uri } from 'vscode';", "void import('vscode');", "export type Place = import('vscode').Uri;"]) {
      assert.deepEqual(await complaints('wallet/some.ts', text), ['Only editor/ and extension.ts import vscode.']);
      assert.deepEqual(await complaints('editor/some.ts', text), []);
      assert.deepEqual(await complaints('extension.ts', text), []);
    }
  });

  it('let types through, and nothing that loads the room', async () => {
    assert.deepEqual(await complaints('wallet/some.ts', "import type { ReviewedTransaction } from '../review/types';"), []);
    for (const text of ["import { type ReviewedTransaction } from '../review/types';", "import { review } from '../review/review';", "void import('../review/review');"]) {
      assert.deepEqual(await complaints('wallet/some.ts', text), ['wallet knows review by its types only.']);
    }
  });

  it('let a new room import nothing before it has rules', async () => {
    assert.deepEqual(await complaints('attic/some.ts', "import { address } from '../solana/address';"), ['attic does not import solana.']);
  });

  it('let through what the house allows', async () => {
    assert.deepEqual(await complaints('editor/views/some.ts', "import { activate } from './other'; import { usd } from '../../format/money'; import z from 'zod';"), []);
    assert.deepEqual(await complaints('sandbox/market/some.ts', "import type { Strategy } from '../../api/records/money'; import { spreadOverBins } from '../../dlmm/strategy';"), []);
  });
});
