import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ServiceError } from '../../../../src/service/errors';
import type { OpenPosition } from '../../../../src/service/positions';
import type { CommandTraits } from '../../../../src/settings/commandDeclaration';
import { COMMAND_IDS, type CommandId } from '../../../../src/settings/generated/commandIds';
import { COMMAND_TRAITS } from '../../../../src/settings/generated/commandTraits';
import { type CommandTarget, runCommand } from '../../../../src/ui/shell/commands/runCommand';
import type { WalletGroupNode } from '../../../../src/ui/walletGroups/walletGroupRows';
import { ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { addressOf, type Deferred, deferred, openPosition, OWNER, settledMicrotasks } from '../../../support/portfolio/fixtures';
import { groupedWallets, OTHER_SERVICE, textsOf, wallet } from '../../../support/ui/groupedWallets';
import { REAL } from '../../../support/ui/walletWindow';

const MINUTE_MS = 60_000;
const broken = () => Promise.reject(new ServiceError('The service returned an error (500).', { kind: 'server', endpoint: 'GET /x' }));

/** The group below that of the wallet in use. */
function otherOf(nodes: readonly WalletGroupNode[]): WalletGroupNode {
  return nodes[1] ?? assert.fail('There is no other group.');
}
const descriptionOf = (nodes: readonly WalletGroupNode[]) => otherOf(nodes).row.description;
const tooltipOf = (nodes: readonly WalletGroupNode[]) => otherOf(nodes).tooltip;
const childrenOf = (nodes: readonly WalletGroupNode[]) => otherOf(nodes).children;

describe('Positions grouped by wallet', () => {
  it('The wallet in use comes first, then the others by name, each with count, sums and the time of reading', async () => {
    const { groups, owners, clock } = await groupedWallets();
    await owners.rename(OWNER, 'Main');
    await owners.rename(wallet(1), 'Savings');
    await owners.rename(wallet(2), 'Savings');
    await clock.advance(10_000);
    const [main, first, second] = textsOf(groups.nodes);
    assert.equal(main, 'Main: 2 · $200 · +11% · $4.00 fees');
    assert.match(first ?? '', /^Savings \(\w{4}…\w{4}\): 1 · \$100 · \+11% · \$2\.00 fees · as of \d\d:\d\d:\d\d$/);
    assert.match(second ?? '', /^Savings \(/);
    assert.notEqual(first, second);
    const [row] = childrenOf(groups.nodes);
    assert.deepEqual([row?.row.label, row?.row.tone, row?.row.description], ['BONK/SOL', 'gain', '$100 · +11% · $1.97 to claim · 5h']);
    assert.match(tooltipOf(groups.nodes), new RegExp(wallet(1)));
  });

  it('Order and filter of the view apply within each group', async () => {
    const { groups, world, control, clock } = await groupedWallets({ others: 1 });
    const value = (usd: number) => ({ value: { usd, native: undefined } });
    world.answer = () =>
      Promise.resolve([openPosition(11, value(5)), openPosition(12, { ...value(9), inRange: false }), openPosition(13, value(7))]);
    await clock.advance(6 * MINUTE_MS);
    const keys = () => childrenOf(groups.nodes).map(({ position }) => position.key);
    await control.sort('value');
    assert.deepEqual(
      keys(),
      [12, 13, 11].map((number) => openPosition(number).key),
    );
    control.filter('outOfRange');
    assert.deepEqual(keys(), [openPosition(12).key]);
    assert.match(textsOf(groups.nodes)[1] ?? '', /: 1 · 2 hidden · /);
    assert.match(textsOf(groups.nodes)[0] ?? '', /: 0 · 2 hidden$/);
  });

  it('Other wallets are read one after the other, as polling, with one request each, and again after five minutes', async () => {
    const { asked, clock } = await groupedWallets({ others: 3 });
    await clock.advance(MINUTE_MS);
    assert.deepEqual(
      asked.map(({ owner, pace }) => [owner, pace]),
      [1, 2, 3].map((number) => [wallet(number), 'poll']),
    );
    assert.ok(asked.every(({ atMs }, place) => place === 0 || atMs - (asked[place - 1]?.atMs ?? atMs) >= 2_000));
    await clock.advance(3 * MINUTE_MS);
    assert.equal(asked.length, 3);
    await clock.advance(2 * MINUTE_MS);
    assert.equal(asked.length, 6);
  });

  it('At most ten other wallets are read, and the groups of the rest say so', async () => {
    const { groups, asked, clock } = await groupedWallets({ others: 12 });
    await clock.advance(4 * MINUTE_MS);
    assert.equal(new Set(asked.map(({ owner }) => owner)).size, 10);
    assert.equal(asked.length, 10);
    assert.deepEqual(
      groups.nodes.slice(11).map(({ row }) => row.description),
      ['not read', 'not read'],
    );
  });

  it('Nothing is read with another grouping, while the view is hidden, without a connection or without room in the request limit', async () => {
    const closed = await groupedWallets({ isVisible: false });
    await closed.becomes({ kind: 'failed', error: new Error('No.') });
    closed.groups.setVisible(true);
    const noRoom = { waitMs: () => MINUTE_MS, onDidChange: () => ({ dispose: () => undefined }) };
    for (const { asked, clock } of [
      closed,
      await groupedWallets({ groupBy: 'pool' }),
      await groupedWallets({ isVisible: false }),
      await groupedWallets({ limit: noRoom }),
    ]) {
      await clock.advance(20 * MINUTE_MS);
      assert.deepEqual(asked, []);
    }
  });

  it('Hiding the view or grouping otherwise cancels the read in progress, and grouping otherwise drops what was read', async () => {
    const { groups, asked, clock, world, control } = await groupedWallets();
    await clock.advance(MINUTE_MS);
    const answers: Deferred<readonly OpenPosition[]>[] = [];
    world.answer = () => {
      const answer = deferred<readonly OpenPosition[]>();
      answers.push(answer);
      return answer.promise;
    };
    await clock.advance(5 * MINUTE_MS);
    const before = textsOf(groups.nodes);
    groups.setVisible(false);
    assert.equal(asked.at(-1)?.signal?.aborted, true);
    answers.at(-1)?.resolve([]);
    await clock.advance(5 * MINUTE_MS);
    assert.deepEqual([textsOf(groups.nodes), asked.length], [before, 3]);
    groups.setVisible(true);
    await settledMicrotasks();
    assert.equal(asked.length, 4);
    await control.group('pool');
    assert.deepEqual([asked.at(-1)?.signal?.aborted, groups.nodes], [true, []]);
    await control.group('wallet');
    assert.deepEqual(
      groups.nodes.slice(1).map(({ row }) => row.description),
      ['Loading…', 'Loading…'],
    );
  });

  it('A wallet that cannot be read says why and shows no figure; later failures leave the positions with their time', async () => {
    const { groups, world, clock } = await groupedWallets({ others: 1, isVisible: false });
    groups.setVisible(true);
    assert.equal(descriptionOf(groups.nodes), 'Loading…');
    await settledMicrotasks();
    world.answer = broken;
    await clock.advance(6 * MINUTE_MS);
    assert.match(descriptionOf(groups.nodes), /^1 · .* · outdated: as of \d\d:\d\d:\d\d$/);
    assert.match(tooltipOf(groups.nodes), /500/);
    const never = await groupedWallets({ others: 1, isVisible: false });
    never.world.answer = broken;
    never.groups.setVisible(true);
    await settledMicrotasks();
    assert.equal(descriptionOf(never.groups.nodes), 'The service returned an error (500).');
    assert.deepEqual(childrenOf(never.groups.nodes), []);
  });

  it('A wallet without positions says so, and unknown figures are dashes', async () => {
    const { groups, world, clock } = await groupedWallets({ others: 1, isVisible: false });
    const nothing = { usd: undefined, native: undefined };
    world.answer = () =>
      Promise.resolve([openPosition(11, { value: nothing, pnl: nothing, pnlPercent: nothing, uncollectedFee: nothing })]);
    groups.setVisible(true);
    await settledMicrotasks();
    assert.match(descriptionOf(groups.nodes), /^1 · Value – · PnL – · as of/);
    world.answer = () => Promise.resolve([]);
    await clock.advance(6 * MINUTE_MS);
    assert.match(descriptionOf(groups.nodes), /^no positions · as of/);
  });

  it('A refusal by the request limit pauses all reads and is no failure of the wallet', async () => {
    const { groups, world, asked, clock } = await groupedWallets({ isVisible: false });
    const { answer } = world;
    world.answer = () =>
      Promise.reject(new ServiceError('Too many requests.', { kind: 'rateLimited', endpoint: 'GET /x', retryAfterMs: MINUTE_MS }));
    groups.setVisible(true);
    await clock.advance(MINUTE_MS - 1_000);
    assert.deepEqual([asked.length, descriptionOf(groups.nodes)], [1, 'Loading…']);
    world.answer = answer;
    await clock.advance(10_000);
    assert.deepEqual(
      asked.map(({ owner }) => owner),
      [wallet(1), wallet(1), wallet(2)],
    );
  });

  it('A refresh by the user reads again what is older than a minute', async () => {
    const { asked, clock, refreshes } = await groupedWallets();
    await clock.advance(10_000);
    refreshes.fire(undefined);
    await clock.advance(10_000);
    assert.equal(asked.length, 2);
    await clock.advance(MINUTE_MS);
    refreshes.fire(undefined);
    await clock.advance(10_000);
    assert.equal(asked.length, 4);
  });

  it('A clock that is set back stops neither the interval nor a refresh by the user', async () => {
    const { asked, clock, refreshes } = await groupedWallets();
    await clock.advance(10_000);
    clock.setBy(-600 * MINUTE_MS);
    await clock.advance(6 * MINUTE_MS);
    assert.equal(asked.length, 4);
    clock.setBy(-600 * MINUTE_MS);
    refreshes.fire(undefined);
    await clock.advance(10_000);
    assert.equal(asked.length, 6);
  });

  it('A clock that is set back ends a pause of the request limit', async () => {
    const { world, asked, clock, groups } = await groupedWallets({ isVisible: false });
    const { answer } = world;
    world.answer = () =>
      Promise.reject(new ServiceError('Too many requests.', { kind: 'rateLimited', endpoint: 'GET /x', retryAfterMs: MINUTE_MS }));
    groups.setVisible(true);
    await clock.advance(1_000);
    world.answer = answer;
    clock.setBy(-600 * MINUTE_MS);
    await clock.advance(2 * MINUTE_MS);
    assert.equal(asked.length, 3);
  });

  it('There are no groups before the positions of the wallet in use are known', async () => {
    const { groups, portfolio, owners, useWallet } = await groupedWallets();
    await owners.activate(wallet(1), REAL);
    assert.deepEqual(groups.nodes, []);
    portfolio.setOwner(wallet(1));
    assert.deepEqual(groups.nodes, []);
    await useWallet(wallet(1));
    assert.deepEqual(
      groups.nodes.map(({ address }) => address),
      [wallet(1), OWNER, wallet(2)],
    );
  });
});

describe('Races of positions grouped by wallet', () => {
  it('An answer of the earlier service never appears under the service in use, and what it had answered is gone at once', async () => {
    const { groups, world, asked, clock, changeService, shown } = await groupedWallets();
    await clock.advance(MINUTE_MS);
    assert.match(textsOf(groups.nodes)[1] ?? '', /^.+: 1 · /);
    const late = deferred<readonly OpenPosition[]>();
    world.answer = () => late.promise;
    await clock.advance(5 * MINUTE_MS);
    const { signal } = asked.at(-1) ?? {};
    const now = deferred<readonly OpenPosition[]>();
    world.answer = () => now.promise;
    shown.length = 0;
    await changeService(OTHER_SERVICE);
    assert.equal(signal?.aborted, true);
    late.resolve([openPosition(11), openPosition(12), openPosition(13)]);
    await clock.advance(MINUTE_MS);
    assert.ok(
      shown.flat().every((text) => /: (2 · .*|Loading…)$/.test(text)),
      shown.flat().join('\n'),
    );
    assert.deepEqual(
      groups.nodes.slice(1).map(({ row }) => row.description),
      ['Loading…', 'Loading…'],
    );
    now.resolve([]);
    await clock.advance(1);
    assert.match(descriptionOf(groups.nodes), /^no positions/);
  });

  it('A connection that begins again drops what was read: the process or the key may be another one', async () => {
    const { groups, clock, becomes, asked } = await groupedWallets();
    await clock.advance(MINUTE_MS);
    await becomes({ kind: 'opening' });
    assert.deepEqual(
      groups.nodes.slice(1).map(({ row }) => row.description),
      ['Loading…', 'Loading…'],
    );
    await becomes({ kind: 'open' });
    await clock.advance(MINUTE_MS);
    assert.equal(asked.length, 4);
  });

  it('A wallet that becomes the one in use, or is no longer listed, has no group any more, even if it is being read', async () => {
    const { groups, world, asked, clock, owners, useWallet } = await groupedWallets({ isVisible: false });
    const answers = new Map<string, Deferred<readonly OpenPosition[]>>();
    world.answer = (owner) => {
      const answer = deferred<readonly OpenPosition[]>();
      answers.set(owner, answer);
      return answer.promise;
    };
    groups.setVisible(true);
    await settledMicrotasks();
    await owners.activate(wallet(1), REAL);
    assert.equal(asked[0]?.signal?.aborted, true);
    await useWallet(wallet(1));
    answers.get(wallet(1))?.resolve([openPosition(77)]);
    await clock.advance(10_000);
    assert.deepEqual(
      groups.nodes.map(({ kind, address }) => [kind, address]),
      [
        ['account', wallet(1)],
        ['wallet', OWNER],
        ['wallet', wallet(2)],
      ],
    );
    assert.ok(groups.nodes.every(({ children }) => children.every(({ position }) => position.key !== openPosition(77).key)));
    await owners.remove(OWNER);
    answers.get(OWNER)?.resolve([openPosition(78)]);
    await clock.advance(10_000);
    assert.deepEqual(
      groups.nodes.map(({ address }) => address),
      [wallet(1), wallet(2)],
    );
  });
});

/** The commands of the menus that VS Code shows on a row of the Positions view. */
function offeredOn(contextValue: string): readonly string[] {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: { readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>> };
  };
  const offered = (contributes.menus['view/item/context'] ?? []).filter(({ when = '' }) => {
    const pattern = /viewItem =~ \/(.*?)\/(?: |$)/.exec(when)?.[1];
    return when.includes('view == binsight.positions ') && pattern !== undefined && new RegExp(pattern).test(contextValue);
  });
  return [...new Set(offered.map(({ command }) => command))].sort();
}

describe('A row of another wallet', () => {
  const rows = async () => {
    const { groups, clock } = await groupedWallets({ others: 1 });
    await clock.advance(MINUTE_MS);
    const [, group] = groups.nodes;
    const [position] = group?.children ?? [];
    assert.ok(group !== undefined && position !== undefined);
    return { group, position };
  };

  it('The menus of its rows only switch to it, copy an address or open it in the explorer', async () => {
    const { group, position } = await rows();
    const harmless = ['binsight.copyAddress', 'binsight.openInExplorer', 'binsight.switchWallet'];
    assert.deepEqual(offeredOn(group.row.contextValue), harmless);
    assert.deepEqual(offeredOn(position.row.contextValue), harmless);
    assert.ok(offeredOn('position dlmm outOfRange addressed').includes('binsight.zapOut'));
  });

  it('No command takes it for a position, a pool or an operation of the wallet in use', async () => {
    const { group, position } = await rows();
    const targetOf = async (id: CommandId, argument: unknown) => {
      let got: CommandTarget | undefined;
      await runCommand(
        id,
        (target) => {
          got = target;
          return Promise.resolve();
        },
        argument,
        {
          prompts: new ScriptedPrompts(),
          log: () => undefined,
          isTrusted: () => true,
          assertIntact: () => Promise.resolve(),
          execute: () => Promise.resolve(),
        },
      );
      return got;
    };
    const traits: Readonly<Record<string, CommandTraits>> = COMMAND_TRAITS;
    for (const id of COMMAND_IDS) {
      for (const row of [group, position]) {
        const target = await targetOf(id, row);
        switch (traits[id]?.argument) {
          case 'wallet':
            assert.deepEqual(target, { kind: 'wallet', address: wallet(1) }, id);
            break;
          case 'addressed':
            assert.equal(target?.kind === 'account' || target?.kind === 'wallet' ? target.address : '', row.address, id);
            break;
          default:
            assert.equal(target, undefined, id);
        }
        assert.ok(traits[id]?.movesFunds !== true || target === undefined, id);
      }
    }
    assert.equal(position.address, openPosition(11).address);
  });

  it('Switch Wallet… on its row uses its wallet without a question, and asks where the row is not listed any more', async () => {
    const { owners, run } = await groupedWallets({ others: 1 });
    await run('binsight.switchWallet', [], {}, { kind: 'wallet', address: wallet(1) });
    assert.equal(owners.active(REAL)?.address, wallet(1));
    await run('binsight.switchWallet', ['escape'], {}, { kind: 'wallet', address: addressOf(99) });
    assert.equal(owners.active(REAL)?.address, wallet(1));
  });
});
