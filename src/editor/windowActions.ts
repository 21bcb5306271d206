import * as vscode from 'vscode';
import type { EditorActions } from './editorActions';
import { VIEW } from './names';
import type { ReviewDocuments } from './reviewDocuments';

/** Does in VS Code what {@link EditorActions} says. */
export function windowActions(channel: vscode.LogOutputChannel, documents: ReviewDocuments): EditorActions {
  return {
    showLog: () => channel.show(),
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('$(check) Copied', 2_000);
    },
    openExternal: async (url) => {
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    showDocument: (title, markdown) => documents.show(title, markdown),
    focusPositions: async () => {
      await vscode.commands.executeCommand(`${VIEW.positions}.focus`);
    },
  };
}
