import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import type { SavedText } from '../../../src/ui/shell/editorAccess';
import { type ApprovalSubject, askApproval } from '../../../src/ui/zap/approval';
import { openTaskOf } from '../../../src/ui/shell/openTasks';
import { linesOf } from '../../../src/ui/zap/dialogSpace';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { notifyOutcome, stepText } from '../../../src/ui/zap/outcome';
import type { QuestionDetails, ReapprovalReason, OperationResult } from '../../../src/transactions/types';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { TermChange } from '../../../src/review/approval/compareTerms';
import { readCase } from '../../../src/review/report/caseFormat';
import type { Finding, Review } from '../../../src/review/types';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { addressOf } from '../../support/portfolio/fixtures';
import { halfDoneZapOut } from '../../support/ui/journalRecords';
import { INPUT, reviewWith } from '../../support/ui/reviews';
import { type ReadableFile, readable } from '../../support/ui/savedText';

const FINDINGS: readonly Finding[] = [
  { rule: 'SIG-4', verdict: 'confirm', message: 'Somebody else signs too.', transaction: 1, address: addressOf(77) },
  { rule: 'TIP-2', verdict: 'confirm', message: 'The tip is high.' },
  { rule: 'SWP-9', verdict: 'info', message: 'The price was not compared.' },
];

const BLOCK: Finding = {
  rule: 'PRG-2',
  verdict: 'block',
  message: 'An unknown program gets your account.',
  transaction: 0,
  instruction: 2,
};

/** Who asks names the operation; what it spends is the review's to say. */
const SUBJECT = {
  title: 'Zap out 100% of BONK/SOL',
  keyFigures: ['Should come back: about $100.00'],
  expectations: ['Slippage: at most 1%'],
};

interface Circumstances {
  readonly cancelled?: AbortSignal;
  readonly reason?: ReapprovalReason;
  readonly details?: QuestionDetails;
  /** What the user does in the save dialog: a name, or leaves it. */
  readonly save?: (file: SavedText) => Promise<string | undefined>;
  readonly presses?: Readonly<Record<string, string>>;
  readonly service?: ServiceChoice;
}

interface Approved {
  readonly approved: boolean;
  readonly prompts: ScriptedPrompts;
  readonly documents: string[];
  readonly saved: ReadableFile[];
  /** Resolves with the first report: one that is saved after the approval has ended is not waited for by it. */
  readonly firstSaved: Promise<ReadableFile>;
}

async function approve(
  review: Review,
  answers: readonly ScriptedAnswer[],
  {
    cancelled = new AbortController().signal,
    reason,
    details,
    save = ({ name }) => Promise.resolve(name),
    presses = {},
    service = SANDBOX,
  }: Circumstances = {},
): Promise<Approved> {
  const prompts = new ScriptedPrompts(answers, presses);
  const documents: string[] = [];
  const saved: ReadableFile[] = [];
  let tellSaved: (file: ReadableFile) => void = () => undefined;
  const firstSaved = new Promise<ReadableFile>((resolve) => {
    tellSaved = resolve;
  });
  const actions = {
    showDocument: (title: string) => Promise.resolve(void documents.push(title)),
    saveText: (file: SavedText) => {
      saved.push(readable(file));
      tellSaved(readable(file));
      return save(file);
    },
  };
  const nowMs = () => Date.UTC(2026, 10, 20, 15, 44, 7);
  const approved = await askApproval(
    { review, reason, details, tokens: () => undefined, subject: SUBJECT },
    { prompts, actions, nowMs, serviceInUse: () => service },
    cancelled,
  );
  prompts.assertDone();
  return { approved, prompts, documents, saved, firstSaved };
}

