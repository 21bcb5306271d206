import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { describeUserError } from '../../../src/ui/shell/commands/errorMessage';
import { KeyRing } from '../../../src/ui/wallets/keyRing';
import { ServiceError } from '../../../src/service/errors';
import { RequestBudgets } from '../../../src/service/budget/requestBudget';
import type { DiscoverQuery, LiquidityService } from '../../../src/service/service';
import { Owners } from '../../../src/ui/wallets/owners';
import { SANDBOX_PROCESS, type SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import { SandboxError } from '../../../src/ui/shell/errors';
import { ServiceProcess } from '../../../src/ui/connection/serviceProcess';
import type { ServiceReady } from '../../../src/ui/connection/processKind';
import { RpcAddresses } from '../../../src/ui/connection/rpcAddresses';
import { RPC_PROCESS, RpcService } from '../../../src/ui/connection/rpcService';
import { ApiKeys } from '../../../src/ui/connection/apiKeys';
import { ServiceConnection } from '../../../src/ui/connection/connection';
import { MAINNET_GENESIS_HASH, readServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { Session } from '../../../src/ui/session';
import { PoolQuery } from '../../../src/ui/pools/poolQuery';
import { systemClock } from '../../../src/base/async/clock';
import { RefreshCoordinator } from '../../../src/portfolio/coordinator';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { addressBytes } from '../../../src/base/solana/address';
import { generateKey } from '../../../src/wallet/keys';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { openPosition, OTHER_OWNER, pool } from '../../support/portfolio/fixtures';
import { fail, MemorySecrets, MemoryState, remembered } from '../../support/ui/memory';

/** Everything that a session ties together, the real parts of it, around services that are lists only. */
class World {
  readonly prompts = new ScriptedPrompts();
  readonly secrets = new MemorySecrets();
  readonly sandboxKey = generateKey();
  /** "host owner" of each reading of positions, and "host query" of pools. */
  readonly read: string[] = [];
  /** The addresses for which the local service was started. */
  readonly launched: string[] = [];
  setting = '';
  cannotRun = false;
  crash: () => void = () => undefined;
  answer: () => Error | undefined = () => undefined;

  readonly owners = new Owners({
    ...{ secrets: this.secrets, state: new MemoryState(), prompts: this.prompts, clock: systemClock, onError: fail },
    unlockMinutes: () => 15,
    createKeyRing: (dependencies) => Promise.resolve(new KeyRing(dependencies)),
    signReviewed: () => Promise.reject(new Error('nothing is signed here')),
  });
  readonly apiKeys = new ApiKeys(this.secrets, () => undefined);
  readonly sandbox = new ServiceProcess<SandboxReady>(SANDBOX_PROCESS, {
    launch: () =>
      this.cannotRun
        ? Promise.reject(new SandboxError('cannotRun', 'The sandbox cannot run on this system.'))
        : Promise.resolve(this.#ready()),
    holdLease: (_, onBroken) => {
      this.crash = onBroken;
      return Promise.resolve({ release: () => undefined });
    },
    delay: () => Promise.resolve(),
    now: () => 0,
    log: () => undefined,
  });
  readonly rpcAddresses = new RpcAddresses(this.secrets, () => undefined);
  readonly rpcService = new RpcService({
    supervise: (target) =>
      new ServiceProcess<ServiceReady>(RPC_PROCESS, {
        launch: () => {
          this.launched.push(target()?.url ?? 'none');
          return Promise.resolve({ url: 'http://127.0.0.1:4300/v1', apiKey: 'key', pid: 2 });
        },
        holdLease: (_, onBroken) => {
          this.crash = onBroken;
          return Promise.resolve({ release: () => undefined });
        },
        delay: () => Promise.resolve(),
        now: () => 0,
        log: () => undefined,
      }),
    readGenesisHash: () => Promise.resolve(MAINNET_GENESIS_HASH),
  });
  readonly connection = new ServiceConnection({
    readChoice: () => readServiceChoice(this.setting),
    apiKeys: this.apiKeys,
    sandbox: this.sandbox,
    profileName: () => Promise.resolve(undefined),
    apiAddresses: () => Promise.resolve({}),
    rpcAddress: (id) => this.rpcAddresses.get(id),
    rpcService: this.rpcService,
    adoptTestWallet: () => Promise.resolve(),
    adoptSandbox: (ready) => this.owners.adoptSandbox(ready),
    budgets: () => Promise.resolve(new RequestBudgets(systemClock)),
    createService: (baseUrl) => Promise.resolve(this.#service(new URL(baseUrl).host)),
    onError: fail,
  });
  readonly portfolio = new Portfolio({ service: () => this.connection.service(), log: () => undefined, clock: systemClock });
  readonly coordinator = new RefreshCoordinator({ portfolio: this.portfolio, clock: systemClock, random: () => 0.5 }, false);
  readonly poolQuery = new PoolQuery(remembered('tvl' as const), fail);
  readonly session: Session;

  constructor(setting = '', isShown = true) {
    this.setting = setting;
    this.connection.settingChanged();
    if (isShown) {
      this.coordinator.show('positions');
      this.coordinator.show('pools');
    }
    this.coordinator.showSmall('positions');
    const { connection, sandbox, rpcService, owners, apiKeys, portfolio, coordinator, poolQuery, prompts } = this;
    this.session = new Session({
      connection,
      sandbox,
      rpcService,
      owners,
      apiKeys,
      portfolio,
      coordinator,
      poolQuery,
      prompts,
      describeError: (error) => Promise.resolve(describeUserError(error)),
      log: () => undefined,
      execute: () => Promise.resolve(),
    });
  }

  /** Waits until the portfolio shows what is wanted. */
  async until(holds: () => boolean): Promise<void> {
    for (let turns = 0; !holds(); turns++) {
      assert.ok(turns < 1_000, `never: ${String(holds)}; read ${this.read.join(', ')}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  dispose(): void {
    this.session.dispose();
    this.coordinator.dispose();
    this.portfolio.dispose();
    this.sandbox.stop();
    this.rpcService.stop();
  }

  #ready(): SandboxReady {
    const { address, seed } = this.sandboxKey;
    return {
      url: 'http://127.0.0.1:4100/v1',
      apiKey: 'key',
      owner: address,
      secretKey: bs58.encode(Buffer.concat([seed, addressBytes(address)])),
      pid: 1,
    };
  }

  #service(host: string): LiquidityService {
    const given = <Value>(value: Value): Promise<Value> => {
      const error = this.answer();
      return error === undefined ? Promise.resolve(value) : Promise.reject(error);
    };
    return {
      openPositions: (owner: string) => {
        this.read.push(`${host} ${owner}`);
        return given({ items: [openPosition(1)], warnings: [] });
      },
      discoverPools: ({ search }: DiscoverQuery) => {
        this.read.push(`${host} pools ${search ?? 'all'}`);
        return given({ items: [pool(1)], warnings: [], page: 1, pageSize: 20, totalCount: 1, totalPages: 1, hasNextPage: false });
      },
    } as unknown as LiquidityService;
  }
}

describe('A session', () => {
  let world: World;
  afterEach(() => {
    world.dispose();
  });

  it('The session starts the sandbox, takes its wallet and reads its positions', async () => {
    world = new World();
    assert.equal(world.portfolio.snapshot.owner, undefined);
    await world.session.refresh('startup');
    await world.until(() => world.portfolio.snapshot.positions.length === 1);
    assert.equal(world.portfolio.snapshot.owner, world.sandboxKey.address);
    assert.equal(world.portfolio.snapshot.pools.length, 1);
  });

  it('A window in which nothing of Binsight is looked at starts no sandbox, neither for the status bar nor for notices', async () => {
    world = new World('', false);
    world.coordinator.setWatched(true);
    await world.owners.watch(OTHER_OWNER, world.connection.choice);
    await world.session.refresh('startup');
    assert.deepEqual([world.session.isAsleep, world.sandbox.state.kind, world.read], [true, 'stopped', []]);
    world.session.wake();
    await world.until(() => world.portfolio.snapshot.positions.length === 1);
    assert.equal(world.session.isAsleep, false);
  });

  it('The session reads the positions of a newly chosen wallet', async () => {
    world = new World();
    await world.session.refresh('startup');
    await world.owners.watch(OTHER_OWNER, world.connection.choice);
    assert.equal(world.portfolio.snapshot.owner, OTHER_OWNER);
    await world.until(() => world.read.includes(`127.0.0.1:4100 ${OTHER_OWNER}`) && world.portfolio.snapshot.positions.length === 1);
  });

  it('The session shows no data of the previous service after a change of service', async () => {
    world = new World();
    await world.session.refresh('startup');
    await world.until(() => world.portfolio.snapshot.pools.length === 1);
    await world.apiKeys.set('https://example.org', 'key');
    world.setting = 'https://example.org/v1';
    world.connection.settingChanged();
    const { owner, positions, pools } = world.portfolio.snapshot;
    assert.deepEqual([owner, positions, pools], [undefined, [], []]);
    await world.until(() => world.read.includes('example.org pools all'));
  });

  it('The session reads again when any window stores the key of the service in use', async () => {
    world = new World('https://example.org/v1');
    await world.session.refresh('startup');
    assert.equal(world.connection.status.kind, 'failed');
    await world.apiKeys.set('https://example.org', 'key');
    world.session.secretChanged('binsight.apiKey:https://other.example');
    assert.equal(world.connection.status.kind, 'failed');
    world.session.secretChanged('binsight.apiKey:https://example.org');
    await world.until(() => world.portfolio.snapshot.pools.length === 1);
  });

  it('The session starts the local service of a Solana RPC again when any window stores another address', async () => {
    world = new World('solana');
    await world.session.refresh('startup');
    assert.equal(world.connection.status.kind, 'failed');
    await world.rpcAddresses.set('solana', parseRpcUrl('https://one.example.org/'));
    world.session.secretChanged('binsight.rpcAddress:solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG');
    assert.equal(world.connection.status.kind, 'failed');
    world.session.secretChanged('binsight.rpcAddress:solana');
    await world.until(() => world.portfolio.snapshot.pools.length === 1);
    await world.rpcAddresses.set('solana', parseRpcUrl('https://other.example.org/'));
    world.session.secretChanged('binsight.rpcAddress:solana');
    await world.until(() => world.connection.choice.name === 'Solana RPC (other.example.org)' && world.connection.status.kind === 'open');
    assert.deepEqual(world.launched, ['https://one.example.org/', 'https://other.example.org/']);
  });

  it('The local service restarts after a crash, and the user is notified', async () => {
    world = new World('solana');
    await world.rpcAddresses.set('solana', parseRpcUrl('https://one.example.org/'));
    await world.session.refresh('startup');
    const before = world.read.length;
    world.crash();
    await world.prompts.noticed(/^Local service stopped and was restarted\. Its data was kept\.$/);
    await world.until(() => world.read.length > before && world.connection.status.kind === 'open');
    assert.deepEqual(world.launched, ['https://one.example.org/', 'https://one.example.org/']);
  });

  it('A search for pools reads and lists other pools', async () => {
    world = new World();
    await world.session.refresh('startup');
    world.poolQuery.searchFor('BONK');
    assert.deepEqual(world.portfolio.snapshot.pools, []);
    await world.until(() => world.read.includes('127.0.0.1:4100 pools BONK'));
  });

  it('The sandbox restarts after a crash, and the user is notified', async () => {
    world = new World();
    await world.session.refresh('startup');
    const before = world.read.length;
    world.crash();
    await world.prompts.noticed(/^Sandbox stopped and was restarted\. Its data was kept\.$/);
    await world.until(() => world.read.length > before && world.connection.status.kind === 'open');
  });

  it('The views mark their rows as outdated when the sandbox has crashed too often', async () => {
    world = new World();
    await world.session.refresh('startup');
    await world.until(() => world.portfolio.snapshot.positions.length === 1 && world.portfolio.snapshot.pools.length === 1);
    for (let time = 0; time < 3; time++) {
      world.crash();
      await world.until(() => world.sandbox.state.kind === 'running');
    }
    world.crash();
    await world.prompts.noticed(/stopped 4 times within a minute/);
    await world.until(
      () => world.portfolio.snapshot.positionsState.kind === 'stale' && world.portfolio.snapshot.poolsState.kind === 'stale',
    );
    assert.equal(world.portfolio.snapshot.positions.length, 1);
  });

  it('The session says once that the sandbox cannot run and offers to watch an address or to connect to another service', async () => {
    world = new World();
    world.cannotRun = true;
    await world.session.refresh('startup');
    await world.session.refresh('manual');
    assert.deepEqual(
      world.prompts.notices.map(({ actions }) => actions),
      [['Watch Address…', 'Connect to Service…', 'Show Log']],
    );
  });

  it('A manual refresh fails with the error of the read, unless a view shows it already', async () => {
    world = new World('', false);
    await world.session.refreshOrThrow();
    world.answer = () => new ServiceError('No.', { kind: 'unauthorized', endpoint: 'GET /x' });
    await assert.rejects(world.session.refreshOrThrow(), /^ServiceError: No\.$/);
    assert.equal(world.portfolio.snapshot.positionsState.kind, 'stale');
    assert.equal(world.portfolio.snapshot.positions.length, 1);
    const view = world.coordinator.show('positions');
    await world.session.refreshOrThrow();
    assert.equal(world.portfolio.snapshot.positionsState.kind, 'stale');
    // What the refresh waits for is not left out.
    world.answer = () => new ServiceError('Wait.', { kind: 'rateLimited', endpoint: 'GET /x' });
    await assert.rejects(world.session.refreshOrThrow(), /Wait\./);
    view.dispose();
  });
});
