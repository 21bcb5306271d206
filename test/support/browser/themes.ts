import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { stylesOfPage, themeOfPage, type Theme } from './inPage.mjs';

/** The themes in which panels are looked at: as they are called, and the class that the workbench has with them. */
const THEMES = {
  dark: { title: 'Dark Modern', workbench: 'vs-dark', webview: 'vscode-dark' },
  light: { title: 'Light Modern', workbench: 'vs', webview: 'vscode-light' },
  hcDark: { title: 'Dark High Contrast', workbench: 'hc-black', webview: 'vscode-high-contrast' },
  hcLight: { title: 'Light High Contrast', workbench: 'hc-light', webview: 'vscode-high-contrast-light' },
} as const;
/** One of them. */
export type ThemeId = keyof typeof THEMES;
/** All of them. */
export const THEME_IDS = Object.keys(THEMES) as readonly ThemeId[];

/** Chooses a color theme as a user does, and waits until the window has it. */
export async function chooseTheme(page: Page, id: ThemeId): Promise<void> {
  const { title, workbench } = THEMES[id];
  const list = page.locator('.quick-input-widget');
  await page.keyboard.press('F1');
  await list.locator('input[type=text]').fill('>Preferences: Color Theme');
  await list.locator('.monaco-list-row', { hasText: /^Preferences: Color Theme/ }).click();
  await list.locator('input[placeholder^="Select Color Theme"]').fill(title);
  await list.locator('.monaco-list-row.focused', { hasText: title }).waitFor();
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
  await page.locator(`.monaco-workbench.${workbench}`).waitFor();
}

/** Waits until a webview has a theme, too, and gives what it was given. */
export async function themeOf(frame: Frame, id: ThemeId): Promise<Theme> {
  await frame.locator(`body.${THEMES[id].webview}`).waitFor();
  const theme = await frame.evaluate(themeOfPage);
  assert.ok(Object.keys(theme.variables).length > 300, 'variables of the theme');
  return theme;
}

/** VS Code's own style sheet, and all themes, as the webview of an open panel has them; the window is left in the last one. */
export async function takeThemes(
  page: Page,
  frame: Frame,
): Promise<{ readonly styles: string; readonly themes: Readonly<Record<ThemeId, Theme>> }> {
  const themes: Partial<Record<ThemeId, Theme>> = {};
  for (const id of THEME_IDS) {
    await chooseTheme(page, id);
    themes[id] = await themeOf(frame, id);
  }
  const styles = await frame.evaluate(stylesOfPage);
  assert.match(styles, /body/);
  return { styles, themes: themes as Record<ThemeId, Theme> };
}
