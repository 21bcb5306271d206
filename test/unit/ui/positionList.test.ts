import assert from 'node:assert/strict';
import { array, assert as check, constantFrom, float, option, property, record } from 'fast-check';
import type { OpenPosition } from '../../../src/service/positions';
import { shortAddress } from '../../../src/base/format/identifiers';
import {
  listPositions,
  POSITION_GROUPINGS,
  POSITION_SORTS,
  type PositionListFilter,
  type PositionListOptions,
  positionNames,
  PositionNames,
} from '../../../src/ui/positions/positionList';
import { PositionListControl } from '../../../src/ui/positions/positionListControl';
import { positionListCommands } from '../../../src/ui/positions/positionListCommands';
import { RememberedChoice } from '../../../src/ui/shell/rememberedChoice';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import { fail, MemoryState } from '../../support/ui/memory';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';

const FILTERS: readonly PositionListFilter[] = ['all', 'outOfRange', 'inRange', 'profit', 'loss'];
const USUAL: PositionListOptions = { sortBy: 'attention', groupBy: 'none', filter: 'all' };

const usd = (figure: number | undefined) => ({ usd: figure, native: undefined });
const keysOf = (positions: readonly OpenPosition[]) => positions.map(({ key }) => key);
const keys = (...numbers: readonly number[]) => numbers.map((number) => openPosition(number).key);

describe('The list of positions', () => {
  const positions = [
    openPosition(1, { pnlPercent: usd(-5), pnl: usd(-50), value: usd(1_000), uncollectedFee: usd(1), ageHours: 3, pairName: 'b/SOL' }),
    openPosition(2, { pnlPercent: usd(8), pnl: usd(1), value: usd(10), uncollectedFee: usd(9), ageHours: 300, pairName: 'A/SOL' }),
    openPosition(3, {
      ...{ pnlPercent: usd(undefined), pnl: usd(undefined), value: usd(undefined), uncollectedFee: usd(undefined) },
      ...{ ageHours: undefined, pairName: 'C/SOL', inRange: undefined },
    }),
    openPosition(4, {
      pnlPercent: usd(1),
      pnl: usd(70),
      value: usd(100),
      uncollectedFee: usd(3),
      ageHours: 30,
      inRange: false,
      pairName: 'D/SOL',
    }),
  ];

  it('The list can be sorted by each figure, and positions without it come last', () => {
    const order = (sortBy: PositionListOptions['sortBy']) => keysOf(listPositions(positions, { ...USUAL, sortBy }).positions);
    assert.deepEqual(order('attention'), keys(4, 3, 1, 2));
    assert.deepEqual(order('pnlPercent'), keys(2, 4, 1, 3));
    assert.deepEqual(order('pnl'), keys(4, 2, 1, 3));
    assert.deepEqual(order('value'), keys(1, 4, 2, 3));
    assert.deepEqual(order('fees'), keys(2, 4, 1, 3));
    assert.deepEqual(order('age'), keys(2, 4, 1, 3));
    assert.deepEqual(order('pair'), keys(2, 1, 3, 4));
  });

  it('The list can be filtered by range and by result, and sums up what is listed', () => {
    const listed = (filter: PositionListFilter) => listPositions(positions, { ...USUAL, filter });
    assert.deepEqual(
      FILTERS.map((filter) => keysOf(listed(filter).positions).length),
      [4, 1, 2, 2, 1],
    );
    assert.deepEqual([listed('profit').totals.pnlUsd, listed('profit').hidden], [71, 2]);
  });

  it('The list can be grouped by range status, out of range first, and by pool', () => {
    const groups = (groupBy: PositionListOptions['groupBy'], all: readonly OpenPosition[]) =>
      listPositions(all, { ...USUAL, groupBy }).groups.map(({ key, positions: below }) => [key, keysOf(below)]);
    assert.deepEqual(groups('range', positions), [
      ['outOfRange', keys(4)],
      ['unknown', keys(3)],
      ['inRange', keys(1, 2)],
    ]);
    const [pool, other] = [addressOf(500), addressOf(501)];
    assert.deepEqual(groups('pool', [openPosition(1), openPosition(2, { pool: other }), openPosition(3)]), [
      [pool, keys(1, 3)],
      [other, keys(2)],
    ]);
    assert.deepEqual(groups('none', positions), []);
  });

  it('No order, grouping or filter loses or repeats a position, whatever the figures are', () => {
    const figure = option(float(), { nil: undefined });
    const parts = record({ inRange: constantFrom(true, false, undefined), ageHours: figure, pnl: figure.map(usd), value: figure.map(usd) });
    check(
      property(
        array(parts),
        constantFrom(...POSITION_SORTS),
        constantFrom(...POSITION_GROUPINGS),
        constantFrom(...FILTERS),
        (drawn, sortBy, groupBy, filter) => {
          const all = drawn.map((part, number) => openPosition(number, part));
          const { positions: listed, groups, hidden } = listPositions(all, { sortBy, groupBy, filter });
          assert.equal(new Set(keysOf(listed)).size, listed.length);
          assert.equal(listed.length + hidden, all.length);
          assert.ok(keysOf(listed).every((key) => keysOf(all).includes(key)));
          if (groupBy === 'none' || groupBy === 'wallet') {
            assert.deepEqual(groups, []);
          } else {
            assert.deepEqual(keysOf(groups.flatMap((group) => group.positions)).sort(), keysOf(listed).sort());
          }
          assert.deepEqual(keysOf(listPositions(all.toReversed(), { sortBy, groupBy, filter }).positions), keysOf(listed));
        },
      ),
    );
  });

  it('A pair that repeats is named with its bin step, with its range if that repeats, and with its address if both do', () => {
    const names = [
      ...positionNames([
        openPosition(1, { pairName: 'A/SOL' }),
        openPosition(2, { pairName: 'B/SOL', binStepBps: 20 }),
        openPosition(3, { pairName: 'B/SOL', binStepBps: 80 }),
        openPosition(4, { pairName: 'B/SOL', poolType: 'dammV2' }),
        openPosition(5, { pairName: 'C/SOL', lowerBinId: -386, upperBinId: -376 }),
        openPosition(6, { pairName: 'C/SOL', lowerBinId: 5, upperBinId: 9 }),
        openPosition(7, { pairName: 'D/SOL', lowerBinId: 5, upperBinId: 9 }),
        openPosition(8, { pairName: 'D/SOL', lowerBinId: 5, upperBinId: 9 }),
      ]).values(),
    ];
    assert.deepEqual(names, [
      'A/SOL',
      'B/SOL 20 bps',
      'B/SOL 80 bps',
      'B/SOL DAMM v2',
      'C/SOL −386 … −376',
      'C/SOL 5 … 9',
      ...[7, 8].map((number) => `D/SOL 5 … 9 (${shortAddress(openPosition(number).address)})`),
    ]);
    assert.equal(new Set(names).size, names.length);
  });

  it('Names that are kept between reads are the ones that would be made from the new list', () => {
    const part = record({
      pairName: constantFrom('A/SOL', 'B/SOL'),
      binStepBps: constantFrom(20, 80),
      lowerBinId: constantFrom(-5, 5),
      value: constantFrom({ usd: 1, native: 2 }, { usd: 3, native: 4 }),
    });
    const list = array(part, { maxLength: 5 }).map((parts) => parts.map((one, number) => openPosition(number, one)));
    check(
      property(array(list, { maxLength: 6 }), (reads) => {
        const kept = new PositionNames();
        for (const positions of reads) {
          assert.deepEqual(kept.of(positions), positionNames(positions));
          assert.deepEqual(kept.of(positions.toReversed()), positionNames(positions));
        }
      }),
    );
  });
});

