import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ClosedTable } from '../../../../../src/ui/panels/overview/closedTable';
import { addressOf, OTHER_OWNER } from '../../../../support/portfolio/fixtures';
import { closedPosition } from '../../../../support/ui/panels/overview/fixtures';

const figure = fc.option(fc.double({ noNaN: true }), { nil: undefined });
const money = fc.record({ usd: figure, native: figure }, { noNullPrototype: true });
const date = fc.option(fc.date({ noInvalidDate: true }), { nil: undefined });
const positions = fc
  .record({
    input: money,
    pnl: money,
    collectedReward: money,
    ageHours: figure,
    closedAt: date,
    createdAt: date,
    lowerBinId: fc.option(fc.integer(), { nil: undefined }),
    pairName: fc.string(),
    strategy: fc.constantFrom('Spot' as const, undefined),
    address: fc.constantFrom(addressOf(7), undefined),
    doubt: fc.constantFrom('reported' as const, 'contradicted' as const),
    isFeeEstimate: fc.constant(true),
    followed: fc.constantFrom(
      undefined,
      { owner: OTHER_OWNER, label: 'whale', position: addressOf(3) },
      { owner: undefined, label: undefined, position: undefined },
    ),
  })
  .map(({ doubt, isFeeEstimate, ...part }) => closedPosition(1, part.lowerBinId === undefined ? part : { ...part, doubt, isFeeEstimate }));

describe('The table of closed positions', () => {
  it('A position comes out of the table exactly as it was put in', () => {
    fc.assert(
      fc.property(fc.array(positions, { maxLength: 20 }), (all) => {
        const table = new ClosedTable();
        const rows = all.map((position, index) => table.add(String(index), position));
        assert.deepEqual(
          rows.map((row) => table.at(row)),
          all,
        );
        assert.ok(all.every((position, index) => table.equals(rows[index] ?? NaN, position)));
      }),
    );
  });

  it('A position with any other figure or text is not taken for the same', () => {
    const table = new ClosedTable();
    const row = table.add('a', closedPosition(1));
    for (const other of [
      { pnl: { usd: 1, native: 2 } },
      { pairName: 'X/Y' },
      { closedAt: undefined },
      { doubt: 'contradicted' as const },
      { isFeeEstimate: true },
      { followed: { owner: OTHER_OWNER, label: '', position: undefined } },
    ]) {
      assert.equal(table.equals(row, closedPosition(1, other)), false);
    }
  });

  it('A copy of the table and the table itself grow independently', () => {
    const table = new ClosedTable();
    for (let number = 0; number < 1_500; number += 1) {
      table.add(String(number), closedPosition(number));
    }
    const copy = table.copy();
    copy.add('copy', closedPosition(9_001));
    table.add('table', closedPosition(9_002));
    assert.deepEqual([copy.key(1_500), table.key(1_500), copy.at(1_023), copy.count], ['copy', 'table', closedPosition(1_023), 1_501]);
    assert.deepEqual([table.at(1_500).address, copy.at(1_500).address], [closedPosition(9_002).address, closedPosition(9_001).address]);
  });
});
