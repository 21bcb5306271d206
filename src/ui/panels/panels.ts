import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortAddress } from '../../base/format/identifiers';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { PoolToPanel } from '../../protocol/pool';
import { EarningsReader } from '../../transactions/earnings/earnings';
import type { OperationJournal } from '../../transactions/journal/types';
import { RELOAD_WINDOW } from '../shell/errors';
import type { Installation } from '../shell/installation';
import { describeError } from '../shell/log';
import { PANEL } from '../shell/names';
import { plainText } from '../shell/views/text';
import { panelHtml, type PanelId, replacedHtml } from './panelHtml';
import { PANEL_HOSTS, type PanelSubject, subjectOf, tabTitle } from './panelProtocols';
import { PoolInfos } from './poolInfos';
import { PanelSession, READY_WITHIN_MS } from './panelSession';
import { type PanelParts, presenterDependencies } from './presenter';

export interface PanelRegistryDependencies extends Omit<PanelParts, 'earnings' | 'journal' | 'poolInfos'> {
  readonly records: { readonly journal: () => Promise<Pick<OperationJournal, 'read'>> };
  /** Folder of the extension. */
  readonly extensionUri: vscode.Uri;
  readonly installation: Pick<Installation, 'isReplaced' | 'isIntact' | 'onDidChange'>;
  /** Called with the pool in the active panel; `undefined`: no panel of a pool is active. */
  readonly activePoolChanged: (pool: string | undefined) => void;
}

export interface OpenPanel {
  readonly id: PanelId;
  readonly subject: string;
  readonly panel: vscode.WebviewPanel;
  readonly session: PanelSession;
}

const WEBVIEW_FOLDER = 'dist/webview';
/** Length of a nonce, bytes. */
const NONCE_BYTES = 18;

/** The open panels: one per subject, each with its own session. VS Code restores them after a reload of the window. */
export class PanelRegistry implements vscode.Disposable {
  readonly #open = new Map<string, OpenPanel>();
  readonly #folder: vscode.Uri;
  readonly #subscription: vscode.Disposable;

  readonly #dependencies: PanelRegistryDependencies & Pick<PanelParts, 'earnings' | 'journal' | 'poolInfos'>;

