import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PATIENCE_MS } from '../patience';

/** What a sandbox prints once it is ready. */
export interface ReadyLine {
  readonly url: string;
  readonly apiKey: string;
  readonly owner: string;
  readonly secretKey: string;
  readonly pid: number;
}

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sandbox in a process of its own. */
export interface RunningSandbox extends ReadyLine {
  /** Of the process that was started; `pid` is that of the one that serves. */
  readonly ownPid: number | undefined;
  /** Its data folder. */
  readonly data: string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<Ended>;
  /** Ends it as Ctrl-C does, or with another signal; resolves when it has. Calling it again does no harm. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Closes the ends at which it is listened to, as a parent that crashed does. */
  deafen(): void;
}

/** How a sandbox is started. */
export interface SandboxOptions {
  /** Kept after the end; without it the sandbox gets a folder that goes with it. */
  readonly data?: string;
  readonly seed?: number;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Another sandbox than the one to test. */
  readonly executable?: string;
  /** No file that it writes can get larger than this, about: what a full disk is to it. */
  readonly mostFileBytes?: number;
}

/** The sandbox to test: `BINSIGHT_SANDBOX`, else what `npm run build` makes. */
export function sandboxExecutable(): string {
  return resolve(process.env['BINSIGHT_SANDBOX'] ?? join('dist', 'sandbox.js'));
}

/** For worlds of which only the making is tested: a short past is played sooner. */
export const SHORT_PAST = ['--past-days', '2'] as const;

/** A folder for one test's data. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'binsight-sandbox-'));
}

/** The command line of a sandbox. */
export function argumentsOf(data: string, { seed = 7, args = [] }: Pick<SandboxOptions, 'seed' | 'args'>): readonly string[] {
  return ['--port', '0', '--data', data, '--seed', String(seed), ...args];
}

/** Runs the sandbox's executable until it ends by itself. */
export async function runSandbox(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return launch(args, { env }).ended;
}

/**
 * Starts a sandbox and waits for its ready line.
 * @throws Error with what it wrote on standard error where it ends before that.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const data = options.data ?? temporaryFolder();
  const launched = launch(argumentsOf(data, options), options);
  const ended = launched.ended.finally(() => {
    if (options.data === undefined) {
      rmSync(data, { recursive: true, force: true });
    }
  });
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      launched.child.kill('SIGKILL');
      reject(new Error(`The sandbox was not ready within ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
    void Promise.race([launched.firstLine, ended])
      .finally(() => clearTimeout(timer))
      .catch(() => undefined);
  });
  const early = ended.then(({ code, stderr }) =>
    Promise.reject(new Error(`The sandbox ended with code ${code} before it was ready:\n${stderr}`)),
  );
  const line = await Promise.race([launched.firstLine, early, late]);
  return {
    ...(JSON.parse(line) as ReadyLine),
    ownPid: launched.child.pid,
    data,
    ended,
    stop: (signal = 'SIGINT') => {
      launched.child.kill(signal);
      return ended;
    },
    deafen: () => {
      launched.child.stdout?.destroy();
      launched.child.stderr?.destroy();
    },
  };
}

/** Starts a sandbox on a folder and kills it after so long, ready or not; resolves when it is gone. */
export async function startAndKill(data: string, afterMs: number): Promise<void> {
  const { child, ended } = launch(argumentsOf(data, { args: SHORT_PAST }));
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await ended;
  clearTimeout(timer);
}

/** A program that was started. */
interface Launched {
  readonly child: ChildProcess;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
}

/** Starts a program of this project; by default the sandbox. */
export function launch(
  args: readonly string[],
  { env = {}, executable = sandboxExecutable(), mostFileBytes }: Pick<SandboxOptions, 'env' | 'executable' | 'mostFileBytes'> = {},
): Launched {
  const command = [process.execPath, executable, ...args];
  // POSIX counts in blocks of 512 bytes. The shell becomes the sandbox: its number and its signals are the sandbox's.
  const limited =
    mostFileBytes === undefined ? command : ['sh', '-c', `ulimit -f ${Math.ceil(mostFileBytes / 512)} && exec "$@"`, 'sh', ...command];
  const child = spawn(limited[0] ?? '', limited.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const firstLine = new Promise<string>((found) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const end = stdout.indexOf('\n');
      if (end >= 0) {
        found(stdout.slice(0, end));
      }
    });
  });
  const ended = new Promise<Ended>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { child, firstLine, ended };
}
