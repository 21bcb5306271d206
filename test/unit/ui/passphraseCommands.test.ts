import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { UserError } from '../../../src/ui/shell/userError';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { KeyError } from '../../../src/wallet/errors';
import { generateKey, type SecretKeyMaterial } from '../../../src/wallet/keys';
import { readRecord } from '../../../src/wallet/record';
import { OWNER } from '../portfolio/fixtures';
import type { MemorySecrets } from './memory';
import { keepLocked, REAL, secretName, walletDesk, type WalletDesk } from './walletDesk';

const FIRST = 'the first passphrase';
const SECOND = 'another passphrase 2';

/** The stored key of a wallet. */
function stored(secrets: MemorySecrets, { address }: SecretKeyMaterial): ReturnType<typeof readRecord> {
  return readRecord(secrets.kept.get(secretName(address)) ?? assert.fail('nothing is stored'));
}

/** A window with one imported key. */
async function deskWithKey(): Promise<WalletDesk & { readonly key: SecretKeyMaterial }> {
  const desk = walletDesk();
  const key = generateKey();
  await desk.owners.importKey(key, REAL);
  return { ...desk, key };
}

/** The same with a passphrase. */
async function lockedDesk(): Promise<WalletDesk & { readonly key: SecretKeyMaterial }> {
  const desk = walletDesk();
  const key = generateKey();
  await keepLocked(desk, key, FIRST);
  return { ...desk, key };
}

