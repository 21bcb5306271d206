import assert from 'node:assert/strict';
import { PUBLIC_SERVICE_BASE_URL } from '../../../src/service/baseUrl';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors';
import type { LiquidityService } from '../../../src/service/service';
import { serviceCommands } from '../../../src/ui/connection/connectionCommands';
import { UserError } from '../../../src/ui/shell/errors';
import { ApiKeys } from '../../../src/ui/connection/apiKeys';
import { readServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { ScriptedPrompts, type ScriptedAnswer } from '../../editor/support/scriptedPrompts';
import { MemorySecrets } from './memory';

const ORIGIN = new URL(PUBLIC_SERVICE_BASE_URL).origin;

interface Desk {
  readonly keys: ApiKeys;
  readonly secrets: MemorySecrets;
  /** What the setting was set to, in order. */
  readonly written: string[];
  /** Which key was tried where. */
  readonly tried: string[];
  readonly run: (id: 'binsight.connectService' | 'binsight.setApiKey', answers: readonly ScriptedAnswer[]) => Promise<ScriptedPrompts>;
}

/** `answer` gives what the service says to a key: nothing, or a kind of failure. */
function desk(setting: string, answer: (key: string) => ServiceErrorKind | undefined = () => undefined): Desk {
  const secrets = new MemorySecrets();
  const keys = new ApiKeys(secrets, () => undefined);
  const written: string[] = [];
  const tried: string[] = [];
  return {
    keys,
    secrets,
    written,
    tried,
    run: async (id, answers) => {
      const prompts = new ScriptedPrompts(answers);
      const commands = serviceCommands({
        prompts,
        apiKeys: keys,
        service: () => readServiceChoice(setting),
        setBaseUrl: (baseUrl) => Promise.resolve(void written.push(baseUrl)),
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
      await commands[id](undefined);
      prompts.assertDone();
      return prompts;
    },
  };
}

describe('Connecting to a service', () => {
  it('Connecting to the sandbox needs no key', async () => {
    const { written, tried, run } = desk('https://example.org/v1');
    await run('binsight.connectService', [{ pick: 'Sandbox' }]);
    assert.deepEqual([written, tried], [[''], []]);
  });

  it('Connecting to a real service verifies and stores the key before the setting changes', async () => {
    const { written, tried, keys, run } = desk('');
    await run('binsight.connectService', [{ pick: 'api.lpagent.io' }, { type: ' key-1 ' }]);
    assert.deepEqual(tried, [`${PUBLIC_SERVICE_BASE_URL} key-1`]);
    assert.equal(await keys.get(ORIGIN), 'key-1');
    assert.deepEqual(written, [PUBLIC_SERVICE_BASE_URL]);
  });

  it('Connecting does not ask again for a stored key', async () => {
    const { written, keys, run } = desk('');
    await keys.set('https://example.org', 'key-1');
    await run('binsight.connectService', [{ pick: 'Other' }, { type: 'http://example.org/v1' }, { type: 'https://example.org/v1/' }]);
    assert.deepEqual(written, ['https://example.org/v1']);
  });

  it('Connecting changes nothing if the user cancels at any step', async () => {
    const ways: readonly (readonly ScriptedAnswer[])[] = [
      ['escape'],
      [{ pick: 'Other' }, 'escape'],
      [{ pick: 'api.lpagent.io' }, 'escape'],
      [{ pick: 'Other' }, { type: 'https://example.org/v1' }, 'escape'],
    ];
    for (const way of ways) {
      const { written, secrets, run } = desk('');
      await run('binsight.connectService', way);
      assert.deepEqual([written, secrets.kept.size], [[], 0]);
    }
  });

  it('Connecting changes nothing if the service rejects the key', async () => {
    const { written, secrets, run } = desk('', () => 'unauthorized');
    const prompts = await run('binsight.connectService', [{ pick: 'api.lpagent.io' }, { type: 'wrong' }, 'escape']);
    assert.deepEqual([written, secrets.kept.size], [[], 0]);
    assert.match(prompts.asked.at(-1)?.title ?? '', /rejected this API key/);
  });
});

describe('Setting the API key', () => {
  it('The user can enter another key after a rejected one', async () => {
    const { keys, run } = desk('https://example.org/v1', (key) => (key === 'right' ? undefined : 'unauthorized'));
    await run('binsight.setApiKey', [{ type: 'two words' }, { type: 'wrong' }, { press: 'Try Another Key' }, { type: 'right' }]);
    assert.equal(await keys.get('https://example.org'), 'right');
  });

  it('An unverified API key is stored only if the user wants it', async () => {
    const offline = desk('https://example.org/v1', () => 'unreachable');
    await offline.run('binsight.setApiKey', [{ type: 'key-1' }, 'escape']);
    assert.equal(offline.secrets.kept.size, 0);
    await offline.run('binsight.setApiKey', [{ type: 'key-1' }, { press: 'Save Anyway' }]);
    assert.equal(await offline.keys.get('https://example.org'), 'key-1');
  });

  it('The previous API key stays if the new one is rejected', async () => {
    const { keys, run } = desk('https://example.org/v1', () => 'unauthorized');
    await keys.set('https://example.org', 'old');
    await run('binsight.setApiKey', [{ type: 'new' }, 'escape']);
    assert.equal(await keys.get('https://example.org'), 'old');
  });

  it('The sandbox and an invalid address have no key to set', async () => {
    await assert.rejects(desk('').run('binsight.setApiKey', []), UserError);
    await assert.rejects(desk('nonsense').run('binsight.setApiKey', []), UserError);
  });
});
