import * as z from 'zod/mini';
import { keepScrollPosition } from './scrollPosition';

/** The API that VS Code gives to a webview's script, once. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** A panel's connection to the extension, and its state that survives being hidden. */
export interface Connection<ToHost, Saved> {
  /** The panel's subject: a pool's address or a position's key; empty if there is only one such panel. */
  readonly subject: string;
  /** The saved state; `undefined` if there is none or it is invalid. */
  readonly saved: Saved | undefined;
  post(message: ToHost): void;
  /** Replaces the saved state. */
  save(saved: Saved): void;
}

export interface PanelMessages<ToPanel, Saved> {
  readonly toPanel: z.ZodMiniType<ToPanel>;
  readonly saved: z.ZodMiniType<Saved>;
  /** Called with valid messages only; invalid ones are dropped. */
  readonly receive: (message: ToPanel) => void;
}

/** Saved for every panel, in addition to its own state. */
const place = z.object({ scrollTop: z.optional(z.number()) });

/** Connects the panel with the extension. Call once. The panel itself posts a message when it is ready for data. */
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
  keepScrollPosition(memory.scrollTop, (scrollTop) => remember({ scrollTop }));
  return {
    subject: document.body.dataset['subject'] ?? '',
    saved: remembered.success ? remembered.data : undefined,
    post: (message) => api.postMessage(message),
    save: (state) => remember({ state }),
  };
}
