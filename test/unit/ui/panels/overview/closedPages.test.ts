import assert from 'node:assert/strict';
import { ClosedPages, type ReadClosedPage } from '../../../../../src/ui/panels/overview/closedPages';
import { newestFirst } from '../../../../../src/ui/panels/overview/closedView';
import type { ClosedPosition } from '../../../../../src/service/positions';
import { OWNER } from '../../../../support/portfolio/fixtures';
import { closedPage, closedPosition } from '../../../../support/ui/panels/overview/fixtures';

/** A service whose list grows while it is read. */
function listing(count: number) {
  const all = Array.from({ length: count }, (_, index) => closedPosition(index));
  const asked: number[] = [];
  const read: ReadClosedPage = (page) => {
    asked.push(page);
    return Promise.resolve(closedPage(all, { owner: OWNER, page, pageSize: 100 }));
  };
  const close = (more: number) => {
    const { length } = all;
    all.push(...Array.from({ length: more }, (_, index) => closedPosition(length + index)));
  };
  return { all, asked, read, close };
}

const keysOf = (positions: readonly ClosedPosition[]) => positions.toReversed().map(({ key }) => key);
const keptIn = async (pages: ClosedPages) =>
  (await newestFirst(pages.table, pages.rows(), new AbortController().signal)).map((row) => pages.table.key(row));

describe('Pages of closed positions', () => {
  it('Pages of closed positions are joined in order and end with the last page of the service', async () => {
    const { all, asked, read } = listing(250);
    const pages = new ClosedPages();
    while (pages.hasMore) {
      await pages.readNext(read);
    }
    assert.deepEqual(asked, [1, 2, 3]);
    assert.deepEqual(await keptIn(pages), keysOf(all));
    assert.deepEqual([pages.count, pages.totalCount], [250, 250]);
  });

  it('Every position appears once when positions close meanwhile, and catching up adds the new ones', async () => {
    const { all, asked, read, close } = listing(250);
    const pages = new ClosedPages();
    await pages.readNext(read);
    close(130);
    while (pages.hasMore) {
      await pages.readNext(read);
    }
    assert.deepEqual([pages.count, pages.totalCount], [280, 380], 'without the hundred newest');
    asked.length = 0;
    await pages.catchUp(read);
    assert.deepEqual(asked, [1, 2], 'as far as the first that was known');
    assert.deepEqual(await keptIn(pages), keysOf(all));
    await pages.catchUp(read);
    assert.deepEqual(asked, [1, 2, 1]);
  });

  it('Two positions at one address, which was used again, have a row each, on one page or on two', async () => {
    const [first, second] = [closedPosition(1), { ...closedPosition(2), address: closedPosition(1).address }];
    const pages = new ClosedPages();
    await pages.catchUp(() => Promise.resolve(closedPage([first], { owner: OWNER, page: 1, pageSize: 100 })));
    for (let count = 0; count < 2; count += 1) {
      await pages.catchUp(() => Promise.resolve(closedPage([first, second], { owner: OWNER, page: 1, pageSize: 100 })));
      assert.equal(new Set(await keptIn(pages)).size, 2);
      assert.equal(pages.count, 2);
    }
  });

  it('A copy of the pages reads on independently', async () => {
    const { read } = listing(250);
    const pages = new ClosedPages();
    await pages.readNext(read);
    const copy = pages.copy();
    await copy.readNext(read);
    assert.deepEqual([pages.count, pages.pagesRead, copy.count, copy.pagesRead], [100, 1, 200, 2]);
  });

  it('The pages stay unchanged if one cannot be read', async () => {
    const { read } = listing(250);
    const pages = new ClosedPages();
    await pages.readNext(read);
    await assert.rejects(pages.readNext(() => Promise.reject(new Error('down'))));
    assert.deepEqual([pages.count, pages.pagesRead, pages.hasMore], [100, 1, true]);
  });

  it('Catching up ends with a service that always announces another unreadable page', async () => {
    const { read } = listing(250);
    const pages = new ClosedPages();
    await pages.readNext(read);
    let reads = 0;
    await pages.catchUp((page) => {
      reads += 1;
      assert.ok(reads < 5, 'it would never end');
      return Promise.resolve({ items: [], warnings: [], page, pageSize: 100, totalCount: 9_999, totalPages: 100, hasNextPage: true });
    });
    assert.deepEqual([reads, pages.count], [1, 100]);
  });

  it('Reading ends with a service that returns the same page forever', async () => {
    const { read } = listing(250);
    const pages = new ClosedPages();
    for (let reads = 0; pages.hasMore; reads += 1) {
      assert.ok(reads < 5);
      await pages.readNext(() => read(1));
    }
    assert.equal(pages.count, 100);
  });

  it('Positions without an address are distinguished by their contents', async () => {
    const unnamed = [1, 2, 3].map((number) => closedPosition(number, { address: undefined, key: '0' }));
    const pages = new ClosedPages();
    await pages.readNext(() => Promise.resolve(closedPage(unnamed, { owner: OWNER, pageSize: 100 })));
    await pages.catchUp(() => Promise.resolve(closedPage(unnamed.toReversed(), { owner: OWNER, pageSize: 100 })));
    assert.equal(pages.count, 3);
  });
});
