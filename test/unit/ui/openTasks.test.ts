import { type Reason, told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { binRange } from '../../../src/base/format/identifiers';
import { Activity } from '../../../src/ui/activity/activity';
import { foundSentence } from '../../../src/ui/activity/foundOperations';
import { openTasksOf } from '../../../src/ui/shell/openTasks';
import { unconfirmedBadge, operationRow, recordedPositions } from '../../../src/ui/activity/operationRows';
import { ReentryQuestions } from '../../../src/ui/activity/reentryQuestions';
import { operationTooltip, operationDocument } from '../../../src/ui/activity/operationDocument';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { JournalPlan } from '../../../src/transactions/journal/plans';
import type { JournalChanges, JournalEvent, OperationRecord } from '../../../src/transactions/journal/types';
import type { OperationLocks } from '../../../src/transactions/locks/types';
import { operationLock } from '../../../src/transactions/target';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, FakeClock } from '../../support/portfolio/fixtures';
import { AT_MS, REBALANCE, record, ShownJournal, SUBMITTED, ZAP_IN, ZAP_OUT } from '../../support/ui/journalRecords';
import { fail } from '../../support/ui/memory';

const BACK = 12_300_000_000n;

type Settled = Extract<JournalEvent, { kind: 'settled' }>;

/** A rebalance with its zap-out settled so, and the other parts. */
function halfWay(
  id = 'r',
  part: Partial<Pick<Settled, 'lamportsBack' | 'shortfall' | 'landedTransactions' | 'changes'>> = {},
): readonly OperationRecord[] {
  const rebalance = record([], { plan: REBALANCE }, id);
  const out = record(
    [...SUBMITTED, { kind: 'settled', lamportsBack: BACK, shortfall: undefined, changes: { lamports: BACK, tokens: [] }, ...part }],
    { plan: { ...ZAP_OUT, kind: 'zapOut' } as typeof ZAP_OUT, parent: id, atMs: AT_MS + 1 },
    `${id}-out`,
  );
  return [out, rebalance];
}

const zapIn = (events: Parameters<typeof record>[0], id = 'r') =>
  record(events, { plan: ZAP_IN, parent: id, atMs: AT_MS + 60_000 }, `${id}-in`);

