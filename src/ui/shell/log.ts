import * as l10n from '@vscode/l10n';
import { inspect } from 'node:util';
import { redactorOf } from '../../service/apiKey';

/** What stands in a log where a secret was. */
export const REDACTED = '‹redacted›';

/** Takes secrets out of texts. It learns each secret when it enters the process, before it is used. */
export class Redactor {
  /** What takes a secret out, by the secret; longest secret first, since one may contain another. */
  private redactors: readonly { readonly secret: string; readonly redact: (text: string) => string }[] = [];

  /** From now on `secret` never passes {@link redact}, also where it is escaped as in JSON or URLs, in part or whole. Shorter texts than eight characters are no secrets worth hiding. */
  register(secret: string): void {
    if (!this.redactors.some((known) => known.secret === secret)) {
      this.redactors = [...this.redactors, { secret, redact: redactorOf(secret, REDACTED) }].sort(
        (one, other) => other.secret.length - one.secret.length,
      );
    }
  }

  /** Gives `text` without any registered secret. */
  redact(text: string): string {
    return this.redactors.reduce((rest, { redact }) => redact(rest), text);
  }
}

/** How serious an entry is. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes an entry. */
export type LogFunction = (level: LogLevel, message: string) => void;

/** Where entries end up: VS Code's LogOutputChannel has this shape. */
export type LogSink = Readonly<Record<LogLevel, (message: string) => void>>;

/** The extension's log. Every entry names the part it comes from, and passes the redactor before it is written. */
export class Log {
  constructor(
    private readonly sink: LogSink,
    private readonly redactor: Redactor,
  ) {}

  /** Gives the function by which `part` writes: "portfolio" → "[portfolio] …". */
  of(part: string): LogFunction {
    return (level, message) => this.sink[level](this.redactor.redact(`[${part}] ${message}`));
  }

  /** From now on `secret` is not written. */
  hide(secret: string): void {
    this.redactor.register(secret);
  }
}

/** Gives an error with its causes in words for the log: name, message, stack of the outermost, then each cause. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) {
    return l10n.t`threw ${String(error)}`;
  }
  const causes: string[] = [];
  // A chain of causes may be a ring.
  const seen = new Set<unknown>([error]);
  for (let cause = error.cause; cause !== undefined && !seen.has(cause); cause = cause instanceof Error ? cause.cause : undefined) {
    seen.add(cause);
    causes.push(
      l10n.t`caused by ${cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause === 'string' ? JSON.stringify(cause) : inspect(cause, { depth: 1, breakLength: Infinity })}`,
    );
  }
  return [error.stack ?? `${error.name}: ${error.message}`, ...causes].join('\n  ');
}
