import assert from 'node:assert/strict';
import bs58 from 'bs58';
import type { ChosenFile, Notice } from '../../../src/ui/shell/prompts/prompts';
import { SandboxError, UserError } from '../../../src/ui/shell/errors';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { addressBytes } from '../../../src/base/solana/address';
import { walletCommands } from '../../../src/ui/wallets/walletCommands';
import { KeyError } from '../../../src/wallet/errors';
import { generateKey } from '../../../src/wallet/keys';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';
import { REAL, walletWindow } from '../../support/ui/walletWindow';

function freshKey(): { readonly address: string; readonly base58: string; readonly list: string } {
  const key = generateKey();
  const bytes = Buffer.concat([key.seed, addressBytes(key.address)]);
  return { address: key.address, base58: bs58.encode(bytes), list: JSON.stringify([...bytes]) };
}

const fileOf = (content: string | Uint8Array): ChosenFile => ({
  name: 'id.json',
  read: (maxBytes) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return bytes.length > maxBytes ? Promise.reject(new RangeError('too large')) : Promise.resolve(bytes);
  },
});

describe('Importing a wallet key', () => {
  it('An import accepts a pasted base58 key or list, shows its address and stores it on confirmation', async () => {
    for (const form of ['base58', 'list'] as const) {
      const { owners, run } = walletWindow();
      const key = freshKey();
      const prompts = await run('binsight.importWalletKey', [{ pick: 'Paste' }, { type: ` ${key[form]}\n` }, { press: 'Import Key' }]);
      assert.deepEqual(owners.active(REAL), { address: key.address, canSign: true, origin: 'user', hasPassphrase: false });
      assert.ok(prompts.asked.at(-1)?.title.includes(key.address));
      assert.match(prompts.notices[0]?.message ?? '', /imported/);
    }
  });

  it('A portable VS Code says before a key is stored that the key travels with its folder, and others do not', async () => {
    for (const isPortable of [true, false]) {
      const prompts = await walletWindow({ isPortable }).run('binsight.importWalletKey', [
        { pick: 'Paste' },
        { type: freshKey().base58 },
        'escape',
      ]);
      assert.equal(
        /portable: without a passphrase, whoever finds its folder has the key/.test(prompts.asked.at(-1)?.text ?? ''),
        isPortable,
      );
    }
  });

  it('An import accepts a key file', async () => {
    const { owners, run } = walletWindow();
    const key = freshKey();
    await run('binsight.importWalletKey', [{ pick: 'Choose a file' }, { choose: fileOf(key.list) }, { press: 'Import Key' }]);
    assert.equal(owners.active(REAL)?.address, key.address);
  });

  it('Cancelling an import at any step changes nothing', async () => {
    const key = freshKey();
    const ways: readonly (readonly ScriptedAnswer[])[] = [
      ['escape'],
      [{ pick: 'Paste' }, 'escape'],
      [{ pick: 'Choose' }, 'escape'],
      [{ pick: 'Paste' }, { type: key.base58 }, 'escape'],
    ];
    for (const way of ways) {
      const { secrets, state, run } = walletWindow();
      await run('binsight.importWalletKey', way);
      assert.equal(secrets.kept.size + state.kept.size, 0);
    }
  });

  it('An import refuses a wrong key with the reason and never repeats the key', async () => {
    const { secrets, state, run } = walletWindow();
    const wrong = ['hello', freshKey().address, '[1,2,3]', freshKey().base58.slice(0, -3)];
    const prompts = await run('binsight.importWalletKey', [{ pick: 'Paste' }, ...wrong.map((type) => ({ type })), 'escape']);
    assert.equal(prompts.refused.length, wrong.length);
    assert.ok(prompts.refused.every((message) => wrong.every((text) => !message.includes(text))));
    assert.equal(secrets.kept.size + state.kept.size, 0);
  });

  it('An import refuses a wrong file and changes nothing', async () => {
    const { secrets, state, run } = walletWindow();
    const wrong: readonly (readonly [ChosenFile, typeof KeyError | typeof UserError])[] = [
      [fileOf('{"not": "a key"}'), KeyError],
      [fileOf('[1, 2, 3]'), KeyError],
      [fileOf(''), KeyError],
      [fileOf(new Uint8Array([0xff, 0xfe, 0x00])), UserError],
      [fileOf('x'.repeat(100_000)), UserError],
      [{ name: 'gone', read: () => Promise.reject(new Error('no such file')) }, UserError],
    ];
    for (const [file, kind] of wrong) {
      await assert.rejects(run('binsight.importWalletKey', [{ pick: 'Choose' }, { choose: file }]), kind);
    }
    assert.equal(secrets.kept.size + state.kept.size, 0);
  });

  it('Import is disabled in a browser, except for the sandbox', async () => {
    await assert.rejects(walletWindow({ isInBrowser: true }).run('binsight.importWalletKey', []), /desktop VS Code\./);
    await walletWindow({ service: SANDBOX, isInBrowser: true }).run('binsight.importWalletKey', ['escape']);
  });
});

