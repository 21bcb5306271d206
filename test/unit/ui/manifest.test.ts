import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, type CommandTraits } from '../../../src/ui/shell/commands/registry';
import { COLOR, CONTEXT, DOCUMENT_PANEL, MCP_PROVIDER, PANEL, SETTING, VIEW } from '../../../src/ui/shell/names';
import { NOTICE_SETTING, READ_NOTICES } from '../../../src/ui/notices/noticeSettings';
import { READ_RULES, READ_TERMS } from '../../../src/ui/shell/settings/rebalanceRules';
import { MOST_ADDRESSES, READ, readAddresses, type SettingReading } from '../../../src/ui/shell/settings/values';
import { remediesOf } from '../../../src/ui/shell/views/remedies';
import type { ViewState } from '../../../src/ui/shell/views/viewState';
import { DEFAULT_POLICY } from '../../../src/review/policy';
import { lamportsToSol } from '../../../src/base/solana/amounts';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';

interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly scope?: string;
  readonly ignoreSync?: boolean;
  readonly order?: number;
  readonly markdownDescription?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly maxItems?: number;
  readonly items?: { readonly pattern?: string; readonly patternErrorMessage?: string };
  readonly enum?: readonly unknown[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Section {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, Setting>>;
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly extensionKind: readonly string[];
  readonly icon: string;
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: unknown;
      readonly description: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly configuration: readonly Section[];
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string; readonly icon: string }[]>>;
    readonly colors: readonly { readonly id: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly completionEvents: readonly string[];
        readonly media: { readonly image: Readonly<Record<string, string>> };
      }[];
    }[];
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string; readonly contents: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
  };
}

const strings = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;

/** Puts the texts of package.nls.json in the place of their keys, as VS Code does. A key without a text stays: the tests below find it. */
const manifest = JSON.parse(readFileSync('package.json', 'utf8'), (_, value: unknown) =>
  typeof value === 'string' ? (strings[/^%([\w.]+)%$/.exec(value)?.[1] ?? ''] ?? value) : value,
) as Manifest;
const { contributes } = manifest;
const settings: Readonly<Record<string, Setting>> = Object.fromEntries(
  contributes.configuration.flatMap(({ properties }) => Object.entries(properties)),
);
const settingIds: readonly string[] = [...Object.values(SETTING), ...Object.values(NOTICE_SETTING)].sort();
const traits: Readonly<Record<string, CommandTraits>> = COMMANDS;
const commandIds = Object.keys(traits);
const menuItems = Object.entries(contributes.menus).flatMap(([menu, items]) => items.map((item) => ({ menu, ...item })));

