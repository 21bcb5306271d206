import assert from 'node:assert/strict';
import { address } from '../../../src/base/solana/address';
import { sandboxCommands } from '../../../src/ui/connection/connectionCommands';
import type { SandboxReady } from '../../../src/ui/connection/sandboxProcess';
import { describeUserError } from '../../../src/ui/shell/commands/errorMessage';
import { SandboxError, UserError } from '../../../src/ui/shell/errors';
import type { Prompts } from '../../../src/ui/shell/prompts/prompts';

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
  readonly says?: string | undefined;
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
    confirm: async ({ detail }: { readonly detail: string }) => {
      details.push(detail);
      return says;
    },
    notify: async ({ message }: { readonly message: string }) => void told.push(message),
  } as unknown as Prompts;
  const commands = sandboxCommands({
    prompts,
    service: () => (isSandbox ? { kind: 'sandbox', id: 'sandbox', name: 'Sandbox' } : { kind: 'remote' }) as never,
    sandbox: {
      state: { kind: 'stopped' },
      start: () => (start === undefined ? Promise.resolve(READY) : Promise.reject(start)),
      startWithNewWorld: async () => {
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
    assert.match(details.join(), /cannot be restored.*\n\nNo real money is involved\.$/s);
    assert.deepEqual(told, ['The sandbox has a new world.']);
    assert.deepEqual((await reset({ says: undefined })).did, []);
  });

  it('A reset of a damaged store starts a new world and says that the old file is kept', async () => {
    const damaged = new SandboxError('damaged', 'The sandbox cannot start because its store cannot be read.');
    const { did, details, told } = await reset({ start: damaged, says: 'Reset World' });
    assert.deepEqual(did, ['started with a new world', 'reconnected']);
    assert.match(details.join(), /The file of the old world is kept/);
    assert.deepEqual(told, ['The sandbox has a new world. The old file was kept.']);
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
