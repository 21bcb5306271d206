import * as l10n from '@vscode/l10n';
import type { OperationRecord } from '../../transactions/journal/types';
import type { CommandHandlers, CommandTarget } from '../shell/commands/runCommand';
import type { EditorActions } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import { hasExplorer, SANDBOX_ID } from '../shell/serviceChoice';
import { asSignature, explorerOfTransaction } from '../shell/explorer';
import type { Activity } from './activity';
import { operationDocument } from './operationDocument';
import { mainSignature, partsOf } from './operationRows';

export interface ActivityCommandDependencies {
  readonly activity: Pick<Activity, 'records' | 'left' | 'refresh'>;
  readonly actions: Pick<EditorActions, 'copy' | 'openExternal' | 'showDocument'>;
}

/** The commands on the rows of the Activity view. */
export function activityCommands({
  activity,
  actions,
}: ActivityCommandDependencies): Pick<CommandHandlers, 'binsight.showOperation' | 'binsight.copySignature'> {
  return {
    'binsight.showOperation': async (target) => {
      // A notification may be about a record that the view has not read yet.
      await activity.refresh();
      const record = recordOf(target, activity);
      const { title, markdown } = operationDocument(record, {
        left: activity.left.get(record.id),
        parts: partsOf(record, activity.records),
      });
      await actions.showDocument(title, markdown);
    },
    'binsight.copySignature': async (target) => {
      await activity.refresh();
      await actions.copy(signatureOf(target, recordOf(target, activity)));
    },
  };
}

/**
 * Opens the transaction of a row in an explorer.
 * @throws UserError if nothing was signed, or no explorer lists it
 */
export async function openTransaction(target: CommandTarget, { activity, actions }: ActivityCommandDependencies): Promise<void> {
  await activity.refresh();
  const record = recordOf(target, activity);
  const signature = signatureOf(target, record);
  if (!hasExplorer(record.created.service)) {
    throw new UserError(
      record.created.service === SANDBOX_ID
        ? l10n.t('No explorer lists the transactions of the sandbox: it runs only on this computer.')
        : l10n.t('Explorers only list transactions of Solana mainnet.'),
    );
  }
  await actions.openExternal(explorerOfTransaction(signature));
}

function recordOf(target: CommandTarget | undefined, { records }: Pick<Activity, 'records'>): OperationRecord {
  const record = target?.kind === 'operation' ? records.find(({ id }) => id === target.id) : undefined;
  if (record === undefined) {
    throw new UserError(l10n.t('Choose an operation in the Activity view.'));
  }
  return record;
}

/** Only signatures in the operation's journal record are opened or copied, whatever the command was given. */
function signatureOf(target: CommandTarget | undefined, record: OperationRecord): string {
  const wanted = target?.kind === 'operation' ? target.signature : undefined;
  const all = record.events.flatMap((event) =>
    event.kind === 'signed' ? event.signatures : event.kind === 'landed' && event.signature !== undefined ? [event.signature] : [],
  );
  const signature = wanted === undefined ? mainSignature(record) : all.find((one) => one === wanted && asSignature(one) !== undefined);
  if (signature === undefined) {
    throw new UserError(l10n.t('Nothing of this operation was signed.'));
  }
  return signature;
}
