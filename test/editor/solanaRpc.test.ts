import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { SETTING } from '../../src/ui/shell/names';
import type { Inspection } from '../../src/ui/services';
import { answering, readExtension, refresh, setBaseUrl, setSetting, until, untilShown } from '../support/editor/inspect';
import type { Mainnet } from '../support/mainnet/mainnet';
import { needPrograms } from '../support/programs';

/** In the address as a provider's key would be. The little mainnet doesn't mind. */
const KEY = 'K3yOfTheProvider';

describe('A Solana RPC as the service', () => {
  let inspection: Inspection;
  let mainnet: Mainnet;
  let stop: (() => Promise<void>) | undefined;

  needPrograms();
  before(async () => {
    // Only here: the SDKs are large, and the other tests do without.
    mainnet = await (await import('../support/mainnet/mainnet')).Mainnet.start();
    inspection = await readExtension();
    // Nothing is asked of a third party.
    await setSetting(SETTING.solanaDataApi, '');
    stop = async () => {
      await setSetting(SETTING.solanaDataApi, undefined);
      await inspection.owners.remove(mainnet.wallet(0).address);
      await setBaseUrl('');
      await (await inspection.rpcAddresses()).delete('solana');
      await readExtension();
      await mainnet.stop();
    };
  });

  after(() => stop?.());

  it('A position on the chain is shown with nothing but the address of an RPC, which stays secret', async () => {
    const wallet = mainnet.wallet(0);
    const { position } = await mainnet.pools.solUsdc.open(wallet, { x: 10n ** 9n, y: 150_000_000n, bins: [-10, 10] });
    mainnet.finalize();
    const address = `${mainnet.rpcUrl}?api-key=${KEY}`;
    const { host } = new URL(address);

    await answering(inspection, [{ pick: 'Solana RPC' }, { type: address }], async (prompts) => {
      await vscode.commands.executeCommand('binsight.connectService');
      await prompts.noticed(new RegExp(`^Binsight now uses Solana RPC \\(${host}\\)\\.$`));
    });
    await inspection.owners.watch(wallet.address, inspection.connection.choice);
    await refresh(inspection);
    await untilShown(inspection, 'the position on the chain', ({ positions }) => positions.some((one) => one.address === position));

    const [shown, ...others] = inspection.portfolio.snapshot.positions;
    assert.ok(shown !== undefined && others.length === 0);
    assert.equal(shown.pairName, 'SOL/USDC');
    assert.ok(inspection.views.positionsView.description?.startsWith(`Solana RPC (${host})`));
    assert.ok(inspection.views.statusBar.model?.tooltip.includes(new URL(address).port), 'the tooltip names the host');
    assert.equal(vscode.workspace.getConfiguration().get(SETTING.baseUrl), 'solana');

    for (const state of inspection.states) {
      assert.doesNotMatch(JSON.stringify(state.keys().map((name) => state.get(name))), new RegExp(KEY));
    }
    const folder = join(inspection.sandboxPlace.dataDir, '..', 'solana-rpc');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      assert.ok(!entry.name.includes(KEY));
      if (entry.isFile()) {
        assert.ok(!(await readFile(join(entry.parentPath, entry.name))).includes(KEY), `the key is in ${entry.name}`);
      }
    }
  });

  it('Connecting to another service releases the local service', async () => {
    const { process: service } = inspection.rpcService;
    assert.equal(service.state.kind, 'running');
    await setBaseUrl('');
    await until(
      'the release of the local service',
      (listener) => service.onDidChange(listener),
      () => service.state.kind === 'stopped',
    );
    assert.equal(inspection.connection.choice.kind, 'sandbox');
  });
});
