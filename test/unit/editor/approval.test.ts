import assert from 'node:assert/strict';
import { askApproval } from '../../../src/editor/operations/approval';
import { tellOutcome } from '../../../src/editor/operations/outcome';
import type { OperationResult } from '../../../src/operations/types';
import type { Finding, Review, Verdict } from '../../../src/review/types';
import { ScriptedPrompts, type ScriptedAnswer } from '../../editor/support/scriptedPrompts';
import { addressOf, OWNER } from '../portfolio/fixtures';

function reviewWith(verdict: Verdict, findings: readonly Finding[] = []): Review {
  return {
    verdict,
    intent: { kind: 'zapOut', owner: OWNER, pool: addressOf(500), slippageBps: 100, tokenX: addressOf(600), tokenY: addressOf(601), position: addressOf(1001), shareBps: 10_000, output: 'both' },
    findings,
    spends: {
      consumedLamports: 0n,
      wrappedLamports: 0n,
      networkFeeLamports: 5_000n,
      priorityFeeLamports: 0n,
      tipLamports: 0n,
      refundableRentLamports: 0n,
      spentRentLamports: 0n,
      otherLamports: 0n,
    },
    minimumOut: [],
    tokenSpends: [],
    programs: ['System'],
    recipients: [],
    transactions: [],
    lastValidBlockHeight: 5,
    reviewed: [],
  };
}

const FINDINGS: readonly Finding[] = [
  { rule: 'SIG-4', verdict: 'confirm', message: 'Somebody else signs too.' },
  { rule: 'TIP-2', verdict: 'confirm', message: 'The tip is high.' },
  { rule: 'SWP-9', verdict: 'info', message: 'The price was not compared.' },
];

/** Who asks names the operation; what it spends is the review's to say. */
const SUBJECT = { title: 'Zap out 100 % of BONK/SOL', expectations: ['Should come back: about $100.00'] };

async function approve(review: Review, answers: readonly ScriptedAnswer[], cancelled = new AbortController().signal): Promise<{ readonly approved: boolean; readonly prompts: ScriptedPrompts; readonly documents: string[]; readonly logs: number }> {
  const prompts = new ScriptedPrompts(answers);
  const documents: string[] = [];
  let logs = 0;
  const approved = await askApproval(review, () => undefined, SUBJECT, { prompts, actions: { showDocument: (title) => Promise.resolve(void documents.push(title)), showLog: () => void (logs += 1) } }, cancelled);
  prompts.assertDone();
  return { approved, prompts, documents, logs };
}

describe('The approval', () => {
  it('of what is as expected takes one click on a truthful summary', async () => {
    const { approved, prompts } = await approve(reviewWith('allow'), [{ press: 'Sign and Send' }]);
    assert.equal(approved, true);
    assert.equal(prompts.asked[0]?.title, 'Zap out 100 % of BONK/SOL?');
    assert.match(prompts.asked[0].text, /^Should come back: about \$100\.00$/m);
    assert.match(prompts.asked[0].text, /^You spend at most: 0\.000005 SOL/m);
  });

  it('is not given by anything else', async () => {
    assert.equal((await approve(reviewWith('allow'), ['escape'])).approved, false);
    assert.equal((await approve(reviewWith('allow'), [{ press: 'Show Details' }, 'escape'])).approved, false);
    assert.equal((await approve(reviewWith('allow'), [{ press: 'Show Details' }, { pick: 'Sign nothing' }])).approved, false);
  });

  it('can be given after the details were looked at', async () => {
    const { approved, documents } = await approve(reviewWith('allow'), [{ press: 'Show Details' }, { pick: 'Back' }, { press: 'Sign and Send' }]);
    assert.equal(approved, true);
    assert.equal(documents.length, 1);
  });

  it('is not asked for again once the operation was cancelled while the details were read', async () => {
    const { approved, prompts } = await approve(reviewWith('allow'), [{ press: 'Show Details' }, { pick: 'Back' }], AbortSignal.abort());
    assert.equal(approved, false);
    assert.deepEqual(prompts.asked.map(({ kind }) => kind), ['confirm', 'pick']);
  });

  it('of what is not as expected takes a tick for each finding that needs a decision', async () => {
    const { approved, prompts } = await approve(reviewWith('confirm', FINDINGS), [{ press: 'Decide…' }, { tickAll: true }]);
    assert.equal(approved, true);
    assert.ok(!prompts.asked[0]?.shown.includes('Sign and Send'));
    assert.deepEqual(prompts.asked[1]?.shown, ['Somebody else signs too.', 'The tip is high.']);
  });

  it('of what is not as expected is not given halfway', async () => {
    assert.equal((await approve(reviewWith('confirm', FINDINGS), ['escape'])).approved, false);
    assert.equal((await approve(reviewWith('confirm', FINDINGS), [{ press: 'Decide…' }, 'escape'])).approved, false);
  });

  it('of what is blocked is never given: it says why, and offers only to look', async () => {
    const blocked = reviewWith('block', [{ rule: 'PRG-2', verdict: 'block', message: 'An unknown program gets your account.' }]);
    const plain = await approve(blocked, ['escape']);
    assert.equal(plain.approved, false);
    const [told] = plain.prompts.asked;
    assert.ok(told);
    assert.deepEqual(told.shown, ['Show Details', 'Show Log']);
    assert.match(told.text, /Nothing was signed.+An unknown program gets your account\./s);
    assert.deepEqual((await approve(blocked, [{ press: 'Show Details' }])).documents.length, 1);
    assert.equal((await approve(blocked, [{ press: 'Show Log' }])).logs, 1);
  });
});

