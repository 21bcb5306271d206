import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Ended, launch } from '../sandbox/process';

/** A service over a chain in a process of its own. */
export interface RunningChainService {
  readonly url: string;
  readonly apiKey: string;
  /** Of the process that serves. */
  readonly pid: number;
  /** Of the process that was started. */
  readonly ownPid: number | undefined;
  readonly ended: Promise<Ended>;
  /** Ends it as Ctrl-C does, or with another signal. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** How a service is started. */
export interface ChainServiceOptions {
  readonly rpcUrl: string;
  readonly data: string;
  readonly args?: readonly string[];
  /** Another service than the one to test. */
  readonly executable?: string;
}

const LONGEST_TAIL = 2_000;

/** The service to test: `BINSIGHT_SERVICE`, else what `npm run build` makes. */
function serviceExecutable(): string {
  return resolve(process.env['BINSIGHT_SERVICE'] ?? join('dist', 'service.js'));
}

/** A folder for one test's data. */
export function serviceFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'binsight-service-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Runs the service with these arguments until it ends by itself. */
export function runService(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return launch(args, { env, executable: serviceExecutable() }).ended;
}

/** Starts a service that uses only the RPC, and waits for its ready line. @throws Error with its log if it ends before */
export async function startChainService({
  rpcUrl,
  data,
  args = [],
  executable = serviceExecutable(),
}: ChainServiceOptions): Promise<RunningChainService> {
  const alone = ['data-api', 'price-api', 'swap-api', 'jito'].flatMap((name) => (args.includes(`--${name}`) ? [] : [`--${name}`, 'none']));
  const { child, firstLine, ended } = launch(['--port', '0', '--data', data, '--rpc-rps', '1000', ...alone, ...args], {
    env: { BINSIGHT_RPC_URL: rpcUrl },
    executable,
  });
  let isStopped = false;
  void ended.then(({ code, signal, stderr }) => {
    if (!isStopped && code !== 0) {
      process.stderr.write(`The service ended with ${code ?? signal ?? 'nothing'}:\n${stderr.slice(-LONGEST_TAIL)}\n`);
    }
  });
  const early = ended.then(({ code, stderr }): never => {
    throw new Error(`The service ended with code ${code} before it was ready:\n${stderr.slice(-LONGEST_TAIL)}`);
  });
  const line = JSON.parse(await Promise.race([firstLine, early])) as Pick<RunningChainService, 'url' | 'apiKey' | 'pid'>;
  return {
    ...line,
    ownPid: child.pid,
    ended,
    stop: (signal = 'SIGINT') => {
      isStopped = true;
      child.kill(signal);
      return ended;
    },
  };
}
