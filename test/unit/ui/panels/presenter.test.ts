import assert from 'node:assert/strict';
import { presenterDependencies, type PanelParts } from '../../../../src/ui/panels/presenter';
import { readServiceChoice, SANDBOX, SOLANA_ID, type ServiceChoice } from '../../../../src/ui/shell/serviceChoice';
import { ambient } from '../../../../src/protocol/schemas';
import { generateKey } from '../../../../src/wallet/keys';
import { OTHER_OWNER, OWNER } from '../../../support/portfolio/fixtures';
import { REAL, walletWindow, type WalletWindow } from '../../../support/ui/walletWindow';
import { ScriptedPrompts, type ScriptedAnswer } from '../../../support/editor/scriptedPrompts';

interface Circumstances {
  readonly service?: ServiceChoice;
  readonly isInBrowser?: boolean;
  readonly currency?: 'usd' | 'sol';
  readonly answers?: readonly ScriptedAnswer[];
}

function setUp({ service = REAL, isInBrowser = false, currency = 'usd', answers = [] }: Circumstances = {}) {
  const desk = walletWindow({ service });
  const prompts = new ScriptedPrompts(answers);
  const settingListeners = new Set<() => void>();
  const serviceListeners = new Set<() => void>();
  const listening = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener);
    return { dispose: () => void listeners.delete(listener) };
  };
  const values: Readonly<Record<string, unknown>> = { 'binsight.currency': currency, 'binsight.slippageBps': 150 };
  const log = () => undefined;
  const parts = {
    ...{ prompts, log, isInBrowser, owners: desk.owners, locale: 'de', clock: desk.clock },
    connection: { choice: service, service: () => Promise.reject(new Error('not expected')), onDidChange: listening(serviceListeners) },
    settings: {
      get: (key: string) => values[key],
      onDidChange: (_: readonly string[], listener: () => void) => listening(settingListeners)(listener),
    },
    funnel: { prompts, log, isTrusted: () => true, execute: () => Promise.resolve() },
  } as unknown as PanelParts;
  return { desk, prompts, dependencies: presenterDependencies(parts), changes: [settingListeners, serviceListeners] };
}

async function watching(desk: WalletWindow, address: string): Promise<void> {
  await desk.run('binsight.watchAddress', [{ type: address }]);
}

describe('Presentation of panels', () => {
  it('The panels reflect the editor language, the service, the wallet and the settings', async () => {
    const { desk, dependencies } = setUp({ currency: 'sol' });
    assert.deepEqual(dependencies.ambient(), {
      locale: 'de',
      currency: 'native',
      serviceName: 'example.org',
      isSandbox: false,
      isOwnService: false,
      hasExplorer: true,
      canSign: false,
    });
    await watching(desk, OWNER);
    assert.deepEqual(dependencies.ambient(), {
      locale: 'de',
      currency: 'native',
      serviceName: 'example.org',
      isSandbox: false,
      isOwnService: false,
      hasExplorer: true,
      owner: OWNER,
      canSign: false,
    });
    assert.ok(ambient.safeParse(dependencies.ambient()).success);
    assert.equal(dependencies.defaultSlippageBps(), 150);
    assert.match(dependencies.serviceId(), /https:\/\/example\.org/);
    const others = ['https://example.org/second/v1', 'https://example.com/open-api/v1', ''].map((url) =>
      setUp({ service: readServiceChoice(url) }).dependencies.serviceId(),
    );
    assert.equal(new Set([dependencies.serviceId(), ...others]).size, 4, 'also where only the path is another');
  });

  it('The panels offer an explorer only for the accounts of mainnet', () => {
    const offers = (setting: string): boolean => setUp({ service: readServiceChoice(setting) }).dependencies.ambient().hasExplorer;
    assert.deepEqual(['https://example.org/open-api/v1', SOLANA_ID].map(offers), [true, true]);
    assert.deepEqual(['', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'ftp://x'].map(offers), [false, false, false]);
  });

  it('The panels show no service if its address cannot be read', () => {
    const { dependencies } = setUp({ service: readServiceChoice('ftp://x') });
    assert.deepEqual([dependencies.ambient().serviceName, dependencies.ambient().owner], ['No service', undefined]);
    assert.notEqual(dependencies.serviceId(), setUp().dependencies.serviceId());
  });

  it('A wallet in a browser can sign only in the sandbox', async () => {
    for (const [service, isInBrowser, canSign] of [
      [SANDBOX, true, true],
      [SANDBOX, false, true],
      [REAL, false, true],
      [REAL, true, false],
    ] as const) {
      const { desk, dependencies } = setUp({ service, isInBrowser });
      await desk.owners.importKey(generateKey(), service);
      assert.equal(dependencies.ambient().canSign, canSign);
    }
  });

  it('The panels are notified of each change until they unsubscribe', async () => {
    const { desk, dependencies, changes } = setUp();
    let times = 0;
    const subscription = dependencies.onDidChangeAmbient(() => times++);
    changes.forEach((listeners) => {
      listeners.forEach((listener) => listener());
    });
    await watching(desk, OWNER);
    assert.equal(times, 3);
    subscription.dispose();
    assert.deepEqual(
      changes.map(({ size }) => size),
      [0, 0],
    );
    await watching(desk, OTHER_OWNER);
    assert.equal(times, 3);
  });
});

describe('Watching an address from a panel', () => {
  it('Watch fills in the address and asks again before it changes the wallet', async () => {
    const { desk, prompts, dependencies } = setUp({ answers: [{ type: OTHER_OWNER }, { press: 'Watch Address' }] });
    await watching(desk, OWNER);
    await dependencies.watch(OTHER_OWNER);
    prompts.assertDone();
    assert.ok(prompts.asked.at(-1)?.title.includes(OTHER_OWNER));
    assert.equal(desk.owners.active(REAL)?.address, OTHER_OWNER);
  });

  it('Cancelling either question of Watch changes nothing', async () => {
    for (const answers of [['escape'], [{ type: OTHER_OWNER }, 'escape']] as const) {
      const { desk, prompts, dependencies } = setUp({ answers });
      await watching(desk, OWNER);
      await dependencies.watch(OTHER_OWNER);
      prompts.assertDone();
      assert.equal(desk.owners.active(REAL)?.address, OWNER);
    }
  });
});
