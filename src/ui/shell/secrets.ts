import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import type { SecretStore } from './editorAccess';

/** The part of VS Code's `SecretStorage` that is used. Its calls may take as long as a prompt of the system stays open. */
export interface SecretStorageAccess extends SecretStore {
  /** The names of all secrets of the extension. Newer than the VS Code that Binsight needs at least. */
  keys?(): PromiseLike<readonly string[]>;
  readonly onDidChange: (listener: (event: { readonly key: string }) => void) => Subscription;
}

export type SecretErrorKind = 'notRead' | 'notWritten' | 'unanswered';

/** The secret storage of VS Code failed, or does not answer. The message is for the user and quotes no secret. */
export class SecretError extends Error {
  override readonly name = 'SecretError';

  /** @param cause absent for writes: it may quote the secret */
  constructor(
    readonly kind: SecretErrorKind,
    cause?: unknown,
  ) {
    super(messageOf(kind), cause === undefined ? undefined : { cause });
  }
}

function messageOf(kind: SecretErrorKind): string {
  switch (kind) {
    case 'notRead':
      return l10n.t(
        "VS Code's secret storage could not be read. Nothing was lost or signed. Unlock the keyring of this machine, then try again.",
      );
    case 'notWritten':
      return l10n.t(
        "VS Code's secret storage failed, and what it holds now is uncertain. Nothing was signed. Unlock the keyring of this machine, then try again.",
      );
    case 'unanswered':
      return unansweredText();
  }
}

/** What the user reads while the secret storage does not answer. */
export function unansweredText(): string {
  return l10n.t(
    "VS Code's secret storage does not answer. Nothing is signed until it does. Look for a prompt for the password of your keyring.",
  );
}

/** Time after which the user learns that something waits for the secret storage, milliseconds. A keyring without a prompt answers in far less. */
export const ANSWER_WITHIN_MS = 10_000;

/** A call of the storage. */
interface Call<Result> {
  readonly answer: Promise<Result>;
  /** Resolves once it has taken {@link ANSWER_WITHIN_MS}. */
  readonly overdue: Promise<void>;
}

/**
 * The only access to VS Code's secret storage. A call waits as long as the storage takes, because the user may still answer a prompt of the system;
 * after {@link ANSWER_WITHIN_MS} this says so, and every place that waits shows {@link unansweredText}.
 */
export class Secrets {
  readonly #storage: SecretStorageAccess;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #changes: Emitter<string>;
  readonly #answeringChanges: Emitter<undefined>;
  readonly #subscription: Subscription;
  /** Reads that have not been answered. Those who ask for the same secret share one. */
  readonly #reads = new Map<string, Call<string | undefined>>();
  /** Number of calls that have taken longer than {@link ANSWER_WITHIN_MS}. */
  #overdue = 0;

  constructor(storage: SecretStorageAccess, clock: Pick<Clock, 'after'>, onListenerError: (error: unknown) => void) {
    this.#storage = storage;
    this.#clock = clock;
    this.#changes = new Emitter(onListenerError);
    this.#answeringChanges = new Emitter(onListenerError);
    this.#subscription = storage.onDidChange(({ key }) => {
      // A read that began before the change may answer with what was there before.
      this.#reads.delete(key);
      this.#changes.fire(key);
    });
  }

  /** False while a call is overdue. */
  get isAnswering(): boolean {
    return this.#overdue === 0;
  }

  onDidChangeAnswering(listener: () => void): Subscription {
    return this.#answeringChanges.on(listener);
  }

  /** Calls `listener` with the name of each secret that this or another window stored or deleted. */
  onDidChange(listener: (name: string) => void): Subscription {
    return this.#changes.on(listener);
  }

  /** The secrets. Calls wait until the storage answers. @throws SecretError `notRead`, `notWritten` */
  patient(): SecretStore {
    return this.#store(({ answer }) => answer);
  }

  /**
   * The same for those who can do something else meanwhile: a read ends once it is overdue. A later one gets the late answer.
   * @throws SecretError also `unanswered`
   */
  brief(): SecretStore {
    return this.#store(({ answer, overdue }) => Promise.race([answer, overdue.then(() => fail('unanswered'))]));
  }

  /** The names of all secrets; `undefined`: this VS Code cannot list them. @throws SecretError `notRead` */
  async names(): Promise<readonly string[] | undefined> {
    const storage = this.#storage;
    if (storage.keys === undefined) {
      return undefined;
    }
    return this.#begin(async () => storage.keys?.()).answer.catch((error: unknown) => {
      throw new SecretError('notRead', error);
    });
  }

  /**
   * Settles like `work`, or rejects as soon as a call is overdue: for readers, which show the failure and read again later.
   * @throws SecretError `unanswered`
   */
  async whileAnswering<Result>(work: () => Promise<Result>): Promise<Result> {
    let subscription: Subscription | undefined;
    const overdue = new Promise<never>((_, reject) => {
      const check = () => (this.isAnswering ? undefined : reject(new SecretError('unanswered')));
      subscription = this.onDidChangeAnswering(check);
      check();
    });
    try {
      return await Promise.race([work(), overdue]);
    } finally {
      subscription?.dispose();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
    this.#answeringChanges.dispose();
  }

  #store(answerOf: (read: Call<string | undefined>) => Promise<string | undefined>): SecretStore {
    const write = (name: string, call: () => PromiseLike<void>): Promise<void> => {
      this.#reads.delete(name);
      return this.#begin(call).answer.catch(() => fail('notWritten'));
    };
    return {
      get: (name) =>
        answerOf(this.#read(name)).catch((error: unknown) => {
          throw error instanceof SecretError ? error : new SecretError('notRead', error);
        }),
      store: (name, value) => write(name, () => this.#storage.store(name, value)),
      delete: (name) => write(name, () => this.#storage.delete(name)),
    };
  }

  #read(name: string): Call<string | undefined> {
    const begun = this.#reads.get(name);
    if (begun !== undefined) {
      return begun;
    }
    const read = this.#begin(() => this.#storage.get(name));
    this.#reads.set(name, read);
    const end = () => {
      if (this.#reads.get(name) === read) {
        this.#reads.delete(name);
      }
    };
    read.answer.then(end, end);
    return read;
  }

  #begin<Result>(call: () => PromiseLike<Result>): Call<Result> {
    let isOverdue = false;
    let timer: Subscription | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = this.#clock.after(ANSWER_WITHIN_MS, () => {
        isOverdue = true;
        this.#count(1);
        resolve();
      });
    });
    const answer = (async () => call())().finally(() => {
      timer?.dispose();
      if (isOverdue) {
        this.#count(-1);
      }
    });
    return { answer, overdue };
  }

  #count(change: 1 | -1): void {
    const before = this.isAnswering;
    this.#overdue += change;
    if (this.isAnswering !== before) {
      this.#answeringChanges.fire(undefined);
    }
  }
}

function fail(kind: SecretErrorKind): never {
  throw new SecretError(kind);
}
