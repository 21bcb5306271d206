import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { projectRoot } from '../paths.mjs';

const RULES = 'oxlint.rules.mjs';
const CONFIGURATION = {
  jsPlugins: [`./${RULES}`],
  categories: { correctness: 'off' },
  overrides: [
    { files: ['src/**/*.ts'], rules: { 'house/imports': 'error', 'house/secrets': 'error', 'house/spread': 'error' } },
    { files: ['webview/**/*.ts'], rules: { 'house/panels': 'error' } },
  ],
};

/** Files with the complaints that each gets. `#` stands for a number that makes a name unique. */
function* cases() {
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
    yield ['A file of ui imports nothing of sandbox', 'src/ui/zap/some#.ts', text, ['ui does not import sandbox.']];
  }
  const vscode = [
    "import * as vscode from 'vscode';",
    "import type { Uri } from 'vscode';",
    "void import('vscode');",
    "export type Place = import('vscode').Uri;",
  ];
  yield [
    'The entry imports vscode, and nothing of sandbox',
    'src/extension.ts',
    [...vscode, "import { Clock } from './sandbox/clock';"].join('\n'),
    ['extension does not import sandbox.'],
  ];
  yield [
    'No module imports the entry',
    'src/wallet/some#.ts',
    "import { activate } from '../extension';",
    ['wallet does not import extension.'],
  ];
  for (const text of vscode) {
    yield [
      'Only ui and the entry import vscode, types included',
      'src/wallet/some#.ts',
      text,
      ['Only ui/ and extension.ts import vscode.'],
    ];
    yield ['A file of ui imports vscode', 'src/ui/some#.ts', text, []];
  }
  yield [
    'A type is imported where only types are allowed',
    'src/wallet/some#.ts',
    "import type { ReviewedTransaction } from '../review/types';",
    [],
  ];
  for (const text of [
    "import { type ReviewedTransaction } from '../review/types';",
    "import { review } from '../review/review';",
    "void import('../review/review');",
  ]) {
    yield [
      'Nothing that loads a module is imported where only types are allowed',
      'src/wallet/some#.ts',
      text,
      ['wallet imports only types of review.'],
    ];
  }
  yield [
    'A new module imports nothing before it has rules',
    'src/attic/some#.ts',
    "import { address } from '../base/solana/address';",
    ['attic does not import base.'],
  ];
  yield [
    'A file of ui imports its neighbors, base and packages',
    'src/ui/zap/some#.ts',
    "import { activate } from './other'; import { usd } from '../../base/format/money'; import * as z from 'zod';",
    [],
  ];
  yield [
    'The sandbox imports types of service and the arithmetic of base',
    'src/sandbox/market/some#.ts',
    "import type { Strategy } from '../../service/common'; import { spreadOverBins } from '../../base/dlmm/strategy';",
    [],
  ];
  for (const [file, text, complaints] of [
    ['transactions/run', "import { measured } from '../outcome/measure';", []],
    ['transactions/outcome', "import type { Steps } from '../run/steps';", ['transactions/outcome does not import transactions/run.']],
    ['ui/shell', "import type { Activity } from '../activity/activity';", ['ui/shell does not import ui/activity.']],
    ['ui/zap', "import { activate } from '../session';", ['ui/zap does not import ui/*.']],
    ['review/rules', "import { isDeposit } from '../decode/meteora';", []],
    ['review/facts', "import { isRemoval } from '../decode/meteora';", ['review/facts does not import review/decode.']],
    ['review/decode', "import { DLMM_FLOWS } from '../rules/meteoraRoles';", ['review/decode does not import review/rules.']],
    ['review/rules', "import type { Terms } from '../approval/termsOf';", ['review/rules does not import review/approval.']],
    ['review/approval', "import { review } from '../review';", ['review/approval does not import review/*.']],
    ['chain/prices', "import type { PoolReader } from '../pools/types';", []],
    ['chain/pools', "import type { PriceSource } from '../prices/types';", ['chain/pools does not import chain/prices.']],
    ['service/budget', "import { Transport } from '../calls/transport';", ['service/budget does not import service/calls.']],
    ['service/parsing', "import type { Pool } from '../pools';", ['service/parsing does not import service/*.']],
    ['engine/wire', "import type { Engine } from '../engine';", ['engine/wire does not import engine/engine.']],
    ['sandbox/market', "import type { Hostile } from '../hostile/attacks';", ['sandbox/market does not import sandbox/hostile.']],
    ['sandbox/market/pools', "import { audit } from '../engine/audit';", ['sandbox/market/pools does not import sandbox/market/engine.']],
    ['sandbox/market/engine', "import { Market } from '../market';", []],
    ['sandbox/market/engine', "import { Engine } from '../../../engine/engine';", []],
    ['sandbox/market/engine', "import { app } from '../../http/app';", ['sandbox/market does not import sandbox/http.']],
  ]) {
    yield ['A layer imports lower layers only, types included', `src/${file}/some#.ts`, text, complaints];
  }
  yield [
    'A file that is a layer of its own imports lower layers only',
    'src/review/context.ts',
    "import { isRemoval } from './decode/meteora'; import { reviewDlmm } from './rules/dlmm';",
    ['review/context does not import review/rules.'],
  ];
  const toolkit = [
    "import { vsCodeButton } from '@vscode/webview-ui-toolkit';",
    "import type { Button } from '@vscode/webview-ui-toolkit/dist/button';",
    "export * from '@vscode/webview-ui-toolkit';",
    "void import('@vscode/webview-ui-toolkit');",
    "export type It = import('@vscode/webview-ui-toolkit').Button;",
  ];
  for (const text of toolkit) {
    for (const folder of ['pool', 'shared']) {
      yield [
        'One file of the panels imports the toolkit',
        `webview/${folder}/some#.ts`,
        text,
        ['webview/shared/toolkit.ts alone imports the toolkit.'],
      ];
    }
  }
  yield ['That file imports the toolkit in every form', 'webview/shared/toolkit.ts', toolkit.join('\n'), []];
  for (const [text, complaint] of [
    ["import { overviewHeader } from '../overview/overviewHeader';", 'webview/pool does not import webview/overview.'],
    ["import type { Prompts } from '../../src/ui/shell/prompts/prompts';", 'webview/pool does not import src/ui.'],
    ["import { review } from '../../src/review/review';", 'webview/pool does not import src/review.'],
    ["import type { Uri } from 'vscode';", 'A panel runs in a browser.'],
    ["import { join } from 'node:path';", 'A panel runs in a browser.'],
  ]) {
    yield ['A panel imports nothing of other panels, of the extension or of Node', 'webview/pool/some#.ts', text, [complaint]];
  }
  yield [
    'What panels share imports nothing of a panel',
    'webview/shared/some#.ts',
    "import { header } from '../pool/header';",
    ['webview/shared does not import webview/pool.'],
  ];
  for (const text of [
    'void context.secrets;',
    "void services.context['secrets'];",
    'const { secrets } = services.context; void secrets;',
  ]) {
    const complaint = 'Use Services.secrets: the secret storage may never answer.';
    yield ["Nothing but the wrapper of VS Code's secret storage gets it", 'src/ui/some#.ts', text, [complaint]];
  }
  yield ['The wrapper of the secret storage is for all', 'src/ui/some#.ts', 'const { secrets } = services; void services.secrets;', []];
  for (const [text, complaints] of [
    ['export const row = { id: 1, ...{ label: "Pool" } };', ['Write the properties without `...{ }`.']],
    ['const given = { label: "Pool" }; export const row = { id: 1, ...given, ...(given.label === "" ? {} : { icon: "edit" }) };', []],
    ['export const list = [...["a"], ...Object.keys({ ...[1] })];', []],
  ]) {
    yield ['An object is not spread where it is written', 'src/ui/some#.ts', text, complaints];
  }
  yield [
    'A panel imports what panels share, messages, formats and packages',
    'webview/pool/some#.ts',
    "import { html } from 'lit-html'; import { icon } from '../shared/icons'; import { usd } from '../../src/base/format/money'; import type { Plan } from '../../src/protocol/pool'; import { priceOfBin } from '../../src/base/dlmm/bins'; import { DAY_MS } from '../../src/base/time';",
    [],
  ];
}