describe('Open tasks', () => {
  it('A rebalance whose proceeds were not re-entered offers the re-entry, with the result of the last attempt', () => {
    assert.deepEqual(openTasksOf(halfWay()).get('r'), { kind: 'reenter', lamportsBack: BACK, isProven: true, reason: undefined });
    const tried = [zapIn([{ kind: 'failed', reason: told('The service built nothing.') }]), ...halfWay()];
    assert.deepEqual(openTasksOf(tried).get('r'), {
      kind: 'reenter',
      lamportsBack: BACK,
      isProven: true,
      reason: told('The service built nothing.'),
    });
  });

  it('A rebalance offers the re-entry even if its proceeds could not be measured', () => {
    assert.deepEqual(openTasksOf(halfWay('r', { lamportsBack: undefined, changes: undefined })).get('r'), {
      kind: 'reenter',
      lamportsBack: undefined,
      isProven: false,
      reason: undefined,
    });
  });

  it('Proceeds that only a difference of balances shows are not said to come from the position', () => {
    const records = halfWay('r', { changes: undefined });
    const [rebalance, left] = [records.find(({ id }) => id === 'r') ?? fail('no rebalance'), openTasksOf(records).get('r')];
    assert.match(operationRow(rebalance, left).description, /^Not re-entered/);
    assert.match(
      operationDocument(rebalance, { left, parts: records }).markdown,
      /Your SOL balance grew by 12\.3 SOL, perhaps not all of it from the position\./,
    );
  });

  it('A rebalance offers nothing while a part is in progress or after the re-entry', () => {
    for (const records of [
      [zapIn(SUBMITTED), ...halfWay()],
      [zapIn([...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }]), ...halfWay()],
      [record([], { plan: REBALANCE }, 'r')],
    ]) {
      assert.equal(openTasksOf(records).size, 0);
    }
  });

  it('A partial execution is offered for completion', () => {
    const part = record([...SUBMITTED, { kind: 'failed', reason: told('One of two landed.'), landedTransactions: 1 }], {}, 'half');
    assert.deepEqual([...openTasksOf([part])], [['half', { kind: 'partiallyExecuted', leftovers: undefined }]]);
    const row = operationRow(part, openTasksOf([part]).get('half'));
    assert.match(row.description, /^Half done: 1 of 2 transactions landed · /);
    assert.match(row.contextValue, /^operation zapOut ended partiallyExecuted\b/);
    assert.deepEqual(unconfirmedBadge([part], openTasksOf([part])), { value: 1, tooltip: 'Half done: 1' });
    assert.match(
      operationTooltip(part, { kind: 'partiallyExecuted' }),
      /Only a part of it landed\. The rest is in your wallet or in the position: use Complete Interrupted Operation\.[^]+> One of two landed\./,
    );
  });

  it('The row, the badge and the status bar say first what a half-done operation has not swapped, deposited or unwrapped', () => {
    const PENGO = addressOf(77);
    const tokens = [
      { mint: PENGO, symbol: 'PENGO', decimals: 6, priceUsd: '0.03225' },
      { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, priceUsd: '150' },
    ];
    const half = (changes: JournalChanges, part: Parameters<typeof record>[1] = {}): OperationRecord =>
      record(
        [...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall: told('One of two.'), landedTransactions: 1, changes }],
        { tokens, ...part },
        'half',
      );
    const brought = {
      lamports: 5n,
      tokens: [
        { mint: PENGO, changeRaw: 12_661_000_000n },
        { mint: WRAPPED_SOL_MINT, changeRaw: 500_000_000n },
      ],
    };
    for (const [of, words] of [
      [half({ lamports: 5n, tokens: brought.tokens.slice(0, 1) }), 'Half done: 12,661 PENGO ($408) not swapped'],
      [half(brought), 'Half done: 12,661 PENGO ($408) not swapped, 0.5 SOL still wrapped'],
      [half(brought, { plan: { ...ZAP_OUT, output: 'both' } }), 'Half done: 0.5 SOL still wrapped'],
      [half({ lamports: 5n, tokens: brought.tokens.slice(0, 1) }, { plan: ZAP_IN }), 'Half done: 12,661 PENGO ($408) not deposited'],
      [half({ lamports: 5n, tokens: [] }), 'Half done: 1 of 2 transactions landed'],
    ] as const) {
      const left = openTasksOf([of]);
      const row = operationRow(of, left.get('half'));
      assert.ok(row.description.startsWith(`${words} · `), row.description);
      assert.equal(row.icon.id, 'warning');
      assert.equal(unconfirmedBadge([of], left)?.value, 1);
    }
    const swap: JournalPlan = {
      kind: 'swap',
      sold: { mint: PENGO, symbol: 'PENGO', decimals: 6 },
      bought: { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9 },
      amountRaw: 12_661_000_000n,
      slippageBps: 100,
    };
    const finishing = record(
      [...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }],
      { plan: swap, finishes: 'half' },
      'swap',
    );
    assert.equal(openTasksOf([finishing, half(brought)]).size, 0, 'once its swap has landed, nothing is left to do');
  });

  it('An acknowledged partial execution says so on its row and offers nothing more', () => {
    for (const end of [{ landedTransactions: 1 }, { isUnclear: true }]) {
      const seen = record(
        [
          ...SUBMITTED,
          { kind: 'failed', reason: told('One of two landed.'), ...end },
          { kind: 'seen', reason: told('Nothing is left to do.') },
        ],
        {},
        'half',
      );
      assert.equal(openTasksOf([seen]).size, 0);
      const row = operationRow(seen);
      assert.match(row.description, /^Acknowledged · /);
      assert.match(row.contextValue, /^operation zapOut ended (?!partiallyExecuted)/);
      assert.match(operationTooltip(seen), /you were shown what is left of it[^]+> Nothing is left to do\./);
      assert.match(operationDocument(seen).markdown, /: Acknowledged \(Nothing is left to do\.\)/);
    }
  });

  it('An unclear outcome asks the user to check and claims nothing', () => {
    const unclear = record([...SUBMITTED, { kind: 'failed', reason: told('A part may have landed.'), isUnclear: true }], {}, 'unclear');
    const left = openTasksOf([unclear]);
    assert.deepEqual([...left], [['unclear', { kind: 'unclear' }]]);
    const row = operationRow(unclear, left.get('unclear'));
    assert.match(row.description, /^Unclear · /);
    assert.match(row.contextValue, /^operation zapOut ended partiallyExecuted\b/, 'the same command finds it out');
    assert.equal(unconfirmedBadge([unclear], left), undefined);
    assert.match(
      operationTooltip(unclear, left.get('unclear')),
      /It may have landed, as a whole or in part\. Look up its signatures, or connect an RPC, before you repeat it\.[^]+> A part may have landed\./,
    );
    assert.equal(foundSentence(unclear), 'Zap out of BONK/SOL: It may have landed, as a whole or in part. A part may have landed.');
    assert.match(operationDocument(unclear).markdown, /: Unclear \(A part may have landed\.\)/);
  });
});

