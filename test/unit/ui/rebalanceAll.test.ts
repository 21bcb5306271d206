import assert from 'node:assert/strict';
import { binRange } from '../../../src/base/format/identifiers';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { OpenPosition } from '../../../src/service/positions';
import type { RebalanceResult, RebalanceStep } from '../../../src/transactions/rebalance/types';
import { rebalanceAll } from '../../../src/ui/rebalance/rebalanceAll';
import { rebalanceBrief, rebalanceNotice, shownRebalanceStep } from '../../../src/ui/rebalance/rebalanceMessages';
import type { RebalanceRequest, RebalanceRuns } from '../../../src/ui/rebalance/request';
import { rebalanceSummary, summaryItem, summaryQuestion } from '../../../src/ui/rebalance/summary';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { linesOf } from '../../../src/ui/zap/dialogSpace';
import { runShown } from '../../../src/ui/zap/operationDependencies';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, FakeClock, fakeService, openPosition, OWNER } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

const TERMS = { halfWidthBins: 34, strategy: undefined, slippageBps: 100, reserveLamports: 50_000_000n };
const REENTRY = {
  pool: addressOf(500),
  pairName: 'BONK/SOL',
  lamportsBack: 700_000_000n,
  proceedsFrom: 'transactions',
  inputLamports: 690_000_000n,
  range: { fromBinId: -434, toBinId: -366 },
  activeBinId: -400,
  strategy: 'Spot',
  slippageBps: 100,
  warnings: [],
} as const;
const SETTLED: RebalanceResult = { kind: 'settled', rebalance: 'r', reentry: REENTRY, position: addressOf(7), signature: undefined };
const out = (number: number, part: Partial<OpenPosition> = {}) =>
  openPosition(number, { pairName: `P${number}/SOL`, inRange: false, activeBinId: -400, ...part });

async function bench(
  listed: readonly OpenPosition[],
  answers: readonly ScriptedAnswer[],
  rebalance: (request: RebalanceRequest) => Promise<RebalanceResult>,
) {
  const clock = new FakeClock();
  const state = { fails: false };
  const service = fakeService({
    openPositions: () => (state.fails ? Promise.reject(new Error('no list')) : Promise.resolve({ items: [...listed], warnings: [] })),
  });
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
  const run = () =>
    rebalanceAll(OWNER, {
      prompts,
      portfolio,
      busy,
      runner: () => Promise.resolve(runs),
      terms: () => TERMS,
      nowMs: () => clock.now(),
      log: () => undefined,
      actions: { focusActivity: () => Promise.resolve() },
      waiting: { nowMs: () => clock.now(), log: () => undefined },
    });
  return { prompts, busy, requests, run, state, clock, refresh: () => portfolio.refresh('manual', ['positions']) };
}

/** What happened to a position that was rebalanced. */
const DONE = `0.7 SOL returned, 0.69 SOL re-entered over ${binRange(-434, -366)}, Spot`;