  constructor(dependencies: PanelRegistryDependencies) {
    const { records, rpc, clock } = dependencies;
    const { journal } = records;
    this.#dependencies = { ...dependencies, journal, earnings: new EarningsReader({ journal, rpc }), poolInfos: new PoolInfos(clock) };

    this.#folder = vscode.Uri.joinPath(dependencies.extensionUri, WEBVIEW_FOLDER);
    this.#subscription = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(({ focused }) => this.all.forEach(({ session }) => session.setFocused(focused))),
      dependencies.installation.onDidChange(() => this.all.forEach((open) => showReplaced(open))),
    );
  }

  /** The open panels in the order of opening. */
  get all(): readonly OpenPanel[] {
    return [...this.#open.values()];
  }

  /** Shows a pool. @param start message sent to the panel as soon as it is ready */
  openPool(pool: Address, start?: Extract<PoolToPanel, { kind: 'startPlan' }>): void {
    const { session } = this.#show('pool', pool);
    if (start !== undefined) {
      session.tell(start);
    }
  }

  /** Shows an open position. @param key the position's key */
  openPosition(key: string): void {
    this.#show('position', key);
  }

  openOverview(): void {
    this.#show('overview', '');
  }

  /** Restores a panel after a reload of the window. A panel with invalid state, or one that is already open, is closed. */
  revive(id: PanelId, panel: vscode.WebviewPanel, state: unknown): void {
    const subject = subjectOf(id, state);
    if (subject === undefined) {
      closeWhenRestored(panel);
      this.#dependencies.log('warn', `A ${id} panel was not restored: its state is invalid`);
      void this.#dependencies.prompts.notify({ severity: 'info', message: l10n.t('A panel could not be restored. Open it again.') });
      return;
    }
    const already = this.#open.get(keyOf(id, subject));
    if (already !== undefined) {
      closeWhenRestored(panel);
      already.panel.reveal();
      return;
    }
    this.#take(id, subject, panel);
  }

  /** Ends the sessions. VS Code owns the panels: it closes them or keeps them for the next start. */
  dispose(): void {
    this.#subscription.dispose();
    for (const { session } of this.#open.values()) {
      session.dispose();
    }
    this.#open.clear();
  }

  #show(id: PanelId, subject: string): OpenPanel {
    const already = this.#open.get(keyOf(id, subject));
    if (already !== undefined) {
      already.panel.reveal();
      return already;
    }
    const { tab } = titlesOf(id, subject, this.#dependencies.portfolio);
    return this.#take(id, subject, vscode.window.createWebviewPanel(PANEL[id], tab, vscode.ViewColumn.Active, { enableFindWidget: true }));
  }

  #take(id: PanelId, subject: string, panel: vscode.WebviewPanel): OpenPanel {
    const { extensionUri, installation, prompts, clock, log } = this.#dependencies;
    const key = keyOf(id, subject);
    const { tab, heading } = titlesOf(id, subject, this.#dependencies.portfolio, panel.title);
    panel.title = tab;
    const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `panel-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    this.#fill(id, subject, heading, panel.webview);
    const session = new PanelSession(
      {
        name: id,
        load: (post) =>
          new Promise((resolve) =>
            resolve(
              PANEL_HOSTS[id](subject, presenterDependencies(this.#dependencies), { post, rename: (title) => void (panel.title = title) }),
            ),
          ),
        deliver: (message) => {
          panel.webview
            .postMessage(message)
            .then(undefined, (error: unknown) => log('warn', `A message to the ${id} panel failed: ${describeError(error)}`));
        },
        log,
        clock,
        late: () => void this.#isLate(id),
        failed: (error) => {
          log('error', `The ${id} panel could not be set up: ${describeError(error)}`);
          panel.dispose();
          void prompts.notify({ severity: 'error', message: l10n.t('The panel failed to load. Reload the window or see the log.') });
        },
      },
      panel.visible,
    );
    const opened: OpenPanel = { id, subject, panel, session };
    this.#open.set(key, opened);
    if (installation.isReplaced) {
      showReplaced(opened);
    } else {
      void installation.isIntact(...[`${id}.js`, `${id}.css`].map((name) => `${WEBVIEW_FOLDER}/${name}`));
    }
    const subscriptions = vscode.Disposable.from(
      panel.webview.onDidReceiveMessage((message: unknown) => session.receive(message)),
      panel.onDidChangeViewState(() => {
        session.setVisible(panel.visible);
        this.#tellActivePool();
      }),
    );
    this.#tellActivePool();
    panel.onDidDispose(() => {
      subscriptions.dispose();
      session.dispose();
      if (this.#open.get(key) === opened) {
        this.#open.delete(key);
        this.#tellActivePool();
      }
    });
    return opened;
  }

  /** The page did not say that it is ready: its script is missing, or it only takes long. */
  async #isLate(id: PanelId): Promise<void> {
    const { installation, prompts, log } = this.#dependencies;
    log('warn', `The ${id} panel has not loaded within ${READY_WITHIN_MS / 1_000} s`);
    if (await installation.isIntact()) {
      await prompts.notify({ severity: 'warning', message: l10n.t('A panel has not loaded yet. If it stays empty, open it again.') });
    }
  }

  #tellActivePool(): void {
    this.#dependencies.activePoolChanged(this.all.find(({ id, panel }) => id === 'pool' && panel.active)?.subject);
  }

  /** Sets the page; its skeleton shows without loading anything else. */
  #fill(id: PanelId, subject: string, title: string, webview: vscode.Webview): void {
    webview.options = { enableScripts: true, enableForms: false, enableCommandUris: false, localResourceRoots: [this.#folder] };
    const reached = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.#folder, name)).toString();
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    webview.html = panelHtml({
      id,
      title,
      subject,
      nonce,
      cspSource: webview.cspSource,
      script: reached(`${id}.js`),
      style: reached(`${id}.css`),
      language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
      messages: vscode.l10n.bundle,
    });
  }
}

/** Shows that the window has to be reloaded, in place of what the panel can no longer load or do. VS Code restores it after that. */
function showReplaced({ panel: { webview }, session }: OpenPanel): void {
  session.dispose();
  webview.options = { enableScripts: false, enableForms: false, enableCommandUris: [RELOAD_WINDOW], localResourceRoots: [] };
  webview.html = replacedHtml(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language);
}

/** Closes a panel after VS Code has finished restoring it. */
function closeWhenRestored(panel: vscode.WebviewPanel): void {
  setImmediate(() => {
    panel.dispose();
  });
}

function keyOf(id: PanelId, subject: string): string {
  return `${id} ${subject}`;
}

/** Titles of the tab and of the skeleton, as far as the lists know the subject. @param before the tab's last title */
function titlesOf(
  id: PanelId,
  subject: string,
  { snapshot }: PortfolioReader,
  before?: string,
): { readonly tab: string; readonly heading: string } {
  const both = (title: string) => ({ tab: title, heading: title });
  if (id === 'overview') {
    return both(l10n.t('Overview'));
  }
  const listed: PanelSubject | undefined =
    id === 'pool'
      ? (snapshot.pools.find(({ address }) => address === subject) ?? snapshot.positions.find(({ pool }) => pool === subject))
      : snapshot.positions.find(({ key }) => key === subject);
  return listed === undefined
    ? both(before ?? (id === 'pool' ? shortAddress(subject) : l10n.t('Position')))
    : { tab: tabTitle(id, listed), heading: plainText(listed.pairName) };
}
