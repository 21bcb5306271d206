import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HISTORY_RESULTS, historyColumn } from '../../../../../src/protocol/overview';
import type { ClosedPosition } from '../../../../../src/service/positions';
import { ClosedPages } from '../../../../../src/ui/panels/overview/closedPages';
import { type ClosedQuery, ClosedView } from '../../../../../src/ui/panels/overview/closedView';
import { addressOf, OTHER_OWNER, OWNER } from '../../../../support/portfolio/fixtures';
import { closedPage, closedPosition } from '../../../../support/ui/panels/overview/fixtures';

const NEWEST: ClosedQuery = { search: '', result: 'all', sort: { column: 'closedAtMs', order: 'desc' }, currency: 'usd' };
const NEVER = new AbortController().signal;

const figure = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined });
const money = fc.record({ usd: figure, native: figure });
/** Few values, so that many rows are equal. */
const part = fc.record({
  input: money,
  output: money,
  fee: money,
  pnl: money,
  pnlPercent: money,
  dailyReturn: money,
  ageHours: figure,
  pairName: fc.constantFrom('BONQ/SOL', 'jupp/SOL', 'WYFF/USDC'),
});
/** A position that comes again has the same closing: with another one it is a further position of its address. */
const closedAtOf = (number: number): Date | undefined => (number % 5 === 0 ? undefined : new Date(Date.UTC(2026, 0, (number % 4) + 1)));

/** Pages with positions, of which some come again, with the same figures or others. */
const pages = fc.array(fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), part), { maxLength: 12 }), { maxLength: 8 });
const queries = fc.record({
  search: fc.constantFrom('', 'sol', 'BONQ', 'usdc wyff', 'none such'),
  result: fc.constantFrom(...HISTORY_RESULTS),
  sort: fc.record({ column: fc.constantFrom(...historyColumn.options), order: fc.constantFrom('asc' as const, 'desc' as const) }),
  currency: fc.constantFrom('usd' as const, 'native' as const),
});

/** The rows that a query finds, sorted as a whole by what the columns show. */
function expected(
  positions: Iterable<readonly [string, ClosedPosition]>,
  { search, result, sort, currency }: ClosedQuery,
): readonly string[] {
  const valueOf = (position: ClosedPosition): string | number | undefined => {
    switch (sort.column) {
      case 'pairName':
        return position.pairName.toLowerCase();
      case 'closedAtMs':
        return position.closedAt?.getTime();
      case 'ageHours':
        return position.ageHours;
      default:
        return position[sort.column][currency];
    }
  };
  const by = (one: string | number | undefined, other: string | number | undefined, sign: number): number =>
    one === undefined || other === undefined
      ? Number(one === undefined) - Number(other === undefined)
      : sign * (one < other ? -1 : one > other ? 1 : 0);
  return [...positions]
    .filter(([, { pairName, pnl }]) => {
      const words = search.toLowerCase().split(' ');
      const gain = pnl[currency] ?? 0;
      return (
        words.every((word) => pairName.toLowerCase().includes(word)) && (result === 'all' || (result === 'gains' ? gain > 0 : gain < 0))
      );
    })
    .sort(
      ([oneKey, one], [otherKey, other]) =>
        by(valueOf(one), valueOf(other), sort.order === 'asc' ? 1 : -1) ||
        by(one.closedAt?.getTime(), other.closedAt?.getTime(), -1) ||
        (oneKey < otherKey ? -1 : 1),
    )
    .map(([key]) => key);
}

