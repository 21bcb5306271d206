// The output of `npm run bench -- first`: how soon a new service has what a wallet has, on an RPC as providers have it: 60 ms an answer and 8 requests a second;
// without public data, and with it at 100 ms an answer. `--transactions N`: of the wallet (10,000), `--open N` (20) and `--closed N` (200) positions among them.
// Figures depend on this machine and its load; nothing is asserted.
import { parseArgs } from 'node:util';
import { SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import type { Address } from '../../src/base/solana/address';
import { reportRow } from '../host/benchRows.mjs';
import { programFolder } from '../host/programFiles.mjs';
import { DataApiServer, type WireDataPosition } from '../support/chain/dataApiServer';
import { serviceFolder, startChainService } from '../support/chain/serviceProcess';
import { Mainnet } from '../support/mainnet/mainnet';
import type { Wallet } from '../support/mainnet/world/pool';
import { TestClient } from '../support/sandbox/client';

const RPC_DELAY_MS = 60;
const RPC_RPS = 8;
const PUBLIC_DELAY_MS = 100;
/** With public data. */
const AIMS = 'aims: rows with their profit in 2 s, overview and history in 5 s, at most 40 requests before that';
/** When lists are asked for again, as the editor does (ui/connection/indexWatch.ts): an answer takes requests, too. */
const ASKED_AT_MS = [4_000, 8_000, 16_000, 32_000, 64_000, 120_000];

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '10000' },
    open: { type: 'string', default: '20' },
    closed: { type: 'string', default: '200' },
  },
});

const Opening = z.object({ count: z.int(), data: z.array(z.object({ pnl: z.object({ valueNative: z.number().nullable() }) })) });
const Overview = z.object({ data: z.object({ total_pnl: z.object({ '1M': z.number().nullable() }).loose() }).loose() });
const Historical = z.object({
  data: z.object({ data: z.array(z.unknown()), pagination: z.object({ totalCount: z.int() }).loose() }).loose(),
});

/** Makes the history of a wallet: closed positions, open ones, and transactions that have nothing to do with either. */
async function makeHistory(mainnet: Mainnet, wallet: Wallet): Promise<readonly WireDataPosition[]> {
  const pools = [mainnet.pools.solUsdc, mainnet.pools.solUsdcFine, mainnet.pools.memeSol];
  const made: WireDataPosition[] = [];
  let sent = 0;
  const [open, closed] = [Number(values.open), Number(values.closed)];
  for (let number = 0; number < closed + open; number += 1) {
    const pool = pools[number % pools.length] ?? mainnet.pools.solUsdc;
    const createdAt = mainnet.chain.blockTime();
    const { position, signatures } = await pool.open(wallet, { x: 10n ** 7n, y: 10n ** 6n });
    const isClosed = number < closed;
    sent += signatures.length + (isClosed ? (await pool.close(wallet, position)).signatures.length : 0);
    made.push(reported(wallet.address, pool.address, position, createdAt, isClosed ? mainnet.chain.blockTime() : undefined));
    for (; sent < ((number + 1) / (closed + open)) * Number(values.transactions); sent += 1) {
      const transfer = SystemProgram.transfer({
        fromPubkey: wallet.keypair.publicKey,
        toPubkey: wallet.keypair.publicKey,
        lamports: sent + 1,
      });
      mainnet.sender.send([new Transaction().add(transfer)], [wallet.keypair]);
    }
  }
  return made;
}

function reported(owner: Address, pool: Address, address: Address, createdAt: number, closedAt: number | undefined): WireDataPosition {
  const flow = { x: '0.01', y: '1', usd: 2.5, sol: 0.0167 };
  const none = { x: '0', y: '0', usd: 0, sol: 0 };
  return {
    owner,
    pool,
    address,
    bins: [-10, 10],
    createdAt,
    closedAt,
    deposits: flow,
    withdrawals: closedAt === undefined ? none : flow,
    fees: none,
  };
}

