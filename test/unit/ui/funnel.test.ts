import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorDetails } from '../../../src/service/errors';
import { OperationError, type OperationErrorKind } from '../../../src/transactions/errors';
import { describeUserError } from '../../../src/ui/shell/commands/errorMessage';
import { offeringFreshQuote } from '../../../src/ui/shell/commands/freshQuote';
import type { CommandId } from '../../../src/ui/shell/commands/registry';
import { type CommandHandler, runCommand } from '../../../src/ui/shell/commands/runCommand';
import { type CommandTarget, readTarget } from '../../../src/ui/shell/commands/target';
import { ConnectionError, SandboxError } from '../../../src/ui/shell/connectionErrors';
import { UserError } from '../../../src/ui/shell/userError';
import { KeyError, SigningError } from '../../../src/wallet/errors';
import { ScriptedPrompts } from '../../editor/support/scriptedPrompts';
import { openPosition, pool } from '../portfolio/fixtures';

interface Run {
  readonly prompts: ScriptedPrompts;
  readonly executed: string[];
  readonly logged: string[];
  readonly targets: (CommandTarget | undefined)[];
}

interface Circumstances {
  readonly trusted?: boolean;
  readonly argument?: unknown;
  readonly presses?: Readonly<Record<string, string>>;
}

async function run(id: CommandId, work: () => Promise<void>, { trusted = true, argument, presses = {} }: Circumstances = {}): Promise<Run> {
  const result: Run = { prompts: new ScriptedPrompts([], presses), executed: [], logged: [], targets: [] };
  const handler: CommandHandler = (target) => {
    result.targets.push(target);
    return work();
  };
  await runCommand(id, handler, argument, {
    prompts: result.prompts,
    log: (level, message) => result.logged.push(`${level} ${message}`),
    isTrusted: () => trusted,
    execute: (command) => Promise.resolve(void result.executed.push(command)),
  });
  return result;
}

const done = () => Promise.resolve();
const serviceError = (details: Partial<ServiceErrorDetails>) =>
  new ServiceError('The service said no.', { kind: 'rejected', endpoint: 'GET /x', ...details });

describe('The funnel of the commands', () => {
  it('refuses in a folder that is not trusted what needs trust, and nothing else', async () => {
    const refused = await run('binsight.zapOut', () => assert.fail('it ran'), {
      trusted: false,
      presses: { 'Restricted Mode': 'Manage Trust' },
    });
    assert.deepEqual(refused.executed, ['workbench.trust.manage']);
    assert.equal((await run('binsight.refresh', done, { trusted: false })).targets.length, 1);
  });

  it('hands over only the identity of a row, and only to commands that take one', async () => {
    const node = { kind: 'position', key: openPosition(1).key, position: { value: { usd: 1e9 } } };
    assert.deepEqual((await run('binsight.zapOut', done, { argument: node })).targets, [{ kind: 'position', key: node.key }]);
    assert.deepEqual((await run('binsight.zapIn', done, { argument: node })).targets, [undefined]);
    assert.deepEqual((await run('binsight.refresh', done, { argument: node })).targets, [undefined]);
    assert.deepEqual((await run('binsight.openPool', done, { argument: node })).targets, [{ kind: 'position', key: node.key }]);
  });

  it('hands a plan to the command that goes on with one, and to no other', async () => {
    const argument = { kind: 'plan', pool: pool(1).address, plan: { amountLamports: 'anything' } };
    assert.deepEqual((await run('binsight.continuePlan', done, { argument })).targets, [argument]);
    for (const id of ['binsight.zapIn', 'binsight.openPool', 'binsight.zapOut', 'binsight.planPosition'] as const) {
      assert.deepEqual((await run(id, done, { argument })).targets, [undefined], id);
    }
  });

  it('tells what went wrong, logs it with its causes, and runs the remedy that is pressed', async () => {
    const { prompts, executed, logged } = await run(
      'binsight.refresh',
      () => Promise.reject(serviceError({ kind: 'unauthorized', cause: new Error('inner') })),
      { presses: { 'said no': 'Set API Key' } },
    );
    assert.deepEqual(prompts.notices, [{ severity: 'error', message: 'The service said no.', actions: ['Set API Key', 'Show Log'] }]);
    assert.deepEqual(executed, ['binsight.setApiKey']);
    assert.ok(
      logged.some(
        (line) =>
          line.startsWith('warn binsight.refresh failed: ServiceError: The service said no.') && line.includes('caused by Error: inner'),
      ),
    );
  });

  it('tries again when that is pressed', async () => {
    let times = 0;
    const { targets } = await run(
      'binsight.refresh',
      () => (++times === 1 ? Promise.reject(serviceError({ kind: 'timeout' })) : Promise.resolve()),
      { presses: { 'said no': 'Try Again' } },
    );
    assert.equal(times, 2);
    assert.equal(targets.length, 2);
  });

  it('is silent where the user has cancelled', async () => {
    assert.deepEqual((await run('binsight.refresh', () => Promise.reject(serviceError({ kind: 'cancelled' })))).prompts.notices, []);
  });

  it('never rejects, and has words for what has none', async () => {
    const { prompts, logged } = await run('binsight.refresh', () => Promise.reject(new TypeError('x is not a function')));
    assert.match(prompts.notices[0]?.message ?? '', /Something went wrong in Binsight/);
    assert.doesNotMatch(prompts.notices[0]?.message ?? '', /x is not/);
    assert.ok(logged.some((line) => line.startsWith('error') && line.includes('x is not a function')));
  });
});

