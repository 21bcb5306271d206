import assert from 'node:assert/strict';
import { address } from '../../src/base/solana/address';
import { RefreshCoordinator } from '../../src/portfolio/coordinator';
import { Portfolio } from '../../src/portfolio/portfolio';
import { overviewToPanel, type OverviewToPanel } from '../../src/protocol/overview';
import { poolToPanel, type PoolToPanel } from '../../src/protocol/pool';
import { positionToPanel, type PositionToPanel } from '../../src/protocol/position';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { RequestBudget } from '../../src/service/budget/requestBudget';
import { overviewPresenter } from '../../src/ui/panels/overview/overviewPresenter';
import { poolPresenter } from '../../src/ui/panels/poolPresenter';
import { positionPresenter } from '../../src/ui/panels/positionPresenter';
import type { Presenter } from '../../src/ui/panels/presenter';
import { panelDependencies } from '../support/ui/panels/panelDependencies';
import { ToldPanel } from '../support/ui/panels/presenterWorld';
import { JumpingClock, LimitedWay } from '../support/sandbox/limitedService';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';
import { NEWEST_ROWS } from '../support/ui/panels/overview/fixtures';

/** The smallest plan of the public service. */
const PER_MINUTE = 5;

/** The lists and three panels of a window that has just started; the request limit is unknown to it. */
interface OpenWindow {
  readonly way: LimitedWay;
  readonly startedMs: number;
  /** Resolves once all panels show their figures. */
  readonly complete: () => Promise<void>;
  dispose(): void;
}

// The presenters, the scheduler, the budget and the client are the extension's own; the sandbox answers, behind a request limit.
describe('Three panels opened at once with five requests per minute', function () {
  const client = useSandbox('all', STILL);
  let window: OpenWindow | undefined;
  afterEach(() => window?.dispose());

  async function open(): Promise<OpenWindow> {
    const { url, apiKey, owner } = client().sandbox;
    const { position, pool } = await client().positionInRange();
    const clock = new JumpingClock();
    const way = new LimitedWay(clock, PER_MINUTE);
    const budget = new RequestBudget(clock);
    const log = (): void => undefined;
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey, fetch: way.fetch, budget, now: clock.now, log });
    const connect = () => Promise.resolve(service);
    const portfolio = new Portfolio({ service: connect, clock, log });
    const limit = {
      waitMs: (count?: number) => budget.waitMs('poll', count),
      onDidChange: (listener: () => void) => budget.onDidChange(listener),
    };
    const coordinator = new RefreshCoordinator({ portfolio, clock, random: Math.random, limit }, true);
    const dependencies = panelDependencies({
      ...{ service, portfolio, owner, coordinator, clock, log },
      ambient: { serviceName: 'Service', isSandbox: false, hasExplorer: true, isOwnService: false },
    });
    const startedMs = clock.now();
    portfolio.setOwner(address(owner));
    coordinator.show('positions');
    coordinator.show('pools');
    const pools = new ToldPanel<PoolToPanel>(poolToPanel);
    const positions = new ToldPanel<PositionToPanel>(positionToPanel);
    const overviews = new ToldPanel<OverviewToPanel>(overviewToPanel);
    const poolPanel = poolPresenter(pool, dependencies, pools.post);
    const positionPanel = positionPresenter(position, dependencies, positions.post);
    const overviewPanel = overviewPresenter('', dependencies, overviews.post);
    const presenters: readonly Presenter<never>[] = [poolPanel, positionPanel, overviewPanel];
    presenters.forEach((presenter) => presenter.setVisible(true));
    poolPanel.receive({ kind: 'ready' });
    positionPanel.receive({ kind: 'ready' });
    overviewPanel.receive({ kind: 'ready', period: 'ALL', range: {}, history: NEWEST_ROWS });
    return {
      way,
      startedMs,
      complete: async () => {
        await Promise.all([
          pools.until((panel) => panel.told('pool').pool.data?.tvlUsd !== undefined && panel.told('lpers').lpers.data !== undefined),
          positions.until(
            (panel) =>
              panel.told('position').position.data !== undefined &&
              panel.told('events').events.data !== undefined &&
              panel.told('outlook').outlook.data !== undefined,
          ),
          overviews.until(
            (panel) =>
              panel.told('open').open.data !== undefined &&
              panel.told('overview').overview.data?.missing.length === 0 &&
              panel.told('earned').earned.data !== undefined &&
              panel.told('history').history.data !== undefined,
          ),
        ]);
      },
      dispose: () => {
        presenters.forEach((presenter) => presenter.dispose());
        coordinator.dispose();
        portfolio.dispose();
        clock.stop();
      },
    };
  }

  it('Three panels send each read once, with at most one refused request that reveals the limit', async () => {
    window = await open();
    const { way, startedMs, complete } = window;
    await complete();
    const figures = way.heard
      .map(({ atMs, status, target }) => `${((atMs - startedMs) / 1_000).toFixed(1)} s: ${status} ${target}`)
      .join('\n');
    assert.ok(way.refusals <= 1, figures);
    const answered = way.heard.filter(({ status }) => status === 200);
    const firstMinute = answered.filter(({ atMs }) => atMs < startedMs + 60_000).map(({ target }) => target);
    assert.equal(new Set(firstMinute).size, firstMinute.length, figures);
    assert.ok(firstMinute.length <= PER_MINUTE, figures);
    // The outlook of the position takes the details that the panel of its pool has read.
    assert.ok(answered.filter(({ target }) => target.endsWith('/info')).length <= 2, figures);
    // Ten reads fill everything: two minutes of the plan. Refreshes wait until then.
    assert.ok((answered.at(-1)?.atMs ?? Infinity) - startedMs < 90_000, figures);
    assert.ok(answered.length <= 2 * PER_MINUTE, figures);
  });
});
