import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Editor } from '../host/browserEditor.mjs';
import { openInstalledEditor } from '../support/browser/openEditor';
import { axeFindings } from '../support/browser/inPage.mjs';
import { bringAxe } from '../support/browser/panelPage';
import { panelFrame, textOf } from '../support/browser/panels';
import { notification, QuickInput, Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';
import { startChainService } from '../support/chain/serviceProcess';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { type RunningSandbox, startSandbox, temporaryFolder } from '../support/sandbox/process';

describe('The installed package for systems on which the sandbox cannot run', function () {
  let editor: Editor;
  let sidebar: Sidebar;
  let quick: QuickInput;
  let service: RunningSandbox;
  let world: string;

  before(async () => {
    world = await copyOfNewWorld();
    [editor, service] = await Promise.all([openInstalledEditor('universal', {}), startSandbox({ data: world })]);
    sidebar = new Sidebar(editor.page);
    quick = new QuickInput(editor.page);
    await sidebar.open();
  });

  after(async () => {
    await editor.stop();
    await service.stop();
    rmSync(world, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await editor.screenshot(`failed ${this.currentTest.title}`);
    }
  });

  it('The first start says that the sandbox cannot run on this system, and offers to watch an address first, and services but not the sandbox', async () => {
    const notice = notification(
      editor.page,
      /The sandbox cannot run on this system \(\w+ \w+\): LiteSVM, .* Watch an address on Solana mainnet, or connect to a service, instead\./,
    );
    await notice.getByRole('button', { name: 'Watch Address…' }).click({ timeout: PATIENCE_MS });
    await quick.at('Watch Address');
    await quick.escape();
    for (const view of ['Positions', 'Pools'] as const) {
      const welcome = sidebar.welcome(view);
      assert.match(
        await welcome.innerText(),
        /The sandbox runs in WSL, containers and other Linux remotes, but not on this system\. Watch any wallet on Solana mainnet/,
      );
      await welcome.getByRole('button', { name: 'Watch Address' }).click();
      await quick.at('Watch Address');
      await quick.escape();
      await welcome.getByText('connect to a service').click();
      await asksForService();
    }
    await editor.screenshot('without a sandbox');
  });

  it('The overview says that the sandbox cannot run, and its button asks for a service', async () => {
    await editor.runCommand('Binsight: Open Overview');
    const page = await panelFrame(editor.page, 'overview');
    const help = page.getByRole('button', { name: 'Connect to Service…' });
    await help.waitFor({ timeout: PATIENCE_MS });
    assert.match(await textOf(page.locator('main')), /The sandbox cannot run on this system/);
    await bringAxe(page);
    assert.deepEqual(await page.evaluate(axeFindings, 'all'), []);
    await editor.screenshot('overview without a sandbox');
    await help.click();
    await asksForService();
  });

  it('A service and a watched address show pools and positions all the same', async () => {
    await editor.runCommand('Binsight: Connect to Service…');
    await quick.at('Connect to Service');
    await quick.choose('Other…');
    // The list and the field have one title, and share the box that is typed into.
    await quick.message.getByText('The address must end with its version path').waitFor({ timeout: PATIENCE_MS });
    await quick.type(service.url);
    await quick.secretField.waitFor({ timeout: PATIENCE_MS });
    await quick.type(service.apiKey);
    await quick.at('RPC for the Review');
    await quick.type('');
    await sidebar.rows('Pools').first().waitFor({ timeout: PATIENCE_MS });
    await editor.runCommand('Binsight: Watch Address…');
    await quick.at('Watch Address');
    await quick.type(service.owner);
    await sidebar.row('Positions', 'POPKAT/SOL').waitFor({ timeout: PATIENCE_MS });
  });

  it('The local service of a Solana RPC starts from the package', async () => {
    const extensions = join(editor.profile, 'extensions');
    const [folder = ''] = readdirSync(extensions).filter((name) => name.startsWith('binsight.binsight-'));
    const data = temporaryFolder();
    try {
      // It asks the RPC only when somebody asks it.
      const executable = join(extensions, folder, 'dist', 'service.js');
      const local = await startChainService({ rpcUrl: service.url, data, executable });
      assert.equal((await local.stop()).code, 0);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  async function asksForService(): Promise<void> {
    await quick.at('Connect to Service');
    const offered = await quick.entries('all').allInnerTexts();
    assert.equal(offered.length, 5, offered.join('\n'));
    assert.match(offered.join('\n'), /^Solana mainnet \(public RPC\)[^]*\nSolana RPC.*\nMeteora’s Public Data: On[^]*\nLP Agent.*\nOther…/);
    await quick.escape();
  }
});
