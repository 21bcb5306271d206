import type {
  AcknowledgeRequest,
  Answer,
  ChosenFile,
  ConfirmRequest,
  FileRequest,
  InputRequest,
  Notice,
  PickRequest,
  ProgressRequest,
  Prompts,
  SelectRequest,
} from '../../../src/ui/shell/prompts/prompts';
import { PATIENCE_MS } from '../patience';

/** What the user does with the next prompt. */
export type ScriptedAnswer =
  /** Chooses the entry whose label begins so, after this search if there is one. */
  | { readonly pick: string; readonly search?: string }
  /** Unticks the entries whose labels or details begin so, and accepts the others. */
  | { readonly untick: readonly string[] }
  /** Types this and presses Enter; where it is refused, the next answer is for the same prompt. */
  | { readonly type: string }
  /** Ticks everything. */
  | { readonly tickAll: true }
  /** Presses this button of a modal. `meanwhile` happens while it is open. */
  | { readonly press: string; readonly meanwhile?: () => void | Promise<void> }
  | { readonly choose: ChosenFile }
  | 'back'
  | 'escape';

/** A prompt that was shown. */
export interface Asked {
  readonly kind: 'pick' | 'select' | 'input' | 'acknowledge' | 'confirm' | 'chooseFile';
  readonly title: string;
  /** Labels of the entries or buttons; for an input, what it showed for what was typed. */
  readonly shown: readonly string[];
  /** All of what could be read in it. */
  readonly text: string;
}

type AnyNotice = Notice<string>;

/**
 * Answers for the user from a script, and keeps what was asked and told. A prompt that the script has no answer for, or one
 * of the wrong kind, is a failure of the test: {@link assertDone} throws it, even where the extension has caught it.
 */
export class ScriptedPrompts implements Prompts {
  readonly asked: Asked[] = [];
  readonly notices: AnyNotice[] = [];
  /** What progress notifications said, in order. */
  readonly progressed: string[] = [];
  /** What inputs said to texts that they refused. */
  readonly refused: string[] = [];
  readonly #answers: ScriptedAnswer[];
  readonly #presses: Map<string, string>;
  readonly #waiting = new Set<(notice: AnyNotice) => void>();
  #failure: Error | undefined;

  /** @param presses part of a notification, or of what a progress says → the button that is pressed on it; all others are dismissed. */
  constructor(answers: readonly ScriptedAnswer[] = [], presses: Readonly<Record<string, string>> = {}) {
    this.#answers = [...answers];
    this.#presses = new Map(Object.entries(presses));
  }

  /** @throws where the script did not fit what was asked, or was not used up. */
  assertDone(): void {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    if (this.#answers.length > 0) {
      throw new Error(`Never asked for: ${JSON.stringify(this.#answers)}. Asked: ${this.#transcript()}`);
    }
  }

