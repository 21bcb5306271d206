import { createRequire } from 'node:module';
import * as z from 'zod';
import { errorText } from '../base/thrown';
import { ADMIN_PATH } from '../engine/http/listen';
import { runServiceProcess } from '../engine/process/serviceProcess';
import { HELP, readArguments } from './arguments';
import type * as Sandbox from './sandbox';

/** Loads the rest of the program, whose native code is not available on every system. */
async function loadSandbox(log: (message: string) => void): Promise<typeof Sandbox.startSandbox | undefined> {
  try {
    // `require` first: an error that a CommonJS package throws during `import` ends the process even if it is caught.
    createRequire(import.meta.url)('litesvm/dist/internal.js');
  } catch (error) {
    log(
      `The sandbox cannot run on this system (${process.platform} ${process.arch}): LiteSVM, its Solana virtual machine, cannot be loaded (${firstLine(error)}). No real money is concerned. Watch an address on Solana mainnet, or connect to a service, instead.`,
    );
    return undefined;
  }
  return (await import('./sandbox')).startSandbox;
}

function firstLine(error: unknown): string {
  return errorText(error).split(/\n|\. /, 1)[0] ?? '';
}

await runServiceProcess({
  noun: 'sandbox',
  instance: {
    name: 'sandbox',
    line: z.object({ url: z.url(), apiKey: z.string(), owner: z.string(), secretKey: z.string(), pid: z.int() }),
    statusPath: `${ADMIN_PATH}/status`,
  },
  help: HELP,
  readArguments,
  load: loadSandbox,
});
