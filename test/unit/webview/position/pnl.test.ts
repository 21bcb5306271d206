import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pnlSum } from '../../../../webview/position/pnl';

const both = (usd: number | undefined) => ({ usd, native: usd });
const dollars = fc.double({ min: 0, max: 1e9, noNaN: true });

describe('Parts of a PnL', () => {
  it('The lines add up to the PnL that the service reports, whatever it is', () => {
    fc.assert(
      fc.property(
        dollars,
        dollars,
        dollars,
        dollars,
        dollars,
        dollars,
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        (value, uncollectedFee, collectedFee, output, input, reward, pnl) => {
          const sum = pnlSum(
            {
              value: both(value),
              uncollectedFee: both(uncollectedFee),
              collectedFee: both(collectedFee),
              output: both(output),
              input: both(input),
              collectedReward: both(reward),
              pnl: both(pnl),
            },
            'usd',
          );
          const total = sum.lines.reduce((so, { sign, amount }) => so + sign * (amount ?? NaN), 0);
          assert.ok(sum.isComplete);
          assert.ok(Math.abs(total - pnl) <= 0.01 + 1e-4 * Math.max(value, uncollectedFee, collectedFee, output, input, Math.abs(pnl)));
        },
      ),
    );
  });

  const known = {
    value: both(800),
    uncollectedFee: both(12),
    collectedFee: both(20),
    output: both(100),
    input: both(900),
    collectedReward: both(5),
  };
  const parts = (pnl: number) => pnlSum({ ...known, pnl: both(pnl) }, 'usd').lines.map(({ part }) => part);

  it('A remainder within rounding has no line', () => {
    assert.deepEqual(parts(32), ['value', 'uncollectedFee', 'collectedFee', 'output', 'input']);
    assert.deepEqual(parts(32.05), ['value', 'uncollectedFee', 'collectedFee', 'output', 'input']);
  });

  it('Collected rewards have a line if they explain the difference', () => {
    assert.deepEqual(parts(37), ['value', 'uncollectedFee', 'collectedFee', 'output', 'collectedReward', 'input']);
  });

  it('Unclaimed rewards have a line where the pool gives some, and an unknown price leaves the sum incomplete', () => {
    const waiting = (worth: number | undefined) =>
      pnlSum({ ...known, uncollectedRewards: { worth: both(worth), tokens: [] }, pnl: both(39) }, 'usd');
    assert.deepEqual(waiting(7).lines[2], { part: 'uncollectedReward', sign: 1, amount: 7 });
    assert.deepEqual([waiting(7).lines.length, waiting(7).isComplete, waiting(undefined).isComplete], [6, true, false]);
  });

  it('An unexplained remainder has its own line', () => {
    const { lines } = pnlSum({ ...known, pnl: both(-10) }, 'usd');
    assert.deepEqual(lines.at(-1), { part: 'rest', sign: 1, amount: -42 });
  });

  it('The sum is incomplete and has no remainder if a part is unknown', () => {
    const sum = pnlSum({ ...known, output: both(undefined), pnl: both(-10) }, 'native');
    assert.equal(sum.isComplete, false);
    assert.equal(sum.lines.length, 5);
  });
});