describe('Setting a passphrase', function () {
  it('asks for it twice, says that it cannot be recovered, and puts the stored key under it', async () => {
    const { run, key, secrets, owners } = await deskWithKey();
    const prompts = await run('binsight.setWalletPassphrase', [
      { pick: key.address },
      { type: FIRST },
      { type: FIRST },
      { press: 'Set Passphrase' },
    ]);
    const told = prompts.asked.map(({ text }) => text).join('\n');
    assert.match(told, /At least 12 characters/);
    assert.match(told, /can't be recovered/);
    assert.match(told, /only way back is to import the key again from your own backup/);
    assert.ok(prompts.asked.some(({ title }) => title.includes(key.address)));
    const record = stored(secrets, key);
    assert.ok(record.isProtected);
    assert.deepEqual(await record.open(FIRST), key);
    assert.equal(owners.active(REAL)?.hasPassphrase, true);
    assert.deepEqual(owners.lockOf(owners.active(REAL) ?? assert.fail()), { kind: 'locked' });
  });

  it('refuses short ones and slips of the fingers with the reason, and leads back', async () => {
    const { run, key, secrets } = await deskWithKey();
    const prompts = await run('binsight.setWalletPassphrase', [
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
    assert.match(prompts.refused[1] ?? '', /don't match/);
    assert.match(prompts.refused[2] ?? '', /don't match/);
    assert.deepEqual(await stored(secrets, key).open(SECOND), key);
  });

  it('changes nothing when it is left at any step', async () => {
    const { run, key, secrets } = await deskWithKey();
    for (const way of [
      ['escape'],
      [{ pick: key.address }, 'escape'],
      [{ pick: key.address }, { type: FIRST }, 'escape'],
      [{ pick: key.address }, { type: FIRST }, { type: FIRST }, 'escape'],
    ] as const) {
      await run('binsight.setWalletPassphrase', way);
      assert.equal(stored(secrets, key).isProtected, false);
    }
  });

  it('asks for the present one before it is changed', async () => {
    const { run, key, secrets } = await lockedDesk();
    const refused = await run('binsight.setWalletPassphrase', [{ pick: key.address }, { type: SECOND }, 'escape']);
    assert.match(refused.asked.at(-1)?.text ?? '', /Wrong passphrase\. Try again\./);
    assert.deepEqual(await stored(secrets, key).open(FIRST), key);
    await run('binsight.setWalletPassphrase', [
      { pick: key.address },
      { type: FIRST },
      { type: SECOND },
      { type: SECOND },
      { press: 'Set Passphrase' },
    ]);
    assert.deepEqual(await stored(secrets, key).open(SECOND), key);
    await assert.rejects(stored(secrets, key).open(FIRST), KeyError);
  });

  it('changes nothing where another window was faster', async () => {
    const { owners, key, secrets } = await deskWithKey();
    const before = (await owners.storedKey(key.address)) ?? assert.fail();
    await owners.setPassphrase(before, key, FIRST);
    await assert.rejects(owners.setPassphrase(before, key, SECOND), /changed or forgotten in another window/);
    assert.deepEqual(await stored(secrets, key).open(FIRST), key);
  });

  it('keeps the old record where the secret storage does not take the new one, and says so without it', async () => {
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

  it('reports a record that cannot be read, and one that is lost, and deletes nothing', async () => {
    const { run, key, secrets } = await deskWithKey();
    const name = secretName(key.address);
    for (const [record, kind] of [
      ['garbage', 'badRecord'],
      ['{"v":9}', 'newerRecord'],
    ] as const) {
      secrets.kept.set(name, record);
      await assert.rejects(
        run('binsight.setWalletPassphrase', [{ pick: key.address }]),
        (error: unknown) => error instanceof KeyError && error.kind === kind,
      );
      assert.equal(secrets.kept.get(name), record);
    }
    secrets.kept.delete(name);
    await assert.rejects(
      run('binsight.setWalletPassphrase', [{ pick: key.address }]),
      (error: unknown) =>
        error instanceof UserError && /has lost the key/.test(error.message) && error.remedy?.command === 'binsight.importWalletKey',
    );
  });

  it('is refused where there is no key, and in a browser', async () => {
    const { owners, run } = walletDesk();
    await owners.watch(OWNER, REAL);
    await assert.rejects(run('binsight.setWalletPassphrase', []), UserError);
    await assert.rejects(walletDesk({ isInBrowser: true }).run('binsight.setWalletPassphrase', []), /desktop VS Code only/);
    await assert.rejects(walletDesk({ isInBrowser: true }).run('binsight.removeWalletPassphrase', []), /desktop VS Code only/);
  });

  it('of a wallet that was made here says that there is no copy of it', async () => {
    const { owners, run } = walletDesk({ service: SANDBOX });
    const key = generateKey();
    await owners.keepGenerated(key, SANDBOX);
    const prompts = await run('binsight.setWalletPassphrase', [{ pick: key.address }, { type: FIRST }, { type: FIRST }, 'escape']);
    assert.match(prompts.asked.at(-1)?.text ?? '', /There is no other copy of it/);
  });
});

describe('Removing a passphrase', function () {
  it('asks for it first', async () => {
    const { run, key, secrets, owners } = await lockedDesk();
    await run('binsight.removeWalletPassphrase', [{ pick: key.address }, { type: SECOND }, 'escape']);
    assert.ok(stored(secrets, key).isProtected);
    const prompts = await run('binsight.removeWalletPassphrase', [{ pick: key.address }, { type: SECOND }, { type: FIRST }]);
    assert.match(prompts.notices[0]?.message ?? '', /^Passphrase of .+ removed/);
    assert.deepEqual(await stored(secrets, key).open(), key);
    assert.equal(owners.active(REAL)?.hasPassphrase, false);
  });

  it('is refused where there is none', async () => {
    const { run } = await deskWithKey();
    await assert.rejects(run('binsight.removeWalletPassphrase', []), UserError);
  });
});

describe('A wrong passphrase', function () {
  it('slows down from the third on, and nothing is tried before the time is over', async () => {
    const { run, key, clock } = await lockedDesk();
    const wrong = { type: 'not the passphrase' };
    const prompts = await run('binsight.removeWalletPassphrase', [{ pick: key.address }, wrong, wrong, wrong, { type: FIRST }, 'escape']);
    assert.match(prompts.asked.at(-1)?.text ?? '', /Wrong passphrase\. Too many .* Wait 2 seconds/);
    assert.match(prompts.refused[0] ?? '', /Wait 2 seconds/);
    assert.ok(prompts.refused.every((message) => !message.includes(FIRST)));
    await clock.advance(1_500);
    assert.match(
      (await run('binsight.removeWalletPassphrase', [{ pick: key.address }, { type: FIRST }, 'escape'])).refused[0] ?? '',
      /Wait 1 second,/,
    );
    await clock.advance(500);
    await run('binsight.removeWalletPassphrase', [{ pick: key.address }, { type: FIRST }]);
  });

  it('is not tried by any other way either while it has to wait', async () => {
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

  it('puts it under the passphrase at once, and says that it is not the only copy', async () => {
    const { run, secrets, owners } = walletDesk();
    const key = generateKey();
    const prompts = await run('binsight.importWalletKey', [
      { pick: 'Paste' },
      { type: base58(key) },
      { press: 'Import with Passphrase…' },
      { type: FIRST },
      { type: FIRST },
    ]);
    assert.match(prompts.asked.find(({ kind }) => kind === 'confirm')?.text ?? '', /Keep a backup of the key outside VS Code/);
    assert.deepEqual(await stored(secrets, key).open(FIRST), key);
    assert.deepEqual(owners.lockOf(owners.active(REAL) ?? assert.fail()), { kind: 'locked' });
  });

  it('imports nothing where no passphrase is given', async () => {
    const { run, secrets } = walletDesk();
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

  it('says so when a key under a passphrase would be replaced by one without', async () => {
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
  it('says so where there is nothing to lock', async () => {
    const { run } = await deskWithKey();
    await assert.rejects(
      run('binsight.lockWallets', []),
      (error: unknown) => error instanceof UserError && error.remedy?.command === 'binsight.setWalletPassphrase',
    );
  });

  it('says so where nothing was unlocked, and where the other windows cannot be told', async () => {
    const { run, secrets, owners } = await lockedDesk();
    assert.match((await run('binsight.lockWallets', [])).notices[0]?.message ?? '', /passphrase are locked, in all windows/);
    secrets.store = () => Promise.reject(new Error('keyring is locked'));
    await assert.rejects(owners.lock(), (error: unknown) => error instanceof Error && /keyring is locked/.test(error.message));
  });
});
