import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import { type ListedState, removalCommands } from '../../../../src/ui/removal/removeAllData';
import { UserError } from '../../../../src/ui/shell/errors';
import { SecretError, Secrets } from '../../../../src/ui/shell/secrets';
import type { ActivityState } from '../../../../src/ui/shell/views/viewState';
import { nameOfKey, readIndex, writeIndex } from '../../../../src/ui/wallets/ownerIndex';
import { type ScriptedAnswer, ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { addressOf, FakeClock, OWNER } from '../../../support/portfolio/fixtures';
import { record, SETTLED, SUBMITTED } from '../../../support/ui/journalRecords';
import { fail, KeyringSecrets, MemoryState } from '../../../support/ui/memory';

class NamedState extends MemoryState implements ListedState {
  keys(): readonly string[] {
    return [...this.kept.keys()].filter((name) => this.get(name) !== undefined);
  }

  override update(name: string, value: unknown): Promise<void> {
    if (value === undefined) {
      this.kept.delete(name);
      return Promise.resolve();
    }
    return super.update(name, value);
  }
}

/** As in versions of VS Code that list the names of secrets. */
class ListingSecrets extends KeyringSecrets {
  keys(): Promise<readonly string[]> {
    return Promise.resolve([...this.memory.kept.keys()]);
  }
}

const ORPHAN = addressOf(77);
const SIGNER = { address: OWNER, canSign: true, origin: 'user', hasPassphrase: false } as const;
const WATCHED = { address: addressOf(78), canSign: false, origin: 'user', hasPassphrase: false } as const;
const PROFILE = { id: 'one', name: 'Mine', setting: 'solana', host: 'rpc.example' };

describe('Remove All Binsight Data', () => {
  let folder: string;
  let storage: KeyringSecrets;
  let globalState: NamedState;
  let folderState: NamedState;
  let happened: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binsight-test-'));
    await mkdir(join(folder, 'journal'));
    await writeFile(join(folder, 'journal', 'one.jsonl'), '{}');
    await mkdir(join(folder, 'sandbox'));
    happened = [];
    globalState = new NamedState();
    folderState = new NamedState();
    await globalState.update('binsight.owners', writeIndex({ owners: [SIGNER], active: {} }));
    await globalState.update('binsight.favoritePools', [1]);
    await globalState.update('binsight.serviceProfiles', { profiles: [PROFILE], inUse: {} });
    await folderState.update('binsight.any', true);
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Secrets of all kinds, also a key that no list names and a key of a service that no profile names. */
  async function fill(into: KeyringSecrets): Promise<void> {
    storage = into;
    for (const name of [nameOfKey(OWNER), nameOfKey(ORPHAN), 'binsight.webhook', 'binsight.rpcAddress:solana', 'binsight.apiKey:gone']) {
      await storage.memory.store(name, 'x');
    }
  }

  /** @param later the records when the journal is read again, before anything is removed */
  async function run(
    answers: readonly ScriptedAnswer[],
    records: readonly OperationRecord[] = [SETTLED],
    later = records,
  ): Promise<ScriptedPrompts> {
    const prompts = new ScriptedPrompts(answers);
    const stateOf = (all: readonly OperationRecord[]): ActivityState => ({ kind: 'ready', records: all, problems: [], left: new Map() });
    const reads = [stateOf(later), stateOf(records)];
    const activity = {
      state: stateOf([]),
      refresh: () => {
        activity.state = reads.pop() ?? activity.state;
        return Promise.resolve();
      },
    };
    const secrets = new Secrets(storage, new FakeClock(), fail);
    await removalCommands({
      prompts,
      secrets,
      globalState,
      folderState,
      folder,
      activity,
      stopServices: () => happened.push('stopped'),
      reload: () => {
        happened.push('reloaded');
        return Promise.resolve();
      },
    })['binsight.removeAllData'](undefined);
    prompts.assertDone();
    return prompts;
  }

  const isUntouched = async (): Promise<void> => {
    assert.equal(storage.memory.kept.size, 5);
    assert.deepEqual([globalState.keys().length, folderState.keys().length, await readdir(folder)], [3, 1, ['journal', 'sandbox']]);
    assert.deepEqual(happened, []);
  };

  it('The question names all that goes, with keys that no list names, and what stays', async () => {
    await fill(new ListingSecrets());
    const { asked } = await run(['escape']);
    assert.deepEqual(asked[0]?.shown, ['Remove All but Wallet Keys', 'Remove with Wallet Keys…']);
    assert.match(
      asked[0].text,
      /Wallet keys: 2\. .+ Of no listed wallet: 1\..+Other secrets: 3 .+Operations in Activity: 1\..+What stays: your settings/s,
    );
    assert.doesNotMatch(asked[0].text, /cannot list secrets/);
    await isUntouched();
  });

  it('Wallet keys go only if the user types so, and then everything is gone and the window reloads', async () => {
    await fill(new ListingSecrets());
    await run([{ press: 'Remove with Wallet Keys…' }, 'escape']);
    await isUntouched();
    const prompts = await run([{ press: 'Remove with Wallet Keys…' }, { type: 'delete my keys' }]);
    assert.match(prompts.asked[1]?.text ?? '', /Without a backup, what these wallets hold is lost/);
    assert.deepEqual([[...storage.memory.kept], globalState.keys(), folderState.keys(), await readdir(folder)], [[], [], [], []]);
    assert.deepEqual(happened, ['stopped', 'reloaded']);
  });

  it('Without the wallet keys, these and the list of their wallets stay, and all else goes, watched addresses too', async () => {
    await fill(new ListingSecrets());
    await globalState.update('binsight.owners', writeIndex({ owners: [SIGNER, WATCHED], active: { a: OWNER, b: WATCHED.address } }));
    await run([{ press: 'Remove All but Wallet Keys' }]);
    assert.deepEqual([...storage.memory.kept.keys()], [nameOfKey(OWNER), nameOfKey(ORPHAN)]);
    assert.deepEqual([globalState.keys(), folderState.keys(), await readdir(folder)], [['binsight.owners'], [], []]);
    assert.deepEqual(readIndex(globalState.get('binsight.owners')), { owners: [SIGNER], active: { a: OWNER } });
    assert.deepEqual(happened, ['stopped', 'reloaded']);
  });

  it('Where no key is stored, one answer removes everything, the watched addresses with it', async () => {
    storage = new ListingSecrets();
    await globalState.update('binsight.owners', writeIndex({ owners: [WATCHED], active: {} }));
    const { asked } = await run([{ press: 'Remove' }]);
    assert.deepEqual(asked[0]?.shown, ['Remove']);
    assert.deepEqual([globalState.keys(), await readdir(folder)], [[], []]);
  });

  it('An operation that is not settled holds everything back, also if it begins while the question is open', async () => {
    await fill(new ListingSecrets());
    const isHeldBack = (error: unknown): boolean =>
      error instanceof UserError && /in progress, unclear or half done: 1\. Nothing was removed/.test(error.message);
    await assert.rejects(run([], [SETTLED, record(SUBMITTED)]), isHeldBack);
    await assert.rejects(run([{ press: 'Remove All but Wallet Keys' }], [SETTLED], [SETTLED, record(SUBMITTED)]), isHeldBack);
    await isUntouched();
  });

  it('While the keyring is locked, nothing is removed', async () => {
    await fill(new ListingSecrets());
    const removal = run([{ press: 'Remove All but Wallet Keys' }]);
    storage.refuse();
    await assert.rejects(removal, SecretError);
    await isUntouched();
  });

  it('Where VS Code cannot list secrets, those that its state names go, and the question says that others may stay', async () => {
    await fill(new KeyringSecrets());
    const { asked } = await run([{ press: 'Remove with Wallet Keys…' }, { type: 'delete my keys' }]);
    assert.match(asked[0]?.text ?? '', /Wallet keys: 1\..+cannot list secrets: keys of removed service profiles may stay/s);
    assert.deepEqual([...storage.memory.kept.keys()], [nameOfKey(ORPHAN), 'binsight.apiKey:gone']);
  });
});
