import assert from 'node:assert/strict';
import { address } from '../../../src/base/solana/address';
import { parseRpcUrl, type RpcUrl } from '../../../src/base/solana/rpcUrl';
import { PUBLIC_SERVICE_BASE_URL } from '../../../src/service/baseUrl';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors';
import type { LiquidityService } from '../../../src/service/service';
import { ApiKeys } from '../../../src/ui/connection/apiKeys';
import { askWhereToWatch, type ServiceCommandDependencies, serviceCommands } from '../../../src/ui/connection/connectionCommands';
import { resetWorldCommands } from '../../../src/ui/sandbox/resetWorldCommand';
import { takeFormerAddresses } from '../../../src/ui/connection/formerAddresses';
import { profileSecretNames, ServiceProfiles } from '../../../src/ui/connection/serviceProfiles';
import { RpcAddresses } from '../../../src/ui/connection/rpcAddresses';
import type { SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import { describeUserError } from '../../../src/ui/shell/commands/errorMessage';
import { ConnectionError, SandboxError, UserError } from '../../../src/ui/shell/errors';
import { SecretError } from '../../../src/ui/shell/secrets';
import type { ConfirmRequest, Prompts } from '../../../src/ui/shell/prompts/prompts';
import { MAINNET_GENESIS_HASH, readServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { MemorySecrets, MemoryState } from '../../support/ui/memory';

const ORIGIN = new URL(PUBLIC_SERVICE_BASE_URL).origin;

interface Setup {
  readonly state: MemoryState;
  readonly profiles: ServiceProfiles;
  readonly keys: ApiKeys;
  readonly secrets: MemorySecrets;
  /** What the log does not show. */
  readonly hidden: string[];
  /** What the setting was set to, in order. */
  readonly written: string[];
  /** Which key was tried where. */
  readonly tried: string[];
  readonly run: (
    id: 'binsight.connectService' | 'binsight.useSandbox' | 'binsight.setApiKey',
    answers: readonly ScriptedAnswer[],
  ) => Promise<ScriptedPrompts>;
  /** Where an address is to be watched: the id of the service. */
  readonly where: (answers: readonly ScriptedAnswer[]) => Promise<string | undefined>;
}

/** `answer` gives what the service says to a key: nothing, or a kind of failure. `remoteKind`: of a window whose own system cannot run the sandbox. */
function setup(
  setting: string,
  answer: (key: string) => ServiceErrorKind | undefined = () => undefined,
  chain: (url: RpcUrl) => string | ConnectionError = () => MAINNET_GENESIS_HASH,
  remoteKind?: string,
): Setup {
  const secrets = new MemorySecrets();
  const hidden: string[] = [];
  const keys = new ApiKeys(secrets, () => undefined);
  const written: string[] = [];
  const tried: string[] = [];
  const rpcAddresses = () => Promise.resolve(new RpcAddresses(secrets, (secret) => hidden.push(secret)));
  const state = new MemoryState();
  const profiles = new ServiceProfiles({ state, secrets, apiKeys: keys, rpcAddresses, hide: (secret) => hidden.push(secret) });
  let current = setting;
  let usesPublicData = true;
  const dependenciesOf = (prompts: ScriptedPrompts): ServiceCommandDependencies => ({
    prompts,
    apiKeys: keys,
    rpcAddresses,
    readGenesisHash: async (url) => {
      assert.ok(hidden.includes(url), 'it would be logged');
      tried.push(url);
      const found = chain(url);
      if (found instanceof ConnectionError) {
        throw found;
      }
      return found;
    },
    service: () => readServiceChoice(current),
    setBaseUrl: (baseUrl) => {
      written.push(baseUrl);
      current = baseUrl;
      return Promise.resolve();
    },
    profiles,
    canRunSandbox: () => remoteKind === undefined,
    remote: remoteKind === undefined ? undefined : { kind: remoteKind, move: () => Promise.resolve(void written.push('moved')) },
    usesPublicData: () => usesPublicData,
    setPublicData: (isOn) => {
      written.push(`public data: ${String(isOn)}`);
      usesPublicData = isOn;
      return Promise.resolve();
    },
    reconnect: () => Promise.resolve(void written.push('reconnected')),
    createService: (baseUrl, key) => {
      tried.push(`${baseUrl} ${key}`);
      const kind = answer(key);
      const discoverPools = () =>
        kind === undefined
          ? Promise.resolve({})
          : Promise.reject(new ServiceError(`It is ${kind}.`, { kind, endpoint: 'GET /pools/discover' }));
      return Promise.resolve({ discoverPools } as unknown as LiquidityService);
    },
  });
  return {
    state,
    profiles,
    keys,
    secrets,
    hidden,
    written,
    tried,
    run: async (id, answers) => {
      const prompts = new ScriptedPrompts(answers);
      await serviceCommands(dependenciesOf(prompts))[id](undefined);
      prompts.assertDone();
      return prompts;
    },
    where: async (answers) => {
      const prompts = new ScriptedPrompts(answers);
      const choice = await askWhereToWatch(dependenciesOf(prompts));
      prompts.assertDone();
      return choice?.id;
    },
  };
}

/** Answers the question for the RPC of the review. */
const NO_REVIEW_RPC = { type: '' } as const;

/** The secrets that the connection uses, without those of the profiles. */
function usedSecrets({ kept }: MemorySecrets): readonly (readonly [string, string])[] {
  return [...kept].filter(([name]) => !/^binsight\.service(Profile|Address):/.test(name));
}

describe('A remote, where the sandbox cannot run on the own system', () => {
  const inRemote = (kind: string): Setup => setup('', undefined, undefined, kind);

  it('is offered in place of the sandbox, and Binsight moves there once the user has read what that means', async () => {
    const { run, written } = inRemote('wsl');
    const { asked } = await run('binsight.connectService', [{ pick: 'Sandbox in WSL' }, { press: 'Move and Reload' }]);
    assert.equal(asked[0]?.shown[0], 'Sandbox in WSL');
    assert.ok(!asked[0].shown.includes('Sandbox'));
    assert.match(
      asked[1]?.text ?? '',
      /with the wallets and keys of that machine\. Records of operations stay here\..+remote\.extensionKind/,
    );
    assert.deepEqual(written, ['moved']);
  });

  it('stays as it is if the user cancels, and has the name that VS Code gives it where Binsight knows no better one', async () => {
    const { run, written } = inRemote('some-host');
    await run('binsight.connectService', [{ pick: 'Sandbox in some-host' }, 'escape']);
    assert.deepEqual(written, []);
  });
});

describe('Watching an address where no service is connected', () => {
  const PUBLIC = 'https://api.mainnet-beta.solana.com/';

  it('needs nothing but the address: the public RPC is one pick away, and is asked for its chain first', async () => {
    const { where, written, tried, profiles } = setup('');
    assert.equal(await where([{ pick: 'Solana mainnet (public RPC)' }]), 'solana');
    assert.deepEqual([tried, written], [[PUBLIC], ['solana']]);
    assert.deepEqual(
      (await profiles.list(readServiceChoice('solana'))).map(({ name }) => name),
      ['Solana mainnet (public RPC)'],
    );
  });

  it('changes nothing if the public RPC does not answer, serves another chain, or the user cancels', async () => {
    for (const chain of [
      () => new ConnectionError('rpcUnavailable', 'It did not answer.'),
      () => 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    ]) {
      const { where, written, profiles } = setup('', undefined, chain);
      await assert.rejects(where([{ pick: 'Solana mainnet (public RPC)' }]));
      assert.deepEqual([written, await profiles.list(readServiceChoice(''))], [[], []]);
    }
    const { where, written } = setup('');
    assert.deepEqual(
      [await where(['escape']), await where([{ pick: 'Connect to Service…' }, 'escape']), written],
      [undefined, undefined, []],
    );
  });

  it('takes another service from there, or the sandbox', async () => {
    const { where } = setup('no address');
    assert.equal(await where([{ pick: 'Connect to Service…' }, { pick: 'LP Agent' }, { type: 'key-1' }, NO_REVIEW_RPC]), ORIGIN);
    assert.equal(await setup('').where([{ pick: 'Sandbox' }]), 'sandbox');
  });

  it('asks nothing where a service is connected', async () => {
    assert.equal(await setup('https://example.org/v1').where([]), 'https://example.org');
    assert.equal(await setup('solana').where([]), 'solana');
  });

  it('The public RPC is offered once: then it is a profile', async () => {
    const { run, written } = setup('');
    await run('binsight.connectService', [{ pick: 'Solana mainnet (public RPC)' }]);
    const { asked } = await run('binsight.connectService', ['escape']);
    assert.equal(asked[0]?.shown.filter((label) => label.includes('public RPC')).length, 1);
    assert.deepEqual(written, ['solana']);
  });
});

describe('Connecting to a service', () => {
  it('Use Sandbox selects the sandbox without a question', async () => {
    const { run, written } = setup('https://example.org/v1');
    await run('binsight.useSandbox', []);
    assert.deepEqual(written, ['']);
  });

  it('Meteora’s public data is on, one pick turns it off or on again, and then the list of services is there again', async () => {
    const { run, written } = setup('');
    const { notices } = await run('binsight.connectService', [
      { pick: 'Meteora’s Public Data: On' },
      { pick: 'Meteora’s Public Data: Off' },
      { pick: 'Meteora’s Public Data: On' },
      { pick: 'Sandbox' },
    ]);
    assert.deepEqual(written, ['public data: false', 'public data: true', 'public data: false', '']);
    assert.equal(
      notices.some((text) => JSON.stringify(text).includes('starts again')),
      false,
      'no local service runs',
    );
  });

  it('Where a Solana RPC is in use, the switch says when it takes effect', async () => {
    const { notices } = await setup('solana').run('binsight.connectService', [{ pick: 'Meteora’s Public Data: On' }, 'escape']);
    assert.match(JSON.stringify(notices), /takes effect when the local service next starts/);
  });

  it('Connecting to the sandbox needs no key', async () => {
    const { written, tried, run } = setup('https://example.org/v1');
    await run('binsight.connectService', [{ pick: 'Sandbox' }]);
    assert.deepEqual([written, tried], [[''], []]);
  });

  it('Connecting to a real service verifies and stores the key before the setting changes', async () => {
    const { written, tried, keys, run } = setup('');
    await run('binsight.connectService', [{ pick: 'LP Agent' }, { type: ' key-1 ' }, NO_REVIEW_RPC]);
    assert.deepEqual(tried, [`${PUBLIC_SERVICE_BASE_URL} key-1`]);
    assert.equal(await keys.get(ORIGIN), 'key-1');
    assert.deepEqual(written, [PUBLIC_SERVICE_BASE_URL]);
  });

  it('Connecting does not ask again for a stored key', async () => {
    const { written, keys, run } = setup('');
    await keys.set('https://example.org', 'key-1');
    await run('binsight.connectService', [
      { pick: 'Other' },
      { type: 'http://example.org/v1' },
      { type: 'https://example.org/v1/' },
      NO_REVIEW_RPC,
    ]);
    assert.deepEqual(written, ['https://example.org/v1']);
  });

  it('Connecting changes nothing if the user cancels at any step', async () => {
    const ways: readonly (readonly ScriptedAnswer[])[] = [
      ['escape'],
      [{ pick: 'Other' }, 'escape'],
      [{ pick: 'LP Agent' }, 'escape'],
      [{ pick: 'Other' }, { type: 'https://example.org/v1' }, 'escape'],
      [{ pick: 'LP Agent' }, { type: 'key-1' }, 'escape'],
    ];
    for (const way of ways) {
      const { written, secrets, run } = setup('');
      await run('binsight.connectService', way);
      assert.deepEqual([written, secrets.kept.size], [[], 0]);
    }
  });

  it('Connecting changes nothing if the service rejects the key', async () => {
    const { written, secrets, run } = setup('', () => 'unauthorized');
    const prompts = await run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'wrong' }, 'escape']);
    assert.deepEqual([written, secrets.kept.size], [[], 0]);
    assert.match(prompts.asked.at(-1)?.title ?? '', /Could not verify the API key/);
  });
});

