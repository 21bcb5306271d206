import assert from 'node:assert/strict';
import { DataUnavailableError } from '../../../src/autoRebalance/inputs';
import { ServiceError, type ServiceErrorDetails } from '../../../src/service/errors';
import { OperationError, type OperationErrorKind } from '../../../src/transactions/errors';
import { describeUserError } from '../../../src/ui/shell/commands/errorMessage';
import { COMMAND_IDS, type CommandId } from '../../../src/settings/generated/commandIds';
import { COMMAND_TRAITS } from '../../../src/settings/generated/commandTraits';
import {
  type CommandHandler,
  type CommandTarget,
  offeringFreshQuote,
  readTarget,
  runCommand,
} from '../../../src/ui/shell/commands/runCommand';
import { ConnectionError, ReplacedError, RpcServiceError, SandboxError, UserError } from '../../../src/ui/shell/errors';
import { KeyError, SigningError } from '../../../src/wallet/errors';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { openPosition, pool } from '../../support/portfolio/fixtures';

interface Run {
  readonly prompts: ScriptedPrompts;
  readonly executed: string[];
  readonly logged: string[];
  readonly targets: (CommandTarget | undefined)[];
}

interface Circumstances {
  readonly trusted?: boolean;
  readonly isReplaced?: boolean;
  readonly argument?: unknown;
  readonly presses?: Readonly<Record<string, string>>;
}

async function run(
  id: CommandId,
  work: () => Promise<void>,
  { trusted = true, isReplaced = false, argument, presses = {} }: Circumstances = {},
): Promise<Run> {
  const result: Run = { prompts: new ScriptedPrompts([], presses), executed: [], logged: [], targets: [] };
  const handler: CommandHandler = (target) => {
    result.targets.push(target);
    return work();
  };
  await runCommand(id, handler, argument, {
    prompts: result.prompts,
    log: (level, message) => result.logged.push(`${level} ${message}`),
    isTrusted: () => trusted,
    assertIntact: () => (isReplaced ? Promise.reject(new ReplacedError()) : Promise.resolve()),
    execute: (command, ...given) =>
      Promise.resolve(void result.executed.push([command, ...given.map((one) => JSON.stringify(one))].join(' '))),
  });
  return result;
}

const done = () => Promise.resolve();
const serviceError = (details: Partial<ServiceErrorDetails>) =>
  new ServiceError('The service said no.', { kind: 'rejected', endpoint: 'GET /x', ...details });

