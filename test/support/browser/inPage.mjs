// Runs in pages: Playwright carries each of these over as text, so none of them knows anything but what it is given.

/** Before a panel's script: what VS Code's own script does for it, and an extension that answers `ready` with messages made beforehand. */
export function standIn({ messages, saved, theme, styles }) {
  const panel = { posted: [], violations: [], saved };
  window.standIn = panel;
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
    panel.violations.push(`${effectiveDirective} ${blockedURI} ${sourceFile}`);
  });
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      panel.posted.push(message);
      if (message.kind === 'ready') {
        for (const answer of messages) window.postMessage(answer, '*');
      }
    },
    getState: () => panel.saved,
    setState: (state) => {
      panel.saved = state;
    },
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [sheet];
  const dress = () => {
    if (document.documentElement === null || document.body === null) return false;
    for (const [name, value] of Object.entries(theme.variables)) document.documentElement.style.setProperty(name, value);
    document.body.classList.add(...theme.classes);
    Object.assign(document.body.dataset, theme.data);
    return true;
  };
  const watch = new MutationObserver(() => {
    if (dress()) watch.disconnect();
  });
  if (!dress()) watch.observe(document, { childList: true, subtree: true });
}

/** Changes the theme of a page as VS Code does while a panel is open. */
export function wearTheme({ classes, data, variables }) {
  const { documentElement, body } = document;
  documentElement.removeAttribute('style');
  for (const [name, value] of Object.entries(variables)) documentElement.style.setProperty(name, value);
  body.classList.remove(...[...body.classList].filter((name) => name.startsWith('vscode-')));
  body.classList.add(...classes);
  Object.assign(body.dataset, data);
}

/** What stands out of the page to the right where nothing scrolls it: at most ten of them, as `tag.class "text"`. */
export function standingOut() {
  const isCut = (element) => {
    for (let around = element; around !== null && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.position === 'fixed' || style.visibility === 'hidden') return true;
      if (around !== element && style.overflowX !== 'visible' && around.getBoundingClientRect().right <= window.innerWidth + 1) return true;
    }
    return false;
  };
  return [...document.body.querySelectorAll('*')]
    .filter((element) => {
      const { right, width, height } = element.getBoundingClientRect();
      return width > 0 && height > 0 && right > window.innerWidth + 1 && !isCut(element);
    })
    .slice(0, 10)
    .map(
      (element) =>
        `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.textContent ?? '').trim().slice(0, 40)}"`,
    );
}

/** Every text of the page that is seen or spoken: text nodes, tooltips, accessible names and values, placeholders. Token logos are drawings. */
export function textsToRead() {
  const texts = new Set();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { parentElement, textContent } = nodes.currentNode;
    if (parentElement?.closest('script, style, .token-logo') === null) texts.add(textContent.replaceAll(/\s+/g, ' ').trim());
  }
  for (const name of ['title', 'aria-label', 'aria-valuetext', 'placeholder', 'alt']) {
    for (const element of document.body.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name).replaceAll(/\s+/g, ' ').trim());
  }
  return [...texts].filter((text) => text !== '');
}

/** What the theme gives to a webview. */
export function themeOfPage() {
  const { style } = document.documentElement;
  return {
    classes: [...document.body.classList],
    data: {
      vscodeThemeKind: document.body.dataset.vscodeThemeKind,
      vscodeThemeName: document.body.dataset.vscodeThemeName,
      vscodeThemeId: document.body.dataset.vscodeThemeId,
    },
    variables: Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name)])),
  };
}

/** The style sheet that VS Code puts before those of a webview. */
export function stylesOfPage() {
  return document.getElementById('_defaultStyles')?.textContent ?? '';
}