const RPC = 'https://rpc.example.org/v2/S3cretS3cret';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

describe('Connecting to a Solana RPC', () => {
  it('The services are offered with what they need', async () => {
    const prompts = await setup('').run('binsight.connectService', ['escape']);
    assert.deepEqual(prompts.asked[0]?.shown, [
      ...['Sandbox', 'Solana mainnet (public RPC)', 'Solana RPC', 'Meteora’s Public Data: On'],
      ...['LP Agent', 'Other…'],
    ]);
    assert.match(prompts.asked[0].text, /Solana RPC$/m);
    assert.match(prompts.asked[0].text, /Meteora learns the addresses of your wallets, positions and pools/);
  });

  it('The address is stored as a secret once the RPC has answered, and the setting only says that an RPC is used', async () => {
    const { written, tried, secrets, run } = setup('');
    const prompts = await run('binsight.connectService', [
      { pick: 'Solana RPC' },
      { type: '' },
      { type: 'rpc.example.org' },
      { type: 'http://rpc.example.org/' },
      { type: ` ${RPC} ` },
    ]);
    assert.deepEqual([written, tried], [['solana'], [RPC]]);
    assert.deepEqual(usedSecrets(secrets), [['binsight.rpcAddress:solana', RPC]]);
    assert.equal(prompts.refused.length, 3);
    assert.deepEqual(
      prompts.notices.map(({ message }) => message),
      ['Binsight now uses Solana RPC (rpc.example.org).'],
    );
  });

  it('An RPC on this machine may be asked over plain http', async () => {
    const { written, run } = setup('');
    await run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: 'http://localhost:8899' }]);
    assert.deepEqual(written, ['solana']);
  });

  it('A stored address can be used again without being shown', async () => {
    const { written, tried, secrets, run } = setup('');
    await secrets.store('binsight.rpcAddress:solana', RPC);
    const prompts = await run('binsight.connectService', [{ pick: 'Solana RPC (rpc.example.org)' }]);
    assert.deepEqual([written, tried, usedSecrets(secrets)], [['solana'], [], [['binsight.rpcAddress:solana', RPC]]]);
    assert.doesNotMatch(JSON.stringify(prompts.asked), /S3cret/);
  });

  it('An address that does not answer is not stored, and the reason is shown with the next question', async () => {
    const silent = new ConnectionError(
      'rpcUnavailable',
      'Cannot reach rpc.example.org. It cannot be used now. Check the address and your network.',
    );
    const { written, secrets, run } = setup('', undefined, () => silent);
    const prompts = await run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: RPC }, 'escape']);
    assert.deepEqual([written, secrets.kept.size], [[], 0]);
    assert.match(prompts.asked.at(-1)?.text ?? '', /^Cannot reach rpc\.example\.org\. .* Nothing was saved\.$/m);
  });

  it('An RPC of another chain is used only if the user agrees, and as another service', async () => {
    const cancelled = setup('', undefined, () => DEVNET);
    const prompts = await cancelled.run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: RPC }, 'escape']);
    assert.match(prompts.asked.at(-1)?.title ?? '', /^rpc\.example\.org does not serve Solana mainnet$/);
    assert.match(prompts.asked.at(-1)?.text ?? '', /It serves another chain \(devnet\)\./);
    assert.deepEqual([cancelled.written, cancelled.secrets.kept.size], [[], 0]);

    const agreed = setup('', undefined, () => DEVNET);
    await agreed.run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: RPC }, { press: 'Save Anyway' }]);
    assert.deepEqual(
      [agreed.written, usedSecrets(agreed.secrets)],
      [[`solana:${DEVNET}`], [[`binsight.rpcAddress:solana:${DEVNET}`, RPC]]],
    );

    const another = setup('', undefined, (url) => (url === RPC ? DEVNET : MAINNET_GENESIS_HASH));
    await another.run('binsight.connectService', [
      { pick: 'Solana RPC' },
      { type: RPC },
      { press: 'Try Again' },
      { type: 'https://main.example.org/' },
    ]);
    assert.deepEqual(
      [another.written, usedSecrets(another.secrets)],
      [['solana'], [['binsight.rpcAddress:solana', 'https://main.example.org/']]],
    );
  });

  it('A question about a Solana RPC that is cancelled changes nothing', async () => {
    const { written, secrets, run } = setup('');
    await run('binsight.connectService', [{ pick: 'Solana RPC' }, 'escape']);
    assert.deepEqual([written, secrets.kept.size], [[], 0]);
  });

  it('An address from the environment of VS Code is used where none is stored', async () => {
    const secrets = new MemorySecrets();
    const hidden: string[] = [];
    const addresses = new RpcAddresses(secrets, (secret) => hidden.push(secret), RPC);
    assert.equal(await addresses.get('solana'), RPC);
    assert.ok(hidden.includes(RPC));
    await addresses.set('solana', parseRpcUrl('https://main.example.org/'));
    assert.equal(await addresses.get('solana'), 'https://main.example.org/');
  });

  it('A stored address that is not valid counts as none', async () => {
    const secrets = new MemorySecrets();
    const addresses = new RpcAddresses(secrets, () => undefined);
    await secrets.store('binsight.rpcAddress:solana', 'http://rpc.example.org/');
    assert.equal(await addresses.get('solana'), undefined);
    await addresses.set('solana', parseRpcUrl(RPC));
    assert.equal(await addresses.get('solana'), RPC);
    await addresses.delete('solana');
    assert.equal(await addresses.get('solana'), undefined);
  });
});

