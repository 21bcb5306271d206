// The output of `npm run bench -- activation`: the activation times that VS Code itself counts (*Developer: Show Running Extensions*), of Binsight and
// of the extensions that come with VS Code, in the same windows. A time is that of loading the main file and of the call of `activate`.
import type { Page } from 'playwright-core';
import { reportRow } from '../host/benchRows.mjs';
import { openEditor } from '../support/browser/openEditor';
import { Sidebar } from '../support/browser/sidebar';
import { quantile } from './figures';

/** Each with a new profile. */
const WINDOWS = 5;
const BINSIGHT = 'Binsight';

const times = new Map<string, number[]>();
for (let window = 0; window < WINDOWS; window += 1) {
  const editor = await openEditor({});
  try {
    await new Sidebar(editor.page).filled();
    await editor.runCommand('Developer: Show Running Extensions');
    for (const [name, ms] of await activationTimes(editor.page)) {
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  } finally {
    await editor.stop();
  }
}
const own = times.get(BINSIGHT);
if (own === undefined) {
  throw new Error(`VS Code does not list ${BINSIGHT} among the running extensions: ${[...times.keys()].join(', ')}`);
}
const others = [...times].filter(([name]) => name !== BINSIGHT).map(([name, all]) => `${name} ${quantile(all, 0.5)} ms`);
reportRow({
  what: "activation, by VS Code's own count",
  beside: others.join(', ') || 'VS Code activated no other extension',
  result: `${quantile(own, 0.5)} ms`,
  how: `median of ${WINDOWS} windows with new profiles; *Developer: Show Running Extensions* counts whole milliseconds`,
});

/** Reads the list of *Developer: Show Running Extensions*. */
async function activationTimes(page: Page): Promise<readonly (readonly [name: string, ms: number])[]> {
  const rows = page.locator('.runtime-extensions-editor .monaco-list-row');
  await rows.first().waitFor();
  const found: (readonly [string, number])[] = [];
  for (const row of await rows.all()) {
    const name = (await row.locator('.name').innerText()).trim();
    const ms = /Activation: ([\d.,]+)ms/.exec(await row.innerText())?.[1];
    if (ms !== undefined) {
      found.push([name, Number(ms.replaceAll(',', ''))]);
    }
  }
  return found;
}
