import assert from 'node:assert/strict';
import type { Finding, Review } from '../../../src/review/types';
import type { LegApproval, Reentry } from '../../../src/transactions/rebalance/types';
import { LegApprovals, withheldMessage } from '../../../src/ui/rebalance/legRun';
import type { RebalanceApproval } from '../../../src/ui/rebalance/request';
import { followUpBriefly, followUpText } from '../../../src/ui/rebalance/summary';
import { found, isClean } from '../../../src/ui/zap/cleanReview';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import { realSigner } from '../../support/transactions/harness';
import { NOW_MS, reviewWith } from '../../support/ui/reviews';

const SUM: Finding = {
  rule: 'LIM-3',
  verdict: 'info',
  message: 'By its instructions the operation takes at most 0.01 SOL from your wallet.',
};
const NOTE: Finding = { rule: 'MINT-1', verdict: 'info', message: 'The issuer has kept powers.' };
const CLEAN = reviewWith('allow', [SUM]);
const TERMS = { halfWidthBins: 34, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n };
const REENTRY: Reentry = {
  pool: addressOf(500),
  pairName: 'BONK/SOL',
  lamportsBack: 12_300_000_000n,
  proceedsFrom: 'transactions',
  inputLamports: 12_240_000_000n,
  range: { fromBinId: -34, toBinId: 34 },
  activeBinId: 0,
  strategy: 'Spot',
  slippageBps: 100,
  warnings: [],
};

/** Approvals of one run, whose user answers so. */
function approvals(consent: RebalanceApproval, answers: readonly ScriptedAnswer[] = []) {
  const prompts = new ScriptedPrompts(answers);
  const now = { ms: NOW_MS };
  const actions = {
    showDocument: () => Promise.reject(new Error('nothing is shown')),
    saveText: () => Promise.reject(new Error('nothing is saved')),
  };
  const zapOut = {
    title: 'Rebalance BONK/SOL',
    expectations: ['Should come back: about $100.00'],
    afterwards: followUpBriefly(TERMS, openPosition(1)),
    details: followUpText(TERMS, openPosition(1)),
  };
  const asks = { times: 0 };
  const run = new LegApprovals(
    { tokens: Promise.resolve(() => undefined), zapOut },
    consent,
    { prompts, actions, nowMs: () => now.ms },
    new AbortController().signal,
    () => (asks.times += 1),
  );
  const leg = (name: 'zapOut' | 'zapIn', review: Review = CLEAN, reason?: LegApproval['reason'], doubts: readonly string[] = []) =>
    run.approve({ leg: name, review, reason, reentry: name === 'zapIn' ? { ...REENTRY, warnings: doubts } : undefined });
  return { prompts, now, leg, asks };
}

function rules() {
  const heldBack: string[] = [];
  const consent: RebalanceApproval = {
    kind: 'rules',
    signer: () => Promise.resolve(realSigner()),
    heldBack: (words) => heldBack.push(words),
  };
  return { heldBack, consent };
}

const MINUTE_MS = 60_000;

describe('A clean review', () => {
  it('A clean review contains only the total that every review has', () => {
    assert.ok(isClean(CLEAN) && isClean(reviewWith('allow')));
    for (const finding of [NOTE, { ...SUM, verdict: 'confirm' as const }, { ...SUM, rule: 'RPC-1' }]) {
      assert.ok(!isClean(reviewWith('allow', [SUM, finding])));
      assert.deepEqual(found(reviewWith('allow', [SUM, finding])), [finding]);
    }
    assert.ok(!isClean(reviewWith('confirm', [SUM])) && !isClean(reviewWith('block', [SUM])));
  });
});

