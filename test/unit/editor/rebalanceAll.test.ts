import assert from 'node:assert/strict';
import type { OpenPosition } from '../../../src/api/records/position';
import { BusyPositions } from '../../../src/editor/operations/busyPositions';
import { linesOf } from '../../../src/editor/operations/dialogSpace';
import { runStaged } from '../../../src/editor/operations/progress';
import { rebalanceAll } from '../../../src/editor/rebalance/rebalanceAll';
import { shownRebalanceStep } from '../../../src/editor/rebalance/rebalanceSteps';
import { rebalanceBrief, rebalanceNotice } from '../../../src/editor/rebalance/rebalanceWords';
import type { RebalanceRequest, RebalanceRuns } from '../../../src/editor/rebalance/request';
import { summaryItem, summaryQuestion } from '../../../src/editor/rebalance/summary';
import type { RebalanceResult, RebalanceStep } from '../../../src/operations/rebalance/types';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { ScriptedPrompts, type ScriptedAnswer } from '../../editor/support/scriptedPrompts';
import { addressOf, FakeClock, fakeService, openPosition, OWNER } from '../portfolio/fixtures';
import { fail } from './memory';

const TERMS = { halfWidthBins: 34, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n };
const REENTRY = { pool: addressOf(500), pairName: 'BONK/SOL', lamportsBack: 700_000_000n, inputLamports: 690_000_000n, range: { fromBinId: -434, toBinId: -366 }, activeBinId: -400, strategy: 'Spot', slippageBps: 100 } as const;
const SETTLED: RebalanceResult = { kind: 'settled', rebalance: 'r', reentry: REENTRY, position: addressOf(7), signature: undefined };
const out = (number: number, part: Partial<OpenPosition> = {}) => openPosition(number, { pairName: `P${number}/SOL`, inRange: false, activeBinId: -400, ...part });

async function bench(listed: readonly OpenPosition[], answers: readonly ScriptedAnswer[], rebalance: (request: RebalanceRequest) => Promise<RebalanceResult>) {
  const clock = new FakeClock();
  const state = { fails: false };
  const service = fakeService({ openPositions: () => (state.fails ? Promise.reject(new Error('no list')) : Promise.resolve({ items: [...listed], oddities: [] })) });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  portfolio.setOwner(OWNER);
  const prompts = new ScriptedPrompts(answers);
  const busy = new BusyPositions(fail);
  const requests: RebalanceRequest[] = [];
  const runs: RebalanceRuns = {
    rebalance: (request) => {
      requests.push(request);
      return rebalance(request);
    },
    reenter: () => Promise.reject(new Error('nothing is re-entered')),
    close: () => Promise.reject(new Error('nothing is closed')),
  };
  const run = () => rebalanceAll(OWNER, { prompts, portfolio, busy, runner: () => Promise.resolve(runs), terms: () => TERMS, nowMs: () => clock.now(), log: () => undefined, actions: { focusActivity: () => Promise.resolve() } });
  return { prompts, busy, requests, run, state, clock };
}