describe('Profiles of services', () => {
  const OTHER = 'https://other.example/v1';

  /** LP Agent and another service, each with its key; the other one is in use. */
  async function withTwo(): Promise<Setup> {
    const all = setup('');
    await all.run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'key-1' }, NO_REVIEW_RPC]);
    await all.run('binsight.connectService', [{ pick: 'Other' }, { type: OTHER }, { type: 'key-2' }, NO_REVIEW_RPC]);
    all.written.length = 0;
    all.tried.length = 0;
    return all;
  }

  it('Every service that was connected is listed, the one in use is marked, and one pick switches to it', async () => {
    const { written, tried, keys, run } = await withTwo();
    const prompts = await run('binsight.connectService', [{ pick: 'LP Agent' }]);
    assert.deepEqual(prompts.asked[0]?.shown, [
      'Sandbox',
      'LP Agent',
      'other.example',
      'Solana mainnet (public RPC)',
      'Solana RPC',
      'Meteora’s Public Data: On',
      'LP Agent',
      'Other…',
      'Manage Profiles…',
    ]);
    assert.match(prompts.asked[0].text, /other\.example · in use/);
    assert.deepEqual([written, tried, await keys.get(ORIGIN)], [[PUBLIC_SERVICE_BASE_URL], [], 'key-1']);
    assert.deepEqual(
      prompts.notices.map(({ message }) => message),
      ['Binsight now uses LP Agent (api.lpagent.io).'],
    );
  });

  it('Two profiles of one service have their own names and keys', async () => {
    const { profiles, keys, secrets, run } = await withTwo();
    await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'other.example' }, { pick: 'Rename' }, { type: 'Mine' }]);
    await run('binsight.connectService', [{ pick: 'Other' }, { type: OTHER }, { type: 'key-3' }, NO_REVIEW_RPC]);
    assert.equal(await keys.get('https://other.example'), 'key-3');
    const choice = readServiceChoice(OTHER);
    assert.equal(profiles.nameOf(choice), 'other.example');
    await run('binsight.connectService', [{ pick: 'Mine' }]);
    assert.deepEqual([await keys.get('https://other.example'), profiles.nameOf(choice)], ['key-2', 'Mine (other.example)']);
    await run('binsight.setApiKey', [{ type: 'key-4' }]);
    await run('binsight.connectService', [{ pick: 'other.example' }]);
    assert.equal(await keys.get('https://other.example'), 'key-3');
    assert.ok([...secrets.kept.values()].includes('key-4') && ![...secrets.kept.values()].includes('key-2'));
  });

  it('A key is set for the profile that was in use when it was asked for', async () => {
    let whileAsked: () => void = () => undefined;
    const { profiles, keys, secrets, state, run } = setup('', () => {
      whileAsked();
      return undefined;
    });
    await run('binsight.connectService', [{ pick: 'Other' }, { type: OTHER }, { type: 'key-1' }, NO_REVIEW_RPC]);
    await run('binsight.connectService', [{ pick: 'Other' }, { type: OTHER }, { type: 'key-2' }, { type: 'Second' }, NO_REVIEW_RPC]);
    const choice = readServiceChoice(OTHER);
    const [first, second] = await profiles.list(choice);
    assert.ok(first !== undefined && second !== undefined && choice.kind === 'remote');
    await profiles.use(first);
    const secondInUse = { profiles: [first, second], inUse: { [choice.id]: second.id } };
    whileAsked = () => {
      void state.update('binsight.serviceProfiles', secondInUse);
    };
    await run('binsight.setApiKey', [{ type: 'key-3' }]);
    assert.equal(profiles.inUse(choice)?.id, second.id);
    assert.equal(await secrets.get(`binsight.serviceProfile:${first.id}`), 'key-3');
    assert.equal(await secrets.get(`binsight.serviceProfile:${second.id}`), 'key-2');
    assert.notEqual(await keys.get('https://other.example'), 'key-3');
  });

  it('Another address at the host of a known RPC becomes a profile of its own, and the same address does not', async () => {
    const { profiles, secrets, run } = setup('');
    const [one, other] = ['https://rpc.example.org/v2/FirstFirst', 'https://rpc.example.org/v2/SecondSecond'];
    const list = () => profiles.list(readServiceChoice('solana'));
    for (const [url, name] of [
      [one, 'Mine'],
      [other, 'Team'],
      [one, 'Mine'],
    ] as const) {
      await run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: url }]);
      const added = profiles.inUse(readServiceChoice('solana'));
      assert.ok(added !== undefined);
      await profiles.rename(added, name);
    }
    const kept = (await list()).map(async ({ id, name }) => [name, await secrets.get(`binsight.serviceProfile:${id}`)]);
    assert.deepEqual(await Promise.all(kept), [
      ['Mine', one],
      ['Team', other],
    ]);
  });

  it('Removing one of two profiles with the same key leaves the key of the one in use', async () => {
    const { keys, profiles, run } = await withTwo();
    await run('binsight.connectService', [{ pick: 'Other' }, { type: OTHER }, { type: 'key-2' }, { type: 'Same' }, NO_REVIEW_RPC]);
    const [, first] = await profiles.list(readServiceChoice(OTHER));
    assert.ok(first !== undefined);
    await profiles.remove(first);
    assert.equal(await keys.get('https://other.example'), 'key-2');
  });

  it('The key of a profile is changed in Manage Profiles, whichever is in use', async () => {
    const { keys, secrets, run } = await withTwo();
    await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'LP Agent' }, { pick: 'Set API Key' }, { type: 'key-5' }]);
    assert.equal(await keys.get('https://other.example'), 'key-2');
    assert.ok([...secrets.kept.values()].includes('key-5') && ![...secrets.kept.values()].includes('key-1'));
    await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'other.example' }, { pick: 'Set API Key' }, { type: 'key-6' }]);
    assert.equal(await keys.get('https://other.example'), 'key-6');
  });

  it('A name that another profile or the sandbox has is refused', async () => {
    const { run } = await withTwo();
    const names = [{ type: '' }, { type: 'SANDBOX' }, { type: 'lp agent' }, { type: 'x'.repeat(41) }, { type: 'Team' }];
    const prompts = await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'other.example' }, { pick: 'Rename' }, ...names]);
    assert.equal(prompts.refused.length, 4);
  });

  it('Removing a profile deletes its key everywhere, and one in use gives way to the sandbox', async () => {
    const { secrets, written, state, run } = await withTwo();
    await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'LP Agent' }, { pick: 'Remove' }, { press: 'Remove' }]);
    assert.deepEqual([written, [...secrets.kept.values()]], [[], ['key-2', 'key-2']]);
    await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'other.example' }, { pick: 'Remove' }, 'escape']);
    assert.equal(secrets.kept.size, 2);
    await run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'other.example' }, { pick: 'Remove' }, { press: 'Remove' }]);
    assert.deepEqual([written, secrets.kept.size], [[''], 0]);
    assert.deepEqual(state.get('binsight.serviceProfiles'), { profiles: [], inUse: {} });
  });

  it('Keys and RPC addresses of a version without profiles become profiles, and nothing is asked again', async () => {
    const { keys, secrets, written, run, state } = setup('https://old.example/v1');
    await keys.set('https://old.example', 'old-key');
    await keys.set(ORIGIN, 'lp-key');
    await secrets.store('binsight.rpcAddress:solana', RPC);
    const before = [...secrets.kept];
    const prompts = await run('binsight.connectService', [{ pick: 'old.example' }]);
    assert.deepEqual(prompts.asked[0]?.shown.slice(0, 4), ['Sandbox', 'old.example', 'LP Agent', 'Solana RPC (rpc.example.org)']);
    assert.deepEqual([written, usedSecrets(secrets)], [['https://old.example/v1'], before]);
    for (const secret of ['old-key', 'lp-key', 'S3cret']) {
      assert.ok(!JSON.stringify(state.get('binsight.serviceProfiles')).includes(secret));
    }
  });

  it('A state that is damaged or of a later version counts as none, and keys stay', async () => {
    for (const damaged of ['nonsense', { profiles: [{ id: 1 }] }, null]) {
      const { keys, state, run } = setup('');
      await keys.set(ORIGIN, 'lp-key');
      await state.update('binsight.serviceProfiles', damaged);
      await run('binsight.connectService', [{ pick: 'LP Agent' }]);
      assert.equal(await keys.get(ORIGIN), 'lp-key');
    }
  });

  it('One damaged profile hides no other, and more than a hundred are kept', async () => {
    const { profiles, state } = await withTwo();
    const stored = state.get('binsight.serviceProfiles') as { readonly profiles: readonly object[]; readonly inUse: object };
    await state.update('binsight.serviceProfiles', { ...stored, profiles: [{ id: 1 }, ...stored.profiles] });
    assert.equal((await profiles.list(readServiceChoice(''))).length, stored.profiles.length);
    const copies = Array.from({ length: 101 }, (_, place) => ({ ...stored.profiles[0], id: `copy ${place}` }));
    await state.update('binsight.serviceProfiles', { ...stored, profiles: copies });
    assert.equal((await profiles.list(readServiceChoice(''))).length, 101);
  });

  it('A lost key is asked for again when its profile is picked', async () => {
    const { secrets, keys, run } = await withTwo();
    secrets.kept.clear();
    await run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'new-key' }]);
    assert.equal(await keys.get(ORIGIN), 'new-key');
  });

  it('A lost RPC address is asked for again when its profile is picked, and one of another chain changes nothing', async () => {
    const { secrets, written, profiles, run } = setup('', undefined, (url) => (url === RPC ? MAINNET_GENESIS_HASH : DEVNET));
    await run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: RPC }]);
    await run('binsight.connectService', [{ pick: 'Sandbox' }]);
    secrets.kept.clear();
    written.length = 0;
    await assert.rejects(
      run('binsight.connectService', [
        { pick: 'Solana RPC (rpc.example.org)' },
        { type: 'https://dev.example.org/' },
        { press: 'Save Anyway' },
      ]),
      (error: unknown) => error instanceof UserError && error.message === 'dev.example.org serves another chain and is not used.',
    );
    assert.deepEqual([written, secrets.kept.size], [[], 0]);
    await run('binsight.connectService', [{ pick: 'Solana RPC (rpc.example.org)' }, 'escape']);
    assert.deepEqual([written, secrets.kept.size], [[], 0]);
    await run('binsight.connectService', [{ pick: 'Solana RPC (rpc.example.org)' }, { type: RPC }]);
    assert.deepEqual([written, usedSecrets(secrets)], [['solana'], [['binsight.rpcAddress:solana', RPC]]]);
    assert.equal((await profiles.list(readServiceChoice('solana'))).length, 1);
  });

  it('A service that refused the connection is not called connected, and the sandbox is one press away', async () => {
    const { written, run } = setup('', () => 'unreachable');
    const prompts = await run('binsight.connectService', [
      { pick: 'Other' },
      { type: 'http://127.0.0.1:9/v1' },
      { type: 'key' },
      { press: 'Save Anyway' },
      NO_REVIEW_RPC,
    ]);
    const [notice] = prompts.notices;
    assert.equal(notice?.message, 'Binsight now uses 127.0.0.1:9. Its key could not be verified. It is unreachable.');
    assert.deepEqual([notice.severity, notice.actions, written], ['warning', ['Use Sandbox'], ['http://127.0.0.1:9/v1']]);
  });

  it('The address of LP Agent is completed, and another one needs its version path', async () => {
    const { written, run } = setup('');
    const prompts = await run('binsight.connectService', [
      { pick: 'Other' },
      { type: 'https://example.org' },
      { type: 'https://api.lpagent.io' },
      { type: 'key' },
      NO_REVIEW_RPC,
    ]);
    assert.deepEqual([written, prompts.refused.length], [[PUBLIC_SERVICE_BASE_URL], 1]);
  });
});

