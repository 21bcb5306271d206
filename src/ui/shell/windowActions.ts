import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EditorActions } from './editorAccess';
import { VIEW } from './names';

/** Implements {@link EditorActions} with VS Code, except for what loads later. */
export function windowActions(channel: vscode.LogOutputChannel, later: Pick<EditorActions, 'showDocument'>): EditorActions {
  return {
    showLog: () => channel.show(),
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(`$(check) ${l10n.t('Copied')}`, 2_000);
    },
    openExternal: async (url) => {
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    ...later,
    saveText: async ({ title, name, text, isWanted }) => {
      // Not in the open folder: the file would end up under its version control.
      const defaultUri = vscode.Uri.joinPath(vscode.Uri.file(homedir()), name);
      const uri = await vscode.window.showSaveDialog({
        title,
        defaultUri,
        filters: name.endsWith('.csv') ? { CSV: ['csv'] } : { JSON: ['json'] },
      });
      if (uri === undefined || isWanted?.() === false) {
        return undefined;
      }
      await vscode.workspace.fs.writeFile(uri, typeof text === 'string' ? new TextEncoder().encode(text) : text);
      return basename(uri.path);
    },
    focusPositions: async () => {
      await vscode.commands.executeCommand(`${VIEW.positions}.focus`);
    },
    focusActivity: async () => {
      await vscode.commands.executeCommand(`${VIEW.activity}.focus`);
    },
  };
}
