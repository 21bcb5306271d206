import assert from 'node:assert/strict';
import { USDC_MINT } from '../../src/base/solana/programs';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import * as launcher from '../../src/ui/connection/sandboxLaunch';
import { type SandboxProcess, superviseSandbox } from '../../src/ui/connection/sandboxProcess';
import type { CommandTraits } from '../../src/settings/commandDeclaration';
import { COMMAND_IDS, type CommandId } from '../../src/settings/generated/commandIds';
import { COMMAND_TRAITS } from '../../src/settings/generated/commandTraits';
import type { Answer, Notice, ProgressRequest, Prompts } from '../../src/ui/shell/prompts/prompts';
import { OTHER_OWNER } from '../support/portfolio/fixtures';
import { SANDBOX } from '../../src/ui/shell/serviceChoice';
import { commandEnding, readExtension, refresh, sandboxOf, setBaseUrl, untilShown } from '../support/editor/inspect';
import { PROXY_KEY, ServiceProxy } from '../support/editor/serviceProxy';

/** What changes the state at once, without a question. */
const CHANGES_THE_STATE: readonly CommandId[] = ['binsight.useSandbox', 'binsight.newSandboxWallet'];

/** What a command ended with, for a user who leaves every question and dismisses every notification. */
class LeavingUser implements Prompts {
  readonly notices: Notice<string>[] = [];
  questions = 0;

  pick<Value>(): Promise<Answer<Value>> {
    return this.#leave();
  }

  select<Value>(): Promise<Answer<readonly Value[]>> {
    return this.#leave();
  }

  input<Value>(): Promise<Answer<Value>> {
    return this.#leave();
  }

  acknowledge(): Promise<Answer<true>> {
    return this.#leave();
  }

  confirm(): Promise<undefined> {
    this.questions += 1;
    return Promise.resolve(undefined);
  }

  chooseFile(): Promise<undefined> {
    this.questions += 1;
    return Promise.resolve(undefined);
  }

  notify(notice: Notice<string>): Promise<undefined> {
    this.notices.push(notice);
    return Promise.resolve(undefined);
  }

  progress<Result>(
    _request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return task(() => undefined, new AbortController().signal);
  }

  #leave(): Promise<{ readonly kind: 'cancelled' }> {
    this.questions += 1;
    return Promise.resolve({ kind: 'cancelled' });
  }
}

/** Commands whose result is in a view, the clipboard or another part of the window. All others tell or ask something, in every state. */
const SHOWN_ELSEWHERE: readonly CommandId[] = [
  'binsight.refresh',
  'binsight.showAllPools',
  'binsight.loadMorePools',
  'binsight.openPool',
  'binsight.openPosition',
  'binsight.openOverview',
  'binsight.showAutomationPlan',
  'binsight.showOperation',
  'binsight.showLog',
  'binsight.copyAddress',
  'binsight.copySignature',
  'binsight.copyMcpConfiguration',
  'binsight.toggleFavorite',
];

/** Those whose result shows if they are run on a row: the wallet of the row is the current one, the panel of the pool has the plan. */
const SHOWN_ELSEWHERE_ON_A_ROW: readonly CommandId[] = ['binsight.switchWallet', 'binsight.zapIn'];

/** Where nothing answers. */
const NOTHING_LISTENS = 'http://127.0.0.1:9';