describe('The row of a rebalance', () => {
  const at = (records: readonly OperationRecord[]) => {
    const rebalance = records.find(({ id }) => id === 'r') ?? fail('no rebalance');
    return operationRow(rebalance, openTasksOf(records).get('r'));
  };

  it('The row of a rebalance shows the returned amount that awaits re-entry and offers the actions', () => {
    const row = at(halfWay());
    assert.equal(row.label, 'Rebalance BONK/SOL');
    assert.match(row.description, /^Not re-entered: 12\.3 SOL returned · /);
    assert.match(row.contextValue, /^operation rebalance unfinished reenter$/);
    assert.equal(row.icon.id, 'warning');
  });

  it('The row of a rebalance says that it is in progress or how it ended', () => {
    assert.match(at([zapIn(SUBMITTED), ...halfWay()]).description, /^Started · /);
    assert.doesNotMatch(at([zapIn(SUBMITTED), ...halfWay()]).contextValue, /reenter/);
    const ended = (event: Parameters<typeof record>[0][number]) => operationRow(record([event], { plan: REBALANCE }, 'r')).description;
    assert.match(ended({ kind: 'settled', lamportsBack: BACK, shortfall: undefined }), /^Done · 12\.3 SOL returned · /);
    assert.match(
      ended({ kind: 'settled', lamportsBack: BACK, shortfall: told('It was left out.') }),
      /^Not re-entered · 12\.3 SOL returned · /,
    );
    assert.match(ended({ kind: 'abandoned', reason: told('Nothing was sent.') }), /^Not sent · /);
  });

  it('A rebalance that awaits re-entry counts in the badge but no longer marks its position', () => {
    const records = halfWay();
    assert.deepEqual(unconfirmedBadge(records, openTasksOf(records)), { value: 1, tooltip: 'Not re-entered: 1' });
    const both = [record(SUBMITTED, {}, 'sent'), ...records];
    assert.equal(unconfirmedBadge(both, openTasksOf(both))?.tooltip, 'Unconfirmed: 1; Not re-entered: 1');
    assert.deepEqual([...recordedPositions(records, 'sandbox', openTasksOf(records))], []);
    assert.equal(recordedPositions([record([], { plan: REBALANCE }, 'r')], 'sandbox', new Map()).size, 1);
  });

  it('A rebalance opens a document with both parts, the amount left in the wallet and all signatures', () => {
    const records = [zapIn([{ kind: 'failed', reason: told('The service built nothing.') }]), ...halfWay()];
    const rebalance = records.find(({ id }) => id === 'r') ?? fail('no rebalance');
    const parts = records.filter(({ created }) => created.parent === 'r');
    const { markdown } = operationDocument(rebalance, { left: openTasksOf(records).get('r'), parts });
    for (const text of [
      'The position was closed and returned 12.3 SOL. It is in your wallet; nothing was re-entered.',
      '> The service built nothing.',
      'Returned: 12.3 SOL',
      `Bins: ${binRange(-10, 10)}`,
      'Stays in the wallet: 0.05 SOL',
      '### Zap out of BONK/SOL',
      '### Zap into BONK/SOL',
      ...(parts[1]?.signatures ?? []),
    ]) {
      assert.ok(markdown.includes(text), `${text} in\n${markdown}`);
    }
  });

  it('A re-entered rebalance shows what came out, what went in, and where', () => {
    const made = addressOf(77);
    const out = halfWay()[0] ?? fail('no zap-out');
    const rebalance = record([{ kind: 'settled', lamportsBack: BACK, shortfall: undefined }], { plan: REBALANCE }, 'r');
    const built = SUBMITTED.map((event) => (event.kind === 'built' ? { ...event, position: made } : event));
    const entered = record(
      [...built, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }],
      { plan: ZAP_IN, parent: 'r', atMs: AT_MS + 60_000 },
      'r-in',
    );
    const parts = [out, entered];
    assert.match(operationRow(rebalance, undefined, parts).description, /^Done · 12\.3 SOL → 0\.75 SOL · /);
    assert.match(operationRow(rebalance, undefined, parts).spoken, /, Done, 12\.3 SOL → 0\.75 SOL, /);
    assert.match(
      operationTooltip(rebalance, undefined, parts),
      new RegExp(`12\\.3 SOL → 0\\.75 SOL · [^]+New position: −10 (?:…|to) 10 \\(21 bins\\) · \`${made}\`[^]+It landed\\.$`),
    );
    const { markdown } = operationDocument(rebalance, { parts });
    assert.ok(
      markdown.includes(`- Returned: 12.3 SOL\n- Re-entered with: 0.75 SOL\n- New position: ${binRange(-10, 10)} · \`${made}\`\n`),
      markdown,
    );
    const inPart = record(
      [{ kind: 'settled', lamportsBack: BACK, shortfall: told('One of two deposits landed.') }],
      { plan: REBALANCE },
      'r',
    );
    assert.match(operationRow(inPart, undefined, parts).description, /^Half done · /);
  });

  it('A rebalance closed by choice shows no warning and says so once', () => {
    const ended = (shortfall: Reason) => record([{ kind: 'settled', lamportsBack: BACK, shortfall }], { plan: REBALANCE }, 'r');
    const chosen = ended({ code: 'declinedReentry', lamportsBack: BACK, tries: 0 });
    assert.equal(operationRow(chosen).icon.id, 'pass');
    assert.match(operationRow(chosen).description, /^Not re-entered · 12\.3 SOL returned · /);
    assert.match(
      operationTooltip(chosen),
      /\n\nThe position was closed\.\n\n> The position was closed and returned 12\.3 SOL\. As you chose, it stays in your wallet\.$/,
    );
    assert.equal(operationRow(ended({ code: 'declinedReentry', lamportsBack: BACK, tries: 1 })).icon.id, 'pass');
    const sentence: Reason = { ...told('Wie gewählt nicht wieder eröffnet.'), meaning: 'declinedReentry' };
    assert.equal(operationRow(ended(sentence)).icon.id, 'pass', 'by its meaning, in whatever language');
    assert.equal(operationRow(ended({ code: 'belowMinimum', lamportsBack: 1n, leastLamports: 2n })).icon.id, 'warning');
  });

  it('The report of a rebalance after a restart has its own wording', () => {
    const ended = (shortfall: string | undefined) =>
      foundSentence(
        record([{ kind: 'settled', lamportsBack: BACK, shortfall: shortfall === undefined ? undefined : told(shortfall) }], {
          plan: REBALANCE,
        }),
      );
    assert.equal(ended(undefined), 'Rebalance BONK/SOL: Done; 12.3 SOL returned.');
    assert.equal(ended('It was too little'), 'Rebalance BONK/SOL: Not re-entered; 12.3 SOL returned. It was too little.');
  });
});

