import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandTraits } from '../../../src/settings/commandDeclaration';
import { COMMAND_IDS } from '../../../src/settings/generated/commandIds';
import { COMMAND_TRAITS } from '../../../src/settings/generated/commandTraits';
import { COLOR, CONTEXT, DOCUMENT_PANEL, MCP_PROVIDER, PANEL, VIEW } from '../../../src/ui/shell/names';
import { RULE_IDS, SETTING_IDS } from '../../../src/settings/settingTypes';
import { readerOf } from '../../../src/ui/shell/settings/values';
import { remediesOf } from '../../../src/ui/shell/views/remedies';
import type { ViewState } from '../../../src/ui/shell/views/viewState';
import { FORMER_ADDRESSES } from '../../../src/ui/shell/settings/values';
import { DEFAULT_POLICY } from '../../../src/review/policy';
import { lamportsToSol } from '../../../src/base/solana/amounts';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';

interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly scope?: string;
  readonly ignoreSync?: boolean;
  readonly markdownDescription?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly items?: { readonly pattern?: string; readonly patternErrorMessage?: string };
  readonly enum?: readonly unknown[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Section {
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
    readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[];
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
const traits: Readonly<Record<string, CommandTraits>> = COMMAND_TRAITS;
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
    const clauses = [
      ...menuItems.map(({ when }) => when ?? ''),
      ...contributes.viewsWelcome.map(({ when }) => when),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents)),
    ];
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
      ...SETTING_IDS,
      ...Object.values(COLOR),
      MCP_PROVIDER,
      DOCUMENT_PANEL,
      ...FORMER_ADDRESSES,
      'binsight.owners',
      'binsight.walletsLockedAt',
      'binsight.watchedAddresses',
      'binsight.watchedAddressesSeen',
      'binsight.toldAside',
      'binsight.unfinishedBatches',
      'binsight.publicRpcWarned',
      'binsight.favoritePools',
      ...RULE_IDS,
      'binsight.rules',
      'binsight.webhookDetails',
      'binsight.positionOrder',
      'binsight.positionGroups',
      'binsight.poolOrder',
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
  it('The palette and the menus offer what needs a position only while one is listed, and what signs for it only to a wallet that can', () => {
    const offered = new Map(contributes.commands.map(({ command, enablement }) => [command, enablement ?? '']));
    const hidden = contributes.menus['commandPalette']?.flatMap(({ command, when }) => (when === 'false' ? [command] : []));
    const onPositions = COMMAND_IDS.filter(
      (id) =>
        hidden?.includes(id) !== true &&
        (/^position(OrPlan)?$/.test(COMMAND_TRAITS[id].argument) || /\.(rebalanceAll|closePositions|claimAllFees)$/.test(id)),
    );
    assert.ok(onPositions.length >= 9);
    for (const id of onPositions) {
      assert.match(offered.get(id) ?? '', /binsight\.positionsState == 'listed'/, id);
      assert.equal((offered.get(id) ?? '').includes('!binsight.isWatchedOnly'), COMMAND_TRAITS[id].movesFunds, id);
    }
  });

  it('A command that moves funds needs trust', () => {
    for (const id of COMMAND_IDS) {
      assert.ok(!COMMAND_TRAITS[id].movesFunds || COMMAND_TRAITS[id].needsTrust, id);
    }
    assert.deepEqual(COMMAND_IDS.filter((id) => COMMAND_TRAITS[id].movesFunds).sort(), [
      'binsight.addLiquidity',
      'binsight.claimAllFees',
      'binsight.claimFees',
      'binsight.closePositions',
      'binsight.compoundFees',
      'binsight.continuePlan',
      'binsight.finishOperation',
      'binsight.rebalance',
      'binsight.rebalanceAll',
      'binsight.reenter',
      'binsight.startAutoRebalance',
      'binsight.swapToSol',
      'binsight.unwrapSol',
      'binsight.zapOut',
    ]);
  });

  it('The menus of rows contain only the commands that take such rows', () => {
    for (const { command, when = '' } of contributes.menus['view/item/context'] ?? []) {
      const { argument } = traits[command] ?? { argument: 'none' };
      // The Positions view also has rows of other wallets, of which no command gets a position.
      const isOfOther = when.includes(`${VIEW.positions} && viewItem =~ /^other`);
      // The Wallet view also has rows of tokens.
      const isOfToken = when.includes(`${VIEW.wallet} && viewItem =~ /^token`);
      const row = isOfToken
        ? 'account'
        : isOfOther
          ? 'wallet'
          : (Object.entries(ROWS).find(([view]) => when.includes(`${view} `))?.[1] ?? 'none');
      const several: Readonly<Record<string, readonly string[]>> = {
        positions: ['position'],
        positionOrPool: ['position', 'pool'],
        positionOrPlan: ['position', 'plan'],
        addressed: ['position', 'pool', 'account', 'wallet', 'operation'],
      };
      const taken = several[argument] ?? [argument];
      assert.ok(taken.includes(row), `${command} on a ${row}`);
    }
  });

  it('With several positions selected, their menu has only the command that takes all of them', () => {
    const shown = (contributes.menus['view/item/context'] ?? []).filter(
      ({ when = '', group }) =>
        when.includes(VIEW.positions) && group?.startsWith('inline') !== true && !when.includes('!listMultiSelection'),
    );
    assert.deepEqual(
      shown.map(({ command }) => [command, traits[command]?.argument]),
      [['binsight.closePositions', 'positions']],
    );
  });

  it('Every command has a title in Title Case', () => {
    for (const { title } of contributes.commands) {
      assert.match(title, /^[A-Z][^%]+$/);
    }
  });

  it('The title of a command that takes a secret or can sign ends in "…": it asks first', () => {
    for (const { command, title } of contributes.commands.filter(({ command: id }) => traits[id]?.needsTrust)) {
      assert.match(title, /…$/, command);
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
  it('No folder can set any setting', () => {
    for (const [id, { scope }] of Object.entries(settings)) {
      assert.equal(scope, 'application', id);
    }
  });

  for (const [name, setting] of Object.entries(settings)) {
    it(`${name} says in its first sentence what it is, with its unit, and every choice has a label`, () => {
      const { type, markdownDescription: text = '', default: standard } = setting;
      const [first = ''] = /^.+?[.:](?= |$)/.exec(text) ?? [];
      assert.match(first, /^[A-Z]\w* .{15,180}[.:]$/);
      assert.doesNotMatch(first, /#|binsight/, 'it needs no other setting to be understood');
      const unit = UNITS.find(([key]) => key.test(name))?.[1];
      assert.ok(unit === undefined || text.includes(unit), `the unit: ${unit}`);
      assert.ok(unit !== undefined || !/^(integer|number)$/.test(type), 'a number has a unit');
      assert.ok(
        type !== 'string' || setting.enum !== undefined || standard !== '' || /eave empty|; empty: /.test(text),
        'what it means if it is empty',
      );
      assert.equal(
        setting.markdownEnumDescriptions?.length ?? setting.enum?.length,
        setting.enum?.length,
        'all choices are described, or none',
      );
      for (const label of [...(setting.enumItemLabels ?? []), ...(setting.markdownEnumDescriptions ?? [])]) {
        assert.match(label, /^[A-Z\d][^%_]*$/);
      }
      assert.equal(setting.pattern === undefined, setting.patternErrorMessage === undefined, 'a pattern has a message');
    });
  }

  it('A translation tells the bounds and the default of every number', () => {
    for (const file of readdirSync('.').filter((name) => /^package\.nls\.[\w-]+\.json$/.test(name))) {
      const translated = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
      for (const [id, { minimum, maximum, default: standard }] of Object.entries(settings)) {
        if (minimum !== undefined) {
          const text = translated[`configuration.${id.replace('binsight.', '')}.markdownDescription`] ?? '';
          const [bounds = ''] = /\(-?[\d.]+\D+[\d.]+\D+[\d.]+/.exec(text) ?? [];
          assert.deepEqual(bounds.match(/-?[\d.]+/g)?.map(Number), [minimum, maximum, standard], `${id} in ${file}`);
        }
      }
    }
  });

  it('The settings take as list entries exactly what the code takes as addresses', () => {
    const pattern = new RegExp(settings['binsight.review.trustedPrograms']?.items?.pattern ?? '(?!)');
    for (const text of [PROGRAMS.dlmm, ` ${PROGRAMS.system} `, WRAPPED_SOL_MINT]) {
      const reading = readerOf('binsight.review.trustedPrograms')([text]);
      assert.ok(reading.ok && reading.leftOut === undefined && pattern.test(text), text);
    }
    for (const text of ['', 'x', PROGRAMS.dlmm.replace(/./, '0'), `${PROGRAMS.dlmm}${PROGRAMS.dlmm}`]) {
      const reading = readerOf('binsight.review.trustedPrograms')([text]);
      assert.ok(reading.ok && reading.leftOut !== undefined && !pattern.test(text), text);
    }
  });

  it('An untrusted folder can set only settings for display and suggested values', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    // Notices in a window are display. What goes to the system or the webhook, and when, is not.
    const isDisplay = (id: string) =>
      /^binsight\.(statusBar|notifications)\.|^binsight\.(currency|refreshIntervalSeconds|slippageBps)$/.test(id) &&
      !/\.(system|webhook\w*|quietHours)$/.test(id);
    assert.deepEqual(
      SETTING_IDS.filter((id) => !restrictedConfigurations.includes(id) && !isDisplay(id)),
      [],
    );
  });

  it('No setting takes an address that can contain a key: such addresses are secrets', () => {
    const texts = Object.entries(settings).filter(([, { type, enum: choices }]) => type === 'string' && choices === undefined);
    assert.deepEqual(
      texts.map(([id]) => id),
      ['binsight.service.baseUrl', 'binsight.statusBar.template', 'binsight.notifications.quietHours'],
    );
  });

  it('The defaults of the review settings are the defaults of the review', () => {
    const defaults = (name: string) => settings[name]?.default;
    assert.deepEqual(
      [defaults('binsight.review.costCapSol'), defaults('binsight.review.costCapSol'), defaults('binsight.review.feeRecipientCapSol')],
      [DEFAULT_POLICY.tipAllowLamports, DEFAULT_POLICY.feeAllowLamports, DEFAULT_POLICY.feeRecipientCapLamports].map((lamports) =>
        Number(lamportsToSol(lamports)),
      ),
    );
    assert.deepEqual(
      [defaults('binsight.review.trustedPrograms'), defaults('binsight.review.feeRecipients')],
      [DEFAULT_POLICY.trustedPrograms, DEFAULT_POLICY.feeRecipients],
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
        commands.every((command) => !COMMAND_TRAITS[command].movesFunds && !COMMAND_TRAITS[command].argument.includes('operation')),
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
