import { ConsentFile } from '../../../src/autoRebalance/consentStore';
import { OWNER } from '../portfolio/fixtures';
import { rulesWith } from './listed';

// Another window, for the tests of the consent: does what it is told, and says what it sees.

/** What the process is told. */
export type Told = 'on' | 'off' | 'read';

const [, , folder = ''] = process.argv;
const consents = new ConsentFile({ folder, log: () => undefined });

consents.onDidChange(() => {
  void consents.read().then((consent) => process.send?.({ seen: consent?.sinceMs }));
});

process.on('message', (told: Told) => {
  const doing =
    told === 'on'
      ? consents.turnOn({ service: 'service', owner: OWNER, rules: rulesWith(), sinceMs: 7 })
      : told === 'off'
        ? consents.turnOff()
        : Promise.resolve();
  void doing.then(() => consents.read()).then((consent) => process.send?.({ told, sinceMs: consent?.sinceMs }));
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
