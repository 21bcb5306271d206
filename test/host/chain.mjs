import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot, runFolder } from './paths.mjs';
import { aloneAtSetup } from './prepare.mjs';
import { CommandError, run, startProcess } from './processes.mjs';
import { PROGRAM_FILES } from './programFiles.mjs';

/** Kept from start to start: what a window stores belongs to the address of the chain. The port of Solana's own test validator. */
const PORT = 8899;

/**
 * A little chain that runs (test/support/mainnet).
 * @typedef {object} Chain
 * @property {string} url of its RPC
 * @property {string} directions what to do in the window
 * @property {Record<string, unknown>} settings of the window
 */

/**
 * Builds and starts the little chain: the real programs with pretend money. What happens on it is kept from start to start.
 * @param {import('./ending.mjs').Ending} ending
 * @param {import('./tell.mjs').Teller} tell
 * @returns {Promise<Chain>}
 */
export async function startChain(ending, tell) {
  const folders = [process.env.BINSIGHT_PROGRAMS, join('test', '.programs'), join('..', 'shared', 'programs')].filter(Boolean);
  if (!folders.some((folder) => PROGRAM_FILES.every(({ file }) => existsSync(join(projectRoot, folder, file))))) {
    throw new Error(
      `There are no builds of the real programs in ${folders.join(', ')}. npm run programs -- --rpc URL takes them from a chain.`,
    );
  }
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
  return { url: ready.url, directions: directionsFor(ready), settings: settingsFor(ready) };
}

function directionsFor({ url, secretKey }) {
  return `
The little chain runs, with the real programs and pretend money. In VS Code, once:
  1. Binsight: Connect to Service… → Solana RPC → ${url}
  2. Binsight: Import Wallet Key… → ${secretKey}
     (1,000 SOL and a million USDC, MEME and TOLL; the key is no secret)
`;
}

/** Selects the chain, and asks no public service about it. */
function settingsFor({ genesisHash }) {
  return {
    'binsight.service.baseUrl': `solana:${genesisHash}`,
    'binsight.solanaRpc.dataApi': '',
    'binsight.solanaRpc.priceApi': '',
    'binsight.solanaRpc.swapApi': '',
    'binsight.solanaRpc.jito': '',
  };
}