describe('The options of the Positions view', () => {
  const listIn = (state: MemoryState) =>
    new PositionListControl(
      {
        sortBy: new RememberedChoice(state, 'binsight.positionOrder', POSITION_SORTS),
        groupBy: new RememberedChoice(state, 'binsight.positionGroups', POSITION_GROUPINGS),
      },
      fail,
    );

  it('One command marks the filter, the order and the groups in use, changes each of them, and changes nothing when it is cancelled', async () => {
    const list = listIn(new MemoryState());
    const marked: (readonly string[])[] = [];
    const prompts = new ScriptedPrompts([{ pick: 'Losses' }, { pick: 'Value' }, { pick: 'Pool' }, 'escape', { pick: 'All' }]);
    const { 'binsight.viewOptions': choose } = positionListCommands({
      prompts: {
        pick: (request) => {
          marked.push(request.items.filter(({ icon }) => icon === 'check').map(({ label }) => label));
          return prompts.pick(request);
        },
      },
      list,
    });
    for (let round = 0; round < 4; round += 1) {
      await choose(undefined);
    }
    assert.deepEqual(list.options, { sortBy: 'value', groupBy: 'pool', filter: 'loss' });
    assert.deepEqual(marked, [
      ['All', 'Needs attention', 'None'],
      ['Losses', 'Needs attention', 'None'],
      ['Losses', 'Value', 'None'],
      ['Losses', 'Value', 'Pool'],
    ]);
    await choose(undefined);
    assert.equal(list.options.filter, 'all');
    prompts.assertDone();
  });

  it('Order and groups are remembered for the next window, a filter is not, and what cannot be read counts as the usual order', async () => {
    const state = new MemoryState();
    const list = listIn(state);
    await list.sort('fees');
    await list.group('wallet');
    list.filter('loss');
    assert.deepEqual(listIn(state).options, { sortBy: 'fees', groupBy: 'wallet', filter: 'all' });
    await state.update('binsight.positionOrder', 'size');
    await state.update('binsight.positionGroups', { by: 'pool' });
    assert.deepEqual(listIn(state).options, { sortBy: 'attention', groupBy: 'none', filter: 'all' });
  });
});
