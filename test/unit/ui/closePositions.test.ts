import assert from 'node:assert/strict';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { OpenPosition } from '../../../src/service/positions';
import type { OperationResult } from '../../../src/transactions/types';
import { closeBrief, closePositions } from '../../../src/ui/rebalance/closePositions';
import type { CloseRequest } from '../../../src/ui/rebalance/request';
import { closeSummary, summaryItem, summaryQuestion } from '../../../src/ui/rebalance/summary';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock, fakeService, openPosition, OWNER } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

const SETTLED: OperationResult = { kind: 'settled', signature: undefined, position: undefined };
const open = (number: number, part: Partial<OpenPosition> = {}) => openPosition(number, { pairName: `P${number}/SOL`, ...part });
const CLOSE: readonly ScriptedAnswer[] = [{ untick: [] }, { press: 'Close' }];

async function bench(
  listed: OpenPosition[],
  answers: readonly ScriptedAnswer[],
  close: (request: CloseRequest) => Promise<OperationResult>,
) {
  const clock = new FakeClock();
  const service = fakeService({ openPositions: () => Promise.resolve({ items: [...listed], warnings: [] }) });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  portfolio.setOwner(OWNER);
  const prompts = new ScriptedPrompts(answers);
  const busy = new BusyPositions(fail);
  const requests: CloseRequest[] = [];
  const run = (selected?: readonly string[]) =>
    closePositions(OWNER, selected, {
      prompts,
      portfolio,
      busy,
      runner: () =>
        Promise.resolve({
          close: (request) => {
            requests.push(request);
            return close(request);
          },
        }),
      slippageBps: () => 100,
      keep: () => () => Promise.resolve(),
      nowMs: () => clock.now(),
      log: () => undefined,
      actions: { focusActivity: () => Promise.resolve() },
      waiting: { nowMs: () => clock.now(), log: () => undefined },
    });
  return { prompts, busy, requests, run, refresh: () => portfolio.refresh('manual', ['positions']) };
}

describe('Closing several positions', () => {
  it('closes all that stay selected, one after the other, and a failure does not stop the rest', async () => {
    const rig = await bench([open(1), open(2), open(3)], CLOSE, ({ position }) =>
      position.key === open(2).key ? Promise.reject(new Error('The service is down')) : Promise.resolve(SETTLED),
    );
    await rig.run();
    rig.prompts.assertDone();
    assert.deepEqual(
      rig.requests.map(({ place, showsResult, slippageBps, consent }) => [place, showsResult, slippageBps, consent.kind]),
      [1, 2, 3].map((place) => [`${place} of 3`, false, 100, 'summary']),
    );
    assert.deepEqual(
      rig.prompts.notices.map(({ severity, message }) => [severity, message]),
      [['warning', 'Close Positions: 2 of 3. P1/SOL: closed. P2/SOL: The service is down. P3/SOL: closed.']],
    );
  });

  it('offers only the selected positions, in both types of pool, and none that is busy or not supported', async () => {
    const listed = [open(1), open(2, { poolType: 'dammV2' }), open(3), open(4, { poolType: 'other' }), open(5)];
    const rig = await bench(listed, CLOSE, () => Promise.resolve(SETTLED));
    await rig.busy.during(open(5).key, () => rig.run([1, 2, 4, 5].map((number) => open(number).key)));
    assert.deepEqual(rig.prompts.asked[0]?.shown, ['P1/SOL', 'P2/SOL DAMM v2']);
    assert.equal(rig.requests.length, 2);
    assert.equal(rig.prompts.notices[0]?.message, 'Close Positions: 2 of 2. P1/SOL: closed. P2/SOL DAMM v2: closed.');
  });

  it('tells two positions of a pair apart in the list, the question and the outcome, as their rows do', async () => {
    const twins = [open(1, { pairName: 'A/SOL', binStepBps: 25 }), open(2, { pairName: 'A/SOL', binStepBps: 100 })];
    const rig = await bench([...twins, open(3)], CLOSE, () => Promise.resolve(SETTLED));
    await rig.run([open(1).key]);
    assert.deepEqual(rig.prompts.asked[0]?.shown, ['A/SOL 25 bps']);
    assert.match(rig.prompts.asked[1]?.text ?? '', /^A\/SOL 25 bps: /m);
    assert.equal(rig.prompts.notices[0]?.message, 'Close Positions: 1 of 1. A/SOL 25 bps: closed.');
  });

  it('skips a position that is no longer listed when its turn comes', async () => {
    const listed = [open(1), open(2)];
    const rig = await bench(listed, CLOSE, async () => {
      listed.pop();
      await rig.refresh();
      return SETTLED;
    });
    await rig.run();
    assert.equal(rig.requests.length, 1);
    assert.match(rig.prompts.notices[0]?.message ?? '', /P2\/SOL: skipped: no longer listed\.$/);
  });

  it('The preselected button of the question leads back to the list and closes nothing', async () => {
    const rig = await bench([open(1)], [{ untick: [] }, { press: 'Change Selection' }, 'escape'], fail);
    await rig.run();
    rig.prompts.assertDone();
    assert.deepEqual([rig.requests, rig.prompts.notices], [[], []]);
  });

  it('says so when there is nothing that can be closed', async () => {
    await assert.rejects((await bench([], [], fail)).run(), /There is no open position/);
    await assert.rejects((await bench([open(1, { poolType: 'other' })], [], fail)).run(), /None is ready for it/);
  });

  it('counts only positions that are known to be closed', () => {
    const results: readonly OperationResult[] = [
      SETTLED,
      { ...SETTLED, shortfall: { code: 'told', text: 'One swap did not land.', meaning: undefined } },
      { kind: 'landedNotListed', signature: undefined, position: undefined, isProven: true, stoppedWaiting: false },
      { kind: 'landedNotListed', signature: undefined, position: undefined, stoppedWaiting: false },
      { kind: 'declined' },
      { kind: 'blocked', review: fail as never },
    ];
    assert.deepEqual(results.map(closeBrief), [
      'closed',
      'Half done',
      'It landed. The service does not list the change.',
      'Unconfirmed',
      'Nothing was signed.',
      'Nothing was signed.',
    ]);
  });

  it('The list and the question say what each position is worth, what happens to it, and the slippage tolerance', () => {
    const summary = closeSummary(100);
    assert.match(summaryItem(open(1), summary).description ?? '', /^\$100 · estimated return \$102\.00 \(0\.714 SOL\), fees included$/);
    const { message, detail } = summaryQuestion([open(1), open(2)], summary);
    assert.equal(message, 'Close 2 positions?');
    assert.match(
      detail,
      /^P1\/SOL: estimated return .+\nP2\/SOL: .+\n\nEstimated total return: \$204\.00 .+\nEach is closed, and its tokens are swapped to SOL\.\nMax slippage: 1%\n\nYou are asked again only if the review finds anything\. /,
    );
    assert.doesNotMatch(summaryQuestion([open(1)], summary).detail, /total return/);
  });
});
