import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { TOOLS } from '../../src/assistants/definitions';
import * as launcher from '../../src/ui/connection/sandboxLaunch';
import { superviseSandbox } from '../../src/ui/connection/sandboxProcess';
import type { Inspection } from '../../src/ui/services';
import {
  answering,
  eventually,
  readExtension,
  refresh,
  sandboxOf,
  setBaseUrl,
  until,
  untilShown,
  withClock,
  withSetting,
} from '../support/editor/inspect';
import { HttpRecorder } from '../support/editor/httpRecorder';
import { PROXY_KEY, ServiceProxy } from '../support/editor/serviceProxy';
import { OTHER_OWNER } from '../support/portfolio/fixtures';
import type { ProofGroup } from './proof';

const MINUTE_MS = 60_000;

let proxy: ServiceProxy;

/** Lists through the service of the settings. */
async function readRemote(inspection: Inspection): Promise<void> {
  await inspection.owners.watch(OTHER_OWNER, inspection.connection.choice);
  await refresh(inspection);
  await untilShown(inspection, 'the lists of the service', ({ positions, pools }) => positions.length > 0 && pools.length > 0);
}

/** Does `work` while the proxy is the service. */
async function withRemote(inspection: Inspection, work: () => Promise<void>): Promise<void> {
  await setBaseUrl(proxy.baseUrl);
  try {
    await readRemote(inspection);
    await work();
  } finally {
    await setBaseUrl('');
    await readExtension();
  }
}

/** The profile of the service in use, which has its key. */
async function profileInUse({ profiles: opened, connection }: Inspection) {
  const profiles = await opened();
  await profiles.list(connection.choice);
  const profile = profiles.inUse(connection.choice);
  assert.ok(profile !== undefined);
  return { profiles, profile };
}

/** Writes into the settings file what VS Code no longer knows as a setting. */
async function writeUserSetting(name: string, value: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor !== undefined, 'the settings file is open');
  const { document } = editor;
  const text = document.getText();
  const end = text.lastIndexOf('}');
  const before = text.slice(0, end).trimEnd();
  const entry = `${/[{,]$/.test(before) ? '' : ','}\n  ${JSON.stringify(name)}: ${JSON.stringify(value)}\n`;
  await editor.edit((edit) => edit.replace(new vscode.Range(document.positionAt(before.length), document.positionAt(end)), entry));
  await document.save();
  await eventually('the settings file is saved', () => !document.isDirty);
}

async function invoke(name: keyof typeof TOOLS, input: object): Promise<Readonly<Record<string, unknown>>> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value) as Readonly<Record<string, unknown>>;
}

const tooltip = ({ views }: Inspection) => views.statusBar.model?.tooltip ?? '';

