import assert from 'node:assert/strict';
import type { Address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { systemClock } from '../../src/base/async/clock';
import { ChainPoolReader } from '../../src/chain/pools/poolReader';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import { ChainPrices } from '../../src/chain/prices/chainPrices';
import { SolPrices } from '../../src/chain/prices/solPrices';
import { ChainRecords } from '../../src/chain/records/chainRecords';
import { PositionStates } from '../../src/chain/records/positionStates';
import { TokenBalances } from '../../src/chain/records/tokenBalances';
import type { WireClosedPosition } from '../../src/engine/wire/positionRecord';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;

describe('Records of an owner on the real programs', () => {
  const mainnet = useMainnet({ recording: 'records' });
  let test: TestIndex;
  let records: ChainRecords;
  let balances: TokenBalances;
  beforeEach(() => {
    test = indexOf(mainnet().rpcUrl);
    const { rpc, index } = test;
    const log = (line: string): void => assert.fail(line);
    const now = (): number => mainnet().chain.blockTime() * 1_000;
    // By the chain's time, so that it does not depend on the machine whether an answer is still shared.
    const pools = new ChainPoolReader({ rpc, clock: { ...systemClock, now } });
    const prices = new ChainPrices({ api: undefined, sol: new SolPrices({ pools, index, dataApi: undefined, now, log }) });
    const positions = new ChainPositionReader({ rpc, index, now: () => performance.now(), log });
    const protocols = { bins: 'meteora', product: 'meteora_damm_v2' };
    const ofPositions = new PositionStates({ index, pools, prices, protocols, now, log });
    records = new ChainRecords({ index, positions, states: ofPositions, protocols, now });
    balances = new TokenBalances({ rpc, prices, pools, index, now: () => performance.now(), log });
  });
  afterEach(() => test.stop());

  it('Deposits, withdrawals and fees of a position are what left and entered the wallet, to the last unit', async () => {
    const me = mainnet().wallet(0);
    const { solUsdc } = mainnet().pools;
    const before = holdings(me);
    const { position } = await solUsdc.open(me, { x: 10n * SOL, y: 1_500n * USDC, bins: [-20, 20] });
    const opened = holdings(me);
    await trade(solUsdc);
    await solUsdc.claim(me, position);
    await solUsdc.withdraw(me, position, 2_500);
    await trade(solUsdc);
    const [open] = (await records.opening(me.address)).data;
    assert.ok(open !== undefined);
    const logs = known((await records.logs({ position, owner: undefined })).data);
    assert.deepEqual(open.logs, logs);
    assert.deepEqual(
      logs.map(({ action }) => action),
      ['add_liquidity', 'claim_fee', 'remove_liquidity', ...logs.slice(3).map(({ action }) => action)],
    );
    // Of SOL, fees and rents went, too; of USDC nothing else.
    assert.equal(before.usdc - opened.usdc, BigInt(logs[0]?.amount1 ?? ''));
    await solUsdc.close(me, position);
    const closed = await lastClosed(me);
    const all = (await records.logs({ position, owner: me.address })).data;
    const usdc = all.reduce((sum, { action, amount1 }) => sum + (action === 'add_liquidity' ? -1n : 1n) * BigInt(amount1), 0n);
    assert.equal(usdc, holdings(me).usdc - before.usdc);
    assert.equal(all.at(-1)?.action, 'close_position');
    assert.ok(closed.pnl.value !== null && closed.pnl.valueNative !== null && closed.collectedFeeNative !== null);
    near(closed.pnl.value, number(closed.outputValue) + number(closed.collectedFee) - number(closed.inputValue));
    assert.equal((await records.opening(me.address)).count, 0);
  });

  it('A new position is worth what was paid for it, less rounding, in every pool', async () => {
    const me = mainnet().wallet(1);
    const { solUsdc, memeSol, tollUsdc, dammSolUsdc, dammMemeSol } = mainnet().pools;
    await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-100, 100] });
    await memeSol.open(me, { y: 2n * SOL, bins: [-30, -1] });
    await tollUsdc.open(me, { y: 100n * USDC, bins: [-30, -1] });
    await dammSolUsdc.open(me, { x: SOL });
    await dammMemeSol.open(me, { y: SOL });
    const { data, count } = await records.opening(me.address);
    assert.equal(count, 5);
    for (const record of data) {
      near(number(record.value), number(record.inputValue), 1e-4);
      near(number(record.valueNative), number(record.inputNative), 1e-4);
      assert.ok(Math.abs(number(record.pnl.percent)) < 0.1, `${record.pairName} ${record.pnl.percent}`);
      assert.ok(record.createdAt !== null && record.ageHour === null);
      assert.equal(record.strategyType, record.protocol === 'meteora' ? 'SpotImBalanced' : null);
      near(number(record.value) / number(record.valueNative), 150, 0.05);
    }
    assert.deepEqual(
      data.map(({ pairName }) => pairName),
      ['MEME/SOL', 'SOL/USDC', 'TOLL/USDC', 'MEME/SOL', 'SOL/USDC'],
    );
  });

  it('A new position in a pool without SOL has a profit in SOL at once, without any event that has the price of SOL', async () => {
    const me = mainnet().wallet(4);
    await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC });
    mainnet().advance({ seconds: 3_600 });
    const { position } = await mainnet().pools.tollUsdc.open(me, { y: 150n * USDC, bins: [-30, -1] });
    const record = (await records.opening(me.address)).data.find((one) => one.position === position);
    assert.ok(record !== undefined);
    near(number(record.inputNative), 1, 0.05);
    near(number(record.pnl.valueNative), 0, 1e-4);
    mainnet().advance({ seconds: 3_600 });
    const later = (await records.opening(me.address)).data.find((one) => one.position === position);
    assert.equal(later?.inputNative, record.inputNative, 'the price of that time is stored');
  });

  it('Twenty open positions take at most five requests when they are known', async () => {
    const me = mainnet().wallet(2);
    const { solUsdc, solUsdcFine, memeSol, tollUsdc, dammSolUsdc } = mainnet().pools;
    for (let number = 0; number < 4; number += 1) {
      await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-30 + number, 30] });
      await solUsdcFine.open(me, { x: SOL, y: 150n * USDC, bins: [-20, 20 + number] });
      await memeSol.open(me, { y: SOL, bins: [-40, -1] });
      await tollUsdc.open(me, { y: USDC, bins: [-10, -1] });
      await dammSolUsdc.open(me, { x: SOL });
    }
    mainnet().finalize();
    assert.equal((await records.opening(me.address)).count, 20);
    await test.index.catchUp(me.address, 20_000);
    mainnet().finalize();
    const counts = await mainnet().countCalls(() => records.opening(me.address));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(total <= 5, JSON.stringify(Object.fromEntries(counts)));
  });

  it('Balances are those of the accounts, with SOL first and its price from the largest pool', async () => {
    const me = mainnet().wallet(3);
    const { usdc, meme } = mainnet().tokens;
    await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC });
    await mainnet().pools.dammSolUsdc.open(me, { x: SOL });
    const all = await balances.of(me.address, undefined);
    assert.deepEqual(
      all.map(({ symbol, rawBalance }) => [symbol, rawBalance]),
      [
        ['SOL', mainnet().balance(me, 'sol').toString()],
        ...(['usdc', 'meme', 'toll'] as const).map((name) => [mainnet().tokens[name].symbol, mainnet().balance(me, name).toString()]),
      ],
    );
    const priced = all.map(({ price }) => price);
    assert.ok(priced[1] === 1 && priced[2] === null && priced[3] === null);
    const some = await balances.of(me.address, [usdc.mint, meme.mint, 'no mint']);
    assert.deepEqual(
      some.map(({ address }) => address),
      [usdc.mint, meme.mint],
    );
    const unused = await balances.of('11111111111111111111111111111112' as Address, undefined);
    assert.deepEqual(
      unused.map(({ address, rawBalance }) => [address, rawBalance]),
      [[WRAPPED_SOL_MINT, '0']],
    );
  });

  it("Where the RPC does not search token accounts, balances are those of the wallet's positions, or those that were asked for", async () => {
    const me = mainnet().wallet(8);
    const { usdc } = mainnet().tokens;
    await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC });
    await records.opening(me.address);
    const lines: string[] = [];
    const { rpc, index } = test;
    const pools = new ChainPoolReader({ rpc, clock: systemClock });
    const prices = new ChainPrices({
      api: undefined,
      sol: new SolPrices({ pools, index, dataApi: undefined, now: () => 0, log: (line) => void lines.push(line) }),
    });
    const searchless = new TokenBalances({ rpc, prices, pools, index, now: () => performance.now(), log: (line) => void lines.push(line) });
    const message = 'Method getTokenAccountsByOwner is not allowed';
    const remove = mainnet().faults.add({ kind: 'refuse', status: 403, code: 7, message }, { method: 'getTokenAccountsByOwner' });
    const all = await searchless.of(me.address, undefined);
    const some = await searchless.of(me.address, [usdc.mint]);
    remove();
    assert.deepEqual(
      all.map(({ address, rawBalance }) => [address, rawBalance]),
      [
        [WRAPPED_SOL_MINT, mainnet().balance(me, 'sol').toString()],
        [usdc.mint, mainnet().balance(me, 'usdc').toString()],
      ],
    );
    assert.deepEqual(
      some.map(({ address }) => address),
      [usdc.mint],
    );
    assert.equal(lines.filter((line) => line.includes('Only tokens of known positions are listed')).length, 1);
  });

  async function trade(pool: LittlePool): Promise<void> {
    const trader = mainnet().wallet(59);
    await pool.swap(trader, 'x', 5n * SOL);
    await pool.swap(trader, 'y', 800n * USDC);
  }

  async function lastClosed({ address }: Wallet): Promise<WireClosedPosition> {
    const { data } = await records.historical({ owner: address, from: undefined, to: undefined, page: 1, pageSize: 1 });
    const [closed] = data;
    assert.ok(closed !== undefined);
    return closed;
  }

  function holdings(wallet: Wallet): { readonly sol: bigint; readonly usdc: bigint } {
    return { sol: mainnet().balance(wallet, 'sol'), usdc: mainnet().balance(wallet, 'usdc') };
  }
});

function number(figure: number | null): number {
  assert.ok(figure !== null);
  return figure;
}

function known<Item>(items: readonly Item[]): readonly Item[] {
  assert.ok(items.length > 0);
  return items;
}

function near(actual: number, expected: number, share = 1e-9): void {
  assert.ok(Math.abs(actual - expected) <= share * Math.max(Math.abs(expected), 1e-9), `${actual} is not ${expected}`);
}
