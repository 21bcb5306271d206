import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Plan } from '../../../src/protocol/pool';
import type { Pool } from '../../../src/service/pools';
import { isRule } from '../../../src/settings/settingTypes';
import type { Inspection } from '../../../src/ui/services';
import type { SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import type { PortfolioSnapshot } from '../../../src/portfolio/types';
import { extensionReady } from './extensionReady';
import { ScriptedPrompts, type ScriptedAnswer } from './scriptedPrompts';
import { PATIENCE_MS } from '../patience';
import { ANSWER_WITHIN_MS } from '../../../src/ui/shell/secrets';

/** Something that tells when it changes. */
export type Subscribe = (listener: () => void) => { dispose(): void };

/** Waits until `holds`, looking whenever something changes. Rejects after {@link PATIENCE_MS}, with what was waited for. */
export async function until(what: string, subscribe: Subscribe, holds: () => boolean): Promise<void> {
  if (holds()) {
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`Waited ${PATIENCE_MS / 1000} s in vain: ${what}`));
    }, PATIENCE_MS);
    const subscription = subscribe(() => {
      if (holds()) {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      }
    });
  });
}

/** A listed pool with bins whose other token is SOL. @throws AssertionError where none is listed */
export function solPool(inspection: Inspection): Pool {
  const found = inspection.portfolio.snapshot.pools.find(({ poolType, token1 }) => poolType === 'dlmm' && token1.symbol === 'SOL');
  assert.ok(found, 'no pool of SOL is listed');
  return found;
}

/** Waits until the portfolio shows what is wanted. */
export function untilShown(inspection: Inspection, what: string, holds: (snapshot: PortfolioSnapshot) => boolean): Promise<void> {
  return until(
    what,
    (listener) => inspection.portfolio.onDidChange(listener),
    () => holds(inspection.portfolio.snapshot),
  );
}

/** Gives the running extension's parts, once the sandbox has been read: both lists, with both views open. */
export async function readExtension(): Promise<Inspection> {
  const inspection = (await extensionReady()).exports as Inspection;
  await vscode.commands.executeCommand('binsight.pools.focus');
  await vscode.commands.executeCommand('binsight.positions.focus');
  await refresh(inspection);
  await untilShown(
    inspection,
    'both lists of the sandbox',
    ({ positionsState, poolsState }) => positionsState.kind === 'ready' && poolsState.kind === 'ready',
  );
  return inspection;
}

/** Runs the command *Refresh* without anybody there to be told of failures. */
export async function refresh(inspection: Inspection): Promise<void> {
  await answering(inspection, [], async () => {
    await vscode.commands.executeCommand('binsight.refresh');
  });
}

/** Does `work` while a script answers for the user; the script has to be used up. Gives what was asked and told. */
export async function answering(
  inspection: Inspection,
  answers: readonly ScriptedAnswer[],
  work: (prompts: ScriptedPrompts) => Promise<void>,
  presses: Readonly<Record<string, string>> = {},
): Promise<ScriptedPrompts> {
  const prompts = new ScriptedPrompts(answers, presses);
  const before = inspection.prompts.use(prompts);
  try {
    await work(prompts);
  } finally {
    inspection.prompts.use(before);
  }
  prompts.assertDone();
  return prompts;
}

/** Sets the address of the service; empty: the sandbox. */
export async function setBaseUrl(baseUrl: string): Promise<void> {
  await setSetting('binsight.service.baseUrl', baseUrl === '' ? undefined : baseUrl);
}

