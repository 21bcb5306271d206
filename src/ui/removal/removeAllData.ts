import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Activity } from '../activity/activity';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { StateStore } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import type { Prompts } from '../shell/prompts/prompts';
import type { Secrets } from '../shell/secrets';
import { nameOfKey, readIndex, writeIndex } from '../wallets/ownerIndex';
import { INDEX_NAME } from '../wallets/owners';
import { isUnconfirmed, isUnfinished } from '../zap/operationMessages';
import { findSecrets, type StoredSecrets } from './storedSecrets';

/** State that VS Code keeps, with its names. */
export interface ListedState extends StateStore {
  keys(): readonly string[];
}

export interface RemovalDependencies {
  readonly prompts: Pick<Prompts, 'confirm' | 'input' | 'notify'>;
  readonly secrets: Pick<Secrets, 'names' | 'patient'>;
  /** The state of all folders, which has the wallets. */
  readonly globalState: ListedState;
  /** The state of the open folder. */
  readonly folderState: ListedState;
  /** The extension's storage folder: journal, locks, and what the local services keep. */
  readonly folder: string;
  readonly activity: Pick<Activity, 'refresh' | 'state'>;
  /** Stops the local services of this window, which write into the folder. */
  readonly stopServices: () => void;
  readonly reload: () => Promise<void>;
}

const title = (): string => l10n.t('Remove All Binsight Data');
const remove = (): string => l10n.t('Remove');
const keepKeys = (): string => l10n.t('Remove All but Wallet Keys');
const withKeys = (): string => l10n.t('Remove with Wallet Keys…');
/** What the user types to have keys deleted. */
const phrase = (): string => l10n.t('delete my keys');

/** The command that removes what Binsight keeps on this machine. Wallet keys go only after a second confirmation, which is typed. */
export function removalCommands(dependencies: RemovalDependencies): Pick<CommandHandlers, 'binsight.removeAllData'> {
  return {
    'binsight.removeAllData': async () => {
      const { prompts, secrets, globalState, folderState, folder, activity, stopServices, reload } = dependencies;
      const operations = await settledOperations(activity);
      const stored = await findSecrets(secrets, globalState);
      const deletesKeys = await isConfirmed(stored, operations, prompts);
      if (deletesKeys === undefined) {
        return;
      }
      // Another window may have begun an operation while the questions were open.
      await settledOperations(activity);
      // Secrets first: if the keyring is locked, this ends with everything still in its place.
      for (const name of deletesKeys ? stored.walletKeys : []) {
        await secrets.patient().delete(name);
      }
      for (const name of stored.others) {
        await secrets.patient().delete(name);
      }
      const wallets = deletesKeys ? undefined : indexOfKeys(globalState, stored.walletKeys);
      for (const state of [globalState, folderState]) {
        for (const name of state.keys()) {
          await state.update(name, name === INDEX_NAME ? wallets : undefined);
        }
      }
      stopServices();
      const left = await emptyFolder(folder);
      if (left.length > 0) {
        throw new UserError(
          l10n.t`These could not be removed from ${folder}: ${left.join(', ')}. Everything else was removed. Close all windows of VS Code, then delete them by hand.`,
        );
      }
      await reload();
    },
  };
}

/** The list of the wallets whose keys stay, so that these are not lost from sight; `undefined`: none stays. */
function indexOfKeys(state: StateStore, walletKeys: readonly string[]): unknown {
  const { owners, active } = readIndex(state.get(INDEX_NAME));
  const left = owners.filter(({ address }) => walletKeys.includes(nameOfKey(address)));
  const isLeft = (address: string): boolean => left.some((owner) => owner.address === address);
  return left.length === 0
    ? undefined
    : writeIndex({ owners: left, active: Object.fromEntries(Object.entries(active).filter(([, address]) => isLeft(address))) });
}

/**
 * Reads the journal. The record of an operation is what tells what happened with its money, so none is removed before that is known.
 * @returns the number of operations
 * @throws UserError if an operation is not settled, or the journal cannot be read
 */
async function settledOperations(activity: RemovalDependencies['activity']): Promise<number> {
  await activity.refresh();
  const { state } = activity;
  if (state.kind !== 'ready') {
    throw new UserError(
      l10n.t('The operation journal cannot be read, so an operation may still be open. Nothing was removed. Try again later.'),
    );
  }
  const open = state.records.filter((record) => isUnfinished(record) || isUnconfirmed(record) || state.left.has(record.id)).length;
  if (open > 0) {
    throw new UserError(l10n.t`Operations in progress, unclear or half done: ${open}. Nothing was removed. Settle them in Activity first.`);
  }
  return state.records.length;
}

/** Whether wallet keys are deleted, too. `undefined`: the user does not want to remove anything. */
async function isConfirmed(
  stored: StoredSecrets,
  operations: number,
  prompts: Pick<Prompts, 'confirm' | 'input'>,
): Promise<boolean | undefined> {
  const { walletKeys } = stored;
  const answer = await prompts.confirm({
    severity: 'warning',
    message: l10n.t('Remove all data that Binsight keeps on this machine?'),
    detail: listOf(stored, operations).join('\n'),
    actions: walletKeys.length === 0 ? [remove()] : [keepKeys(), withKeys()],
  });
  if (answer !== withKeys()) {
    return answer === undefined ? undefined : false;
  }
  const typed = await prompts.input({
    title: title(),
    prompt: l10n.t`Wallet keys that will be deleted from this machine: ${walletKeys.length}. Without a backup, what these wallets hold is lost. Type “${phrase()}” to go on.`,
    placeholder: phrase(),
    read: (text) =>
      text.trim().toLowerCase() === phrase().toLowerCase()
        ? { ok: true, value: true }
        : { ok: false, message: l10n.t`Type “${phrase()}”, or press Escape to keep everything.` },
  });
  return typed.kind === 'value' ? true : undefined;
}

/** What goes and what stays, a line each. */
function listOf({ walletKeys, orphans, others, isComplete }: StoredSecrets, operations: number): readonly string[] {
  return [
    ...(walletKeys.length === 0
      ? []
      : [
          orphans === 0
            ? l10n.t`Wallet keys: ${walletKeys.length}. They go only if you say so again.`
            : `${l10n.t`Wallet keys: ${walletKeys.length}. They go only if you say so again.`} ${l10n.t`Of no listed wallet: ${orphans}.`}`,
        ]),
    l10n.t`Other secrets: ${others.length} (service keys, RPC addresses, webhook, consent to auto-rebalance).`,
    l10n.t('Watched addresses, service profiles, favorites, saved searches, auto-rebalance rules. Wallets stay listed if their keys stay.'),
    l10n.t`Operations in Activity: ${operations}. The sandbox, and what was read from the chain.`,
    '',
    l10n.t('What stays: your settings, logs, exported files, and everything on the chain.'),
    ...(isComplete ? [] : [l10n.t('This VS Code cannot list secrets: keys of removed service profiles may stay.')]),
    l10n.t('With Settings Sync, favorites and saved searches may go from other machines, too; watched addresses may come back.'),
    l10n.t('Close other windows first: they would write their data again. This window reloads afterwards.'),
  ];
}

/** Deletes everything in a folder. @returns the names of what is still there */
async function emptyFolder(folder: string): Promise<readonly string[]> {
  const names = async (): Promise<readonly string[]> => readdir(folder).catch(() => []);
  for (const name of await names()) {
    // What is in use stays, and is reported.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
  return names();
}