  /** Gives the first notification that says this, also one that has come already. Rejects after `timeoutMs`. */
  noticed(pattern: RegExp): Promise<AnyNotice> {
    const already = this.notices.find(({ message }) => pattern.test(message));
    if (already !== undefined) {
      return Promise.resolve(already);
    }
    return new Promise((resolve, reject) => {
      const look = (notice: AnyNotice) => {
        if (pattern.test(notice.message)) {
          this.#waiting.delete(look);
          clearTimeout(timer);
          resolve(notice);
        }
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(
          new Error(
            `No notification like ${String(pattern)} within ${PATIENCE_MS / 1_000} s. Told: ${this.notices.map(({ message }) => message).join(' | ')}. Asked: ${this.#transcript()}`,
          ),
        );
      }, PATIENCE_MS);
      this.#waiting.add(look);
    });
  }

  async pick<Value>(request: PickRequest<Value>): Promise<Answer<Value>> {
    const lines = request.items.map(({ label, description, detail }) =>
      [label, description, detail].filter((part) => part !== undefined).join(' · '),
    );
    this.#note(
      'pick',
      request.title,
      request.items.map(({ label }) => label),
      [request.placeholder, ...lines].join('\n'),
    );
    const answer = this.#next();
    if (typeof answer === 'string') {
      return left(answer);
    }
    if (!('pick' in answer)) {
      return this.#misfit(answer);
    }
    const searched = answer.search === undefined ? undefined : await request.search?.(answer.search, new AbortController().signal);
    const found = [...(searched?.items ?? []), ...request.items].find(({ label }) => label.startsWith(answer.pick));
    return found === undefined ? this.#misfit(answer) : { kind: 'value', value: found.value };
  }

  select<Value>(request: SelectRequest<Value>): Promise<Answer<readonly Value[]>> {
    const lines = request.items.map(({ label, description, detail }) =>
      [label, description, detail].filter((part) => part !== undefined).join(' · '),
    );
    this.#note(
      'select',
      request.title,
      request.items.map(({ label }) => label),
      [request.placeholder, ...lines].join('\n'),
    );
    const answer = this.#next();
    if (typeof answer === 'string') {
      return Promise.resolve(left(answer));
    }
    if (!('untick' in answer) || !answer.untick.every((start) => request.items.some((item) => beginsSo(item, start)))) {
      return this.#misfit(answer);
    }
    const kept = request.items.filter((item) => !answer.untick.some((start) => beginsSo(item, start)));
    return Promise.resolve({ kind: 'value', value: kept.map(({ value }) => value) });
  }

  input<Value>(request: InputRequest<Value>): Promise<Answer<Value>> {
    this.#note('input', request.title, [], [request.problem, request.prompt].filter((part) => part !== undefined).join('\n'));
    for (;;) {
      const answer = this.#next();
      if (typeof answer === 'string') {
        return Promise.resolve(left(answer));
      }
      if (!('type' in answer)) {
        return this.#misfit(answer);
      }
      const reading = request.read(answer.type);
      if (reading.ok) {
        return Promise.resolve({ kind: 'value', value: reading.value });
      }
      this.refused.push(reading.message);
    }
  }

  acknowledge(request: AcknowledgeRequest): Promise<Answer<true>> {
    this.#note(
      'acknowledge',
      request.title,
      request.entries.map(({ label }) => label),
      request.entries.map(({ label, detail }) => `${label} · ${detail}`).join('\n'),
    );
    const answer = this.#next();
    if (typeof answer === 'string') {
      return Promise.resolve(left(answer));
    }
    return 'tickAll' in answer ? Promise.resolve({ kind: 'value', value: true }) : this.#misfit(answer);
  }

  async confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined> {
    this.#note('confirm', request.message, request.actions, request.detail);
    const answer = this.#next();
    if (typeof answer === 'string') {
      return undefined;
    }
    const action = 'press' in answer ? request.actions.find((one) => one === answer.press) : undefined;
    if ('press' in answer) {
      await answer.meanwhile?.();
    }
    return action ?? this.#misfit(answer);
  }

  chooseFile(request: FileRequest): Promise<ChosenFile | undefined> {
    this.#note('chooseFile', request.title, Object.keys(request.filters), request.openLabel);
    const answer = this.#next();
    if (typeof answer === 'string') {
      return Promise.resolve(undefined);
    }
    return 'choose' in answer ? Promise.resolve(answer.choose) : this.#misfit(answer);
  }

  notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined> {
    this.notices.push(notice);
    for (const look of [...this.#waiting]) {
      look(notice);
    }
    const button = this.#pressOn(notice.message);
    return Promise.resolve(notice.actions?.find((action) => action === button));
  }

  progress<Result>(
    { cancellable }: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const cancel = new AbortController();
    const report = (message: string): void => {
      this.progressed.push(message);
      if (cancellable && this.#pressOn(message) === 'Cancel') {
        cancel.abort();
      }
    };
    return task(report, cancel.signal);
  }

  /** The button that is to be pressed on what says this, once. */
  #pressOn(message: string): string | undefined {
    const [part, button] = [...this.#presses].find(([text]) => message.includes(text)) ?? [];
    if (part !== undefined) {
      this.#presses.delete(part);
    }
    return button;
  }

  #note(kind: Asked['kind'], title: string, shown: readonly string[], text: string): void {
    this.asked.push({ kind, title, shown, text });
  }

  #next(): ScriptedAnswer {
    return this.#answers.shift() ?? this.#fail(`No answer is left for: ${this.#transcript()}`);
  }

  #misfit(answer: ScriptedAnswer): never {
    return this.#fail(`${JSON.stringify(answer)} does not fit: ${this.#transcript()}`);
  }

  #fail(message: string): never {
    this.#failure ??= new Error(message);
    throw this.#failure;
  }

  #transcript(): string {
    return this.asked.map(({ kind, title, shown }) => `${kind} "${title}" [${shown.join(', ')}]`).join(' → ');
  }
}

function left(how: 'back' | 'escape'): { readonly kind: 'back' } | { readonly kind: 'cancelled' } {
  return how === 'back' ? { kind: 'back' } : { kind: 'cancelled' };
}

function beginsSo({ label, detail = '' }: { readonly label: string; readonly detail?: string }, start: string): boolean {
  return label.startsWith(start) || detail.startsWith(start);
}