describe('Every command', () => {
  let inspection: Inspection;
  let otherWindow: SandboxProcess;
  let proxy: ServiceProxy;
  let openExternal: Inspection['actions']['openExternal'];
  let pagesOpened = 0;
  const rejected: unknown[] = [];
  const note = (reason: unknown) => void rejected.push(reason);

  before(async () => {
    inspection = await readExtension();
    // Keeps the sandbox running while the extension is connected elsewhere.
    otherWindow = superviseSandbox(
      inspection.sandboxPlace,
      () => undefined,
      () => Promise.resolve(launcher),
    );
    proxy = await ServiceProxy.start(await otherWindow.start());
    openExternal = inspection.actions.openExternal.bind(inspection.actions);
    inspection.actions.openExternal = () => {
      pagesOpened += 1;
      return Promise.resolve();
    };
    process.on('unhandledRejection', note);
  });

  after(async () => {
    process.off('unhandledRejection', note);
    inspection.actions.openExternal = openExternal;
    await setBaseUrl('');
    await inspection.apiKeys.delete(NOTHING_LISTENS);
    await inspection.apiKeys.delete(proxy.id);
    await inspection.owners.remove(OTHER_OWNER);
    for (const { address } of inspection.owners.known(SANDBOX).filter(({ origin }) => origin === 'generated')) {
      await inspection.owners.remove(address);
    }
    await inspection.owners.activate(sandboxOf(inspection).owner, SANDBOX);
    otherWindow.stop();
    // Which panel is in front decides what is starred without a row.
    const favorites = await inspection.favorites();
    for (const { pool } of favorites.all) {
      await favorites.remove(pool.address);
    }
    await readExtension();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /**
   * What is wrong with how a command ended.
   * @param isShownElsewhere what it did shows in a view or in the browser
   */
  function faultsOf(id: CommandId, user: LeavingUser, isShownElsewhere: boolean): readonly string[] {
    const texts = user.notices.map(({ message }) => message);
    return [
      ...texts.filter((message) => /unexpected error|undefined|\[object|NaN/i.test(message)).map((message) => `${id} told: ${message}`),
      ...(texts.length + user.questions > 0 || isShownElsewhere ? [] : [`${id} ended in silence`]),
      // What went wrong comes with what to do about it: a button, or a further sentence.
      ...user.notices
        .filter(({ severity, message, actions = [] }) => severity !== 'info' && actions.length === 0 && !/[.!?] \S/.test(message))
        .map(({ message }) => `${id} names nothing to do: ${message}`),
    ];
  }

  /** Runs a command, and leaves all that it asks. */
  async function run(id: CommandId, row: unknown): Promise<readonly string[]> {
    const user = new LeavingUser();
    const before = inspection.prompts.use(user);
    const pagesBefore = pagesOpened;
    try {
      await vscode.commands.executeCommand(id, row);
    } finally {
      inspection.prompts.use(before);
    }
    const isShownElsewhere =
      pagesOpened > pagesBefore || SHOWN_ELSEWHERE.includes(id) || (row !== undefined && SHOWN_ELSEWHERE_ON_A_ROW.includes(id));
    return faultsOf(id, user, isShownElsewhere);
  }

  /** Runs all commands without a row, and those that take one on a row of each kind that is shown. */
  async function runAll(): Promise<void> {
    const { positions, pools, activity } = inspection.views;
    const shown: readonly { readonly kind: string }[] = [...positions.getChildren(), ...pools.getChildren(), ...activity.getChildren()];
    const rowOf = (kind: string) => shown.filter((node) => node.kind === kind).slice(0, 1);
    const [position, pool, operation] = [rowOf('position'), rowOf('pool'), rowOf('operation')];
    const wallets = inspection.owners.known(inspection.connection.choice).slice(0, 1);
    const wallet = wallets.map(({ address }) => ({ kind: 'wallet', address }));
    const rows: Readonly<Record<CommandTraits['argument'], readonly unknown[]>> = {
      ...{ position, pool, operation, wallet, plan: [], none: [] },
      positions: position,
      positionOrPool: [...position, ...pool],
      positionOrPlan: position,
      addressed: [...position, ...pool, ...wallet],
      account: [{ kind: 'account', address: USDC_MINT }],
    };
    const faults: string[] = [];
    for (const id of COMMAND_IDS) {
      if (!CHANGES_THE_STATE.includes(id)) {
        for (const row of [undefined, ...rows[COMMAND_TRAITS[id].argument]]) {
          faults.push(...(await run(id, row)));
        }
      }
    }
    assert.deepEqual([faults, rejected], [[], []]);
  }

  /** Connects to a service that is not the sandbox. */
  async function connect(): Promise<void> {
    await inspection.apiKeys.set(proxy.id, PROXY_KEY);
    await setBaseUrl(proxy.baseUrl);
  }

  /** Shows positions and pools of the connected service, of a wallet without a key. */
  async function showLists(): Promise<void> {
    await inspection.owners.watch(OTHER_OWNER, inspection.connection.choice);
    await refresh(inspection);
    await untilShown(inspection, 'the positions of the service', ({ positions, pools }) => positions.length > 0 && pools.length > 0);
  }

  const STATES: Readonly<Record<string, () => Promise<void>>> = {
    'with everything': async () => undefined,
    'with a watch-only wallet that has nothing': () => inspection.owners.watch(OTHER_OWNER, inspection.connection.choice),
    'without a key for the wallet, whose positions are listed': async () => {
      await connect();
      await showLists();
    },
    'offline, with the lists of before': async () => {
      // The commands of the state before have switched to another wallet.
      await showLists();
      await proxy.stop();
      await refresh(inspection);
      assert.equal(inspection.portfolio.snapshot.positionsState.kind, 'stale');
    },
    'without an API key': () => setBaseUrl('https://service.invalid/open-api/v1'),
    'with an invalid service address': () => setBaseUrl('http://example.org/open-api/v1'),
    'with a service that does not answer': async () => {
      await inspection.apiKeys.set(NOTHING_LISTENS, 'any-key');
      await setBaseUrl(`${NOTHING_LISTENS}/open-api/v1`);
    },
    'without a wallet': async () => {
      await inspection.owners.remove(OTHER_OWNER);
      assert.equal(inspection.owners.active(inspection.connection.choice), undefined);
    },
    'with a wallet that signs and has nothing': async () => {
      await setBaseUrl('');
      await readExtension();
      await commandEnding(inspection, 'binsight.newSandboxWallet', undefined, [{ press: 'Create Wallet' }], /^Sandbox wallet .+ created/);
      await untilShown(
        inspection,
        'no positions',
        ({ positions, positionsState }) => positions.length === 0 && positionsState.kind === 'ready',
      );
    },
  };

  for (const [name, prepare] of Object.entries(STATES)) {
    it(`Every command ends with a question, a result or a message that says what to do ${name}, if all questions are left`, async () => {
      await prepare();
      await runAll();
    });
  }
});
