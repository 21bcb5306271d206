import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { basename } from 'node:path';
import { type Clock, startTimer, type Subscription } from '../../../base/async/clock';
import {
  answered,
  type AcknowledgeRequest,
  type Answer,
  type ChosenFile,
  type ConfirmRequest,
  type FileRequest,
  type InputRequest,
  type Notice,
  type PickItem,
  type PickRequest,
  type Place,
  type ProgressRequest,
  type Prompts,
  type Reading,
  type SelectRequest,
} from './prompts';
import { showFullText } from './fullText';
import { ModalQuestions } from './modalQuestions';
import { progressIfSlow } from './slowProgress';

/** Implements {@link Prompts} with VS Code's quick inputs, modal dialogs and notifications. */
export class WindowPrompts implements Prompts {
  readonly #showOperation: (operation: string) => Promise<void>;
  readonly #modals: ModalQuestions;

  /**
   * @param showOperation opens the document of an operation, by its journal id
   * @param clock a steady one, for how soon a modal question was answered
   */
  constructor(showOperation: (operation: string) => Promise<void>, clock: Pick<Clock, 'now'>) {
    this.#showOperation = showOperation;
    this.#modals = new ModalQuestions(
      ({ severity, message, detail, actions }) => messageBy(severity)(message, { modal: true, detail: keptTogether(detail) }, ...actions),
      clock,
    );
  }

  async pick<Value>(request: PickRequest<Value>): Promise<Answer<Value>> {
    const picker = vscode.window.createQuickPick<EntryItem<Value>>();
    const entries = request.items.map(entryItem);
    picker.placeholder = request.placeholder;
    picker.matchOnDescription = request.matchDetails ?? false;
    picker.matchOnDetail = request.matchDetails ?? false;
    picker.items = withHeadings(entries);
    const current = entries.find((entry) => request.isCurrent?.(entry.entry.value) ?? false);
    if (current !== undefined) {
      picker.activeItems = [current];
    }
    const searching = request.search === undefined ? undefined : searchWhileTyping(picker, entries, request.search);
    try {
      return await ask(
        picker,
        request,
        () => {
          const [chosen] = picker.selectedItems;
          return chosen === undefined ? undefined : answered(chosen.entry.value);
        },
        request.cancelled,
      );
    } finally {
      searching?.dispose();
    }
  }

  async select<Value>(request: SelectRequest<Value>): Promise<Answer<readonly Value[]>> {
    const picker = vscode.window.createQuickPick<EntryItem<Value>>();
    picker.placeholder = request.placeholder;
    picker.canSelectMany = true;
    picker.items = request.items.map((item) => ({ ...entryItem(item), alwaysShow: true }));
    picker.selectedItems = picker.items;
    return ask(picker, request, () => answered(picker.selectedItems.map(({ entry }) => entry.value)), request.cancelled);
  }

  async input<Value>(request: InputRequest<Value>): Promise<Answer<Value>> {
    const box = vscode.window.createInputBox();
    box.prompt = request.prompt;
    box.placeholder = request.placeholder;
    box.value = request.initial ?? '';
    box.password = request.secret ?? false;
    const show = () => {
      const isUnchanged = request.problem !== undefined && box.value === request.initial;
      box.validationMessage = box.value === '' || isUnchanged ? problemOf(request.problem) : validationOf(request.read(box.value));
    };
    show();
    box.onDidChangeValue(show);
    return ask(
      box,
      request,
      () => {
        const reading = request.read(box.value);
        box.validationMessage = validationOf(reading);
        return reading.ok ? answered(reading.value) : undefined;
      },
      request.cancelled,
    );
  }

  async acknowledge(request: AcknowledgeRequest): Promise<Answer<true>> {
    const picker = vscode.window.createQuickPick();
    picker.placeholder = request.placeholder;
    picker.canSelectMany = true;
    picker.items = request.entries.map(({ label, detail }) => ({ ...onTwoLines(keptTogether(label), detail), alwaysShow: true }));
    const all = request.entries.length;
    const titleWith = (count: number) => l10n.t`${request.title} (${count} of ${all} selected)`;
    let selected: readonly vscode.QuickPickItem[] = [];
    picker.onDidChangeSelection((now) => {
      if (now.filter((item) => !selected.includes(item)).length > 1) {
        // The checkbox above the list selects all entries at once: that is not a decision about each of them.
        picker.selectedItems = selected;
        return;
      }
      selected = now;
      picker.title = titleWith(selected.length);
    });
    return ask(picker, { title: titleWith(0) }, () => (selected.length === all ? answered(true as const) : undefined), request.cancelled);
  }

  async confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined> {
    return this.#modals.ask(request);
  }

  async chooseFile(request: FileRequest): Promise<ChosenFile | undefined> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: request.title,
        openLabel: request.openLabel,
        filters: request.filters,
        canSelectMany: false,
      })) ?? [];
    return uri === undefined ? undefined : chosenFile(uri);
  }

  async notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined> {
    return showFullText(
      notice,
      (severity, message, { modal = false, detail = '' }, actions) =>
        modal ? this.#modals.ask({ severity, message, detail, actions }) : messageBy(severity)(message, {}, ...actions),
      this.#showOperation,
    );
  }

  async progress<Result>(
    request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (request.onlyIfSlow === true) {
      const { onlyIfSlow: _, ...shown } = request;
      return progressIfSlow(task, (slow) => this.progress(shown, slow));
    }
    const options = { location: vscode.ProgressLocation.Notification, title: request.title, cancellable: request.cancellable };
    return vscode.window.withProgress(options, async (progress, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        return await task((message) => progress.report({ message }), controller.signal);
      } finally {
        subscription.dispose();
      }
    });
  }
}