describe('The rules of the project for lint', () => {
  const files = [...cases()].map(([title, file, text, expected], index) => ({
    title,
    text,
    expected,
    file: file.replace('#', String(index)),
  }));
  /** A project of these files and nothing else. */
  let root;
  /** What lint says of each file. @type {Map<string, string[]>} */
  let complaints;

  before(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'binsight-lint-')));
    cpSync(join(projectRoot, RULES), join(root, RULES));
    writeFileSync(join(root, '.oxlintrc.json'), JSON.stringify(CONFIGURATION));
    for (const { file, text } of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const { diagnostics } = JSON.parse(await lint(root));
    complaints = new Map(files.map(({ file }) => [file, []]));
    for (const { filename, message } of diagnostics) complaints.get(filename.split(sep).join('/')).push(message);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  for (const { title, file, text, expected } of files) {
    it(`${title}: ${text.replaceAll('\n', ' ')}`, () => {
      const found = complaints.get(file).map((message) => message.replace(/ \(oxlint\.rules\.mjs(, (HOUSE|LAYERS))?\)/, ''));
      assert.deepEqual(found, expected);
    });
  }
});

/** The report of oxlint, which ends with code 1 where it finds something. */
function lint(cwd) {
  const oxlint = join(projectRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [oxlint, '--format', 'json'], { cwd }, (error, stdout, stderr) => {
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(stderr, { cause: error }));
    });
  });
}
