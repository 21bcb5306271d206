import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/async/clock';
import { formatRaw } from '../../src/base/solana/amounts';
import type { Address } from '../../src/base/solana/address';
import { DataApiClient } from '../../src/chain/dataApi/client';
import { ChainPoolReader } from '../../src/chain/pools/poolReader';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import { PublicPositions } from '../../src/chain/positions/publicPositions';
import { ChainPrices } from '../../src/chain/prices/chainPrices';
import { SolPrices } from '../../src/chain/prices/solPrices';
import { ChainRecords } from '../../src/chain/records/chainRecords';
import { PositionStates } from '../../src/chain/records/positionStates';
import { DataApiServer, type WireDataPosition } from '../support/chain/dataApiServer';
import { indexOf } from '../support/chain/indexOf';
import { MarketApis } from '../support/chain/marketApis';
import { useMainnet } from '../support/mainnet/useMainnet';

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;
const protocols = { bins: 'meteora', product: 'meteora_damm_v2' };

describe("Meteora's public data beside the real programs", () => {
  const mainnet = useMainnet({ recording: 'publicData' });
  let server: DataApiServer;
  let indexed: ReturnType<typeof indexOf>;
  let records: ChainRecords;
  const logged: string[] = [];
  before(async () => {
    server = await DataApiServer.start();
  });
  after(() => server.close());
  beforeEach(() => {
    Object.assign(server, { trouble: undefined, positions: [], events: [] });
    start();
  });
  afterEach(async () => {
    mainnet().faults.clear();
    await indexed.stop();
  });

  /** Records of a service with an empty index. */
  function start(): void {
    indexed = indexOf(mainnet().rpcUrl);
    const { rpc, index } = indexed;
    logged.length = 0;
    const log = (line: string): void => void logged.push(line);
    const now = (): number => mainnet().chain.blockTime() * 1_000;
    const publicPositions = new PublicPositions({
      api: new DataApiClient({ url: server.url, clock: systemClock }),
      clock: systemClock,
      now,
      log,
    });
    const pools = new ChainPoolReader({ rpc, clock: systemClock });
    const prices = new ChainPrices({ api: undefined, sol: new SolPrices({ pools, index, dataApi: undefined, now, log }) });
    const positions = new ChainPositionReader({ rpc, index, publicPositions, now: () => performance.now(), log });
    const states = new PositionStates({ index, pools, prices, protocols, now, log });
    records = new ChainRecords({ index, positions, states, publicPositions, protocols, now });
  }

  async function restarted(): Promise<ChainRecords> {
    await indexed.stop();
    start();
    return records;
  }

  /** One position as the API lists it, with the noise of its figures. */
  function listed(owner: Address, position: Address, closedAt?: number): WireDataPosition {
    const none = { x: '0', y: '0', usd: 0, sol: 0 };
    return {
      ...{ owner, pool: mainnet().pools.solUsdc.address, address: position, bins: [-10, 10] as const },
      ...{ createdAt: mainnet().chain.blockTime() - 60, closedAt },
      deposits: { x: '1.0000000000000002', y: '150', usd: 300, sol: 2 },
      withdrawals: closedAt === undefined ? none : { x: '1', y: '150', usd: 303, sol: 2.02 },
      fees: none,
    };
  }

  it('Where the RPC does not search, open positions are there at once from the public data, read from their accounts, with their results', async () => {
    const me = mainnet().wallet(0);
    const { position } = await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    server.positions = [listed(me.address, position)];
    mainnet().faults.refuse('getProgramAccounts');
    mainnet().faults.add({ kind: 'refuse', code: -32_011, message: 'no history' }, { method: 'getSignaturesForAddress' });
    const { data, incomplete } = await records.opening(me.address);
    assert.deepEqual(
      data.map((one) => [one.position, one.inputNative, one.isReported, one.current.amount1Adjusted > 100]),
      [[position, 2, true, true]],
    );
    assert.notEqual(data[0]?.pnl.valueNative, null);
    assert.equal(incomplete?.reason === 'indexing' || incomplete?.reason === 'failed', true);
  });

  it('A position that the public data lists and the chain does not have is not shown, nor is one of another wallet', async () => {
    const [me, other] = [mainnet().wallet(1), mainnet().wallet(2)];
    const { position } = await mainnet().pools.solUsdc.open(other, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    server.positions = [listed(me.address, position), listed(me.address, mainnet().wallet(50).address)];
    mainnet().faults.refuse('getProgramAccounts');
    assert.equal((await records.opening(me.address)).count, 0);
  });

  it('History and overview are those of the public data until the index has read the chain, whose figures then take their place', async () => {
    const me = mainnet().wallet(3);
    const { solUsdc } = mainnet().pools;
    const { position } = await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    mainnet().advance({ seconds: 60 });
    await solUsdc.close(me, position);
    server.positions = [listed(me.address, position, mainnet().chain.blockTime())];
    const remove = mainnet().faults.add({ kind: 'delay', ms: 500 }, { method: 'getTransaction' });
    const history = () => records.historical({ owner: me.address, from: undefined, to: undefined, page: 1, pageSize: 10 });
    const first = await history();
    assert.deepEqual(
      first.data.map((one) => [one.position, one.inputNative, one.outputNative, one.isReported]),
      [[position, 2, 2.02, true]],
    );
    const overview = await records.overview(me.address, protocols.bins);
    assert.equal(overview.incomplete?.reason, 'indexing');
    remove();
    await indexed.index.catchUp(me.address, 20_000);
    const [later] = (await history()).data;
    assert.ok(later !== undefined);
    assert.deepEqual([later.position, later.isReported], [position, undefined]);
    assert.notEqual(later.inputNative, 2);
  });

  it('Logs of a position that is not read are the public ones where they are asked for, until the chain is read, and only if all of them are of it', async () => {
    const me = mainnet().wallet(8);
    const pool = mainnet().pools.solUsdc;
    const { position, signatures } = await pool.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    const event = {
      ...{ signature: signatures.at(-1) ?? '', ixIndex: 1, eventType: 'add', positionAddress: position, poolAddress: pool.address },
      ...{ userAddress: me.address, blockTime: mainnet().chain.blockTime(), slot: 5, createdAt: '2026-11-20T12:00:00Z' },
      ...{ tokenX: 'X', tokenY: 'Y', amountX: '1.0000000000000002', amountY: '150', amountXUsd: '150', amountYUsd: '150', totalUsd: '300' },
    };
    const of = { position, owner: undefined };
    const lies: readonly Partial<Record<keyof typeof event, string | number>>[] = [
      { userAddress: mainnet().wallet(9).address },
      { poolAddress: mainnet().pools.memeSol.address },
      { amountX: '-1' },
      { amountX: '1e99999' },
      { eventType: '<img src=x>' },
      { signature: 'not a signature' },
    ];
    for (const lie of [...lies, undefined]) {
      server.events = [event, ...(lie === undefined ? [] : [{ ...event, ...lie }])];
      const fresh = await restarted();
      const { data } = await fresh.logs({ ...of, reported: true });
      assert.deepEqual(
        data.map(({ isReported }) => isReported),
        [lie === undefined ? true : undefined],
        JSON.stringify(lie),
      );
      assert.ok(data.every(({ amount1 }) => amount1 === (150n * USDC).toString() || lie !== undefined));
    }
    server.events = [event];
    const own = await restarted();
    assert.equal((await own.logs({ ...of, reported: true })).data[0]?.isReported, true);
    assert.equal((await own.logs(of)).data[0]?.isReported, undefined, 'only where they are asked for');
    await indexed.index.catchUp(me.address, 20_000);
    assert.equal((await own.logs({ ...of, reported: true })).data[0]?.isReported, undefined, 'the chain wins');
  });

  it('Public data that contradicts the chain is named, and the figures are those of the chain; the noise of its figures is no contradiction', async () => {
    const me = mainnet().wallet(4);
    const { solUsdc } = mainnet().pools;
    const opened = [];
    for (let number = 0; number < 2; number += 1) {
      const { position } = await solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
      await solUsdc.close(me, position);
      opened.push(position);
    }
    await indexed.index.catchUp(me.address, 20_000);
    const flow = (position: Address, kind: 'deposit' | 'withdrawal') => {
      const events = indexed.index.positions({ position })[0]?.events.filter((event) => event.kind === kind) ?? [];
      const sum = (side: 'x' | 'y') => events.reduce((total, { amounts }) => total + amounts[side], 0n);
      return { x: formatRaw(sum('x'), 9), y: formatRaw(sum('y'), 6), usd: 300, sol: 2 };
    };
    server.positions = opened.map((position, number) => {
      const deposits = flow(position, 'deposit');
      return {
        ...listed(me.address, position, mainnet().chain.blockTime()),
        // As the API writes 0.1 + 0.2.
        deposits: { ...deposits, x: noisy(deposits.x), y: number === 0 ? deposits.y : '151' },
        withdrawals: flow(position, 'withdrawal'),
      };
    });
    const { data } = await records.historical({ owner: me.address, from: undefined, to: undefined, page: 1, pageSize: 10 });
    const flagged = new Map(data.map((one) => [one.position, [one.isContradicted, one.isReported]]));
    assert.deepEqual(
      opened.map((position) => flagged.get(position)),
      [
        [undefined, undefined],
        [true, undefined],
      ],
    );
    assert.ok(data.every(({ inputNative }) => inputNative !== 2));
    await records.historical({ owner: me.address, from: undefined, to: undefined, page: 1, pageSize: 10 });
    const named = logged.filter((line) => line.includes('says otherwise than the chain'));
    assert.deepEqual([named.length, named[0]?.includes(opened[1] ?? '')], [1, true]);
  });

  it('What the data API has of positions by the events of the program is what the index has read: tokens, events, and no contradiction', async () => {
    const apis = await MarketApis.start(mainnet());
    const me = mainnet().wallet(10);
    const { solUsdc, memeSol, tollUsdc } = mainnet().pools;
    for (const pool of [solUsdc, memeSol, tollUsdc]) {
      const { position } = await pool.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
      await pool.add(me, position, { x: SOL / 10n, y: 15n * USDC });
      await pool.swap(mainnet().wallet(11), 'x', SOL / 100n);
      await pool.swap(mainnet().wallet(11), 'y', USDC);
      await pool.claim(me, position);
      await pool.withdraw(me, position, 2_500);
      mainnet().advance({ seconds: 60 });
      await pool.close(me, position);
      await pool.open(me, { x: SOL, bins: [1, 5] });
    }
    apis.update();
    Object.assign(server, { positions: apis.servers.dlmm.positions, events: apis.servers.dlmm.events });
    await apis.close();
    const own = server.positions.filter(({ owner }) => owner === me.address);
    assert.equal(own.length, 6);

    await indexed.index.catchUp(me.address, 20_000);
    const { data } = await records.historical({ owner: me.address, from: undefined, to: undefined, page: 1, pageSize: 10 });
    assert.deepEqual(
      data.map(({ position, isContradicted, isReported }) => [position, isContradicted, isReported]).sort(),
      own.flatMap(({ address, closedAt }) => (closedAt === undefined ? [] : [[address, undefined, undefined]])).sort(),
    );
    for (const { address } of own) {
      const ours = (await records.logs({ position: address, owner: undefined })).data;
      const theirs = server.events.filter(({ positionAddress }) => positionAddress === address);
      assert.deepEqual(
        ours.map(({ signature }) => signature),
        theirs.map((event) => ('signature' in event ? event.signature : undefined)),
        address,
      );
    }
    // The same by a service that has not read the chain.
    const fresh = await restarted();
    mainnet().faults.add({ kind: 'null' }, { method: 'getTransaction' });
    await fresh.historical({ owner: me.address, from: undefined, to: undefined, page: 1, pageSize: 10 });
    for (const { address } of own) {
      const { data: reported } = await fresh.logs({ position: address, owner: undefined, reported: true });
      assert.deepEqual(
        reported.map(({ signature, isReported }) => [signature, isReported]),
        server.events.flatMap((event) => (event.positionAddress === address && 'signature' in event ? [[event.signature, true]] : [])),
        address,
      );
    }
  });

  it('The history of a wallet of which nothing is reported is waited for', async () => {
    const me = mainnet().wallet(12);
    const { position } = await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    await mainnet().pools.solUsdc.close(me, position);
    mainnet().faults.add({ kind: 'delay', ms: 300 }, { method: 'getTransaction' });
    const { data, incomplete } = await records.historical({ owner: me.address, from: undefined, to: undefined, page: 1, pageSize: 10 });
    assert.deepEqual([data.map((one) => [one.position, one.isReported]), incomplete], [[[position, undefined]], undefined]);
  });

  it('Where token accounts are not searched, positions in bins are listed, and those of DAMM v2 come from the history', async () => {
    const me = mainnet().wallet(6);
    const { position } = await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    const { position: product } = await mainnet().pools.dammSolUsdc.open(me, { x: SOL });
    mainnet().faults.add({ kind: 'refuse', status: 403, code: -32_601, message: 'not allowed' }, { method: 'getTokenAccountsByOwner' });
    const addresses = async () => (await records.opening(me.address)).data.map((one) => one.position);
    assert.ok((await addresses()).includes(position));
    await indexed.index.catchUp(me.address, 20_000);
    assert.deepEqual((await addresses()).sort(), [position, product].sort());
  });

  it('With the API down everything is as without it', async () => {
    const me = mainnet().wallet(5);
    const { position } = await mainnet().pools.solUsdc.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    server.trouble = (response) => response.writeHead(503).end();
    const { data } = await records.opening(me.address);
    assert.deepEqual(
      data.map((one) => [one.position, one.isReported]),
      [[position, undefined]],
    );
  });
});

/** An amount of nine places with more of them, as floating point leaves them. */
function noisy(text: string): string {
  const [whole = '', places = ''] = text.split('.');
  return `${whole}.${places.padEnd(9, '0')}0000004`;
}
