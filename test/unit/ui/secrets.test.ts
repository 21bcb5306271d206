import assert from 'node:assert/strict';
import { describeUserError } from '../../../src/ui/shell/commands/errorMessage';
import { ANSWER_WITHIN_MS, SecretError, Secrets, unansweredText } from '../../../src/ui/shell/secrets';
import { windowProblems } from '../../../src/ui/shell/windowProblem';
import { FakeClock, settledMicrotasks } from '../../support/portfolio/fixtures';
import { fail, INTACT, KeyringSecrets } from '../../support/ui/memory';

function opened() {
  const storage = new KeyringSecrets();
  const clock = new FakeClock();
  return { storage, clock, secrets: new Secrets(storage, clock, fail) };
}

describe('The secret storage', () => {
  it('After ten seconds without an answer every place learns that the storage does not answer, and when it does again', async () => {
    for (const act of ['get', 'store', 'delete'] as const) {
      const { storage, clock, secrets } = opened();
      const said: (string | undefined)[] = [];
      const problems = windowProblems(secrets, INTACT);
      problems.onDidChange(() => said.push(problems.current?.message));
      storage.ask();
      const answer = secrets.patient()[act]('name', 'value');
      await clock.advance(ANSWER_WITHIN_MS - 1);
      assert.deepEqual(said, []);
      await clock.advance(1);
      assert.deepEqual(said, [unansweredText()]);
      storage.unlock();
      await answer;
      assert.deepEqual(said, [unansweredText(), undefined]);
      assert.equal(clock.timers, 0);
    }
  });

  it('A call waits as long as the prompt of the keyring stays open, and goes on with the answer', async () => {
    const { storage, clock, secrets } = opened();
    await secrets.patient().store('name', 'value');
    storage.ask();
    const read = secrets.patient().get('name');
    await clock.advance(600_000);
    storage.unlock();
    assert.equal(await read, 'value');
  });

  it('Those who ask for the same secret at once share one call, and a read after a change sees the change', async () => {
    const { storage, secrets } = opened();
    const keys = secrets.patient();
    storage.ask();
    const [first, second] = [keys.get('name'), keys.get('name')];
    const stored = keys.store('name', 'new');
    const third = keys.get('name');
    assert.equal(storage.calls, 3);
    storage.unlock();
    await stored;
    assert.deepEqual(await Promise.all([first, second, third]), [undefined, undefined, 'new']);
    storage.ask();
    void keys.get('name');
    await storage.memory.store('name', 'from another window');
    void keys.get('name');
    assert.equal(storage.calls, 5);
  });

  it('Who can do something else is not kept waiting, not even once, while the storage is known not to answer', async () => {
    const { storage, clock, secrets } = opened();
    storage.ask();
    const rules = secrets.brief();
    const first = assert.rejects(async () => rules.get('name'), { kind: 'unanswered', message: unansweredText() });
    await clock.advance(ANSWER_WITHIN_MS);
    await first;
    await assert.rejects(async () => rules.get('name'), { kind: 'unanswered' });
    await assert.rejects(
      secrets.whileAnswering(() => new Promise(() => undefined)),
      { kind: 'unanswered' },
    );
    assert.equal(storage.calls, 1);
    await storage.memory.store('other', 'value');
    storage.unlock();
    assert.equal(await rules.get('other'), 'value');
    assert.equal(await secrets.whileAnswering(() => Promise.resolve('read')), 'read');
  });

  it('A reader that has begun learns at once that the storage does not answer', async () => {
    const { storage, clock, secrets } = opened();
    storage.ask();
    const reading = assert.rejects(
      secrets.whileAnswering(async () => secrets.patient().get('name')),
      { kind: 'unanswered' },
    );
    await clock.advance(ANSWER_WITHIN_MS);
    await reading;
  });

  it('A refusal of the storage says what could not be read, that nothing was lost, and what to do', async () => {
    const { storage, secrets } = opened();
    storage.refuse();
    const error: unknown = await secrets
      .patient()
      .get('name')
      .then(undefined, (thrown: unknown) => thrown);
    assert.ok(error instanceof SecretError && error.kind === 'notRead');
    assert.match(error.message, /could not be read\. Nothing was lost or signed\. Unlock the keyring of this machine/);
    assert.equal(describeUserError(error)?.message, error.message);
    assert.equal(describeUserError(error)?.canRetry, true);
    assert.ok(secrets.isAnswering);
  });

  it('A write that is refused says that the state of the secret is not certain, and quotes neither the secret nor the cause', async () => {
    const { storage, secrets } = opened();
    storage.refuse();
    for (const write of [secrets.patient().store('name', 's3cret'), secrets.patient().delete('name')]) {
      const error: unknown = await Promise.resolve(write).then(undefined, (thrown: unknown) => thrown);
      assert.ok(error instanceof SecretError && error.kind === 'notWritten' && error.cause === undefined);
      assert.match(error.message, /secret storage failed, and what it holds now is uncertain\. Nothing was signed\./);
      assert.doesNotMatch(error.message, /s3cret|encryption/);
    }
  });

  it('A storage that throws at once is a refusal like any other', async () => {
    const { clock } = opened();
    const get = () => fail(new Error('broken'));
    const secrets = new Secrets({ get, store: get, delete: get, onDidChange: () => ({ dispose: () => undefined }) }, clock, fail);
    await assert.rejects(async () => secrets.patient().get('name'), { kind: 'notRead' });
    await settledMicrotasks();
    assert.equal(clock.timers, 0);
  });

  it('Windows hear of the secrets that other windows change', async () => {
    const { storage, secrets } = opened();
    const names: string[] = [];
    secrets.onDidChange((name) => names.push(name));
    await storage.memory.store('one', 'value');
    secrets.dispose();
    await storage.memory.delete('one');
    assert.deepEqual(names, ['one']);
  });
});
