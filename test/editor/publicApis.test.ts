import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import type { OverviewToPanel } from '../../src/protocol/overview';
import type { PoolToPanel } from '../../src/protocol/pool';
import type { OpenPanel, PanelRegistry } from '../../src/ui/panels/panels';
import type { Inspection } from '../../src/ui/services';
import { MAINNET_GENESIS_HASH, SANDBOX } from '../../src/ui/shell/serviceChoice';
import type { MarketApi, MarketApis } from '../support/chain/marketApis';
import {
  answering,
  eventually,
  readExtension,
  refresh,
  setBaseUrl,
  setSetting,
  until,
  untilShown,
  type Subscribe,
} from '../support/editor/inspect';
import type { Mainnet } from '../support/mainnet/mainnet';
import { describeOnPrograms } from '../support/programs';
import { isRunning } from '../support/isRunning';

const LOOK_EVERY_MS = 25;
/** They are variables of the service alone, which the window hands on. Those of the profile take the place of the others. */
const HANDED_ON = ['BINSIGHT_DAMM_DATA_API_URL', 'BINSIGHT_DISCOVERY_API_URL'];

/** What the user can see. */
interface Seen {
  /** Open positions, and whether their profit is known. */
  readonly rows: readonly (readonly [address: string, hasPnl: boolean, hasUsd: boolean])[];
  readonly closed: readonly (readonly [address: string | undefined, hasPnl: boolean, doubt: string | undefined])[];
  readonly total: number | undefined;
  readonly hasChart: boolean;
  /** Types of the listed pools. */
  readonly pools: readonly string[];
  readonly hasScores: boolean;
}

