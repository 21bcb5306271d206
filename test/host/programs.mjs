// `npm run programs -- --rpc URL`: takes the real programs from a chain and writes them to test/.programs, which git ignores. Tests on the real
// programs are skipped without them.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdirSync, renameSync, writeFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { messageOf } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { PROGRAM_FILES } = await import('./programFiles.mjs');

const HELP = `npm run programs -- --rpc URL [--out DIR]
Takes the programs of Meteora and Jupiter from a chain, for tests that run them.

  --rpc URL    a Solana RPC
  --out DIR    where they are written (test/.programs)`;

// Layouts: solana-loader-v3-interface, `UpgradeableLoaderState`.
const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const PROGRAM_STATE = 2;
const PROGRAM_DATA_STATE = 3;
/** Kind of state, slot, and the optional authority: what is in front of the program. */
const PROGRAM_DATA_HEAD_BYTES = 45;
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const TIMEOUT_MS = 120_000;

/** @returns {Promise<{ owner: string, data: Buffer }>} */
async function readAccount(rpc, address) {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [address, { encoding: 'base64', commitment: 'confirmed' }],
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The RPC answered with HTTP ${response.status}.`);
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`The RPC refused: ${error.message}`);
  if (!result?.value) throw new Error(`There is no account ${address} on this chain.`);
  return { owner: result.value.owner, data: Buffer.from(result.value.data[0], 'base64') };
}

/** The bytes of a program. */
async function readProgram(rpc, program) {
  const { default: bs58 } = await import('bs58');
  const { owner, data } = await readAccount(rpc, program);
  if (owner !== UPGRADEABLE_LOADER) return data;
  if (data.readUInt32LE(0) !== PROGRAM_STATE) throw new Error(`${program} is not a program.`);
  const held = await readAccount(rpc, bs58.encode(data.subarray(4, 36)));
  if (held.data.readUInt32LE(0) !== PROGRAM_DATA_STATE) throw new Error(`${program} has no code.`);
  return held.data.subarray(PROGRAM_DATA_HEAD_BYTES);
}

try {
  const { values } = parseArgs({ options: { rpc: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help || values.rpc === undefined) {
    process.stdout.write(`${HELP}\n`);
    process.exit(values.help ? 0 : 2);
  }
  const folder = values.out ?? join(projectRoot, 'test', '.programs');
  mkdirSync(folder, { recursive: true });
  for (const { program, file } of PROGRAM_FILES) {
    const bytes = await readProgram(values.rpc, program);
    if (!bytes.subarray(0, ELF.length).equals(ELF)) throw new Error(`${program} is not an ELF file.`);
    // Whole or not at all: tests run as soon as all files are there.
    writeFileSync(join(folder, `${file}.part`), bytes);
    renameSync(join(folder, `${file}.part`), join(folder, file));
    process.stdout.write(`${file}: ${bytes.length.toLocaleString('en')} bytes\n`);
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
