import type { Locator, Page } from 'playwright-core';

/** How long the sandbox may take to start with the first window, and an operation to land and be listed. */
export const PATIENCE_MS = 60_000;

/** What a person sees of Binsight in the window, and the hands to use it with. */
export class Sidebar {
  constructor(private readonly page: Page) {}

  /** Waits until both views have rows. In a new profile Binsight opens them itself. */
  async filled(): Promise<void> {
    for (const view of ['Positions', 'Pools'] as const) {
      await this.rows(view).first().waitFor({ timeout: PATIENCE_MS });
    }
  }

  /** The rows of a view that are on the screen. */
  rows(view: 'Positions' | 'Pools'): Locator {
    return this.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
  }

  /** Scrolls a view down: what is not on the screen is not there. */
  async scrollDown(view: 'Positions' | 'Pools'): Promise<void> {
    await this.rows(view).first().hover();
    await this.page.mouse.wheel(0, 2_000);
  }

  /** The rows of positions of a pair: what a screen reader says of a position begins with its pair. */
  positionsOf(pair: string): Locator {
    return this.rows('Positions').and(this.page.locator(`[aria-label^="${pair}, "]`));
  }

  /** The one status bar item. */
  statusBar(): Locator {
    return this.page.locator('.statusbar-item[id*="binsight"]');
  }
}

/** The list or field at the top of the window in which a command asks. */
export class QuickInput {
  constructor(private readonly page: Page) {}

  private get widget(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  /** Waits until the step with this title is shown: "Zap Out (1/4)". */
  async at(title: string | RegExp): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: title }).waitFor({ timeout: PATIENCE_MS });
  }

  /** Chooses the entry that holds this text. */
  async choose(text: string): Promise<void> {
    await this.widget.locator('.monaco-list-row', { hasText: text }).first().click();
  }

  /** Types into the field and presses Enter. */
  async type(text: string): Promise<void> {
    await this.field.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** The field. */
  get field(): Locator {
    return this.widget.locator('.quick-input-box input');
  }

  /** The field, once what is typed into it shows as dots. */
  get secretField(): Locator {
    return this.widget.locator('.quick-input-box input[type=password]');
  }

  /** What is said below the field. */
  get message(): Locator {
    return this.widget.locator('.quick-input-message');
  }

  /** Presses Escape and waits until nothing is asked any more. */
  async escape(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.widget.waitFor({ state: 'hidden' });
  }
}

/** A modal question. */
export class Dialog {
  constructor(private readonly page: Page) {}

  private get box(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Waits for it and gives everything that it says, with plain spaces. */
  async text(): Promise<string> {
    await this.box.waitFor({ timeout: PATIENCE_MS });
    return (await this.box.innerText()).replaceAll('\u00a0', ' ');
  }

  /** The button that says this. */
  button(name: string | RegExp): Locator {
    return this.box.getByRole('button', { name, exact: true });
  }

  /** Presses one of its buttons. */
  async press(button: string): Promise<void> {
    await this.button(button).click();
    await this.box.waitFor({ state: 'hidden' });
  }
}

/** The notification that says this. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-toast', { hasText: text });
}
