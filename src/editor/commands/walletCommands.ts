import { shortAddress } from '../../format/places';
import { parseAddress, type Address } from '../../solana/address';
import { KeyError } from '../../wallet/errors';
import { readSecretKey, wipe } from '../../wallet/keys';
import type { KnownOwner } from '../owners/ownerIndex';
import type { Owners } from '../owners/owners';
import type { PickItem, Prompts, Reading } from '../prompts/prompts';
import { Refusal } from '../refusal';
import type { ServiceChoice } from '../service/serviceChoice';
import type { CommandHandler, CommandHandlers } from './funnel';
import type { CommandId } from './table';

/** What the wallet commands work with. */
export interface WalletCommandDependencies {
  readonly prompts: Prompts;
  readonly owners: Owners;
  readonly service: () => ServiceChoice;
  /** VS Code runs in a browser: secrets would be kept there, and be used on another machine. */
  readonly isInBrowser: boolean;
}

const IMPORT: CommandId = 'binsight.importWalletKey';
const WATCH: CommandId = 'binsight.watchAddress';

/** A key file has some 230 bytes. */
const LARGEST_KEY_FILE = 16 * 1024;

/** The commands about wallets and their keys. */
export function walletCommands(dependencies: WalletCommandDependencies): Pick<CommandHandlers, 'binsight.importWalletKey' | 'binsight.forgetWalletKey' | 'binsight.watchAddress' | 'binsight.switchWallet'> {
  return {
    'binsight.importWalletKey': importKey(dependencies),
    'binsight.forgetWalletKey': forgetKey(dependencies),
    'binsight.watchAddress': watchAddress(dependencies),
    'binsight.switchWallet': switchWallet(dependencies),
  };
}

/**
 * Signing in a browser window would take the key out of the browser's storage and to another machine.
 * @throws Refusal where keys are not used in this window.
 */
export function refuseKeysInBrowser({ isInBrowser, service }: Pick<WalletCommandDependencies, 'isInBrowser' | 'service'>): void {
  if (isInBrowser && service().kind !== 'sandbox') {
    throw new Refusal('VS Code runs in a browser here: a key would lie in the browser and be used on the machine that serves it. Keys of real wallets are imported, and used for signing, in the desktop VS Code only. Watching works here too.', {
      label: 'Watch an Address',
      command: WATCH,
    });
  }
}

function importKey(dependencies: WalletCommandDependencies): CommandHandler {
  const { prompts, owners, service } = dependencies;
  return async () => {
    refuseKeysInBrowser(dependencies);
    const text = await askKeyText(prompts);
    if (text === undefined) {
      return;
    }
    const key = readSecretKey(text);
    try {
      const action = await prompts.confirm({
        severity: 'info',
        message: `Is this your wallet?\n\n${key.address}`,
        detail:
          "This is the address that belongs to the key. If it is not the one you expect, cancel: nothing has been kept.\n\nThe key is kept in VS Code's secret storage on this machine, and nowhere else. It is read only while something is signed, and never sent anywhere. Keep a copy of your own: VS Code may lose its secrets, and Binsight does not show the key again. Use a wallet that holds no more than you work with.",
        actions: ['Import Key'],
      });
      if (action === 'Import Key') {
        await owners.importKey(key, service());
        void prompts.notify({ severity: 'info', message: `The key of ${shortAddress(key.address)} was imported. Binsight can sign for this wallet now.` });
      }
    } finally {
      wipe(key);
    }
  };
}

