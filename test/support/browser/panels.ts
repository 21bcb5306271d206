import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import type { PanelId } from '../../../src/ui/panels/panelHtml';
import { PATIENCE_MS } from '../patience';

/**
 * Waits for the panel of this kind that is in sight, and gives the frame in which it is.
 * @param subject the address of its pool or position. A panel that turns to another one can get a new frame.
 */
export async function panelFrame(page: Page, id: PanelId, subject?: string): Promise<Frame> {
  // Every webview is a frame within a frame; those of other tabs are there, too, but not seen.
  const body = page
    .locator('iframe.webview.ready:visible')
    .contentFrame()
    .locator('#active-frame')
    .contentFrame()
    .locator(`body[data-panel=${id}]${subject === undefined ? '' : `[data-subject="${subject}"]`}`);
  await body.waitFor({ timeout: PATIENCE_MS });
  const frame = await (await body.elementHandle({ timeout: PATIENCE_MS })).ownerFrame();
  assert.ok(frame !== null);
  return frame;
}

/** Presses Tab until this control has the focus, as somebody without a mouse gets to it. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor({ timeout: PATIENCE_MS });
  for (let presses = 0; presses < MOST_CONTROLS; presses++) {
    if (await control.evaluate((element: { matches(selectors: string): boolean }) => element.matches(':focus, :focus-within'))) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail(`${MOST_CONTROLS} times Tab do not lead to ${String(control)}`);
}

/** More than a panel has. */
const MOST_CONTROLS = 100;

/** The tab of the editor that is in sight. */
export function activeTab(page: Page): Locator {
  return page.locator('.tabs-container .tab.active');
}

/** Brings the editor with this title into sight. */
export async function chooseEditor(page: Page, title: string): Promise<void> {
  await page.locator('.tabs-container .tab', { hasText: title }).first().click();
  await page.locator('.tabs-container .tab.active', { hasText: title }).waitFor();
}

/** Closes all editors. */
export async function closeEditors(page: Page): Promise<void> {
  await page.keyboard.press('F1');
  const list = page.locator('.quick-input-widget');
  await list.locator('input[type=text]').fill('>View: Close All Editors');
  await list
    .locator('.monaco-list-row', { hasText: /^View: Close All Editors(?! in)/ })
    .first()
    .click();
  await page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}

/** Everything that a part of a panel says, with plain spaces. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.innerText()).replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[ \t]+/g, ' ');
}