describe('The one question of a rebalance', () => {
  it('The question of a rebalance announces the re-entry, and its approval covers it', async () => {
    const { prompts, leg, asks } = approvals({ kind: 'ask' }, [{ press: 'Sign and Send' }]);
    assert.equal(await leg('zapOut'), true);
    assert.equal(await leg('zapIn'), true);
    prompts.assertDone();
    assert.deepEqual([prompts.asked.length, asks.times], [1, 1]);
    assert.match(prompts.asked[0]?.text ?? '', /^Re-enters around the price: Spot, 69 bins$/m);
  });

  it('The question of a rebalance announces the re-entry even with many findings', async () => {
    const many = Array.from({ length: 5 }, (_, index): Finding => ({
      rule: `X-${index}`,
      verdict: 'confirm',
      message: `${'A long finding. '.repeat(12)}${index}`,
    }));
    const { prompts, leg } = approvals({ kind: 'ask' }, [{ press: 'Decide…' }, { tickAll: true }]);
    assert.equal(await leg('zapOut', reviewWith('confirm', many)), true);
    assert.match(prompts.asked[0]?.text ?? '', /^Re-enters around the price: /m);
  });

  it('The approval of a rebalance covers no findings, no new transactions and no re-entry after ten minutes', async () => {
    const wanted: readonly ((run: ReturnType<typeof approvals>) => Promise<boolean>)[] = [
      ({ leg }) => leg('zapIn', reviewWith('allow', [SUM, NOTE])),
      ({ leg }) => leg('zapIn', CLEAN, 'tookTooLong'),
      ({ leg }) => leg('zapIn', CLEAN, 'changed'),
      ({ leg, now }) => {
        now.ms += 10 * MINUTE_MS + 1;
        return leg('zapIn');
      },
      ({ leg, now }) => {
        now.ms -= 1;
        return leg('zapIn');
      },
    ];
    for (const approve of wanted) {
      const run = approvals({ kind: 'ask' }, [{ press: 'Sign and Send' }, 'escape']);
      await run.leg('zapOut');
      assert.equal(await approve(run), false);
      run.prompts.assertDone();
      assert.equal(run.prompts.asked[1]?.title, 'Re-enter BONK/SOL?');
      assert.match(run.prompts.asked[1].text, /^You get: a Spot position, −34 to 34 \(69 bins\); [^]+^Deposit: 12\.24 of 12\.3 SOL; /m);
      assert.equal(run.asks.times, 2);
    }
  });

  it('The question about a re-entry states the deposit and the refundable rent even with many findings', async () => {
    const many = Array.from({ length: 5 }, (_, index): Finding => ({
      rule: `X-${index}`,
      verdict: 'confirm',
      message: `${'A long finding. '.repeat(12)}${index}`,
    }));
    const rent = reviewWith('confirm', many);
    const { prompts, leg } = approvals({ kind: 'ask' }, ['escape']);
    assert.equal(
      await leg('zapIn', { ...rent, spends: { ...rent.spends, refundableRentLamports: 65_563_200n } }, undefined, [
        'The active bin is 7 by now.',
      ]),
      false,
    );
    const { title, text } = prompts.asked[0] ?? { title: '', text: '' };
    assert.equal(title, 'Re-enter BONK/SOL: review found unexpected changes');
    assert.match(text, /^The active bin is 7 by now\.\n\n1\. A long finding/);
    assert.match(text, /0\.065\d+ SOL\b.*\brefundable\b/);
  });

  it('A re-entry of earlier proceeds always asks the user', async () => {
    const { prompts, leg } = approvals({ kind: 'ask' }, ['escape']);
    assert.equal(await leg('zapIn'), false);
    prompts.assertDone();
  });

  it('The approval of a rebalance covers no changed re-entry, and the question states the change', async () => {
    for (const consent of [{ kind: 'ask' }, { kind: 'summary', atMs: NOW_MS }] as const) {
      const { prompts, leg } = approvals(consent, [...(consent.kind === 'ask' ? [{ press: 'Sign and Send' }] : []), 'escape']);
      assert.equal(await leg('zapOut'), true);
      assert.equal(await leg('zapIn', CLEAN, undefined, ['The active bin is 7 by now.']), false);
      prompts.assertDone();
      assert.match(prompts.asked.at(-1)?.text ?? '', /^The active bin is 7 by now\.$/m);
    }
    const { consent, heldBack } = rules();
    const { prompts, leg } = approvals(consent);
    assert.equal(await leg('zapIn', CLEAN, undefined, ['The active bin is 7 by now.']), false);
    assert.equal(prompts.asked.length, 0);
    assert.deepEqual(heldBack, ['Zap In: not signed. The active bin is 7 by now.']);
  });

  it('A declined question of a rebalance approves nothing', async () => {
    const { prompts, leg } = approvals({ kind: 'ask' }, ['escape', 'escape']);
    assert.equal(await leg('zapOut'), false);
    assert.equal(await leg('zapIn'), false);
    prompts.assertDone();
  });
});

describe('The question for all positions', () => {
  it('The confirmation of Rebalance All covers both legs for half an hour if they are clean', async () => {
    const { prompts, now, leg } = approvals({ kind: 'summary', atMs: NOW_MS - 20 * MINUTE_MS });
    assert.equal(await leg('zapOut'), true);
    now.ms += 9 * MINUTE_MS;
    assert.equal(await leg('zapIn'), true);
    assert.equal(prompts.asked.length, 0);
  });

  it('The confirmation of Rebalance All covers no findings, no changed transactions and no late ones', async () => {
    for (const [atMs, review, reason] of [
      [NOW_MS, reviewWith('allow', [NOTE]), undefined],
      [NOW_MS, CLEAN, 'tookTooLong'],
      [NOW_MS - 30 * MINUTE_MS - 1, CLEAN, undefined],
      [NOW_MS + 1, CLEAN, undefined],
    ] as const) {
      const { prompts, leg } = approvals({ kind: 'summary', atMs }, ['escape']);
      assert.equal(await leg('zapOut', review, reason), false);
      prompts.assertDone();
    }
  });
});

describe('Approval by the rules', () => {
  it('Automatic mode signs clean legs without a question, even if they were built again', async () => {
    const { consent, heldBack } = rules();
    const { prompts, leg } = approvals(consent);
    assert.deepEqual([await leg('zapOut'), await leg('zapIn', CLEAN, 'tookTooLong')], [true, true]);
    assert.deepEqual([prompts.asked.length, heldBack], [0, []]);
  });

  it('Automatic mode leaves transactions with findings or changes to the user, with the reason', async () => {
    const { consent, heldBack } = rules();
    const { prompts, leg } = approvals(consent);
    const bad = reviewWith('block', [{ rule: 'PRG-2', verdict: 'block', message: 'An unknown program gets your account.' }, NOTE]);
    assert.deepEqual(
      [await leg('zapOut', reviewWith('allow', [SUM, NOTE])), await leg('zapIn', bad), await leg('zapIn', CLEAN, 'changed')],
      [false, false, false],
    );
    assert.equal(prompts.asked.length, 0);
    assert.deepEqual(heldBack, [
      'Zap Out: not signed. The review found: The issuer has kept powers.',
      'Zap In: not signed. The review found: An unknown program gets your account. More findings: 1.',
      'Zap In: not signed. Its effect changed after the review.',
    ]);
    assert.ok(
      withheldMessage('zapIn', reviewWith('confirm', [{ rule: 'X', verdict: 'confirm', message: 'x'.repeat(1_000) }])).length < 500,
    );
  });
});
