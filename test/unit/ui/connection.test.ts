import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/async/clock';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { type BaseUrl, PUBLIC_SERVICE_BASE_URL } from '../../../src/service/baseUrl';
import { RequestBudgets } from '../../../src/service/budget/requestBudget';
import type { LiquidityService } from '../../../src/service/service';
import { ApiKeys, readApiKey } from '../../../src/ui/connection/apiKeys';
import { ServiceConnection } from '../../../src/ui/connection/connection';
import { RpcAddresses } from '../../../src/ui/connection/rpcAddresses';
import type { SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import { ConnectionError, SandboxError } from '../../../src/ui/shell/errors';
import { hasExplorer, MAINNET_GENESIS_HASH, readServiceChoice, sameService, solanaId } from '../../../src/ui/shell/serviceChoice';
import { type ConnectionStatus, problemOf, viewState } from '../../../src/ui/shell/views/viewState';
import type { SecretStore } from '../../../src/ui/shell/editorAccess';
import { Secrets } from '../../../src/ui/shell/secrets';
import { FakeClock, OWNER } from '../../support/portfolio/fixtures';
import { fail, KeyringSecrets, MemorySecrets } from '../../support/ui/memory';

const RPC = parseRpcUrl('https://rpc.example.org/v2/S3cretS3cret');
const RPC_READY = { url: 'http://127.0.0.1:4300/open-api/v1', apiKey: 'service-key', pid: 8 };
const READY: SandboxReady = { url: 'http://127.0.0.1:4100/open-api/v1', apiKey: 'sandbox-key', owner: OWNER, secretKey: 'secret', pid: 7 };

const OTHER_CHAIN = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

describe('The chosen service', () => {
  it('An empty setting selects the sandbox', () => {
    assert.equal(readServiceChoice('').kind, 'sandbox');
  });

  it('A service is identified by its origin and named by its host', () => {
    const choice = readServiceChoice(`${PUBLIC_SERVICE_BASE_URL}/`);
    assert.deepEqual(choice, { kind: 'remote', id: 'https://api.lpagent.io', name: 'api.lpagent.io', baseUrl: PUBLIC_SERVICE_BASE_URL });
  });

  it('An unusable address selects no service and never the sandbox', () => {
    for (const setting of [
      'nonsense',
      'http://example.org/open-api/v1',
      'https://user:pass@example.org',
      'https://example.org/?key=1',
      'file:///etc',
    ]) {
      const choice = readServiceChoice(setting);
      assert.equal(choice.kind, 'invalid', setting);
      assert.ok(choice.problem.length > 20 && !choice.problem.includes('user:pass'));
    }
  });

  it('A Solana RPC of mainnet is selected by a word, and that of another chain by its genesis hash', () => {
    assert.deepEqual(readServiceChoice('solana'), {
      kind: 'solanaRpc',
      id: 'solana',
      name: 'Solana RPC',
      genesisHash: MAINNET_GENESIS_HASH,
    });
    const other = readServiceChoice(`solana:${OTHER_CHAIN}`);
    assert.deepEqual([other.kind, other.id], ['solanaRpc', `solana:${OTHER_CHAIN}`]);
    assert.equal(solanaId(MAINNET_GENESIS_HASH), 'solana');
    assert.equal(solanaId(OTHER_CHAIN), `solana:${OTHER_CHAIN}`);
    assert.ok(!sameService(readServiceChoice('solana'), other));
    for (const setting of ['Solana', 'solana:', 'solana:https://rpc.example.org', `solana:${OTHER_CHAIN}/`]) {
      assert.equal(readServiceChoice(setting).kind, 'invalid', setting);
    }
  });

  it('Explorers list what happened on mainnet, not in the sandbox and not on other chains', () => {
    assert.deepEqual(
      ['sandbox', 'https://api.lpagent.io', 'solana', `solana:${OTHER_CHAIN}`, undefined].map((id) => hasExplorer(id)),
      [false, true, true, false, false],
    );
  });

  it('Two settings name the same service only if their addresses are the same', () => {
    const one = readServiceChoice('https://example.org/open-api/v1');
    assert.ok(sameService(one, readServiceChoice('https://example.org/open-api/v1/')));
    assert.ok(!sameService(one, readServiceChoice('https://example.org/open-api/v2')));
    assert.ok(!sameService(one, readServiceChoice('')));
    assert.ok(sameService(readServiceChoice(''), readServiceChoice('')));
  });
});

describe('An API key', () => {
  it('An API key is trimmed, and an invalid one is refused with a reason', () => {
    assert.deepEqual(readApiKey(' abc-123\n'), { ok: true, value: 'abc-123' });
    for (const text of ['', '   ', 'two words', 'schlüssel', 'x'.repeat(2_000)]) {
      const reading = readApiKey(text);
      assert.ok(!reading.ok && reading.message.endsWith('.'), JSON.stringify(text));
    }
  });

  it('An API key is stored for one service only and hidden from the log before anyone gets it', async () => {
    const hidden: string[] = [];
    const keys = new ApiKeys(new MemorySecrets(), (secret) => hidden.push(secret));
    await keys.set('https://one.example', 'key-one');
    assert.equal(await keys.get('https://one.example'), 'key-one');
    assert.equal(await keys.get('https://two.example'), undefined);
    assert.ok(hidden.includes('key-one'));
    await keys.delete('https://one.example');
    assert.equal(await keys.get('https://one.example'), undefined);
  });

  it('An API key is recognized by the name of its secret, for its own service only', async () => {
    const secrets = new MemorySecrets();
    const keys = new ApiKeys(secrets, () => undefined);
    await keys.set('https://one.example', 'key');
    const [name = ''] = secrets.kept.keys();
    assert.ok(keys.isKeyOf('https://one.example', name));
    assert.ok(!keys.isKeyOf('https://two.example', name));
  });
});

/** A connection whose services are only names, with everything that happened to it. */
function connectionTo(
  setting: string,
  secrets: SecretStore = new MemorySecrets(),
): {
  readonly connection: ServiceConnection;
  readonly keys: ApiKeys;
  readonly rpcAddresses: RpcAddresses;
  readonly made: string[];
  /** Whether each client keeps the prices that its service reports. */
  readonly keepsPrices: boolean[];
  readonly events: string[];
  readonly set: (setting: string) => void;
  sandbox: { start: () => Promise<SandboxReady> };
} {
  const made: string[] = [];
  const keepsPrices: boolean[] = [];
  const events: string[] = [];
  const keys = new ApiKeys(secrets, () => undefined);
  const rpcAddresses = new RpcAddresses(new MemorySecrets(), () => undefined);
  const sandbox = { start: () => Promise.resolve(READY), stop: () => void events.push('sandbox stopped') };
  let current = setting;
  const budgets = new RequestBudgets(systemClock);
  const connection = new ServiceConnection({
    readChoice: () => readServiceChoice(current),
    apiKeys: keys,
    sandbox: { start: () => sandbox.start(), stop: sandbox.stop },
    apiAddresses: () => Promise.resolve({}),
    profileName: () => Promise.resolve(undefined),
    rpcAddress: (id) => rpcAddresses.get(id),
    rpcService: {
      start: ({ url, genesisHash }) =>
        Promise.resolve(void events.push(`service of ${url} for ${genesisHash.slice(0, 4)}`)).then(() => RPC_READY),
      stop: () => void events.push('local service stopped'),
    },
    adoptTestWallet: (id) => Promise.resolve(void events.push(`wallet of ${id}`)),
    adoptSandbox: ({ owner }) => Promise.resolve(void events.push(`adopted ${owner}`)),
    budgets: () => Promise.resolve(budgets),
    createService: (baseUrl: BaseUrl, apiKey: string, options) => {
      made.push(`${baseUrl} ${apiKey}`);
      keepsPrices.push(options?.keepsPrices === true);
      return Promise.resolve({ made: made.length } as unknown as LiquidityService);
    },
    onError: fail,
  });
  connection.onDidChange(({ kind }) => events.push(`service ${kind}`));
  connection.onDidChangeStatus(({ kind }) => events.push(kind));
  return {
    connection,
    keys,
    rpcAddresses,
    made,
    keepsPrices,
    events,
    sandbox,
    set: (value) => {
      current = value;
      connection.settingChanged();
    },
  };
}

describe('The connection', () => {
  it('The connection starts the sandbox on first use, adopts its wallet and creates one client', async () => {
    const { connection, made, events } = connectionTo('');
    assert.equal(connection.status.kind, 'opening');
    const first = await connection.service();
    assert.equal(await connection.service(), first);
    assert.deepEqual(made, [`${READY.url} ${READY.apiKey}`]);
    assert.deepEqual(events, [`adopted ${OWNER}`, 'open', `adopted ${OWNER}`]);
  });

  it('Prices are kept of services that Binsight does not run: its own ones have those of the past', async () => {
    const { connection, keys, rpcAddresses, keepsPrices, set } = connectionTo('');
    await keys.set('https://one.example', 'key-1');
    await rpcAddresses.set('solana', RPC);
    for (const setting of ['', 'https://one.example/v1', 'solana']) {
      set(setting);
      await connection.service();
    }
    assert.deepEqual(keepsPrices, [false, true, false]);
  });

  it('The connection waits for the keyring, and connects with its answer', async () => {
    const keyring = new KeyringSecrets();
    const clock = new FakeClock();
    const { connection, keys, made } = connectionTo('https://one.example/v1', new Secrets(keyring, clock, fail).patient());
    await keys.set('https://one.example', 'key-1');
    keyring.ask();
    const connecting = connection.service();
    await clock.advance(600_000);
    assert.deepEqual([connection.status.kind, made.length], ['opening', 0]);
    keyring.unlock();
    await connecting;
    assert.deepEqual([connection.status.kind, made.length], ['open', 1]);
  });

  it('An answer that comes after another service was chosen connects to nothing', async () => {
    const keyring = new KeyringSecrets();
    const { connection, set } = connectionTo('https://one.example/v1', new Secrets(keyring, new FakeClock(), fail).patient());
    keyring.ask();
    const connecting = connection.service();
    set('');
    await connection.service();
    keyring.unlock();
    await assert.rejects(connecting);
    assert.deepEqual([connection.status.kind, connection.choice.kind], ['open', 'sandbox']);
  });

  it('A key that cannot be read is not taken for a missing one, and the view says so', async () => {
    const keyring = new KeyringSecrets();
    const { connection } = connectionTo('https://one.example/v1', new Secrets(keyring, new FakeClock(), fail).patient());
    keyring.refuse();
    await assert.rejects(connection.service(), { name: 'SecretError', kind: 'notRead' });
    const facts = {
      choice: connection.choice,
      connection: connection.status,
      ownerMissing: false,
      list: { kind: 'idle' },
      count: 0,
    } as const;
    assert.equal(viewState(facts), 'failed');
    assert.match(problemOf(facts) ?? '', /secret storage could not be read/);
  });

  it('The connection creates another client when the sandbox restarts at another address', async () => {
    const { connection, made, sandbox } = connectionTo('');
    await connection.service();
    sandbox.start = () => Promise.resolve({ ...READY, url: 'http://127.0.0.1:4200/open-api/v1' });
    await connection.service();
    assert.equal(made.length, 2);
  });

  it('The connection keeps one request budget per service and key, even while another service is used', async () => {
    const { connection, keys, set } = connectionTo('https://one.example/v1');
    assert.equal(connection.budget, undefined);
    await keys.set('https://one.example', 'key-1');
    await keys.set('https://two.example', 'key-1');
    await connection.service();
    const first = connection.budget;
    assert.notEqual(first, undefined);
    set('https://two.example/v1');
    await connection.service();
    assert.notEqual(connection.budget, first);
    set('https://one.example/v1');
    await connection.service();
    assert.equal(connection.budget, first);
    await keys.set('https://one.example', 'key-2');
    await connection.service();
    assert.notEqual(connection.budget, first);
  });

  it('The connection fails with a message without a key and opens once there is one', async () => {
    const { connection, keys, events } = connectionTo('https://example.org/v1');
    await assert.rejects(
      connection.service(),
      (error: unknown) => error instanceof ConnectionError && error.reason === 'noApiKey' && error.message.includes('example.org'),
    );
    assert.equal(connection.status.kind, 'failed');
    await keys.set('https://example.org', 'key-1');
    connection.reset();
    await connection.service();
    assert.deepEqual(events, ['failed', 'opening', 'open']);
  });

  it('The connection sends the key of a service to that service only', async () => {
    const { connection, keys, made, set } = connectionTo('https://one.example/v1');
    await keys.set('https://one.example', 'key-one');
    await connection.service();
    set('https://two.example/v1');
    await assert.rejects(connection.service(), ConnectionError);
    assert.deepEqual(made, ['https://one.example/v1 key-one']);
  });

  it('The connection releases the sandbox when another service is chosen and reports the change once', async () => {
    const { connection, events, set } = connectionTo('');
    await connection.service();
    set('https://example.org/v1');
    set('https://example.org/v1/');
    assert.deepEqual(events.slice(2), ['sandbox stopped', 'opening', 'service remote']);
  });

  it('The connection contacts nothing if the address is unusable', async () => {
    const { connection, made } = connectionTo('nonsense');
    await assert.rejects(connection.service(), (error: unknown) => error instanceof ConnectionError && error.reason === 'invalidAddress');
    assert.deepEqual(made, []);
  });

  it('The connection ignores late results of a previous service', async () => {
    const { connection, sandbox, set } = connectionTo('');
    let fails: (error: Error) => void = () => undefined;
    sandbox.start = () => new Promise((_, reject) => (fails = reject));
    const pending = connection.service();
    set('https://example.org/v1');
    fails(new SandboxError('stopped', 'gone'));
    await assert.rejects(pending, SandboxError);
    const status: ConnectionStatus = connection.status;
    assert.equal(status.kind, 'opening');
  });

  it('The connection to a Solana RPC starts the local service for its address and names the RPC only by its host', async () => {
    const { connection, rpcAddresses, made, events } = connectionTo('solana');
    await rpcAddresses.set('solana', RPC);
    assert.equal(connection.choice.name, 'Solana RPC');
    const before = connection.choice;
    await connection.service();
    assert.deepEqual(made, [`${RPC_READY.url} ${RPC_READY.apiKey}`]);
    assert.deepEqual(events, ['opening', `service of ${RPC} for 5eyk`, 'wallet of solana', 'open']);
    assert.equal(connection.choice.name, 'Solana RPC (rpc.example.org)');
    assert.ok(sameService(before, connection.choice));
    assert.doesNotMatch(JSON.stringify(connection.choice), /S3cret/);
  });

  it('The connection to a Solana RPC without an address on this machine says so and starts nothing', async () => {
    const { connection, rpcAddresses, events } = connectionTo(`solana:${OTHER_CHAIN}`);
    await rpcAddresses.set('solana', RPC);
    await assert.rejects(connection.service(), (error: unknown) => error instanceof ConnectionError && error.reason === 'noRpcAddress');
    assert.deepEqual(events, ['failed']);
  });

  it('The connection releases the local service when another service is chosen', async () => {
    const { connection, rpcAddresses, events, set } = connectionTo('solana');
    await rpcAddresses.set('solana', RPC);
    await connection.service();
    set('');
    assert.deepEqual(events.slice(4), ['local service stopped', 'opening', 'service sandbox']);
  });
});
