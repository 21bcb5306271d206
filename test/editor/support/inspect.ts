import * as vscode from 'vscode';
import type { Inspection } from '../../../src/editor/inspection';
import { SETTING } from '../../../src/editor/names';
import type { SandboxReady } from '../../../src/editor/sandboxProcess/readyLine';
import type { PortfolioSnapshot } from '../../../src/portfolio/types';
import { extensionReady } from './extensionReady';
import { ScriptedPrompts, type ScriptedAnswer } from './scriptedPrompts';

const LIMIT_MS = 30_000;

/** Something that tells when it changes. */
export type Subscribe = (listener: () => void) => { dispose(): void };

/** Waits until `holds`, looking whenever something changes. Rejects after 30 s, with what was waited for. */
export async function until(what: string, subscribe: Subscribe, holds: () => boolean): Promise<void> {
  if (holds()) {
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`Waited ${LIMIT_MS / 1000} s in vain: ${what}`));
    }, LIMIT_MS);
    const subscription = subscribe(() => {
      if (holds()) {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      }
    });
  });
}

/** Waits until the portfolio shows what is wanted. */
export function untilShown(inspection: Inspection, what: string, holds: (snapshot: PortfolioSnapshot) => boolean): Promise<void> {
  return until(what, (listener) => inspection.portfolio.onDidChange(listener), () => holds(inspection.portfolio.snapshot));
}

/** Gives the running extension's parts, once the sandbox has been read: both lists, with both views open. */
export async function readExtension(): Promise<Inspection> {
  const inspection = (await extensionReady()).exports as Inspection;
  await vscode.commands.executeCommand('binsight.pools.focus');
  await vscode.commands.executeCommand('binsight.positions.focus');
  await refresh(inspection);
  await untilShown(inspection, 'both lists of the sandbox', ({ positionsState, poolsState }) => positionsState.kind === 'ready' && poolsState.kind === 'ready');
  return inspection;
}

/** Runs the command *Refresh* without anybody there to be told of failures. */
export async function refresh(inspection: Inspection): Promise<void> {
  await answering(inspection, [], async () => {
    await vscode.commands.executeCommand('binsight.refresh');
  });
}

/** Does `work` while a script answers for the user; the script has to be used up. Gives what was asked and told. */
export async function answering(inspection: Inspection, answers: readonly ScriptedAnswer[], work: (prompts: ScriptedPrompts) => Promise<void>): Promise<ScriptedPrompts> {
  const prompts = new ScriptedPrompts(answers);
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
  await vscode.workspace.getConfiguration().update(SETTING.baseUrl, baseUrl === '' ? undefined : baseUrl, vscode.ConfigurationTarget.Global);
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

/** The records in an answer of the sandbox. */
export function recordsIn(answer: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const { data } = answer;
  if (!Array.isArray(data)) {
    throw new Error('The answer has no list in it');
  }
  return data as readonly Readonly<Record<string, unknown>>[];
}

/** The SOL of the sandbox's owner as the sandbox tells it, decimal text. */
export async function solBalance(inspection: Inspection): Promise<string> {
  const items = recordsIn(await askSandbox(inspection, `/token/balance?owner=${sandboxOf(inspection).owner}`));
  const sol = items.find((item) => item['symbol'] === 'SOL');
  if (typeof sol?.['uiAmount'] !== 'string') {
    throw new Error('The sandbox lists no SOL');
  }
  return sol['uiAmount'];
}