describe('Running a command', () => {
  it('An untrusted folder refuses only the commands that need trust', async () => {
    const refused = await run('binsight.zapOut', () => assert.fail('it ran'), {
      trusted: false,
      presses: { 'Restricted Mode': 'Manage Trust' },
    });
    assert.deepEqual(refused.executed, ['workbench.trust.manage']);
    assert.equal((await run('binsight.refresh', done, { trusted: false })).targets.length, 1);
  });

  it('Once the extension was updated under the window, commands that can sign start nothing and offer to reload; others run', async () => {
    for (const id of COMMAND_IDS.filter((one) => COMMAND_TRAITS[one].movesFunds)) {
      const { targets, prompts, executed } = await run(id, done, {
        isReplaced: true,
        presses: { 'Binsight was updated': 'Reload Window' },
      });
      assert.deepEqual([targets, executed], [[], ['workbench.action.reloadWindow']]);
      assert.match(prompts.notices[0]?.message ?? '', /^Binsight was updated\. This window signs nothing more\. Reload the window\.$/);
    }
    assert.equal((await run('binsight.stopAllAutomation', done, { isReplaced: true })).targets.length, 1);
  });

  it('A dry run that cannot read the positions says why, and offers what helps', () => {
    const described = describeUserError(
      new DataUnavailableError('Could not load the positions.', undefined, { cause: serviceError({ kind: 'unauthorized' }) }),
    );
    assert.deepEqual(
      [described?.message, described?.canRetry, described?.remedies.map(({ label }) => label)],
      ['Could not load the positions.', true, ['Set API Key…', 'Show Log']],
    );
  });

  it('A command gets only the identity of a row, and only if it takes rows of that kind', async () => {
    const node = { kind: 'position', key: openPosition(1).key, position: { value: { usd: 1e9 } } };
    assert.deepEqual((await run('binsight.zapOut', done, { argument: node })).targets, [{ kind: 'position', key: node.key }]);
    assert.deepEqual((await run('binsight.zapIn', done, { argument: node })).targets, [undefined]);
    assert.deepEqual((await run('binsight.refresh', done, { argument: node })).targets, [undefined]);
    assert.deepEqual((await run('binsight.openPool', done, { argument: node })).targets, [{ kind: 'position', key: node.key }]);
  });

  it('Only the command that continues a plan gets a plan', async () => {
    const argument = { kind: 'plan', pool: pool(1).address, plan: { amountLamports: 'anything' } };
    assert.deepEqual((await run('binsight.continuePlan', done, { argument })).targets, [argument]);
    for (const id of ['binsight.zapIn', 'binsight.openPool', 'binsight.zapOut'] as const) {
      assert.deepEqual((await run(id, done, { argument })).targets, [undefined], id);
    }
  });

  it('A failure is shown and logged with its causes, and the pressed button runs its command', async () => {
    const { prompts, executed, logged } = await run(
      'binsight.refresh',
      () => Promise.reject(serviceError({ kind: 'unauthorized', cause: new Error('inner') })),
      { presses: { 'said no': 'Set API Key…' } },
    );
    assert.deepEqual(prompts.notices, [{ severity: 'error', message: 'The service said no.', actions: ['Set API Key…', 'Show Log'] }]);
    assert.deepEqual(executed, ['binsight.setApiKey']);
    assert.ok(
      logged.some(
        (line) =>
          line.startsWith('warn binsight.refresh failed: ServiceError: The service said no.') && line.includes('caused by Error: inner'),
      ),
    );
  });

  it('The button *Try Again* runs the command again', async () => {
    let times = 0;
    const { targets } = await run(
      'binsight.refresh',
      () => (++times === 1 ? Promise.reject(serviceError({ kind: 'timeout' })) : Promise.resolve()),
      { presses: { 'said no': 'Try Again' } },
    );
    assert.equal(times, 2);
    assert.equal(targets.length, 2);
  });

  it('What may have landed offers no retry, but its signature in an explorer or to copy', async () => {
    for (const [hasExplorer, label, command] of [
      [true, 'Open in Explorer', 'binsight.openInExplorer'],
      [false, 'Copy Signature', 'binsight.copySignature'],
    ] as const) {
      const failure = new OperationError({
        kind: 'mayHaveLanded',
        what: 'The zap-in was sent, and the service answered 504.',
        advice: 'Look up its signature before you repeat it.',
        lookUp: { signature: 'one', hasExplorer },
        operation: 'id',
      });
      const { prompts, executed } = await run('binsight.zapIn', () => Promise.reject(failure), { presses: { 'answered 504': label } });
      assert.deepEqual(prompts.notices[0], {
        severity: 'error',
        message: 'The zap-in was sent, and the service answered 504. It may have landed. Look up its signature before you repeat it.',
        operation: 'id',
        actions: [label, 'Show Activity', 'Refresh', 'Show Log'],
      });
      assert.deepEqual(executed, [`${command} {"kind":"operation","id":"id"}`]);
    }
  });

  it('A command shows nothing after the user cancels it', async () => {
    assert.deepEqual((await run('binsight.refresh', () => Promise.reject(serviceError({ kind: 'cancelled' })))).prompts.notices, []);
  });

  it('A refusal is one line of the log, without a stack trace', async () => {
    const { logged } = await run('binsight.zapOut', () => Promise.reject(new UserError('There is no open position\nto zap out of.')));
    assert.deepEqual(
      logged.filter((line) => !line.startsWith('debug')),
      ['info binsight.zapOut refused: There is no open position to zap out of.'],
    );
  });

  it('A command logs an unexpected error and shows the user a general message', async () => {
    const { prompts, logged } = await run('binsight.refresh', () => Promise.reject(new TypeError('x is not a function')));
    assert.match(prompts.notices[0]?.message ?? '', /unexpected error/);
    assert.doesNotMatch(prompts.notices[0]?.message ?? '', /x is not/);
    assert.ok(logged.some((line) => line.startsWith('error') && line.includes('x is not a function')));
  });
});

describe('Describing an error', () => {
  const remedies = (error: unknown) => describeUserError(error)?.remedies.map(({ label }) => label);

  it('A retry is offered only if no money has moved', () => {
    const of = (kind: OperationErrorKind) => describeUserError(new OperationError({ kind, what: 'It failed.', advice: 'Look.' }));
    for (const kind of ['invalidPlan', 'notBuilt', 'notReviewed', 'notAsked', 'notSigned', 'notSent', 'notLanded'] as const) {
      assert.equal(of(kind)?.canRetry, true, kind);
    }
    assert.equal(of('mayHaveLanded')?.canRetry, false);
    assert.ok(of('mayHaveLanded')?.remedies.some(({ label }) => label === 'Refresh'));
  });

  it('The buttons of an error lead to what fixes its cause, even inside a failed operation', () => {
    assert.deepEqual(
      remedies(new OperationError({ kind: 'notBuilt', what: 'No.', advice: 'No.', cause: serviceError({ kind: 'unauthorized' }) })),
      ['Set API Key…', 'Show Log'],
    );
    assert.deepEqual(
      remedies(new OperationError({ kind: 'notSigned', what: 'No.', advice: 'No.', cause: new SigningError('noKey', 'No key.') })),
      ['Import Wallet Key…', 'Show Log'],
    );
    assert.deepEqual(remedies(new ConnectionError('noApiKey', 'No key.')), ['Set API Key…']);
    assert.deepEqual(remedies(new ConnectionError('invalidAddress', 'No address.')), ['Connect to Service…']);
    assert.deepEqual(remedies(new ConnectionError('rpcRefused', 'Refused.')), ['Connect to Service…']);
    assert.deepEqual(remedies(new ConnectionError('rpcUnavailable', 'No answer.')), ['Show Log']);
    assert.deepEqual(remedies(new SandboxError('cannotRun', 'Not here.')), ['Watch Address…', 'Connect to Service…', 'Show Log']);
    assert.deepEqual(remedies(new RpcServiceError('cannotRun', 'Not here.')), ['Connect to Service…', 'Show Log']);
    assert.deepEqual(remedies(new RpcServiceError('damaged', 'Not here.')), ['Show Log']);
    assert.deepEqual(remedies(new UserError('No.', { label: 'Do', command: 'x' })), ['Do']);
  });

  it('A sandbox that was stopped on purpose is not reported', () => {
    assert.equal(describeUserError(new SandboxError('stopped', 'Stopped.')), undefined);
  });

  it('The message about a key is that of KeyError and never quotes the key', () => {
    assert.equal(describeUserError(new KeyError('wrongLength'))?.message, `${new KeyError('wrongLength').message} Nothing was changed.`);
    assert.equal(describeUserError(new KeyError('badRecord'))?.message, new KeyError('badRecord').message);
  });
});

