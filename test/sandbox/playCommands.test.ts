import assert from 'node:assert/strict';
import { address, type Address } from '../../src/base/solana/address';
import { LAMPORTS_PER_SOL } from '../../src/base/solana/programs';
import { Portfolio } from '../../src/portfolio/portfolio';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { systemClock } from '../../src/base/async/clock';
import type { CommandId } from '../../src/settings/generated/commandIds';
import { UserError } from '../../src/ui/shell/errors';
import type { PickItem, Prompts } from '../../src/ui/shell/prompts/prompts';
import { playCommands } from '../../src/ui/sandbox/playCommands';
import { advanceTime, airdrop, movePrice, readStatus, resetWorld, setFaults, setSpeed } from '../../src/ui/sandbox/sandboxControls';
import { SOL } from '../support/sandbox/client';
import { useSandbox } from '../support/sandbox/useSandbox';

/** One user, who answers each question with the next text. */
interface Table {
  readonly answers: string[];
  readonly asked: { readonly items: readonly PickItem<unknown>[]; readonly current: string | undefined }[];
  readonly told: string[];
  readonly ran: CommandId[];
}

describe('Playing with the sandbox', () => {
  const client = useSandbox('each', { args: ['--price-speed', '0'], hasShortPast: true });
  let portfolio: Portfolio;
  let table: Table;
  let readsLists = true;
  let refreshed: Promise<void> | undefined;

  beforeEach(async () => {
    const { url, apiKey, owner } = client().sandbox;
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock: systemClock });
    portfolio.setOwner(address(owner));
    await portfolio.refresh('startup');
    [readsLists, refreshed] = [true, undefined];
    table = { answers: [], asked: [], told: [], ran: [] };
  });
  afterEach(() => portfolio.dispose());

  function commands(kind = 'sandbox'): ReturnType<typeof playCommands> {
    const prompts: Pick<Prompts, 'pick' | 'input' | 'notify'> = {
      pick: (request) => {
        const current = request.items.find(({ value }) => request.isCurrent?.(value) === true)?.label;
        table.asked.push({ items: request.items, current });
        const wanted = table.answers.shift();
        const item = request.items.find(({ label, detail }) => wanted !== undefined && [label, detail].includes(wanted));
        return Promise.resolve(item === undefined ? { kind: 'cancelled' } : { kind: 'value', value: item.value });
      },
      input: (request) => {
        const reading = request.read(table.answers.shift() ?? '');
        return Promise.resolve(reading.ok ? { kind: 'value', value: reading.value } : { kind: 'cancelled' });
      },
      notify: ({ message }) => {
        table.told.push(message);
        return Promise.resolve(undefined);
      },
    };
    const { sandbox } = client();
    return playCommands({
      prompts: prompts as Prompts,
      service: () => ({ kind, id: kind, name: 'Sandbox' }) as never,
      sandbox: { start: () => Promise.resolve({ ...sandbox, owner: address(sandbox.owner) }) },
      play: { look: () => Promise.resolve(), priceMoved: () => undefined },
      controls: { airdrop, movePrice, advanceTime, setSpeed, setFaults, readStatus },
      portfolio,
      owners: { active: () => ({ address: address(sandbox.owner), origin: 'sandbox', canSign: true }) as never },
      refresh: () => {
        refreshed = readsLists ? portfolio.refresh('manual') : Promise.resolve();
        return refreshed;
      },
      searchPools: () => Promise.resolve({ heading: '', items: [] }),
      command: (id) => Promise.resolve(void table.ran.push(id)),
    });
  }

  const run = async (
    id: keyof ReturnType<typeof playCommands>,
    answers: readonly string[],
    target?: { kind: 'pool'; address: Address } | { kind: 'position'; key: string },
  ) => {
    table.answers.push(...answers);
    await commands()[id](target);
    await refreshed;
  };

  it('A price move drives a position out of its range, at once in the list', async () => {
    const inRange = portfolio.snapshot.positions.find(({ poolType, inRange: is }) => poolType === 'dlmm' && is === true);
    assert.ok(inRange?.pool !== undefined);
    await run('binsight.movePrice', [inRange.pool, 'Other…', '-60%']);
    assert.equal(portfolio.snapshot.positions.find(({ key }) => key === inRange.key)?.inRange, false);
    assert.deepEqual(table.told, ['Price moved by −60%.']);
    // The user's own pools come first.
    assert.match(table.asked[0]?.items[0]?.description ?? '', /^(your position|out of range)/);
  });

  it('The first price move of a row that is offered takes the position just out of its range', async () => {
    const inRange = portfolio.snapshot.positions.find(({ poolType, inRange: is }) => poolType === 'dlmm' && is === true);
    assert.ok(inRange !== undefined);
    await run('binsight.movePrice', ['Just out of range'], { kind: 'position', key: inRange.key });
    const {
      lowerBinId = 0,
      upperBinId = 0,
      activeBinId = 0,
      inRange: is,
    } = portfolio.snapshot.positions.find(({ key }) => key === inRange.key) ?? {};
    assert.equal(is, false);
    assert.ok(Math.max(lowerBinId - activeBinId, activeBinId - upperBinId) <= 5, `${lowerBinId} ${activeBinId} ${upperBinId}`);
    // Nothing to leave any more, and a pool without bins has no range.
    await run('binsight.movePrice', [], { kind: 'position', key: inRange.key });
    assert.ok(table.asked.at(-1)?.items.every(({ label }) => label !== 'Just out of range'));
  });

  it('A price move on a row asks only for the size, and a number that is none moves nothing', async () => {
    const [pool] = portfolio.snapshot.pools;
    assert.ok(pool !== undefined);
    await run('binsight.movePrice', ['Other…', '-100'], { kind: 'pool', address: pool.address });
    assert.deepEqual([table.asked.length, refreshed, table.told], [1, undefined, []]);
    await run('binsight.movePrice', ['+5%'], { kind: 'pool', address: pool.address });
    assert.deepEqual(table.told, ['Price moved by +5%.']);
  });

  it('Time, speed and SOL change as chosen, and the present speed is marked', async () => {
    const age = () => Math.max(...portfolio.snapshot.positions.map(({ ageHours }) => ageHours ?? 0));
    const before = age();
    await run('binsight.sandboxMenu', ['Advance Time…', '6 hours']);
    // The service reports ages in days with two decimals.
    assert.ok(Math.abs(age() - before - 6) < 0.24, `${age() - before} hours`);
    await run('binsight.sandboxMenu', ['Set Speed…', '×100']);
    await run('binsight.sandboxMenu', ['Set Speed…']);
    assert.equal(table.asked.at(-1)?.current, '×100');
    const { url, apiKey, owner } = client().sandbox;
    const balance = () =>
      createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey })
        .tokenBalances({ owner: address(owner) })
        .then(({ items }) => items.find(({ symbol }) => symbol === 'SOL')?.amountRaw ?? 0n);
    const had = await balance();
    await run('binsight.sandboxMenu', ['Get SOL']);
    assert.equal((await balance()) - had, 10n * LAMPORTS_PER_SOL);
    assert.equal(table.told.at(-1), '10 pretend SOL added to the wallet.');
  });

  it('A hostile service and a fault last until they are switched off, and the present one is marked', async () => {
    const marked = () => table.asked.at(-1)?.current;
    await run('binsight.sandboxMenu', ['Play a Hostile Service…', 'Sends your SOL away']);
    await run('binsight.sandboxMenu', ['Play a Hostile Service…']);
    assert.equal(marked(), 'Sends your SOL away');
    await run('binsight.sandboxMenu', ['Play a Fault…', 'Outage']);
    assert.equal(portfolio.snapshot.positionsState.kind, 'stale');
    await run('binsight.sandboxMenu', ['Play a Fault…', 'None']);
    assert.equal(marked(), 'Outage');
    assert.equal(portfolio.snapshot.positionsState.kind, 'ready');
    assert.deepEqual(table.told, [
      'Active in the sandbox: Sends your SOL away.',
      'Active in the sandbox: Outage.',
      'Active in the sandbox: None.',
    ]);
    assert.ok(table.told.every((text) => text.length <= 60));
  });

  it('The sandbox takes every attack and fault that is offered', async () => {
    readsLists = false;
    for (const menu of ['Play a Hostile Service…', 'Play a Fault…']) {
      await run('binsight.sandboxMenu', [menu]);
      for (const { label } of table.asked.at(-1)?.items ?? []) {
        await run('binsight.sandboxMenu', [menu, label]);
      }
      await run('binsight.sandboxMenu', [menu, 'None']);
    }
  });

  it('A typed time moves the clock by it, and one that is too long or no time moves nothing', async () => {
    await run('binsight.sandboxMenu', ['Advance Time…', 'Other…', 'soon']);
    await run('binsight.sandboxMenu', ['Advance Time…', 'Other…', '100000']);
    assert.deepEqual([table.told, refreshed], [[], undefined]);
    await run('binsight.sandboxMenu', ['Advance Time…', 'Other…', '2.5']);
    assert.deepEqual(table.told, ['The time in the sandbox was advanced.']);
  });

  it('A reset gives the sandbox its first world again, and a change that it refuses says that nothing was changed', async () => {
    const access = { ...client().sandbox, owner: address(client().sandbox.owner) };
    const before = await client().balance(SOL);
    await run('binsight.sandboxMenu', ['Get SOL']);
    assert.equal((await client().balance(SOL)) - before, 10n * LAMPORTS_PER_SOL);
    const [pool] = portfolio.snapshot.pools;
    assert.ok(pool !== undefined);
    await assert.rejects(movePrice(access, pool.address, -100), /^SandboxError: The sandbox refused: .+\. Nothing was changed\.$/);
    await resetWorld(access);
    assert.equal(await client().balance(SOL), before);
    await assert.rejects(resetWorld({ ...access, apiKey: 'another' }), /The sandbox refused: .+\. Nothing was changed\./);
  });

  it('The menu leads to all changes of the sandbox, and to its wallets and world', async () => {
    for (const entry of ['New Wallet…', 'Reset World…', 'Move Price…']) {
      await run('binsight.sandboxMenu', [entry]);
    }
    assert.deepEqual(table.ran, ['binsight.newSandboxWallet', 'binsight.resetSandboxWorld']);
    assert.match(table.asked.at(-1)?.items[0]?.description ?? '', /^(your position|out of range)/);
  });

  it('No command plays with another service', async () => {
    for (const [id, handler] of Object.entries(commands('remote'))) {
      await assert.rejects(async () => handler(undefined), UserError, id);
    }
  });
});
