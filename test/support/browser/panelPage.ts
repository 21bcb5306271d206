import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Browser, Frame, Page, Route } from 'playwright-core';
import { panelHtml, type PanelId } from '../../../src/ui/panels/panelHtml';
import { standIn, type Theme } from './inPage.mjs';
import { notePageCoverage } from './pageCoverage';
import { NOW_MS } from './samples/common';

/** No such host: nothing but what is answered here can be loaded. */
const ORIGIN = 'http://panel.test';
const NONCE = 'only-here';
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** A panel's page as it is loaded. */
export interface PanelPageOptions {
  readonly id: PanelId;
  readonly theme: Theme;
  /** VS Code's own style sheet for webviews. */
  readonly styles: string;
  readonly size: { readonly width: number; readonly height: number };
  /** What the extension says once the panel is ready. */
  readonly messages: readonly unknown[];
  readonly subject?: string;
  readonly saved?: unknown;
  /** Its clock stands still at the moment of the samples; else it goes. */
  readonly hasFixedTime?: boolean;
  readonly prefersReducedMotion?: boolean;
  /** Translations by the English text; English without them. */
  readonly translations?: Readonly<Record<string, unknown>>;
  /** BCP 47 tag of the translations; without one they are made up. */
  readonly language?: string;
}

/** A panel in a plain page, with a stand-in for VS Code and the extension. */
export interface PanelPage {
  readonly page: Page;
  /** The extension says something. */
  send(message: unknown): Promise<void>;
  /** What the panel said so far. */
  posted(): Promise<readonly { readonly kind: string }[]>;
  /** What the page's policy kept out. */
  violations(): Promise<readonly string[]>;
  /** What the panel remembers. */
  saved(): Promise<unknown>;
  /** Errors that nothing caught. */
  readonly errors: readonly string[];
}

/**
 * Pages of a browser that were closed. Opened again, a page has its process, and the script of the panel compiled: to make these is most of the work of opening a new one.
 */
const closedPages = new WeakMap<Browser, Page[]>();

/** A page whose clock stands still. To close it leaves it to the next one who takes a page. */
async function takePage(browser: Browser): Promise<Page> {
  const pages = closedPages.get(browser) ?? [];
  closedPages.set(browser, pages);
  const known = pages.pop();
  if (known !== undefined) {
    return known;
  }
  const page = await browser.newPage();
  await page.clock.setFixedTime(NOW_MS);
  page.close = async () => {
    page.removeAllListeners('pageerror');
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    // To another site, it would go with another process.
    await page.route(`${ORIGIN}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(`${ORIGIN}/closed`);
    pages.push(page);
  };
  return page;
}

/** A page that is really closed when it is closed, which notes the coverage of its scripts before. */
async function newPage(browser: Browser, hasFixedTime: boolean): Promise<Page> {
  const page = await browser.newPage();
  const writeCoverage = await notePageCoverage(page, (url) =>
    url.startsWith(`${ORIGIN}/`) && url.endsWith('.js') ? fileOf(new URL(url).pathname) : undefined,
  );
  const close = page.close.bind(page);
  page.close = async (closing) => {
    await writeCoverage();
    await close(closing);
  };
  if (hasFixedTime) {
    await page.clock.setFixedTime(NOW_MS);
  }
  return page;
}

/** Where the panels to test are: `BINSIGHT_WEBVIEW`, else where the build puts them. */
function webviewFolder(): string {
  return resolve(process.env['BINSIGHT_WEBVIEW'] ?? join('dist', 'webview'));
}

function fileOf(pathname: string): string {
  return join(webviewFolder(), ...pathname.split('/'));
}

/** Loads a panel as VS Code does, its policy included, without VS Code: for looks and for measuring. */
export async function openPanelPage(browser: Browser, options: PanelPageOptions): Promise<PanelPage> {
  const {
    id,
    theme,
    styles,
    size,
    messages,
    subject = '',
    saved,
    hasFixedTime = true,
    prefersReducedMotion = false,
    translations,
    language = translations === undefined ? 'en' : 'qps-ploc',
  } = options;
  const isCounted = process.env['NODE_V8_COVERAGE'] !== undefined;
  const page = await (hasFixedTime && !isCounted ? takePage(browser) : newPage(browser, hasFixedTime));
  await page.setViewportSize(size);
  await page.emulateMedia({ reducedMotion: prefersReducedMotion ? 'reduce' : 'no-preference' });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const html = panelHtml({
    id,
    title: 'Binsight',
    subject,
    nonce: NONCE,
    cspSource: ORIGIN,
    script: `${ORIGIN}/${id}.js`,
    style: `${ORIGIN}/${id}.css`,
    language,
    messages: translations,
  });
  // Before every other script. (An init script of the page would stay with it.)
  const first = `<script nonce="${NONCE}">(${standIn.toString()})(${inScript({ messages, saved, theme, styles })})</script>`;
  await page.route(`${ORIGIN}/**`, (route) =>
    answer(
      route,
      html.replace('<head>', () => `<head>${first}`),
    ),
  );
  await page.goto(`${ORIGIN}/panel`);
  // What stands there before the script has drawn is a picture of what comes.
  await page.locator('#root > main:not([aria-busy])').waitFor();
  const panel = <Value>(name: string): Promise<Value> => page.evaluate<Value>(`window.standIn.${name}`);
  return {
    page,
    errors,
    send: (message) => page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`),
    posted: () => panel('posted'),
    violations: () => panel('violations'),
    saved: () => panel('saved'),
  };
}

/** A value as a script within a page has it. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

async function answer(route: Route, html: string): Promise<void> {
  const { pathname } = new URL(route.request().url());
  if (pathname === '/panel') {
    return route.fulfill({ contentType: 'text/html', body: html });
  }
  const file = fileOf(pathname);
  const body = await readFile(file).catch(() => undefined);
  return body === undefined
    ? route.fulfill({ status: 404 })
    : route.fulfill({ contentType: TYPES[basename(file).split('.').at(-1) ?? ''] ?? 'application/octet-stream', body });
}

/** Puts axe into a page, past its policy. */
export async function bringAxe(page: Page | Frame): Promise<void> {
  await page.evaluate(await readFile(resolve('node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
}
