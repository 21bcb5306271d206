import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as esbuild from 'esbuild';

/** An answer of the MCP server. */
export interface McpAnswer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Builds the MCP server as esbuild.mjs does, to a place where `npm run coverage` finds it after the tests. @returns its path */
export async function buildMcp(): Promise<string> {
  const outfile = resolve('.vscode-test', 'mcp', 'mcp.mjs');
  await esbuild.build({
    entryPoints: ['src/mcp/main.ts'],
    outfile,
    bundle: true,
    minify: true,
    loader: { '.html': 'text' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    sourcemap: true,
    logLevel: 'silent',
  });
  return outfile;
}

/** The MCP server as a process, as an assistant starts it. */
export class McpProcess {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (answer: McpAnswer) => void>();
  #nextId = 1;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;

  constructor(program: string, args: readonly string[] = []) {
    this.#child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const answer = JSON.parse(line) as McpAnswer;
        this.#answers.get(answer.id ?? -1)?.(answer);
      });
    }
  }

  /** Sends a request and waits for its answer. @param sent called with its id */
  request(method: string, params: object = {}, sent: (id: number) => void = () => undefined): Promise<McpAnswer> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.send({ jsonrpc: '2.0', id, method, params });
      sent(id);
    });
  }

  /** Sends anything. */
  send(message: unknown): void {
    this.#child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Begins the session as clients up to 2025 do. */
  async initialize(protocolVersion = '2025-06-18', capabilities: object = {}): Promise<McpAnswer> {
    const answer = await this.request('initialize', { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Calls a tool and gives the parsed text of its answer. */
  async call(name: string, input: object = {}): Promise<{ readonly isError: boolean; readonly answer: Readonly<Record<string, unknown>> }> {
    const { result } = await this.request('tools/call', { name, arguments: input });
    const [content] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
    let answer: Readonly<Record<string, unknown>>;
    try {
      answer = JSON.parse(content?.text ?? '') as Readonly<Record<string, unknown>>;
    } catch {
      answer = { error: content?.text };
    }
    return { isError: result?.['isError'] === true, answer };
  }

  /** Closes its input, as a client does that ends, and waits until it has ended. */
  async end(): Promise<number | null> {
    this.#child.stdin?.end();
    return this.ended;
  }
}
