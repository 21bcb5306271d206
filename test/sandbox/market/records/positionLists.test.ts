import assert from 'node:assert/strict';
import type { Address } from '../../../../src/base/solana/address';
import { poolPositionRecords } from '../../../../src/sandbox/market/records/poolPositions';
import { historicalRecords, openingRecords, positionLogs } from '../../../../src/sandbox/market/records/positionLists';
import type { MarketPool, Position } from '../../../../src/sandbox/market/types';
import type { PoolPositionsParameters } from '../../../../src/engine/engine';
import { POOL_POSITION_COLUMNS } from '../../../../src/engine/wire/pools';
import type { WireClosedPosition, WireOpenPosition } from '../../../../src/engine/wire/positionRecord';
import { addressOf, HOUR, poolOf } from '../../../support/sandbox/market/worlds';
import { profitOf } from '../../../support/sandbox/market/records/naive';
import { known, PEOPLE, smallMarket, type SmallMarket } from '../../../support/sandbox/market/records/smallMarket';

describe('Lists of positions', function () {
  let market: SmallMarket;
  before(() => {
    market = smallMarket(11);
  });

  it('The opening list contains every open position of the owner, newest first', () => {
    let seen = 0;
    for (const owner of PEOPLE) {
      const { count, data } = openingRecords(market.reading, owner);
      assert.equal(count, data.length);
      assert.deepEqual(
        sorted(data.map(({ position }) => position)),
        sorted(
          of(owner)
            .filter(isOpen)
            .map(({ address }) => address),
        ),
      );
      assert.deepEqual(
        data.map(({ createdAt }) => createdAt),
        data
          .map(({ createdAt }) => createdAt)
          .sort()
          .reverse(),
      );
      seen += count;
    }
    assert.ok(seen > 15, 'there is something to list');
    assert.deepEqual(openingRecords(market.reading, addressOf('nobody')), { count: 0, data: [] });
  });

  it('The historical list contains every closed position of the owner by page, last closed first', () => {
    for (const owner of PEOPLE) {
      const wanted = of(owner).filter((position) => !isOpen(position));
      const pages = allPages((page) => historicalRecords(market.reading, { owner, from: undefined, to: undefined, page, pageSize: 3 }));
      assert.ok(
        pages.every(
          ({ pagination }) =>
            pagination.totalCount === wanted.length && pagination.totalPages === Math.ceil(wanted.length / 3) && pagination.pageSize === 3,
        ),
      );
      const records = pages.flatMap(({ data }) => data);
      assert.deepEqual(sorted(records.map(({ position }) => position)), sorted(wanted.map(({ address }) => address)));
      assert.deepEqual(
        records.map(({ closeAt }) => closeAt),
        records
          .map(({ closeAt }) => closeAt)
          .sort()
          .reverse(),
      );
    }
  });

  it('The historical list includes both ends of a span and returns an empty page past the end', () => {
    const [owner] = PEOPLE;
    const closings = of(known(owner))
      .flatMap(({ closing }) => closing?.at ?? [])
      .sort((a, b) => a - b);
    const [from, to] = [known(closings[1]), known(closings.at(-2))];
    const { data, pagination } = historicalRecords(market.reading, { owner: known(owner), from, to, page: 1, pageSize: 100 });
    assert.equal(pagination.totalCount, closings.filter((at) => at >= from && at <= to).length);
    assert.ok(data.length >= 2 && data.every(({ closeAt }) => timeOf(closeAt) >= from && timeOf(closeAt) <= to));
    const past = historicalRecords(market.reading, { owner: known(owner), from, to, page: 99, pageSize: 100 });
    assert.deepEqual(past.data, []);
    assert.equal(past.pagination.totalCount, pagination.totalCount);
  });

  it("Some closed positions copy another owner's position in the pool at that time", () => {
    const records = PEOPLE.flatMap(
      (owner) => historicalRecords(market.reading, { owner, from: undefined, to: undefined, page: 1, pageSize: 1_000 }).data,
    );
    const copies = records.flatMap(({ followInfo, ...record }) => (followInfo === undefined ? [] : [{ record, followInfo }]));
    assert.ok(copies.length >= 5 && copies.length < records.length / 2, `${copies.length} of ${records.length}`);
    for (const { record, followInfo } of copies) {
      const source = known(market.positions().find(({ address }) => address === followInfo.sourceTokenId));
      const openedAt = timeOf(record.createdAt);
      assert.equal(source.owner, followInfo.sourceOwner);
      assert.notEqual(source.owner, record.owner);
      assert.equal(source.pool, record.pool);
      assert.ok(source.openedAt < openedAt && (source.closing === null || source.closing.at > openedAt));
    }
  });

  it('Positions of a pool add up over pages, in every order', () => {
    for (const pool of pools()) {
      const all = market.positions().filter((position) => position.pool === pool.address);
      assert.ok(all.length > 20, 'more than a page');
      for (const orderBy of POOL_POSITION_COLUMNS) {
        for (const sortOrder of ['asc', 'desc'] as const) {
          const records = everyRecord(pool, { orderBy, sortOrder });
          assert.deepEqual(sorted(records.map(({ position }) => position)), sorted(all.map(({ address }) => address)), orderBy);
          const figures = records.map((record) => orderedBy(record, orderBy, market.market.now));
          assert.deepEqual(
            figures,
            [...figures].sort((a, b) => (sortOrder === 'asc' ? a - b : b - a)),
            `${orderBy} ${sortOrder}`,
          );
        }
      }
    }
  });

  it('Positions of a pool are filtered by owner, status and profit like a loop over all of them', () => {
    const least = { usd: 3, native: 0.02 };
    for (const pool of pools()) {
      for (const owner of [undefined, PEOPLE[2]]) {
        for (const status of [undefined, 'Open', 'Close'] as const) {
          for (const [minPnlUsd, minPnlNative] of [
            [undefined, undefined],
            [least.usd, undefined],
            [undefined, least.native],
            [-50, -0.01],
          ] as const) {
            const fitting = market.positions().filter((position) => {
              const profit = profitOf(market.market, position);
              return (
                position.pool === pool.address &&
                (owner === undefined || position.owner === owner) &&
                (status === undefined || (status === 'Open') === isOpen(position)) &&
                profit.usd >= (minPnlUsd ?? -Infinity) &&
                profit.native >= (minPnlNative ?? -Infinity)
              );
            });
            const records = everyRecord(pool, { owner, status, minPnlUsd: minPnlUsd, minPnlNative: minPnlNative });
            assert.deepEqual(sorted(records.map(({ position }) => position)), sorted(fitting.map(({ address }) => address)));
          }
        }
      }
    }
  });

  it('Open positions of a pool include their bins, which add up to their amounts', () => {
    for (const pool of pools()) {
      const answer = poolPositionRecords(market.reading, pool, { ...DEFAULTS, status: 'Open' });
      const open = answer.positions as readonly WireOpenPosition[];
      assert.deepEqual(Object.keys(answer.prices), [pool.tokenX.mint, pool.tokenY.mint]);
      if (pool.type === 'product') {
        assert.deepEqual(answer.positionState, []);
        assert.equal('activeBin' in answer, false);
        continue;
      }
      assert.equal(answer.activeBin?.binId, pool.activeBinId);
      assert.deepEqual(
        answer.positionState.map(({ positionId }) => positionId),
        open.map(({ position }) => position),
      );
      answer.positionState.forEach(({ positionData }, place) => {
        const record = known(open[place]);
        const sum = (name: 'positionXAmount' | 'positionYAmount' | 'feeX' | 'feeY'): bigint =>
          positionData.reduce((all, bin) => all + BigInt(bin[name]), 0n);
        assert.deepEqual(
          positionData.map(({ binId }) => binId),
          Array.from({ length: known(record.tickUpper) - known(record.tickLower) + 1 }, (_, index) => known(record.tickLower) + index),
        );
        assert.equal(sum('positionXAmount').toString(), record.current.amount0);
        assert.equal(sum('positionYAmount').toString(), record.current.amount1);
        assert.equal(Number(sum('feeX')) / 10 ** record.decimal0, record.unCollectedFee0);
        assert.equal(Number(sum('feeY')) / 10 ** record.decimal1, record.unCollectedFee1);
        assert.ok(
          positionData.every(
            (bin) => BigInt(bin.binXAmount) >= BigInt(bin.positionXAmount) && BigInt(bin.binYAmount) >= BigInt(bin.positionYAmount),
          ),
        );
      });
    }
  });

  it('Logs contain every event of a position and of an owner, oldest first', () => {
    for (const owner of PEOPLE.slice(0, 3)) {
      const own = of(owner);
      const { count, data } = known(positionLogs(market.reading, { position: undefined, owner }));
      assert.equal(
        count,
        own.reduce((sum, { eventCount }) => sum + eventCount, 0),
      );
      assert.equal(data.length, count);
      assert.deepEqual(
        data.map(({ timestamp }) => timestamp),
        data.map(({ timestamp }) => timestamp).sort(),
      );
      for (const { address, id, eventCount, closing } of own) {
        const events = known(positionLogs(market.reading, { position: address, owner: undefined })).data;
        assert.equal(events.length, eventCount);
        assert.equal(events[0]?.action, 'add_liquidity');
        assert.equal(events.at(-1)?.action === 'close_position', closing !== null);
        assert.deepEqual(
          events,
          data.filter((event) => event.position === address),
        );
        assert.deepEqual(known(positionLogs(market.reading, { position: id, owner })).data, events);
      }
    }
  });

  it('Logs omit unknown positions and positions of other owners', () => {
    const [position] = of(known(PEOPLE[1]));
    assert.equal(positionLogs(market.reading, { position: addressOf('no position'), owner: undefined }), undefined);
    assert.equal(positionLogs(market.reading, { position: known(position).address, owner: known(PEOPLE[2]) }), undefined);
    assert.deepEqual(positionLogs(market.reading, { position: undefined, owner: addressOf('nobody') }), { count: 0, data: [] });
  });

  describe('Lists during an indexing lag', () => {
    afterEach(() => market.database.run('DELETE FROM lagging_record'));

    it('A lagging position is listed in its previous state, even if it is closed by now', () => {
      const closed = known(of(known(PEOPLE[0])).find((position) => !isOpen(position)));
      const [open] = PEOPLE.flatMap((owner) => openingRecords(market.reading, owner).data);
      const record: WireOpenPosition = { ...known(open), position: closed.address, owner: closed.owner, value: 123 };
      lag(closed, record, HOUR);

      const { count, data } = openingRecords(market.reading, closed.owner);
      assert.deepEqual(
        data.find(({ position }) => position === closed.address),
        record,
      );
      assert.equal(count, of(closed.owner).filter(isOpen).length + 1);
      assert.ok(!historical(closed.owner).includes(closed.address));
    });

    it('A lagging new position is not listed', () => {
      const open = known(market.positions().find((position) => isOpen(position) && PEOPLE.includes(position.owner)));
      lag(open, null, HOUR);
      assert.ok(!openingRecords(market.reading, open.owner).data.some(({ position }) => position === open.address));
    });

    it('A position is listed normally after the lag', () => {
      const closed = known(of(known(PEOPLE[0])).find((position) => !isOpen(position)));
      lag(closed, null, 0);
      assert.ok(historical(closed.owner).includes(closed.address));
    });

    function lag({ address, owner }: Readonly<Position>, record: WireOpenPosition | null, forMs: number): void {
      market.database.run(
        'INSERT INTO lagging_record (position, owner, record, until) VALUES (?, ?, ?, ?)',
        address,
        owner,
        record === null ? null : JSON.stringify(record),
        market.market.now + forMs,
      );
    }

    function historical(owner: Address): readonly string[] {
      return historicalRecords(market.reading, { owner, from: undefined, to: undefined, page: 1, pageSize: 1_000 }).data.map(
        ({ position }) => position,
      );
    }
  });

  const DEFAULTS = {
    owner: undefined,
    status: undefined,
    orderBy: 'inputNative',
    sortOrder: 'desc',
    page: 1,
    pageSize: 20,
    minPnlUsd: undefined,
    minPnlNative: undefined,
  } as const;

  function everyRecord(pool: MarketPool, of: Partial<PoolPositionsParameters>): readonly (WireOpenPosition | WireClosedPosition)[] {
    const pages = allPages((page) => poolPositionRecords(market.reading, pool, { ...DEFAULTS, ...of, pageSize: 7, page }));
    const total = pages.flatMap(({ positions }) => positions).length;
    assert.ok(pages.every(({ pagination }) => pagination.total === total));
    return pages.flatMap(({ positions }) => positions);
  }

  function of(owner: Address): readonly Readonly<Position>[] {
    return market.positions().filter((position) => position.owner === owner);
  }

  function pools(): readonly MarketPool[] {
    return ['BONQ-SOL-25', 'JUPP-SOL-DAMM-25'].map((key) => poolOf(market.market, key));
  }
});

/** What a record has under the name of a column, as a number. */
function orderedBy(record: WireOpenPosition | WireClosedPosition, column: (typeof POOL_POSITION_COLUMNS)[number], now: number): number {
  switch (column) {
    case 'pnl':
      return known(record.pnl.value);
    case 'createdAt':
    case 'updatedAt':
      return timeOf(record[column]);
    case 'ageHour':
    case 'age': {
      // Open positions have no age in hours, and the one in days is rounded: what counts is how long they have been open.
      const until = 'closeAt' in record ? timeOf(record.closeAt) : now;
      return until - timeOf(record.createdAt);
    }
    default:
      return Number(record[column]);
  }
}

function timeOf(date: string | null): number {
  return Date.parse(known(date));
}

function isOpen({ closing }: Readonly<Position>): boolean {
  return closing === null;
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort();
}

/** All pages, until one is empty. */
function allPages<Page extends { readonly data?: readonly unknown[]; readonly positions?: readonly unknown[] }>(
  read: (page: number) => Page,
): readonly Page[] {
  const pages: Page[] = [];
  for (let page = 1; ; page += 1) {
    const next = read(page);
    if ((next.data ?? next.positions ?? []).length === 0) {
      return pages;
    }
    pages.push(next);
  }
}
