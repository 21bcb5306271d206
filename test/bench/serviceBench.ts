// The output of `npm run bench -- service`: the service over a chain, on the little mainnet, which answers at once. Figures depend on this machine and its
// load; nothing is asserted. `--transactions N`: so many for the index (10,000); `--positions N`: the most positions (100).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { serviceFolder, startChainService, type RunningChainService } from '../support/chain/serviceProcess';
import { Mainnet } from '../support/mainnet/mainnet';
import type { Wallet } from '../support/mainnet/world/pool';
import { programFolder } from '../host/programFiles.mjs';
import { TestClient } from '../support/sandbox/client';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds, quantile, timed } from './figures';
import { residentMegabytes } from './sandboxLoad';

const REPEATS = 15;
const POLL_MS = 200;
const KILOBYTE = 1_024;
/** Wallets of the bench, apart from those of each other. */
const WALLETS = { history: 50, entry: 51, positions: 10 } as const;

const Progress = z.object({
  data: z.object({ index: z.array(z.object({ owner: z.string(), state: z.string(), transactions: z.int(), left: z.int() })) }),
});

const { values } = parseArgs({
  options: { transactions: { type: 'string', default: '10000' }, positions: { type: 'string', default: '100' } },
});

function clientOf({ url, apiKey, pid }: RunningChainService, { address, keypair }: Wallet): TestClient {
  return new TestClient({ url, apiKey, pid, owner: address, secretKey: bs58.encode(keypair.secretKey) });
}

/** Reports how long a request takes, and how many requests to the RPC, the first time and later. */
async function measure(mainnet: Mainnet, name: string, ask: () => Promise<{ readonly status: number }>, repeats = REPEATS): Promise<void> {
  const requests = async (work: () => Promise<unknown>): Promise<string> => {
    const calls = [...(await mainnet.countCalls(work))];
    const sum = calls.reduce((total, [, count]) => total + count, 0);
    return `${sum} (${calls.map(([method, count]) => `${method} ${count}`).join(', ')})`;
  };
  let status = 0;
  let coldMs = 0;
  const cold = await requests(async () => {
    coldMs = await timed(async () => ({ status } = await ask()));
  });
  const warm = await requests(ask);
  const times: number[] = [];
  for (let count = 0; count < repeats; count += 1) {
    times.push(await timed(ask));
  }
  if (status !== 200) {
    throw new Error(`${name} was answered with ${status}`);
  }
  reportRow({
    what: `${name}, warm`,
    beside: `cold: ${milliseconds(coldMs)}, requests to the RPC: ${cold}`,
    result: `${repeats === 0 ? '' : `${milliseconds(quantile(times, 0.5))}, 95 % within ${milliseconds(quantile(times, 0.95))}, `}requests to the RPC: ${warm}`,
    how: repeats === 0 ? 'requests counted at the RPC' : `median of ${repeats}; requests counted at the RPC`,
  });
}

async function measureOpening(mainnet: Mainnet, service: RunningChainService, most: number): Promise<void> {
  for (const [place, count] of [1, 20, 100].filter((one) => one <= most).entries()) {
    const wallet = mainnet.wallet(WALLETS.positions + place);
    const pools = [mainnet.pools.solUsdc, mainnet.pools.solUsdcFine, mainnet.pools.memeSol];
    for (let number = 0; number < count; number += 1) {
      await pools[number % pools.length]?.open(wallet, { x: 10n ** 7n, y: 10n ** 6n });
    }
    const client = clientOf(service, wallet);
    await measure(mainnet, `opening, ${count} positions`, () => client.get('/lp-positions/opening', { owner: wallet.address }));
  }
}

async function measurePools(mainnet: Mainnet, service: RunningChainService): Promise<void> {
  const wallet = mainnet.wallet(WALLETS.positions);
  const client = clientOf(service, wallet);
  const { owner } = client.sandbox;
  for (const pool of [mainnet.pools.solUsdc, mainnet.pools.dammSolUsdc]) {
    await measure(mainnet, `pool info, ${pool.program}`, () => client.get(`/pools/${pool.address}/info`));
  }
  await measure(mainnet, 'discover by address', () => client.get('/pools/discover', { search: mainnet.pools.solUsdc.address }));
  await measure(mainnet, 'token balance', () => client.get('/token/balance', { owner }));
  await measure(mainnet, 'historical', () => client.get('/lp-positions/historical', { owner }));
  await measure(mainnet, 'overview', () => client.get('/lp-positions/overview', { owner, protocol: 'meteora' }));
}

