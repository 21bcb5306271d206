/**
 * The looks of what is seen before the panel's style sheet is there: of each rule as much as that needs. webview/shared/page.css has them whole,
 * so that nothing moves when it arrives.
 */
export const FIRST_STYLES = `
*,*::before,*::after{box-sizing:border-box}
html{scrollbar-gutter:stable}
body{margin:0;padding:16px;color:var(--vscode-foreground);background:var(--vscode-editor-background);font-family:var(--vscode-font-family);font-size:var(--vscode-font-size,13px);line-height:1.45}
.page{display:flex;flex-direction:column;gap:24px;max-width:1560px;margin:0 auto;min-width:0}
@media (max-width:479px){body{padding:8px}.page{gap:16px}}
h1{margin:0;font-weight:600;line-height:1.25;overflow-wrap:anywhere;font-size:1.6em}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13.5rem),1fr));gap:8px}
.card{min-width:0;padding:10px 12px;border:1px solid var(--vscode-contrastBorder,var(--vscode-panel-border,var(--vscode-widget-border,var(--vscode-descriptionForeground))));border-radius:4px;background:var(--vscode-editorWidget-background,var(--vscode-editor-background))}
.skeleton-lines{display:flex;flex-direction:column;gap:8px}
.skeleton{display:block;height:1.1em;border-radius:4px;background:color-mix(in srgb,var(--vscode-foreground) 12%,transparent)}
.skeleton-block{height:15rem}
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

/**
 * Brings the panel's style sheet and its script, which its own element names. VS Code shows a page when all that it names has been loaded and run: so it
 * names neither. The script is on its way from the beginning, and runs when the styles are there, as it would otherwise.
 */
export const FIRST_SCRIPT = `
{
  const { dataset, nonce } = document.currentScript;
  const link = (rel, href) => document.head.appendChild(Object.assign(document.createElement('link'), { rel, nonce, href }));
  link('modulepreload', dataset.script);
  addEventListener('load', () => {
    const styles = link('stylesheet', dataset.style);
    styles.onload = styles.onerror = () => import(dataset.script);
  }, { once: true });
}
`;
