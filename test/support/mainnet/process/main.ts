// The little mainnet as a process, for `npm start -- --chain`: its time passes, a wallet trades, and what happened is there again at the next start.
//   node main.js --data DIR [--port 8899]
// Prints one line of JSON once it is ready, and ends on SIGINT and SIGTERM.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import bs58 from 'bs58';
import { Mainnet } from '../mainnet';
import type { Wallet } from '../world/pool';
import { Journal } from './journal';

/** Not that of mainnet: pretend money must not be taken for real money. */
const GENESIS_HASH = bs58.encode(createHash('sha256').update('little mainnet').digest());
const TICK_MS = 200;
const TRADE_EVERY_MS = 20_000;
/** Raw units of what is sold: some 100 dollars. */
const TRADES = [
  { pool: 'solUsdc', sell: 'x', amount: 700_000_000n },
  { pool: 'solUsdc', sell: 'y', amount: 100_000_000n },
  { pool: 'memeSol', sell: 'x', amount: 60_000_000n },
  { pool: 'memeSol', sell: 'y', amount: 600_000_000n },
  { pool: 'tollUsdc', sell: 'x', amount: 100_000_000n },
  { pool: 'tollUsdc', sell: 'y', amount: 100_000_000n },
  { pool: 'dammSolUsdc', sell: 'x', amount: 700_000_000n },
  { pool: 'dammSolUsdc', sell: 'y', amount: 100_000_000n },
] as const;

const { values } = parseArgs({ options: { data: { type: 'string', default: '.mainnet' }, port: { type: 'string', default: '8899' } } });
const file = join(values.data, 'landed.jsonl');

interface Opened {
  readonly mainnet: Mainnet;
  readonly journal: Journal;
  readonly isNew: boolean;
}

/** The chain of the journal; a new one if there is no journal, or its transactions do not land as they did. */
async function open(): Promise<Opened> {
  const port = Number(values.port);
  const earlier = Journal.read(file);
  if (earlier !== undefined) {
    const mainnet = await Mainnet.start({ nowMs: earlier.beganMs, port, genesisHash: GENESIS_HASH });
    if (earlier.replay(mainnet.chain)) {
      return { mainnet, journal: earlier, isNew: false };
    }
    await mainnet.stop();
  }
  const journal = Journal.begin(file, Date.now());
  return { mainnet: await Mainnet.start({ nowMs: journal.beganMs, port, genesisHash: GENESIS_HASH }), journal, isNew: true };
}

const { mainnet, journal, isNew } = await open();
const { chain, pools, rpcUrl } = mainnet;
chain.advanceTo(Date.now());
chain.onLanded = (landed) => journal.append(landed);
if (isNew) {
  await openFirstPositions(mainnet.wallet(0));
}

/** Opens positions: without a data API, Binsight lists the pools that its wallet has been in. Amounts are raw, some 1,500 dollars a side. */
async function openFirstPositions(wallet: Wallet): Promise<void> {
  const { solUsdc, solUsdcFine, memeSol, tollUsdc, dammSolUsdc, dammMemeSol } = pools;
  const closed = await solUsdcFine.open(wallet, { x: 10_000_000_000n, y: 1_500_000_000n, bins: [-10, 10] });
  await solUsdcFine.swap(mainnet.wallet(50), 'x', 7_000_000_000n);
  await solUsdcFine.close(wallet, closed.position);
  await solUsdc.open(wallet, { x: 10_000_000_000n, y: 1_500_000_000n, bins: [-20, 20] });
  await memeSol.open(wallet, { x: 1_000_000_000n, bins: [1, 30] });
  await tollUsdc.open(wallet, { x: 1_500_000_000n, y: 1_500_000_000n, bins: [-10, 10], strategy: 'Curve' });
  await dammSolUsdc.open(wallet, { x: 10_000_000_000n });
  await dammMemeSol.open(wallet, { y: 10_000_000_000n });
}

let trades = 0;
async function trade(): Promise<void> {
  const { pool, sell, amount } = TRADES[(trades += 1) % TRADES.length] ?? TRADES[0];
  await pools[pool].swap(mainnet.wallet(50), sell, amount);
}

const timers = [
  setInterval(() => chain.advanceTo(Date.now()), TICK_MS),
  setInterval(() => {
    trade().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }, TRADE_EVERY_MS),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    timers.forEach(clearInterval);
    void mainnet.stop();
  });
}

const { address, keypair } = mainnet.wallet(0);
// The path identifies the chain: a new one is not taken for an earlier one.
const url = `${rpcUrl}/${journal.beganMs.toString(36)}`;
process.stdout.write(
  `${JSON.stringify({ url, pid: process.pid, genesisHash: GENESIS_HASH, owner: address, secretKey: bs58.encode(keypair.secretKey) })}\n`,
);