/** Reads all TypeScript files under a folder as one text. */
function sources(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** What the rows of a view are. */
const ROWS = { [VIEW.positions]: 'position', [VIEW.wallet]: 'wallet', [VIEW.pools]: 'pool', [VIEW.activity]: 'operation' };

describe('Manifest and code', () => {
  it('The manifest and the code have the same commands', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...commandIds].sort());
  });

  it('The manifest and the code have the same settings', () => {
    assert.deepEqual(Object.keys(settings).sort(), settingIds);
  });

  it('The manifest and the code have the same views', () => {
    assert.deepEqual(
      contributes.views['binsight']?.map(({ id }) => id),
      Object.values(VIEW),
    );
  });

  it('The manifest and the code have the same colors', () => {
    assert.deepEqual(contributes.colors.map(({ id }) => id).sort(), Object.values(COLOR).sort());
  });

  it('The manifest uses only context keys that the code sets', () => {
    const clauses = [...menuItems.map(({ when }) => when ?? ''), ...contributes.viewsWelcome.map(({ when }) => when)];
    const used = new Set(
      clauses.flatMap((clause) => clause.match(/binsight\.(?!positions\b|wallet\b|pools\b|activity\b|pool\b)\w+/g) ?? []),
    );
    assert.deepEqual([...used].sort(), Object.values(CONTEXT).sort());
  });

  it('Every command that a menu, a welcome text or the code names exists', () => {
    const named = [
      ...menuItems.map(({ command }) => command),
      ...contributes.viewsWelcome.flatMap(({ contents }) => [...contents.matchAll(/command:([\w.]+)/g)].map(([, id]) => id ?? '')),
    ];
    const literals = [...sources('src/ui').matchAll(/'(binsight\.[a-zA-Z]+)'/g)].map(([, id]) => id ?? '');
    const others = new Set<string>([
      ...Object.values(VIEW),
      ...Object.values(PANEL),
      ...Object.values(CONTEXT),
      ...settingIds,
      ...Object.values(COLOR),
      MCP_PROVIDER,
      DOCUMENT_PANEL,
      'binsight.owners',
      'binsight.walletsLockedAt',
      'binsight.introduced',
      'binsight.toldAside',
      'binsight.favoritePools',
      'binsight.poolSearches',
      'binsight.serviceProfiles',
      'binsight.pnl',
      'binsight.serviceProfiles',
      'binsight.webhook',
      'binsight.automation',
    ]);
    for (const id of [...named, ...literals.filter((literal) => !others.has(literal))]) {
      assert.ok(id in traits, id);
    }
  });

  it('The walkthrough links only to commands that exist and move no funds, and its pictures are files', () => {
    for (const { steps } of contributes.walkthroughs) {
      for (const { description, media, completionEvents } of steps) {
        const linked = [...description.matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id ?? '');
        const awaited = completionEvents.flatMap((event) => (event.startsWith('onCommand:') ? [event.slice('onCommand:'.length)] : []));
        for (const id of [...linked, ...awaited].filter((one) => one !== `${VIEW.positions}.focus`)) {
          assert.ok(traits[id] !== undefined, id);
        }
        assert.deepEqual(
          linked.filter((id) => traits[id]?.movesFunds === true),
          [],
        );
        assert.ok(completionEvents.length > 0);
        for (const file of Object.values(media.image)) {
          assert.ok(statSync(file).size > 0, file);
        }
      }
    }
  });

  it('Every icon of the manifest is a file with content', () => {
    const icons = [
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...(contributes.views['binsight'] ?? []).map(({ icon }) => icon),
    ];
    for (const icon of icons) {
      assert.ok(readFileSync(icon).length > 0, icon);
    }
  });

  it('Only the start of the window or a restored panel activates the extension', () => {
    assert.deepEqual(manifest.activationEvents, ['onStartupFinished', ...Object.values(PANEL).map((type) => `onWebviewPanel:${type}`)]);
  });

  it("The extension prefers the user's machine to the machine with the files", () => {
    assert.deepEqual(manifest.extensionKind, ['ui', 'workspace']);
  });
});