describe('Rebalancing all out of range', () => {
  it('goes on after a failure, and says in one notice what became of each', async () => {
    const it = await bench([out(1), out(2), out(3), openPosition(4)], [{ untick: [] }, { press: 'Rebalance' }], ({ position }) => (position.key === out(2).key ? Promise.reject(new Error('The service is down')) : Promise.resolve(SETTLED)));
    await it.run();
    it.prompts.assertDone();
    assert.deepEqual(it.requests.map(({ lead, isTold, consent }) => [lead, isTold, consent]), [1, 2, 3].map((place) => [`${place} of 3`, false, { kind: 'summary', atMs: it.clock.now() }]));
    assert.deepEqual(it.prompts.notices.map(({ severity, message }) => [severity, message]), [
      ['warning', 'Rebalanced 2 of 3 positions. P1/SOL: rebalanced, 0.69 SOL went in again. P2/SOL: failed. The service is down. P3/SOL: rebalanced, 0.69 SOL went in again.'],
    ]);
  });

  it('leaves alone what was unticked, what is busy, and what has no range', async () => {
    const it = await bench([out(1), out(2), out(3), out(4, { poolType: 'dammV2' }), out(5, { lowerBinId: undefined })], [{ untick: ['P1'] }, { press: 'Rebalance' }], () => Promise.resolve(SETTLED));
    await it.busy.during(out(3).key, it.run);
    assert.deepEqual(it.prompts.asked[0]?.shown, ['P1/SOL', 'P2/SOL']);
    assert.deepEqual(it.requests.map(({ position }) => position.pairName), ['P2/SOL']);
    assert.equal(it.prompts.notices[0]?.severity, 'info');
  });

  it('stops the rest where its progress is cancelled, but not where one is declined', async () => {
    const declined = await bench([out(1), out(2)], [{ untick: [] }, { press: 'Rebalance' }], () => Promise.resolve({ kind: 'declined' }));
    await declined.run();
    assert.equal(declined.requests.length, 2);
    const cancelled = await bench([out(1), out(2)], [{ untick: [] }, { press: 'Rebalance' }], ({ onCancel }) => {
      onCancel?.();
      return Promise.resolve({ kind: 'declined' });
    });
    await cancelled.run();
    assert.equal(cancelled.requests.length, 1);
    assert.match(cancelled.prompts.notices[0]?.message ?? '', /^Rebalanced 0 of 2 positions\. P1\/SOL: not done: nothing was signed\. P2\/SOL: not begun, because you stopped the rest\.$/);
  });

  it('begins nothing where a question is left, or nothing is ticked', async () => {
    for (const answers of [['escape'], [{ untick: ['P1'] }], [{ untick: [] }, 'escape']] as const) {
      const it = await bench([out(1)], answers, () => Promise.resolve(SETTLED));
      await it.run();
      it.prompts.assertDone();
      assert.deepEqual([it.requests.length, it.prompts.notices.length], [0, 0]);
    }
  });

  it('says where there is nothing to do, and goes by no old list', async () => {
    await assert.rejects((await bench([openPosition(1)], [], fail)).run(), /No open position is out of range/);
    await assert.rejects((await bench([out(1, { poolType: 'dammV2' })], [], fail)).run(), /^Refusal: 1 position is out of range, but it cannot be rebalanced now: /);
    const it = await bench([out(1)], [], fail);
    it.state.fails = true;
    await assert.rejects(it.run(), /no list/);
  });
});

describe('The summary', () => {
  it('says of each what it is worth, what comes back, and where it goes', () => {
    const { label, description, detail } = summaryItem(out(1), TERMS);
    assert.equal(label, 'P1/SOL');
    assert.equal(description, '$100 · back about $102.00 (0.714 SOL), fees included');
    assert.equal(detail, `−386 … −376 (11 bins) → −434 … −366 (69 bins) as of now · Spot · ${out(1).address ?? ''}`);
    assert.match(summaryItem(out(1, { activeBinId: undefined, value: { usd: undefined, native: undefined } }), { ...TERMS, halfWidthBins: undefined }).detail ?? '', /→ as many bins as now \(11\) · /);
  });

  it('fits a dialog however many they are, with the totals and what the yes covers', () => {
    const { message, detail } = summaryQuestion(Array.from({ length: 40 }, (_, index) => out(index)), TERMS);
    assert.equal(message, 'Rebalance 40 positions?');
    assert.ok(linesOf(detail) <= 23, detail);
    assert.match(detail, /Together: about \$4,000\.00 \(28 SOL\), fees not counted\.[^]+34 bins to either side\.[^]+at most 1 %, out and in each\. At least 0\.05 SOL stay in the wallet\.[^]+of which the review finds nothing at all/);
    assert.match(summaryQuestion([out(1), out(2, { value: { usd: undefined, native: undefined } })], TERMS).detail, /\$100\.00 .+; 1 not valued\./);
  });
});

