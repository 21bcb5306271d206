import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/errors';
import type { OpenPosition } from '../../../src/service/positions';
import { usdToTheCent } from '../../../src/base/format/money';
import { keyDescription } from '../../../src/ui/wallets/keyMessages';
import type { WalletLock } from '../../../src/ui/wallets/owners';
import { statusBarModel, type StatusBarFacts, type StatusBarModel } from '../../../src/ui/statusBar';
import type { ViewState } from '../../../src/ui/shell/views/viewState';
import { emptySnapshot, withParts } from '../../../src/portfolio/snapshot';
import type { ListState } from '../../../src/portfolio/types';
import { openPosition, OWNER } from '../../support/portfolio/fixtures';

const AT = new Date(2026, 10, 20, 12, 4, 5);
const READY: ListState = { kind: 'ready', asOf: AT };

/** The default of `binsight.statusBar.template`. */
const DEFAULT_TEMPLATE = '{pnl} ({percent}) · {outOfRange}';

function modelOf(positions: readonly OpenPosition[], part: Partial<StatusBarFacts> = {}, positionsState = READY): StatusBarModel {
  const snapshot = withParts(emptySnapshot(OWNER), { positions, positionsState });
  return statusBarModel({
    snapshot,
    view: 'listed',
    problem: undefined,
    serviceName: 'example.org',
    isSandbox: false,
    currency: 'usd',
    template: DEFAULT_TEMPLATE,
    ...part,
  });
}

