import assert from 'node:assert/strict';
import { NEWEST_ROWS } from '../../support/ui/panels/overview/fixtures';
import { Emitter } from '../../../src/base/async/emitter';
import { RefreshCoordinator } from '../../../src/portfolio/coordinator';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createLiquidityService } from '../../../src/service/client';
import { RequestBudget } from '../../../src/service/budget/requestBudget';
import { withPriceRecord } from '../../../src/service/priceRecord';
import type { LiquidityService } from '../../../src/service/service';
import { limitSentence, requestLimitOf } from '../../../src/ui/connection/connection';
import { overviewPresenter } from '../../../src/ui/panels/overview/overviewPresenter';
import { poolPresenter } from '../../../src/ui/panels/poolPresenter';
import { positionPresenter } from '../../../src/ui/panels/positionPresenter';
import { type FakeClock, settledMicrotasks } from '../../support/portfolio/fixtures';
import { CONTRACT, openRecord, OWNER, POOL, POSITION } from '../../support/service/given';
import { fail } from '../../support/ui/memory';
import { PresenterWorld } from '../../support/ui/panels/presenterWorld';

const MINUTE = 60_000;
const BASE = parseBaseUrl('https://service.example/v1');

/** A service that allows so many requests in any 60 s, as the public one's plans do. */
class LimitedService {
  readonly sent: { readonly path: string; readonly atMs: number; readonly status: number }[] = [];
  /** What a 429 says in Retry-After, seconds; absent: how long it really is. */
  retryAfterS: number | undefined;
  /** Every request is refused. */
  refusesAll = false;

  constructor(
    readonly clock: FakeClock,
    readonly perMinute: number,
  ) {}

  readonly fetch = async (url: string): Promise<Response> => {
    await Promise.resolve();
    const now = this.clock.now();
    const path = new URL(url).pathname.replace('/v1', '');
    const recent = this.sent.filter(({ atMs, status }) => status === 200 && atMs > now - MINUTE);
    const isRefused = this.refusesAll || recent.length >= this.perMinute;
    this.sent.push({ path, atMs: now, status: isRefused ? 429 : 200 });
    if (isRefused) {
      const waitS = this.retryAfterS ?? Math.ceil(((recent[0]?.atMs ?? now) + MINUTE - now) / 1_000);
      return new Response('Too many requests', { status: 429, headers: { 'retry-after': String(waitS) } });
    }
    return new Response(JSON.stringify(bodyFor(path)), { headers: { 'content-type': 'application/json' } });
  };

  get refused(): number {
    return this.sent.filter(({ status }) => status === 429).length;
  }
}

function bodyFor(path: string): unknown {
  switch (path) {
    case '/lp-positions/opening':
      return { status: 'success', data: [openRecord()] };
    case '/lp-positions/historical':
      return CONTRACT['GET /lp-positions/historical 200'];
    case '/lp-positions/overview':
      return { status: 'success', data: { protocol: 'meteora' } };
    case `/pools/${POOL}/info`:
      return { status: 'success', data: { type: 'meteora', tokenInfo: [] } };
    default:
      return { status: 'success', data: [] };
  }
}

/** The parts that read without being asked, over one service at a time. */
function setUp(perMinute: number) {
  const world = new PresenterWorld({});
  const { clock } = world;
  const changes = new Emitter<undefined>(fail);
  const use = (service: LimitedService) => {
    const budget = new RequestBudget(clock);
    budget.onDidChange(() => changes.fire(undefined));
    const client = createLiquidityService({
      ...{ baseUrl: BASE, apiKey: 'test-key-0123456789', fetch: service.fetch, budget, random: () => 0.5, now: () => clock.now() },
      sleep: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
    });
    const record = { add: () => undefined, since: () => Promise.resolve([]) };
    return { service, budget, client: withPriceRecord(client, record, () => clock.now()) };
  };
  let inUse = use(new LimitedService(clock, perMinute));
  const connection = {
    get budget() {
      return inUse.budget;
    },
    onDidChangeBudget: (listener: () => void) => changes.on(listener),
  };
  const limit = requestLimitOf(connection);
  const connect = (): Promise<LiquidityService> => Promise.resolve(inUse.client);
  const portfolio = new Portfolio({ service: connect, log: () => undefined, clock });
  portfolio.setOwner(OWNER);
  const coordinator = new RefreshCoordinator({ portfolio, clock, random: () => 0.5, limit }, true);
  const dependencies = { ...world.dependencies, portfolio, coordinator, connect };
  return {
    ...{ clock, portfolio, coordinator, dependencies, connection },
    get service() {
      return inUse.service;
    },
    /** As the session does it when another service is chosen. */
    switchTo: (service: LimitedService) => {
      inUse = use(service);
      portfolio.reset();
      changes.fire(undefined);
    },
  };
}