/** Wraps a file so that it is read only within a size limit. */
export function chosenFile(uri: vscode.Uri): ChosenFile {
  return {
    name: basename(uri.path),
    read: async (maxBytes) => {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > maxBytes) {
        throw new RangeError(`The file has ${size} bytes; at most ${maxBytes} are read`);
      }
      return vscode.workspace.fs.readFile(uri);
    },
  };
}

/** A quick pick item with its entry. */
interface EntryItem<Value> extends vscode.QuickPickItem {
  readonly entry: PickItem<Value>;
}

function entryItem<Value>(entry: PickItem<Value>): EntryItem<Value> {
  return {
    entry,
    label: entry.label,
    description: entry.description,
    detail: entry.detail,
    iconPath: entry.icon === undefined ? undefined : new vscode.ThemeIcon(entry.icon),
    ...(entry.alwaysShown === true ? { alwaysShow: true } : {}),
  };
}

/** Long enough that a word is not searched letter by letter. */
const TYPING_PAUSE_MS = 300;

/** Searches when the user pauses, and adds what is found. A new search ends the previous one. */
function searchWhileTyping<Value>(
  picker: vscode.QuickPick<EntryItem<Value>>,
  entries: readonly EntryItem<Value>[],
  search: NonNullable<PickRequest<Value>['search']>,
): vscode.Disposable {
  let running = new AbortController();
  let timer: Subscription | undefined;
  const begin = async (text: string, { signal }: AbortController): Promise<void> => {
    picker.busy = true;
    const { heading, items } = await search(text, signal);
    if (signal.aborted) {
      return;
    }
    picker.busy = false;
    const added = items.filter((item) => !entries.some(({ entry }) => entry.detail === item.detail));
    const separator = { label: heading, kind: vscode.QuickPickItemKind.Separator } as EntryItem<Value>;
    // The service has matched them, by more than their texts.
    picker.items = [...withHeadings(entries), separator, ...added.map((item) => ({ ...entryItem(item), alwaysShow: true }))];
  };
  const typed = picker.onDidChangeValue((text) => {
    running.abort();
    running = new AbortController();
    timer?.dispose();
    const wanted = text.trim();
    picker.busy = false;
    picker.items = withHeadings(entries);
    if (wanted !== '') {
      const search = running;
      timer = startTimer(TYPING_PAUSE_MS, () => void begin(wanted, search), undefined);
    }
  });
  return {
    dispose: () => {
      typed.dispose();
      timer?.dispose();
      running.abort();
    },
  };
}

