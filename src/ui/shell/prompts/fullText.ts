import * as l10n from '@vscode/l10n';
import type { Notice } from './prompts';

/** VS Code shows a notification without buttons on one line of about this length and cuts the rest. */
export const ONE_LINE_CHARACTERS = 60;

/** VS Code shows a notification with buttons in full up to this length (`MAX_MESSAGE_LENGTH` in VS Code's `NotificationMessage`). */
export const MOST_CHARACTERS = 1_000;

/** The button that shows the full text. */
export const detailsButton = (): string => l10n.t('Details');

/** Shows a notification or a modal dialog. Resolves with the button that was pressed. */
export type ShowMessage = (
  severity: Notice<string>['severity'],
  message: string,
  options: { readonly modal?: boolean; readonly detail?: string },
  actions: readonly string[],
) => PromiseLike<string | undefined>;

/**
 * Shows a notification so that its full text can be read. A text that VS Code would cut gets the button *Details*, which shows the text in
 * a modal dialog or, for an operation, opens its document. With a button VS Code also shows all lines at once.
 * @param showOperation opens the document of an operation, by its journal id
 * @returns the caller's button that was pressed; `undefined`: *Details* or none
 */
export async function showFullText<Action extends string>(
  { severity, message, actions = [], operation }: Notice<Action>,
  show: ShowMessage,
  showOperation: (operation: string) => Promise<void>,
): Promise<Action | undefined> {
  const isCut = message.length > (actions.length === 0 ? ONE_LINE_CHARACTERS : MOST_CHARACTERS) || message.includes('\n');
  const pressed = await show(severity, message, {}, [...actions, ...(isCut ? [detailsButton()] : [])]);
  const isDetails = isCut && pressed === detailsButton();
  if (isDetails && operation !== undefined) {
    await showOperation(operation);
  } else if (isDetails) {
    const { title, rest } = titleAndRest(message);
    await show(severity, title, { modal: true, ...(rest === '' ? {} : { detail: rest }) }, []);
  }
  return actions.find((action) => action === pressed);
}

/** Splits a message after its first sentence. */
function titleAndRest(message: string): { readonly title: string; readonly rest: string } {
  const end = /[.!?…](?=\s)|\n/.exec(message)?.index ?? message.length;
  return { title: message.slice(0, end + 1).trim(), rest: message.slice(end + 1).trim() };
}
