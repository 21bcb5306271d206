import assert from 'node:assert/strict';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { OpenPosition } from '../../../src/service/positions';
import type { OperationResult } from '../../../src/transactions/types';
import { claimAll } from '../../../src/ui/rebalance/claimAll';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock, fakeService, openPosition, OWNER } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

const SETTLED: OperationResult = { kind: 'settled', signature: undefined, position: undefined };
const open = (number: number, part: Partial<OpenPosition> = {}) => openPosition(number, { pairName: `P${number}/SOL`, ...part });
const fees = (usd: number) => ({ uncollectedFee: { usd, native: usd / 150 } });
const many = (count: number) => Array.from({ length: count }, (_, index) => open(index + 1));

function bench(listed: OpenPosition[], answers: readonly ScriptedAnswer[], results: readonly (OperationResult | Error)[]) {
  const clock = new FakeClock();
  const service = fakeService({ openPositions: () => Promise.resolve({ items: [...listed], warnings: [] }) });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  portfolio.setOwner(OWNER);
  const prompts = new ScriptedPrompts(answers);
  const claimed: (readonly [positions: number, place: string | undefined])[] = [];
  const run = () =>
    claimAll(OWNER, undefined, {
      prompts,
      portfolio,
      busy: new BusyPositions(fail),
      claimer: () =>
        Promise.resolve({
          claim: (positions, _, { place } = {}) => {
            const result = results[claimed.length] ?? SETTLED;
            claimed.push([positions.length, place]);
            return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
          },
        }),
      keep: () => () => Promise.resolve(),
      nowMs: () => clock.now(),
      log: () => undefined,
      actions: { focusActivity: () => Promise.resolve() },
      waiting: { nowMs: () => clock.now(), log: () => undefined },
    });
  return { prompts, claimed, run };
}

describe('Claiming from all positions', () => {
  it('offers those with $1 or more to claim together, and claims from what stays selected', async () => {
    const reward = { token: open(1).token0, amount: 3, worth: { usd: 0.8, native: undefined } };
    const listed = [
      open(1, fees(5)),
      open(2, fees(0.5)),
      open(3, { ...fees(0.3), uncollectedRewards: [reward] }),
      open(4, { poolType: 'other' }),
    ];
    const rig = bench(listed, [{ untick: ['P1'] }], []);
    await rig.run();
    assert.deepEqual(rig.prompts.asked[0]?.shown, ['P1/SOL', 'P3/SOL']);
    assert.deepEqual(rig.claimed, [[1, undefined]]);
    await assert.rejects(bench([open(2, fees(0.5))], [], []).run(), /\$1\.00 or more to claim/);
  });

  it('claims twelve at a time and says which part it is; a failure does not stop the rest, and is told at the end', async () => {
    const rig = bench(many(25), [{ untick: [] }], [SETTLED, new Error('The service is down')]);
    await assert.rejects(rig.run(), /The service is down/);
    assert.deepEqual(rig.claimed, [
      [12, '1 of 3'],
      [12, '2 of 3'],
      [1, '3 of 3'],
    ]);
  });

  it('stops between two parts where the user declines one, or cancels while it lands', async () => {
    for (const result of [
      { kind: 'declined' },
      { kind: 'landedNotListed', signature: undefined, position: undefined, stoppedWaiting: true },
    ] as const) {
      const rig = bench(many(25), [{ untick: [] }], [result]);
      await rig.run();
      assert.equal(rig.claimed.length, 1, result.kind);
    }
  });
});