describe('Forgetting a wallet key', () => {
  it('Forget Wallet Key asks which key and deletes it on confirmation', async () => {
    const { owners, secrets, run } = walletWindow();
    const key = generateKey();
    await owners.importKey(key, REAL);
    await run('binsight.manageWallets', [{ pick: 'Forget Wallet Key' }, { pick: key.address }, 'escape']);
    const { asked } = await run('binsight.manageWallets', [{ pick: 'Forget Wallet Key' }, { pick: key.address }, { press: 'Keep Key' }]);
    assert.equal(secrets.kept.size, 1);
    // The first one is preselected: Enter forgets nothing.
    assert.deepEqual(asked.at(-1)?.shown, ['Keep Key', 'Forget Key', 'Forget Key and Address']);
    await run('binsight.manageWallets', [{ pick: 'Forget Wallet Key' }, { pick: key.address }, { press: 'Forget Key' }]);
    assert.equal(secrets.kept.size, 0);
    assert.equal(owners.active(REAL)?.canSign, false);
  });

  it('Forget Wallet Key can forget the address too', async () => {
    const { owners, run } = walletWindow();
    const key = generateKey();
    await owners.importKey(key, REAL);
    await run('binsight.manageWallets', [{ pick: 'Forget Wallet Key' }, { pick: key.address }, { press: 'Forget Key and Address' }]);
    assert.equal(owners.active(REAL), undefined);
  });

  it('Forget Wallet Key says that there is no key', async () => {
    const { owners, run } = walletWindow();
    await owners.watch(OWNER, REAL);
    await assert.rejects(run('binsight.manageWallets', [{ pick: 'Forget Wallet Key' }]), UserError);
  });
});

describe('Watching an address', () => {
  it('Watching an address makes it the current wallet, which cannot sign', async () => {
    const { owners, secrets, run } = walletWindow();
    await run('binsight.watchAddress', [{ type: ` ${OTHER_OWNER} ` }]);
    assert.deepEqual(owners.active(REAL), { address: OTHER_OWNER, canSign: false, origin: 'user', hasPassphrase: false });
    assert.equal(secrets.kept.size, 0);
  });

  it('Watching refuses an invalid address and changes nothing', async () => {
    const { state, run } = walletWindow();
    const prompts = await run('binsight.watchAddress', [
      { type: '' },
      { type: 'hello' },
      { type: OTHER_OWNER.slice(1) + '0' },
      { type: freshKey().base58 },
      'escape',
    ]);
    assert.equal(prompts.refused.length, 4);
    assert.equal(state.kept.size, 0);
  });
});

