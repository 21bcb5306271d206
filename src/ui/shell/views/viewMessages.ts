/** The message of a view, above its rows. */
interface WithMessage {
  message?: unknown;
}

/**
 * Sets the message of a view only if it differs. VS Code collects the changes of a view for 200 ms after the first one, and every
 * message counts as a change, also the same one: rows that change right after it would wait.
 */
export function setMessage(view: WithMessage, message: string | undefined): void {
  // A view that never had a message has an empty one.
  if ((view.message ?? '') !== (message ?? '')) {
    view.message = message;
  }
}
