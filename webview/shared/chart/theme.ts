/** Colors of series: the chart colors that are defined and opaque in all themes (orange is not). Never the only distinction. */
export type SeriesColor = 'blue' | 'yellow' | 'purple' | 'green' | 'foreground';

/** Theme values for canvases, which do not resolve CSS variables and must be redrawn when they change. */
export interface ChartTheme {
  readonly foreground: string;
  readonly soft: string;
  readonly background: string;
  readonly gain: string;
  readonly loss: string;
  readonly series: Readonly<Record<SeriesColor, string>>;
  /** A canvas font, for example "11px Inter". */
  readonly font: string;
  readonly isHighContrast: boolean;
}

/** Reads the current theme. */
export function readTheme(): ChartTheme {
  const styles = getComputedStyle(document.body);
  const color = (...names: readonly string[]): string =>
    names.map((name) => styles.getPropertyValue(`--vscode-${name}`).trim()).find((value) => value !== '') ?? styles.color;
  // Defined in page.css.
  const ours = (name: string): string => styles.getPropertyValue(name).trim() || styles.color;
  const { classList } = document.body;
  return {
    foreground: color('foreground'),
    soft: color('descriptionForeground', 'foreground'),
    background: color('editor-background'),
    gain: ours('--gain'),
    loss: ours('--loss'),
    series: {
      blue: color('charts-blue'),
      yellow: color('charts-yellow'),
      purple: color('charts-purple'),
      green: color('charts-green'),
      foreground: color('foreground'),
    },
    font: `11px ${styles.fontFamily === '' ? 'sans-serif' : styles.fontFamily}`,
    isHighContrast: classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light'),
  };
}

/** Calls the listener when the theme changes. @returns a function that removes the listener */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  // VS Code sets the variables on the root element, and the kind of theme on the body.
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}