describe('The addresses of a profile', () => {
  const LP_AGENT = readServiceChoice(PUBLIC_SERVICE_BASE_URL);
  const ADDRESS = 'https://rpc.example.org/v2/S3cretS3cret?api-key=S3cretS3cret2';
  const everyText = (...prompts: readonly ScriptedPrompts[]) => JSON.stringify(prompts.map(({ asked, notices }) => [asked, notices]));

  it('Connecting asks for an RPC for the review until one answers; it is a secret, and lists show only its host', async () => {
    let answers = false;
    const all = setup('', undefined, () =>
      answers ? MAINNET_GENESIS_HASH : new ConnectionError('rpcUnavailable', 'Cannot reach rpc.example.org.'),
    );
    const refused = await all.run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'key-1' }, { type: ADDRESS }, 'escape']);
    assert.match(refused.asked.at(-1)?.text ?? '', /Cannot reach rpc\.example\.org\. Nothing was saved\./);
    assert.deepEqual([all.written, all.secrets.kept.size], [[], 0]);

    answers = true;
    await all.run('binsight.connectService', [
      { pick: 'LP Agent' },
      { type: 'key-1' },
      { type: 'http://rpc.example.org' },
      { type: ADDRESS },
    ]);
    assert.equal(await all.profiles.readAddress(LP_AGENT, 'reviewRpc'), ADDRESS);
    const listed = await all.run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'LP Agent' }, 'escape']);
    assert.match(listed.asked.at(-1)?.text ?? '', /RPC for the Review… · rpc\.example\.org/);
    assert.doesNotMatch(everyText(listed) + JSON.stringify(all.state.get('binsight.serviceProfiles')), /S3cret/);
    for (const secret of [ADDRESS, 'S3cretS3cret', 'S3cretS3cret2']) {
      assert.ok(all.hidden.includes(secret), 'it would be logged');
    }
  });

  it('Each profile has its own, Manage Profiles changes and removes it, and it goes with its profile', async () => {
    const all = setup('');
    await all.run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'key-1' }, { type: ADDRESS }]);
    await all.run('binsight.connectService', [{ pick: 'Other' }, { type: 'https://other.example/v1' }, { type: 'key-2' }, NO_REVIEW_RPC]);
    const other = readServiceChoice('https://other.example/v1');
    assert.equal(await all.profiles.readAddress(other, 'reviewRpc'), undefined);
    const manage = (name: string, typed: string) =>
      all.run('binsight.connectService', [{ pick: 'Manage' }, { pick: name }, { pick: 'RPC for the Review' }, { type: typed }]);
    await manage('other.example', 'https://second.example.org/');
    assert.equal(await all.profiles.readAddress(other, 'reviewRpc'), 'https://second.example.org/');
    const digest = () => all.profiles.addressOf(all.profiles.inUse(LP_AGENT), 'reviewRpc')?.digest;
    const before = digest();
    await manage('LP Agent', 'https://third.example.org/');
    assert.notEqual(digest(), before, 'the consent to auto-rebalance tells them apart');
    await manage('LP Agent', '');
    assert.deepEqual([digest(), await all.profiles.readAddress(LP_AGENT, 'reviewRpc')], [undefined, undefined]);
    assert.ok(![...all.secrets.kept.values()].some((secret) => /S3cret|third/.test(secret)));
    assert.ok(profileSecretNames(all.state).some((name) => all.secrets.kept.get(name) === 'https://second.example.org/'));
    await all.run('binsight.connectService', [{ pick: 'Manage' }, { pick: 'other.example' }, { pick: 'Remove' }, { press: 'Remove' }]);
    assert.ok(![...all.secrets.kept.values()].includes('https://second.example.org/'));
  });

  it('An address that the secret storage lost is missed, and nothing continues without it', async () => {
    const all = setup('');
    await all.run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'key-1' }, { type: ADDRESS }]);
    for (const lost of [undefined, 'nonsense']) {
      const [name = ''] =
        [...all.secrets.kept].find(([, secret]) => secret === ADDRESS) ??
        [...all.secrets.kept.keys()].filter((one) => one.includes('serviceAddress'));
      await (lost === undefined
        ? all.secrets.delete(name)
        : all.secrets.store(`binsight.serviceAddress:reviewRpc:${all.profiles.inUse(LP_AGENT)?.id}`, lost));
      await assert.rejects(
        all.profiles.readAddress(LP_AGENT, 'reviewRpc'),
        (error: unknown) =>
          error instanceof ConnectionError &&
          /^An address of “LP Agent” \(rpc\.example\.org\) is missing .*Nothing is signed without it\./.test(error.message),
      );
    }
  });

  it('A Solana RPC has the addresses of its APIs, which can contain a key', async () => {
    const all = setup('');
    await all.run('binsight.connectService', [{ pick: 'Solana RPC' }, { type: RPC }]);
    const change = (label: string, ...typed: readonly string[]) =>
      all.run('binsight.connectService', [
        ...[{ pick: 'Manage' }, { pick: 'Solana RPC' }, { pick: label }],
        ...typed.map((type) => ({ type })),
      ]);
    const refused = [
      'http://price.example.org',
      'https://me:S3cret@price.example.org',
      'price.example.org',
      'https://price.example.org/#a',
    ];
    assert.equal((await change('Price API', ...refused, ' https://price.example.org/v3/?key=S3cretS3cret3 ')).refused.length, 4);
    await change('Swap API', 'https://swap.example.org/?key=x', 'https://swap.example.org/S3cretS3cret4/');
    const saved = await change('Jito Block Engine', 'https://jito.example.org');
    assert.match(JSON.stringify(saved.notices), /takes effect when the local service next starts/);
    assert.deepEqual(await all.profiles.readApis(readServiceChoice('solana')), {
      priceApi: 'https://price.example.org/v3/?key=S3cretS3cret3',
      swapApi: 'https://swap.example.org/S3cretS3cret4',
      jito: 'https://jito.example.org',
    });
    assert.ok(all.hidden.includes('S3cretS3cret4'));
    assert.doesNotMatch(JSON.stringify(all.state.get('binsight.serviceProfiles')), /S3cret/);
    await change('Price API', '');
    assert.deepEqual(Object.keys(await all.profiles.readApis(readServiceChoice('solana'))), ['swapApi', 'jito']);
  });
});

