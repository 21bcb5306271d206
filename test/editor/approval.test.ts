import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { bytesFromBase64, parseBase64Transaction, parseTransaction } from '../../src/base/solana/wireTransaction';
import { openLocks } from '../../src/transactions/locks/locks';
import type { Inspection } from '../../src/ui/services';
import {
  commandEnding,
  documentOf,
  controlSandbox,
  openAddresses,
  plannedZapIn,
  readExtension,
  setFaults,
  solBalance,
  solPool,
  withClock,
  withSetting,
  withShortSlots,
} from '../support/editor/inspect';
import type { Asked, ScriptedAnswer, ScriptedPrompts } from '../support/editor/scriptedPrompts';

const CANCELLED = /: canceled\. Nothing was signed/;
const ZAPPED_OUT = /^Zap out 10% of .+: done\..+ The position stays open/;

describe('The approval', () => {
  let inspection: Inspection;
  let folder: string;
  before(async () => {
    inspection = await readExtension();
    folder = await mkdtemp(join(tmpdir(), 'binsight-reports-'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Zaps out of a little of a position; `last` is what is done at the confirmation, and after it. */
  async function zapOut(last: readonly ScriptedAnswer[], ending: RegExp, node = aPosition()): Promise<ScriptedPrompts> {
    return commandEnding(
      inspection,
      'binsight.zapOut',
      node,
      [{ pick: 'Other' }, { type: '10' }, { pick: 'SOL' }, { pick: '3%' }, ...last],
      ending,
    );
  }

  /** A position with bins, if it has to be so: in range, with both tokens. */
  function aPosition(isInRange = false) {
    return inspection.views.positions
      .getChildren()
      .flatMap((one) => (one.kind === 'position' ? [one] : []))
      .find(
        ({ position: { poolType, inRange, amount0 } }) => poolType === 'dlmm' && (!isInRange || (inRange === true && (amount0 ?? 0) > 0)),
      );
  }

  const wealth = async () => [await openAddresses(inspection), await solBalance(inspection)];
  const confirms = ({ asked }: ScriptedPrompts): readonly Asked[] => asked.filter(({ kind }) => kind === 'confirm');

  it('Approval of the expected takes one click, and the question says nothing of a check that was complete', async () => {
    const [question] = confirms(await zapOut(['escape'], CANCELLED));
    assert.ok(question);
    assert.deepEqual(question.shown, ['Show Details', 'Sign and Send']);
    assert.doesNotMatch(question.text, /Checked offline|valid until/);
  });

  it('The review in the sandbox simulates with the sandbox’s own RPC', async () => {
    const prompts = await zapOut(['escape'], CANCELLED);
    assert.doesNotMatch(confirms(prompts)[0]?.text ?? '', /Checked offline/, 'it is simulated');
    assert.deepEqual(
      prompts.notices.filter(({ severity }) => severity === 'warning'),
      [],
    );
  });

  it('A tip above the cap must be ticked before the operation can be signed and landed', async () => {
    await withSetting('binsight.review.costCapSol', 0, async () => {
      const before = await wealth();
      const left = await zapOut(['escape'], CANCELLED);
      const [question] = confirms(left);
      assert.ok(question);
      assert.match(question.title, /: review found unexpected changes$/);
      assert.deepEqual(question.shown, ['Show Details', 'Decide…', 'Save Report…']);
      assert.match(question.text, /^\d\. .*tip.*\(Rule [A-Z]+-\d+/im);
      const unticked = await zapOut([{ press: 'Decide…' }, 'escape'], CANCELLED);
      assert.deepEqual(unticked.asked.at(-1)?.kind, 'acknowledge');
      assert.match(unticked.asked.at(-1)?.text ?? '', /^\d\. .*tip.*· Rule [A-Z]+-\d+/im);
      assert.deepEqual(await wealth(), before);
      await zapOut([{ press: 'Decide…' }, { tickAll: true }], ZAPPED_OUT);
      assert.notDeepEqual(await wealth(), before);
      // What was accepted was accepted for that operation.
      assert.match(confirms(await zapOut(['escape'], CANCELLED))[0]?.title ?? '', /review found unexpected changes$/);
    });
    assert.deepEqual(confirms(await zapOut(['escape'], CANCELLED))[0]?.shown, ['Show Details', 'Sign and Send']);
  });

  it('An unreadable tip cap makes the review ask about every tip, with one warning', async () => {
    await withSetting('binsight.review.costCapSol', 'a little', async () => {
      const warnings: string[] = [];
      for (const time of ['first', 'second']) {
        const prompts = await zapOut(['escape'], CANCELLED);
        assert.match(confirms(prompts)[0]?.title ?? '', /review found unexpected changes$/, time);
        warnings.push(...prompts.notices.filter(({ severity }) => severity === 'warning').map(({ message }) => message));
      }
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /costCapSol must be 0–0\.05 SOL, .+ Until you correct it, 0 is used\.$/);
    });
  });

  it('A question that stays open for 45 seconds at 200 ms a slot takes one click, and keeps other windows from the position', async () => {
    const node = aPosition();
    const locks = openLocks({ folder: join(dirname(inspection.sandboxPlace.dataDir), 'locks'), log: () => undefined });
    const lockOfOtherWindow = async () => locks.tryAcquire(`position:${node?.position.address ?? ''}`);
    const texts: string[] = [];
    try {
      await withShortSlots(inspection, async (pass) => {
        const before = await wealth();
        const reads = async (): Promise<void> => {
          await pass(45_000);
          assert.equal(await lockOfOtherWindow(), undefined);
        };
        const prompts = await zapOut([{ press: 'Sign and Send', meanwhile: reads }], ZAPPED_OUT, node);
        texts.push(...confirms(prompts).map(({ text }) => text));
        assert.notDeepEqual(await wealth(), before);
      });
      assert.ok((await lockOfOtherWindow()) !== undefined, 'it is free afterwards');
    } finally {
      await locks.dispose();
    }
    assert.equal(texts.length, 1);
    assert.doesNotMatch(texts[0] ?? '', /valid until|renewed|expired/);
  });

  it('A question comes back with what is worse if the price has moved when what it shows has expired', async () => {
    await withClock(async (moveOn) => {
      const before = await wealth();
      const node = aPosition(true);
      assert.ok(node !== undefined);
      const falls = async (): Promise<void> => {
        moveOn(45_000);
        await controlSandbox(inspection, 'advance', { ms: 60_000 });
        await controlSandbox(inspection, 'shock', { pool: node.position.pool, percent: -2 });
      };
      const prompts = await zapOut([{ press: 'Sign and Send', meanwhile: falls }, 'escape'], CANCELLED, node);
      // The other suites find the market as it was.
      await controlSandbox(inspection, 'shock', { pool: node.position.pool, percent: 100 / 0.98 - 100 });
      const [first, second, ...others] = confirms(prompts);
      assert.ok(first && second && others.length === 0);
      assert.doesNotMatch(first.text, /worse/);
      assert.match(second.text, /^The new quote is worse than what you approved:\n• /);
      assert.deepEqual(await wealth(), before);
    });
  });

  it('The details show every instruction in a page of their own', async () => {
    await withSetting('binsight.review.costCapSol', 0, async () => {
      let text = '';
      const [report] = await savedBy(async () => {
        text = await documentOf(inspection, () =>
          zapOut([{ press: 'Save Report…' }, { press: 'Show Details' }, { pick: "Don't Sign" }], CANCELLED),
        );
      });
      const sections = text.split(/^## Transaction \d+: /m).slice(1);
      const transactions = transactionsIn(report ?? '');
      assert.equal(sections.length, transactions.length);
      for (const [place, { instructions, staticKeys }] of transactions.entries()) {
        const programs = [...(sections[place] ?? '').matchAll(/^### (\d+)\. .+\n\n- Program: `(\w+)`$/gm)].map(
          ([, number, program]) => `${number} ${program}`,
        );
        assert.deepEqual(
          programs,
          instructions.map(({ programIdIndex }, index) => `${index + 1} ${staticKeys[programIdIndex]}`),
        );
      }
    });
  });

  it('The command line reads a saved report of an undecided review with the same verdict', async () => {
    await withSetting('binsight.review.costCapSol', 0, async () => {
      const [report] = await savedBy(async () => {
        const { notices } = await zapOut([{ press: 'Save Report…' }, 'escape'], CANCELLED);
        assert.match(
          notices[0]?.message ?? '',
          /^Report saved as binsight-review-\d{4}-\d\d-\d\d-\d{6}\.json\. It holds your address, the transactions and balances, but no key\.$/,
        );
      });
      await assertReadBack(report, 'confirm');
    });
  });

  it('The command line reads a saved report of a blocked review too, and the dialog offers no way to sign', async () => {
    await setFaults(inspection, [{ kind: 'hostile', attack: 'sendSol' }]);
    try {
      const before = await wealth();
      const [report] = await savedBy(async () => {
        const prompts = await zapOut([{ press: 'Save Report…' }], /^Report saved as/);
        const [refusal, ...others] = confirms(prompts);
        assert.deepEqual(refusal?.shown, ['Show Details', 'Save Report…']);
        assert.match(refusal.title, /: not signed$/);
        assert.deepEqual(others, []);
      });
      await assertReadBack(report, 'block');
      const text = await documentOf(inspection, async () => {
        const shown = await zapOut([{ press: 'Show Details' }], /: not signed$/);
        assert.equal(confirms(shown).length, 1);
      });
      assert.match(text, /^Blocked: nothing is signed\.$/m);
      assert.deepEqual(await wealth(), before);
    } finally {
      await setFaults(inspection, []);
    }
  });

  it('The review blocks a zap-in whose deposit could land in another wallet’s position', async () => {
    await setFaults(inspection, [{ kind: 'hostile', attack: 'splitOpening' }]);
    try {
      const before = await wealth();
      const pool = solPool(inspection);
      const answers: readonly ScriptedAnswer[] = [{ press: 'Show Details' }];
      const prompts = await commandEnding(
        inspection,
        'binsight.continuePlan',
        await plannedZapIn(inspection, pool),
        answers,
        /: not signed$/,
      );
      const [refusal, ...others] = confirms(prompts);
      assert.deepEqual(refusal?.shown, ['Show Details', 'Save Report…']);
      assert.match(refusal.title, /: not signed$/);
      assert.match(refusal.text, /another wallet could own it when the deposit lands\./);
      assert.deepEqual(others, []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.deepEqual(await wealth(), before);
    } finally {
      await setFaults(inspection, []);
    }
  });

  it('The review blocks a zap-in whose deposit could land at almost any price, and says at which', async () => {
    await setFaults(inspection, [{ kind: 'hostile', attack: 'anyPrice' }]);
    try {
      const before = await wealth();
      // A hundred bins are far only where the steps between them are.
      const pool = inspection.portfolio.snapshot.pools.find(({ token1, binStepBps = 0 }) => token1.symbol === 'SOL' && binStepBps >= 80);
      assert.ok(pool);
      const answers: readonly ScriptedAnswer[] = [{ press: 'Show Details' }];
      const prompts = await commandEnding(
        inspection,
        'binsight.continuePlan',
        await plannedZapIn(inspection, pool),
        answers,
        /: not signed$/,
      );
      const [refusal, ...others] = confirms(prompts);
      assert.deepEqual(refusal?.shown, ['Show Details', 'Save Report…']);
      assert.match(refusal.text, /The deposit lands only at these prices: −.+% to \+.+% against the price that you were shown/);
      assert.deepEqual(others, []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.deepEqual(await wealth(), before);
    } finally {
      await setFaults(inspection, []);
    }
  });

  it('The extension says when a report could not be saved, and says nothing if the dialog is cancelled', async () => {
    await withSetting('binsight.review.costCapSol', 0, async () => {
      await savingBy(
        () => Promise.reject(new Error('the disk is full')),
        async () => {
          const { notices } = await zapOut([{ press: 'Save Report…' }, 'escape'], CANCELLED);
          assert.equal(notices[0]?.message, 'The report was not saved: the disk is full.');
        },
      );
      await savingBy(
        () => Promise.resolve(undefined),
        async () => {
          const { notices } = await zapOut([{ press: 'Save Report…' }, 'escape'], CANCELLED);
          assert.equal(notices.length, 1);
        },
      );
    });
  });

  /** Does `work` while reports go where `save` says: the dialog itself is the system's. */
  async function savingBy(save: Inspection['actions']['saveText'], work: () => Promise<void>): Promise<void> {
    const { actions } = inspection;
    const own = actions.saveText.bind(actions);
    actions.saveText = save;
    try {
      await work();
    } finally {
      actions.saveText = own;
    }
  }

  /** Does `work` and gives the reports that it saved, as they are on disk. */
  async function savedBy(work: () => Promise<void>): Promise<readonly string[]> {
    const files: string[] = [];
    await savingBy(async ({ name, text }) => {
      const file = join(folder, name);
      await writeFile(file, text);
      files.push(file);
      return name;
    }, work);
    return Promise.all(files.map(async (file) => readFile(file, 'utf8')));
  }

  /** Gives a report to dist/review.js: it has to find what was found here. */
  async function assertReadBack(report: string | undefined, verdict: string): Promise<void> {
    assert.ok(report !== undefined);
    const { review } = JSON.parse(report) as {
      readonly review: { readonly verdict: string; readonly findings: readonly { readonly rule: string; readonly message: string }[] };
    };
    const child = spawn(process.execPath, [join(dirname(inspection.sandboxPlace.script), 'review.js')], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(report);
    const answer = JSON.parse(await textOf(child.stdout)) as typeof review;
    assert.equal(review.verdict, verdict);
    assert.equal(answer.verdict, verdict);
    const told = (findings: typeof review.findings) => findings.map(({ rule, message }) => `${rule}: ${message}`);
    assert.deepEqual(told(answer.findings), told(review.findings));
  }

  /** The transactions of a report. */
  function transactionsIn(report: string): readonly ReturnType<typeof parseTransaction>[] {
    const { case: given } = JSON.parse(report) as { readonly case: { readonly txs: readonly { readonly txBase64: string }[] } };
    return given.txs.map(({ txBase64 }) => {
      const text = parseBase64Transaction(txBase64);
      assert.ok(text !== undefined);
      return parseTransaction(bytesFromBase64(text));
    });
  }
});
