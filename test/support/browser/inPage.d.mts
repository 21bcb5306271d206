/** What a theme gives to a webview: the classes and data of its body, and the variables of its style. */
export interface Theme {
  readonly classes: readonly string[];
  readonly data: Readonly<Record<string, string | undefined>>;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a panel's page is loaded with. */
export interface StandIn {
  /** The answer to `ready`. */
  readonly messages: readonly unknown[];
  /** What the panel remembers. */
  readonly saved: unknown;
  readonly theme: Theme;
  /** The style sheet of VS Code. */
  readonly styles: string;
}

export function standIn(options: StandIn): void;
export function standingOut(): string[];
export function wearTheme(theme: Theme): void;
export function textsToRead(): string[];
export function themeOfPage(): Theme;
export function stylesOfPage(): string;
export function axeFindings(rules: string): Promise<string[]>;
export function focusedName(): string;
export function noteFrames(): void;
export function framesNoted(): number[];
export function sendOver(options: { readonly messages: readonly unknown[]; readonly count: number }): Promise<void>;
export function scrollToEnd(element: unknown): void;
export function isInTableView(row: unknown): boolean;
export function figuresShown(): Record<string, string>;
export function rowsShown(table: unknown): string[][];
export function hostPage(options: { readonly html: string; readonly result: object | undefined }): void;
export function askedOfHost(): string[] | undefined;
export function colorOf(element: unknown): string;
