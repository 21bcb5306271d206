import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../base/solana/address';
import { titleOf } from '../../base/text';
import { generateKey, wipe } from '../../wallet/keys';
import type { CommandId } from '../../settings/generated/commandIds';
import type { CommandHandler, CommandHandlers } from '../shell/commands/runCommand';
import type { EditorActions } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import type { ServiceChoice } from '../shell/serviceChoice';
import { pickAction } from '../shell/prompts/pickAction';
import { type Prompts, readAddress, type Reading } from '../shell/prompts/prompts';
import { importKey, type ImportKeyDependencies } from './importWalletKey';
import { isWatched, type OwnerOrigin } from './ownerIndex';
import { lockWallets, removeWalletPassphrase, setWalletPassphrase } from './passphraseCommands';
import { LONGEST_WALLET_NAME, type NamedWallet, walletLabel, walletNameOf } from './walletNames';
import { pickOwner, type WalletCommandDependencies, watchRemedy } from './walletSelection';
import { shortAddress } from '../../base/format/identifiers';
import { plainText } from '../shell/views/text';

export type WalletCommandId =
  | 'binsight.importWalletKey'
  | 'binsight.manageWallets'
  | 'binsight.newSandboxWallet'
  | 'binsight.lockWallets'
  | 'binsight.watchAddress'
  | 'binsight.stopWatching'
  | 'binsight.switchWallet'
  | 'binsight.nameWallet';

export interface NewSandboxWalletDependencies extends ImportKeyDependencies, WatchDependencies {
  readonly prompts: Prompts;
  /** Adds pretend SOL to a wallet in the running sandbox. @throws SandboxError with a message for the user */
  readonly airdrop: (owner: Address, sol: number) => Promise<void>;
  readonly actions: Pick<EditorActions, 'copy'>;
}

export interface WatchDependencies extends Pick<WalletCommandDependencies, 'owners' | 'service'> {
  readonly prompts: Pick<Prompts, 'input' | 'confirm'>;
  /** Asks where the positions of an address are that the user has typed. `undefined`: the user cancelled. */
  readonly askWhere: (address: Address) => Promise<ServiceChoice | undefined>;
}

const CONNECT: CommandId = 'binsight.connectService';
/** SOL of a new wallet, the same as the sandbox's own wallet starts with. */
const FIRST_SOL = 25;
const create = () => l10n.t('Create Wallet');
const watchTitle = () => titleOf(l10n.t('Watch Address…'));

const pretendKept = (): string => l10n.t('This pretend wallet becomes watch-only. To sign again, import its key.');
const forgetConsequence = (): Readonly<Record<OwnerOrigin, string>> => ({
  user: l10n.t('The key is deleted from this machine. Without a backup, you lose everything the wallet holds.'),
  sandbox: pretendKept(),
  testChain: pretendKept(),
  generated: l10n.t("There is no copy of this key: the wallet's pretend money will be lost."),
});

export function walletCommands(dependencies: NewSandboxWalletDependencies): Pick<CommandHandlers, WalletCommandId> {
  return {
    'binsight.importWalletKey': importKey(dependencies),
    'binsight.manageWallets': () => manageWallets(dependencies),
    'binsight.newSandboxWallet': newSandboxWallet(dependencies),
    'binsight.lockWallets': lockWallets(dependencies),
    'binsight.watchAddress': () => askToWatch(dependencies),
    'binsight.stopWatching': stopWatching(dependencies),
    'binsight.switchWallet': switchWallet(dependencies),
    'binsight.nameWallet': nameWallet(dependencies),
  };
}

/** The menu with what is rarely done to wallets. */
function manageWallets(dependencies: NewSandboxWalletDependencies): Promise<void> {
  const run = (handler: CommandHandler) => () => handler(undefined);
  return pickAction(dependencies.prompts, {
    title: titleOf(l10n.t('Manage Wallets…')),
    placeholder: l10n.t('Choose what to do'),
    items: [
      { label: l10n.t('Name Wallet…'), icon: 'tag', value: run(nameWallet(dependencies)) },
      { label: l10n.t('Set Passphrase…'), icon: 'lock', value: run(setWalletPassphrase(dependencies)) },
      { label: l10n.t('Remove Passphrase…'), icon: 'unlock', value: run(removeWalletPassphrase(dependencies)) },
      { label: l10n.t('Import Wallet Key…'), icon: 'key', value: run(importKey(dependencies)) },
      { label: l10n.t('Forget Wallet Key…'), icon: 'trash', value: run(forgetKey(dependencies)) },
      { label: l10n.t('Watch Address…'), icon: 'eye', value: () => askToWatch(dependencies) },
      { label: l10n.t('Stop Watching…'), icon: 'eye-closed', value: run(stopWatching(dependencies)) },
    ],
  });
}

