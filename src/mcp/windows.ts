import type { ToolAnswer } from '../assistants/runTool';
import { findSessions, type WantedWindow } from './sessions';
import { LinkError, WindowLink } from './windowLink';

const NO_WINDOW =
  'Binsight is not available. Open VS Code with Binsight, and turn on the setting binsight.assistants.enabled. Windows in Restricted Mode offer no tools.';

/** Passes calls to the window of Binsight that is meant: the one that had the focus last, unless another one is named. */
export class Windows {
  readonly #folder: string;
  readonly #wanted: WantedWindow;
  #link: WindowLink | undefined;

  constructor(folder: string, wanted: WantedWindow) {
    this.#folder = folder;
    this.#wanted = wanted;
  }

  /** Runs a tool. @throws LinkError if there is no window or it does not answer */
  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    return (await this.#open()).call(tool, input, signal);
  }

  close(): void {
    this.#link?.close();
  }

  async #open(): Promise<WindowLink> {
    for (const session of await findSessions(this.#folder, this.#wanted)) {
      if (this.#link?.isOpen === true && this.#link.secret === session.secret) {
        return this.#link;
      }
      const link = await WindowLink.open(session).catch(() => undefined);
      if (link !== undefined) {
        this.#link?.close();
        this.#link = link;
        return link;
      }
    }
    throw new LinkError(NO_WINDOW);
  }
}
