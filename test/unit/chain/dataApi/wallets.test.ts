import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/async/clock';
import { DataApiClient } from '../../../../src/chain/dataApi/client';
import { PublicPositions } from '../../../../src/chain/positions/publicPositions';
import { addressOf } from '../../../support/chain/madeFacts';
import { DataApiServer, type WireDataPosition } from '../../../support/chain/dataApiServer';

const OWNER = addressOf('owner');

function positionOf(number: number, closedAt: number | undefined, pool = addressOf('pool')): WireDataPosition {
  const none = { x: '0', y: '0', usd: 0, sol: 0 };
  return {
    ...{ owner: OWNER, pool, address: addressOf(`position ${number}`), bins: [-5, 5], createdAt: 1_790_000_000, closedAt },
    deposits: { x: '23.727175198999998', y: '1', usd: 3_500.25, sol: 25.1 },
    withdrawals: none,
    fees: { ...none, sol: null },
  };
}

describe("chain: wallets in Meteora's public data", () => {
  let server: DataApiServer;
  let log: string[];
  let wallets: PublicPositions;
  before(async () => {
    server = await DataApiServer.start();
  });
  after(() => server.close());
  beforeEach(() => {
    log = [];
    Object.assign(server, { trouble: undefined, positions: [] });
    server.requests.length = 0;
    const api = new DataApiClient({ url: server.url, clock: systemClock });
    wallets = new PublicPositions({ api, clock: systemClock, now: () => Date.now(), log: (line) => void log.push(line) });
  });
  afterEach(() => assert.deepEqual(server.violations, [], 'a request or an answer does not fit the contract'));

  it('Open and closed positions are read with what went in and out, over all pages', async () => {
    server.positions = Array.from({ length: 130 }, (_, number) => positionOf(number, number < 20 ? undefined : 1_790_000_100));
    const wallet = await wallets.wallet(OWNER, 10_000);
    assert.equal(wallet?.positions.size, 130);
    assert.deepEqual(wallet.positions.get(addressOf('position 20')), {
      ...{ address: addressOf('position 20'), pool: addressOf('pool'), lowerBinId: -5, upperBinId: 5 },
      ...{ createdAtS: 1_790_000_000, closedAtS: 1_790_000_100, isClosed: true },
      deposits: { x: '23.727175198999998', y: '1', usd: 3_500.25, sol: 25.1 },
      withdrawals: { x: '0', y: '0', usd: 0, sol: 0 },
      fees: { x: '0', y: '0', usd: 0, sol: undefined },
    });
  });

  it('Pools with open positions are listed over all pages', async () => {
    server.positions = Array.from({ length: 60 }, (_, number) => positionOf(number, undefined, addressOf(`pool ${number}`)));
    assert.equal((await wallets.open(OWNER))?.length, 60);
    assert.equal(server.requests.length, 2);
  });

  it('One read answers all who ask within a minute', async () => {
    server.positions = [positionOf(1, undefined)];
    await Promise.all([wallets.wallet(OWNER, 10_000), wallets.wallet(OWNER, 10_000), wallets.open(OWNER)]);
    await wallets.wallet(OWNER, 10_000);
    assert.equal(server.requests.length, 3);
  });

  it('A wallet with nothing has nothing', async () => {
    assert.equal((await wallets.wallet(OWNER, 10_000))?.positions.size, 0);
    assert.deepEqual(await wallets.open(OWNER), []);
  });

  it('Without an answer that can be read, or in time, there is nothing of it', async () => {
    server.positions = [positionOf(1, undefined)];
    for (const trouble of [
      (response: { writeHead(status: number): { end(text: string): void } }) => response.writeHead(503).end('down'),
      (response: { writeHead(status: number): { end(text: string): void } }) =>
        response.writeHead(200).end('{"pools":[{"poolAddress":"no address"}],"hasNext":false}'),
      (response: { writeHead(status: number): { end(text: string): void } }) => response.writeHead(200).end('<html>'),
    ]) {
      server.trouble = trouble;
      const owner = addressOf(String(trouble));
      assert.equal(await wallets.open(owner), undefined);
      assert.equal(await wallets.wallet(owner, 10_000), undefined);
    }
    assert.ok(log.every((line) => line.startsWith("Nothing of Meteora's public data")));
    server.trouble = undefined;
    assert.equal(await wallets.wallet(addressOf('slow'), 0), undefined);
  });
});