async function askKeyText(prompts: Prompts): Promise<string | undefined> {
  const source = await prompts.pick<'paste' | 'file'>({
    title: 'Import Wallet Key',
    placeholder: 'Where is the key?',
    items: [
      { label: 'Paste it', description: 'base58 text, or the list of numbers of an id.json', icon: 'clippy', value: 'paste' },
      { label: 'Choose a file', description: 'a key file such as id.json', icon: 'file', value: 'file' },
    ],
  });
  if (source.kind !== 'value') {
    return undefined;
  }
  if (source.value === 'file') {
    const file = await prompts.chooseFile({ title: 'Import Wallet Key', openLabel: 'Read Key', filters: { 'Key files': ['json', 'txt'], 'All files': ['*'] } });
    return file === undefined ? undefined : textOf(file.name, await file.read(LARGEST_KEY_FILE).catch((error: unknown) => unreadable(file.name, error)));
  }
  const pasted = await prompts.input({ title: 'Import Wallet Key', prompt: 'The secret key of the wallet. It is not shown, and not sent anywhere.', placeholder: 'base58 text, or [12, 34, …]', secret: true, read: readKeyText });
  return pasted.kind === 'value' ? pasted.value : undefined;
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${name} is not a text file, so it is not a key file. Nothing was changed.`);
  }
}

function unreadable(name: string, error: unknown): never {
  if (error instanceof RangeError) {
    throw new Refusal(`${name} is too large to be a key file. Nothing was changed.`);
  }
  throw new Refusal(`${name} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}. Nothing was changed.`);
}

/** Reads a key while it is typed: the note is the address that it gives. */
export function readKeyText(text: string): Reading<string> {
  try {
    const key = readSecretKey(text);
    const note = `The address of this key is ${key.address}`;
    wipe(key);
    return { ok: true, value: text, note };
  } catch (error) {
    if (error instanceof KeyError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

function forgetKey({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const withKey = owners.known(service()).filter(({ canSign }) => canSign);
    if (withKey.length === 0) {
      throw new Refusal('Binsight keeps no key of a wallet for this service.');
    }
    const owner = await pickOwner(prompts, 'Forget Wallet Key', 'The key of which wallet?', withKey, undefined);
    if (owner === undefined) {
      return;
    }
    const action = await prompts.confirm<'Forget Key' | 'Forget Key and Address'>({
      severity: 'warning',
      message: `Forget the key of ${owner.address}?`,
      detail: owner.isSandbox
        ? "This is the sandbox's pretend wallet. Without its key it is only watched. Importing the key again makes it sign again."
        : 'It is deleted from the secret storage on this machine and cannot be brought back from there. Make sure that you have a copy: without one, what the wallet holds is lost. Its positions go on being shown, unless the address is forgotten too.',
      actions: owner.isSandbox ? ['Forget Key'] : ['Forget Key', 'Forget Key and Address'],
    });
    switch (action) {
      case undefined:
        return;
      case 'Forget Key':
        await owners.forgetKey(owner.address);
        void prompts.notify({ severity: 'info', message: `The key of ${shortAddress(owner.address)} was forgotten. The wallet is only watched now.` });
        return;
      case 'Forget Key and Address':
        await owners.remove(owner.address);
        void prompts.notify({ severity: 'info', message: `${shortAddress(owner.address)} and its key were forgotten.` });
    }
  };
}

function watchAddress({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const answer = await prompts.input({
      title: 'Watch an Address',
      prompt: 'The address of a wallet. Its positions are shown; nothing can be signed for it.',
      placeholder: 'Solana address',
      read: readAddress,
    });
    if (answer.kind === 'value') {
      await owners.watch(answer.value, service());
    }
  };
}

/** Reads an address as it is typed. */
export function readAddress(text: string): Reading<Address> {
  const address = parseAddress(text.trim());
  return address === undefined ? { ok: false, message: 'This is not a Solana address: 32 to 44 letters and digits, without 0, O, I and l.' } : { ok: true, value: address };
}

function switchWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async () => {
    const known = owners.known(service());
    if (known.length === 0) {
      throw new Refusal('Binsight knows no wallet yet.', { label: 'Watch an Address', command: WATCH });
    }
    const owner = await pickOwner(prompts, 'Switch Wallet', 'Whose positions are shown?', known, owners.active(service()));
    if (owner !== undefined) {
      await owners.activate(owner.address, service());
    }
  };
}

async function pickOwner(prompts: Prompts, title: string, placeholder: string, owners: readonly KnownOwner[], current: KnownOwner | undefined): Promise<KnownOwner | undefined> {
  const answer = await prompts.pick({
    title,
    placeholder,
    items: owners.map((owner): PickItem<KnownOwner> => ({
      label: owner.address,
      description: [owner.isSandbox ? 'sandbox' : undefined, owner.canSign ? 'can sign' : 'watched only', owner.address === current?.address ? 'in use' : undefined].filter((part) => part !== undefined).join(' · '),
      icon: owner.canSign ? 'key' : 'eye',
      value: owner,
    })),
    isCurrent: ({ address }) => address === current?.address,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** What helps where a wallet has no key. */
export const IMPORT_REMEDY = { label: 'Import Wallet Key', command: IMPORT } as const;
