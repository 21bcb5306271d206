import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import bs58 from 'bs58';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { SETTING_IDS } from '../../src/settings/settingTypes';
import type { KnownOwner } from '../../src/ui/wallets/ownerIndex';
import { SANDBOX } from '../../src/ui/shell/serviceChoice';
import * as launcher from '../../src/ui/connection/sandboxLaunch';
import { superviseSandbox } from '../../src/ui/connection/sandboxProcess';
import { addressBytes } from '../../src/base/solana/address';
import {
  answering,
  commandEnding,
  logWith,
  openAddresses,
  plannedZapIn,
  readExtension,
  refresh,
  sandboxOf,
  setBaseUrl,
  solBalance,
  untilShown,
  withClock,
} from '../support/editor/inspect';
import type { ScriptedAnswer, ScriptedPrompts } from '../support/editor/scriptedPrompts';
import { PROXY_KEY, ServiceProxy } from '../support/editor/serviceProxy';

const PASSPHRASE = 'correct horse battery staple 47';
const WRONG = 'a guess of somebody else';
const MINUTE_MS = 60_000;

describe('Wallets', () => {
  let inspection: Inspection;
  /** The wallet that is made here. */
  let wallet: KnownOwner;
  /** All that was asked and told. */
  const seen: ScriptedPrompts[] = [];

  before(async () => {
    inspection = await readExtension();
  });

  after(async () => {
    const { owners } = inspection;
    for (const { address } of owners.known(SANDBOX).filter(({ origin }) => origin === 'generated')) {
      await owners.remove(address);
    }
    await owners.activate(sandboxOf(inspection).owner, SANDBOX);
    await refresh(inspection);
  });

  const active = () => inspection.owners.active(SANDBOX);
  const tooltip = () => inspection.views.statusBar.model?.tooltip ?? '';

  async function run(command: string, answers: readonly ScriptedAnswer[], ending: RegExp, argument?: unknown): Promise<ScriptedPrompts> {
    const prompts = await commandEnding(inspection, command, argument, answers, ending);
    seen.push(prompts);
    return prompts;
  }

  /** Zaps a little into a pool; `last` is what is done at the confirmation, and after it. */
  async function zapIn(last: readonly ScriptedAnswer[], ending: RegExp): Promise<ScriptedPrompts> {
    const pool = inspection.portfolio.snapshot.pools.find(({ poolType, token1 }) => poolType === 'dlmm' && token1.symbol === 'SOL');
    assert.ok(pool);
    return run('binsight.continuePlan', last, ending, await plannedZapIn(inspection, pool));
  }

  const ZAPPED_IN = /^Zap .+ into .+: done\. Value: about \$/;

  /** Zaps out of a part of the first position. */
  async function zapOut(last: readonly ScriptedAnswer[], ending: RegExp): Promise<ScriptedPrompts> {
    const node = inspection.views.positions.getChildren().find(({ kind }) => kind === 'position');
    return run('binsight.zapOut', [{ pick: '25%' }, { pick: 'SOL' }, { pick: '3%' }, ...last], ending, node);
  }

  const ZAPPED_OUT = /^Zap out 25% of .+: done\..+ The position stays open/;
  /** What was asked last, of the same kind all the way. */
  const kinds = ({ asked }: ScriptedPrompts, count: number) =>
    asked.slice(-count).map(({ kind, title }) => (kind === 'input' ? title : kind));

  /** What *Switch Wallet* says of a wallet. */
  async function listedAs(address: string): Promise<string> {
    const prompts = await answering(inspection, ['escape'], async () => {
      await vscode.commands.executeCommand('binsight.switchWallet');
    });
    seen.push(prompts);
    return prompts.asked[0]?.text.split('\n').find((line) => line.startsWith(address)) ?? '';
  }

  it('Cancelling the question creates no wallet', async () => {
    const before = inspection.owners.known(SANDBOX);
    const { asked } = await answering(inspection, ['escape'], async () => {
      await vscode.commands.executeCommand('binsight.newSandboxWallet');
    });
    assert.match(asked[0]?.text ?? '', /Never send real money to it/);
    assert.deepEqual(inspection.owners.known(SANDBOX), before);
  });

  it('A new sandbox wallet gets pretend SOL and becomes the current wallet', async () => {
    const before = inspection.owners.known(SANDBOX);
    const { asked } = await run('binsight.newSandboxWallet', [{ press: 'Create Wallet' }], /^Sandbox wallet .+ created\.$/);
    const [made, ...others] = inspection.owners.known(SANDBOX).filter(({ address }) => !before.some((one) => one.address === address));
    assert.ok(made !== undefined && others.length === 0);
    wallet = made;
    assert.deepEqual(wallet, { address: wallet.address, canSign: true, origin: 'generated', hasPassphrase: false });
    assert.ok(asked[0]?.title.includes(wallet.address), 'another address was confirmed');
    assert.equal(active()?.address, wallet.address);
    assert.equal(await solBalance(inspection, wallet.address), '25');
    await untilShown(
      inspection,
      'the new wallet',
      ({ owner, positionsState }) => owner === wallet.address && positionsState.kind === 'ready',
    );
    assert.deepEqual(inspection.portfolio.snapshot.positions, []);
    assert.ok(tooltip().includes(wallet.address));
    assert.match(tooltip(), /can sign$/m);
    assert.match(await listedAs(wallet.address), /Sandbox · can sign · in use$/);
  });

  it('A new wallet can zap in at once', async () => {
    const prompts = await zapIn([{ press: 'Sign and Send' }], ZAPPED_IN);
    assert.deepEqual(kinds(prompts, 1), ['confirm']);
    assert.equal((await openAddresses(inspection, wallet.address)).length, 1);
    assert.equal(inspection.portfolio.snapshot.positions.length, 1);
  });

  it('A real service never lists sandbox wallets and cannot create them', async () => {
    const otherWindow = superviseSandbox(
      inspection.sandboxPlace,
      () => undefined,
      () => Promise.resolve(launcher),
    );
    const proxy = await ServiceProxy.start(await otherWindow.start());
    try {
      await inspection.apiKeys.set(proxy.id, PROXY_KEY);
      await setBaseUrl(proxy.baseUrl);
      assert.equal(inspection.connection.choice.kind, 'remote');
      assert.ok(inspection.owners.known(inspection.connection.choice).every(({ origin }) => origin === 'user'));
      assert.equal(inspection.owners.active(inspection.connection.choice), undefined);
      await run('binsight.newSandboxWallet', [], /^Another service is in use/);
      await run('binsight.switchWallet', [], /^No wallets yet/);
      await assert.rejects(inspection.owners.watch(wallet.address, inspection.connection.choice), /cannot be used with this service/);
    } finally {
      await setBaseUrl('');
      await inspection.apiKeys.delete(proxy.id);
      await readExtension();
      await proxy.stop();
      otherWindow.stop();
    }
    assert.equal(active()?.address, wallet.address);
  });

  it('A wallet accepts only a passphrase that is long enough and typed twice the same', async () => {
    await answering(inspection, [{ pick: 'Set Passphrase' }, { pick: wallet.address }, { type: PASSPHRASE }, 'escape'], async () => {
      await vscode.commands.executeCommand('binsight.manageWallets');
    });
    assert.equal(active()?.hasPassphrase, false);
    const answers: readonly ScriptedAnswer[] = [
      { pick: 'Set Passphrase' },
      { pick: wallet.address },
      { type: 'short' },
      { type: PASSPHRASE },
      { type: WRONG },
      { type: PASSPHRASE },
      { press: 'Set Passphrase' },
    ];
    const { refused, asked } = await run('binsight.manageWallets', answers, /^Passphrase of .+ set\./);
    assert.equal(refused.length, 2);
    assert.match(refused[0] ?? '', /^At least 12 characters \(now 5\)/);
    assert.match(refused[1] ?? '', /^The passphrases do not match/);
    assert.match(asked.at(-1)?.text ?? '', /nobody can use the stored key\. It holds only pretend money/);
    assert.equal(active()?.hasPassphrase, true);
  });

  it('A locked wallet is shown as locked in the tooltip and in the list', async () => {
    assert.match(tooltip(), /can sign · locked$/m);
    assert.match(await listedAs(wallet.address), /can sign · locked · in use$/);
  });

  it('A locked wallet asks for its passphrase only after Sign and Send, and Escape signs nothing', async () => {
    const before = [await openAddresses(inspection, wallet.address), await solBalance(inspection, wallet.address)];
    const declined = await zapIn(['escape'], /: canceled\. Nothing was signed/);
    assert.deepEqual(kinds(declined, 1), ['confirm']);
    const { asked } = await zapIn([{ press: 'Sign and Send' }, { type: WRONG }, 'escape'], /: canceled\. Nothing was signed/);
    assert.deepEqual(
      asked.slice(-3).map(({ kind, title }) => (kind === 'input' ? title : kind)),
      ['confirm', 'Unlock Wallet', 'Unlock Wallet'],
    );
    assert.doesNotMatch(asked.at(-2)?.text ?? '', /wrong|not the passphrase|Try again/i);
    assert.match(asked.at(-1)?.text ?? '', /Try again\./);
    assert.match(asked.at(-1)?.text ?? '', new RegExp(`Enter the passphrase of ${wallet.address} to unlock it for 15 minutes\\.`));
    assert.deepEqual([await openAddresses(inspection, wallet.address), await solBalance(inspection, wallet.address)], before);
    assert.match(tooltip(), /can sign · locked$/m);
  });

  it('A wallet signs with the right passphrase and then asks for none until the unlocked time ends', async () => {
    await withClock(async (moveOn) => {
      const first = await zapIn([{ press: 'Sign and Send' }, { type: WRONG }, { type: PASSPHRASE }], ZAPPED_IN);
      assert.deepEqual(kinds(first, 3), ['confirm', 'Unlock Wallet', 'Unlock Wallet']);
      assert.match(tooltip(), /can sign · unlocked until \d\d:\d\d:\d\d$/m);
      assert.match(await listedAs(wallet.address), /can sign · unlocked until \d\d:\d\d:\d\d · in use$/);
      moveOn(10 * MINUTE_MS);
      const second = await zapOut([{ press: 'Sign and Send' }], ZAPPED_OUT);
      assert.deepEqual(kinds(second, 1), ['confirm']);
      moveOn(6 * MINUTE_MS);
      const third = await zapOut([{ press: 'Sign and Send' }, { type: PASSPHRASE }], ZAPPED_OUT);
      assert.deepEqual(kinds(third, 2), ['confirm', 'Unlock Wallet']);
    });
  });

  it('A wallet asks for its passphrase again after it was locked', async () => {
    await zapOut([{ press: 'Sign and Send' }, { type: PASSPHRASE }], ZAPPED_OUT);
    await run('binsight.lockWallets', [], /^All wallets with a passphrase are locked, in all windows\./);
    assert.match(tooltip(), /can sign · locked$/m);
    const prompts = await zapOut([{ press: 'Sign and Send' }, { type: PASSPHRASE }], ZAPPED_OUT);
    assert.deepEqual(kinds(prompts, 2), ['confirm', 'Unlock Wallet']);
  });

  it('The passphrase can be removed only by entering it, and the wallet asks for none afterwards', async () => {
    await answering(inspection, [{ pick: 'Remove Passphrase' }, { pick: wallet.address }, { type: WRONG }, 'escape'], async () => {
      await vscode.commands.executeCommand('binsight.manageWallets');
    });
    assert.equal(active()?.hasPassphrase, true);
    await run(
      'binsight.manageWallets',
      [{ pick: 'Remove Passphrase' }, { pick: wallet.address }, { type: PASSPHRASE }],
      /^Passphrase of .+ removed\./,
    );
    assert.equal(active()?.hasPassphrase, false);
    assert.match(tooltip(), /can sign$/m);
    assert.match(await listedAs(wallet.address), /Sandbox · can sign · in use$/);
    const prompts = await zapOut([{ press: 'Sign and Send' }], ZAPPED_OUT);
    assert.deepEqual(kinds(prompts, 1), ['confirm']);
    await run('binsight.manageWallets', [{ pick: 'Remove Passphrase' }], /^No wallet key for this service has a passphrase\./);
    await run('binsight.lockWallets', [], /^No wallet key for this service has a passphrase/);
  });

  it('Keys and passphrases appear in no prompt, notice, log, setting, stored state or file', async () => {
    const secrets = [PASSPHRASE, WRONG, ...(await formsOfKey())];
    const told = seen.flatMap(({ asked, notices, refused }) => [
      ...asked.flatMap(({ title, shown, text }) => [title, ...shown, text]),
      ...notices.map(({ message }) => message),
      ...refused,
    ]);
    const kept = inspection.states.flatMap((state) => state.keys().map((key) => `${key}=${JSON.stringify(state.get(key))}`));
    const settings = SETTING_IDS.map((name) => JSON.stringify(vscode.workspace.getConfiguration().inspect(name)));
    const places = {
      told,
      kept,
      settings,
      log: [await logWith('Zap out 25% of')],
      files: await filesBelow(dirname(inspection.sandboxPlace.dataDir)),
    };
    // The search finds what is there: the address may be told, and kept.
    assert.ok(told.some((text) => text.includes(wallet.address)) && kept.some((text) => text.includes(wallet.address)));
    for (const [place, texts] of Object.entries(places)) {
      assert.ok(texts.length > 0, place);
      for (const [number, secret] of secrets.entries()) {
        assert.ok(!texts.some((text) => text.includes(secret)), `secret ${number} is in: ${place}`);
      }
    }
  });

  /** The ways in which the key could be written down. */
  async function formsOfKey(): Promise<readonly string[]> {
    const kept = await inspection.owners.storedKey(wallet.address);
    assert.ok(kept !== undefined && !kept.isProtected);
    const { seed } = await kept.open(undefined);
    const both = Buffer.concat([seed, addressBytes(wallet.address)]);
    return [seed, both].flatMap((bytes) => {
      const buffer = Buffer.from(bytes);
      return [
        bs58.encode(bytes),
        JSON.stringify([...bytes]).slice(1, -1),
        buffer.toString('hex'),
        buffer.toString('base64').replace(/=+$/, ''),
      ];
    });
  }
});

/** What stands in the files of a folder, and in those of its folders. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.filter((entry) => entry.isFile()).map(async (entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
}
