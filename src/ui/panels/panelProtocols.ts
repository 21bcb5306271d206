import { overviewToHost } from '../../protocol/overview';
import { poolToHost } from '../../protocol/pool';
import { positionToHost } from '../../protocol/position';
import { overviewPresenter } from './overview/overviewPresenter';
import { poolPresenter } from './pool/poolPresenter';
import { positionPresenter } from './position/positionPresenter';
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

export const PANEL_HOSTS: Readonly<Record<PanelId, CreatePanelHost>> = {
  pool: panelHost({
    toHost: poolToHost,
    presenter: poolPresenter,
    titleIn: (message) => titled('pool', message.kind === 'pool' ? message.pool.data : undefined),
  }),
  overview: panelHost({ toHost: overviewToHost, presenter: overviewPresenter, titleIn: () => undefined }),
  position: panelHost({
    toHost: positionToHost,
    presenter: positionPresenter,
    titleIn: (message) => titled('position', message.kind === 'position' ? message.position.data : undefined),
  }),
};

function titled(id: 'pool' | 'position', subject: PanelSubject | undefined): string | undefined {
  return subject === undefined ? undefined : tabTitle(id, subject);
}
