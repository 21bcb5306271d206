// What `npm run bench` prints. Figures are of this machine at this moment; nothing is asserted.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviewOperation } from '../../src/review/review';
import type { ZapInIntent } from '../../src/review/types';
import { buildAdd } from '../../src/sandbox/build/buildAdd';
import { address } from '../../src/solana/address';
import { base64FromBytes } from '../../src/solana/base64Transaction';
import { addPlan, OTHER_MINT, OWNER, TOKEN_SOL } from '../sandbox/build/plans';
import { startSandbox } from '../sandbox/support/process';
import { milliseconds, quantile, say } from './figures';
import { WRAPPED_SOL_MINT } from '../../src/solana/programs';

const REVIEWS = 200;
const BLOCKHASH = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly bytes: number;
}

/** Bytes of the entry and of everything that it imports at once. */
function bytesAtActivation(): number {
  const { outputs } = JSON.parse(readFileSync('dist/extension.meta.json', 'utf8')) as { outputs: Readonly<Record<string, Output>> };
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (!loaded.has(path)) {
      loaded.add(path);
      outputs[path]?.imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true).forEach((next) => load(next.path));
    }
  };
  load('dist/extension.js');
  return [...loaded].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}

/** Milliseconds of each review of an honest zap-in of five transactions (80 bins), beginning with the process's very first. */
function reviewTimes(): number[] {
  const range = { fromBinId: -420, toBinId: -341 };
  const built = buildAdd(addPlan(BLOCKHASH, range));
  const transactions = [
    ...built.swapTransactions.map((bytes) => ({ group: 'swap' as const, base64: base64FromBytes(bytes) })),
    ...built.addTransactions.map((bytes) => ({ group: 'add' as const, base64: base64FromBytes(bytes) })),
  ];
  const intent: ZapInIntent = {
    ...{ kind: 'zapIn', owner: OWNER.address, pool: TOKEN_SOL.pool, position: address(built.position), slippageBps: 300 },
    ...{ tokenX: OTHER_MINT, tokenY: WRAPPED_SOL_MINT, inputLamports: 1_000_000_000n, strategy: 'Spot', ...range },
  };
  const review = (): ReturnType<typeof reviewOperation> => reviewOperation({ intent, transactions, lastValidBlockHeight: 9 });
  const times = Array.from({ length: REVIEWS }, () => {
    const from = performance.now();
    review();
    return performance.now() - from;
  });
  say(`Review of an honest zap-in of ${transactions.length} transactions (verdict: ${review().verdict}), ${REVIEWS} times in one process:`);
  return times;
}

/** Milliseconds from spawning the sandbox to its ready line: a new folder, then the same one again. */
async function startTimes(): Promise<readonly [number, number]> {
  const data = mkdtempSync(join(tmpdir(), 'binsight-bench-'));
  try {
    const start = async (): Promise<number> => {
      const from = performance.now();
      const sandbox = await startSandbox({ data });
      const ms = performance.now() - from;
      await sandbox.stop();
      return ms;
    };
    return [await start(), await start()];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

say(`Loaded at activation: ${(bytesAtActivation() / 1000).toFixed(1)} kB`);
const times = reviewTimes();
say(`  the first ${milliseconds(times[0] ?? 0)}, median ${milliseconds(quantile(times, 0.5))}, 95 % within ${milliseconds(quantile(times, 0.95))}`);
const [first, again] = await startTimes();
say(`Sandbox to its ready line: ${Math.round(first)} ms in a new folder, ${Math.round(again)} ms in the same one again`);
