import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { CONTEXT } from '../../src/ui/shell/names';
import { chosenFile } from '../../src/ui/shell/prompts/windowPrompts';
import * as launcher from '../../src/ui/connection/sandboxLaunch';
import { type SandboxProcess, superviseSandbox } from '../../src/ui/connection/sandboxProcess';
import { OTHER_OWNER } from '../support/portfolio/fixtures';
import { answering, readExtension, refresh, sandboxOf, setBaseUrl, until, untilShown } from '../support/editor/inspect';
import { PROXY_KEY, ServiceProxy } from '../support/editor/serviceProxy';

describe('A real service', () => {
  let inspection: Inspection;
  /** Keeps the sandbox running while the extension is connected elsewhere: another window, as the sandbox sees it. */
  let otherWindow: SandboxProcess;
  let proxy: ServiceProxy;

  beforeEach(async () => {
    inspection = await readExtension();
    otherWindow = superviseSandbox(
      inspection.sandboxPlace,
      () => undefined,
      () => Promise.resolve(launcher),
    );
    proxy = await ServiceProxy.start(await otherWindow.start());
  });

  afterEach(async () => {
    await inspection.owners.remove(OTHER_OWNER);
    await inspection.apiKeys.delete(proxy.id);
    await setBaseUrl('');
    await readExtension();
    await proxy.stop();
    otherWindow.stop();
  });

  /** Connects to the proxy; the key may be none. */
  async function connect(key: string | undefined): Promise<void> {
    if (key !== undefined) {
      await inspection.apiKeys.set(proxy.id, key);
    }
    await setBaseUrl(proxy.baseUrl);
    await inspection.owners.watch(OTHER_OWNER, inspection.connection.choice);
    await refresh(inspection);
  }

  const positionsState = () => inspection.views.contextKeys.get(CONTEXT.positionsState);

  it('A service that refuses the key shows only the refusal and a request for another key', async () => {
    await connect('a-wrong-key');
    assert.equal(positionsState(), 'refused');
    assert.equal(inspection.views.contextKeys.get(CONTEXT.poolsState), 'refused');
    assert.deepEqual(inspection.views.positions.getChildren(), []);
    assert.equal(inspection.views.statusBar.model?.state, 'failed');
    assert.equal(inspection.views.positionsView.message ?? '', '', 'a message would hide the button of the empty view');
    assert.doesNotMatch(inspection.views.statusBar.model.tooltip, /a-wrong-key/);
  });

  it('A service without a key asks for one, discards a wrong key and shows everything with the right one', async () => {
    await connect(undefined);
    assert.equal(positionsState(), 'noApiKey');
    const prompts = await answering(inspection, [{ type: 'a-wrong-key' }, 'escape'], async () => {
      await vscode.commands.executeCommand('binsight.setApiKey');
    });
    assert.match(prompts.asked.at(-1)?.title ?? '', /Could not verify the API key/);
    assert.equal(await inspection.apiKeys.get(proxy.id), undefined);
    assert.equal(positionsState(), 'noApiKey');
    await answering(inspection, [{ type: PROXY_KEY }], async () => {
      await vscode.commands.executeCommand('binsight.setApiKey');
    });
    await untilShown(inspection, 'positions through the proxy', ({ positions }) => positions.length > 0);
    assert.equal(positionsState(), 'listed');
    assert.match(inspection.views.positionsView.description ?? '', /watch-only/);
    assert.equal(inspection.views.contextKeys.get(CONTEXT.isWatchedOnly), true);
  });

  it('The views keep the last data when a service goes away and say how old it is', async () => {
    await connect(PROXY_KEY);
    const { length } = inspection.views.positions.getChildren();
    assert.ok(length > 0);
    await proxy.stop();
    await refresh(inspection);
    assert.equal(inspection.portfolio.snapshot.positionsState.kind, 'stale');
    assert.equal(inspection.views.positions.getChildren().length, length);
    assert.match(inspection.views.positionsView.message ?? '', /^Last updated \d\d:\d\d:\d\d\./);
    assert.equal(inspection.views.statusBar.model?.state, 'stale');
  });

  it('A service address without a listener is reported as unreachable', async () => {
    await proxy.stop();
    await connect(PROXY_KEY);
    assert.equal(positionsState(), 'unreachable');
    assert.equal(inspection.views.statusBar.model?.state, 'failed');
    for (const [view, help] of [
      [inspection.views.positionsView, inspection.views.positionsHelp],
      [inspection.views.poolsView, inspection.views.poolsHelp],
    ] as const) {
      assert.match(view.message ?? '', /\(ECONNREFUSED\)\. Check your network/);
      const rows = await help.getChildren();
      assert.deepEqual(
        rows.map((node) => (node.kind === 'remedy' ? node.command : node.kind)),
        ['binsight.refresh', 'binsight.connectService', 'binsight.useSandbox'],
      );
    }
    assert.equal(inspection.portfolio.snapshot.positionsState.kind, 'failed');
  });

  it('A real service never uses the sandbox’s wallet, and a watch-only wallet does not sign', async () => {
    await connect(PROXY_KEY);
    assert.ok(inspection.owners.known(inspection.connection.choice).every(({ origin }) => origin === 'user'));
    const node = inspection.views.positions.getChildren().find(({ kind }) => kind === 'position');
    const prompts = await answering(inspection, [], async () => {
      await vscode.commands.executeCommand('binsight.zapOut', node);
    });
    // In a browser keys are off altogether; on the desktop this wallet has none.
    assert.match(prompts.notices[0]?.message ?? '', /watch-only|desktop VS Code\./);
  });
});