describe('The request limit of a service', () => {
  it('A Retry-After of one day delays polling for at most 15 minutes', async () => {
    const { clock, service, coordinator, portfolio } = setUp(5);
    service.refusesAll = true;
    service.retryAfterS = 86_400;
    coordinator.show('positions');
    await clock.advance(MINUTE);
    assert.equal(portfolio.snapshot.positionsState.kind, 'failed');
    service.refusesAll = false;
    const before = service.sent.length;
    await clock.advance(13 * MINUTE);
    assert.equal(service.sent.length, before);
    await clock.advance(2 * MINUTE);
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
    assert.ok(service.sent.length > before);
  });

  it('Polling resumes once a request that the user started succeeds', async () => {
    const { clock, service, coordinator, portfolio, connection, dependencies } = setUp(5);
    coordinator.show('positions');
    await clock.advance(MINUTE / 2);
    service.refusesAll = true;
    service.retryAfterS = 86_400;
    await clock.advance(MINUTE);
    assert.equal(portfolio.snapshot.positionsState.kind, 'stale');
    assert.ok(connection.budget.pause !== undefined);
    service.refusesAll = false;
    await (await dependencies.connect()).openPositions(OWNER, { pace: 'user' });
    assert.equal(connection.budget.pause, undefined);
    const before = service.sent.length;
    await clock.advance(3 * MINUTE);
    assert.ok(service.sent.length - before >= 3, `${service.sent.length - before} requests in three minutes`);
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
  });

  it('A request limit applies to one service only, and another service is read at once', async () => {
    const all = setUp(5);
    const { clock, coordinator, portfolio, switchTo } = all;
    all.service.refusesAll = true;
    all.service.retryAfterS = 86_400;
    coordinator.show('positions');
    await clock.advance(MINUTE);
    const other = new LimitedService(clock, 5);
    switchTo(other);
    await clock.advance(1_000);
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
    await clock.advance(2 * MINUTE);
    assert.ok(other.sent.length >= 3);
  });

  it('Polling and three panels share the limit, and all parts are read within minutes without a click', async () => {
    const { clock, service, coordinator, dependencies } = setUp(5);
    coordinator.show('positions');
    coordinator.show('pools');
    const status = new Map<string, unknown>();
    const post = (panel: string) => (message: { readonly kind: string }) => {
      const part = Object.values<unknown>({ ...message }).find((value) => typeof value === 'object' && value !== null && 'status' in value);
      if (part !== undefined) {
        status.set(`${panel} ${message.kind}`, (part as { readonly status: unknown }).status);
      }
    };
    const panels = [
      {
        presenter: overviewPresenter('', dependencies, post('overview')),
        ready: { kind: 'ready', period: 'ALL', range: {}, history: NEWEST_ROWS } as const,
      },
      { presenter: poolPresenter(POOL, dependencies, post('pool')), ready: { kind: 'ready' } as const },
      { presenter: positionPresenter(POSITION, dependencies, post('position')), ready: { kind: 'ready' } as const },
    ];
    for (const { presenter, ready } of panels) {
      presenter.setVisible(true);
      (presenter.receive as (message: unknown) => void)(ready);
    }
    await clock.advance(MINUTE);
    const first = { sent: service.sent.length, refused: service.refused };
    await clock.advance(4 * MINUTE);
    const later = { sent: service.sent.length - first.sent, refused: service.refused - first.refused };
    assert.ok(first.sent <= 7 && first.refused <= 2, JSON.stringify(first));
    assert.ok(later.sent <= 20 && later.refused <= 1, JSON.stringify(later));
    // Of plans and of the ranges of others nothing is wanted yet.
    const wanted = [...status].filter(([part]) => !/^pool (lperRanges|planFigures|volatility|ownForecasts)$/.test(part));
    assert.deepEqual(
      wanted.filter(([, how]) => how !== 'ready'),
      [],
    );
    assert.equal(wanted.length, 14, wanted.map(([part]) => part).join(', '));
    panels.forEach(({ presenter }) => presenter.dispose());
    coordinator.dispose();
    await settledMicrotasks();
  });

  it('The message of the request limit states the remaining time', () => {
    assert.equal(limitSentence(41_200), 'Request limit reached. Next update in 42 s.');
    assert.equal(limitSentence(0), 'Request limit reached. Next update in 1 s.');
    assert.equal(limitSentence(600_000), 'Request limit reached. Next update in 10 min.');
  });
});