describe('The shown closed positions', () => {
  it('A window of the rows equals that part of all rows sorted at once, whatever the order in which pages arrive', async () => {
    await fc.assert(
      fc.asyncProperty(pages, queries, fc.nat(8), fc.nat(50), fc.nat(50), async (lots, query, filledAfter, from, count) => {
        const views: ClosedView[] = [];
        const read = new ClosedPages((change) => views.forEach((view) => view.apply(change)));
        const known = new Map<string, ClosedPosition>();
        // One view sees every page, another one is filled when some pages are there and more arrive meanwhile.
        const early = new ClosedView(read.table, query);
        const late = new ClosedView(read.table, query);
        views.push(early);
        let filling: Promise<void> | undefined;
        for (const [index, lot] of lots.entries()) {
          if (index === filledAfter) {
            filling = late.fill(read.rows(), NEVER);
            views.push(late);
          }
          const items = lot.map(([number, figures]) => closedPosition(number, { ...figures, closedAt: closedAtOf(number) }));
          await read.readNext(() => Promise.resolve({ ...closedPage([], { owner: OWNER }), items, hasNextPage: true }));
          items.forEach((position) => known.set(position.address ?? '', position));
        }
        filling ??= late.fill(read.rows(), NEVER);
        await filling;
        const all = expected(known, query);
        for (const view of [early, late]) {
          assert.equal(view.count, all.length);
          assert.deepEqual(
            view.window(from, count).map((row) => read.table.key(row)),
            all.slice(from, from + count),
          );
          all.forEach((key, index) => assert.equal(view.indexOf(read.rowOf(key) ?? NaN), index));
          const gains = all.flatMap((key) => known.get(key)?.pnl.usd ?? []);
          assert.equal(view.sums().pnl.usd, gains.length === 0 ? undefined : gains.reduce((sum, gain) => sum + gain, 0));
        }
      }),
    );
  });

  it('Thousands of rows are sorted in runs that are merged, and stay sorted when more arrive', async () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_003);
    const read = new ClosedPages();
    const load = (some: readonly number[]): Promise<void> =>
      read.readNext(() =>
        Promise.resolve({ ...closedPage([], { owner: OWNER }), items: some.map((number) => closedPosition(number)), hasNextPage: true }),
      );
    await load(numbers.slice(0, 4_900));
    const view = new ClosedView(read.table, { ...NEWEST, sort: { column: 'pnl', order: 'asc' } });
    await view.fill(read.rows(), NEVER);
    const before = read.table.count;
    await load(numbers.slice(4_900));
    view.apply({ added: Array.from({ length: 100 }, (_, index) => before + index), removed: [] });
    assert.deepEqual(
      view.window(0, 5_000).map((row) => read.table.at(row).address),
      numbers.toSorted((a, b) => b - a).map((number) => closedPosition(number).address),
    );
  });

  it('Sorting ends when other rows are requested', async () => {
    const read = new ClosedPages();
    await read.readNext(() => Promise.resolve({ ...closedPage([], { owner: OWNER }), items: [closedPosition(1)], hasNextPage: true }));
    await assert.rejects(new ClosedView(read.table, NEWEST).fill(read.rows(), AbortSignal.abort(new Error('superseded'))), /superseded/);
  });

  it('Search finds rows by pair, address and followed wallet, with all words and in any case', async () => {
    const read = new ClosedPages();
    const items = [
      closedPosition(3, { pairName: 'JUPP/SOL' }),
      closedPosition(2, { pairName: 'BONQ/SOL' }),
      closedPosition(1, { pairName: 'BONQ/SOL', followed: { owner: OTHER_OWNER, label: 'whale of March', position: undefined } }),
    ];
    await read.readNext(() => Promise.resolve({ ...closedPage([], { owner: OWNER }), items }));
    const found = async (search: string): Promise<readonly number[]> => {
      const view = new ClosedView(read.table, { ...NEWEST, search });
      await view.fill(read.rows(), NEVER);
      return view.window(0, 10).map((row) => 3 - row);
    };
    assert.deepEqual(await found('jupp'), [3]);
    assert.deepEqual(await found((items[1]?.address ?? '').toUpperCase()), [2]);
    assert.deepEqual(await found(addressOf(500)), [3, 2, 1], 'the pool');
    assert.deepEqual(await found('  march  WHALE '), [1]);
    assert.deepEqual(await found('bonq march'), [1]);
    assert.deepEqual(await found('march jupp'), []);
    assert.equal((await found('   ')).length, 3);
  });

  it('Sums leave out what is not reported or cannot be real, and the percentage is that of all deposits together', async () => {
    const read = new ClosedPages();
    const view = new ClosedView(read.table, NEWEST);
    const items = [
      closedPosition(1, { input: { usd: 100, native: 1 }, pnl: { usd: 10, native: 0.1 } }),
      closedPosition(2, { input: { usd: 900, native: 9 }, pnl: { usd: -60, native: -0.1 } }),
      closedPosition(3, { input: { usd: 50, native: 1 }, pnl: { usd: 1e30, native: undefined } }),
    ];
    await read.readNext(() => Promise.resolve({ ...closedPage([], { owner: OWNER }), items }));
    view.apply({ added: [0, 1, 2], removed: [] });
    const { input, pnl, pnlPercent, leftOut, counts } = view.sums();
    assert.deepEqual([input.usd, pnl.usd, pnlPercent.usd, leftOut], [1_050, -50, -5, { usd: 1, native: 1 }]);
    assert.deepEqual(
      [counts.input, counts.pnl],
      [
        { usd: 3, native: 3 },
        { usd: 2, native: 2 },
      ],
    );
    view.apply({ added: [], removed: [1] });
    assert.deepEqual([view.sums().pnl.usd, view.sums().pnlPercent.usd], [10, 10]);
  });

  it('A position that is replaced among thousands costs no visit to all the others', async () => {
    const read = new ClosedPages();
    const items = Array.from({ length: 5_000 }, (_, index) => closedPosition(index, { pnl: { usd: index / 100, native: 0 } }));
    await read.readNext(() => Promise.resolve({ ...closedPage([], { owner: OWNER }), items, hasNextPage: true }));
    const { table } = read;
    const view = new ClosedView(table, NEWEST);
    await view.fill(read.rows(), NEVER);
    const before = view.sums().pnl.usd ?? NaN;
    const replacement = table.add('other', closedPosition(7, { pnl: { usd: 1_000.07, native: 0 } }));
    let visits = 0;
    const figure = table.figure.bind(table);
    table.figure = (...args) => {
      visits += 1;
      return figure(...args);
    };
    view.apply({ added: [replacement], removed: [read.rowOf(items[7]?.address ?? '') ?? NaN] });
    const { pnl, leftOut } = view.sums();
    assert.ok(Math.abs((pnl.usd ?? NaN) - before - 1_000) < 1e-9);
    assert.deepEqual([view.count, leftOut], [5_000, { usd: 0, native: 0 }]);
    assert.ok(visits < 500, `${visits} figures were read`);
  });
});