/** Runs axe, which is there already, and gives what it found wrong, one line for each place. `colors`: by the rules alone whose answer changes with the theme. */
export async function axeFindings(which) {
  const runOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
  const rules = which === 'colors' ? { runOnly } : { rules: { 'target-size': { enabled: true } } };
  const options = { resultTypes: ['violations'], preload: false, ...rules };
  // To name every element that it looks at takes a fifth of the time.
  const isFine = (await window.axe.run(document, { ...options, selectors: false })).violations.length === 0;
  const violations = isFine ? [] : (await window.axe.run(document, options)).violations;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${help}: ${target.join(' ')} (${failureSummary?.split('\n').slice(1).join(';').trim() ?? ''})`,
    ),
  );
}

/** Role and name of what has the focus, also within a control of the toolkit: "radio 1M". */
export function focusedName() {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const role = element.getAttribute('role') ?? element.tagName.toLowerCase();
  return `${role} ${(element.getAttribute('aria-label') ?? element.textContent).trim()}`;
}

/** Begins to note the time of each frame; `framesNoted` ends it. */
export function noteFrames() {
  const times = [];
  const note = (time) => {
    times.push(time);
    window.framesNoting = requestAnimationFrame(note);
  };
  window.framesNoted = times;
  window.framesNoting = requestAnimationFrame(note);
}

/** The milliseconds between the frames that were noted. */
export function framesNoted() {
  cancelAnimationFrame(window.framesNoting);
  const times = window.framesNoted;
  return times.slice(1).map((time, index) => time - times[index]);
}

/** Sends messages over and over, so many in all, a frame between each two. */
export async function sendOver({ messages, count }) {
  for (let sent = 0; sent < count; sent += 1) {
    window.postMessage(messages[sent % messages.length], '*');
    await new Promise((done) => requestAnimationFrame(() => done(undefined)));
  }
}

/** Scrolls to the end of an element's content. (A function: Playwright does not call one that it is given as text.) */
export function scrollToEnd(element) {
  element.scrollTop = element.scrollHeight;
}

/** Whether all of a row is visible between the header and the sums of its table. */
export function isInTableView(row) {
  const { top, bottom } = row.getBoundingClientRect();
  const region = row.closest('.table-region').getBoundingClientRect();
  const header = row.closest('table').tHead.getBoundingClientRect();
  const sums = row.closest('table').tFoot?.getBoundingClientRect().top ?? region.bottom;
  return top >= header.bottom - 1 && bottom <= Math.min(sums, region.bottom) + 1;
}

/**
 * The figures of a panel by what they are called, as "the nearest heading above / the name": from lists of facts, from cards, and from the cells
 * of small tables ("… / row / column"). What is for screen readers alone is left out, and what explains.
 */
export function figuresShown() {
  const text = (element) => {
    const copy = element.cloneNode(true);
    for (const aside of copy.querySelectorAll(
      '.visually-hidden, .hint, .codicon, .badge, .plan-note, .holding-share, svg, button, vscode-button',
    ))
      aside.remove();
    return copy.textContent.replaceAll(/\s+/g, ' ').trim();
  };
  const headingOf = (element) => {
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const heading = around.matches('section, article, .card, .holding') ? around.querySelector('h2, h3') : null;
      if (heading !== null) return text(heading);
      if (around.matches('section[aria-label]')) return around.getAttribute('aria-label');
    }
    return '';
  };
  const shown = {};
  for (const name of document.querySelectorAll('dt')) {
    const figure = name.nextElementSibling;
    if (figure !== null) shown[`${headingOf(name)} / ${text(name)}`] = text(figure);
  }
  for (const name of document.querySelectorAll('div.card-label')) {
    const [figure, note] = ['card-figure', 'card-note'].map((part) => name.parentElement.querySelector(`.${part}`));
    if (figure !== null) shown[`${headingOf(name)} / ${text(name)}`] = text(figure);
    if (note !== null) shown[`${headingOf(name)} / ${text(name)} (note)`] = text(note);
  }
  for (const lead of document.querySelectorAll('.lead-figure')) shown[headingOf(lead)] = text(lead);
  for (const table of document.querySelectorAll('table.data-table')) {
    const columns = [...table.querySelectorAll('thead tr > *')].map(text);
    for (const row of table.querySelectorAll('tbody tr')) {
      const [name, ...cells] = [...row.children].map(text);
      cells.forEach((cell, index) => {
        shown[`${headingOf(table)} / ${name} / ${columns[index + 1]}`] = cell;
      });
    }
  }
  return shown;
}

/** The rows of a table that are drawn: of each its cells, without what is for screen readers alone. */
export function rowsShown(table) {
  return [...table.querySelectorAll('tbody tr.row')].map((row) =>
    [...row.querySelectorAll(':scope > :not(.actions-cell)')].map((cell) => {
      const copy = cell.cloneNode(true);
      for (const aside of copy.querySelectorAll('.visually-hidden, .codicon')) aside.remove();
      return copy.textContent.replaceAll(/\s+/g, ' ').trim();
    }),
  );
}

/** A host of an assistant: runs a page in a sandbox, greets it, hands it the answer of a tool, and notes in `said` what it says. */
export function hostPage({ html, result }) {
  globalThis.said = [];
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = html;
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const hostContext = { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } };
  addEventListener('message', ({ data }) => {
    globalThis.said.push(data);
    if (data.method === 'ui/initialize') {
      send({ id: data.id, result: { protocolVersion: '2026-01-26', hostContext } });
    } else if (data.method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
      send(
        result === undefined
          ? { method: 'ui/notifications/tool-cancelled', params: { reason: 'cancelled' } }
          : { method: 'ui/notifications/tool-result', params: result },
      );
      send({ id: 7, method: 'ping' });
    }
  });
  document.body.append(frame);
}

/** What the page has asked of its host; `undefined` until it has got the answer and replied to the ping after it. */
export function askedOfHost() {
  const hasReplied = globalThis.said.some(({ id, method }) => id === 7 && method === undefined);
  return hasReplied ? globalThis.said.flatMap(({ method }) => method ?? []) : undefined;
}

export function colorOf(element) {
  return getComputedStyle(element).color;
}