describe('Addresses in the settings of version 0.2', () => {
  const LP_AGENT = readServiceChoice(PUBLIC_SERVICE_BASE_URL);
  const ADDRESS = 'https://rpc.example.org/v2/S3cretS3cret';

  function former(all: Setup, values: Readonly<Record<string, string>>) {
    const prompts = new ScriptedPrompts([]);
    const left = new Map(Object.entries(values));
    const settings = {
      former: (id: string) => left.get(id),
      removeFormer: (id: string) => Promise.resolve(void left.delete(id)),
      setPublicData: (isOn: boolean) => Promise.resolve(void all.written.push(`public data: ${String(isOn)}`)),
    };
    const hide = (secret: string) => void all.hidden.push(secret);
    const take = () =>
      takeFormerAddresses({ profiles: all.profiles, service: () => LP_AGENT, settings, prompts, hide, log: () => undefined });
    return { prompts, left, settings, take };
  }

  it('They become secrets of the profiles that they were for, and then leave the settings, which is said once', async () => {
    const all = setup(PUBLIC_SERVICE_BASE_URL);
    await all.keys.set(ORIGIN, 'lp-key');
    await all.secrets.store('binsight.rpcAddress:solana', RPC);
    const { prompts, left, take } = former(all, {
      'binsight.rpcUrl': ADDRESS,
      'binsight.solanaRpc.dataApi': '',
      'binsight.solanaRpc.priceApi': '',
      'binsight.solanaRpc.jito': 'https://jito.example.org/',
    });
    await take();
    await take();
    assert.equal(await all.profiles.readAddress(LP_AGENT, 'reviewRpc'), ADDRESS);
    assert.deepEqual(await all.profiles.readApis(readServiceChoice('solana')), { jito: 'https://jito.example.org' });
    assert.deepEqual(all.written, ['public data: false'], 'who wanted no data API has none');
    assert.equal(left.size, 0);
    assert.deepEqual(
      prompts.notices.map(({ message }) => message),
      [
        "Moved from your settings to VS Code's secret storage: binsight.rpcUrl, binsight.solanaRpc.dataApi, binsight.solanaRpc.priceApi, binsight.solanaRpc.jito.",
      ],
    );
    assert.ok(all.hidden.includes('S3cretS3cret'));
  });

  it('They replace no address of a profile', async () => {
    const all = setup('');
    await all.run('binsight.connectService', [{ pick: 'LP Agent' }, { type: 'key-1' }, { type: 'https://mine.example.org/' }]);
    await former(all, { 'binsight.rpcUrl': ADDRESS }).take();
    assert.equal(await all.profiles.readAddress(LP_AGENT, 'reviewRpc'), 'https://mine.example.org/');
  });

  it('One stays where it is while no profile can have it, or it cannot be stored: then nothing is reviewed without it', async () => {
    const none = former(setup(''), { 'binsight.rpcUrl': ADDRESS });
    await none.take();
    assert.deepEqual([none.left.size, none.prompts.notices], [1, []]);

    const all = setup(PUBLIC_SERVICE_BASE_URL);
    await all.keys.set(ORIGIN, 'lp-key');
    await all.profiles.list(LP_AGENT);
    const { left, take } = former(all, { 'binsight.rpcUrl': ADDRESS });
    all.secrets.store = () => Promise.reject(new SecretError('notWritten'));
    await assert.rejects(take(), SecretError);
    assert.equal(left.size, 1);
  });

  it('Settings that VS Code cannot write keep the address, and the review uses it meanwhile', async () => {
    const all = setup(PUBLIC_SERVICE_BASE_URL);
    await all.keys.set(ORIGIN, 'lp-key');
    const { left, prompts, settings, take } = former(all, { 'binsight.rpcUrl': ADDRESS });
    const { removeFormer } = settings;
    settings.removeFormer = () => Promise.reject(new Error('The file has unsaved changes.'));
    await take();
    assert.equal(await all.profiles.readAddress(LP_AGENT, 'reviewRpc'), ADDRESS);
    assert.deepEqual([left.size, prompts.notices.length], [1, 0]);
    settings.removeFormer = removeFormer;
    await take();
    assert.deepEqual([left.size, prompts.notices.length], [0, 1]);
  });

  it('What was no address goes, and is not quoted', async () => {
    const { prompts, left, take } = former(setup(''), { 'binsight.rpcUrl': 'http://rpc.example.org/S3cretS3cret' });
    await take();
    assert.deepEqual([left.size, prompts.notices.length], [0, 1]);
    assert.doesNotMatch(JSON.stringify(prompts.notices), /S3cret/);
  });
});