/**
 * Asks for an address and makes it the current wallet, watch-only.
 * @param suggested an address from elsewhere, such as a panel. Since the user didn't type it, they confirm it in a second step.
 * @throws UserError if it is a pretend wallet and the service a real one.
 */
export async function askToWatch({ prompts, owners, service, askWhere }: WatchDependencies, suggested?: Address): Promise<void> {
  const answer = await prompts.input({
    title: watchTitle(),
    prompt: l10n.t('Binsight shows its positions but cannot sign for it.'),
    placeholder: l10n.t('Solana address'),
    ...(suggested === undefined ? {} : { initial: suggested }),
    read: readAddress,
  });
  if (answer.kind !== 'value') {
    return;
  }
  const inUse = owners.active(service());
  if (suggested !== undefined && answer.value !== inUse?.address) {
    const action = await prompts.confirm({
      severity: 'info',
      message: l10n.t`Watch ${answer.value}?`,
      detail: l10n.t('Binsight shows its positions but cannot sign for it.'),
      actions: [watchTitle()],
    });
    if (action === undefined) {
      return;
    }
  }
  // A suggested address is one of the service in use.
  const where = suggested === undefined ? await askWhere(answer.value) : service();
  if (where !== undefined) {
    await owners.watch(answer.value, where);
  }
}

/** Creates a wallet with pretend money. Real wallets are created in a wallet app, which lets the user back up the key. */
function newSandboxWallet({ prompts, owners, service, airdrop }: NewSandboxWalletDependencies): CommandHandler {
  return async () => {
    if (service().kind !== 'sandbox') {
      throw new UserError(l10n.t('Another service is in use. Connect to the sandbox first.'), {
        label: l10n.t('Connect to Service…'),
        command: CONNECT,
      });
    }
    const key = generateKey();
    try {
      const action = await prompts.confirm({
        severity: 'info',
        message: l10n.t`Create a sandbox wallet?\n\n${key.address}`,
        detail: l10n.t`It starts with ${FIRST_SOL} pretend SOL. Never send real money to it: its key is never shown.`,
        actions: [create()],
      });
      if (action !== create()) {
        return;
      }
      // First the airdrop: if it fails, no empty wallet is left behind.
      await airdrop(key.address, FIRST_SOL);
      await owners.addGenerated(key, service());
      void prompts.notify({ severity: 'info', message: l10n.t`Sandbox wallet ${walletLabel(key)} created.` });
    } finally {
      wipe(key);
    }
  };
}

function forgetKey({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const among = owners.known(service()).filter(({ canSign }) => canSign);
    if (among.length === 0) {
      throw new UserError(l10n.t('There is no wallet key for this service.'));
    }
    const owner = await pickOwner(
      { title: titleOf(l10n.t('Forget Wallet Key…')), placeholder: l10n.t('Choose a wallet'), among },
      prompts,
      owners,
    );
    if (owner === undefined) {
      return;
    }
    const keepKey = l10n.t('Keep Key');
    const forgetKey = l10n.t('Forget Key');
    const forgetAll = l10n.t('Forget Key and Address');
    const action = await prompts.confirm({
      severity: 'warning',
      message: l10n.t`Forget the key of ${owner.address}?`,
      detail: forgetConsequence()[owner.origin],
      // The first action is preselected: Enter keeps the key. The own wallet of the sandbox or the test chain would come back with its address.
      actions: [keepKey, forgetKey, ...(owner.origin === 'sandbox' || owner.origin === 'testChain' ? [] : [forgetAll])],
    });
    switch (action) {
      case undefined:
      case keepKey:
        return;
      case forgetKey:
        await owners.forgetKey(owner.address);
        void prompts.notify({ severity: 'info', message: l10n.t`Key of ${walletLabel(owner)} forgotten.` });
        return;
      case forgetAll:
        await owners.remove(owner.address);
        void prompts.notify({ severity: 'info', message: l10n.t`Key of ${walletLabel(owner)} forgotten.` });
    }
  };
}

