import type { Notice } from './prompts';

/** VS Code shows a notification without buttons as one line of about so many characters, and cuts the rest. */
export const ONE_LINE_CHARACTERS = 60;

/** One with buttons is shown whole, up to so many characters (VS Code, `NotificationMessage`: MAX_MESSAGE_LENGTH). */
export const MOST_CHARACTERS = 1_000;

/** The button that shows the whole text. */
export const DETAILS = 'Details';

/** Shows a message of VS Code's: a notification, or a modal dialog. Resolves with the button that was pressed. */
export type ShowMessage = (
  severity: Notice<string>['severity'],
  message: string,
  options: { readonly modal?: boolean; readonly detail?: string },
  actions: readonly string[],
) => PromiseLike<string | undefined>;

/**
 * Shows a notification so that its whole text can be read: one that VS Code would cut gets a button *Details*, which shows the text in
 * a modal dialog or, of an operation, opens the document that Activity has of it. With a button VS Code also shows all lines at once.
 * @param showOperation opens the document of an operation of the journal
 * @returns the caller's button that was pressed; `undefined`: another one, or none
 */
export async function showFullText<Action extends string>(
  { severity, message, actions = [], operation }: Notice<Action>,
  show: ShowMessage,
  showOperation: (operation: string) => Promise<void>,
): Promise<Action | undefined> {
  const isCut = message.length > (actions.length === 0 ? ONE_LINE_CHARACTERS : MOST_CHARACTERS) || message.includes('\n');
  const pressed = await show(severity, message, {}, [...actions, ...(isCut ? [DETAILS] : [])]);
  if (isCut && pressed === DETAILS && operation !== undefined) {
    await showOperation(operation);
  } else if (isCut && pressed === DETAILS) {
    const { title, rest } = titleAndRest(message);
    await show(severity, title, { modal: true, ...(rest === '' ? {} : { detail: rest }) }, []);
  }
  return actions.find((action) => action === pressed);
}

/** The first sentence, and what follows it. */
function titleAndRest(message: string): { readonly title: string; readonly rest: string } {
  const end = /[.!?…](?=\s)|\n/.exec(message)?.index ?? message.length;
  return { title: message.slice(0, end + 1).trim(), rest: message.slice(end + 1).trim() };
}
