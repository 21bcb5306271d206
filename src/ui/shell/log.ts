import { inspect } from 'node:util';
import { redactorOf } from '../../service/apiKey';

/** Replaces a secret in the log. */
export const REDACTED = '‹redacted›';

/** Removes secrets from texts. Every secret is registered when it enters the process, before its first use. */
export class Redactor {
  /** Longest secret first, because one can contain another. */
  #redactors: readonly { readonly secret: string; readonly redact: (text: string) => string }[] = [];

  /** Removes `secret` from all later texts, also where it is escaped for JSON or URLs in part or whole. Texts under eight characters are ignored. */
  register(secret: string): void {
    if (!this.#redactors.some((known) => known.secret === secret)) {
      this.#redactors = [...this.#redactors, { secret, redact: redactorOf(secret, REDACTED) }].sort(
        (one, other) => other.secret.length - one.secret.length,
      );
    }
  }

  /** Returns `text` without registered secrets. */
  redact(text: string): string {
    return this.#redactors.reduce((rest, { redact }) => redact(rest), text);
  }
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type LogFunction = (level: LogLevel, message: string) => void;

/** The part of VS Code's `LogOutputChannel` that the log uses. */
export type LogSink = Readonly<Record<LogLevel, (message: string) => void>>;

/** The extension's log. Every entry names its part and passes the redactor. */
export class Log {
  readonly #sink: LogSink;
  readonly #redactor: Redactor;

  constructor(sink: LogSink, redactor: Redactor) {
    this.#sink = sink;
    this.#redactor = redactor;
  }

  /** Returns the log function of a part: "portfolio" → "[portfolio] …". */
  of(part: string): LogFunction {
    return (level, message) => this.#sink[level](this.#redactor.redact(`[${part}] ${message}`));
  }

  /** Keeps `secret` out of all later entries. */
  hide(secret: string): void {
    this.#redactor.register(secret);
  }
}

/** Formats an error for the log: the stack of the outermost error, then every cause. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) {
    return `threw ${String(error)}`;
  }
  const causes: string[] = [];
  // Causes can form a cycle.
  const seen = new Set<unknown>([error]);
  for (let cause = error.cause; cause !== undefined && !seen.has(cause); cause = cause instanceof Error ? cause.cause : undefined) {
    seen.add(cause);
    causes.push(
      `caused by ${cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause === 'string' ? JSON.stringify(cause) : inspect(cause, { depth: 1, breakLength: Infinity })}`,
    );
  }
  return [error.stack ?? `${error.name}: ${error.message}`, ...causes].join('\n  ');
}
