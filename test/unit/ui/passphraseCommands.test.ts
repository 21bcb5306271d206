import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { UserError } from '../../../src/ui/shell/errors';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { KeyError } from '../../../src/wallet/errors';
import { generateKey, type SecretKeyMaterial } from '../../../src/wallet/keys';
import { readRecord } from '../../../src/wallet/record';
import { OWNER } from '../../support/portfolio/fixtures';
import type { MemorySecrets } from '../../support/ui/memory';
import { keepLocked, REAL, secretName, walletWindow, type WalletWindow } from '../../support/ui/walletWindow';

const FIRST = 'the first passphrase';
const SECOND = 'another passphrase 2';

/** The stored key of a wallet. */
function stored(secrets: MemorySecrets, { address }: SecretKeyMaterial): ReturnType<typeof readRecord> {
  return readRecord(secrets.kept.get(secretName(address)) ?? assert.fail('nothing is stored'));
}

/** A window with one imported key. */
async function deskWithKey(): Promise<WalletWindow & { readonly key: SecretKeyMaterial }> {
  const desk = walletWindow();
  const key = generateKey();
  await desk.owners.importKey(key, REAL);
  return { ...desk, key };
}

/** The same with a passphrase. */
async function lockedDesk(): Promise<WalletWindow & { readonly key: SecretKeyMaterial }> {
  const desk = walletWindow();
  const key = generateKey();
  await keepLocked(desk, key, FIRST);
  return { ...desk, key };
}