describe('Switching the wallet', () => {
  it('Stop Watching removes the address, and Undo brings it back', async () => {
    for (const press of ['Undo', undefined]) {
      const { owners, run } = walletWindow();
      await owners.watch(OTHER_OWNER, REAL);
      const prompts = await run('binsight.stopWatching', [{ pick: OTHER_OWNER }], press === undefined ? {} : { 'Stopped watching': press });
      assert.equal(owners.known(REAL).length, press === undefined ? 0 : 1);
      assert.match(prompts.notices[0]?.message ?? '', /^Stopped watching /);
    }
  });

  it('Undo after Stop Watching leaves a wallet that was chosen since in use, and acts on the service of that time', async () => {
    const { owners } = walletWindow();
    const chosen = OWNER;
    for (const address of [generateKey().address, chosen, OTHER_OWNER]) {
      await owners.watch(address, REAL);
    }
    let service = REAL;
    class SlowPrompts extends ScriptedPrompts {
      override async notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined> {
        await owners.activate(chosen, REAL);
        service = SANDBOX;
        return super.notify(notice);
      }
    }
    const prompts = new SlowPrompts([], { 'Stopped watching': 'Undo' });
    const done = () => Promise.resolve();
    const commands = walletCommands({
      ...{ prompts, owners, isInBrowser: false, isPortable: false, service: () => service, actions: { copy: done }, airdrop: done },
      askWhere: () => Promise.resolve(service),
    });
    await commands['binsight.stopWatching']({ kind: 'wallet', address: OTHER_OWNER });
    assert.deepEqual([owners.active(REAL)?.address, owners.known(REAL).length], [chosen, 3]);
  });

  it('Stop Watching offers no wallet with a key, and says where there is nothing to stop', async () => {
    const { run, owners } = walletWindow();
    const key = freshKey();
    await run('binsight.importWalletKey', [{ pick: 'Paste' }, { type: key.base58 }, { press: 'Import Key' }]);
    await assert.rejects(run('binsight.stopWatching', []), /No address is being watched/);
    assert.equal(owners.known(REAL).length, 1);
  });

  it('A wallet that is watched again with Undo keeps its name', async () => {
    const { owners, run } = walletWindow();
    await owners.watch(OTHER_OWNER, REAL);
    await owners.rename(OTHER_OWNER, 'Savings');
    await run('binsight.stopWatching', [{ pick: 'Savings' }], { 'Stopped watching Savings': 'Undo' });
    assert.equal(owners.active(REAL)?.name, 'Savings');
  });

  it('Name Wallet names the only wallet at once, lists several, and an empty name removes the name', async () => {
    const { owners, run } = walletWindow();
    await assert.rejects(run('binsight.nameWallet', []), UserError);
    await owners.watch(OTHER_OWNER, REAL);
    await run('binsight.nameWallet', [{ type: '  Cold \u202e wallet ' }]);
    assert.equal(owners.active(REAL)?.name, 'Cold wallet');
    await owners.watch(OWNER, REAL);
    const prompts = await run('binsight.nameWallet', [{ pick: 'Cold wallet' }, { type: '' }]);
    assert.match(prompts.asked[0]?.text ?? '', new RegExp(`Cold wallet\n?.*${OTHER_OWNER}`));
    assert.ok(owners.known(REAL).every(({ name }) => name === undefined));
  });

  it('Name Wallet refuses the name of another wallet, an address, and a name that is too long', async () => {
    const { owners, run } = walletWindow();
    await owners.watch(OTHER_OWNER, REAL);
    await owners.rename(OTHER_OWNER, 'Savings');
    await owners.watch(OWNER, REAL);
    const ends = `${OTHER_OWNER.slice(0, 4)}…${OTHER_OWNER.slice(-4)}`;
    const wrong = ['savings', OTHER_OWNER, ends, 'x'.repeat(33), 'x'.repeat(200)];
    const prompts = await run('binsight.nameWallet', [{ pick: OWNER }, ...wrong.map((type) => ({ type })), { type: 'Main' }]);
    assert.equal(prompts.refused.length, wrong.length);
    assert.equal(owners.active(REAL)?.name, 'Main');
  });

  it('A name stays when the key of its wallet is imported or forgotten, and other windows read it', async () => {
    const { owners, state, secrets } = walletWindow();
    const key = generateKey();
    await owners.watch(key.address, REAL);
    await owners.rename(key.address, 'Main');
    await owners.importKey(key, REAL);
    await owners.forgetKey(key.address);
    assert.deepEqual(walletWindow({ state, secrets }).owners.active(REAL), {
      address: key.address,
      canSign: false,
      origin: 'user',
      hasPassphrase: false,
      name: 'Main',
    });
  });

  it('Switch Wallet lists the known wallets with their kinds and activates the chosen one', async () => {
    const { owners, run } = walletWindow();
    const key = generateKey();
    await owners.importKey(key, REAL);
    await owners.watch(OTHER_OWNER, REAL);
    const prompts = await run('binsight.switchWallet', [{ pick: key.address }]);
    assert.equal(owners.active(REAL)?.address, key.address);
    assert.match(prompts.asked[0]?.text ?? '', /can sign\n.+watch-only · in use/);
  });

  it('A row of the Wallet view switches to its wallet without a question, but not to an unknown one', async () => {
    const { owners, run } = walletWindow();
    await owners.watch(OTHER_OWNER, REAL);
    await owners.watch(OWNER, REAL);
    await run('binsight.switchWallet', [], {}, { kind: 'wallet', address: OTHER_OWNER });
    assert.equal(owners.active(REAL)?.address, OTHER_OWNER);
    await run('binsight.switchWallet', ['escape'], {}, { kind: 'wallet', address: generateKey().address });
    assert.equal(owners.active(REAL)?.address, OTHER_OWNER);
    await run('binsight.stopWatching', [], { 'Stopped watching': 'Undo' }, { kind: 'wallet', address: OWNER });
    assert.deepEqual([owners.active(REAL)?.address, owners.known(REAL).length], [OTHER_OWNER, 2]);
    await run('binsight.nameWallet', [{ type: 'Main' }], {}, { kind: 'wallet', address: OWNER });
    assert.deepEqual(
      owners.known(REAL).map(({ name }) => name),
      [undefined, 'Main'],
    );
  });

  it('Cancelling Switch Wallet changes nothing, and it says that there is no wallet', async () => {
    const { owners, run } = walletWindow();
    await assert.rejects(run('binsight.switchWallet', []), UserError);
    await owners.watch(OTHER_OWNER, REAL);
    await owners.watch(OWNER, REAL);
    await run('binsight.switchWallet', ['escape']);
    assert.equal(owners.active(REAL)?.address, OWNER);
  });
});