describe('Setting the API key', () => {
  it('The user can enter another key after a rejected one', async () => {
    const { keys, run } = setup('https://example.org/v1', (key) => (key === 'right' ? undefined : 'unauthorized'));
    await run('binsight.setApiKey', [{ type: 'two words' }, { type: 'wrong' }, { press: 'Try Again' }, { type: 'right' }]);
    assert.equal(await keys.get('https://example.org'), 'right');
  });

  it('An unverified API key is stored only if the user wants it', async () => {
    const offline = setup('https://example.org/v1', () => 'unreachable');
    const { asked } = await offline.run('binsight.setApiKey', [{ type: 'key-1' }, 'escape']);
    assert.equal(offline.secrets.kept.size, 0);
    // The first one is preselected: Enter stores nothing.
    assert.deepEqual(asked.at(-1)?.shown, ['Try Again', 'Save Anyway']);
    await offline.run('binsight.setApiKey', [{ type: 'key-1' }, { press: 'Save Anyway' }]);
    assert.equal(await offline.keys.get('https://example.org'), 'key-1');
  });

  it('The previous API key stays if the new one is rejected', async () => {
    const { keys, run } = setup('https://example.org/v1', () => 'unauthorized');
    await keys.set('https://example.org', 'old');
    await run('binsight.setApiKey', [{ type: 'new' }, 'escape']);
    assert.equal(await keys.get('https://example.org'), 'old');
  });

  it('The sandbox, a Solana RPC and an invalid address have no key to set', async () => {
    await assert.rejects(setup('solana').run('binsight.setApiKey', []), /^UserError: Solana RPC needs no API key\.$/);
    await assert.rejects(setup('').run('binsight.setApiKey', []), UserError);
    await assert.rejects(setup('nonsense').run('binsight.setApiKey', []), UserError);
  });
});