describe('Manifest: commands', () => {
  it('The palette contains a command exactly if the command can be used from there', () => {
    const hidden = (contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command);
    assert.deepEqual(hidden.sort(), commandIds.filter((id) => traits[id]?.inPalette === false).sort());
  });

  it('A command that moves funds needs trust', () => {
    for (const id of commandIds) {
      assert.ok(traits[id]?.movesFunds !== true || traits[id].needsTrust, id);
    }
    assert.deepEqual(
      commandIds.filter((id) => traits[id]?.movesFunds),
      [
        'binsight.zapOut',
        'binsight.zapIn',
        'binsight.rebalance',
        'binsight.rebalanceAll',
        'binsight.startAutoRebalance',
        'binsight.reenter',
        'binsight.finishOperation',
        'binsight.continuePlan',
      ],
    );
  });

  it('The menus of rows contain only the commands that take such rows', () => {
    for (const { command, when = '' } of contributes.menus['view/item/context'] ?? []) {
      const { argument } = traits[command] ?? { argument: 'none' };
      // The Positions view also has rows of other wallets, of which no command gets a position.
      const isOfOther = when.includes(`${VIEW.positions} && viewItem =~ /^other`);
      const row = isOfOther ? 'wallet' : (Object.entries(ROWS).find(([view]) => when.includes(`${view} `))?.[1] ?? 'none');
      const several: Readonly<Record<string, readonly string[]>> = {
        positionOrPool: ['position', 'pool'],
        addressed: ['position', 'pool', 'wallet'],
      };
      const taken = several[argument] ?? [argument];
      assert.ok(taken.includes(row), `${command} on a ${row}`);
    }
  });

  it('Every command has the category Binsight and a title in Title Case', () => {
    for (const { title, category } of contributes.commands) {
      assert.equal(category, 'Binsight');
      assert.match(title, /^[A-Z][^%]+$/);
    }
  });

  it('A title ends in "…" exactly if the command opens a dialog for input', () => {
    // Whatever needs trust enters a secret, asks what to send, or asks for a confirmation.
    const asking = new Set<string>([
      ...commandIds.filter((id) => traits[id]?.needsTrust),
      'binsight.watchAddress',
      'binsight.stopWatching',
      'binsight.switchWallet',
      'binsight.nameWallet',
      'binsight.automationMenu',
      'binsight.sandboxMenu',
      'binsight.movePrice',
      'binsight.advanceTime',
      'binsight.setSandboxSpeed',
      'binsight.playHostileService',
      'binsight.playFault',
      'binsight.sortPositions',
      'binsight.groupPositions',
      'binsight.filterPositions',
      'binsight.sortPools',
      'binsight.searchPools',
      'binsight.filterPools',
      'binsight.savePoolSearch',
      'binsight.applyPoolSearch',
      'binsight.deletePoolSearch',
    ]);
    for (const { command, title } of contributes.commands) {
      assert.equal(title.endsWith('…'), asking.has(command), `${command}: ${title}`);
    }
  });
});

