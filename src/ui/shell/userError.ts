/** Something that was asked for cannot be done, and nothing has happened. The message says why and what would help. */
export class UserError extends Error {
  override readonly name = 'Refusal';

  /** @param remedy a command that helps, and the words on its button. */
  constructor(
    message: string,
    readonly remedy?: { readonly label: string; readonly command: string },
  ) {
    super(message);
  }
}
