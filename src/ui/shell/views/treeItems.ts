import * as vscode from 'vscode';
import type { CommandId } from '../commands/registry';
import type { Row } from './rows';

/** What a click on a row, or Enter, does. */
export interface RowAction {
  readonly command: CommandId;
  /** For a screen reader. */
  readonly title: string;
  readonly argument: unknown;
}

/** Gives a row as VS Code's tree shows it; the tooltip comes when it is asked for. */
export function treeItem(row: Row, collapsible: vscode.TreeItemCollapsibleState, action?: RowAction): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, collapsible);
  item.id = row.id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon.id, row.icon.color === undefined ? undefined : new vscode.ThemeColor(row.icon.color));
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  if (action !== undefined) {
    item.command = { command: action.command, title: action.title, arguments: [action.argument] };
  }
  return item;
}

/** Gives Markdown with codicons as a tooltip. Links in it are not followed, commands not run. */
export function markdownTooltip(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  return markdown;
}