async function measure(mainnet: Mainnet, wallet: Wallet, api: DataApiServer | undefined): Promise<void> {
  const folder = serviceFolder();
  const service = await startChainService({
    rpcUrl: mainnet.rpcUrl,
    data: folder.path,
    args: ['--rpc-rps', String(RPC_RPS), ...(api === undefined ? [] : ['--data-api', api.url])],
  });
  const beside = api === undefined ? 'without public data' : `public data, ${PUBLIC_DELAY_MS} ms an answer; ${AIMS}`;
  const how = `one run; ${RPC_DELAY_MS} ms an answer of the RPC, ${RPC_RPS} requests a second; a wallet with ${values.transactions} transactions, ${values.open} open and ${values.closed} closed positions`;
  const { url, apiKey, pid } = service;
  const client = new TestClient({ url, apiKey, pid, owner: wallet.address, secretKey: bs58.encode(wallet.keypair.secretKey) });
  const begunAt = performance.now();
  const before = new Map(mainnet.rpc.counts);
  const since = (): string => {
    const counts = [...mainnet.rpc.counts].map(([method, count]) => [method, count - (before.get(method) ?? 0)] as const);
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    const methods = counts.filter(([, count]) => count > 0).map(([method, count]) => `${method} ${count}`);
    return `${((performance.now() - begunAt) / 1_000).toFixed(1)} s, ${sum} requests to the RPC (${methods.join(', ')})`;
  };
  const row = (what: string, result: string): void => reportRow({ what, beside, result, how });
  const opening = async (): Promise<{ readonly rows: number; readonly known: number }> => {
    const { count, data } = Opening.parse((await client.get('/lp-positions/opening', { owner: wallet.address })).body);
    return { rows: count, known: data.filter(({ pnl }) => pnl.valueNative !== null).length };
  };
  const goals: Readonly<Record<string, () => Promise<boolean>>> = {
    'the profit of all open positions': async () => (await opening()).known === Number(values.open),
    'all closed positions in the history': async () => {
      const { body } = await client.get('/lp-positions/historical', { owner: wallet.address });
      return Historical.parse(body).data.pagination.totalCount === Number(values.closed);
    },
    'the profit of the last month in the overview': async () => {
      const answer = await client.get('/lp-positions/overview', { owner: wallet.address, protocol: 'meteora' });
      return answer.status === 200 && Overview.parse(answer.body).data.total_pnl['1M'] !== null;
    },
  };
  const first = await opening();
  row('first list of open positions', `${since()}: ${first.rows} rows, ${first.known} with their profit`);
  const missing = new Set(first.known === first.rows ? Object.keys(goals).slice(1) : Object.keys(goals));
  for (const atMs of [0, ...ASKED_AT_MS]) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(atMs - (performance.now() - begunAt), 0)));
    await Promise.all(
      [...missing].map(async (goal) => {
        if ((await goals[goal]?.()) === true) {
          missing.delete(goal);
          row(goal, since());
        }
      }),
    );
  }
  missing.forEach((goal) => row(goal, `not within ${(performance.now() - begunAt) / 1_000} s`));
  await service.stop();
  folder.remove();
}

async function main(): Promise<void> {
  if (programFolder() === undefined) {
    reportRow({
      what: 'first answers',
      result: 'not measured',
      how: 'the builds of the real programs are missing: see test/support/mainnet/README.md',
    });
    return;
  }
  const mainnet = await Mainnet.start();
  const api = await DataApiServer.start();
  try {
    const wallet = mainnet.wallet(52);
    api.positions = await makeHistory(mainnet, wallet);
    api.delayMs = PUBLIC_DELAY_MS;
    mainnet.faults.add({ kind: 'delay', ms: RPC_DELAY_MS });
    await measure(mainnet, wallet, undefined);
    await measure(mainnet, wallet, api);
  } finally {
    await Promise.all([mainnet.stop(), api.close()]);
  }
}

await main();
