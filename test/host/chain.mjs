import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot, runFolder } from './paths.mjs';
import { aloneAtSetup } from './prepare.mjs';
import { CommandError, run, startProcess } from './processes.mjs';
import { programFolder, programsMissing } from './programFiles.mjs';

/** The same at each start: what a window stores belongs to the address of the chain. The port of Solana's own test validator. */
const PORT = 8899;

/**
 * A little chain that runs (test/support/mainnet).
 * @typedef {object} Chain
 * @property {string} greeting what is in the window
 * @property {Record<string, string>} environment of VS Code
 * @property {Record<string, unknown>} settings of the window
 */

/**
 * Builds and starts the little chain: the real programs with pretend money. What lands on it is stored and landed again at the next start.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @returns {Promise<Chain>}
 */
export async function startChain(ending, tell) {
  if (programFolder() === undefined) throw new Error(`The little chain cannot start: ${programsMissing()}.`);
  const built = join(runFolder, 'mainnet');
  await aloneAtSetup(ending, tell, () =>
    tell.step('Building the little chain', async () => {
      const result = await run(ending, process.execPath, ['esbuild.mjs', '--mainnet', '--out', built], { cwd: projectRoot });
      if (result.code !== 0) throw new CommandError('The build', result);
    }),
  );
  const args = ['--enable-source-maps', join(built, 'mainnet.js'), '--data', join(runFolder, 'mainnet-data'), '--port', String(PORT)];
  const child = startProcess(ending, process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await new Promise((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`The little chain did not start: code ${code}.`)));
  });
  return { greeting: GREETING, environment: environmentFor(ready), settings: settingsFor(ready) };
}

const GREETING = `The little chain runs, with the real programs of Meteora and pretend money. Binsight is connected to it, with a wallet that
has 1,000 SOL and a million USDC, MEME and TOLL.`;

/** Connects the window (src/ui/connection/rpcAddresses.ts, src/ui/wallets/testWallet.ts). The key is no secret. */
function environmentFor({ url, secretKey }) {
  return { BINSIGHT_RPC_URL: url, BINSIGHT_TEST_WALLET: secretKey };
}

/** Selects the chain, and asks no public service about it. */
function settingsFor({ genesisHash }) {
  return { 'binsight.service.baseUrl': `solana:${genesisHash}`, 'binsight.solanaRpc.publicData': false };
}
