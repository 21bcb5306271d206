/** What stands in a log where a secret was. */
export const REDACTED = '‹redacted›';

/** Shorter texts are not secrets worth hiding, and would make logs unreadable. */
const SHORTEST_SECRET = 8;

/** Takes secrets out of texts. It learns each secret when it enters the process, before it is used. */
export class Redactor {
  private readonly secrets = new Set<string>();

  /** From now on `secret` never passes {@link redact}, nor do its URL-encoded and JSON-escaped forms. */
  register(secret: string): void {
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      if (form.length >= SHORTEST_SECRET) {
        this.secrets.add(form);
      }
    }
  }

  /** Gives `text` without any registered secret. */
  redact(text: string): string {
    // Longest first: a secret may contain another one.
    const longestFirst = [...this.secrets].sort((one, other) => other.length - one.length);
    return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  }
}
