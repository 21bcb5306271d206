import assert from 'node:assert/strict';
import { array, assert as check, boolean, constantFrom, float, option, property, record } from 'fast-check';
import type { OpenPosition } from '../../../../src/service/positions';
import { type NoticeRules, type PositionNotice, PositionWatch } from '../../../../src/ui/notices/positionWatch';
import { openPosition } from '../../../support/portfolio/fixtures';

const ALL: NoticeRules = { leftRange: true, enteredRange: true, pnlAbovePercent: 20, pnlBelowPercent: -20, feesAboveUsd: 10 };
const usd = (figure: number | undefined) => ({ usd: figure, native: undefined });

/** Without the changes of the range that other windows need to know of only. */
function wanted(notices: readonly PositionNotice[]): readonly PositionNotice[] {
  return notices.filter((notice) => 'threshold' in notice || notice.isWanted);
}

/** What is reported, read by read. */
function reported(parts: readonly Partial<OpenPosition>[], rules: NoticeRules = ALL): readonly (readonly string[])[] {
  const watch = new PositionWatch();
  return parts.map((part, place) => wanted(watch.observe([openPosition(1, part)], rules, place * 60_000)).map(({ kind }) => kind));
}

describe('Notices about positions', () => {
  it('A position that leaves its range is reported once, when a second read confirms it', () => {
    const reads = [true, false, false, false, true, true, false, false].map((inRange) => ({ inRange }));
    assert.deepEqual(reported(reads), [[], [], ['leftRange'], [], [], ['enteredRange'], [], ['leftRange']]);
  });

  it('A price that crosses the edge back and forth with every read is never reported', () => {
    const reads = Array.from({ length: 40 }, (_, place) => ({ inRange: place % 2 === 0 }));
    assert.deepEqual(reported(reads).flat(), []);
  });

  it('What was so when a position was first seen is not reported, and an unknown status changes nothing', () => {
    const outside = { inRange: false, pnlPercent: usd(50), uncollectedFee: usd(99) };
    assert.deepEqual(reported([outside, outside, outside]).flat(), []);
    const reads = [true, undefined, false, undefined, false].map((inRange) => ({ inRange }));
    assert.deepEqual(reported(reads).flat(), ['leftRange']);
  });

  it('PnL that passes a threshold is reported once, and again only after it has come back', () => {
    const above = [10, 20, 25, 19, 21, 17.9, 20].map((percent) => ({ pnlPercent: usd(percent) }));
    assert.deepEqual(reported(above), [[], ['pnlAbove'], [], [], [], [], ['pnlAbove']]);
    const below = [0, -20, -19, -20, -17.9, -25].map((percent) => ({ pnlPercent: usd(percent) }));
    assert.deepEqual(reported(below), [[], ['pnlBelow'], [], [], [], ['pnlBelow']]);
  });

  it('Unclaimed fees are reported when they are worth claiming, and again after they were claimed', () => {
    const reads = [9, 10, 12, 6, 11, 0, 10].map((fees) => ({ uncollectedFee: usd(fees) }));
    assert.deepEqual(reported(reads), [[], ['feesAbove'], [], [], [], [], ['feesAbove']]);
  });

  it('A threshold that is set or moved reports nothing by itself', () => {
    const watch = new PositionWatch();
    const positions = [openPosition(1, { pnlPercent: usd(30) })];
    assert.deepEqual(wanted(watch.observe(positions, { ...ALL, pnlAbovePercent: undefined }, 0)), []);
    assert.deepEqual(wanted(watch.observe(positions, ALL, 0)), []);
    assert.deepEqual(wanted(watch.observe(positions, { ...ALL, pnlAbovePercent: 25 }, 0)), []);
  });

  it('A switch that is off reports nothing, and switching it on later reports nothing of before', () => {
    const off: NoticeRules = {
      leftRange: false,
      enteredRange: false,
      pnlAbovePercent: undefined,
      pnlBelowPercent: undefined,
      feesAboveUsd: undefined,
    };
    const watch = new PositionWatch();
    for (const inRange of [true, false, false]) {
      assert.deepEqual(wanted(watch.observe([openPosition(1, { inRange, pnlPercent: usd(90) })], off, 0)), []);
    }
    assert.deepEqual(wanted(watch.observe([openPosition(1, { inRange: false, pnlPercent: usd(90) })], ALL, 0)), []);
  });

  it('A notice says until when the opposite was seen, and a change of the range is known although its switch is off', () => {
    const watch = new PositionWatch();
    const rules = { ...ALL, leftRange: false };
    const seen = [
      { inRange: true, pnlPercent: usd(0) },
      { inRange: true, pnlPercent: usd(10) },
      { inRange: false, pnlPercent: usd(25) },
      { inRange: false, pnlPercent: usd(25) },
    ].flatMap((part, place) => watch.observe([openPosition(1, part)], rules, place * 60_000));
    assert.deepEqual(
      seen.map((notice) => [notice.kind, notice.sinceMs, 'isWanted' in notice && notice.isWanted]),
      [
        ['pnlAbove', 60_000, false],
        ['leftRange', 60_000, false],
      ],
    );
  });

  it('Whatever is read, a notice of one kind is never repeated without its opposite in between', () => {
    const figure = option(float({ min: -100, max: 100, noNaN: true }), { nil: undefined });
    const reads = array(
      record({ inRange: constantFrom(true, false, undefined), pnlPercent: figure.map(usd), uncollectedFee: figure.map(usd) }),
      { maxLength: 60 },
    );
    check(
      property(reads, boolean(), (parts, isReset) => {
        const watch = new PositionWatch();
        let last: string | undefined;
        for (const part of parts) {
          for (const { kind } of wanted(watch.observe([openPosition(1, part)], ALL, 0))) {
            if (kind === 'leftRange' || kind === 'enteredRange') {
              assert.notEqual(kind, last);
              last = kind;
            }
          }
        }
        if (isReset) {
          watch.reset();
          assert.deepEqual(wanted(watch.observe([openPosition(1, parts.at(-1) ?? {})], ALL, 0)), []);
        }
      }),
    );
  });
});
