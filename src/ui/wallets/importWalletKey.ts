import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/places';
import { KeyError } from '../../wallet/errors';
import { readSecretKey, wipe } from '../../wallet/keys';
import { askNewPassphrase, passphraseWarning } from './askPassphrase';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import type { CommandHandler } from '../shell/commands/runCommand';
import { refuseKeysInBrowser, type WalletCommandDependencies } from './requireSigner';

/** A key file has some 230 bytes. */
const LARGEST_KEY_FILE = 16 * 1024;

const titleText = () => l10n.t('Import Wallet Key');
const importPlain = () => l10n.t('Import Key');
const importProtected = () => l10n.t('Import with Passphrase…');

const neverTheOnlyCopy = () =>
  l10n.t(
    'Keep a copy of the key outside of VS Code. What VS Code keeps can be lost: with its profile, this machine or its keyring. Binsight does not show a key again. If it is lost here, import it again from your copy; without one, what the wallet holds is lost.',
  );
const whereItIs = () =>
  l10n.t(
    "The key is kept in VS Code's secret storage on this machine and nowhere else, is read only while something is signed, and is never sent anywhere. That storage does not keep out other extensions and programs that you run; a passphrase does, until it is entered. Use a wallet that holds no more than you work with.",
  );

/** The command that brings in a wallet's key: pasted or from a file, its address confirmed, under a passphrase where that is wished. */
export function importKey(dependencies: WalletCommandDependencies): CommandHandler {
  const { prompts, owners, service } = dependencies;
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
          l10n.t('This is the address that belongs to the key. If it is not the one you expect, cancel: nothing has been kept.'),
          ...(known?.hasPassphrase === true
            ? [l10n.t`The stored key of this wallet is under a passphrase. “${importPlain()}” puts one without a passphrase in its place.`]
            : []),
          neverTheOnlyCopy(),
          whereItIs(),
          ...(source.file === undefined ? [] : [l10n.t`${source.file} is left as it is: whoever can read it has the key.`]),
        ].join('\n\n'),
        actions: known?.hasPassphrase === true ? [importProtected(), importPlain()] : [importPlain(), importProtected()],
      });
      if (action === undefined) {
        return;
      }
      const passphrase =
        action === importProtected()
          ? await askNewPassphrase(titleText(), l10n.t`A passphrase for the key of ${key.address}. ${passphraseWarning('user')}`, prompts)
          : undefined;
      if (action === importProtected() && passphrase === undefined) {
        void prompts.notify({
          severity: 'info',
          message: l10n.t('No passphrase was set, so the key was not imported. Nothing was changed.'),
        });
        return;
      }
      await owners.importKey(key, service(), passphrase);
      const how =
        passphrase === undefined
          ? l10n.t('Binsight can sign for this wallet now.')
          : l10n.t('Binsight asks for its passphrase when something is to be signed.');
      void prompts.notify({
        severity: 'info',
        message: l10n.t`The key of ${shortAddress(key.address)} was imported. ${how} Keep your own copy of it.`,
      });
    } finally {
      wipe(key);
    }
  };
}

/** The text of a key, and the name of the file that it is from. */
interface KeyText {
  readonly text: string;
  readonly file: string | undefined;
}

async function askKeyText(prompts: Prompts): Promise<KeyText | undefined> {
  const source = await prompts.pick<'paste' | 'file'>({
    title: titleText(),
    placeholder: l10n.t('Where is the key?'),
    items: [
      {
        label: l10n.t('Paste it'),
        description: l10n.t('base58 text, or the list of numbers of an id.json'),
        icon: 'clippy',
        value: 'paste',
      },
      { label: l10n.t('Choose a file'), description: l10n.t('a key file such as id.json'), icon: 'file', value: 'file' },
    ],
  });
  if (source.kind !== 'value') {
    return undefined;
  }
  if (source.value === 'file') {
    const file = await prompts.chooseFile({
      title: titleText(),
      openLabel: l10n.t('Read Key'),
      filters: { 'Key files': ['json', 'txt'], 'All files': ['*'] },
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
    prompt: l10n.t('The secret key of the wallet. It is not shown, and not sent anywhere.'),
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
    throw new UserError(l10n.t`${name} is not a text file, so it is not a key file. Nothing was changed.`);
  } finally {
    bytes.fill(0);
  }
}

function unreadable(name: string, error: unknown): never {
  if (error instanceof RangeError) {
    throw new UserError(l10n.t`${name} is too large to be a key file. Nothing was changed.`);
  }
  throw new UserError(
    l10n.t`${name} cannot be read: ${error instanceof Error ? error.message : l10n.t('unknown reason')}. Nothing was changed.`,
  );
}

/** Reads a key while it is typed: the note is the address that it gives. */
function readKeyText(text: string): Reading<string> {
  try {
    const key = readSecretKey(text);
    const note = l10n.t`The address of this key is ${key.address}`;
    wipe(key);
    return { ok: true, value: text, note };
  } catch (error) {
    if (error instanceof KeyError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}
