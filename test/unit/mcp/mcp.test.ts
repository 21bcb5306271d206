import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunTool } from '../../../src/assistants/runTool';
import { TOOLS } from '../../../src/assistants/definitions';
import { createSession, removeSocket, SessionAnnouncement } from '../../../src/ui/assistants/sessionAnnouncement';
import { ToolServer } from '../../../src/ui/assistants/toolServer';
import { buildMcp, McpProcess } from '../../support/assistants/mcpProcess';
import { toolWorld } from '../../support/assistants/toolWorld';

const MODERN = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } };

describe('The MCP server for assistants outside of VS Code', () => {
  let folder: string;
  let program: string;
  let cleanUp: (() => void)[];
  let processes: McpProcess[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binsight-test-'));
    program = await buildMcp();
  });

  beforeEach(() => {
    cleanUp = [];
    processes = [];
  });

  afterEach(async () => {
    await Promise.all(processes.map((one) => one.end()));
    cleanUp.forEach((run) => run());
  });

  after(async () => rm(folder, { recursive: true }));

  const sessions = (): string => join(folder, 'sessions');

  /** A window of Binsight: what the extension opens while the setting is on. */
  async function openWindow(name: string, focusedAtMs: number, run: RunTool = toolWorld().run): Promise<() => void> {
    const session = await createSession();
    const server = new ToolServer({ run, secret: session.secret, log: () => undefined });
    await server.listen(session.socket);
    const announcement = new SessionAnnouncement(sessions(), session);
    await announcement.publish(program, name, focusedAtMs);
    const close = (): void => {
      announcement.remove();
      server.dispose();
      removeSocket(session);
    };
    cleanUp.push(close);
    return close;
  }

  function start(...args: readonly string[]): McpProcess {
    const started = new McpProcess(program, ['--sessions', sessions(), ...args]);
    processes.push(started);
    return started;
  }

  const answering =
    (json: string): RunTool =>
    () =>
      Promise.resolve({ isError: false, json });

  /** A window whose answers tell it from others: an overview without results names no more than the wallet. */
  const named = (wallet: string): RunTool => answering(JSON.stringify({ wallet, hasResults: false }));
  const whichAnswers = async (client: McpProcess): Promise<unknown> => (await client.call('binsight_overview')).answer['wallet'];

  it('An assistant of the protocol up to 2025 can list the tools, call them and ping', async () => {
    await openWindow('lp', 1);
    const client = start();
    const { result } = await client.initialize();
    assert.deepEqual([result?.['protocolVersion'], (result?.['serverInfo'] as { name: string }).name], ['2025-06-18', 'binsight']);
    const tools = (await client.request('tools/list')).result?.['tools'] as readonly {
      readonly name: string;
      readonly inputSchema: { readonly additionalProperties: unknown };
      readonly annotations: { readonly readOnlyHint: boolean };
    }[];
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
      Object.entries(TOOLS).map(([name, { isProposal }]) => [name, !isProposal]),
    );
    assert.ok(tools.every(({ inputSchema }) => inputSchema.additionalProperties === false));
    const { isError, answer } = await client.call('binsight_positions', { limit: 1 });
    assert.deepEqual([isError, answer['total']], [false, 2]);
    assert.deepEqual((await client.request('ping')).result, {});
    assert.equal(await client.end(), 0);
  });

  it('An assistant of the protocol of 2026 needs no handshake', async () => {
    await openWindow('lp', 1);
    const client = start();
    const discovered = await client.request('server/discover', MODERN);
    assert.ok((discovered.result?.['supportedVersions'] as readonly string[]).includes('2026-07-28'));
    const { result } = await client.request('tools/call', { ...MODERN, name: 'binsight_positions', arguments: {} });
    assert.match(JSON.stringify(result?.['content']), /BONK\/SOL/);
  });

  it('Every tool declares the schema of its answers, with the text from outside marked, and the answers follow it', async () => {
    await openWindow('lp', 1);
    const client = start();
    await client.initialize();
    const tools = (await client.request('tools/list')).result?.['tools'] as readonly {
      readonly name: string;
      readonly outputSchema: {
        readonly type: string;
        readonly properties: Readonly<Record<string, unknown>>;
        readonly required: readonly string[];
      };
    }[];
    for (const { name, outputSchema } of tools) {
      assert.deepEqual([outputSchema.type, outputSchema.required.every((key) => key in outputSchema.properties)], ['object', true], name);
    }
    const { result } = await client.request('tools/call', { name: 'binsight_positions', arguments: {} });
    const answer = result?.['structuredContent'] as { readonly positions: readonly { readonly pair: unknown }[] };
    const declared = tools.find(({ name }) => name === 'binsight_positions')?.outputSchema;
    assert.deepEqual(
      declared?.required.filter((key) => !(key in answer)),
      [],
    );
    assert.deepEqual(answer.positions[0]?.pair, { untrusted: 'BONK/SOL' });
  });

  it('A window of another version, whose answer is not as declared, is an error that says what to do', async () => {
    await openWindow('older', 1, answering('{"positions":"none"}'));
    const client = start();
    await client.initialize();
    const { isError, answer } = await client.call('binsight_positions');
    assert.equal(isError, true);
    assert.match(String(answer['error']), /another version.+Reload the window/);
  });

  it('A host that draws pages gets one for ranges and plans, as a resource without network, and other hosts are told of none', async () => {
    await openWindow('lp', 1);
    const drawing = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
    const pagesOf = async (client: McpProcess, params: object = {}): Promise<readonly (readonly [string, unknown])[]> => {
      const listed = (await client.request('tools/list', params)).result?.['tools'] as readonly {
        readonly name: string;
        readonly _meta?: unknown;
      }[];
      return listed.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta] as const]));
    };
    const [host, other, modern] = [start(), start(), start()];
    await Promise.all([host.initialize('2025-06-18', drawing), other.initialize()]);
    const page = { ui: { resourceUri: 'ui://binsight/range', visibility: ['model'] } };
    const expected = [
      ['binsight_position', page],
      ['binsight_plan_cost', page],
    ];
    assert.deepEqual(await pagesOf(host), expected);
    assert.deepEqual(await pagesOf(other), []);
    assert.deepEqual(await pagesOf(modern, MODERN), []);
    const capable = { _meta: { ...MODERN._meta, 'io.modelcontextprotocol/clientCapabilities': drawing } };
    assert.deepEqual(await pagesOf(modern, capable), expected);
    const { result } = await host.request('resources/read', { uri: 'ui://binsight/range' });
    const [content] = result?.['contents'] as readonly {
      readonly mimeType: string;
      readonly text: string;
      readonly _meta: { readonly ui: object };
    }[];
    assert.equal(content?.mimeType, 'text/html;profile=mcp-app');
    assert.match(content.text, /^<!doctype html>/);
    // Without domains, the host allows no network.
    assert.equal('csp' in content._meta.ui, false);
  });

  it('An assistant gets each answer as an object too, and reads positions and pools as resources', async () => {
    await openWindow('lp', 1);
    const client = start();
    await client.initialize();
    const { result } = await client.request('tools/call', { name: 'binsight_positions', arguments: {} });
    const [content] = result?.['content'] as readonly { readonly text: string }[];
    assert.deepEqual(result?.['structuredContent'], JSON.parse(content?.text ?? ''));
    const listed = (await client.request('resources/list')).result?.['resources'] as readonly { readonly uri: string }[];
    assert.deepEqual(
      listed.map(({ uri }) => uri),
      ['binsight://positions', 'binsight://pools', 'ui://binsight/range'],
    );
    for (const { uri } of listed.filter((one) => one.uri.startsWith('binsight:'))) {
      const contents = (await client.request('resources/read', { uri })).result?.['contents'] as readonly { readonly text: string }[];
      assert.match(contents[0]?.text ?? '', /"total":\d/, uri);
    }
  });

  it('Without a window a resource says what to do', async () => {
    const client = start();
    await client.initialize();
    const { error } = await client.request('resources/read', { uri: 'binsight://positions' });
    assert.match(JSON.stringify(error), /turn on the setting binsight\.assistants\.enabled/);
  });

  it('Without a window the tools are listed, and every call says what to do', async () => {
    const client = start();
    await client.initialize();
    const { isError, answer } = await client.call('binsight_positions');
    assert.equal(isError, true);
    assert.match(String(answer['error']), /turn on the setting binsight\.assistants\.enabled/);
  });

  it('A call goes to the window that had the focus last, or to the one that is named, and to another one once it closes', async () => {
    await openWindow('older', 1_000, named('older'));
    const closeNewer = await openWindow('newer', 2_000, named('newer'));
    const [client, chosen, wrong] = [start(), start('--window', 'older'), start('--window', 'none')];
    await Promise.all([client.initialize(), chosen.initialize(), wrong.initialize()]);
    assert.equal(await whichAnswers(client), 'newer');
    assert.equal(await whichAnswers(chosen), 'older');
    assert.equal((await wrong.call('binsight_positions')).isError, true);
    closeNewer();
    assert.equal(await whichAnswers(client), 'older');
  });

  it('Files of windows that crashed, of others and of anything else are ignored', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await openWindow('real', 1, named('real'));
    const open = await mkdtemp(join(tmpdir(), 'binsight-test-'));
    await chmod(open, 0o777);
    const file = (part: object): string =>
      JSON.stringify({
        version: 1,
        pid: process.pid,
        socket: join(open, 'tools'),
        secret: 'x'.repeat(64),
        window: '',
        focusedAtMs: 9e12,
        ...part,
      });
    const files: Readonly<Record<string, string>> = {
      'open.json': file({}),
      'dead.json': file({ pid: 2 ** 30 }),
      'gone.json': file({ socket: '/nowhere/at/all' }),
      'path.json': file({ socket: '../../etc/passwd' }),
      'odd.json': '{"version": 1',
      'large.json': file({ window: 'x'.repeat(5_000) }),
      'other.txt': file({}),
    };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(sessions(), name), text)));
    const client = start();
    await client.initialize();
    assert.equal(await whichAnswers(client), 'real');
    // A new window cleans up what has certainly ended.
    await openWindow('next', 2);
    const left = await readdir(sessions());
    assert.ok(!left.includes('dead.json') && left.includes('open.json'));
    await Promise.all([rm(open, { recursive: true }), ...Object.keys(files).map((name) => rm(join(sessions(), name), { force: true }))]);
  });

  it('Only the user can read the file with the secret and enter the folder of the socket, and both go with the window', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const session = await createSession();
    const announcement = new SessionAnnouncement(sessions(), session);
    await announcement.publish(program, 'x', 1);
    const path = join(sessions(), `${session.id}.json`);
    const modes = await Promise.all([path, sessions(), dirname(session.socket)].map(async (one) => (await stat(one)).mode & 0o777));
    assert.deepEqual(modes, [0o600, 0o700, 0o700]);
    // A window that gets the focus while its workspace is renamed writes twice.
    await Promise.all(['a', 'b', 'c'].map((window) => announcement.update(window, 2)));
    announcement.remove();
    removeSocket(session);
    await assert.rejects(stat(path), { code: 'ENOENT' });
    await assert.rejects(stat(dirname(session.socket)), { code: 'ENOENT' });
  });

  it('A cancelled call is cancelled in the window too', async () => {
    let began: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    let aborted: () => void = () => undefined;
    const isAborted = new Promise<void>((resolve) => (aborted = resolve));
    await openWindow('lp', 1, async (_name, _input, signal) => {
      began();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      aborted();
      return { isError: true, json: '{}' };
    });
    const client = start();
    await client.initialize();
    let requestId = 0;
    void client.request('tools/call', { name: 'binsight_positions', arguments: {} }, (id) => (requestId = id));
    await hasBegun;
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    await isAborted;
  });

  it('Wrong inputs, unknown tools and invalid messages are refused, and the server goes on', async () => {
    const inputs: unknown[] = [];
    await openWindow('lp', 1, (_name, input) => {
      inputs.push(input);
      return Promise.resolve({ isError: false, json: '{"wallet":"","hasResults":false}' });
    });
    const client = start();
    await client.initialize();
    assert.equal((await client.call('binsight_positions', { limit: 'all' })).isError, true);
    assert.equal((await client.call('binsight_pool', { pool: '../../secrets' })).isError, true);
    const unknown = await client.request('tools/call', { name: 'binsight_sign', arguments: {} });
    assert.ok(unknown.error !== undefined || unknown.result?.['isError'] === true);
    client.send('this is no JSON');
    client.send({ jsonrpc: '2.0', id: 77, method: 'binsight/unlock' });
    assert.deepEqual(inputs, []);
    assert.equal((await client.call('binsight_overview')).isError, false);
    assert.deepEqual(inputs, [{}]);
  });
});