describe('The question about an unfinished rebalance', () => {
  function bench(records: readonly OperationRecord[], press = '') {
    const clock = new FakeClock();
    const prompts = new ScriptedPrompts([], { BONK: press });
    const journal = new ShownJournal();
    journal.records = records;
    const held = new Set<string>();
    const did: string[] = [];
    const activity = new Activity({ journal: () => Promise.resolve(journal), openTasks: openTasksOf, log: () => undefined, onError: fail });
    const locks = {
      tryAcquire: (name: string) => Promise.resolve(held.has(name) ? undefined : { release: () => Promise.resolve() }),
    } as unknown as OperationLocks;
    const inUse = { is: true };
    const questions = new ReentryQuestions({
      activity,
      prompts,
      clock,
      onError: fail,
      startedAtMs: AT_MS + 1_000,
      isInUse: () => inUse.is,
      locks: () => Promise.resolve(locks),
      actions: { focusActivity: () => Promise.resolve(void did.push('Activity')) },
      command: (id, argument) => Promise.resolve(void did.push(`${id} ${JSON.stringify(argument)}`)),
    });
    const passed = async (ms: number) => {
      await activity.refresh();
      await clock.advance(ms);
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    return { prompts, journal, held, did, questions, inUse, clock, passed };
  }

  it('The user is asked once after a restart about an unfinished rebalance, with both choices', async () => {
    for (const [press, command] of [
      ['Re-enter', 'binsight.reenter'],
      ["Don't Re-enter", 'binsight.leaveOut'],
    ] as const) {
      const it = bench(halfWay(), press);
      await it.passed(2_000);
      await it.passed(60_000);
      assert.deepEqual(
        it.prompts.notices.map(({ message, actions }) => [message, actions]),
        [
          [
            'Rebalance BONK/SOL: interrupted, the proceeds are in your wallet. The position was closed and returned 12.3 SOL.',
            ['Re-enter', "Don't Re-enter"],
          ],
        ],
      );
      assert.deepEqual(it.did, [`${command} {"kind":"operation","id":"r"}`]);
      it.questions.dispose();
    }
  });

  it('The question waits until no operation holds the lock and the wallet and service are in use', async () => {
    const it = bench(halfWay());
    it.held.add(operationLock('r'));
    await it.passed(2_000);
    assert.equal(it.prompts.notices.length, 0);
    it.held.clear();
    it.inUse.is = false;
    await it.passed(60_000);
    assert.equal(it.prompts.notices.length, 0);
    it.inUse.is = true;
    it.questions.lookSoon();
    await it.passed(2_000);
    assert.equal(it.prompts.notices.length, 1);
    it.questions.dispose();
  });

  it('The question skips rebalances that another window began and those already reported in this window', async () => {
    const fresh = halfWay().map((one) => ({ ...one, created: { ...one.created, atMs: one.created.atMs + 5_000 } }));
    const other = bench(fresh);
    await other.passed(60_000);
    assert.equal(other.prompts.notices.length, 0);
    other.questions.concerns('r');
    await other.passed(60_000);
    assert.match(other.prompts.notices[0]?.message ?? '', /^Rebalance BONK\/SOL: interrupted, the proceeds are in your wallet\. /);
    const told = bench(fresh);
    told.questions.concerns('r');
    told.questions.offered('r');
    await told.passed(60_000);
    assert.equal(told.prompts.notices.length, 0);
    [other, told].forEach(({ questions }) => questions.dispose());
  });

  it('Several unfinished rebalances produce one notice', async () => {
    const it = bench(['a', 'b', 'c', 'd'].flatMap((id) => halfWay(id)));
    await it.passed(2_000);
    assert.deepEqual(
      it.prompts.notices.map(({ message }) => /^4 rebalances: interrupted/.test(message)),
      [true],
    );
    it.questions.dispose();
    assert.equal(it.clock.timers, 0);
  });
});
