import * as l10n from '@vscode/l10n';
import { parseAddress } from '../../base/solana/address';
import { overviewToHost } from '../../protocol/overview';
import { poolSaved, poolToHost } from '../../protocol/pool';
import { positionSaved, positionToHost } from '../../protocol/position';
import { POOL_TYPE_NAMES } from '../positions/positionRows';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import { overviewPresenter } from './overview/overviewPresenter';
import type { PanelId } from './panelHtml';
import type { PanelHost } from './panelSession';
import { poolPresenter } from './poolPresenter';
import { positionPresenter } from './positionPresenter';
import type { PresenterDependencies, PresenterMaker } from './presenter';

/** What determines a panel's title. Names come from the network. */
export interface PanelSubject {
  readonly pairName: string;
  readonly poolType: keyof typeof POOL_TYPE_NAMES;
  readonly binStepBps?: number | undefined;
}

/** The title of a panel's tab: "BONK/SOL · 20 bps", "BONK/SOL · DAMM v2", "BONK/SOL position". Pools of one pair differ by bin step or type. */
export function tabTitle(id: 'pool' | 'position', { pairName, poolType, binStepBps }: PanelSubject): string {
  const name = plainText(pairName);
  if (id === 'position') {
    return l10n.t`${name} position`;
  }
  return joined([
    name,
    binStepBps === undefined ? (poolType === 'dammV2' ? POOL_TYPE_NAMES.dammV2 : undefined) : l10n.t`${binStepBps} bps`,
  ]);
}

/**
 * Parses the subject of a restored panel from the state that VS Code kept for its page; `undefined` if it is invalid. The state is parsed strictly:
 * it is stored outside the extension.
 */
export function subjectOf(id: PanelId, state: unknown): string | undefined {
  switch (id) {
    case 'pool': {
      const saved = poolSaved.safeParse(state);
      return saved.success ? parseAddress(saved.data.pool) : undefined;
    }
    case 'position': {
      const saved = positionSaved.safeParse(state);
      return saved.success && saved.data.key !== '' ? saved.data.key : undefined;
    }
    case 'overview':
      // There is only one overview; its page reads the state itself.
      return '';
  }
}

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
