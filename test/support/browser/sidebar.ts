import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { ANSWER_DELAY_MS } from '../../../src/ui/shell/prompts/modalQuestions';
import { PATIENCE_MS } from '../patience';

/** How long the sandbox may take to start with the first window, and an operation to land and be listed. */

/** Binsight's views. */
export type View = 'Positions' | 'Wallet' | 'Pools' | 'Activity';

/** What a person sees of Binsight in the window, and the hands to use it with. */
export class Sidebar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  #pane(view: View): Locator {
    return this.#page.locator('.pane', { has: this.#page.locator(`.pane-header[aria-label^="${view}"]`) });
  }

  /** Opens Binsight's views, as a new user does. */
  async open(): Promise<void> {
    const tab = this.#page.locator('.part.activitybar').getByRole('tab', { name: /^Binsight/ });
    await tab.waitFor({ timeout: PATIENCE_MS });
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      await tab.click();
    }
  }

  /** Opens the views, and waits until both have rows. */
  async filled(): Promise<void> {
    await this.open();
    for (const view of ['Positions', 'Pools'] as const) {
      await this.rows(view).first().waitFor({ timeout: PATIENCE_MS });
    }
  }

  /** The rows of a view that are on the screen. */
  rows(view: View): Locator {
    return this.#pane(view).locator('.monaco-list-row');
  }

  /** What an empty view says in place of rows. */
  welcome(view: View): Locator {
    return this.#pane(view).locator('.welcome-view-content');
  }

  /** What a view says above its rows. */
  message(view: View): Locator {
    return this.#pane(view).locator('.message');
  }

  /** The row of a view of which a screen reader says something that begins with this. */
  row(view: View, spoken: string): Locator {
    return this.rows(view).and(this.#page.locator(`[aria-label^="${spoken}"]`));
  }

  /** Opens a view with a click on its title, unless it is open. */
  async unfold(view: View): Promise<void> {
    const header = this.#pane(view).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) !== 'true') {
      await header.click();
    }
  }

  /** Clicks a button of a view, which shows while the mouse is over it. */
  async press(view: View, button: RegExp): Promise<void> {
    await this.#pane(view).hover();
    await this.#pane(view).locator('.pane-header').getByRole('button', { name: button }).click();
  }

  /** Clicks a button of a row, which shows while the mouse is over it. */
  async pressIn(row: Locator, button: RegExp): Promise<void> {
    await row.hover();
    await row.getByRole('button', { name: button }).click();
  }

  /** Scrolls a view down: what is not on the screen is not there. */
  async scrollDown(view: View): Promise<void> {
    await this.rows(view).first().hover();
    await this.#page.mouse.wheel(0, 2_000);
  }

  /** The rows of positions of a pair: what a screen reader says of a position begins with its pair. */
  positionsOf(pair: string): Locator {
    // Positions of one pair have longer names.
    return this.row('Positions', pair);
  }

  /** The status bar item with the PnL of all. */
  statusBar(): Locator {
    return this.#page.locator('.statusbar-item[id$="binsight.pnl"]');
  }

  /** The status bar item that is there while automation is on. */
  automationSign(): Locator {
    return this.#page.locator('.statusbar-item[id$="binsight.automation"]');
  }
}

/** The list or field at the top of the window in which a command asks. */
export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get #widget(): Locator {
    return this.#page.locator('.quick-input-widget');
  }

  /** Waits until the step with this title is shown: "Zap Out (1/4)". */
  async at(title: string | RegExp): Promise<void> {
    await this.#widget.locator('.quick-input-title', { hasText: title }).waitFor({ timeout: PATIENCE_MS });
  }

  /** Chooses the entry that holds this text. */
  async choose(text: string): Promise<void> {
    await this.#widget.locator('.monaco-list-row', { hasText: text }).first().click();
  }

  /** The entries of a list in which several are chosen: of those that are ticked, or all. */
  entries(of: 'ticked' | 'all'): Locator {
    const rows = this.#widget.locator('.monaco-list-row');
    return of === 'all' ? rows : rows.filter({ has: this.#page.locator('[role=checkbox][aria-checked=true]') });
  }

  /** Takes what is ticked. */
  async accept(): Promise<void> {
    await this.#widget.getByRole('button', { name: 'OK' }).click();
  }

  /** Types into the field and presses Enter. */
  async type(text: string): Promise<void> {
    await this.field.fill(text);
    await this.#page.keyboard.press('Enter');
  }

  /** The field. */
  get field(): Locator {
    return this.#widget.locator('.quick-input-box input');
  }

  /** The field, once what is typed into it shows as dots. */
  get secretField(): Locator {
    return this.#widget.locator('.quick-input-box input[type=password]');
  }

  /** What is said below the field. */
  get message(): Locator {
    return this.#widget.locator('.quick-input-message');
  }

  /** Whether something is asked now. */
  isOpen(): Promise<boolean> {
    return this.#widget.isVisible();
  }

  /** Presses Escape and waits until nothing is asked any more. */
  async escape(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.#widget.waitFor({ state: 'hidden' });
  }
}

/** A modal question. */
export class Dialog {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get #box(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }

  /** Waits for it and gives everything that it says, with plain spaces. */
  async text(): Promise<string> {
    await this.#box.waitFor({ timeout: PATIENCE_MS });
    return (await this.#box.innerText()).replaceAll('\u00a0', ' ');
  }

  /** The button that says this. */
  button(name: string | RegExp): Locator {
    return this.#box.getByRole('button', { name, exact: true });
  }

  /** Presses one of its buttons, once its answer counts. */
  async press(button: string): Promise<void> {
    await this.button(button).waitFor({ timeout: PATIENCE_MS });
    // The time runs from the question, which was before the dialog showed.
    await delay(ANSWER_DELAY_MS);
    await this.button(button).click();
    await this.#box.waitFor({ state: 'hidden' });
  }
}

/** The notification that says this. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-toast', { hasText: text });
}
