import * as vscode from 'vscode';
import type { CommandId } from '../../../settings/generated/commandIds';
import { COLOR } from '../names';
import type { Row } from './rows';

/** The action of a click or Enter on a row. */
export interface RowAction {
  readonly command: CommandId;
  /** Label for screen readers. */
  readonly title: string;
  readonly argument: unknown;
}

/** URI scheme of rows whose labels {@link RowColors} colors. The query is the tone. */
const ROW_SCHEME = 'binsight-row';

/** Colors the labels of rows by their tone. */
export class RowColors implements vscode.FileDecorationProvider {
  provideFileDecoration({ scheme, query }: vscode.Uri): vscode.FileDecoration | undefined {
    if (scheme !== ROW_SCHEME) {
      return undefined;
    }
    return { color: new vscode.ThemeColor(query === 'gain' ? COLOR.gain : COLOR.loss) };
  }
}

/** Creates the tree item of a row. Its tooltip is resolved on demand. */
export function treeItem(row: Row, collapsible: vscode.TreeItemCollapsibleState, action?: RowAction): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, collapsible);
  item.id = row.id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon.id, row.icon.color === undefined ? undefined : new vscode.ThemeColor(row.icon.color));
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  if (row.tone !== undefined) {
    item.resourceUri = vscode.Uri.from({ scheme: ROW_SCHEME, path: `/${row.id}`, query: row.tone });
  }
  if (action !== undefined) {
    item.command = { command: action.command, title: action.title, arguments: [action.argument] };
  }
  return item;
}

/**
 * Creates a tooltip from Markdown with codicons. Command links in it don't run.
 * @param hasColors it holds spans of `tonedText`. VS Code sanitizes the HTML, and all foreign text in it is escaped.
 */
export function markdownTooltip(text: string, hasColors = false): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = false;
  markdown.supportHtml = hasColors;
  return markdown;
}