const READY: SandboxReady = {
  url: 'http://127.0.0.1:4100/open-api/v1',
  apiKey: 'k',
  owner: address('So11111111111111111111111111111111111111112'),
  secretKey: 's',
  pid: 7,
};

interface Scene {
  readonly isSandbox?: boolean;
  readonly start?: SandboxError;
  /** The button that is pressed, or Enter, which presses the first one. */
  readonly says?: 'Reset World' | 'Enter' | undefined;
}

async function reset({
  isSandbox = true,
  start,
  says,
}: Scene): Promise<{ readonly did: readonly string[]; readonly details: readonly string[]; readonly told: readonly string[] }> {
  const did: string[] = [];
  const details: string[] = [];
  const told: string[] = [];
  const prompts = {
    confirm: async ({ detail, actions }: ConfirmRequest<string>) => {
      details.push(detail);
      return says === 'Enter' ? actions[0] : actions.find((action) => action === says);
    },
    notify: async ({ message }: { readonly message: string }) => void told.push(message),
  } as unknown as Prompts;
  const commands = resetWorldCommands({
    prompts,
    service: () => (isSandbox ? { kind: 'sandbox', id: 'sandbox', name: 'Sandbox' } : { kind: 'remote' }) as never,
    sandbox: {
      state: { kind: 'stopped' },
      start: () => (start === undefined ? Promise.resolve(READY) : Promise.reject(start)),
      startWithNewData: async () => {
        did.push('started with a new world');
        return READY;
      },
    },
    resetWorld: async () => void did.push('reset the running one'),
    reconnect: async () => void did.push('reconnected'),
  });
  await commands['binsight.resetSandboxWorld'](undefined);
  return { did, details, told };
}