describe('The approval', () => {
  it('Approval of the expected takes one click on an accurate summary', async () => {
    const { approved, prompts } = await approve(reviewWith('allow'), [{ press: 'Sign and Send' }]);
    assert.equal(approved, true);
    assert.equal(prompts.asked[0]?.title, 'Zap out 100% of BONK/SOL?');
    assert.deepEqual(prompts.asked[0].shown, ['Show Details', 'Sign and Send']);
    assert.match(prompts.asked[0].text, /^Should come back: about \$100\.00$/m);
    assert.match(prompts.asked[0].text, /^You get: /m);
    assert.match(prompts.asked[0].text, /^Costs: at most 0\.000005 SOL/m);
    assert.match(prompts.asked[0].text, /^Goes to: /m);
    assert.match(prompts.asked[0].text, /^Checked offline; valid until 15:45:07$/m);
  });

  it('What is to be expected of a position follows the money, and is the first to make room', async () => {
    const outlook = [
      'Next 24 hours, on average: in range about 71% of the time',
      'Left: about $3.30',
      'Worth it below 6% volatility a day',
    ];
    const ask = async (review: Review, expectations: readonly string[]): Promise<readonly string[]> => {
      const prompts = new ScriptedPrompts(['escape']);
      const actions = { showDocument: () => Promise.resolve(), saveText: () => Promise.resolve(undefined) };
      const subject = { title: 'Zap in', gets: 'a position', expectations, outlook: () => outlook };
      const nowMs = (): number => Date.UTC(2026, 10, 20);
      const request = { review, reason: undefined, details: undefined, tokens: () => undefined, subject };
      assert.equal(await askApproval(request, { prompts, actions, nowMs }, new AbortController().signal), false);
      return (prompts.asked[0]?.text ?? '').split('\n');
    };
    for (const verdict of ['allow', 'confirm'] as const) {
      const lines = await ask(reviewWith(verdict, FINDINGS.slice(0, verdict === 'allow' ? 0 : 2)), ['Max slippage: 1%']);
      assert.deepEqual(lines.slice(lines.indexOf(outlook[0] ?? '')).slice(0, 3), outlook);
      assert.ok(lines.findIndex((line) => line.startsWith('Costs: ')) < lines.indexOf(outlook[0] ?? ''));
    }
    const many = Array.from(
      { length: 12 },
      (_, place) => ({ rule: 'TIP-2', verdict: 'confirm', message: `Reason ${place}. ${'long '.repeat(30)}` }) as const,
    );
    const full = await ask(reviewWith('confirm', many), ['Max slippage: 1%']);
    assert.ok(!full.includes(outlook[0] ?? ''));
  });

  it('Every question names the service and its profile', async () => {
    const service = { ...readServiceChoice('https://service.example/v1'), name: 'Team (service.example)' };
    for (const verdict of ['allow', 'confirm'] as const) {
      const { prompts } = await approve(reviewWith(verdict), ['escape'], { service });
      assert.match(prompts.asked[0]?.text ?? '', /^Service: Team \(service\.example\)$/m);
    }
    const { prompts } = await approve(reviewWith('allow'), ['escape']);
    assert.match(prompts.asked[0]?.text ?? '', /^Service: Sandbox \(pretend\)$/m);
  });

  it('A question in which nothing needs attention has four lines about the money and one about the check', async () => {
    const money = {
      minimumOut: [{ mint: WRAPPED_SOL_MINT, amountRaw: 702_399_999n, from: 'Jupiter' }],
      simulated: new Map([[WRAPPED_SOL_MINT, 707_999_999n]]),
      transactions: [
        { transaction: 0, group: 'close', version: 0, feePayer: addressOf(1), signers: [], instructions: [], messageHash: 'a'.repeat(64) },
      ],
      checked: { resolvedTables: 1, usedTables: 1, simulation: { slot: 5n, transactions: 1 } },
      intent: { ...reviewWith('allow').intent, listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: 100 }] },
    } as const;
    const subject = {
      title: 'Zap out 100% of BONK/SOL',
      pays: '100% of the position, ≈ $71.40',
      gets: 'SOL',
      expectations: ['Receive: SOL, max slippage 1%'],
    };
    const ask = async (review: Review, given: ApprovalSubject): Promise<{ readonly text: string; readonly details: string }> => {
      const prompts = new ScriptedPrompts([{ press: 'Show Details' }, { pick: "Don't Sign" }]);
      let details = '';
      const actions = {
        showDocument: (_: string, markdown: string, place?: string) => {
          assert.equal(place, 'belowQuestion');
          return Promise.resolve(void (details = markdown));
        },
        saveText: () => assert.fail('nothing is saved'),
      };
      await askApproval(
        { review, reason: undefined, tokens: () => undefined, subject: given },
        { prompts, actions, nowMs: () => 0 },
        new AbortController().signal,
      );
      return { text: prompts.asked[0]?.text ?? '', details };
    };
    const { text, details } = await ask(reviewWith('allow', [], money), subject);
    assert.match(
      text,
      new RegExp(
        [
          '^You pay: 100% of the position, ≈ \\$71\\.40',
          'You get: about 0\\.7079 SOL \\(\\$70\\.80\\), of it at least 0\\.7023 SOL \\(\\$70\\.24\\) from swaps; the rest is withdrawn as it is',
          'Costs: at most 0\\.000005 SOL \\(<\\$0\\.01\\)',
          'Goes to: only you, pool\n',
          'Checked offline and simulated; valid until \\d\\d:\\d\\d:\\d\\d$',
        ].join('\n'),
      ),
    );
    assert.match(details, /^- Receive: SOL, max slippage 1%$/m);
    assert.match(details, /Network fee/);
    // Whatever decides is in the question itself.
    for (const [review, given, wanted] of [
      [reviewWith('allow', FINDINGS.slice(2), money), subject, /^Note: The price was not compared\.$/m],
      [
        reviewWith('allow', [], money),
        { ...subject, warnings: ['Max slippage: 20%: high slippage.'] },
        /^Max slippage: 20%: high slippage\.$/m,
      ],
      [
        reviewWith('allow', [], { ...money, checked: { ...money.checked, simulation: undefined } }),
        subject,
        /^Checked offline; valid until/m,
      ],
      [
        reviewWith('allow', [], { ...money, checked: { ...money.checked, usedTables: 3 } }),
        subject,
        /^Lookup tables that could not be read: 2 of 3$/m,
      ],
    ] as const) {
      assert.match((await ask(review, given)).text, wanted);
    }
  });

  it('No other button or key approves the operation', async () => {
    assert.equal((await approve(reviewWith('allow'), ['escape'])).approved, false);
    assert.equal((await approve(reviewWith('allow'), [{ press: 'Show Details' }, 'escape'])).approved, false);
    assert.equal((await approve(reviewWith('allow'), [{ press: 'Show Details' }, { pick: "Don't Sign" }])).approved, false);
  });

  it('The user can approve after looking at the details', async () => {
    const { approved, documents } = await approve(reviewWith('allow'), [
      { press: 'Show Details' },
      { pick: 'Back' },
      { press: 'Sign and Send' },
    ]);
    assert.equal(approved, true);
    assert.equal(documents.length, 1);
  });

  it('Approval is not asked for again if the operation was cancelled while the details were open', async () => {
    const cancel = new AbortController();
    const prompts = new ScriptedPrompts([{ press: 'Show Details' }, { pick: 'Back' }]);
    const showDocument = () => {
      cancel.abort();
      return Promise.resolve();
    };
    const request = { review: reviewWith('allow'), reason: undefined, tokens: () => undefined, subject: SUBJECT };
    assert.equal(
      await askApproval(
        request,
        { prompts, actions: { showDocument, saveText: () => assert.fail('nothing is saved') }, nowMs: () => 0 },
        cancel.signal,
      ),
      false,
    );
    assert.deepEqual(
      prompts.asked.map(({ kind }) => kind),
      ['confirm', 'pick'],
    );
  });

  it('Approval of the unexpected takes a tick for each finding to decide and preselects no button that approves', async () => {
    const { approved, prompts } = await approve(reviewWith('confirm', FINDINGS), [{ press: 'Decide…' }, { tickAll: true }]);
    assert.equal(approved, true);
    // The first one is preselected.
    assert.deepEqual(prompts.asked[0]?.shown, ['Show Details', 'Decide…', 'Save Report…']);
    assert.deepEqual(prompts.asked[1]?.shown, [`1. Somebody else signs too. ${addressOf(77)}`, '2. The tip is high.']);
    assert.match(prompts.asked[1].text, /Rule SIG-4, transaction 2\n/);
  });

  it('The question lists the findings by weight with full addresses before it asks for approval', async () => {
    const { prompts } = await approve(reviewWith('confirm', FINDINGS), ['escape']);
    assert.ok(
      prompts.asked[0]?.text.includes(
        `1. Somebody else signs too. ${addressOf(77)} (Rule SIG-4, transaction 2)\n2. The tip is high. (Rule TIP-2)\nNote: The price was not compared.`,
      ),
    );
  });

  it('Approval of the unexpected is not given if the user leaves partway', async () => {
    assert.equal((await approve(reviewWith('confirm', FINDINGS), ['escape'])).approved, false);
    assert.equal((await approve(reviewWith('confirm', FINDINGS), [{ press: 'Decide…' }, 'escape'])).approved, false);
  });

  it('The question stays short with many findings, and the details hold what it leaves out', async () => {
    const many = Array.from({ length: 40 }, (_, place): Finding => ({
      rule: 'TOK-1',
      verdict: 'confirm',
      message: `Finding ${place}: ${'x'.repeat(2_000)}`,
    }));
    const { prompts } = await approve(reviewWith('confirm', many, { programs: many.map((_, place) => addressOf(place)) }), ['escape']);
    const text = prompts.asked[0]?.text ?? '';
    assert.ok(linesOf(text) <= 23, text);
    assert.match(text, /^1\. Finding 0: x+… \(Rule TOK-1\)\n… and 39 more$/m);
    const refused = await approve(
      reviewWith(
        'block',
        many.map((finding) => ({ ...finding, verdict: 'block' })),
      ),
      ['escape'],
    );
    assert.ok(linesOf(refused.prompts.asked[0]?.text ?? '') <= 23);
  });

  it('The question drops advice before notes, notes before amounts, and amounts before findings to decide', async () => {
    const notes = Array.from({ length: 4 }, (_, place): Finding => ({
      rule: 'ALT-2',
      verdict: 'info',
      message: `${place} pool accounts come from lookup table ${addressOf(place)}, and what it holds was not checked.`,
    }));
    const asExpected = (await approve(reviewWith('allow', notes), ['escape'])).prompts.asked[0]?.text ?? '';
    assert.match(asExpected, /^Should come back: about \$100\.00$/m);
    assert.match(asExpected, /^Costs: at most 0\.000005 SOL: network fee/m);
    assert.match(asExpected, /^Checked offline; valid until 15:45:07$/m);
    const open = Array.from({ length: 4 }, (_, place): Finding => ({
      rule: 'ALT-2',
      verdict: 'confirm',
      message: `${'The receiver of the tokens is in a lookup table that could not be read. '.repeat(2)}${addressOf(place)}`,
    }));
    const toDecide = (await approve(reviewWith('confirm', open), ['escape'])).prompts.asked[0]?.text ?? '';
    assert.match(toDecide, /^1\. The receiver/);
    assert.match(toDecide, /^Should come back: about \$100\.00$/m);
    assert.doesNotMatch(toDecide, /Slippage/);
    assert.match(toDecide, /^Costs: at most 0\.000005 SOL$/m);
    assert.ok(linesOf(asExpected) <= 23 && linesOf(toDecide) <= 23);
  });

  it('The findings to tick contain no rendered icons', async () => {
    const { prompts } = await approve(
      reviewWith('confirm', [{ rule: 'MEM-1', verdict: 'confirm', message: 'A memo says "$(check) fine".' }]),
      [{ press: 'Decide…' }, 'escape'],
    );
    assert.deepEqual(prompts.asked[1]?.shown, ['1. A memo says "$ (check) fine".']);
  });

  it('A question after an expired approval begins with what is worse than approved', async () => {
    const change = (topic: TermChange['topic'], approved: bigint, fresh: bigint): TermChange => ({
      topic,
      of: WRAPPED_SOL_MINT,
      approved,
      fresh,
    });
    const details: QuestionDetails = {
      changes: [
        { ...change('guaranteedBySwaps', 2_000_000_000n, 1_900_000_000n), of: `unknown ${WRAPPED_SOL_MINT} 1` },
        change('tip', 0n, 1_000_000n),
      ],
      holdsUntilMs: Date.UTC(2026, 10, 20, 15, 44, 27),
      isRenewed: true,
    };
    const { prompts, documents } = await approve(reviewWith('allow'), [{ press: 'Show Details' }, { pick: "Don't Sign" }], {
      reason: 'otherTerms',
      details,
    });
    // Not the button that was pressed before.
    assert.equal(prompts.asked[0]?.shown[0], 'Show Details');
    const text = prompts.asked[0].text;
    assert.match(
      text,
      /^The new quote is worse than what you approved:\n• The swaps give at least: 1\.9 SOL instead of 2 SOL\n• Tip: up to 0\.001 SOL instead of 0 SOL\n\n/,
    );
    assert.match(text, /^Checked offline$/m);
    assert.equal(documents.length, 1);
    const zapOut = [...details.changes, change('received', 2_000_000_000n, 1_900_000_000n)];
    const shorter = await approve(reviewWith('allow'), ['escape'], { reason: 'otherTerms', details: { ...details, changes: zapOut } });
    assert.match(
      shorter.prompts.asked[0]?.text ?? '',
      /approved:\n• Tip: up to 0\.001 SOL instead of 0 SOL\n• You receive at least: 1\.9 SOL instead of 2 SOL\n\n/,
    );
    const many = Array.from({ length: 40 }, (_, tip) => change('tip', 0n, BigInt(tip + 1)));
    const long = await approve(reviewWith('confirm', FINDINGS), ['escape'], {
      reason: 'otherTerms',
      details: { ...details, changes: many },
    });
    assert.match(long.prompts.asked[0]?.text ?? '', /… and 36 more/);
    assert.ok(linesOf(long.prompts.asked[0]?.text ?? '') <= 23);
  });

  it('A question after an expired approval says a new finding once, in full', async () => {
    const message = `The swap guarantees too little: −3.05% against the price that you were shown. ${'It may be so. '.repeat(8)}`.trim();
    const asked = async (findings: readonly Finding[]): Promise<string> => {
      const changes: readonly TermChange[] = [{ topic: 'finding', of: 'confirm SWP-9', approved: 0n, fresh: 1n, label: message }];
      const { prompts } = await approve(reviewWith('confirm', findings), ['escape'], {
        reason: 'otherTerms',
        details: { changes, holdsUntilMs: Date.UTC(2026, 10, 20, 15, 44, 27), isRenewed: true },
      });
      return prompts.asked[0]?.text ?? '';
    };
    const added: Finding = { rule: 'SWP-9', verdict: 'confirm', message };
    const alone = await asked([added]);
    assert.ok(alone.includes(`\n1. ${message} (Rule SWP-9)`), alone);
    assert.equal(alone.split('3.05%').length, 2);
    // Beside one that was approved before, it is named.
    assert.match(await asked([...FINDINGS.slice(0, 1), added]), /^• The review found: The swap guarantees too little: −3\.05%/m);
  });

  it('The progress beside the question counts nothing down: the question covers it, and renews its quote', () => {
    assert.deepEqual(
      [undefined, 19_000, 0].map((leftMs) => stepText('waitingForApproval', leftMs)),
      Array.from({ length: 3 }, () => 'waiting for your decision…'),
    );
  });

  it('The question says why approval is asked for again', async () => {
    const why = async (reason: ReapprovalReason) =>
      (await approve(reviewWith('allow'), ['escape'], { reason })).prompts.asked[0]?.text ?? '';
    assert.match(await why('tookTooLong'), /^Built again at the current price\.\n\n/);
    assert.match(await why('changed'), /^The transactions would now do something else\.\n\n/);
    assert.match(await why('firstTryDidNotLand'), /^The first attempt did not land and no longer can\.\n\n/);
  });
});

