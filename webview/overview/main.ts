import { overviewSaved, type OverviewSaved, type OverviewToHost, overviewToPanel, type OverviewToPanel } from '../../src/protocol/overview';
import { LOADING } from '../../src/protocol/schemas';
import { connect } from '../shared/connection';
import '../shared/localization';
import { mount, Store } from '../shared/rendering';
import { registerControls } from '../shared/toolkit';
import { OverviewPage } from './overviewPage';
import { initialState, isInverted, isSameRange, type OverviewActions, received, savedOf } from './state';

/** How often relative times ("2 minutes ago") are refreshed. */
const TICK_MS = 30_000;

registerControls();
const store = new Store(initialState(undefined, Date.now()));
const connection = connect<OverviewToPanel, OverviewToHost, OverviewSaved>({
  toPanel: overviewToPanel,
  saved: overviewSaved,
  receive: (message) => store.update({ ...received(store.state, message), nowMs: Date.now() }),
});
store.update(initialState(connection.saved, Date.now()));

const actions: OverviewActions = {
  post: (message) => connection.post(message),
  choose: (change) => {
    const { period, range } = store.state;
    store.update(change);
    connection.save(savedOf(store.state));
    if (store.state.period !== period) {
      store.update({ earned: LOADING });
      connection.post({ kind: 'period', period: store.state.period });
    }
    if (!isSameRange(store.state.range, range) && !isInverted(store.state.range)) {
      connection.post({ kind: 'history', range: store.state.range });
    }
  },
};
const page = new OverviewPage(actions);
const root = document.getElementById('root');
if (root !== null) {
  mount(root, store, (state) => page.view(state));
}
connection.save(savedOf(store.state));
setInterval(() => store.update({ nowMs: Date.now() }), TICK_MS);
connection.post({
  kind: 'ready',
  period: store.state.period,
  range: savedOf(store.state).range ?? {},
  history: page.firstRequest(store.state),
});