/** Removes a watched address from the list. Nothing is lost: it can be watched again. */
function stopWatching({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async (target) => {
    // The notification with Undo stays open while the user connects elsewhere.
    const at = service();
    const among = owners.known(at).filter(isWatched);
    if (among.length === 0) {
      throw new UserError(l10n.t('No address is being watched.'), watchRemedy());
    }
    const current = owners.active(at);
    const named = among.find(({ address }) => target?.kind === 'wallet' && address === target.address);
    const owner =
      named ??
      (await pickOwner(
        { title: titleOf(l10n.t('Stop Watching…')), placeholder: l10n.t('Choose a wallet'), among, current },
        prompts,
        owners,
      ));
    if (owner === undefined) {
      return;
    }
    if (!owners.known(at).some((one) => one.address === owner.address && isWatched(one))) {
      throw new UserError(l10n.t('No address is being watched.'));
    }
    await owners.remove(owner.address);
    const left = owners.active(at);
    const undo = l10n.t('Undo');
    const action = await prompts.notify({ severity: 'info', message: l10n.t`Stopped watching ${walletLabel(owner)}.`, actions: [undo] });
    if (action === undo) {
      const now = owners.active(at);
      await owners.watch(owner.address, at);
      await owners.rename(owner.address, owner.name);
      // Watching it made it the wallet in use. A wallet that the user chose since stays.
      const next = now?.address === left?.address ? current : now;
      if (next !== undefined) {
        await owners.activate(next.address, at);
      }
    }
  };
}

/** Switches to the wallet of a row, or to the one that the user chooses. */
function switchWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async (target) => {
    const known = owners.known(service());
    const named = known.find(({ address }) => target?.kind === 'wallet' && address === target.address);
    if (named !== undefined) {
      await owners.activate(named.address, service());
      return;
    }
    if (known.length === 0) {
      throw new UserError(l10n.t('No wallets yet. Import a wallet key or watch an address first.'), watchRemedy());
    }
    const owner = await pickOwner(
      { title: titleOf(l10n.t('Switch Wallet…')), placeholder: l10n.t('Choose a wallet'), among: known, current: owners.active(service()) },
      prompts,
      owners,
    );
    if (owner !== undefined) {
      await owners.activate(owner.address, service());
    }
  };
}

/** Names the wallet in use, or another one. */
function nameWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async (target) => {
    const known = owners.known(service());
    const current = owners.active(service());
    if (current === undefined) {
      throw new UserError(l10n.t('No wallets yet. Import a wallet key or watch an address first.'), watchRemedy());
    }
    const title = titleOf(l10n.t('Name Wallet…'));
    const named = known.find(({ address }) => target?.kind === 'wallet' && address === target.address);
    const owner =
      named ??
      (known.length === 1
        ? current
        : await pickOwner({ title, placeholder: l10n.t('Choose a wallet'), among: known, current }, prompts, owners));
    if (owner === undefined) {
      return;
    }
    const others = known.filter(({ address }) => address !== owner.address);
    const answer = await prompts.input({
      title,
      prompt: l10n.t`Name of ${owner.address}, for you only. Leave empty for none.`,
      ...(owner.name === undefined ? {} : { initial: owner.name }),
      read: (text) => readWalletName(text, others),
    });
    if (answer.kind === 'value') {
      await owners.rename(owner.address, answer.value);
    }
  };
}

/** Reads a name as typed. Empty removes the name. @param others the other wallets that are in use with the service */
function readWalletName(text: string, others: readonly NamedWallet[]): Reading<string | undefined> {
  if (plainText(text) === '') {
    return { ok: true, value: undefined };
  }
  const name = walletNameOf(text);
  if (name === undefined) {
    return { ok: false, message: l10n.t`At most ${LONGEST_WALLET_NAME} characters.` };
  }
  // It could be mistaken for another wallet.
  if (parseAddress(name) !== undefined || others.some(({ address }) => shortAddress(address) === name)) {
    return { ok: false, message: l10n.t('A name, not an address.') };
  }
  return others.some((other) => other.name?.toLowerCase() === name.toLowerCase())
    ? { ok: false, message: l10n.t('This name is taken.') }
    : { ok: true, value: name };
}
