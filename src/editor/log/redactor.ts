import { redactorOf } from '../../api/redaction';

/** What stands in a log where a secret was. */
export const REDACTED = '‹redacted›';

/** Takes secrets out of texts. It learns each secret when it enters the process, before it is used. */
export class Redactor {
  /** What takes a secret out, by the secret; longest secret first, since one may contain another. */
  private redactors: readonly { readonly secret: string; readonly redact: (text: string) => string }[] = [];

  /** From now on `secret` never passes {@link redact}, also where it is escaped as in JSON or URLs, in part or whole. Shorter texts than eight characters are no secrets worth hiding. */
  register(secret: string): void {
    if (!this.redactors.some((known) => known.secret === secret)) {
      this.redactors = [...this.redactors, { secret, redact: redactorOf(secret, REDACTED) }].sort((one, other) => other.secret.length - one.secret.length);
    }
  }

  /** Gives `text` without any registered secret. */
  redact(text: string): string {
    return this.redactors.reduce((rest, { redact }) => redact(rest), text);
  }
}