describe('Rebalancing all out of range', () => {
  it('A failed rebalance does not stop the others, and one notification reports all outcomes', async () => {
    const rig = await bench([out(1), out(2), out(3), openPosition(4)], [{ untick: [] }, { press: 'Rebalance' }], ({ position }) =>
      position.key === out(2).key ? Promise.reject(new Error('The service is down')) : Promise.resolve(SETTLED),
    );
    await rig.run();
    rig.prompts.assertDone();
    assert.deepEqual(
      rig.requests.map(({ place, showsResult, consent }) => [place, showsResult, consent]),
      [1, 2, 3].map((place) => [`${place} of 3`, false, { kind: 'summary', atMs: rig.clock.now() }]),
    );
    assert.deepEqual(
      rig.prompts.notices.map(({ severity, message }) => [severity, message]),
      [['warning', `Rebalance All Out of Range: 2 of 3. P1/SOL: ${DONE}. P2/SOL: The service is down. P3/SOL: ${DONE}.`]],
    );
  });

  it('The preselected button of the confirmation leads back to the list and rebalances nothing', async () => {
    const rig = await bench(
      [out(1), out(2)],
      [{ untick: [] }, { press: 'Change Selection' }, { untick: ['P1'] }, { press: 'Rebalance' }],
      () => Promise.resolve(SETTLED),
    );
    await rig.run();
    rig.prompts.assertDone();
    assert.deepEqual(rig.prompts.asked[1]?.shown, ['Change Selection', 'Rebalance']);
    assert.deepEqual(
      rig.requests.map(({ position }) => position.key),
      [out(2).key],
    );
  });

  it('Rebalance All leaves out unticked positions, busy ones and those without a range', async () => {
    const rig = await bench(
      [out(1), out(2), out(3), out(4, { poolType: 'dammV2' }), out(5, { lowerBinId: undefined })],
      [{ untick: ['P1'] }, { press: 'Rebalance' }],
      () => Promise.resolve(SETTLED),
    );
    await rig.busy.during(out(3).key, rig.run);
    assert.deepEqual(rig.prompts.asked[0]?.shown, ['P1/SOL', 'P2/SOL']);
    assert.deepEqual(
      rig.requests.map(({ position, place }) => [position.pairName, place]),
      [['P2/SOL', undefined]],
    );
    assert.equal(rig.prompts.notices[0]?.severity, 'info');
  });

  it('Rebalance All skips a position that is back in range when its turn comes', async () => {
    const listed = [out(1), out(2)];
    const rig = await bench(listed, [{ untick: [] }, { press: 'Rebalance' }], async () => {
      listed[1] = out(2, { inRange: true });
      await rig.refresh();
      return SETTLED;
    });
    await rig.run();
    assert.equal(rig.requests.length, 1);
    assert.match(rig.prompts.notices[0]?.message ?? '', /^Rebalance All Out of Range: 1 of 2\. .+ P2\/SOL: skipped: back in range\.$/);
  });

  it('Cancelling in the progress notification skips the rest, and declining one position does not', async () => {
    const declined = await bench([out(1), out(2)], [{ untick: [] }, { press: 'Rebalance' }], () => Promise.resolve({ kind: 'declined' }));
    await declined.run();
    assert.equal(declined.requests.length, 2);
    const cancelled = await bench([out(1), out(2)], [{ untick: [] }, { press: 'Rebalance' }], ({ onCancel }) => {
      onCancel?.();
      return Promise.resolve({ kind: 'declined' });
    });
    await cancelled.run();
    assert.equal(cancelled.requests.length, 1);
    assert.match(
      cancelled.prompts.notices[0]?.message ?? '',
      /^Rebalance All Out of Range: 0 of 2\. P1\/SOL: Nothing was signed\. P2\/SOL: skipped: you stopped the rest\.$/,
    );
  });

  it('Rebalance All starts nothing if a question is cancelled or nothing is ticked', async () => {
    for (const answers of [['escape'], [{ untick: ['P1'] }], [{ untick: [] }, 'escape']] as const) {
      const rig = await bench([out(1)], answers, () => Promise.resolve(SETTLED));
      await rig.run();
      rig.prompts.assertDone();
      assert.deepEqual([rig.requests.length, rig.prompts.notices.length], [0, 0]);
    }
  });

  it('Rebalance All reports when there is nothing to do and does not use a stale list', async () => {
    await assert.rejects((await bench([openPosition(1)], [], fail)).run(), /No open position is out of range/);
    await assert.rejects((await bench([out(1, { poolType: 'dammV2' })], [], fail)).run(), /None is ready for it: /);
    const rig = await bench([out(1)], [], fail);
    rig.state.fails = true;
    await assert.rejects(rig.run(), /no list/);
  });
});