describe('The words for an error', () => {
  const remedies = (error: unknown) => describeUserError(error)?.remedies.map(({ label }) => label);

  it('offer to repeat an operation only where the money is where it was', () => {
    const of = (kind: OperationErrorKind) => describeUserError(new OperationError({ kind, what: 'It failed.', advice: 'Look.' }));
    for (const kind of ['invalidPlan', 'notBuilt', 'notReviewed', 'notAsked', 'notSigned', 'notSent', 'notLanded'] as const) {
      assert.equal(of(kind)?.canRetry, true, kind);
    }
    assert.equal(of('mayHaveLanded')?.canRetry, false);
    assert.ok(of('mayHaveLanded')?.remedies.some(({ label }) => label === 'Refresh'));
  });

  it('lead to what puts the cause right, also through an operation', () => {
    assert.deepEqual(
      remedies(new OperationError({ kind: 'notBuilt', what: 'No.', advice: 'No.', cause: serviceError({ kind: 'unauthorized' }) })),
      ['Set API Key', 'Show Log'],
    );
    assert.deepEqual(
      remedies(new OperationError({ kind: 'notSigned', what: 'No.', advice: 'No.', cause: new SigningError('noKey', 'No key.') })),
      ['Import Wallet Key', 'Show Log'],
    );
    assert.deepEqual(remedies(new ConnectionError('noApiKey', 'No key.')), ['Set API Key']);
    assert.deepEqual(remedies(new ConnectionError('invalidAddress', 'No address.')), ['Connect to a Service']);
    assert.deepEqual(remedies(new SandboxError('cannotRun', 'Not here.')), ['Connect to a Service', 'Show Log']);
    assert.deepEqual(remedies(new UserError('No.', { label: 'Do', command: 'x' })), ['Do']);
  });

  it('say nothing of a sandbox that was stopped on purpose', () => {
    assert.equal(describeUserError(new SandboxError('stopped', 'Stopped.')), undefined);
  });

  it('say of a key only what KeyError says, which never quotes it', () => {
    assert.equal(describeUserError(new KeyError('wrongLength'))?.message, `${new KeyError('wrongLength').message} Nothing was changed.`);
    assert.equal(describeUserError(new KeyError('badRecord'))?.message, new KeyError('badRecord').message);
  });
});

describe('What a command was started on', () => {
  it('is read from rows of positions, their details, and pools', () => {
    const position = { kind: 'position', key: 'k' };
    assert.deepEqual(readTarget(position), { kind: 'position', key: 'k' });
    assert.deepEqual(readTarget({ kind: 'detail', parent: position }), { kind: 'position', key: 'k' });
    assert.deepEqual(readTarget({ kind: 'pool', pool: pool(1) }), { kind: 'pool', address: pool(1).address });
  });

  it('is a plan with its pool, of which nothing else is read here', () => {
    const plan = { range: 'far', amountLamports: 5 };
    assert.deepEqual(readTarget({ kind: 'plan', pool: pool(1).address, plan, owner: 'x' }), { kind: 'plan', pool: pool(1).address, plan });
    assert.deepEqual(readTarget({ kind: 'plan', pool: pool(1).address }), { kind: 'plan', pool: pool(1).address, plan: undefined });
  });

  it('is nothing for anything else', () => {
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

describe('An operation whose price moved further than was allowed', () => {
  const failure = new OperationError({
    kind: 'notLanded',
    what: 'The price moved further than 1%.',
    advice: 'Allow more slippage.',
    offersFreshQuote: true,
  });

  it('is offered again as it was chosen, with a fresh quote, without the dialogue before it', async () => {
    const runs: boolean[] = [];
    let dialogues = 0;
    const { prompts } = await run(
      'binsight.zapOut',
      async () => {
        dialogues++;
        await offeringFreshQuote((isAgain) => {
          runs.push(isAgain);
          return runs.length < 3 ? Promise.reject(failure) : Promise.resolve();
        });
      },
      { presses: { 'moved further': 'Try Again with a Fresh Quote' } },
    );
    assert.deepEqual([dialogues, runs], [1, [false, true]]);
    assert.deepEqual(prompts.notices[0]?.actions, ['Try Again with a Fresh Quote', 'Show Log']);
    assert.deepEqual(
      prompts.notices.map(({ message }) => message),
      [failure.message, failure.message],
    );
  });

  it('is not offered where it failed otherwise', async () => {
    const other = new OperationError({ kind: 'notLanded', what: 'No.', advice: '' });
    const { prompts } = await run('binsight.zapOut', () => offeringFreshQuote(() => Promise.reject(other)));
    assert.deepEqual(prompts.notices[0]?.actions, ['Try Again', 'Show Log']);
  });

  it('that another window is at leads to the Activity view', async () => {
    const { executed } = await run(
      'binsight.zapOut',
      () => Promise.reject(new OperationError({ kind: 'underWay', what: 'Another window is working on this position.', advice: '' })),
      { presses: { 'Another window': 'Show Activity' } },
    );
    assert.deepEqual(executed, ['binsight.activity.focus']);
  });
});