describe('Setting a passphrase', function () {
  it('Setting a passphrase asks twice, warns that it cannot be recovered and encrypts the stored key', async () => {
    const { run, key, secrets, owners } = await deskWithKey();
    const prompts = await run('binsight.manageWallets', [
      { pick: 'Set Passphrase' },
      { pick: key.address },
      { type: FIRST },
      { type: FIRST },
      { press: 'Set Passphrase' },
    ]);
    const told = prompts.asked.map(({ text }) => text).join('\n');
    assert.match(told, /Four or five random words work well/);
    assert.match(told, /cannot be recovered/);
    assert.match(told, /Keep a backup of it/);
    assert.ok(prompts.asked.some(({ title }) => title.includes(key.address)));
    const record = stored(secrets, key);
    assert.ok(record.isProtected);
    assert.deepEqual(await record.open(FIRST), key);
    assert.equal(owners.active(REAL)?.hasPassphrase, true);
    assert.deepEqual(owners.lockOf(owners.active(REAL) ?? assert.fail()), { kind: 'locked' });
  });

  it('Setting a passphrase refuses short and mismatched entries with the reason and lets the user go back', async () => {
    const { run, key, secrets } = await deskWithKey();
    const prompts = await run('binsight.manageWallets', [
      { pick: 'Set Passphrase' },
      { pick: key.address },
      { type: 'short' },
      { type: FIRST },
      { type: `${FIRST}!` },
      'back',
      { type: SECOND },
      { type: FIRST },
      { type: SECOND },
      { press: 'Set Passphrase' },
    ]);
    assert.match(prompts.refused[0] ?? '', /At least 12/);
    assert.match(prompts.refused[1] ?? '', /do not match/);
    assert.match(prompts.refused[2] ?? '', /do not match/);
    assert.deepEqual(await stored(secrets, key).open(SECOND), key);
  });

  it('Cancelling at any step leaves the key without a passphrase', async () => {
    const { run, key, secrets } = await deskWithKey();
    for (const way of [
      ['escape'],
      [{ pick: key.address }, 'escape'],
      [{ pick: key.address }, { type: FIRST }, 'escape'],
      [{ pick: key.address }, { type: FIRST }, { type: FIRST }, 'escape'],
    ] as const) {
      await run('binsight.manageWallets', [{ pick: 'Set Passphrase' }, ...way]);
      assert.equal(stored(secrets, key).isProtected, false);
    }
  });

  it('Changing a passphrase asks for the current one first', async () => {
    const { run, key, secrets } = await lockedDesk();
    const refused = await run('binsight.manageWallets', [{ pick: 'Set Passphrase' }, { pick: key.address }, { type: SECOND }, 'escape']);
    assert.match(refused.asked.at(-1)?.text ?? '', /Wrong passphrase\. Try again\./);
    assert.deepEqual(await stored(secrets, key).open(FIRST), key);
    await run('binsight.manageWallets', [
      { pick: 'Set Passphrase' },
      { pick: key.address },
      { type: FIRST },
      { type: SECOND },
      { type: SECOND },
      { press: 'Set Passphrase' },
    ]);
    assert.deepEqual(await stored(secrets, key).open(SECOND), key);
    await assert.rejects(stored(secrets, key).open(FIRST), KeyError);
  });

  it('Setting a passphrase changes nothing if another window changed the key first', async () => {
    const { owners, key, secrets } = await deskWithKey();
    const before = (await owners.storedKey(key.address)) ?? assert.fail();
    await owners.setPassphrase(before, key, FIRST);
    await assert.rejects(owners.setPassphrase(before, key, SECOND), /changed or forgotten in another window/);
    assert.deepEqual(await stored(secrets, key).open(FIRST), key);
  });

  it('A failed write to the secret storage keeps the old record, and the error contains no record', async () => {
    const { owners, key, secrets } = await deskWithKey();
    const kept = (await owners.storedKey(key.address)) ?? assert.fail();
    secrets.store = (_, value) => Promise.reject(new Error(`cannot store ${value}`));
    await assert.rejects(
      owners.setPassphrase(kept, key, FIRST),
      (error: unknown) => error instanceof KeyError && error.kind === 'storage' && error.cause === undefined,
    );
    assert.deepEqual(await stored(secrets, key).open(), key);
    secrets.store = () => Promise.resolve();
    await assert.rejects(owners.setPassphrase(kept, key, FIRST), (error: unknown) => error instanceof KeyError && error.kind === 'storage');
  });

  it('Unreadable and lost key records are reported, and nothing is deleted', async () => {
    const { run, key, secrets } = await deskWithKey();
    const name = secretName(key.address);
    for (const [record, kind] of [
      ['garbage', 'badRecord'],
      ['{"v":9}', 'newerRecord'],
    ] as const) {
      secrets.kept.set(name, record);
      await assert.rejects(
        run('binsight.manageWallets', [{ pick: 'Set Passphrase' }, { pick: key.address }]),
        (error: unknown) => error instanceof KeyError && error.kind === kind,
      );
      assert.equal(secrets.kept.get(name), record);
    }
    secrets.kept.delete(name);
    await assert.rejects(
      run('binsight.manageWallets', [{ pick: 'Set Passphrase' }, { pick: key.address }]),
      (error: unknown) =>
        error instanceof UserError &&
        /^There is no key for /.test(error.message) &&
        error.remedies[0]?.command === 'binsight.importWalletKey',
    );
  });

  it('Setting a passphrase is refused without a key and in a browser', async () => {
    const { owners, run } = walletWindow();
    await owners.watch(OWNER, REAL);
    await assert.rejects(run('binsight.manageWallets', [{ pick: 'Set Passphrase' }]), UserError);
    await assert.rejects(
      walletWindow({ isInBrowser: true }).run('binsight.manageWallets', [{ pick: 'Set Passphrase' }]),
      /desktop VS Code\./,
    );
    await assert.rejects(
      walletWindow({ isInBrowser: true }).run('binsight.manageWallets', [{ pick: 'Remove Passphrase' }]),
      /desktop VS Code\./,
    );
  });

  it('Setting a passphrase on a generated wallet warns that no copy of its key exists', async () => {
    const { owners, run } = walletWindow({ service: SANDBOX });
    const key = generateKey();
    await owners.addGenerated(key, SANDBOX);
    const prompts = await run('binsight.manageWallets', [
      { pick: 'Set Passphrase' },
      { pick: key.address },
      { type: FIRST },
      { type: FIRST },
      'escape',
    ]);
    assert.match(prompts.asked.at(-1)?.text ?? '', /It holds only pretend money/);
  });
});

describe('Removing a passphrase', function () {
  it('Removing a passphrase asks for it first', async () => {
    const { run, key, secrets, owners } = await lockedDesk();
    await run('binsight.manageWallets', [{ pick: 'Remove Passphrase' }, { pick: key.address }, { type: SECOND }, 'escape']);
    assert.ok(stored(secrets, key).isProtected);
    const prompts = await run('binsight.manageWallets', [
      { pick: 'Remove Passphrase' },
      { pick: key.address },
      { type: SECOND },
      { type: FIRST },
    ]);
    assert.match(prompts.notices[0]?.message ?? '', /^Passphrase of .+ removed/);
    assert.deepEqual(await stored(secrets, key).open(), key);
    assert.equal(owners.active(REAL)?.hasPassphrase, false);
  });

  it('Removing a passphrase is refused if there is none', async () => {
    const { run } = await deskWithKey();
    await assert.rejects(run('binsight.manageWallets', [{ pick: 'Remove Passphrase' }]), UserError);
  });
});

