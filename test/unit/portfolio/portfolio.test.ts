import assert from 'node:assert/strict';
import type { Listing, Page } from '../../../src/service/common';
import type { Pool } from '../../../src/service/pools';
import type { OpenPosition } from '../../../src/service/positions';
import type { DiscoverQuery, LiquidityService } from '../../../src/service/service';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { PortfolioChange } from '../../../src/portfolio/types';
import type { Address } from '../../../src/base/solana/address';
import {
  deferred,
  fakeService,
  FakeClock,
  openPosition,
  OTHER_OWNER,
  OWNER,
  pageOf,
  pool,
  settledMicrotasks,
} from '../../support/portfolio/fixtures';

const listing = (...items: OpenPosition[]): Listing<OpenPosition> => ({ items, warnings: [] });
const ranking = Array.from({ length: 250 }, (_, index) => pool(index));

/** Gives one answer after the other; errors are thrown. */
function inTurn(answers: readonly (Listing<OpenPosition> | Error)[]): () => Promise<Listing<OpenPosition>> {
  const left = [...answers];
  return async () => {
    const answer = left.shift() ?? assert.fail('asked too often');
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
}

/** A portfolio, what it asked for, and what it told. */
function setUp(methods: Partial<LiquidityService>): { portfolio: Portfolio; clock: FakeClock; changes: PortfolioChange[]; logs: string[] } {
  const clock = new FakeClock();
  const logs: string[] = [];
  const portfolio = new Portfolio({
    service: () => Promise.resolve(fakeService(methods)),
    log: (level, message) => logs.push(`${level} ${message}`),
    clock,
  });
  const changes: PortfolioChange[] = [];
  portfolio.onDidChange((change) => changes.push(change));
  return { portfolio, clock, changes, logs };
}

describe('Positions of a portfolio', () => {
  it('A refresh reads the positions, sorts them and sums them up', async () => {
    const { portfolio, clock, changes } = setUp({
      openPositions: () => Promise.resolve(listing(openPosition(1), openPosition(2, { inRange: false }))),
    });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    const { snapshot } = portfolio;
    assert.deepEqual(
      snapshot.positions.map((position) => position.id),
      ['id-2', 'id-1'],
    );
    assert.deepEqual(snapshot.positionsState, { kind: 'ready', asOf: new Date(clock.now()) });
    assert.equal(snapshot.totals.valueUsd, 200);
    assert.deepEqual(
      changes.map((change) => change.snapshot.positionsState.kind),
      ['idle', 'loading', 'ready'],
    );
    assert.deepEqual(changes.at(-1)?.positions.added.length, 2);
  });

  it('No positions are read without an owner', async () => {
    const { portfolio, changes } = setUp({});
    await portfolio.refresh('manual', ['positions']);
    assert.equal(portfolio.snapshot.positionsState.kind, 'idle');
    assert.equal(changes.length, 0);
  });

  it('A change lists exactly the added, changed and removed positions', async () => {
    let current = listing(openPosition(1), openPosition(2), openPosition(3));
    const { portfolio, changes } = setUp({ openPositions: () => Promise.resolve(current) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    current = listing(openPosition(1), openPosition(2, { value: { usd: 101, native: 0.7 } }), openPosition(4));
    await portfolio.refresh('interval', ['positions']);
    const last = changes.at(-1);
    assert.ok(last);
    assert.deepEqual(last.positions.added, [openPosition(4).key]);
    assert.deepEqual(last.positions.changed, [openPosition(2).key]);
    assert.deepEqual(last.positions.removed, [openPosition(3).key]);
    assert.equal(last.snapshot, portfolio.snapshot);
  });

  it('Positions stay and are marked as stale after a failed refresh, until the next success', async () => {
    const answers = [listing(openPosition(1)), new Error('The service is down.'), listing()];
    const { portfolio, clock, logs } = setUp({ openPositions: inTurn(answers) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    const asOf = new Date(clock.now());
    await clock.advance(60_000);
    await portfolio.refresh('interval', ['positions']);
    assert.deepEqual(portfolio.snapshot.positionsState, { kind: 'stale', asOf, error: new Error('The service is down.') });
    assert.equal(portfolio.snapshot.positions.length, 1);
    assert.ok(logs.includes('warn Reading the positions failed: The service is down.'));
    await portfolio.refresh('interval', ['positions']);
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
    assert.equal(portfolio.snapshot.positions.length, 0);
  });

  it('The positions are marked as failed if they were never read, and the refresh does not reject', async () => {
    const { portfolio } = setUp({ openPositions: () => Promise.reject(new Error('no')) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    assert.deepEqual(portfolio.snapshot.positionsState, { kind: 'failed', error: new Error('no') });
  });

  it('A missing service is reported with its message for positions and pools', async () => {
    const portfolio = new Portfolio({
      service: () => Promise.reject(new Error('No API key is set.')),
      log: () => undefined,
      clock: new FakeClock(),
    });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup');
    assert.deepEqual(portfolio.snapshot.positionsState, { kind: 'failed', error: new Error('No API key is set.') });
    assert.deepEqual(portfolio.snapshot.poolsState, { kind: 'failed', error: new Error('No API key is set.') });
  });

  it("Late positions of the last owner never mix with the new owner's", async () => {
    const late = deferred<Listing<OpenPosition>>();
    const asked: [Address, AbortSignal | undefined][] = [];
    const { portfolio } = setUp({
      openPositions: (owner, options) => {
        asked.push([owner, options?.signal]);
        return owner === OWNER ? late.promise : Promise.resolve(listing(openPosition(7, { owner })));
      },
    });
    portfolio.setOwner(OWNER);
    const first = portfolio.refresh('startup', ['positions']);
    await settledMicrotasks();
    portfolio.setOwner(OTHER_OWNER);
    assert.equal(portfolio.snapshot.positionsState.kind, 'idle');
    await portfolio.refresh('owner', ['positions']); // does not wait for the old one
    late.resolve(listing(openPosition(1)));
    await first;
    assert.deepEqual(
      portfolio.snapshot.positions.map((position) => position.id),
      ['id-7'],
    );
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready'); // that the old read was cut off is no failure
    assert.deepEqual(
      asked.map(([owner, signal]) => [owner, signal?.aborted]),
      [
        [OWNER, true],
        [OTHER_OWNER, false],
      ],
    );
  });

  it('Removing the owner removes the positions at once', async () => {
    const { portfolio, changes } = setUp({ openPositions: () => Promise.resolve(listing(openPosition(1))) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    portfolio.setOwner(undefined);
    assert.deepEqual(portfolio.snapshot.positions, []);
    assert.equal(portfolio.snapshot.totals.count, 0);
    assert.deepEqual(changes.at(-1)?.positions.removed, [openPosition(1).key]);
    const told = changes.length;
    portfolio.setOwner(undefined);
    assert.equal(changes.length, told);
  });

  it('A position that the service lists twice appears once', async () => {
    const { portfolio } = setUp({ openPositions: () => Promise.resolve(listing(openPosition(1), openPosition(1))) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    assert.equal(portfolio.snapshot.positions.length, 1);
  });

  it('Parse warnings are kept, and each is logged once', async () => {
    const warnings = [{ path: 'data[1].pnl', message: 'not a number' }];
    const { portfolio, logs } = setUp({ openPositions: () => Promise.resolve({ items: [], warnings: [...warnings] }) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    await portfolio.refresh('interval', ['positions']);
    assert.deepEqual(portfolio.warnings, warnings);
    assert.equal(logs.filter((line) => line.includes('data[1].pnl')).length, 1);
  });
});

describe('Refreshes of a portfolio', () => {
  it('Routine refreshes join a running one, while refreshes after an operation or by the user follow it', async () => {
    let asked = 0;
    const answers = [deferred<Listing<OpenPosition>>(), deferred<Listing<OpenPosition>>()];
    const { portfolio } = setUp({ openPositions: () => answers[asked++]?.promise ?? assert.fail('asked too often') });
    portfolio.setOwner(OWNER);
    const routine = [portfolio.refresh('interval', ['positions']), portfolio.refresh('focus', ['positions'])];
    await settledMicrotasks();
    const urgent = [portfolio.refresh('afterOperation', ['positions']), portfolio.refresh('manual', ['positions'])];
    assert.equal(asked, 1);
    answers[0]?.resolve(listing());
    await Promise.all(routine);
    answers[1]?.resolve(listing(openPosition(1)));
    await Promise.all(urgent);
    assert.equal(asked, 2);
    assert.equal(portfolio.snapshot.positions.length, 1);
  });

  it('A refresh sends one request at a time', async () => {
    const positions = deferred<Listing<OpenPosition>>();
    let poolsAsked = 0;
    const { portfolio } = setUp({
      openPositions: () => positions.promise,
      discoverPools: ({ page = 0, pageSize = 0 }) => {
        poolsAsked += 1;
        return Promise.resolve(pageOf(ranking, page, pageSize));
      },
    });
    portfolio.setOwner(OWNER);
    const both = portfolio.refresh('startup');
    await settledMicrotasks();
    assert.equal(poolsAsked, 0);
    positions.resolve(listing());
    await both;
    assert.equal(poolsAsked, 1);
    assert.equal(portfolio.snapshot.pools.length, 20);
  });

  it('A reset for another service clears the lists and ignores late answers of the old one', async () => {
    const late = deferred<Listing<OpenPosition>>();
    const answers = [late.promise, Promise.resolve(listing(openPosition(2)))];
    const { portfolio } = setUp({
      openPositions: () => answers.shift() ?? assert.fail('asked too often'),
      discoverPools: ({ page = 1, pageSize = 10 }) => Promise.resolve(pageOf(ranking, page, pageSize)),
    });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('visible', ['pools']);
    const old = portfolio.refresh('startup', ['positions']);
    await settledMicrotasks();
    portfolio.reset();
    const { owner, pools, poolsState, positionsState } = portfolio.snapshot;
    assert.deepEqual([owner, pools.length, poolsState.kind, positionsState.kind], [OWNER, 0, 'idle', 'idle']);
    await portfolio.refresh('configuration', ['positions']);
    late.resolve(listing(openPosition(1)));
    await old;
    assert.deepEqual(
      portfolio.snapshot.positions.map((position) => position.id),
      ['id-2'],
    );
  });

  it('A refresh succeeds even if a listener throws, and the error is logged', async () => {
    const { portfolio, logs } = setUp({ openPositions: () => Promise.resolve(listing()) });
    portfolio.onDidChange(() => {
      throw new Error('broken view');
    });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
    assert.ok(logs.some((line) => line.includes('broken view')));
  });

  it('Disposing of the portfolio ends a running refresh without further changes', async () => {
    const { portfolio, changes } = setUp({ openPositions: () => new Promise(() => undefined) });
    portfolio.setOwner(OWNER);
    const running = portfolio.refresh('startup', ['positions']);
    await settledMicrotasks();
    const told = changes.length;
    portfolio.dispose();
    await running;
    assert.equal(changes.length, told);
  });
});

describe('Pools of a portfolio', () => {
  /** Pools as a ranking that may change, and the pages that were asked for. */
  function withRanking(pools: { current: readonly Pool[] }): ReturnType<typeof setUp> & { readonly asked: DiscoverQuery[] } {
    const asked: DiscoverQuery[] = [];
    const discoverPools = (query: DiscoverQuery): Promise<Page<Pool>> => {
      asked.push(query);
      return Promise.resolve(pageOf(pools.current, query.page ?? 1, query.pageSize ?? 10));
    };
    return { ...setUp({ discoverPools }), asked };
  }

  it('Pools are loaded one page at a time until there are no more', async () => {
    const { portfolio, asked } = withRanking({ current: ranking.slice(0, 45) });
    await portfolio.refresh('visible', ['pools']);
    assert.equal(portfolio.snapshot.poolsHaveMore, true);
    await portfolio.loadMorePools();
    await portfolio.loadMorePools();
    assert.equal(portfolio.snapshot.poolsHaveMore, false);
    await portfolio.loadMorePools();
    assert.deepEqual(portfolio.snapshot.pools, ranking.slice(0, 45));
    assert.deepEqual(
      asked,
      [1, 2, 3].map((page) => ({ page, pageSize: 20 })),
    );
  });

  it('A pool appears once even if the ranking moves between two pages', async () => {
    const pools = { current: ranking.slice(0, 40) };
    const { portfolio } = withRanking(pools);
    await portfolio.refresh('visible', ['pools']);
    pools.current = [pool(99), ...ranking.slice(0, 39)]; // a newcomer moves everything one place down
    await portfolio.loadMorePools();
    const addresses = portfolio.snapshot.pools.map((of) => of.address);
    assert.equal(new Set(addresses).size, addresses.length);
    assert.equal(addresses.length, 39);
  });

  it('A refresh reads all loaded pools again with as few requests as possible', async () => {
    const pools = { current: ranking };
    const { portfolio, asked } = withRanking(pools);
    await portfolio.refresh('visible', ['pools']);
    for (let pages = 1; pages < 6; pages += 1) {
      await portfolio.loadMorePools();
    }
    assert.equal(portfolio.snapshot.pools.length, 120);
    asked.length = 0;
    pools.current = ranking.toReversed();
    await portfolio.refresh('interval', ['pools']);
    assert.deepEqual(asked, [
      { page: 1, pageSize: 100 },
      { page: 2, pageSize: 100 },
    ]);
    assert.deepEqual(portfolio.snapshot.pools, ranking.toReversed().slice(0, 200));
    await portfolio.loadMorePools();
    assert.deepEqual(asked.at(-1), { page: 11, pageSize: 20 });
    assert.equal(portfolio.snapshot.pools.length, 220);
  });

  it('The list of pools gets shorter when the ranking does', async () => {
    const pools = { current: ranking.slice(0, 60) };
    const { portfolio, asked } = withRanking(pools);
    await portfolio.refresh('visible', ['pools']);
    await portfolio.loadMorePools();
    pools.current = ranking.slice(0, 5);
    await portfolio.refresh('interval', ['pools']);
    assert.equal(portfolio.snapshot.pools.length, 5);
    assert.equal(portfolio.snapshot.poolsHaveMore, false);
    assert.deepEqual(asked.at(-1), { page: 1, pageSize: 40 });
  });

  it('A new query clears the pools of the last one at once', async () => {
    const { portfolio, asked } = withRanking({ current: ranking });
    await portfolio.refresh('visible', ['pools']);
    portfolio.setPoolQuery({ sortBy: 'tvl', pageSize: 5 });
    assert.deepEqual(portfolio.snapshot.pools, []);
    assert.equal(portfolio.snapshot.poolsState.kind, 'idle');
    await portfolio.refresh('configuration', ['pools']);
    assert.equal(portfolio.snapshot.pools.length, 5);
    assert.deepEqual(asked.at(-1), { sortBy: 'tvl', page: 1, pageSize: 5 });
    portfolio.setPoolQuery({ sortBy: 'tvl', pageSize: 5 });
    assert.equal(portfolio.snapshot.pools.length, 5);
  });

  it('Late pools of the last query are ignored', async () => {
    const late = deferred<Page<Pool>>();
    const { portfolio } = setUp({
      discoverPools: ({ sortBy, page = 1, pageSize = 10 }) =>
        sortBy === undefined ? late.promise : Promise.resolve(pageOf([pool(7)], page, pageSize)),
    });
    const first = portfolio.refresh('visible', ['pools']);
    await settledMicrotasks();
    portfolio.setPoolQuery({ sortBy: 'tvl' });
    await portfolio.refresh('configuration', ['pools']);
    late.resolve(pageOf(ranking, 1, 20));
    await first;
    await settledMicrotasks();
    assert.deepEqual(
      portfolio.snapshot.pools.map((of) => of.address),
      [pool(7).address],
    );
    assert.equal(portfolio.snapshot.poolsState.kind, 'ready');
  });

  it('The loaded pools stay, marked as stale, when loading more fails', async () => {
    const { portfolio } = setUp({
      discoverPools: ({ page = 1, pageSize = 10 }) =>
        page === 1 ? Promise.resolve(pageOf(ranking, page, pageSize)) : Promise.reject(new Error('no more')),
    });
    await portfolio.refresh('visible', ['pools']);
    await portfolio.loadMorePools();
    assert.equal(portfolio.snapshot.pools.length, 20);
    assert.equal(portfolio.snapshot.poolsState.kind, 'stale');
    assert.equal(portfolio.snapshot.poolsHaveMore, true);
  });
});

describe('Waiting for the effect of an operation', () => {
  const gone = (key: string) => (snapshot: Portfolio['snapshot']) => !snapshot.positions.some((position) => position.key === key);

  it('The wait ends as soon as the positions show the effect', async () => {
    const answers = [listing(openPosition(1)), listing(openPosition(1)), listing(openPosition(1)), listing()];
    const { portfolio, clock } = setUp({ openPositions: inTurn(answers) });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    const waiting = portfolio.waitUntil(gone(openPosition(1).key), { timeoutMs: 24_000, everyMs: 4_000 });
    await clock.advance(8_000);
    assert.equal(await waiting, true);
    assert.equal(clock.timers, 0);
  });

  it('Positions read before the call do not end the wait', async () => {
    const late = deferred<Listing<OpenPosition>>();
    const answers = [Promise.resolve(listing()), late.promise];
    const { portfolio } = setUp({ openPositions: () => answers.shift() ?? assert.fail('asked too often') });
    portfolio.setOwner(OWNER);
    await portfolio.refresh('startup', ['positions']);
    let result: boolean | undefined;
    const waiting = portfolio
      .waitUntil((snapshot) => snapshot.positions.length === 0, { timeoutMs: 10_000, everyMs: 1_000 })
      .then((settled) => (result = settled));
    await settledMicrotasks();
    assert.equal(result, undefined);
    late.resolve(listing());
    assert.equal(await waiting, true);
  });

  it('The wait ends at the timeout, even while the service does not answer', async () => {
    const { portfolio, clock } = setUp({ openPositions: () => new Promise(() => undefined) });
    portfolio.setOwner(OWNER);
    const waiting = portfolio.waitUntil(() => true, { timeoutMs: 24_000, everyMs: 4_000 });
    await clock.advance(24_000);
    assert.equal(await waiting, false);
    assert.equal(clock.timers, 0);
    portfolio.dispose();
  });

  it('The wait ends when it is cancelled', async () => {
    const abort = new AbortController();
    const { portfolio, clock } = setUp({ openPositions: () => Promise.resolve(listing()) });
    portfolio.setOwner(OWNER);
    const waiting = portfolio.waitUntil(() => false, { timeoutMs: 24_000, everyMs: 4_000, signal: abort.signal });
    await settledMicrotasks();
    abort.abort();
    assert.equal(await waiting, false);
    assert.equal(clock.timers, 0);
  });

  it("Another owner's positions end the wait without success", async () => {
    const { portfolio } = setUp({
      openPositions: (owner) => (owner === OWNER ? new Promise(() => undefined) : Promise.resolve(listing())),
    });
    portfolio.setOwner(OWNER);
    const waiting = portfolio.waitUntil(gone(openPosition(1).key), { timeoutMs: 24_000, everyMs: 4_000 });
    await settledMicrotasks();
    portfolio.setOwner(OTHER_OWNER);
    await portfolio.refresh('owner', ['positions']);
    assert.equal(await waiting, false);
  });

  it("Another service's positions end the wait without success", async () => {
    const answers = [listing(openPosition(1)), listing()];
    const { portfolio, clock } = setUp({ openPositions: inTurn(answers) });
    portfolio.setOwner(OWNER);
    const waiting = portfolio.waitUntil(gone(openPosition(1).key), { timeoutMs: 24_000, everyMs: 4_000 });
    await clock.advance(1_000);
    portfolio.reset();
    assert.deepEqual([portfolio.snapshot.positions.length, portfolio.snapshot.positionsState.kind], [0, 'idle']);
    await portfolio.refresh('configuration', ['positions']);
    assert.equal(await waiting, false);
    assert.equal(clock.timers, 0);
  });

  it('The wait continues after a failed read', async () => {
    const answers = [listing(openPosition(1)), new Error('down'), listing()];
    const { portfolio, clock } = setUp({ openPositions: inTurn(answers) });
    portfolio.setOwner(OWNER);
    const waiting = portfolio.waitUntil(gone(openPosition(1).key), { timeoutMs: 24_000, everyMs: 4_000 });
    await clock.advance(8_000);
    assert.equal(await waiting, true);
  });

  it('The wait sends no request for as long as the service asks', async () => {
    let asked = 0;
    const { portfolio, clock } = setUp({
      openPositions: () => {
        asked += 1;
        return asked === 1
          ? Promise.reject(Object.assign(new Error('slow down'), { kind: 'rateLimited', retryAfterMs: 15_000 }))
          : Promise.resolve(listing());
      },
    });
    portfolio.setOwner(OWNER);
    const waiting = portfolio.waitUntil(() => true, { timeoutMs: 24_000, everyMs: 4_000 });
    await clock.advance(14_999);
    assert.equal(asked, 1);
    await clock.advance(1);
    assert.equal(asked, 2);
    assert.equal(await waiting, true);
  });
});