/** A quick pick shows about 80 characters per line and does not wrap. */
const LABEL_CHARACTERS = 74;

/** Breaks a long text between words into the two lines of an entry; `detail` follows it. */
function onTwoLines(text: string, detail: string): { readonly label: string; readonly detail: string } {
  if (text.length <= LABEL_CHARACTERS) {
    return { label: text, detail };
  }
  const end = text.lastIndexOf(' ', LABEL_CHARACTERS);
  const label = end === -1 ? text : text.slice(0, end);
  return { label, detail: `${text.slice(label.length).trim()} · ${detail}` };
}

function withHeadings<Value>(entries: readonly EntryItem<Value>[]): EntryItem<Value>[] {
  return entries.flatMap((item) =>
    item.entry.heading === undefined
      ? [item]
      : [{ label: item.entry.heading, kind: vscode.QuickPickItemKind.Separator, entry: item.entry }, item],
  );
}

function problemOf(problem: string | undefined): vscode.InputBoxValidationMessage | undefined {
  return problem === undefined ? undefined : { message: problem, severity: vscode.InputBoxValidationSeverity.Error };
}

function validationOf(reading: Reading<unknown>): vscode.InputBoxValidationMessage | undefined {
  if (!reading.ok) {
    return problemOf(reading.message);
  }
  return reading.note === undefined ? undefined : { message: reading.note, severity: vscode.InputBoxValidationSeverity.Info };
}

/** The common part of VS Code's quick inputs. */
type QuickInput = (vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox) & { onDidAccept: vscode.Event<void> };

/**
 * Shows a quick input until the user accepts it, goes back or dismisses it, and disposes of it.
 * @param accepted returns the answer; `undefined`: the input is invalid and stays open
 */
function ask<Value>(
  input: QuickInput,
  request: { readonly title: string; readonly place?: Place },
  accepted: () => Answer<Value> | undefined,
  cancelled?: AbortSignal,
): Promise<Answer<Value>> {
  input.title = request.title;
  // Switching to a password manager, or a click elsewhere, must not discard the input.
  input.ignoreFocusOut = true;
  if (request.place !== undefined) {
    input.step = request.place.step;
    input.totalSteps = request.place.of;
    input.buttons = request.place.canGoBack ? [vscode.QuickInputButtons.Back] : [];
  }
  return new Promise((resolve) => {
    const settle = (answer: Answer<Value>) => {
      resolve(answer);
      cancelled?.removeEventListener('abort', cancel);
      input.dispose();
    };
    const cancel = () => settle({ kind: 'cancelled' });
    if (cancelled?.aborted === true) {
      cancel();
      return;
    }
    cancelled?.addEventListener('abort', cancel);
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) {
        settle({ kind: 'back' });
      }
    });
    input.onDidAccept(() => {
      const answer = accepted();
      if (answer !== undefined) {
        settle(answer);
      }
    });
    // Also fires after the two events above, when the promise is already settled.
    input.onDidHide(cancel);
    input.show();
  });
}

function messageBy(
  severity: 'info' | 'warning' | 'error',
): <Action extends string>(message: string, options: vscode.MessageOptions, ...actions: Action[]) => Thenable<Action | undefined> {
  switch (severity) {
    case 'info':
      return vscode.window.showInformationMessage;
    case 'warning':
      return vscode.window.showWarningMessage;
    case 'error':
      return vscode.window.showErrorMessage;
  }
}

/** Keeps a figure and its unit on one line, because dialogs and long entries wrap anywhere. */
function keptTogether(text: string): string {
  return text.replace(/(?<=\d) (?=%|SOL\b)/g, '\u00a0');
}