describe('An unusable service address', () => {
  it('The extension connects to nothing if the service address is unusable, and says so', async () => {
    const inspection = await readExtension();
    try {
      await setBaseUrl('http://example.org/open-api/v1');
      await refresh(inspection);
      assert.equal(inspection.connection.choice.kind, 'invalid');
      assert.equal(inspection.views.contextKeys.get(CONTEXT.positionsState), 'invalidAddress');
      assert.match(inspection.views.statusBar.model?.text ?? '', /No service/);
    } finally {
      await setBaseUrl('');
      await readExtension();
    }
  });
});

describe('A wrong key file', () => {
  it('The extension refuses a wrong key file with the reason and changes nothing', async () => {
    const inspection = await readExtension();
    const folder = await mkdtemp(join(tmpdir(), 'binsight-keys-'));
    const known = () => inspection.owners.known(inspection.connection.choice);
    const before = known();
    try {
      for (const [content, reason] of [
        ['{"key": "of no kind"}', /^Not a secret key/],
        [JSON.stringify(Array(64).fill(7)), /do not belong together/],
        ['[1, 2, 3]', /^Not a secret key/],
        ['', /^Not a secret key: it has about 88 characters/],
        ['x'.repeat(20_000), /is not a key file/],
      ] as const) {
        const path = join(folder, 'id.json');
        await writeFile(path, content);
        const prompts = await answering(
          inspection,
          [{ pick: 'Choose a file' }, { choose: chosenFile(vscode.Uri.file(path)) }],
          async (scripted) => {
            await vscode.commands.executeCommand('binsight.importWalletKey');
            await scripted.noticed(reason);
          },
        );
        assert.equal(prompts.notices.length, 1);
      }
      assert.deepEqual(known(), before);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('The sandbox key', () => {
  it('Forgetting the key leaves a watch-only wallet until the key is imported again', async () => {
    const inspection = await readExtension();
    const { owner, secretKey } = sandboxOf(inspection);
    const active = () => inspection.owners.active(inspection.connection.choice);
    await answering(inspection, [{ pick: 'Forget Wallet Key' }, { pick: owner }, { press: 'Forget Key' }], async () => {
      await vscode.commands.executeCommand('binsight.manageWallets');
    });
    assert.deepEqual(active(), { address: owner, canSign: false, origin: 'sandbox', hasPassphrase: false });
    await refresh(inspection);
    const refused = await answering(inspection, [], async () => {
      await vscode.commands.executeCommand('binsight.addLiquidity');
    });
    assert.match(refused.notices[0]?.message ?? '', /watch-only/);
    await answering(inspection, [{ pick: 'Paste' }, { type: secretKey }, { press: 'Import Key' }], async () => {
      await vscode.commands.executeCommand('binsight.importWalletKey');
    });
    assert.deepEqual(active(), { address: owner, canSign: true, origin: 'sandbox', hasPassphrase: false });
  });
});

describe('The sandbox', () => {
  it('A second window finds the running sandbox, and a crashed sandbox restarts with its state', async () => {
    const inspection = await readExtension();
    const first = sandboxOf(inspection);
    const addresses = () => inspection.portfolio.snapshot.positions.map(({ key }) => key).sort();
    const before = addresses();

    const otherWindow = superviseSandbox(
      inspection.sandboxPlace,
      () => undefined,
      () => Promise.resolve(launcher),
    );
    assert.equal((await otherWindow.start()).pid, first.pid);
    otherWindow.stop();

    const prompts = await answering(inspection, [], async (scripted) => {
      process.kill(first.pid, 'SIGKILL');
      await scripted.noticed(/Sandbox stopped and was restarted\. Its data was kept/);
    });
    assert.equal(prompts.notices.length, 1);
    const { sandbox } = inspection;
    await until(
      'the sandbox runs again',
      (listener) => sandbox.onDidChange(listener),
      () => sandbox.state.kind === 'running',
    );
    assert.notEqual(sandboxOf(inspection).pid, first.pid);
    assert.equal(sandboxOf(inspection).owner, first.owner);
    await refresh(inspection);
    assert.equal(inspection.portfolio.snapshot.positionsState.kind, 'ready');
    assert.deepEqual(addresses(), before);
  });
});
