import assert from 'node:assert/strict';
import type { ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { KeyError, SigningError } from '../../../src/wallet/errors';
import { keyFromSeed, type SecretKeyMaterial } from '../../../src/wallet/keys';
import { honestZapOut, keyOf, NOW_MS, OWNER, reviewDrafts, ZAP_OUT } from '../../support/review/bundles';
import { MemorySecrets, MemoryState } from '../../support/ui/memory';
import { keepLocked, REAL, secretName, walletWindow, type WalletWindowOptions, type WalletWindow } from '../../support/ui/walletWindow';

const PASSPHRASE = 'the passphrase of it';
const MINUTE_MS = 60_000;
const ALL = honestZapOut().length;

function ownerKey(): SecretKeyMaterial {
  return keyFromSeed(keyOf('owner').secretKey.subarray(0, 32));
}

/** A window at the time of the reviews. */
async function windowAt(options: WalletWindowOptions = {}): Promise<WalletWindow> {
  const desk = walletWindow(options);
  await desk.clock.advance(NOW_MS - desk.clock.now());
  return desk;
}

/** One with the owner's key under a passphrase. */
async function lockedWindow(options: WalletWindowOptions = {}): Promise<WalletWindow> {
  const desk = await windowAt(options);
  await keepLocked(desk, ownerKey(), PASSPHRASE);
  return desk;
}

/** Signs an honest zap-out the way an operation does. Gives how many were signed, and what was asked. */
async function sign(
  { owners, answering }: WalletWindow,
  answers: readonly ScriptedAnswer[],
  cancelled?: AbortSignal,
): Promise<{ readonly signed: number; readonly asked: readonly string[] }> {
  let signed = 0;
  const prompts = await answering(answers, async () => {
    const signer = await owners.signer(OWNER, cancelled);
    const { reviewed } = reviewDrafts(ZAP_OUT, honestZapOut());
    signed = (await signer.sign(reviewed)).length;
  });
  return { signed, asked: prompts.asked.map(({ text }) => text) };
}

const lock = ({ owners }: WalletWindow): string => owners.lockOf(owners.active(REAL) ?? assert.fail()).kind;
const isLocked = (error: unknown): boolean => {
  assert.ok(error instanceof SigningError);
  assert.match(error.message, /passphrase of .+ was not entered\. Nothing was signed\./);
  return error.kind === 'locked';
};

describe('Signing with a stored key', function () {
  it('Signing asks for nothing if the wallet has no passphrase', async () => {
    const desk = await windowAt();
    await desk.owners.importKey(ownerKey(), REAL);
    assert.deepEqual(await sign(desk, []), { signed: ALL, asked: [] });
    assert.equal(lock(desk), 'none');
  });

  it('Signing asks for the passphrase once per unlocked period and names the wallet, purpose and duration', async () => {
    const desk = await lockedWindow({ unlockMinutes: () => 0.5 });
    assert.equal(lock(desk), 'locked');
    const { signed, asked } = await sign(desk, [{ type: 'not the passphrase' }, { type: PASSPHRASE }]);
    assert.equal(signed, ALL);
    assert.match(asked[0] ?? '', new RegExp(`${OWNER} to unlock it for 1 minute\\.`));
    assert.match(asked[1] ?? '', /^Wrong passphrase/);
    assert.equal(lock(desk), 'unlocked');
    assert.deepEqual(await sign(desk, []), { signed: ALL, asked: [] });
    await desk.clock.advance(31_000);
    assert.equal(lock(desk), 'locked');
    assert.equal(desk.clock.timers, 0);
    assert.equal((await sign(desk, [{ type: PASSPHRASE }])).signed, ALL);
  });

  it('Signing signs nothing on Escape', async () => {
    const desk = await lockedWindow();
    await assert.rejects(sign(desk, ['escape']), isLocked);
    await assert.rejects(sign(desk, [{ type: 'not the passphrase' }, 'escape']), isLocked);
    assert.equal(lock(desk), 'locked');
  });

  it('Signing signs nothing once the operation is cancelled, whatever the user types', async () => {
    const desk = await lockedWindow();
    await assert.rejects(sign(desk, [{ type: PASSPHRASE }], AbortSignal.abort()), isLocked);
    assert.equal(lock(desk), 'locked');
  });

  it('Two operations ask in sequence, and the second does not ask if the first unlocked the wallet', async () => {
    const desk = await lockedWindow();
    const prompts = await desk.answering([{ type: PASSPHRASE }], async () => {
      await Promise.all([desk.owners.signer(OWNER), desk.owners.signer(OWNER)]);
    });
    assert.equal(prompts.asked.length, 1);
  });

  it('The second operation asks for the passphrase if the first was cancelled', async () => {
    const desk = await lockedWindow();
    await desk.answering(['escape', { type: PASSPHRASE }], async () => {
      const [first, second] = await Promise.allSettled([desk.owners.signer(OWNER), desk.owners.signer(OWNER)]);
      assert.equal(first.status, 'rejected');
      assert.equal(second.status, 'fulfilled');
    });
  });

  it('The lock follows the current setting and also applies if the clock was set back', async () => {
    let minutes = 60;
    const desk = await lockedWindow({ unlockMinutes: () => minutes });
    await sign(desk, [{ type: PASSPHRASE }]);
    await desk.clock.advance(10 * MINUTE_MS);
    assert.equal(lock(desk), 'unlocked');
    minutes = 5;
    assert.equal(lock(desk), 'locked');
    minutes = 60;
    await desk.clock.advance(-20 * MINUTE_MS);
    assert.equal(lock(desk), 'locked');
  });

  it('A shorter setting clears the key from memory within a minute', async () => {
    let minutes = 600;
    const desk = await lockedWindow({ unlockMinutes: () => minutes });
    await sign(desk, [{ type: PASSPHRASE }]);
    minutes = 1;
    let told = 0;
    desk.owners.onDidChange(() => (told += 1));
    await desk.clock.advance(MINUTE_MS);
    assert.equal(told, 1);
    minutes = 600;
    assert.equal(lock(desk), 'locked');
  });

  it('The wallet locks in all windows on Lock Wallets, on a new passphrase elsewhere and on shutdown', async () => {
    const shared = { secrets: new MemorySecrets(), state: new MemoryState() };
    const one = await lockedWindow(shared);
    const other = await windowAt(shared);
    await sign(one, [{ type: PASSPHRASE }]);
    await sign(other, [{ type: PASSPHRASE }]);
    const prompts = await one.run('binsight.lockWallets', []);
    assert.match(prompts.notices[0]?.message ?? '', /wallets with a passphrase are locked, in all windows/);
    assert.deepEqual([lock(one), lock(other)], ['locked', 'locked']);
    await sign(one, [{ type: PASSPHRASE }]);
    const kept = (await other.owners.storedKey(OWNER)) ?? assert.fail();
    await other.owners.setPassphrase(kept, ownerKey(), 'quite another one');
    assert.equal(lock(one), 'locked');
    await sign(one, [{ type: PASSPHRASE }, { type: 'quite another one' }]);
    one.owners.dispose();
    assert.equal(lock(one), 'locked');
    assert.equal(one.clock.timers, 0);
  });

  it('Signing refuses a key that another window has forgotten, even without a notification of it', async () => {
    const desk = await lockedWindow();
    await sign(desk, [{ type: PASSPHRASE }]);
    desk.secrets.kept.clear();
    await assert.rejects(sign(desk, []), (error: unknown) => error instanceof SigningError && error.kind === 'noKey');
    assert.equal(desk.owners.active(REAL)?.canSign, true);
  });

  it('Signing asks for a passphrase that another window has set, even without a notification of it', async () => {
    const desk = await lockedWindow();
    const record = desk.secrets.kept.get(secretName(OWNER)) ?? assert.fail();
    const plain = await windowAt();
    await plain.owners.importKey(ownerKey(), REAL);
    plain.secrets.kept.set(secretName(OWNER), record);
    assert.equal(lock(plain), 'none');
    await sign(plain, [{ type: PASSPHRASE }]);
    assert.equal(lock(plain), 'unlocked');
  });

  it('Signing reports an unreadable or foreign key record and leaves it unchanged', async () => {
    const desk = await lockedWindow();
    const name = secretName(OWNER);
    const foreign = keyFromSeed(new Uint8Array(32).fill(9));
    await desk.owners.importKey(foreign, REAL);
    for (const record of ['garbage', desk.secrets.kept.get(secretName(foreign.address)) ?? assert.fail()]) {
      desk.secrets.kept.set(name, record);
      await assert.rejects(
        sign(desk, []),
        (error: unknown) => error instanceof KeyError && error.kind === 'badRecord' && error.message.includes('Nothing was signed'),
      );
      assert.equal(desk.secrets.kept.get(name), record);
    }
  });

  it('Signing reports that the secret storage does not respond', async () => {
    const desk = await lockedWindow();
    desk.secrets.get = () => Promise.reject(new Error('keyring is locked'));
    await assert.rejects(
      sign(desk, []),
      (error: unknown) => error instanceof KeyError && error.kind === 'storage' && error.cause instanceof Error,
    );
  });

  it('The list of wallets shows whether a wallet is locked', async () => {
    const desk = await lockedWindow();
    assert.match((await desk.run('binsight.switchWallet', ['escape'])).asked[0]?.text ?? '', /can sign · locked · in use/);
    await sign(desk, [{ type: PASSPHRASE }]);
    assert.match(
      (await desk.run('binsight.switchWallet', ['escape'])).asked[0]?.text ?? '',
      /can sign · unlocked until \d\d:\d\d:\d\d · in use/,
    );
  });
});