describe('A wrong passphrase', function () {
  it('Wrong passphrases cause a growing delay from the third on, with no attempt before it ends', async () => {
    const { run, key, clock } = await lockedDesk();
    const wrong = { type: 'not the passphrase' };
    const prompts = await run('binsight.manageWallets', [
      { pick: 'Remove Passphrase' },
      { pick: key.address },
      wrong,
      wrong,
      wrong,
      { type: FIRST },
      'escape',
    ]);
    assert.match(prompts.asked.at(-1)?.text ?? '', /Wrong passphrase\. Too many .* Wait 2 seconds/);
    assert.match(prompts.refused[0] ?? '', /Wait 2 seconds/);
    assert.ok(prompts.refused.every((message) => !message.includes(FIRST)));
    await clock.advance(1_500);
    assert.match(
      (await run('binsight.manageWallets', [{ pick: 'Remove Passphrase' }, { pick: key.address }, { type: FIRST }, 'escape'])).refused[0] ??
        '',
      /Wait 1 second,/,
    );
    await clock.advance(500);
    await run('binsight.manageWallets', [{ pick: 'Remove Passphrase' }, { pick: key.address }, { type: FIRST }]);
  });

  it('The delay applies to every way of entering the passphrase', async () => {
    const { owners, key, answering } = await lockedDesk();
    const kept = (await owners.storedKey(key.address)) ?? assert.fail();
    const wrong = { type: 'not the passphrase' };
    await answering([wrong, wrong, wrong, { type: FIRST }, 'escape'], async () => {
      assert.equal(await owners.openKey(kept, { title: 'Try', prompt: 'Try.' }), undefined);
    });
  });
});

describe('Importing a key with a passphrase', function () {
  const base58 = (key: SecretKeyMaterial): string => bs58.encode(Buffer.concat([key.seed, bs58.decode(key.address)]));

  it('An import can set a passphrase at once and advises the user to keep a backup', async () => {
    const { run, secrets, owners } = walletWindow();
    const key = generateKey();
    const prompts = await run('binsight.importWalletKey', [
      { pick: 'Paste' },
      { type: base58(key) },
      { press: 'Import with Passphrase…' },
      { type: FIRST },
      { type: FIRST },
    ]);
    assert.match(prompts.asked.find(({ kind }) => kind === 'confirm')?.text ?? '', /Keep a backup outside VS Code/);
    assert.deepEqual(await stored(secrets, key).open(FIRST), key);
    assert.deepEqual(owners.lockOf(owners.active(REAL) ?? assert.fail()), { kind: 'locked' });
  });

  it('An import with a passphrase imports nothing if no passphrase is given', async () => {
    const { run, secrets } = walletWindow();
    const prompts = await run('binsight.importWalletKey', [
      { pick: 'Paste' },
      { type: base58(generateKey()) },
      { press: 'Import with Passphrase…' },
      { type: FIRST },
      'escape',
    ]);
    assert.match(prompts.notices[0]?.message ?? '', /not imported/);
    assert.equal(secrets.kept.size, 0);
  });

  it('An import warns before it replaces a key with a passphrase by one without', async () => {
    const { run, key, secrets, owners } = await lockedDesk();
    const prompts = await run('binsight.importWalletKey', [{ pick: 'Paste' }, { type: base58(key) }, { press: 'Import Key' }]);
    const question = prompts.asked.at(-1);
    assert.match(question?.text ?? '', /has a passphrase\. “Import Key” replaces it with a key without one/);
    assert.deepEqual(question?.shown, ['Import with Passphrase…', 'Import Key']);
    assert.equal(stored(secrets, key).isProtected, false);
    assert.equal(owners.active(REAL)?.hasPassphrase, false);
  });
});

describe('Locking the wallets', function () {
  it('Lock Wallets says so if no wallet has a passphrase', async () => {
    const { run } = await deskWithKey();
    await assert.rejects(
      run('binsight.lockWallets', []),
      (error: unknown) => error instanceof UserError && error.remedies[0]?.command === 'binsight.manageWallets',
    );
  });

  it('Lock Wallets says if nothing was unlocked and fails if other windows cannot be notified', async () => {
    const { run, secrets, owners } = await lockedDesk();
    assert.match((await run('binsight.lockWallets', [])).notices[0]?.message ?? '', /passphrase are locked, in all windows/);
    secrets.store = () => Promise.reject(new Error('keyring is locked'));
    await assert.rejects(owners.lock(), (error: unknown) => error instanceof Error && /keyring is locked/.test(error.message));
  });
});