describe('Reset Sandbox World…', () => {
  it('A confirmed reset gives the running sandbox a new world', async () => {
    const { did, details, told } = await reset({ says: 'Reset World' });
    assert.deepEqual(did, ['reset the running one', 'reconnected']);
    assert.match(details.join(), /This cannot be undone\.\n\nNo real money is involved\.$/s);
    assert.deepEqual(told, ['The sandbox has a new world.']);
    assert.deepEqual((await reset({ says: undefined })).did, []);
  });

  it('Enter in the question keeps the world, also one that is damaged', async () => {
    assert.deepEqual((await reset({ says: 'Enter' })).did, []);
    const damaged = new SandboxError('damaged', 'The sandbox cannot start because its store cannot be read.');
    assert.deepEqual((await reset({ start: damaged, says: 'Enter' })).did, []);
  });

  it('A reset of a damaged store starts a new world and says that the old file is kept', async () => {
    const damaged = new SandboxError('damaged', 'The sandbox cannot start because its store cannot be read.');
    const { did, details, told } = await reset({ start: damaged, says: 'Reset World' });
    assert.deepEqual(did, ['started with a new world', 'reconnected']);
    assert.match(details.join(), /Its file is kept in the sandbox folder/);
    assert.deepEqual(told, ['The sandbox has a new world.']);
    assert.deepEqual((await reset({ start: damaged, says: undefined })).did, []);
  });

  it('The reset of the sandbox world is offered only for a damaged store', () => {
    const labels = (reason: SandboxError['reason']): readonly string[] =>
      describeUserError(new SandboxError(reason, 'x'))?.remedies.map(({ label }) => label) ?? [];
    assert.deepEqual(labels('damaged'), ['Reset World…', 'Show Log']);
    assert.ok(!labels('failed').includes('Reset World…') && !labels('cannotRun').includes('Reset World…'));
  });

  it('The reset is refused if another service is in use or the sandbox cannot run', async () => {
    await assert.rejects(reset({ isSandbox: false, says: 'Reset World' }), UserError);
    await assert.rejects(reset({ start: new SandboxError('cannotRun', 'x'), says: 'Reset World' }), SandboxError);
  });
});
