import * as l10n from '@vscode/l10n';
import type { CommandId } from '../../../settings/generated/commandIds';
import type { Row } from './rows';
import type { ViewState } from './viewState';

/** A row of an empty view that runs a command. */
export interface RemedyNode {
  readonly kind: 'remedy';
  readonly command: CommandId;
  readonly row: Row;
}

/**
 * What helps after a failure, the most likely remedy first; empty for all other states. Only the error knows the reason of these failures, so
 * it is the message of the view. VS Code shows no welcome text below a message, and rows take the place of its button.
 */
export function remediesOf(state: ViewState): readonly RemedyNode[] {
  const again = () => remedy('binsight.refresh', l10n.t('Try Again'), 'refresh');
  const connect = () => remedy('binsight.connectService', l10n.t('Connect to Service…'), 'plug');
  const sandbox = () => remedy('binsight.useSandbox', l10n.t('Use Sandbox'), 'beaker', l10n.t('pretend money'));
  const log = () => remedy('binsight.showLog', l10n.t('Show Log'), 'output');
  switch (state) {
    case 'sandboxFailed':
      return [again(), remedy('binsight.resetSandboxWorld', l10n.t('Reset World…'), 'trash'), connect(), log()];
    case 'serviceFailed':
    case 'failed':
      return [again(), connect(), sandbox(), log()];
    case 'rpcUnavailable':
    case 'unreachable':
      return [again(), connect(), sandbox()];
    case 'rpcRefused':
      return [connect(), again(), sandbox()];
    default:
      return [];
  }
}

function remedy(command: CommandId, label: string, icon: string, description = ''): RemedyNode {
  const row = { id: command, label, description, icon: { id: icon }, spoken: label, contextValue: 'remedy' };
  return { kind: 'remedy', command, row };
}
