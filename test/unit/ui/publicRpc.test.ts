import assert from 'node:assert/strict';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { isPublicRpc, PUBLIC_RPC, warnOfPublicRpc } from '../../../src/ui/connection/publicRpc';
import { readServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { MemoryState } from '../../support/ui/memory';

describe('Signing on a public RPC', () => {
  const warn = async (setting: string, url: string, state: MemoryState, press?: string) => {
    const prompts = new ScriptedPrompts([], press === undefined ? {} : { 'public RPC': press });
    const connected: string[] = [];
    await warnOfPublicRpc({
      service: () => readServiceChoice(setting),
      rpcAddress: () => Promise.resolve(parseRpcUrl(url)),
      prompts,
      state,
      connect: () => Promise.resolve(void connected.push('asked')),
    });
    return { told: prompts.notices.length, connected };
  };

  it('warns once, and leads to another service', async () => {
    const state = new MemoryState();
    assert.deepEqual(await warn('solana', PUBLIC_RPC, state, 'Connect to Service…'), { told: 1, connected: ['asked'] });
    assert.deepEqual(await warn('solana', PUBLIC_RPC, state), { told: 0, connected: [] });
  });

  it('says nothing for an RPC of one’s own, or a service', async () => {
    const state = new MemoryState();
    assert.equal((await warn('solana', 'https://rpc.example/key', state)).told, 0);
    assert.equal((await warn('https://example.org/v1', PUBLIC_RPC, state)).told, 0);
    assert.equal(isPublicRpc(parseRpcUrl('https://api.mainnet-beta.solana.com.example.org')), false);
  });
});
