import { openConsentFile } from '../../../src/autoRebalance/consentFile';
import { OWNER } from '../portfolio/fixtures';
import { rulesWith } from './listed';

// A window of its own, for the tests of the switch: does what it is told, and says what it sees.

/** What the process is told. */
export type Told = 'on' | 'off' | 'read';

const [, , folder = ''] = process.argv;
const automation = openConsentFile({ folder, log: () => undefined });

automation.onDidChange(() => {
  void automation.read().then((grant) => process.send?.({ seen: grant?.sinceMs }));
});

process.on('message', (told: Told) => {
  const doing =
    told === 'on'
      ? automation.turnOn({ service: 'service', owner: OWNER, rules: rulesWith(), sinceMs: 7 })
      : told === 'off'
        ? automation.turnOff()
        : Promise.resolve();
  void doing.then(() => automation.read()).then((grant) => process.send?.({ told, sinceMs: grant?.sinceMs }));
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
