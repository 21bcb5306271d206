import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { projectRoot } from '../paths.mjs';

describe('the import rules', () => {
  const eslint = new ESLint({
    cwd: projectRoot,
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => ruleId === 'house/imports' || ruleId === 'house/panels',
  });

  /** What is said of a file with this text: each complaint without where the rule stands. */
  async function complaintsIn(folder, file, text) {
    const [result] = await eslint.lintText(text, { filePath: join(projectRoot, folder, file) });
    return result.messages.map(({ message }) => message.replace(/ \(eslint\.config\.mjs(, (HOUSE|LAYERS))?\)/, ''));
  }
  const complaints = (file, text) => complaintsIn('src', file, text);
  const inPanels = (file, text) => complaintsIn('webview', file, text);

  const SANDBOX = ['ui does not import sandbox.'];
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
    it(`keep ui from sandbox: ${text}`, async () => assert.deepEqual(await complaints('ui/zap/some.ts', text), SANDBOX));
  }

  it('keep the entry from the sandbox, and all modules from the entry', async () => {
    assert.deepEqual(await complaints('extension.ts', "import { Clock } from './sandbox/clock';"), ['extension does not import sandbox.']);
    assert.deepEqual(await complaints('wallet/some.ts', "import { activate } from '../extension';"), ['wallet does not import extension.']);
  });

  it('keep vscode to ui, types included', async () => {
    for (const text of [
      "import * as vscode from 'vscode';",
      "import type { Uri } from 'vscode';",
      "void import('vscode');",
      "export type Place = import('vscode').Uri;",
    ]) {
      assert.deepEqual(await complaints('wallet/some.ts', text), ['Only ui/ and extension.ts import vscode.']);
      assert.deepEqual(await complaints('ui/some.ts', text), []);
      assert.deepEqual(await complaints('extension.ts', text), []);
    }
  });

  it('let types through, and nothing that loads the room', async () => {
    assert.deepEqual(await complaints('wallet/some.ts', "import type { ReviewedTransaction } from '../review/types';"), []);
    for (const text of [
      "import { type ReviewedTransaction } from '../review/types';",
      "import { review } from '../review/review';",
      "void import('../review/review');",
    ]) {
      assert.deepEqual(await complaints('wallet/some.ts', text), ['wallet imports only types of review.']);
    }
  });

  it('let a new room import nothing before it has rules', async () => {
    assert.deepEqual(await complaints('attic/some.ts', "import { address } from '../base/solana/address';"), [
      'attic does not import base.',
    ]);
  });

  it('let through what the house allows', async () => {
    assert.deepEqual(
      await complaints(
        'ui/zap/some.ts',
        "import { activate } from './other'; import { usd } from '../../base/format/money'; import z from 'zod';",
      ),
      [],
    );
    assert.deepEqual(
      await complaints(
        'sandbox/market/some.ts',
        "import type { Strategy } from '../../service/common'; import { spreadOverBins } from '../../base/dlmm/strategy';",
      ),
      [],
    );
  });

  it('let a layer import lower layers only, types included', async () => {
    assert.deepEqual(await complaints('transactions/run/some.ts', "import { measured } from '../outcome/measure';"), []);
    assert.deepEqual(await complaints('transactions/outcome/some.ts', "import type { Steps } from '../run/steps';"), [
      'transactions/outcome does not import transactions/run.',
    ]);
    assert.deepEqual(await complaints('ui/shell/some.ts', "import type { Activity } from '../activity/activity';"), [
      'ui/shell does not import ui/activity.',
    ]);
    assert.deepEqual(await complaints('ui/zap/some.ts', "import { activate } from '../session';"), ['ui/zap does not import ui/*.']);
  });

  it('keep the toolkit to one file of the panels', async () => {
    const ALONE = ['webview/shared/toolkit.ts alone imports the toolkit.'];
    for (const text of [
      "import { vsCodeButton } from '@vscode/webview-ui-toolkit';",
      "import type { Button } from '@vscode/webview-ui-toolkit/dist/button';",
      "export * from '@vscode/webview-ui-toolkit';",
      "void import('@vscode/webview-ui-toolkit');",
      "export type It = import('@vscode/webview-ui-toolkit').Button;",
    ]) {
      assert.deepEqual(await inPanels('pool/some.ts', text), ALONE);
      assert.deepEqual(await inPanels('shared/some.ts', text), ALONE);
      assert.deepEqual(await inPanels('shared/toolkit.ts', text), []);
    }
  });

  it('keep panels to themselves, to what they share, and to what runs in a browser', async () => {
    for (const [text, complaint] of [
      ["import { overviewHeader } from '../overview/overviewHeader';", 'webview/pool does not import webview/overview.'],
      ["import type { Prompts } from '../../src/ui/shell/prompts/prompts';", 'webview/pool does not import src/ui.'],
      ["import { review } from '../../src/review/review';", 'webview/pool does not import src/review.'],
      ["import type { Uri } from 'vscode';", 'A panel runs in a browser.'],
      ["import { join } from 'node:path';", 'A panel runs in a browser.'],
    ]) {
      assert.deepEqual(await inPanels('pool/some.ts', text), [complaint]);
    }
    assert.deepEqual(await inPanels('shared/some.ts', "import { header } from '../pool/header';"), [
      'webview/shared does not import webview/pool.',
    ]);
    assert.deepEqual(
      await inPanels(
        'pool/some.ts',
        "import { html } from 'lit-html'; import { icon } from '../shared/icons'; import { usd } from '../../src/base/format/money'; import type { Plan } from '../../src/protocol/pool'; import { priceOfBin } from '../../src/base/dlmm/bins';",
      ),
      [],
    );
  });
});