describe('A blocked review', () => {
  const blocked = reviewWith('block', [BLOCK, ...FINDINGS]);

  it('A blocked review gives the reason, the effect on the money and advice, and cannot be approved', async () => {
    const { approved, prompts } = await approve(blocked, ['escape']);
    assert.equal(approved, false);
    const [told] = prompts.asked;
    assert.ok(told);
    assert.equal(told.title, 'Zap out 100% of BONK/SOL: not signed');
    assert.deepEqual(told.shown, ['Show Details', 'Save Report…']);
    assert.match(told.text, /Nothing was signed or sent\. Your money has not moved\./);
    assert.match(told.text, /• An unknown program gets your account\. \(Rule PRG-2, transaction 1, instruction 3\)/);
    assert.match(told.text, /Do not sign these transactions elsewhere either\.\nSave the report/);
    // What would only have had to be decided does not matter any more.
    assert.doesNotMatch(told.text, /The tip is high/);
  });

  it('The refusal does not say that nothing was sent if a first attempt was', async () => {
    const { prompts } = await approve(blocked, ['escape'], { reason: 'firstTryDidNotLand' });
    assert.match(prompts.asked[0]?.text ?? '', /The first attempt did not land, and nothing more was sent\. Your money has not moved\./);
    assert.doesNotMatch(prompts.asked[0]?.text ?? '', /nothing was (signed or )?sent/i);
  });

  it('The refusal names a finding once even if it occurs many times', async () => {
    const places = Array.from({ length: 9 }, (_, instruction): Finding => ({ ...BLOCK, instruction }));
    const { prompts } = await approve(reviewWith('block', places), ['escape']);
    assert.equal(prompts.asked[0]?.text.match(/An unknown program/g)?.length, 1);
    assert.match(prompts.asked[0].text, /\(Rule PRG-2, transaction 1, instruction 1 … and 8 more\)/);
  });

  it('A refusal after an approval says what the transactions do', async () => {
    const { prompts } = await approve(blocked, ['escape'], { reason: 'changed' });
    assert.match(prompts.asked[0]?.text ?? '', /^The transactions from the service do something you did not ask for/);
  });

  it('A refusal after a new build does not claim that approved transactions changed', async () => {
    const { prompts } = await approve(blocked, ['escape'], { reason: 'tookTooLong' });
    assert.match(prompts.asked[0]?.text ?? '', /^The transactions from the service do something/);
  });

  it('The user can look at a blocked review and save a report afterwards', async () => {
    const { documents, firstSaved } = await approve(blocked, [{ press: 'Show Details' }], { presses: { 'not signed': 'Save Report…' } });
    assert.deepEqual(documents, ['Zap out 100% of BONK/SOL']);
    assert.match((await firstSaved).text, /PRG-2/);
  });

  it('The report of a blocked review can be reviewed again, and its file name sorts by time', async () => {
    const { saved, prompts } = await approve(blocked, [{ press: 'Save Report…' }]);
    assert.equal(saved[0]?.name, 'binsight-review-2026-11-20-154407.json');
    const report = JSON.parse(saved[0].text) as {
      readonly case: unknown;
      readonly review: { readonly findings: readonly { readonly rule: string }[] };
    };
    assert.deepEqual(readCase(report.case).transactions, INPUT.transactions);
    assert.equal(report.review.findings[0]?.rule, 'PRG-2');
    assert.match(prompts.notices[0]?.message ?? '', /^Report saved as binsight-review-2026-11-20-154407\.json\..+no key\.$/);
  });

  it('A report that fails or is cancelled does not affect the blocked review', async () => {
    const failing = await approve(blocked, [{ press: 'Save Report…' }], { save: () => Promise.reject(new Error('the disk is full')) });
    assert.match(failing.prompts.notices[0]?.message ?? '', /^The report was not saved: the disk is full\./);
    const left = await approve(blocked, [{ press: 'Save Report…' }], { save: () => Promise.resolve(undefined) });
    assert.deepEqual([left.approved, left.prompts.notices.length], [false, 0]);
  });
});

