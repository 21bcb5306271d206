import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, type CommandTraits } from '../../../src/ui/shell/commands/registry';
import { CONTEXT, PANEL, SETTING, VIEW } from '../../../src/ui/shell/names';
import { READ_RULES, READ_TERMS } from '../../../src/ui/shell/settings/rebalanceRules';
import { READ, type SettingReading } from '../../../src/ui/shell/settings/values';
import { DEFAULT_POLICY } from '../../../src/review/policy';
import { lamportsToSol } from '../../../src/base/solana/amounts';

interface Setting {
  readonly default: unknown;
  readonly scope?: string;
  readonly ignoreSync?: boolean;
  readonly markdownDescription?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly markdownEnumDescriptions?: readonly string[];
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
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string; readonly contents: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const { contributes } = manifest;
const traits: Readonly<Record<string, CommandTraits>> = COMMANDS;
const commandIds = Object.keys(traits);
const menuItems = Object.entries(contributes.menus).flatMap(([menu, items]) => items.map((item) => ({ menu, ...item })));

/** All of the editor's sources as one text. */
function sources(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('The manifest and the code', () => {
  it('have the same commands', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...commandIds].sort());
  });

  it('have the same settings', () => {
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), Object.values(SETTING).sort());
  });

  it('have the same views', () => {
    assert.deepEqual(
      contributes.views['binsight']?.map(({ id }) => id),
      Object.values(VIEW),
    );
  });

  it('name only context keys that are set', () => {
    const clauses = [...menuItems.map(({ when }) => when ?? ''), ...contributes.viewsWelcome.map(({ when }) => when)];
    const used = new Set(clauses.flatMap((clause) => clause.match(/binsight\.(?!positions\b|pools\b|activity\b)\w+/g) ?? []));
    assert.deepEqual([...used].sort(), Object.values(CONTEXT).sort());
  });

  it('run only commands that exist, wherever the editor or a welcome text names one', () => {
    const named = [
      ...menuItems.map(({ command }) => command),
      ...contributes.viewsWelcome.flatMap(({ contents }) => [...contents.matchAll(/command:([\w.]+)/g)].map(([, id]) => id ?? '')),
    ];
    const literals = [...sources('src/ui').matchAll(/'(binsight\.[a-zA-Z]+)'/g)].map(([, id]) => id ?? '');
    const others = new Set<string>([
      ...Object.values(VIEW),
      ...Object.values(PANEL),
      ...Object.values(CONTEXT),
      ...Object.values(SETTING),
      'binsight.owners',
      'binsight.walletsLockedAt',
      'binsight.introduced',
      'binsight.toldAside',
      'binsight.pnl',
      'binsight.automation',
    ]);
    for (const id of [...named, ...literals.filter((literal) => !others.has(literal))]) {
      assert.ok(id in traits, id);
    }
  });

  it('draw on icons that are there', () => {
    const icons = [
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...(contributes.views['binsight'] ?? []).map(({ icon }) => icon),
    ];
    for (const icon of icons) {
      assert.ok(readFileSync(icon).length > 0, icon);
    }
  });

  it('start with the window, or with a panel of theirs that is brought back, and nothing else starts them', () => {
    assert.deepEqual(manifest.activationEvents, ['onStartupFinished', ...Object.values(PANEL).map((type) => `onWebviewPanel:${type}`)]);
  });

  it('run where the user sits before they run where the files are', () => {
    assert.deepEqual(manifest.extensionKind, ['ui', 'workspace']);
  });
});

describe('A command', () => {
  it('is in the palette exactly where it can be used from there', () => {
    const hidden = (contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command);
    assert.deepEqual(hidden.sort(), commandIds.filter((id) => traits[id]?.inPalette === false).sort());
  });

  it('that moves funds needs trust', () => {
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

  it('is on the rows of the view whose rows it takes', () => {
    for (const { command, when = '' } of contributes.menus['view/item/context'] ?? []) {
      const { argument } = traits[command] ?? { argument: 'none' };
      const row = when.includes(`${VIEW.positions} `) ? 'position' : when.includes(`${VIEW.pools} `) ? 'pool' : 'operation';
      assert.ok(argument === row || (argument === 'positionOrPool' && row !== 'operation'), `${command} on a ${row}`);
    }
  });

  it('is called "Binsight: …" in the palette', () => {
    for (const { title, category } of contributes.commands) {
      assert.equal(category, 'Binsight');
      assert.match(title, /^[A-Z]/);
    }
  });
});

describe('A setting', () => {
  for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
    it(`${name} says what it does, and cannot be set by a folder`, () => {
      assert.equal(setting.scope, 'application');
      assert.ok((setting.markdownDescription ?? '').length > 40);
      assert.equal(setting.markdownEnumDescriptions?.length, setting.enum?.length);
    });
  }

  const readers: Readonly<Record<string, (raw: unknown) => SettingReading<unknown>>> = { ...READ, ...READ_TERMS, ...READ_RULES };
  for (const [name, read] of Object.entries(readers)) {
    it(`${name} has a default, and bounds that the code has too`, () => {
      const setting = contributes.configuration.properties[name];
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

  it('counts only from the user in a folder that is not trusted, unless all it does is to be shown or suggested', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const shownOnly: readonly string[] = [
      SETTING.refreshIntervalSeconds,
      SETTING.slippageBps,
      SETTING.poolsSortBy,
      SETTING.statusBarCurrency,
    ];
    assert.equal(supported, 'limited');
    assert.deepEqual(
      [...restrictedConfigurations].sort(),
      Object.values(SETTING)
        .filter((name) => !shownOnly.includes(name))
        .sort(),
    );
  });

  it('for the address of an RPC, which may have a key in it, is not synchronised', () => {
    assert.equal(contributes.configuration.properties[SETTING.rpcUrl]?.ignoreSync, true);
  });

  it('of the review leaves its limits as they are until it is changed', () => {
    const defaults = (name: string) => contributes.configuration.properties[name]?.default;
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

describe('An empty view', () => {
  /** Every state of viewState.ts but `listed`; pools need no owner. */
  const states = [
    'loading',
    'startingSandbox',
    'sandboxCannotRun',
    'sandboxFailed',
    'invalidAddress',
    'noApiKey',
    'noOwner',
    'refused',
    'unreachable',
    'failed',
    'empty',
  ];

  it('has words for every state that it can be in', () => {
    for (const [view, key] of [
      [VIEW.positions, CONTEXT.positionsState],
      [VIEW.pools, CONTEXT.poolsState],
    ] as const) {
      const told = contributes.viewsWelcome
        .filter((welcome) => welcome.view === view)
        .map(({ when }) => new RegExp(`${key} == '(\\w+)'`).exec(when)?.[1]);
      assert.deepEqual([...new Set(told)].sort(), states.filter((state) => view === VIEW.positions || state !== 'noOwner').sort());
    }
    const ofActivity = contributes.viewsWelcome.filter(({ view }) => view === VIEW.activity).map(({ when }) => when);
    assert.deepEqual(
      ofActivity.sort(),
      ['empty', 'failed', 'loading'].map((state) => `${CONTEXT.activityState} == '${state}'`),
    );
  });

  it('has exactly one button, except while there is nothing to do but wait', () => {
    for (const { when, contents } of contributes.viewsWelcome) {
      const buttons = contents.split('\n').filter((line) => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line));
      assert.equal(buttons.length, /'(loading|startingSandbox)'/.test(when) ? 0 : 1, when);
    }
  });
});
