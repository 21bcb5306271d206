import type { PanelId } from './panelHtml';
import type { PanelHost } from './panelSession';
import { tabTitle, type PanelSubject } from './panelTitle';
import type { PresenterDependencies, PresenterMaker } from './types';

/** The messages of a panel and the presenter that handles them. */
interface PanelProtocol<ToPanel, ToHost extends { readonly kind: string }> {
  /** Schema of the panel's messages. */
  readonly toHost: { safeParse(message: unknown): { readonly success: true; readonly data: ToHost } | { readonly success: false } };
  readonly presenter: PresenterMaker<ToPanel, ToHost>;
  /** The title of the panel's tab, if a message to the panel determines it. */
  readonly titleIn: (message: ToPanel) => string | undefined;
}

export interface PanelHostOutput {
  readonly post: (message: unknown) => void;
  /** Renames the panel's tab. */
  readonly rename: (title: string) => void;
}

export type CreatePanelHost = (subject: string, dependencies: PresenterDependencies, output: PanelHostOutput) => PanelHost;

/** Wraps a presenter so that it receives valid messages only. */
export function panelHost<ToPanel, ToHost extends { readonly kind: string }>({
  toHost,
  presenter,
  titleIn,
}: PanelProtocol<ToPanel, ToHost>): CreatePanelHost {
  return (subject, dependencies, { post, rename }) => {
    const instance = presenter(subject, dependencies, (message) => {
      const title = titleIn(message);
      if (title !== undefined) {
        rename(title);
      }
      post(message);
    });
    return {
      read: (message) => {
        const parsed = toHost.safeParse(message);
        return parsed.success ? { isReady: parsed.data.kind === 'ready', pass: () => instance.receive(parsed.data) } : undefined;
      },
      setVisible: (isVisible) => instance.setVisible(isVisible),
      dispose: () => instance.dispose(),
    };
  };
}

/** Hosts of the panels; each is loaded with the first panel of its kind. */
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
