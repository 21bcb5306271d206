import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** A program that shows a notification, with its arguments. The texts are arguments or variables of their own: no shell reads them. */
export interface NotifierCall {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

export interface SystemNotifierOptions {
  readonly platform: NodeJS.Platform;
  /** The machine that the extension runs on is the one that the user sits at. */
  readonly isLocal: boolean;
  /** The environment of VS Code. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (level: 'debug' | 'info', message: string) => void;
  /** Where programs are looked for on Linux, instead of {@link FOLDERS}. */
  readonly folders?: readonly string[];
}

const TIMEOUT_MS = 10_000;
/** Not the PATH, which may name folders that others can write to. The last one is NixOS's. */
const FOLDERS: readonly string[] = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];
const LONGEST_TITLE = 60;
const LONGEST_TEXT = 400;

const APPLE_SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

/** It has no double quotes, which Windows' command lines treat specially. Toasts need the id of a registered program: PowerShell's own. */
const POWERSHELL_SCRIPT = [
  "$ErrorActionPreference = 'Stop'",
  '[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '$x = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)',
  "$t = $x.GetElementsByTagName('text')",
  '[void]$t.Item(0).AppendChild($x.CreateTextNode($env:BINSIGHT_NOTICE_TITLE))',
  '[void]$t.Item(1).AppendChild($x.CreateTextNode($env:BINSIGHT_NOTICE_TEXT))',
  "$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
  '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($id).Show([Windows.UI.Notifications.ToastNotification]::new($x))',
].join('; ');

/** Shows notifications of the operating system. Where the program for that is missing, nothing is shown. */
export class SystemNotifier {
  readonly #options: SystemNotifierOptions;

  constructor(options: SystemNotifierOptions) {
    this.#options = options;
  }

  /** Whether this machine can show any, as far as is known without trying. */
  get isAvailable(): boolean {
    return this.#options.isLocal && notifierCall('', '', this.#options) !== undefined;
  }

  /**
   * Shows a notification. Never rejects.
   * @returns false if there is no program for it, or it failed
   */
  async show(title: string, text: string): Promise<boolean> {
    const { isLocal, log, environment } = this.#options;
    const call = isLocal ? notifierCall(title, text, this.#options) : undefined;
    if (call === undefined) {
      return false;
    }
    return new Promise((resolve) => {
      const child = execFile(
        call.program,
        call.arguments,
        { timeout: TIMEOUT_MS, windowsHide: true, shell: false, env: { ...environment, ...call.variables } },
        (error) => {
          if (error !== null) {
            log('info', `The notification was not shown: ${error.message.split('\n', 1)[0] ?? ''}`);
          }
          resolve(error === null);
        },
      );
      child.stdin?.end();
    });
  }
}

/** How the notification is shown; `undefined`: it cannot be. */
export function notifierCall(
  title: string,
  text: string,
  { platform, environment, folders = FOLDERS }: Pick<SystemNotifierOptions, 'platform' | 'environment' | 'folders'>,
): NotifierCall | undefined {
  const [shownTitle, shownText] = [plain(title, LONGEST_TITLE), plain(text, LONGEST_TEXT)];
  switch (platform) {
    case 'linux': {
      const program = folders.map((folder) => join(folder, 'notify-send')).find(isProgram);
      return program === undefined
        ? undefined
        : { program, arguments: ['--app-name=Binsight', '--', shownTitle, shownText], variables: {} };
    }
    case 'darwin':
      return {
        program: '/usr/bin/osascript',
        arguments: [...APPLE_SCRIPT.flatMap((line) => ['-e', line]), shownTitle, shownText],
        variables: {},
      };
    case 'win32': {
      const root = environment['SystemRoot'] ?? 'C:\\Windows';
      return {
        program: `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
        arguments: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', POWERSHELL_SCRIPT],
        variables: { BINSIGHT_NOTICE_TITLE: shownTitle, BINSIGHT_NOTICE_TEXT: shownText },
      };
    }
    default:
      return undefined;
  }
}

/** One line, without what some servers of Linux read as markup, and not like an option. */
function plain(text: string, longest: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[<>&]/g, '·')
    .replace(/^[-\s]+/, '');
  return Array.from(line).slice(0, longest).join('');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
