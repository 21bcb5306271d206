import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { basename } from 'node:path';
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
import { showFullText } from './wholeText';

/** Asks and tells through VS Code's own quick inputs, modals and notifications. */
export class WindowPrompts implements Prompts {
  /** @param showOperation opens the document of an operation of the journal */
  constructor(private readonly showOperation: (operation: string) => Promise<void>) {}

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
    return ask(
      picker,
      request,
      () => {
        const [chosen] = picker.selectedItems;
        return chosen === undefined ? undefined : answered(chosen.entry.value);
      },
      request.cancelled,
    );
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
      box.validationMessage = box.value === '' ? problemOf(request.problem) : validationOf(request.read(box.value));
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
    const titleWith = (count: number) => l10n.t`${request.title} (${count} of ${all} ticked)`;
    let ticked: readonly vscode.QuickPickItem[] = [];
    picker.onDidChangeSelection((now) => {
      if (now.filter((item) => !ticked.includes(item)).length > 1) {
        // The box above the list ticks all of them with one click: that is no decision about each.
        picker.selectedItems = ticked;
        return;
      }
      ticked = now;
      picker.title = titleWith(ticked.length);
    });
    return ask(picker, { title: titleWith(0) }, () => (ticked.length === all ? answered(true as const) : undefined), request.cancelled);
  }

  async confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined> {
    return messageBy(request.severity)(request.message, { modal: true, detail: keptTogether(request.detail) }, ...request.actions);
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
      (severity, message, options, actions) => messageBy(severity)(message, options, ...actions),
      this.showOperation,
    );
  }

  async progress<Result>(
    request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
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

/** Gives a file that VS Code can reach, to be read within a limit. */
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

/** An entry of a picker, with what it stands for. */
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
  };
}

/** An entry of a list shows some eighty characters on a line, and does not wrap. */
const LABEL_CHARACTERS = 74;

/** Gives a long text as the two lines that an entry has, broken between words; `detail` follows it. */
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

/** The quick inputs of VS Code, as far as they are the same. */
type QuickInput = (vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox) & { onDidAccept: vscode.Event<void> };

/**
 * Shows a quick input until it is accepted, left or dismissed, and disposes of it. `accepted` gives the answer, or
 * `undefined` where what was entered cannot be accepted: the input then stays open.
 */
function ask<Value>(
  input: QuickInput,
  request: { readonly title: string; readonly place?: Place },
  accepted: () => Answer<Value> | undefined,
  cancelled?: AbortSignal,
): Promise<Answer<Value>> {
  input.title = request.title;
  // A click elsewhere must not throw away what was entered so far, or a key being fetched from a password manager.
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
    // Comes after the two above as well; the promise is settled by then.
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

/** Dialogs break their lines where they like, and long entries are broken in two: not between a figure and its unit. */
function keptTogether(text: string): string {
  return text.replace(/(?<=\d) (?=%|SOL\b)/g, '\u00a0');
}