describe('The summary', () => {
  const SUMMARY = rebalanceSummary(TERMS);

  it('The summary of Rebalance All shows each position’s value, estimated return and new range', () => {
    const { label, description, detail } = summaryItem(out(1), SUMMARY);
    assert.equal(label, 'P1/SOL');
    assert.equal(description, '$100 · estimated return $102.00 (0.714 SOL), fees included');
    assert.match(detail ?? '', /^0\.0₅2148 to 0\.0₅2372 .+ per BONK \(11 bins\) → 0\.0₅1332 to 0\.0₅262 .+ per BONK \(69 bins\) · Spot$/);
    const unpriced = summaryItem(out(1, { binStepBps: undefined, activeBinId: -400 }), SUMMARY).detail;
    assert.equal(unpriced, `${binRange(-386, -376)} → ${binRange(-434, -366)} · Spot`);
    assert.match(
      summaryItem(
        out(1, { activeBinId: undefined, value: { usd: undefined, native: undefined } }),
        rebalanceSummary({ ...TERMS, halfWidthBins: undefined }),
      ).detail ?? '',
      /→ 11 bins · Spot$/,
    );
  });

  it('The summary fits a dialog for any number of positions and states the totals and the approval’s scope', () => {
    const { message, detail } = summaryQuestion(
      Array.from({ length: 40 }, (_, index) => out(index)),
      SUMMARY,
    );
    assert.equal(message, 'Rebalance 40 positions?');
    assert.ok(linesOf(detail) <= 23, detail);
    assert.match(
      detail,
      /Estimated total return: \$4,080\.00 \(28\.56 SOL\), fees included\.[^]+re-entered around the price: 34 bins on each side\.[^]+Max slippage: 1%\. At least 0\.05 SOL stay in the wallet\.[^]+You are asked again only if the review finds anything\. A failure does not stop the rest/,
    );
    const unvalued = out(2, { value: { usd: undefined, native: undefined } });
    assert.match(
      summaryQuestion([out(1), unvalued], SUMMARY).detail,
      /^P1\/SOL: estimated return \$102\.00 \(0\.714 SOL\), Spot\nP2\/SOL: value unknown, Spot\n\nEstimated total return: \$102\.00 \(0\.714 SOL\), fees included\. Without those of unknown value: 1 position\./,
    );
    const withoutFees = { uncollectedFee: { usd: undefined, native: undefined } };
    assert.match(
      summaryQuestion([out(1, withoutFees), out(2, withoutFees)], SUMMARY).detail,
      /^Estimated total return: \$200\.00 .+, without fees\.$/m,
    );
    assert.match(
      summaryQuestion([out(1), out(2, withoutFees)], SUMMARY).detail,
      /^Estimated total return: \$202\.00 .+, fees included where reported\.$/m,
    );
    assert.match(summaryQuestion([unvalued, unvalued], SUMMARY).detail, /^Without those of unknown value: 2 positions\.$/m);
  });

  it('The summary leaves an implausible value out of the total and says so', () => {
    const absurd = [out(2, { value: { usd: 1e308, native: 1 } }), out(3, { uncollectedFee: { usd: 1, native: 1e308 } })];
    const { detail } = summaryQuestion([out(1), ...absurd], SUMMARY);
    assert.match(
      detail,
      /^Estimated total return: \$102\.00 \(0\.714 SOL\), fees included\. Without those of unknown value: 2 positions\.$/m,
    );
    assert.match(detail, /^P2\/SOL: value unknown, Spot$/m);
    assert.match(summaryQuestion(absurd, SUMMARY).detail, /^Without those of unknown value: 2 positions\.$/m);
    assert.match(summaryItem(absurd[0] ?? out(2), SUMMARY).description ?? '', /^value unknown$/);
  });

  it('The summary of one position has no totals', () => {
    const { message, detail } = summaryQuestion([out(1)], SUMMARY);
    assert.equal(message, 'Rebalance 1 position?');
    assert.match(detail, /^P1\/SOL: estimated return \$102\.00 \(0\.714 SOL\), Spot\n\nEach is closed for SOL and re-entered /);
    assert.doesNotMatch(detail, /total return/);
  });
});