describeOnPrograms('A Solana RPC beside the public APIs', () => {
  let inspection: Inspection;
  let panels: PanelRegistry;
  let mainnet: Mainnet;
  let apis: MarketApis;
  let open: Address;
  let closed: Address;

  before(async () => {
    inspection = await readExtension();
    panels = await inspection.panels.panels();
    // Only here: the SDKs are large, and the other tests do without.
    const { Mainnet: Chain } = await import('../support/mainnet/mainnet');
    const { MarketApis: Apis } = await import('../support/chain/marketApis');
    mainnet = await Chain.start();
    apis = await Apis.start(mainnet);
    const wallet = mainnet.wallet(0);
    const { solUsdc } = mainnet.pools;
    const deposit = { x: 10n ** 9n, y: 150_000_000n };
    closed = (await solUsdc.open(wallet, deposit)).position;
    await solUsdc.swap(mainnet.wallet(1), 'x', 10n ** 9n);
    mainnet.advance({ seconds: 600 });
    await solUsdc.close(wallet, closed);
    open = (await solUsdc.open(wallet, deposit)).position;
    mainnet.finalize();
    apis.update();
    for (const name of HANDED_ON) {
      process.env[name] = apis.environment[name];
    }
    await setSetting('binsight.solanaRpc.publicData', false);
    await setSetting('binsight.solanaRpc.requestsPerSecond', 1_000);
  });

  after(async () => {
    for (const name of HANDED_ON) {
      Reflect.deleteProperty(process.env, name);
    }
    await inspection.owners.remove(mainnet.wallet(0).address);
    await setBaseUrl('');
    const profiles = await inspection.profiles();
    for (const profile of await profiles.list(SANDBOX)) {
      await profiles.remove(profile);
    }
    await setSetting('binsight.solanaRpc.publicData', undefined);
    await setSetting('binsight.solanaRpc.requestsPerSecond', undefined);
    await readExtension();
    await Promise.all([apis.close(), mainnet.stop()]);
  });

  const service = () => {
    const { state } = inspection.rpcService.process;
    return state.kind === 'running' ? state.ready : assert.fail(`The local service is ${state.kind}`);
  };

  /** Ends the service, and starts a new one, which knows nothing, with one of the APIs down. */
  async function restart(down: MarketApi | undefined): Promise<void> {
    const { pid } = service();
    inspection.rpcService.stop();
    process.kill(pid);
    await eventually('the end of the local service', () => !isRunning(pid));
    await rm(join(inspection.sandboxPlace.dataDir, '..', 'solana-rpc'), { recursive: true, maxRetries: 20, retryDelay: 500 });
    apis.breakDown(down);
    await refresh(inspection);
  }

  /** Waits until the service has read the history of the wallet. */
  async function historyRead(): Promise<void> {
    const { url, apiKey } = service();
    for (;;) {
      const response = await fetch(new URL('/status', url), { headers: { 'x-api-key': apiKey } });
      if (/"state":\s*"current"/.test(await response.text())) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Opens a panel, and waits for a message to it. */
  async function told<Found>(
    command: string,
    argument: unknown,
    what: string,
    find: (message: never) => Found | undefined,
  ): Promise<Found> {
    const before = panels.all.length;
    await vscode.commands.executeCommand(command, argument);
    assert.equal(panels.all.length, before + 1);
    const { panel } = panels.all.at(-1) ?? assert.fail('nothing was opened');
    return toldBy(panel.webview, what, find);
  }

  async function look(): Promise<Seen> {
    const isRead = () => inspection.portfolio.snapshot.positions.every(({ pnl }) => pnl.native !== undefined);
    await untilShown(inspection, 'the position with its profit', ({ positions }) => positions.length === 1 && isRead());
    await refresh(inspection);
    await untilShown(inspection, 'pools', ({ poolsState }) => poolsState.kind === 'ready');
    const history = await told('binsight.openOverview', undefined, 'the history', (message: OverviewToPanel) =>
      message.kind === 'history' && message.history.status === 'ready' && message.history.data?.window.rows.length === 1
        ? message.history.data
        : undefined,
    );
    const pool = { kind: 'pool', pool: { address: mainnet.pools.solUsdc.address } };
    const chart = await told('binsight.openPool', pool, 'the price chart', (message: PoolToPanel) =>
      message.kind === 'priceHistory' && message.priceHistory.status === 'ready' ? message.priceHistory.data : undefined,
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { positions, pools } = inspection.portfolio.snapshot;
    return {
      rows: positions.map(({ key, pnl, value }) => [key, pnl.native !== undefined, value.usd !== undefined]),
      closed: history.window.rows.map(({ address, pnl, doubt }) => [address, pnl.native !== undefined, doubt]),
      total: history.totalCount,
      hasChart: chart.prices.length > 0,
      pools: [...new Set(pools.map(({ poolType }) => poolType))].sort(),
      hasScores: pools.some(({ organicScore }) => organicScore !== undefined),
    };
  }

  let usual: Seen;

  it('Connected to an RPC, the user watches an address and sees its position, its history and the price chart', async () => {
    const profiles = await inspection.profiles();
    const { BINSIGHT_DATA_API_URL: dataApi, BINSIGHT_PRICE_API_URL: priceApi } = apis.environment;
    const choice = { kind: 'solanaRpc', id: 'solana', name: 'Solana RPC', genesisHash: MAINNET_GENESIS_HASH } as const;
    const profile = await profiles.add(choice, parseRpcUrl(mainnet.rpcUrl), 'Little mainnet');
    await profiles.setAddress(profile, 'dataApi', dataApi);
    await profiles.setAddress(profile, 'priceApi', priceApi);
    await answering(inspection, [{ pick: 'Solana RPC' }, { type: mainnet.rpcUrl }], async (prompts) => {
      await vscode.commands.executeCommand('binsight.connectService');
      await prompts.noticed(/^Binsight now uses Little mainnet/);
    });
    await answering(inspection, [{ type: mainnet.wallet(0).address }], async () => {
      await vscode.commands.executeCommand('binsight.watchAddress');
    });
    await untilShown(inspection, 'the position', ({ positions }) => positions.some(({ address }) => address === open));
    await historyRead();
    usual = await look();
    assert.deepEqual(usual, {
      rows: [[open, true, true]],
      closed: [[closed, true, undefined]],
      total: 1,
      hasChart: true,
      pools: ['dammV2', 'dlmm'],
      hasScores: true,
    });
    assert.deepEqual(apis.violations, []);
  });

  const lacking: Readonly<Record<MarketApi, Partial<Seen>>> = {
    // Pools of known positions are listed, and recorded prices charted.
    dlmm: {},
    damm: { pools: ['dlmm'] },
    discovery: { hasScores: false },
    // The pool of SOL and USDC says what SOL is worth.
    prices: {},
  };
  for (const [api, lacks] of Object.entries(lacking)) {
    it(`Without the API of ${api} everything else is as before`, async () => {
      const { requests } = apis.servers[api as MarketApi];
      requests.length = 0;
      await restart(api as MarketApi);
      await historyRead();
      assert.deepEqual(await look(), { ...usual, ...lacks });
      assert.ok(requests.length > 0, 'it was asked');
    });
  }
});

/** Waits for a message to a page. */
async function toldBy<Found>(
  webview: OpenPanel['panel']['webview'],
  what: string,
  find: (message: never) => Found | undefined,
): Promise<Found> {
  const own = webview.postMessage.bind(webview);
  let found: Found | undefined;
  const listeners = new Set<() => void>();
  webview.postMessage = (message: unknown) => {
    found ??= find(message as never);
    listeners.forEach((listener) => listener());
    return own(message);
  };
  const subscribe: Subscribe = (listener) => {
    listeners.add(listener);
    return { dispose: () => void listeners.delete(listener) };
  };
  await until(what, subscribe, () => found !== undefined);
  return found ?? assert.fail(what);
}
