/** A request that can't be fulfilled. Nothing has happened. The message says why and what helps. */
export class UserError extends Error {
  override readonly name = 'Refusal';

  /** @param remedy a command that helps, and the label of its button */
  constructor(
    message: string,
    readonly remedy?: { readonly label: string; readonly command: string },
  ) {
    super(message);
  }
}