describe('A new sandbox wallet', () => {
  it('A new sandbox wallet is confirmed by its address, gets pretend SOL and is in use', async () => {
    const { owners, run, airdrops, secrets } = walletWindow({ service: SANDBOX });
    const prompts = await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    const owner = owners.active(SANDBOX) ?? assert.fail('no wallet is in use');
    assert.equal(owner.origin, 'generated');
    assert.equal(owner.canSign, true);
    const question = prompts.asked[0] ?? assert.fail('nothing was asked');
    assert.ok(question.title.includes(owner.address));
    assert.match(question.text, /Never send real money to it/);
    assert.deepEqual(airdrops, [[owner.address, 25]]);
    assert.equal(secrets.kept.size, 1);
    assert.deepEqual(owners.known(REAL), []);
    assert.match((await run('binsight.switchWallet', ['escape'])).asked[0]?.text ?? '', /Sandbox · can sign · in use/);
  });

  it('Each new sandbox wallet is a different one', async () => {
    const { owners, run } = walletWindow({ service: SANDBOX });
    await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    assert.equal(new Set(owners.known(SANDBOX).map(({ address }) => address)).size, 2);
  });

  it('A cancelled wallet or a refused airdrop leaves nothing behind', async () => {
    const cancelled = walletWindow({ service: SANDBOX });
    await cancelled.run('binsight.newSandboxWallet', ['escape']);
    const refused = walletWindow({ service: SANDBOX, airdrop: () => Promise.reject(new SandboxError('failed', 'No.')) });
    await assert.rejects(refused.run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]), SandboxError);
    for (const { secrets, state } of [cancelled, refused]) {
      assert.equal(secrets.kept.size + state.kept.size, 0);
    }
    assert.deepEqual(cancelled.airdrops, []);
  });

  it('A sandbox wallet can be created for the sandbox only', async () => {
    const { run, airdrops } = walletWindow();
    await assert.rejects(run('binsight.newSandboxWallet', []), UserError);
    assert.deepEqual(airdrops, []);
  });

  it('A sandbox wallet can be forgotten with its address after a warning that no copy exists', async () => {
    const { owners, run, secrets } = walletWindow({ service: SANDBOX });
    await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }]);
    const { address } = owners.active(SANDBOX) ?? assert.fail();
    const prompts = await run('binsight.manageWallets', [
      { pick: 'Forget Wallet Key' },
      { pick: address },
      { press: 'Forget Key and Address' },
    ]);
    assert.match(prompts.asked.at(-1)?.text ?? '', /no copy of this key/);
    assert.equal(secrets.kept.size, 0);
    assert.deepEqual(owners.known(SANDBOX), []);
  });
});
