import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CommandHandlers } from '../shell/commands/runCommand';
import type { EditorActions } from '../shell/editorAccess';
import { UserError } from '../shell/errors';
import type { Prompts } from '../shell/prompts/prompts';
import { PROGRAM_NAME } from './sessionAnnouncement';

export interface AssistantCommandDependencies {
  readonly actions: Pick<EditorActions, 'copy'>;
  readonly prompts: Pick<Prompts, 'notify'>;
  /** Where windows announce themselves. */
  readonly folder: string;
  readonly isEnabled: () => boolean;
}

/** The command that tells an assistant outside of VS Code how to start the MCP server. It contains no secret. */
export function assistantCommands({
  actions,
  prompts,
  folder,
  isEnabled,
}: AssistantCommandDependencies): Pick<CommandHandlers, 'binsight.copyMcpConfiguration'> {
  return {
    'binsight.copyMcpConfiguration': async () => {
      if (!isEnabled()) {
        throw new UserError(l10n.t`Assistants cannot use Binsight yet. Turn on the setting ${'binsight.assistants.enabled'} first.`);
      }
      await actions.copy(mcpConfiguration(folder));
      void prompts.notify({ severity: 'info', message: l10n.t('MCP configuration copied. The assistant needs Node.js 20 or newer.') });
    },
  };
}

/** The usual form of an entry for an MCP client. */
function mcpConfiguration(folder: string): string {
  return JSON.stringify({ mcpServers: { binsight: { command: 'node', args: [join(folder, PROGRAM_NAME)] } } }, undefined, 2);
}
