import type { PanelId } from './panelHtml';
import type { PanelHost } from './panelSession';
import { tabTitle, type PanelSubject } from './panelTitle';
import type { PresenterDependencies, PresenterMaker } from './types';

/** What a panel and what stands behind it say to each other. */
interface Language<ToPanel, ToHost extends { readonly kind: string }> {
  /** Reads what the panel says. */
  readonly toHost: { safeParse(message: unknown): { readonly success: true; readonly data: ToHost } | { readonly success: false } };
  readonly presenter: PresenterMaker<ToPanel, ToHost>;
  /** What the panel's tab is called, where a message to the panel says so. */
  readonly titleIn: (message: ToPanel) => string | undefined;
}

/** What hears what a backing says. */
export interface PanelHostOutput {
  readonly post: (message: unknown) => void;
  /** The panel's tab is called this now. */
  readonly rename: (title: string) => void;
}

/** Makes what stands behind one panel. */
export type CreatePanelHost = (subject: string, dependencies: PresenterDependencies, output: PanelHostOutput) => PanelHost;

/** Puts the schema before a presenter: it hears only what is in its language. */
export function panelHost<ToPanel, ToHost extends { readonly kind: string }>({
  toHost,
  presenter,
  titleIn,
}: Language<ToPanel, ToHost>): CreatePanelHost {
  return (subject, dependencies, { post, rename }) => {
    const behind = presenter(subject, dependencies, (message) => {
      const title = titleIn(message);
      if (title !== undefined) {
        rename(title);
      }
      post(message);
    });
    return {
      read: (message) => {
        const parsed = toHost.safeParse(message);
        return parsed.success ? { isReady: parsed.data.kind === 'ready', pass: () => behind.receive(parsed.data) } : undefined;
      },
      setVisible: (isVisible) => behind.setVisible(isVisible),
      dispose: () => behind.dispose(),
    };
  };
}

/** What stands behind each panel; loaded with the first panel of its kind. */
export const LOAD_PANEL_HOST: Readonly<Record<PanelId, () => Promise<CreatePanelHost>>> = {
  pool: async () => {
    const [{ poolPresenter }, { poolToHost }] = await Promise.all([import('./pool/poolPresenter'), import('../../protocol/pool')]);
    return panelHost({
      toHost: poolToHost,
      presenter: poolPresenter,
      titleIn: (message) => titled('pool', message.kind === 'pool' ? message.pool.data : undefined),
    });
  },
  overview: async () => {
    const [{ overviewPresenter }, { overviewToHost }] = await Promise.all([
      import('./overview/overviewPresenter'),
      import('../../protocol/overview'),
    ]);
    return panelHost({ toHost: overviewToHost, presenter: overviewPresenter, titleIn: () => undefined });
  },
  position: async () => {
    const [{ positionPresenter }, { positionToHost }] = await Promise.all([
      import('./position/positionPresenter'),
      import('../../protocol/position'),
    ]);
    return panelHost({
      toHost: positionToHost,
      presenter: positionPresenter,
      titleIn: (message) => titled('position', message.kind === 'position' ? message.position.data : undefined),
    });
  },
};

function titled(id: 'pool' | 'position', subject: PanelSubject | undefined): string | undefined {
  return subject === undefined ? undefined : tabTitle(id, subject);
}
