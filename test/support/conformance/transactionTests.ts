import assert from 'node:assert/strict';
import { Add } from '../sandbox/client';
import { type ContractClient, type Json, EMPTY_WALLET, record } from './contractClient';
import { PROTOCOLS } from './engine';

const OUTPUTS = ['allBaseToken', 'allToken0', 'allToken1', 'both'];

/** Tests of the endpoints that build and land. */
export function testTransactionEndpoints(service: ContractClient): void {
  it('The decrease-quotes endpoint follows the contract for both types, by id and by address', async () => {
    for (const protocol of PROTOCOLS) {
      const { id, tokenId } = await service.openIn(protocol);
      const quote = record((await service.posted('/position/decrease-quotes', { id, bps: 10_000 }))['data']);
      assert.deepEqual(Object.keys(record(quote['outputs'])).sort(), OUTPUTS);
      await service.posted('/position/decrease-quotes', { id: tokenId, bps: 1 });
    }
    await service.failed(404, 'POST', '/position/decrease-quotes', { id: EMPTY_WALLET, bps: 100 });
    await service.failed(400, 'POST', '/position/decrease-quotes', { id: EMPTY_WALLET, bps: 10_001 }, /bps/);
  });

  it('The decrease-tx endpoint follows the contract for every output and both types', async () => {
    const terms = { bps: 2_500, owner: service.owner, slippage_bps: 500 };
    for (const protocol of PROTOCOLS) {
      const { id } = await service.openIn(protocol);
      for (const output of OUTPUTS) {
        const body = { position_id: id, ...terms, output, type: protocol };
        const built = record((await service.posted('/position/decrease-tx', body))['data']);
        assert.equal(built['lastValidBlock'], built['lastValidBlockHeight']);
        assert.ok((built['closeTxs'] as unknown[]).length > 0 && (built['closeTxsWithJito'] as unknown[]).length > 0);
        assert.ok(output !== 'both' || (built['swapTxsWithJito'] as unknown[]).length === 0);
      }
    }
    const { id } = await service.openIn('meteora');
    for (const [wrong, name] of [
      [{ bps: 0 }, 'bps'],
      [{ bps: 10_001 }, 'bps'],
      [{ bps: '50' }, 'bps'],
      [{ slippage_bps: -1 }, 'slippage_bps'],
      [{ owner: 'me' }, 'owner'],
      [{ output: 'SOL' }, 'output'],
      [{ position_id: undefined }, 'position_id'],
    ] as const) {
      await service.failed(400, 'POST', '/position/decrease-tx', { position_id: id, ...terms, ...wrong }, new RegExp(name));
    }
    await service.failed(404, 'POST', '/position/decrease-tx', { ...terms, position_id: EMPTY_WALLET });
  });

  it('The landing-decrease-tx endpoint lands a part of a position of each type and rejects unsigned transactions', async () => {
    const { client } = service.engine;
    for (const protocol of PROTOCOLS) {
      const { id } = await service.openIn(protocol);
      const built = await client.decrease(id, 1_000, { type: protocol });
      await service.failed(422, 'POST', '/position/landing-decrease-tx', { ...built });
      await service.posted('/position/landing-decrease-tx', client.signedDecrease(built));
    }
    await service.failed(400, 'POST', '/position/landing-decrease-tx', { lastValidBlockHeight: 1 }, /closeTxsWithJito/);
    await service.failed(400, 'POST', '/position/landing-decrease-tx', { closeTxsWithJito: [] }, /lastValidBlockHeight/);
  });

  it('The endpoints add-tx and landing-add-tx follow the contract for every strategy and both types', async () => {
    const { client, pools } = service.engine;
    const active = await client.activeBin(pools.meteora);
    const terms = { inputSOL: 0.2, percentX: 0.5, owner: service.owner, slippage_bps: 500, mode: 'zap-in' };
    for (const stratergy of ['Spot', 'Curve', 'BidAsk']) {
      await entered(pools.meteora, { ...terms, stratergy, fromBinId: active - 12, toBinId: active + 12 });
    }
    await entered(pools.meteora_damm_v2, { ...terms, stratergy: 'Spot' });
  });

  it('The add-tx endpoint rejects parameters out of bounds and names them', async () => {
    const { client, pools } = service.engine;
    const active = await client.activeBin(pools.meteora);
    const body = {
      stratergy: 'Spot',
      inputSOL: 0.2,
      percentX: 0.5,
      fromBinId: active - 3,
      toBinId: active + 3,
      owner: service.owner,
      slippage_bps: 500,
      mode: 'zap-in',
    };
    for (const [wrong, name] of [
      [{ stratergy: 'Even' }, 'stratergy'],
      [{ percentX: 1.1 }, 'percentX'],
      [{ inputSOL: -1 }, 'inputSOL'],
      [{ inputSOL: undefined }, 'inputSOL'],
      [{ fromBinId: 1.5 }, 'fromBinId'],
      [{ fromBinId: active + 4 }, 'BinId'],
      [{ toBinId: active + 2_000 }, 'BinId|bins'],
      [{ mode: 'zap' }, 'mode'],
      [{ slippage_bps: 10_001 }, 'slippage_bps'],
      [{ owner: undefined }, 'owner'],
    ] as const) {
      await service.failed(400, 'POST', `/pools/${pools.meteora}/add-tx`, { ...body, ...wrong }, new RegExp(name));
    }
    await service.failed(404, 'POST', `/pools/${EMPTY_WALLET}/add-tx`, body);
    await service.failed(400, 'POST', '/pools/landing-add-tx', { lastValidBlockHeight: 1 }, /addLiquidityTxsWithJito/);
  });

  async function entered(pool: string, body: Json): Promise<void> {
    const answer = await service.posted(`/pools/${pool}/add-tx`, body);
    const { data: built } = Add.parse(answer);
    assert.equal(built['lastValidBlock'], built.lastValidBlockHeight);
    assert.ok(built.addLiquidityTxs.length > 0);
    await service.posted('/pools/landing-add-tx', service.engine.client.signedAdd(built));
  }
}