describe('An undecided review', () => {
  it('The user can save a report of an undecided review and is then asked again', async () => {
    const { approved, saved, prompts } = await approve(reviewWith('confirm', FINDINGS), [
      { press: 'Save Report…' },
      { press: 'Decide…' },
      { tickAll: true },
    ]);
    assert.deepEqual([approved, saved.length], [true, 1]);
    assert.deepEqual(
      prompts.asked.map(({ kind }) => kind),
      ['confirm', 'confirm', 'acknowledge'],
    );
  });
});

describe('The final notice of an operation', () => {
  const SIGNATURE = '5'.repeat(88);

  async function tell(
    result: OperationResult,
    isSandbox: boolean,
    press = '',
  ): Promise<{ readonly prompts: ScriptedPrompts; readonly copied: string[]; readonly opened: string[] }> {
    const prompts = new ScriptedPrompts([], { Zap: press });
    const copied: string[] = [];
    const opened: string[] = [];
    notifyOutcome(
      result,
      { title: 'Zap out 50% of BONK/SOL', result: (position) => `Zap out 50% of BONK/SOL: ${position ?? 'gone'}.` },
      {
        prompts,
        hasExplorer: !isSandbox,
        actions: { copy: (text) => Promise.resolve(void copied.push(text)), openExternal: (url) => Promise.resolve(void opened.push(url)) },
      },
    );
    await new Promise((resolve) => setImmediate(resolve));
    return { prompts, copied, opened };
  }

  const settled = (signature: string | undefined): OperationResult => ({ kind: 'settled', signature, position: undefined });

  it('The final notice links to an explorer if one lists the transaction', async () => {
    const { prompts, opened } = await tell(settled(SIGNATURE), false, 'Open in Explorer');
    assert.deepEqual(prompts.notices[0]?.actions, ['Open in Explorer', 'Copy Signature']);
    assert.deepEqual(opened, [`https://solscan.io/tx/${SIGNATURE}`]);
  });

  it('The final notice in the sandbox links to no explorer', async () => {
    const { prompts, copied } = await tell(settled(SIGNATURE), true, 'Copy Signature');
    assert.deepEqual(prompts.notices[0]?.actions, ['Copy Signature']);
    assert.deepEqual(copied, [SIGNATURE]);
  });

  it('The final notice of a zap-in offers to open the new position, and not to copy a signature', async () => {
    const made = addressOf(77);
    const shown: string[] = [];
    const prompts = new ScriptedPrompts([], { Zap: 'Open Position' });
    notifyOutcome(
      { kind: 'settled', signature: SIGNATURE, position: made },
      { title: 'Zap 0.5 SOL into BONK/SOL', result: () => 'Zap 0.5 SOL into BONK/SOL: done.', hasPosition: true },
      {
        prompts,
        hasExplorer: false,
        actions: { copy: () => assert.fail('nothing is copied'), openExternal: () => assert.fail('nothing is opened outside') },
        openPosition: (position) => Promise.resolve(void shown.push(position)),
      },
    );
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([prompts.notices[0]?.actions, shown], [['Open Position'], [made]]);
  });

  it('The final notice opens nothing for an invalid signature', async () => {
    for (const signature of [undefined, '', '../../evil', `${SIGNATURE}?x`, '0'.repeat(88)]) {
      assert.deepEqual((await tell(settled(signature), false)).prompts.notices[0]?.actions, []);
    }
  });

  it('The final notice of a partial execution is a warning and names the operation for its document', async () => {
    const prompts = new ScriptedPrompts();
    const shortfall = 'It is half done: 1 of its 3 transactions landed, and the others no longer can.';
    const words = {
      title: 'Zap out 100% of BONK/SOL',
      result: () =>
        'Zap out 100% of BONK/SOL: done. The position was closed. Change in your wallet, with fees and rent: +436 JUPP, +1.976 SOL.',
    };
    notifyOutcome(
      { ...settled(undefined), shortfall: told(shortfall) } as OperationResult,
      words,
      { prompts, hasExplorer: false, actions: { copy: () => Promise.resolve(), openExternal: () => Promise.resolve() } },
      { operation: 'one' },
    );
    await new Promise((resolve) => setImmediate(resolve));
    const [notice] = prompts.notices;
    assert.deepEqual([notice?.severity, notice?.operation], ['warning', 'one']);
    assert.match(notice?.message ?? '', /\+436 JUPP, \+1\.976 SOL\. It is half done: 1 of its 3 transactions landed/);
  });

  it('The final notice of a half-done operation says first what is missing, stays, and offers to complete it', async () => {
    const half = halfDoneZapOut('one');
    const prompts = new ScriptedPrompts([], { 'Half done': 'Complete Interrupted Operation' });
    const completed: string[] = [];
    notifyOutcome(
      { ...settled(undefined), shortfall: half.reason } as OperationResult,
      { title: 'Zap out of BONK/SOL', result: () => 'Zap out of BONK/SOL: done.' },
      {
        prompts,
        hasExplorer: false,
        actions: { copy: () => Promise.resolve(), openExternal: () => Promise.resolve() },
        complete: (operation) => Promise.resolve(void completed.push(operation)),
      },
      { operation: 'one', record: half, left: openTaskOf(half) },
    );
    await new Promise((resolve) => setImmediate(resolve));
    const [notice] = prompts.notices;
    assert.match(
      notice?.message ?? '',
      /^Half done: 12,661 PENGO \(\$408\) not swapped\. Zap out of BONK\/SOL: 1 of 2 transactions landed; the others no longer can\. .*\+12,661 PENGO/,
    );
    assert.doesNotMatch(notice?.message ?? '', /: done/);
    // Only errors with a button stay until they are closed.
    assert.deepEqual([notice?.severity, notice?.operation], ['error', 'one']);
    assert.deepEqual(completed, ['one']);
  });

  it('The final notice reports each outcome accurately', async () => {
    const message = async (result: OperationResult) => (await tell(result, true)).prompts.notices[0]?.message;
    assert.equal(await message(settled(undefined)), 'Zap out 50% of BONK/SOL: gone.');
    assert.match(
      (await message({ kind: 'landedNotListed', signature: undefined, position: undefined, stoppedWaiting: false })) ?? '',
      /^Zap out 50% of BONK\/SOL: The service reports that it landed\. The service does not list the change\. Activity shows the result/,
    );
    assert.match(
      (await message({ kind: 'landedNotListed', signature: undefined, position: undefined, stoppedWaiting: true })) ?? '',
      /^Zap out 50% of BONK\/SOL: The service reports that it landed/,
    );
    assert.match((await message({ kind: 'declined' })) ?? '', /: canceled\. Nothing was signed/);
    assert.equal(await message({ kind: 'blocked', review: reviewWith('block') }), undefined);
  });
});
