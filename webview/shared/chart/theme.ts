/** Colours that a series may have: the theme's chart colours that are there, and opaque, in all themes (orange is not). Never the only sign. */
export type SeriesColour = 'blue' | 'yellow' | 'purple' | 'green' | 'foreground';

/** What is drawn on a canvas: it knows no CSS variables, and has to be drawn anew when they change. */
export interface ChartTheme {
  readonly foreground: string;
  readonly soft: string;
  readonly background: string;
  readonly gain: string;
  readonly loss: string;
  readonly series: Readonly<Record<SeriesColour, string>>;
  /** For a canvas: "11px Inter". */
  readonly font: string;
  readonly isHighContrast: boolean;
}

/** Reads the theme's colours, as they are now. */
export function readTheme(): ChartTheme {
  const styles = getComputedStyle(document.body);
  const colour = (...names: readonly string[]): string =>
    names.map((name) => styles.getPropertyValue(`--vscode-${name}`).trim()).find((value) => value !== '') ?? styles.color;
  // As page.css has them.
  const ours = (name: string): string => styles.getPropertyValue(name).trim() || styles.color;
  const { classList } = document.body;
  return {
    foreground: colour('foreground'),
    soft: colour('descriptionForeground', 'foreground'),
    background: colour('editor-background'),
    gain: ours('--gain'),
    loss: ours('--loss'),
    series: {
      blue: colour('charts-blue'),
      yellow: colour('charts-yellow'),
      purple: colour('charts-purple'),
      green: colour('charts-green'),
      foreground: colour('foreground'),
    },
    font: `11px ${styles.fontFamily === '' ? 'sans-serif' : styles.fontFamily}`,
    isHighContrast: classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light'),
  };
}

/** Tells when the theme is another one. @returns what ends it */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  // VS Code sets the variables on the root element, and the kind of theme on the body.
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}