/** What a description has to name, by the end of the setting's id. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/PerSecond$/, 'requests per second'],
  [/PerMinute$/, 'requests a minute'],
  [/Seconds$/, 'in seconds'],
  [/Minutes$/, 'in minutes'],
  [/Bps$/, 'in basis points'],
  [/Sol$/, 'SOL'],
  [/Usd$/, 'US dollars'],
  [/Percent$/, 'percentage'],
  [/Bins$/, 'bins'],
  [/Checks$/, 'checks'],
  [/PerDay$/, 'in 24 hours'],
];

describe('Manifest: settings', () => {
  for (const [name, setting] of Object.entries(settings)) {
    it(`${name} has a description and labels, and a folder cannot set it`, () => {
      assert.equal(setting.scope, 'application');
      assert.ok((setting.markdownDescription ?? '').length > 40);
      assert.doesNotMatch(setting.markdownDescription ?? '', /^%/);
      assert.equal(setting.enumItemLabels?.length, setting.enum?.length);
      assert.equal(setting.markdownEnumDescriptions?.length ?? setting.enum?.length, setting.enum?.length);
      for (const text of [...(setting.enumItemLabels ?? []), ...(setting.markdownEnumDescriptions ?? [])]) {
        assert.match(text, /^[A-Z\d][^%_]*$/);
      }
    });
  }

  for (const [name, setting] of Object.entries(settings)) {
    it(`${name} says in its first sentence what it is, with its unit, bounds and default`, () => {
      const { type, markdownDescription: text = '', minimum, maximum, default: standard } = setting;
      const [first = ''] = /^.+?[.:](?= |$)/.exec(text) ?? [];
      assert.match(first, /^[A-Z]\w* .{15,180}[.:]$/);
      assert.doesNotMatch(first, /#|binsight/, 'it needs no other setting to be understood');
      const unit = UNITS.find(([key]) => key.test(name))?.[1];
      assert.ok(unit === undefined || text.includes(unit), `the unit: ${unit}`);
      switch (type) {
        case 'integer':
        case 'number':
          assert.ok(unit !== undefined, 'a number has a unit');
          assert.ok(text.includes(`(${String(minimum)} to ${String(maximum)}, ${String(standard)} by default`), 'bounds and default');
          break;
        case 'boolean':
          assert.match(text, standard === true ? / On by default\.$/ : / Off by default\.$/);
          break;
        case 'array':
          assert.match(text, / Empty by default\.$/);
          assert.equal(setting.maxItems, MOST_ADDRESSES);
          break;
        default:
          assert.ok(setting.enum !== undefined || standard !== '' || /eave empty|; empty: /.test(text), 'what it means if it is empty');
      }
      for (const { pattern, patternErrorMessage } of [setting, setting.items ?? {}]) {
        assert.equal(pattern === undefined, patternErrorMessage === undefined, 'a pattern has a message');
        assert.doesNotMatch(patternErrorMessage ?? '', /^%/);
      }
    });
  }

  it('The settings take as list entries exactly what the code takes as addresses', () => {
    const pattern = new RegExp(settings[SETTING.trustedPrograms]?.items?.pattern ?? '(?!)');
    for (const text of [PROGRAMS.dlmm, ` ${PROGRAMS.system} `, WRAPPED_SOL_MINT]) {
      const reading = readAddresses([text]);
      assert.ok(reading.ok && reading.leftOut === undefined && pattern.test(text), text);
    }
    for (const text of ['', 'x', PROGRAMS.dlmm.replace(/./, '0'), `${PROGRAMS.dlmm}${PROGRAMS.dlmm}`]) {
      const reading = readAddresses([text]);
      assert.ok(reading.ok && reading.leftOut !== undefined && !pattern.test(text), text);
    }
  });

  it('The settings are in five groups with titles and an order', () => {
    const counted = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
    assert.deepEqual(
      contributes.configuration.map(({ title, order }) => [title, order]),
      [
        ['Connection', 1],
        ['Lists and Status Bar', 2],
        ['Signing and Review', 3],
        ['Rebalance', 4],
        ['Notifications', 5],
      ],
    );
    for (const { title, properties } of contributes.configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(orders, counted(orders.length), title);
    }
  });

  const readers: Readonly<Record<string, (raw: unknown) => SettingReading<unknown>>> = {
    ...READ,
    ...READ_TERMS,
    ...READ_RULES,
    ...READ_NOTICES,
  };
  for (const [name, read] of Object.entries(readers)) {
    it(`${name} has a default that the code accepts, and the same bounds as the code`, () => {
      const setting = settings[name];
      assert.ok(setting);
      const reading = read(setting.default);
      assert.ok(reading.ok && reading.leftOut === undefined);
      assert.deepEqual(typeof reading.value === 'bigint' ? Number(lamportsToSol(reading.value)) : reading.value, setting.default);
      for (const value of [setting.minimum, setting.maximum, ...(setting.enum ?? [])].filter((one) => one !== undefined)) {
        assert.ok(read(value).ok, JSON.stringify(value));
      }
      for (const beyond of [(setting.minimum ?? NaN) - 1, (setting.maximum ?? NaN) + 1]) {
        assert.ok(!read(beyond).ok);
      }
    });
  }

  it('An untrusted folder can set only settings for display and suggested values', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const shownOnly: readonly string[] = [
      SETTING.refreshIntervalSeconds,
      SETTING.slippageBps,
      SETTING.positionsSortBy,
      SETTING.positionsGroupBy,
      SETTING.poolsSortBy,
      NOTICE_SETTING.leftRange,
      NOTICE_SETTING.enteredRange,
      NOTICE_SETTING.pnlAbovePercent,
      NOTICE_SETTING.pnlBelowPercent,
      NOTICE_SETTING.feesAboveUsd,
      NOTICE_SETTING.operationEnded,
      NOTICE_SETTING.autoRebalanceAsks,
      NOTICE_SETTING.autoRebalanceActs,
      SETTING.statusBarCurrency,
      SETTING.statusBarTemplate,
      SETTING.statusBarWarnOutOfRange,
    ];
    assert.equal(supported, 'limited');
    assert.deepEqual([...restrictedConfigurations].sort(), settingIds.filter((name) => !shownOnly.includes(name)).sort());
  });

  it('The address of the RPC, which can contain a key, is not synchronized', () => {
    assert.equal(settings[SETTING.rpcUrl]?.ignoreSync, true);
  });

  it('The defaults of the review settings are the defaults of the review', () => {
    const defaults = (name: string) => settings[name]?.default;
    assert.deepEqual(
      [defaults(SETTING.tipCapSol), defaults(SETTING.priorityFeeCapSol), defaults(SETTING.feeRecipientCapSol)],
      [DEFAULT_POLICY.tipAllowLamports, DEFAULT_POLICY.feeAllowLamports, DEFAULT_POLICY.feeRecipientCapLamports].map((lamports) =>
        Number(lamportsToSol(lamports)),
      ),
    );
    assert.deepEqual(
      [defaults(SETTING.trustedPrograms), defaults(SETTING.feeRecipients), defaults(SETTING.strictWithoutRpc)],
      [DEFAULT_POLICY.trustedPrograms, DEFAULT_POLICY.feeRecipients, DEFAULT_POLICY.isStrictWithoutRpc],
    );
  });
});

describe('Manifest: welcome texts', () => {
  /** All values of `ViewState` except `listed`. Pools need no wallet. */
  const states: readonly ViewState[] = [
    'loading',
    'startingSandbox',
    'sandboxCannotRun',
    'sandboxFailed',
    'startingService',
    'serviceFailed',
    'noRpcAddress',
    'rpcRefused',
    'rpcUnavailable',
    'invalidAddress',
    'noApiKey',
    'noOwner',
    'refused',
    'unreachable',
    'failed',
    'empty',
  ];

  it('Every state of an empty view has either a welcome text, or rows with what helps below the reason', () => {
    for (const [view, key] of [
      [VIEW.positions, CONTEXT.positionsState],
      [VIEW.pools, CONTEXT.poolsState],
    ] as const) {
      const covered = contributes.viewsWelcome
        .filter((welcome) => welcome.view === view)
        .map(({ when }) => new RegExp(`${key} == '(\\w+)'`).exec(when)?.[1]);
      const withRows = states.filter((state) => remediesOf(state).length > 0);
      assert.deepEqual(
        [...new Set(covered), ...withRows].sort(),
        states.filter((state) => view === VIEW.positions || state !== 'noOwner').sort(),
      );
    }
    const ofWallet = contributes.viewsWelcome.filter(({ view }) => view === VIEW.wallet).map(({ when }) => when);
    assert.deepEqual(
      ofWallet.sort(),
      ['loading', 'noOwner'].map((state) => `${CONTEXT.walletState} == '${state}'`),
    );
    const ofActivity = contributes.viewsWelcome.filter(({ view }) => view === VIEW.activity).map(({ when }) => when);
    assert.deepEqual(
      ofActivity.sort(),
      ['empty', 'failed', 'loading'].map((state) => `${CONTEXT.activityState} == '${state}'`),
    );
  });

  it('Every failure of a service offers the sandbox, in a row or in the welcome text, and its commands exist and move no funds', () => {
    for (const state of states.filter((one) => !/^(loading|starting|empty|sandbox)/.test(one))) {
      const commands = remediesOf(state).map(({ command }) => command);
      const linked = contributes.viewsWelcome
        .filter(({ view, when }) => view !== VIEW.wallet && when.includes(`'${state}'`))
        .map(({ contents }) => contents.includes('(command:binsight.useSandbox)'));
      assert.ok(commands.length > 0 ? commands.includes('binsight.useSandbox') : linked.length > 0 && linked.every(Boolean), state);
      assert.ok(
        commands.every((command) => !COMMANDS[command].movesFunds && !COMMANDS[command].argument.includes('operation')),
        state,
      );
    }
  });

  it('Every welcome text has exactly one button, except while there is nothing to do but wait', () => {
    for (const { when, contents } of contributes.viewsWelcome) {
      const buttons = contents.split('\n').filter((line) => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line));
      assert.equal(buttons.length, /'(loading|startingSandbox|startingService)'/.test(when) ? 0 : 1, when);
    }
  });
});
