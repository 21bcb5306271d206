import * as l10n from '@vscode/l10n';
import { orAborted } from '../../base/async/concurrency';
import type { SolanaRpc } from '../../rpc/types';
import type { LiquidityService } from '../../service/service';
import { type LinesNotKnown, type OperationLines, operationLines } from '../../transactions/earnings/operationLines';
import { logsOf } from '../../transactions/earnings/loggedFlows';
import { mayHaveLanded } from '../../transactions/earnings/positionChain';
import type { OperationRecord } from '../../transactions/journal/types';
import type { CommandHandlers, CommandTarget } from '../shell/commands/runCommand';
import type { EditorActions } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import { describeError, type LogFunction } from '../shell/log';
import { hasExplorer, type ServiceChoice } from '../shell/serviceChoice';
import { asSignature, explorerOfTransaction } from '../shell/explorer';
import type { Activity } from './activity';
import { operationDocument } from './operationDocument';
import { mainSignature, partsOf } from './operationRows';

/** A document waits so long for the lines of its operation, milliseconds. */
const LINES_WITHIN_MS = 5_000;

export interface ActivityCommandDependencies {
  readonly activity: Pick<Activity, 'records' | 'left' | 'names' | 'refresh'>;
  readonly actions: Pick<EditorActions, 'copy' | 'openExternal' | 'showDocument'>;
  /** Of the service in use. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly connect: () => Promise<Pick<LiquidityService, 'positionLogs'>>;
  readonly service: () => Pick<ServiceChoice, 'id'>;
  readonly log: { readonly of: (part: string) => LogFunction };
}

/** What the transaction of a row is opened with. */
type OpenTransactionDependencies = Pick<ActivityCommandDependencies, 'actions'> & {
  readonly activity: Pick<Activity, 'records' | 'refresh'>;
};

/** The commands on the rows of the Activity view. */
export function activityCommands(
  dependencies: ActivityCommandDependencies,
): Pick<CommandHandlers, 'binsight.showOperation' | 'binsight.copySignature'> {
  const { activity, actions } = dependencies;
  return {
    'binsight.showOperation': async (target) => {
      // A notification may be about a record that the view has not read yet.
      await activity.refresh();
      const record = recordOf(target, activity);
      const parts = partsOf(record, activity.records);
      const { title, markdown } = operationDocument(record, {
        left: activity.left.get(record.id),
        parts,
        names: activity.names,
        lines: await linesOf([record, ...parts], dependencies),
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
export async function openTransaction(target: CommandTarget, { activity, actions }: OpenTransactionDependencies): Promise<void> {
  await activity.refresh();
  const record = recordOf(target, activity);
  const signature = signatureOf(target, record);
  if (!hasExplorer(record.created.service)) {
    throw new UserError(l10n.t('Explorers only list transactions of Solana mainnet.'));
  }
  await actions.openExternal(explorerOfTransaction(signature));
}

/** Only the service that an operation was made with is asked about it. A document never fails because of its lines. */
async function linesOf(
  records: readonly OperationRecord[],
  { rpc, connect, service, log }: ActivityCommandDependencies,
): Promise<OperationLines | LinesNotKnown | undefined> {
  if (!records.some(mayHaveLanded) || records.some(({ created }) => created.service !== service().id)) {
    return undefined;
  }
  const signal = AbortSignal.timeout(LINES_WITHIN_MS);
  try {
    const [client, reads] = await orAborted(Promise.all([rpc(), connect()]), signal);
    return await orAborted(operationLines(records, { rpc: client, readLogs: logsOf(reads) }, signal), signal);
  } catch (error) {
    log.of('activity')('debug', `The transactions of an operation could not be read: ${describeError(error)}`);
    return 'notRead';
  }
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
    throw new UserError(l10n.t('Nothing was signed.'));
  }
  return signature;
}
