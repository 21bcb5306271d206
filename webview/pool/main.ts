import {
  FIRST_CHART_PERIOD,
  FIRST_LPERS,
  poolSaved,
  type PoolSaved,
  type PoolToHost,
  poolToPanel,
  type PoolToPanel,
} from '../../src/protocol/pool';
import { connect, type Connection } from '../shared/connection';
import { type Figures, figuresOf } from '../shared/figures';
import '../shared/localization';
import { mount, Store } from '../shared/rendering';
import { registerControls } from '../shared/toolkit';
import { poolActions } from './actions';
import { Distribution } from './distribution/distribution';
import { PlanOverlay } from './plan/overlay';
import { initialState, type PoolState, received, savedOf } from './state';
import { TopLpers } from './topLpers';
import { poolPanel, type PoolParts } from './view';

registerControls();
start();

/** Connects and renders the panel, then requests its data. */
function start(): void {
  const root = document.getElementById('root');
  if (root === null) {
    return;
  }
  const connection: Connection<PoolToHost, PoolSaved> = connect<PoolToPanel, PoolToHost, PoolSaved>({
    toPanel: poolToPanel,
    saved: poolSaved,
    receive: (message) => receive(message),
  });
  const store = new Store<PoolState>(initialState(connection.saved));
  const actions = poolActions(store, connection, (range) => distribution.showRange(range));
  const distribution = new Distribution(store.state.viewport, { onViewport: actions.keepViewport, openPosition: actions.openPosition });
  const parts: PoolParts = {
    address: connection.subject,
    actions,
    distribution,
    overlay: new PlanOverlay(actions.plan),
    lpers: new TopLpers(actions),
  };
  const receive = (message: PoolToPanel): void => {
    if (message.kind === 'startPlan') {
      actions.startPlan(message.range, message.plan);
    } else if (message.kind === 'opened') {
      actions.opened(message);
    } else {
      store.update(received(store.state, message));
    }
  };
  const figuresFor = figuresInLocale();
  mount(root, store, (state) => poolPanel(state, figuresFor(state.ambient?.locale ?? navigator.language), parts));
  // Saved at once, so the panel can be restored even if the user never changes anything in it.
  connection.save(savedOf(connection.subject, store.state));
  connection.post({ kind: 'ready' });
  const { lpersQuery, mode, chartPeriod } = store.state;
  if (
    lpersQuery.orderBy !== FIRST_LPERS.orderBy ||
    lpersQuery.sortOrder !== FIRST_LPERS.sortOrder ||
    lpersQuery.page !== FIRST_LPERS.page
  ) {
    connection.post({ kind: 'lpers', query: lpersQuery });
  }
  if (chartPeriod !== FIRST_CHART_PERIOD) {
    connection.post({ kind: 'chartPeriod', period: chartPeriod });
  }
  if (mode === 'plan') {
    connection.post({ kind: 'planFigures' });
  }
}

/** Formatters are created once per locale, so views that depend on them are not rendered again. */
function figuresInLocale(): (locale: string) => Figures {
  let figures: Figures | undefined;
  return (locale) => {
    figures = figures?.locale === locale ? figures : figuresOf(locale);
    return figures;
  };
}
