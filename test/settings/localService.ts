import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { JITO_TIP_ACCOUNTS } from '../../src/base/solana/programs';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import type { Inspection } from '../../src/ui/services';
import { SANDBOX } from '../../src/ui/shell/serviceChoice';
import { answering, eventually, readExtension, refresh, setBaseUrl, setSetting, until, untilShown } from '../support/editor/inspect';
import { HttpRecorder } from '../support/editor/httpRecorder';
import type { Mainnet } from '../support/mainnet/mainnet';
import type { ProofGroup } from './proof';
import { isRunning } from '../support/isRunning';

/** In the address as a provider's key would be. The little mainnet doesn't mind. */
const KEY = 'K3yOfTheProvider';
const REQUESTS_PER_SECOND = 321;

/** What the list of *Manage Profiles…* calls the APIs. */
const APIS = { dataApi: 'Data API', priceApi: 'Price API', swapApi: 'Swap API', jito: 'Jito Block Engine' } as const;
type Api = keyof typeof APIS;

let mainnet: Mainnet;
/** In the place of the APIs of third parties. They have nothing. */
const apis = new Map<Api, HttpRecorder>();

/** The process that answers from the RPC. */
function serviceOf({ rpcService }: Inspection) {
  const { state } = rpcService.process;
  return state.kind === 'running' ? state.ready : assert.fail(`The local service is ${state.kind}`);
}

/** Asks the local service to build a zap-in. */
async function buildZapIn(inspection: Inspection): Promise<Response> {
  const { url, apiKey } = serviceOf(inspection);
  const { address } = mainnet.pools.solUsdc;
  return fetch(new URL(`/open-api/v1/pools/${address}/add-tx`, url), {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ owner: mainnet.wallet(0).address, stratergy: 'Spot', inputSOL: 1, percentX: 0.5 },
      ...{ fromBinId: -10, toBinId: 10, slippage_bps: 300, mode: 'zap-in' },
    }),
  });
}

/** The API at the address gets requests, and got none before `ask`. */
function isAsked(name: Api, ask: (inspection: Inspection) => Promise<unknown>): (inspection: Inspection) => Promise<void> {
  return async (inspection) => {
    const api = apis.get(name) ?? assert.fail('the API does not run');
    await ask(inspection);
    await eventually('a request', () => api.requests.length > 0);
  };
}

/** How the local service runs on a Solana RPC, and what users rely on there. */
export const LOCAL_SERVICE: ProofGroup = {
  subject: 'A Solana RPC as the service',
  needsPrograms: true,
  setUp: async (inspection) => {
    // Only here: the SDKs are large, and the other tests do without.
    mainnet = await (await import('../support/mainnet/mainnet')).Mainnet.start();
    await setSetting('binsight.solanaRpc.publicData', false);
    for (const name of Object.keys(APIS) as Api[]) {
      apis.set(name, await HttpRecorder.start(404));
    }
    await setSetting('binsight.solanaRpc.requestsPerSecond', REQUESTS_PER_SECOND);
    return async () => {
      for (const api of apis.values()) {
        await api.stop();
      }
      await setSetting('binsight.solanaRpc.publicData', undefined);
      await setSetting('binsight.solanaRpc.requestsPerSecond', undefined);
      await inspection.owners.remove(mainnet.wallet(0).address);
      await setBaseUrl('');
      const profiles = await inspection.profiles();
      for (const profile of await profiles.list(SANDBOX)) {
        await profiles.remove(profile);
      }
      await readExtension();
      await mainnet.stop();
    };
  },
  tests: {
    'A position on the chain is shown with nothing but the address of an RPC, which stays secret': async (inspection) => {
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
      assert.equal(vscode.workspace.getConfiguration().get('binsight.service.baseUrl'), 'solana');

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
    },
  },
  proofs: {
    'binsight.solanaRpc.requestsPerSecond': {
      title: 'The local service runs with the limit of the setting',
      prove: async (inspection) => {
        const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(serviceOf(inspection).pid)], { encoding: 'utf8' });
        assert.match(stdout, new RegExp(`--rpc-rps ${REQUESTS_PER_SECOND}\\b`));
      },
    },
    'binsight.solanaRpc.publicData': {
      title: 'Without it the local service runs with no data API, and with no other API that the profile does not have',
      prove: (inspection) => {
        const { stdout } = spawnSync('ps', ['eww', '-o', 'args=', '-p', String(serviceOf(inspection).pid)], { encoding: 'utf8' });
        for (const name of ['DATA_API', 'PRICE_API', 'SWAP_API', 'JITO']) {
          assert.match(stdout, new RegExp(`BINSIGHT_${name}_URL=none`));
        }
        return Promise.resolve();
      },
    },
  },
  lastTests: {
    'APIs are entered in Manage Profiles, shown by their hosts, and used from the next start of the local service on': async (
      inspection,
    ) => {
      for (const [name, label] of Object.entries(APIS)) {
        const url = apis.get(name as Api)?.url ?? assert.fail('the API does not run');
        const entered = [{ pick: 'Manage' }, { pick: 'Solana RPC' }, { pick: label }, { type: `${url}/${KEY}` }];
        const prompts = await answering(inspection, entered, async (script) => {
          await vscode.commands.executeCommand('binsight.connectService');
          await script.noticed(/when the local service next starts/);
        });
        assert.doesNotMatch(JSON.stringify([prompts.asked, prompts.notices]), new RegExp(KEY));
      }
      const { pid } = serviceOf(inspection);
      inspection.rpcService.stop();
      process.kill(pid);
      await eventually('the end of the local service', () => !isRunning(pid));
      await refresh(inspection);
      const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(serviceOf(inspection).pid)], { encoding: 'utf8' });
      assert.doesNotMatch(stdout, new RegExp(KEY), 'other users of the machine can read the arguments');
    },
    'The data API at the address of the profile is asked for pools': isAsked('dataApi', refresh),
    'The price API at the address of the profile is asked for prices': isAsked('priceApi', refresh),
    'The swap API at the address of the profile is asked for swaps': isAsked('swapApi', buildZapIn),
    'Transactions tip the block engine at the address of the profile': async (inspection) => {
      const text = await (await buildZapIn(inspection)).text();
      const keys = [...text.matchAll(/"([A-Za-z0-9+/]{200,}={0,2})"/g)].flatMap(
        ([, transaction = '']) => parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64'))).staticKeys,
      );
      assert.ok(
        keys.some((key) => JITO_TIP_ACCOUNTS.includes(key)),
        text,
      );
    },
    'Connecting to another service releases the local service': async (inspection) => {
      const { process: service } = inspection.rpcService;
      assert.equal(service.state.kind, 'running');
      await setBaseUrl('');
      await until(
        'the release of the local service',
        (listener) => service.onDidChange(listener),
        () => service.state.kind === 'stopped',
      );
      assert.equal(inspection.connection.choice.kind, 'sandbox');
    },
  },
};