async function measureOperations(mainnet: Mainnet, service: RunningChainService): Promise<void> {
  const wallet = mainnet.wallet(WALLETS.entry);
  const client = clientOf(service, wallet);
  const { solUsdc } = mainnet.pools;
  const { data } = z
    .object({ data: z.object({ liquidityViz: z.object({ activeBin: z.object({ binId: z.int() }) }) }) })
    .parse((await client.get(`/pools/${solUsdc.address}/info`)).body);
  const { binId } = data.liquidityViz.activeBin;
  const entry = { inputSOL: 1, percentX: 0.5, fromBinId: binId - 30, toBinId: binId + 30 };
  const body = { stratergy: 'Spot', owner: wallet.address, mode: 'zap-in', slippage_bps: 500, ...entry };
  await measure(mainnet, 'build a zap-in', () => client.post(`/pools/${solUsdc.address}/add-tx`, body), 3);
  const built = await client.add(solUsdc.address, entry);
  await measure(mainnet, 'land a zap-in (warm: the same payload again)', () => client.landAdd(built), 0);
  const exit = { position_id: built.meta.positionPubKey, bps: 10_000, owner: wallet.address, slippage_bps: 500, output: 'allBaseToken' };
  await measure(mainnet, 'build a zap-out', () => client.post('/position/decrease-tx', exit), 3);
  const out = await client.decrease(built.meta.positionPubKey, 10_000);
  await measure(mainnet, 'land a zap-out (warm: the same payload again)', () => client.landDecrease(out), 0);
}

async function measureIndex(mainnet: Mainnet, service: RunningChainService, data: string, count: number): Promise<void> {
  const wallet = mainnet.wallet(WALLETS.history);
  const { position } = await mainnet.pools.solUsdc.open(wallet, { x: 10n ** 9n, y: 150_000_000n });
  const { publicKey } = wallet.keypair;
  // Most transactions of a wallet have nothing to do with its positions.
  for (let number = 1; number < count; number += 1) {
    if (number % 50 === 0) {
      await mainnet.pools.solUsdc.add(wallet, position, { x: 10n ** 6n, y: 150_000n });
    } else {
      const transfer = SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: number });
      mainnet.sender.send([new Transaction().add(transfer)], [wallet.keypair]);
    }
  }
  const client = clientOf(service, wallet);
  const before = residentMegabytes(service.pid);
  let most = 0;
  let ms = 0;
  const calls = await mainnet.countCalls(async () => {
    ms = await timed(async () => {
      for (;;) {
        await client.get('/lp-positions/historical', { owner: wallet.address });
        most = Math.max(most, residentMegabytes(service.pid));
        const { index } = Progress.parse((await client.send('GET', new URL('/status', service.url).href)).body).data;
        if (index.find(({ owner }) => owner === wallet.address)?.state === 'current') {
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    });
  });
  const bytes = readdirSync(data)
    .filter((name) => name.startsWith('index.sqlite'))
    .reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
  reportRow({
    what: `index of ${count} transactions`,
    beside: `memory before: ${before.toFixed(0)} MB`,
    result: `${milliseconds(ms)}, ${most.toFixed(0)} MB of memory at most, ${(bytes / KILOBYTE).toFixed(0)} kB on disk`,
    how: `one run; requests to the RPC: ${[...calls].map(([method, number]) => `${method} ${number}`).join(', ')}`,
  });
}

async function main(): Promise<void> {
  if (programFolder() === undefined) {
    reportRow({
      what: 'the service over a chain',
      result: 'not measured',
      how: 'the builds of the real programs are missing: see test/support/mainnet/README.md',
    });
    return;
  }
  const mainnet = await Mainnet.start();
  const folder = serviceFolder();
  try {
    let service: RunningChainService | undefined;
    const startMs = await timed(async () => (service = await startChainService({ rpcUrl: mainnet.rpcUrl, data: folder.path })));
    if (service === undefined) {
      return;
    }
    reportRow({
      what: 'start to the ready line',
      result: `${milliseconds(startMs)}, ${residentMegabytes(service.pid).toFixed(0)} MB resident`,
      how: 'one start of a process on a new folder',
    });
    await measureOpening(mainnet, service, Number(values.positions));
    await measurePools(mainnet, service);
    await measureOperations(mainnet, service);
    await measureIndex(mainnet, service, folder.path, Number(values.transactions));
    await service.stop();
  } finally {
    await mainnet.stop();
    folder.remove();
  }
}

await main();
