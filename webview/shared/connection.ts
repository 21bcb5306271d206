import * as z from 'zod/mini';
import { keepScrollPlace } from './keepScrollPosition';

/** What VS Code gives to the script of a webview, once. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The way from a panel to the extension, and the memory that outlives its being hidden. */
export interface Connection<ToHost, Saved> {
  /** What the panel is about: an address, or the key of a position; empty where there is only one such panel. */
  readonly subject: string;
  /** What was remembered; `undefined`: nothing, or nothing that can be read. */
  readonly saved: Saved | undefined;
  post(message: ToHost): void;
  /** Remembers this in place of what was remembered before. */
  save(saved: Saved): void;
}

/** What a panel understands. */
export interface PanelMessages<ToPanel, Saved> {
  readonly toPanel: z.ZodMiniType<ToPanel>;
  readonly saved: z.ZodMiniType<Saved>;
  /** What is not understood is left out: it never gets here. */
  readonly receive: (message: ToPanel) => void;
}

/** What is remembered of every panel, beside what it saves itself. */
const place = z.object({ scrollTop: z.optional(z.number()) });

/** Connects the panel with the extension. To be called once; who is ready to be told says so by a message of its own. */
export function connect<ToPanel, ToHost, Saved extends object>({
  toPanel,
  saved,
  receive,
}: PanelMessages<ToPanel, Saved>): Connection<ToHost, Saved> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = toPanel.safeParse(data);
    if (message.success) {
      receive(message.data);
    }
  });
  const stored = api.getState();
  const remembered = saved.safeParse(stored);
  let memory: { readonly state: object; readonly scrollTop: number } = {
    state: remembered.success ? remembered.data : {},
    scrollTop: place.safeParse(stored).data?.scrollTop ?? 0,
  };
  const remember = (change: Partial<typeof memory>): void => {
    memory = { ...memory, ...change };
    api.setState({ ...memory.state, ...(memory.scrollTop > 0 ? { scrollTop: memory.scrollTop } : {}) });
  };
  keepScrollPlace(memory.scrollTop, (scrollTop) => remember({ scrollTop }));
  return {
    subject: document.body.dataset['subject'] ?? '',
    saved: remembered.success ? remembered.data : undefined,
    post: (message) => api.postMessage(message),
    save: (state) => remember({ state }),
  };
}
