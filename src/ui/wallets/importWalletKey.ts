import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import { titleOf } from '../../base/text';
import { errorText } from '../../base/thrown';
import { KeyError } from '../../wallet/errors';
import { readSecretKey, wipe } from '../../wallet/keys';
import { askNewPassphrase, passphraseWarning } from './askPassphrase';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import { UserError } from '../shell/errors';
import type { CommandHandler } from '../shell/commands/runCommand';
import { refuseKeysInBrowser, type WalletCommandDependencies } from './walletSelection';

/** Bytes. An `id.json` has about 230. */
const LARGEST_KEY_FILE = 16 * 1024;

const titleText = () => titleOf(l10n.t('Import Wallet Key…'));
const importPlain = () => l10n.t('Import Key');
const importProtected = () => l10n.t('Import with Passphrase…');

const backupNotice = () =>
  l10n.t('Keep a backup outside VS Code: without one, you lose everything if this machine or its keyring is lost.');
export const storageNotice = (): string =>
  l10n.t("The key stays in VS Code's secret storage. Programs may read it there unless a passphrase protects it.");

const portableNotice = () => l10n.t('This VS Code is portable: without a passphrase, whoever finds its folder has the key.');

export interface ImportKeyDependencies extends WalletCommandDependencies {
  /** VS Code and all that it keeps are in one folder, which people carry along (`VSCODE_PORTABLE`). */
  readonly isPortable: boolean;
}

/** Imports a key, pasted or from a file, after the user has confirmed its address; optionally encrypts it with a passphrase. */
export function importKey(dependencies: ImportKeyDependencies): CommandHandler {
  const { prompts, owners, service, isPortable } = dependencies;
  return async () => {
    refuseKeysInBrowser(dependencies);
    const source = await askKeyText(prompts);
    if (source === undefined) {
      return;
    }
    const key = readSecretKey(source.text);
    try {
      const known = owners.known(service()).find(({ address }) => address === key.address);
      const action = await prompts.confirm({
        severity: 'info',
        message: l10n.t`Is this your wallet?\n\n${key.address}`,
        detail: [
          l10n.t('If it is not the address you expect, cancel: nothing is stored yet.'),
          ...(known?.hasPassphrase === true
            ? [l10n.t`The stored key of this wallet has a passphrase. “${importPlain()}” replaces it with a key without one.`]
            : []),
          ...(isPortable ? [portableNotice()] : []),
          backupNotice(),
          storageNotice(),
          ...(source.file === undefined ? [] : [l10n.t`${source.file} is not changed. Anyone who can read it has the key.`]),
        ].join('\n\n'),
        actions: known?.hasPassphrase === true ? [importProtected(), importPlain()] : [importPlain(), importProtected()],
      });
      if (action === undefined) {
        return;
      }
      const passphrase =
        action === importProtected()
          ? await askNewPassphrase(
              titleText(),
              `${l10n.t`Choose a passphrase for the key of ${key.address}.`} ${passphraseWarning('user')}`,
              prompts,
            )
          : undefined;
      if (action === importProtected() && passphrase === undefined) {
        void prompts.notify({ severity: 'info', message: l10n.t('No passphrase set. The key was not imported.') });
        return;
      }
      await owners.importKey(key, service(), passphrase);
      void prompts.notify({ severity: 'info', message: l10n.t`Key of ${shortAddress(key.address)} imported. Keep your backup.` });
    } finally {
      wipe(key);
    }
  };
}

interface KeyText {
  readonly text: string;
  /** Name of the file that the text was read from. */
  readonly file: string | undefined;
}

async function askKeyText(prompts: Prompts): Promise<KeyText | undefined> {
  const source = await prompts.pick<'paste' | 'file'>({
    title: titleText(),
    placeholder: l10n.t('Where is the key?'),
    items: [
      { label: l10n.t('Paste'), description: l10n.t('base58 text, or [12, 34, …]'), icon: 'clippy', value: 'paste' },
      { label: l10n.t('Choose a file'), description: 'id.json', icon: 'file', value: 'file' },
    ],
  });
  if (source.kind !== 'value') {
    return undefined;
  }
  if (source.value === 'file') {
    const file = await prompts.chooseFile({
      title: titleText(),
      openLabel: titleText(),
      filters: { '*.json, *.txt': ['json', 'txt'], '*': ['*'] },
    });
    return file === undefined
      ? undefined
      : {
          text: textOf(file.name, await file.read(LARGEST_KEY_FILE).catch((error: unknown) => unreadable(file.name, error))),
          file: file.name,
        };
  }
  const pasted = await prompts.input({
    title: titleText(),
    prompt: l10n.t('Paste the secret key of the wallet. It is not shown and not sent anywhere.'),
    placeholder: l10n.t('base58 text, or [12, 34, …]'),
    secret: true,
    read: readKeyText,
  });
  return pasted.kind === 'value' ? { text: pasted.value, file: undefined } : undefined;
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(l10n.t`${name} is not a key file. Nothing was changed.`);
  } finally {
    bytes.fill(0);
  }
}

function unreadable(name: string, error: unknown): never {
  if (error instanceof RangeError) {
    throw new UserError(l10n.t`${name} is not a key file. Nothing was changed.`);
  }
  throw new UserError(l10n.t`Cannot read ${name}: ${errorText(error)}. Nothing was changed.`);
}

/** Validates a key while it is typed, and shows its address. */
function readKeyText(text: string): Reading<string> {
  try {
    const key = readSecretKey(text);
    const note = l10n.t`Address: ${key.address}`;
    wipe(key);
    return { ok: true, value: text, note };
  } catch (error) {
    if (error instanceof KeyError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}