describe('What is said of a rebalance', () => {
  const notReentered: RebalanceResult = { kind: 'notReentered', rebalance: 'r', reason: 'failed', words: 'The position was closed.', lamportsBack: 1n, isOpen: true, review: undefined, error: undefined };
  const unconfirmed = (leg: 'zapOut' | 'zapIn', stoppedWaiting: boolean): RebalanceResult => ({ kind: 'unconfirmed', rebalance: 'r', leg, signature: undefined, stoppedWaiting });

  it('is what happened, and what it means for the money', () => {
    const words = (result: RebalanceResult) => rebalanceNotice(result, 'BONK/SOL', undefined)?.message;
    assert.equal(words(SETTLED), 'Rebalanced BONK/SOL: 0.7 SOL came back, and 0.69 SOL went in again over −434 … −366 (69 bins), Spot. The new position is listed.');
    assert.match(rebalanceNotice(SETTLED, 'BONK/SOL', openPosition(1))?.message ?? '', /listed, worth \$100\.00 and in range: it earns fees\.$/);
    assert.equal(words(notReentered), 'Rebalancing BONK/SOL stopped after the zap-out. The position was closed.');
    assert.match(words(unconfirmed('zapOut', true)) ?? '', /you stopped waiting .+ Nothing is put back so far/);
    assert.match(words(unconfirmed('zapIn', false)) ?? '', /do not show it yet\. .+ Do not enter the pool again before that\.$/);
    assert.equal(words({ kind: 'blocked', review: fail as never }), undefined);
    for (const result of [SETTLED, notReentered, unconfirmed('zapOut', false), unconfirmed('zapIn', false), { kind: 'declined' } as const]) {
      assert.ok(rebalanceBrief(result).length > 10);
    }
  });

  it('while it runs names the part, and what Cancel leaves', () => {
    const at = (step: RebalanceStep, parts: 1 | 2 = 2) => shownRebalanceStep(step, parts);
    assert.deepEqual(at({ leg: 'zapOut', step: 'building' }), { stage: 'cancellable', words: '1 of 2, zap-out: asking the service for the transactions …' });
    assert.match(at({ leg: 'zapOut', step: 'landing' }).words, /^1 of 2, zap-out: sending; .+ Cancel ends the waiting only\. Nothing is put back then\.$/);
    assert.match(at({ leg: 'between', step: 'measuring' }).words, /Cancel leaves it in your wallet/);
    assert.deepEqual([at({ leg: 'between', step: 'readingPool' }).stage, at({ leg: 'zapIn', step: 'waitingForEffect' }).stage], ['cancellable', 'sent']);
    assert.match(at({ leg: 'zapIn', step: 'waitingForEarlier' }).words, /^2 of 2, zap-in: waiting .+ two minutes at most/);
    assert.doesNotMatch(at({ leg: 'zapIn', step: 'building' }, 1).words, /of 2/);
  });

  it('ends from outside as by its button, and tells which it was', async () => {
    const outside = new AbortController();
    const pressed: string[] = [];
    const run = (press: Readonly<Record<string, string>>) =>
      runStaged(new ScriptedPrompts([], press), {
        ...{ title: 'Rebalancing', outside: outside.signal, onCancel: () => pressed.push('button') },
        shown: (words: string) => ({ stage: 'cancellable', words }),
        run: (report, cancelled) =>
          new Promise<boolean>((resolve) => {
            cancelled.addEventListener('abort', () => resolve(cancelled.aborted));
            report('at it');
          }),
      });
    assert.equal(await run({ 'at it': 'Cancel' }), true);
    assert.deepEqual(pressed, ['button']);
    const running = run({});
    outside.abort();
    assert.equal(await running, true);
    assert.deepEqual(pressed, ['button']);
  });
});