/** What the extension connects to, and how often it asks. */
export const CONNECTION: ProofGroup = {
  subject: 'Connection',
  setUp: async (inspection) => {
    // Keeps the sandbox running while the extension is connected elsewhere.
    const otherWindow = superviseSandbox(
      inspection.sandboxPlace,
      () => undefined,
      () => Promise.resolve(launcher),
    );
    proxy = await ServiceProxy.start(await otherWindow.start());
    await inspection.apiKeys.set(proxy.id, PROXY_KEY);
    return async () => {
      await inspection.owners.remove(OTHER_OWNER);
      await inspection.apiKeys.delete(proxy.id);
      await proxy.stop();
      otherWindow.stop();
    };
  },
  proofs: {
    'binsight.service.baseUrl': {
      title: 'The service at the address gets the requests, and the view names it',
      prove: (inspection) =>
        withSetting('binsight.service.baseUrl', proxy.baseUrl, async () => {
          await readRemote(inspection);
          assert.ok(proxy.requests.some((path) => path.includes(`/lp-positions/opening?owner=${OTHER_OWNER}`)));
          assert.match(inspection.views.positionsView.description ?? '', new RegExp(new URL(proxy.baseUrl).host));
          await setBaseUrl('');
          await readExtension();
        }),
    },
    'binsight.service.requestsPerMinute': {
      title: 'The service gets no more requests a minute than the plan allows, and the tooltip tells how many are left',
      prove: (inspection) =>
        withRemote(inspection, async () => {
          assert.match(tooltip(inspection), /^Requests: \d+ in the last minute$/m);
          await withSetting('binsight.service.requestsPerMinute', '20', async () => {
            await eventually('the limit in the tooltip', () => /^Requests: \d+ of 20 in the last minute$/m.test(tooltip(inspection)));
            const areUsed = () => /^Requests: 20 of 20 /m.test(tooltip(inspection));
            const used = eventually('all requests of the plan are used', areUsed);
            while (!areUsed()) {
              await Promise.race([used, vscode.commands.executeCommand('binsight.refresh')]);
            }
            // It waits for its turn, and ends when the service is another one.
            void vscode.commands.executeCommand('binsight.refresh');
            assert.doesNotMatch(tooltip(inspection), /^Requests: 2[1-9] of/m);
          });
        }),
    },
    'binsight.refreshIntervalSeconds': {
      title: 'The positions are read as often as the setting says',
      prove: (inspection) =>
        withRemote(inspection, () =>
          withClock((moveOn) =>
            withSetting('binsight.refreshIntervalSeconds', 3600, async () => {
              const reads = () => proxy.requests.filter((path) => path.includes('/lp-positions/opening')).length;
              const before = reads();
              // Less than the shortest interval of an hour, and more than the longest of 15 seconds, with or without the focus.
              moveOn(6 * MINUTE_MS);
              await withSetting('binsight.refreshIntervalSeconds', 3599, async () => undefined);
              assert.equal(reads(), before, 'an hour has not passed');
              await withSetting('binsight.refreshIntervalSeconds', 15, () => eventually('a read', () => reads() > before));
            }),
          ),
        ),
    },
    'binsight.assistants.enabled': {
      title: 'With the setting there are tools, and a socket for programs outside; without it neither',
      prove: async (inspection) => {
        const sessions = (): readonly string[] => {
          const folder = join(dirname(inspection.sandboxPlace.dataDir), 'assistants');
          return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
        };
        await assert.rejects(invoke('binsight_positions', {}));
        await withSetting('binsight.assistants.enabled', true, async () => {
          await eventually('the socket is announced', () => sessions().length === 1);
          assert.ok(Array.isArray((await invoke('binsight_positions', {}))['positions']));
        });
        await eventually('the socket is gone', () => sessions().length === 0);
        await assert.rejects(invoke('binsight_positions', {}));
      },
    },
  },
  lastTests: {
    'The RPC for the review that a profile has is asked what the chain decides': async (inspection) => {
      const { url, apiKey } = sandboxOf(inspection);
      const rpc = await HttpRecorder.start({ url: `${new URL(url).origin}/rpc`, headers: { 'x-api-key': apiKey } });
      const pool = inspection.portfolio.snapshot.pools.find(({ poolType }) => poolType === 'dlmm')?.address;
      const cost = () => invoke('binsight_plan_cost', { pool, amountSol: 0.5 });
      const requests = (): number => rpc.requests.length;
      try {
        await withRemote(inspection, () =>
          withSetting('binsight.assistants.enabled', true, async () => {
            await eventually('the tools', () => vscode.lm.tools.some(({ name }) => name === 'binsight_plan_cost'));
            const without = await cost();
            assert.equal(requests(), 0);
            const { profiles, profile } = await profileInUse(inspection);
            await profiles.setAddress(profile, 'reviewRpc', rpc.url);
            try {
              const withRpc = await cost();
              assert.ok(requests() > 0);
              assert.notDeepEqual(withRpc, without, 'what it says makes the figures exact');
            } finally {
              await profiles.remove(profile);
              await inspection.apiKeys.set(proxy.id, PROXY_KEY);
            }
          }),
        );
      } finally {
        await rpc.stop();
      }
    },
    'An address in the setting of earlier versions becomes a secret of the profile, and leaves the settings file': async (inspection) => {
      await withRemote(inspection, async () => {
        const { profiles, profile } = await profileInUse(inspection);
        const { choice } = inspection.connection;
        await writeUserSetting('binsight.rpcUrl', 'http://127.0.0.1:9/S3cretS3cret');
        try {
          const prompts = await answering(inspection, [], async (script) => {
            await eventually(
              'VS Code has read it',
              () => vscode.workspace.getConfiguration().inspect('binsight.rpcUrl')?.globalValue !== undefined,
            );
            // VS Code may still be writing the file: then the address stays there until the next time.
            await until(
              'the setting is gone',
              (listener) => ({
                dispose: clearInterval.bind(
                  undefined,
                  setInterval(() => void inspection.rpc().then(listener), 200),
                ),
              }),
              () => vscode.workspace.getConfiguration().inspect('binsight.rpcUrl')?.globalValue === undefined,
            );
            await script.noticed(/Moved from your settings to VS Code.s secret storage: binsight\.rpcUrl/);
          });
          assert.doesNotMatch(JSON.stringify(prompts.notices), /S3cret/);
          assert.equal(vscode.workspace.getConfiguration().inspect('binsight.rpcUrl')?.globalValue, undefined);
          assert.equal(await profiles.readAddress(choice, 'reviewRpc'), 'http://127.0.0.1:9/S3cretS3cret');
        } finally {
          await profiles.remove(profile);
          await inspection.apiKeys.set(proxy.id, PROXY_KEY);
        }
      });
    },
  },
};
