import assert from 'node:assert/strict';
import { type ContractClient, type Json, list, EMPTY_WALLET, pagesOf, record } from './contractClient';
import { PROTOCOLS } from './engine';

const PAGE = 3;

/** Tests of the endpoints under /lp-positions and /token. */
export function testOwnerEndpoints(service: ContractClient): void {
  it('The opening endpoint follows the contract for the owner, another provider and an unknown owner', async () => {
    const own = await service.got('/lp-positions/opening', { owner: service.owner });
    assert.equal(own['count'], list(own['data']).length);
    assert.deepEqual(new Set(list(own['data']).map(({ protocol }) => protocol)), new Set(PROTOCOLS));
    const { provider } = service.engine;
    assert.ok(list((await service.got('/lp-positions/opening', { owner: provider }))['data']).length > 0);
    assert.deepEqual((await service.got('/lp-positions/opening', { owner: EMPTY_WALLET }))['data'], []);
  });

  it('The historical endpoint follows the contract by page, between dates and for an unknown owner', async () => {
    const all = await service.closed({ limit: 1_000 });
    assert.ok(all.data.length > PAGE, 'there is something to page through');
    const pages = await pagesOf(all.data.length, PAGE, (page) => service.closed({ page, limit: PAGE }));
    assert.deepEqual(
      pages.flatMap(({ data }) => data),
      all.data,
    );
    for (const { pagination } of pages) {
      const { totalCount, totalPages, pageSize } = pagination;
      assert.deepEqual([totalCount, totalPages, pageSize], [all.data.length, pages.length, PAGE]);
    }
    assert.deepEqual((await service.closed({ page: pages.length + 5, limit: PAGE })).data, []);

    const [from, to] = [closing(all.data[3]), closing(all.data[1])];
    const between = await service.closed({ from_date: from, to_date: to, limit: 1_000 });
    assert.deepEqual(
      between.data,
      all.data.filter((position) => closing(position) >= from && closing(position) <= to),
    );
    const sinceDay = await service.closed({ from_date: from.slice(0, 10), limit: 1_000 });
    assert.deepEqual(
      sinceDay.data,
      all.data.filter((position) => closing(position) >= from.slice(0, 10)),
    );
    assert.deepEqual(record((await service.got('/lp-positions/historical', { owner: EMPTY_WALLET }))['data'])['data'], []);
  });

  it('The overview endpoint follows the contract for both protocols and is empty for an unknown owner', async () => {
    const { data } = await service.closed({ limit: 1_000 });
    for (const protocol of PROTOCOLS) {
      const overview = record((await service.got('/lp-positions/overview', { owner: service.owner, protocol }))['data']);
      assert.equal(overview['protocol'], protocol);
      assert.equal(record(overview['closed_lp'])['ALL'], String(data.filter((position) => position['protocol'] === protocol).length));
    }
    await service.failed(404, 'GET', '/lp-positions/overview', { owner: EMPTY_WALLET });
    await service.failed(404, 'GET', '/lp-positions/overview', { owner: service.owner, protocol: 'orca' });
  });

  it('The logs endpoint follows the contract for an owner, a position of each type, and both together', async () => {
    const all = await service.got('/lp-positions/logs', { owner: service.owner });
    assert.equal(all['count'], list(all['data']).length);
    for (const protocol of PROTOCOLS) {
      const { tokenId, id } = await service.openIn(protocol);
      const of = await service.got('/lp-positions/logs', { position: tokenId });
      assert.ok(list(of['data']).length > 0);
      assert.deepEqual(list((await service.got('/lp-positions/logs', { position: id, owner: service.owner }))['data']), of['data']);
    }
    assert.deepEqual((await service.got('/lp-positions/logs', { owner: EMPTY_WALLET }))['data'], []);
    await service.failed(404, 'GET', '/lp-positions/logs', { position: EMPTY_WALLET });
    await service.failed(400, 'GET', '/lp-positions/logs', {}, /position or owner parameter is required/);
  });

  it('The revenue endpoint follows the contract by day, week and month, over ranges and protocols', async () => {
    const path = `/lp-positions/revenue/${service.owner}`;
    for (const period of ['day', 'week', 'month']) {
      for (const range of [undefined, '7D', '1M']) {
        const rows = list((await service.got(path, { period, ...(range === undefined ? {} : { range }) }))['data']);
        assert.ok(range === '7D' || rows.length > 0);
      }
    }
    const both = await service.got(path, { period: 'month' });
    assert.deepEqual((await service.got(path, { period: 'month', protocol: PROTOCOLS.join(',') }))['data'], both['data']);
    assert.deepEqual((await service.got(`/lp-positions/revenue/${EMPTY_WALLET}`))['data'], []);
    await service.failed(400, 'GET', '/lp-positions/revenue/me', {}, /owner/);
  });

  it('The /token/balance endpoint follows the contract for the owner, for some mints and for an unknown owner', async () => {
    const all = list((await service.got('/token/balance', { owner: service.owner }))['data']);
    const ca = all
      .map(({ address }) => address)
      .slice(0, 2)
      .join(',');
    assert.deepEqual(list((await service.got('/token/balance', { owner: service.owner, ca }))['data']), all.slice(0, 2));
    assert.deepEqual((await service.got('/token/balance', { owner: service.owner, ca: EMPTY_WALLET }))['data'], []);
    assert.deepEqual(
      list((await service.got('/token/balance', { owner: EMPTY_WALLET }))['data']).map(({ rawBalance }) => rawBalance),
      ['0'],
    );
  });
}

function closing(position: Json | undefined): string {
  return String(position?.['closeAt']);
}