describe('The status bar', () => {
  it('The status bar shows the PnL with its percentage and the number of positions out of range', () => {
    const model = modelOf([openPosition(1), openPosition(2, { inRange: false, pnl: { usd: -4, native: -0.03 } })]);
    assert.equal(model.text, '$(graph-line) +$6.00 (+3.33%) · 1 out of range');
    assert.equal(model.state, 'ready');
    assert.equal(model.warns, false);
    assert.equal(model.spoken, 'Binsight: PnL +$6.00 (+3.33%), 1 of 2 positions out of range.');
  });

  it('Pretend profit never looks or sounds like real profit: the status bar says Sandbox, with a flask', () => {
    const pretend = modelOf([openPosition(1)], { isSandbox: true });
    assert.equal(pretend.text, '$(beaker) Sandbox +$10.00 (+11.11%) · 0 out of range');
    assert.match(pretend.spoken, / Sandbox \(pretend\)\.$/);
    const stale = modelOf([openPosition(1)], { isSandbox: true }, { kind: 'stale', asOf: AT, error: new Error('Gone.') });
    assert.equal(stale.text, '$(history) $(beaker) Sandbox +$10.00 (+11.11%) · 0 out of range');
    const real = modelOf([openPosition(1)]);
    assert.doesNotMatch(`${real.text} ${real.spoken}`, /sandbox|beaker|pretend/i);
  });

  it('What was earned since the first deposits can stand in the status bar, and without a rebalance it is the PnL', () => {
    const template = '{sinceFirstDeposit}';
    const since = { rebalances: 2, pnl: { usd: 504, native: undefined } };
    assert.equal(modelOf([openPosition(1)], { template, since }).text, '$(graph-line) +$504.00');
    assert.match(modelOf([openPosition(1)], { since }).tooltip, /Since the first deposit, over 2 rebalances: PnL \+\$504\.00/);
    assert.equal(modelOf([openPosition(1)], { template }).text, '$(graph-line) +$10.00');
  });

  it('A sandbox that nobody has looked at is named, and not shown as loading', () => {
    const model = modelOf([], { view: 'startingSandbox', isAsleep: true, isSandbox: true });
    assert.deepEqual([model.state, model.text], ['needsSetup', '$(beaker) Sandbox']);
    assert.match(model.spoken, /The sandbox starts when you look at positions or pools\./);
  });

  it('The status bar has the warning color only while something waits for the user, and says what', () => {
    for (const view of ['listed', 'empty', 'unreachable'] as const) {
      const model = modelOf([openPosition(1, { inRange: false })], { view, needsUser: '1 unconfirmed operation' });
      assert.equal(model.warns, true);
      assert.match(model.tooltip, /\$\(warning\) \*\*1 unconfirmed operation\*\*/);
      assert.match(model.spoken, / 1 unconfirmed operation$/);
    }
    assert.equal(modelOf([openPosition(1, { inRange: false })]).warns, false);
  });

  it('Figures that are older than they should be have their age beside them', () => {
    const old = modelOf([openPosition(1)], { age: '12m' });
    assert.equal(old.text, '$(history) 12m +$10.00 (+11.11%) · 0 out of range');
    assert.match(old.spoken, / The figures are outdated\.$/);
    assert.match(modelOf([openPosition(1)], { age: '12m', isSandbox: true }).text, /^\$\(history\) 12m \$\(beaker\) Sandbox /);
  });

  it('While the secret storage does not answer, the status bar says so instead of loading or of figures that are not read again', () => {
    const windowProblem = {
      kind: 'secretStorage' as const,
      brief: 'Waiting for the secret storage',
      message: 'It does not answer. Nothing is signed. Look for a prompt.',
    };
    for (const view of ['loading', 'startingService', 'listed'] as const) {
      const { text, tooltip, spoken } = modelOf([openPosition(1)], { view, windowProblem });
      assert.equal(text, '$(warning) Waiting for the secret storage');
      assert.ok(tooltip.includes('Look for a prompt.') && spoken.endsWith(windowProblem.message));
    }
  });

  it('Once the extension was updated under the window, the status bar says so, and a click reloads the window', () => {
    const windowProblem = {
      kind: 'replaced',
      brief: 'Binsight was updated: reload',
      message: 'Reload the window.',
      command: 'reload',
    } as const;
    const { text, command } = modelOf([openPosition(1)], { windowProblem });
    assert.deepEqual([text, command], ['$(warning) Binsight was updated: reload', 'reload']);
    assert.equal(modelOf([openPosition(1)]).command, undefined);
  });

  it('The tooltip shows the requests of the last minute, with the limit once it is known', () => {
    assert.match(modelOf([openPosition(1)], { usage: { sent: 7, limit: 10 } }).tooltip, /Requests: 7 of 10 in the last minute$/);
    assert.match(modelOf([], { view: 'failed', usage: { sent: 0, limit: undefined } }).tooltip, /Requests: 0 in the last minute$/);
    assert.doesNotMatch(modelOf([openPosition(1)]).tooltip, /Requests/);
  });

  it('The status bar shows SOL if the setting asks for it', () => {
    assert.equal(modelOf([openPosition(1)], { currency: 'sol' }).text, '$(graph-line) +0.1 SOL (+16.67%) · 0 out of range');
  });

  it('The template decides what the status bar shows', () => {
    const positions = [openPosition(1), openPosition(2, { inRange: false })];
    const textOf = (template: string) => modelOf(positions, { template }).text;
    const { totals } = withParts(emptySnapshot(OWNER), { positions });
    assert.equal(
      textOf('{value} | {fees} | {positions}'),
      `$(graph-line) ${usdToTheCent(totals.valueUsd)} | ${usdToTheCent(totals.uncollectedFeeUsd)} | 2 positions`,
    );
    assert.match(textOf('{percent}'), /^\$\(graph-line\) [+−][\d.]+%$/);
    assert.equal(textOf('  '), '$(graph-line)');
    assert.equal(textOf('} {{pnl} {'), '$(graph-line) } {+$20.00 {');
  });

  it('A template with an unknown placeholder still shows the rest, and the tooltip names the error', () => {
    const { text, tooltip, spoken } = modelOf([openPosition(1)], { template: '{pnl} {pln} ({[x](command:evil)})' });
    assert.equal(text, '$(graph-line) +$10.00 {pln} ({[x](command:evil)})');
    assert.match(
      tooltip,
      /\$\(error\) Unknown placeholders .+: \{pln\}.+Use \{pnl\}, \{sinceFirstDeposit\}, \{percent\}, \{value\}, \{fees\}, \{outOfRange\}, \{positions\}, \{service\}\./,
    );
    assert.doesNotMatch(tooltip, /(?<!\\)\[x\]?\(/);
    assert.match(spoken, /PnL \+\$10\.00/);
    assert.doesNotMatch(modelOf([openPosition(1)]).tooltip, /placeholder/);
  });

  it('The status bar shows a dash without prices, never a zero', () => {
    const nothing = { usd: undefined, native: undefined };
    const model = modelOf([openPosition(1, { pnl: nothing, input: nothing })]);
    assert.equal(model.text, '$(graph-line) – · 0 out of range');
    assert.doesNotMatch(model.tooltip, /Left out/);
    assert.match(model.spoken, /unknown/);
  });

  it('The status bar tooltip states how many positions each sum leaves out, and why', () => {
    const nothing = { usd: undefined, native: undefined };
    const absurd = { usd: 1e308, native: 1e308 };
    const { text, tooltip } = modelOf([
      openPosition(1),
      openPosition(2, { uncollectedFee: nothing, pnl: nothing }),
      openPosition(3, { value: absurd }),
    ]);
    assert.match(text, /[+−]\$\d/);
    assert.ok(tooltip.includes('Left out, as not reported: 1 position (PnL), 1 position (PnL %), 1 position (Unclaimed fees).'), tooltip);
    assert.ok(tooltip.includes('Left out, as too large to be real: 1 position (Value).'), tooltip);
    assert.doesNotMatch(tooltip, /E308|∞/);
  });

  it('The status bar tooltip names the wallet, the time and what the PnL includes', () => {
    const { tooltip } = modelOf([openPosition(1)], { isSandbox: true });
    assert.match(tooltip, /Sandbox \(pretend\)/);
    assert.match(tooltip, /Never send real money to the sandbox wallet/);
    assert.ok(tooltip.includes(OWNER));
    assert.match(tooltip, /PnL is value, fees and withdrawals, less deposits/);
    assert.match(tooltip, /As of Nov 20, 2026, 12:04:05/);
  });

  it('The status bar tooltip states when the next update comes while the request limit is reached', () => {
    const limit = 'Request limit reached. Next update in 42 s.';
    const error = new ServiceError('The service has had too many requests for your plan (429). Try again in 86400 s.', {
      kind: 'rateLimited',
      endpoint: 'GET /x',
    });
    const stale = modelOf([openPosition(1)], { limit }, { kind: 'stale', asOf: AT, error }).tooltip;
    assert.match(stale, /Last updated 12:04:05\.\*\*\n\n\$\(watch\) Request limit reached\. Next update in 42 s\./);
    assert.doesNotMatch(stale, /86400/);
    assert.match(modelOf([], { limit, view: 'failed', problem: error.message }).tooltip, /Next update in 42 s\./);
    assert.doesNotMatch(modelOf([openPosition(1)]).tooltip, /Service limit/);
  });

  it("The status bar tooltip has the wallet's name and its whole address", () => {
    assert.ok(modelOf([openPosition(1)], { walletName: '*Main*' }).tooltip.includes(`\\*Main\\* · \`${OWNER}\``));
  });

  it('The status bar tooltip states whether the wallet is locked', () => {
    const owner = { address: OWNER, canSign: true, origin: 'user', hasPassphrase: true } as const;
    const tooltip = (lock: WalletLock) => modelOf([openPosition(1)], { keyState: keyDescription(owner, lock) }).tooltip;
    assert.match(tooltip({ kind: 'locked' }), /can sign · locked/);
    assert.match(tooltip({ kind: 'unlocked', untilMs: AT.getTime() }), /unlocked until 12:04:05/);
    assert.match(tooltip({ kind: 'none' }), /can sign$/m);
    assert.match(
      modelOf([], { view: 'empty', keyState: keyDescription({ ...owner, canSign: false }, { kind: 'none' }) }).tooltip,
      /watch-only/,
    );
  });

  it('The status bar marks outdated figures', () => {
    const error = new ServiceError('The service cannot be reached.', { kind: 'unreachable', endpoint: 'GET /x' });
    const model = modelOf([openPosition(1)], {}, { kind: 'stale', asOf: AT, error });
    assert.equal(model.state, 'stale');
    assert.match(model.text, /^\$\(history\) \+\$10/);
    assert.match(model.tooltip, /Last updated 12:04:05\.\*\* The service cannot be reached/);
    assert.match(model.spoken, /figures are outdated/);
  });

  const states: readonly (readonly [ViewState, string, RegExp])[] = [
    ['loading', 'loading', /–/],
    ['startingSandbox', 'loading', /–/],
    ['noOwner', 'needsSetup', /No wallet/],
    ['noApiKey', 'needsSetup', /No API key/],
    ['invalidAddress', 'needsSetup', /No service/],
    ['refused', 'failed', /–/],
    ['unreachable', 'failed', /–/],
    ['failed', 'failed', /–/],
    ['sandboxFailed', 'failed', /–/],
    ['sandboxCannotRun', 'failed', /–/],
    ['empty', 'empty', /No open positions/],
  ];
  for (const [view, state, text] of states) {
    it(`The status bar has its own state and text for the view state ${view}`, () => {
      const model = modelOf([], { view, problem: 'The service said [so](command:x).' });
      assert.equal(model.state, state);
      assert.match(model.text, text);
      assert.doesNotMatch(model.text, /0/);
      assert.equal(model.warns, false);
      assert.match(model.spoken, /^Binsight: .+[.…]$/);
      assert.doesNotMatch(model.tooltip, /[^\\]\[so\]\(/);
    });
  }
});