/** Sets one of the user's settings, or a rule; `undefined`: its default. */
export async function setSetting(name: string, value: unknown): Promise<void> {
  if (isRule(name)) {
    await ((await extensionReady()).exports as Inspection).rules.set(name, value);
    return;
  }
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** The value of a setting that the user has set, or of a rule. */
export async function valueOf(name: string): Promise<unknown> {
  return isRule(name)
    ? ((await extensionReady()).exports as Inspection).rules.get(name)
    : vscode.workspace.getConfiguration().inspect(name)?.globalValue;
}

/** Does `work` with this setting, and puts it back as it was afterwards. */
export async function withSetting(name: string, value: unknown, work: () => Promise<void>): Promise<void> {
  const before = await valueOf(name);
  await setSetting(name, value);
  try {
    await work();
  } finally {
    await setSetting(name, before);
  }
}

/** Does `work` with these settings, and puts them back as they were afterwards. */
export async function withSettings(values: Readonly<Record<string, unknown>>, work: () => Promise<void>): Promise<void> {
  const [first, ...others] = Object.entries(values);
  await (first === undefined ? work() : withSetting(...first, () => withSettings(Object.fromEntries(others), work)));
}

const POLL_MS = 20;

/** Waits for what has no event when it changes. Rejects after {@link PATIENCE_MS}, with what was waited for. */
export function eventually(what: string, holds: () => boolean): Promise<void> {
  const subscribe: Subscribe = (listener) => {
    const timer = setInterval(listener, POLL_MS);
    return { dispose: () => clearInterval(timer) };
  };
  return until(what, subscribe, holds);
}

/** Does `work` with a clock that can be moved on; it stands right again afterwards. The extension reads the same one. */
export async function withClock(work: (moveOn: (ms: number) => void) => Promise<void>): Promise<void> {
  const { now } = Date;
  try {
    await work((ms) => {
      const before = Date.now;
      Date.now = () => before() + ms;
    });
  } finally {
    Date.now = now;
  }
}

/**
 * Shortest and longest waits of the extension that {@link withoutWaits} leaves out: until the next check of auto-rebalance, and to gather notices. The limit
 * of the secret storage must pass as it does.
 */
const [LEAST_WAIT_MS, MOST_WAIT_MS] = [ANSWER_WITHIN_MS + 1, 15_000];

/**
 * Does `work` while the extension's waits of 10 to 15 seconds, or the first `most` of them, take no time: its clock moves on by as much instead. A
 * quote that is there at such a wait is older after it.
 */
export async function withoutWaits(
  { clock }: Inspection,
  work: (moveOn: (ms: number) => void) => Promise<void>,
  most = Infinity,
): Promise<void> {
  const own = { ...clock };
  let count = 0;
  await withClock(async (moveOn) => {
    clock.after = (ms, run) => {
      if (count === most || ms < LEAST_WAIT_MS || ms > MOST_WAIT_MS) {
        return own.after(ms, run);
      }
      count += 1;
      return own.after(0, () => {
        moveOn(ms);
        run();
      });
    };
    try {
      await work(moveOn);
    } finally {
      Object.assign(clock, own);
    }
  });
}

/** Runs `work` at 200 ms a slot, with time that passes only by `pass`: for the editor and for the sandbox, without a wait. */
export async function withShortSlots(inspection: Inspection, work: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  await controlSandbox(inspection, 'pause');
  await controlSandbox(inspection, 'slot-length', { ms: 200 });
  try {
    await withClock((moveOn) =>
      work(async (ms) => {
        // The chain first: a quote that is renewed in between would be as old as the last one.
        await controlSandbox(inspection, 'advance', { ms });
        moveOn(ms);
      }),
    );
  } finally {
    await controlSandbox(inspection, 'slot-length', { ms: 400 });
    await controlSandbox(inspection, 'resume');
  }
}

/** Runs a command with these answers; it has to end with this notification. Gives what was asked and told. */
export async function commandEnding(
  inspection: Inspection,
  command: string,
  argument: unknown,
  answers: readonly ScriptedAnswer[],
  ending: RegExp,
): Promise<ScriptedPrompts> {
  return answering(inspection, answers, async (scripted) => {
    await vscode.commands.executeCommand(command, argument);
    await scripted.noticed(ending);
  });
}

/** What the running sandbox says of itself. */
export function sandboxOf({ sandbox }: Inspection): SandboxReady {
  if (sandbox.state.kind !== 'running') {
    throw new Error(`The sandbox is ${sandbox.state.kind}`);
  }
  return sandbox.state.ready;
}

/** Asks the sandbox itself, past the extension: what it says is what the extension has to show. */
export async function askSandbox(inspection: Inspection, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { url, apiKey } = sandboxOf(inspection);
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': apiKey } });
  if (!response.ok) {
    throw new Error(`${path} gave ${response.status}`);
  }
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Sets what goes wrong in the sandbox, in place of what was set before. */
export async function setFaults(inspection: Inspection, faults: readonly unknown[]): Promise<void> {
  const { url, apiKey } = sandboxOf(inspection);
  const response = await fetch(new URL('/sandbox/faults', url), {
    method: 'PUT',
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify({ faults }),
  });
  if (!response.ok) {
    throw new Error(`The faults were not set: ${response.status} ${await response.text()}`);
  }
}

/** Moves the sandbox's market, or its clock: one of its controls (src/sandbox/README.md). */
export async function controlSandbox(inspection: Inspection, control: string, body: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { url, apiKey } = sandboxOf(inspection);
  const response = await fetch(new URL(`/sandbox/${control}`, url), {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${control} gave ${response.status}: ${await response.text()}`);
  }
}

/** The addresses of a wallet's open positions, as the sandbox lists them. */
export async function openAddresses(inspection: Inspection, owner: string = sandboxOf(inspection).owner): Promise<readonly unknown[]> {
  return recordsIn(await askSandbox(inspection, `/lp-positions/opening?owner=${owner}`)).map((record) => record['position']);
}

/** The records in an answer of the sandbox. */
export function recordsIn(answer: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const { data } = answer;
  if (!Array.isArray(data)) {
    throw new Error('The answer has no list in it');
  }
  return data as readonly Readonly<Record<string, unknown>>[];
}

/** The SOL of a wallet (the sandbox's owner's, unless another is named) as the sandbox tells it, decimal text. */
export async function solBalance(inspection: Inspection, owner: string = sandboxOf(inspection).owner): Promise<string> {
  const items = recordsIn(await askSandbox(inspection, `/token/balance?owner=${owner}`));
  const sol = items.find((item) => item['symbol'] === 'SOL');
  if (typeof sol?.['uiAmount'] !== 'string') {
    throw new Error('The sandbox lists no SOL');
  }
  return sol['uiAmount'];
}

const isLog = ({ uri, fileName }: vscode.TextDocument): boolean => uri.scheme === 'output' && fileName.includes('Binsight');

/** Shows the extension's log, and gives its text once this is in it. */
export async function logWith(wanted: string): Promise<string> {
  await vscode.commands.executeCommand('binsight.showLog');
  const texts = () => vscode.workspace.textDocuments.filter(isLog).map((document) => document.getText());
  const subscribe: Subscribe = (listener) =>
    vscode.Disposable.from(vscode.workspace.onDidChangeTextDocument(listener), vscode.workspace.onDidOpenTextDocument(listener));
  await until(`"${wanted}" in the log`, subscribe, () => texts().some((text) => text.includes(wanted)));
  return texts().join('\n');
}

/** Does `work` and gives the Markdown of the last document that it opened. */
export async function documentOf({ actions }: Inspection, work: () => Promise<unknown>): Promise<string> {
  const own = actions.showDocument.bind(actions);
  let last = '';
  actions.showDocument = async (title, markdown, place) => {
    last = markdown;
    await own(title, markdown, place);
    const { tabGroups } = vscode.window;
    const isOpen = ({ label, input }: vscode.Tab): boolean => label === title && input instanceof vscode.TabInputWebview;
    await until(
      `the document "${title}"`,
      (listener) => tabGroups.onDidChangeTabs(listener),
      () => tabGroups.activeTabGroup.activeTab !== undefined && isOpen(tabGroups.activeTabGroup.activeTab),
    );
  };
  try {
    await work();
  } finally {
    actions.showDocument = own;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
  return last;
}

/** A plan as the panel of a pool hands it over: 0.5 SOL into ten bins on either side of the price, unless `part` says otherwise. */
export async function plannedZapIn(
  inspection: Inspection,
  pool: Pool,
  part: (activeBinId: number) => Partial<Plan> = () => ({}),
): Promise<unknown> {
  const info = await askSandbox(inspection, `/pools/${pool.address}/info`);
  const activeBinId = (info['data'] as { liquidityViz: { activeBin: { binId: number } } }).liquidityViz.activeBin.binId;
  const plan: Plan = {
    range: { fromBinId: activeBinId - 10, toBinId: activeBinId + 10 },
    activeBinId,
    strategy: 'Spot',
    amountLamports: '500000000',
    percentX: 0.5,
    slippageBps: 300,
    ...part(activeBinId),
  };
  return inspection.panelPlans.announced({ kind: 'plan', pool: pool.address, plan });
}