describe('The end of an operation', () => {
  const SIGNATURE = '5'.repeat(88);

  async function tell(result: OperationResult, isSandbox: boolean, press = ''): Promise<{ readonly prompts: ScriptedPrompts; readonly copied: string[]; readonly opened: string[] }> {
    const prompts = new ScriptedPrompts([], { Zapped: press });
    const copied: string[] = [];
    const opened: string[] = [];
    tellOutcome(result, { doing: 'Zapping out of BONK/SOL', done: 'Zapped out of BONK/SOL', result: (position) => `Zapped out of BONK/SOL: ${position ?? 'gone'}.` }, { prompts, isSandbox, actions: { copy: (text) => Promise.resolve(void copied.push(text)), openExternal: (url) => Promise.resolve(void opened.push(url)) } });
    await new Promise((resolve) => setImmediate(resolve));
    return { prompts, copied, opened };
  }

  const settled = (signature: string | undefined): OperationResult => ({ kind: 'settled', signature, position: undefined });

  it('leads to an explorer where one knows it', async () => {
    const { prompts, opened } = await tell(settled(SIGNATURE), false, 'Open in Explorer');
    assert.deepEqual(prompts.notices[0]?.actions, ['Open in Explorer', 'Copy Signature']);
    assert.deepEqual(opened, [`https://solscan.io/tx/${SIGNATURE}`]);
  });

  it('leads to none from the sandbox', async () => {
    const { prompts, copied } = await tell(settled(SIGNATURE), true, 'Copy Signature');
    assert.deepEqual(prompts.notices[0]?.actions, ['Copy Signature']);
    assert.deepEqual(copied, [SIGNATURE]);
  });

  it('opens nothing that is no signature', async () => {
    for (const signature of [undefined, '', '../../evil', `${SIGNATURE}?x`, '0'.repeat(88)]) {
      assert.deepEqual((await tell(settled(signature), false)).prompts.notices[0]?.actions, []);
    }
  });

  it('is told as it was', async () => {
    const message = async (result: OperationResult) => (await tell(result, true)).prompts.notices[0]?.message;
    assert.equal(await message(settled(undefined)), 'Zapped out of BONK/SOL: gone.');
    assert.match((await message({ kind: 'landedNotListed', signature: undefined, position: undefined, stoppedWaiting: false })) ?? '', /^Zapped out of BONK\/SOL: it has landed\. The service does not list the change yet/);
    assert.match((await message({ kind: 'landedNotListed', signature: undefined, position: undefined, stoppedWaiting: true })) ?? '', /has landed\. You stopped waiting before/);
    assert.match((await message({ kind: 'declined' })) ?? '', /Nothing was signed, nothing was sent/);
    assert.equal(await message({ kind: 'blocked', review: reviewWith('block') }), undefined);
  });
});