describe('Texts about a rebalance', () => {
  const notReentered: RebalanceResult = {
    kind: 'notReentered',
    rebalance: 'r',
    reason: 'failed',
    words: 'The position was closed.',
    lamportsBack: 1n,
    isOpen: true,
    review: undefined,
    error: undefined,
  };
  const unconfirmed = (leg: 'zapOut' | 'zapIn', stoppedWaiting: boolean): RebalanceResult => ({
    kind: 'unconfirmed',
    rebalance: 'r',
    leg,
    signature: undefined,
    stoppedWaiting,
  });

  it('The notification of a rebalance states what happened and what it means for the money', () => {
    const words = (result: RebalanceResult) => rebalanceNotice(result, 'BONK/SOL', undefined)?.message;
    assert.equal(words(SETTLED), `Rebalance BONK/SOL: 0.7 SOL returned, 0.69 SOL re-entered over ${binRange(-434, -366)}, Spot.`);
    assert.match(
      rebalanceNotice(SETTLED, 'BONK/SOL', openPosition(1))?.message ?? '',
      /Spot\. Value: about \$100\.00\. It is in range and earns fees\.$/,
    );
    assert.equal(words(notReentered), 'Rebalance BONK/SOL: stopped after the zap-out. The position was closed.');
    assert.match(words(unconfirmed('zapOut', true)) ?? '', /outcome not known yet\. Nothing was re-entered/);
    assert.match(
      words(unconfirmed('zapIn', false)) ?? '',
      /outcome not known yet\. Do not enter the pool again before Activity shows the result\.$/,
    );
    assert.equal(words({ kind: 'blocked', review: fail as never }), undefined);
    for (const result of [
      SETTLED,
      notReentered,
      unconfirmed('zapOut', false),
      unconfirmed('zapIn', false),
      { kind: 'declined' } as const,
    ]) {
      assert.ok(rebalanceBrief(result).length > 10);
    }
  });

  it('The progress of a rebalance names the leg and what Cancel means', () => {
    const at = (step: RebalanceStep, parts: 1 | 2 = 2) => shownRebalanceStep(step, parts, false) ?? '';
    assert.equal(at({ leg: 'zapOut', step: 'building' }), 'Zap Out, requesting the transactions…');
    for (const step of ['landing', 'waitingForEffect'] as const) {
      assert.match(at({ leg: 'zapOut', step }), /^Zap Out, sen.+ Cancel only stops waiting\. Nothing is re-entered then\.$/);
      assert.match(at({ leg: 'zapIn', step }), /^Zap In, sen.+ Cancel only stops waiting…$/);
    }
    assert.match(at({ leg: 'between', step: 'measuring' }), /Cancel leaves the proceeds in your wallet/);
    assert.match(at({ leg: 'zapIn', step: 'waitingForEarlier' }), /^Zap In, waiting up to two minutes/);
    assert.equal(at({ leg: 'zapIn', step: 'building' }, 1), 'requesting the transactions…');
  });

  it('The progress of a rebalance mentions a decision only when the user is asked', () => {
    const step = { leg: 'zapIn', step: 'waitingForApproval' } as const;
    assert.deepEqual(
      [shownRebalanceStep(step, 2, false), shownRebalanceStep(step, 2, true), shownRebalanceStep(step, 1, true)],
      [undefined, 'Zap In, waiting for your decision…', 'waiting for your decision…'],
    );
  });

  it('A rebalance can be cancelled by the program, which does not count as the user’s Cancel', async () => {
    const outside = new AbortController();
    const pressed: string[] = [];
    const run = (press: Readonly<Record<string, string>>) =>
      runShown(new ScriptedPrompts([], press), {
        title: 'Rebalancing',
        outside: outside.signal,
        onCancel: () => pressed.push('button'),
        run: (show, cancelled) =>
          new Promise<boolean>((resolve) => {
            cancelled.addEventListener('abort', () => resolve(cancelled.aborted));
            show('at it');
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
