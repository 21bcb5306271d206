import { positionSaved, type PositionSaved, type PositionToHost, positionToPanel, type PositionToPanel } from '../../src/protocol/position';
import { connect } from '../shared/connection';
import '../shared/localization';
import { mount, Store } from '../shared/rendering';
import { registerControls } from '../shared/toolkit';
import { positionPage } from './positionPage';
import { initialState, type PositionActions, received } from './state';

/** How often relative times ("2 minutes ago") are refreshed. */
const TICK_MS = 30_000;

registerControls();
const store = new Store(initialState(Date.now()));
const connection = connect<PositionToPanel, PositionToHost, PositionSaved>({
  toPanel: positionToPanel,
  saved: positionSaved,
  receive: (message) => store.update({ ...received(store.state, message), nowMs: Date.now() }),
});
const key = connection.subject === '' ? (connection.saved?.key ?? '') : connection.subject;
store.update({ currency: connection.saved?.currency, horizon: connection.saved?.horizon ?? store.state.horizon });
const save = (): void => {
  const { currency, horizon } = store.state;
  connection.save({ key, horizon, ...(currency === undefined ? {} : { currency }) });
};
const actions: PositionActions = {
  post: (message) => connection.post(message),
  chooseCurrency: (currency) => {
    store.update({ currency });
    save();
  },
  chooseHorizon: (horizon) => {
    store.update({ horizon });
    save();
  },
  showAllEvents: () => store.update({ allEvents: true }),
};
const root = document.getElementById('root');
if (root !== null) {
  mount(root, store, (state) => positionPage(state, actions));
}
save();
setInterval(() => store.update({ nowMs: Date.now() }), TICK_MS);
connection.post({ kind: 'ready' });
