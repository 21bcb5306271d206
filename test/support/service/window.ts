import { RequestBudget } from '../../../src/service/budget/requestBudget';
import { RequestLedger } from '../../../src/service/budget/requestLedger';
import { systemClock } from '../../../src/base/async/clock';

// Another window, for the tests of the shared budget: sends as many polling requests as it may, and says how many these were.

const [, , folder = '', perMinute = '1', attempts = '1'] = process.argv;
const ledger = new RequestLedger({ folder, name: 'service', now: () => systemClock.now(), log: () => undefined });
const budget = new RequestBudget(systemClock, { ledger, configured: () => Number(perMinute) });

process.on('message', () => {
  void (async () => {
    let sent = 0;
    for (let index = 0; index < Number(attempts); index += 1) {
      sent += (await budget.admit('poll')).kind === 'turn' ? 1 : 0;
    }
    process.send?.({ sent });
  })();
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