describe('The target of a command', () => {
  it('The target of a command is read from rows of positions, their details and pools', () => {
    const position = { kind: 'position', key: 'k' };
    assert.deepEqual(readTarget(position), { kind: 'position', key: 'k' });
    const selection = {
      kind: 'selection',
      clicked: position,
      rows: [position, { kind: 'detail', parent: { kind: 'position', key: 'l' } }, 7],
    };
    assert.deepEqual(readTarget(selection, 'positions'), { kind: 'positions', keys: ['k', 'l'] });
    assert.deepEqual(readTarget(selection, 'position'), { kind: 'position', key: 'k' });
    assert.deepEqual(readTarget({ kind: 'detail', parent: position }), { kind: 'position', key: 'k' });
    assert.deepEqual(readTarget({ kind: 'pool', pool: pool(1) }), { kind: 'pool', address: pool(1).address });
  });

  it('The target of a command can be a plan with its pool, without any other field', () => {
    const plan = { range: 'far', amountLamports: 5 };
    assert.deepEqual(readTarget({ kind: 'plan', pool: pool(1).address, plan, owner: 'x' }), { kind: 'plan', pool: pool(1).address, plan });
    assert.deepEqual(readTarget({ kind: 'plan', pool: pool(1).address }), { kind: 'plan', pool: pool(1).address, plan: undefined });
  });

  it('Any other argument of a command is no target', () => {
    for (const argument of [
      undefined,
      null,
      5,
      'text',
      [],
      {},
      { kind: 'more' },
      { kind: 'position' },
      { kind: 'position', key: 5 },
      { kind: 'pool' },
      { kind: 'pool', pool: { address: 'x' } },
      { kind: 'detail' },
      { kind: 'plan' },
      { kind: 'plan', pool: 'x', plan: {} },
      { kind: 'plan', pool: { address: pool(1).address }, plan: {} },
    ]) {
      assert.equal(readTarget(argument), undefined, JSON.stringify(argument));
    }
  });
});

describe('An operation that exceeds its slippage tolerance', () => {
  const failure = new OperationError({
    kind: 'notLanded',
    what: 'The price moved further than 1%.',
    advice: 'Allow more slippage.',
    offersFreshQuote: true,
  });

  it('An operation that failed for its slippage can be retried with a fresh quote and the same choices', async () => {
    const runs: boolean[] = [];
    let dialogs = 0;
    const { prompts } = await run(
      'binsight.zapOut',
      async () => {
        dialogs++;
        await offeringFreshQuote((isAgain) => {
          runs.push(isAgain);
          return runs.length < 3 ? Promise.reject(failure) : Promise.resolve();
        });
      },
      { presses: { 'moved further': 'Retry with Fresh Quote' } },
    );
    assert.deepEqual([dialogs, runs], [1, [false, true]]);
    assert.deepEqual(prompts.notices[0]?.actions, ['Retry with Fresh Quote', 'Show Log']);
    assert.deepEqual(
      prompts.notices.map(({ message }) => message),
      [failure.message, failure.message],
    );
  });

  it('A fresh quote is not offered after other failures', async () => {
    const other = new OperationError({ kind: 'notLanded', what: 'No.', advice: '' });
    const { prompts } = await run('binsight.zapOut', () => offeringFreshQuote(() => Promise.reject(other)));
    assert.deepEqual(prompts.notices[0]?.actions, ['Try Again', 'Show Log']);
  });

  it('A failure because of another window offers to show the Activity view', async () => {
    const { executed } = await run(
      'binsight.zapOut',
      () => Promise.reject(new OperationError({ kind: 'underWay', what: 'Another window is working on this position.', advice: '' })),
      { presses: { 'Another window': 'Show Activity' } },
    );
    assert.deepEqual(executed, ['binsight.activity.focus']);
  });
});
