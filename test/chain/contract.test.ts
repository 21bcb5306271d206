import assert from 'node:assert/strict';
import { useChainWithMarketData } from '../support/chain/useChainWithMarketData';
import { testConformance } from '../support/conformance/conformanceTests';
import { AllowedNulls, DIFFERENCES_OF_CHAIN } from '../support/conformance/differences';
import type { EngineUnderTest } from '../support/conformance/engine';
import type { LittlePool } from '../support/mainnet/world/pool';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;

describe('Responses of the service over a chain compared with the published contract and the specification', () => {
  const service = useChainWithMarketData();
  const nulls = new AllowedNulls(DIFFERENCES_OF_CHAIN);
  let engine: EngineUnderTest;

  /** The owner has two closed positions and an open one in each of two pools, and others have open ones. */
  before(async () => {
    const { mainnet } = service();
    const { solUsdc, dammSolUsdc } = mainnet.pools;
    const [me, provider, other, trader] = [0, 1, 2, 3].map((number) => mainnet.wallet(number));
    assert.ok(me && provider && other && trader);
    const openIn = (pool: LittlePool, wallet: typeof me): ReturnType<LittlePool['open']> =>
      pool.open(wallet, pool.program === 'damm' ? { x: SOL } : { x: SOL, y: 150n * USDC });
    for (const pool of [solUsdc, dammSolUsdc]) {
      for (const [sell, amount] of [
        ['x', 10n * SOL],
        ['y', 1_500n * USDC],
      ] as const) {
        const { position } = await openIn(pool, me);
        mainnet.advance({ seconds: 600 });
        await pool.swap(trader, sell, amount);
        await pool.close(me, position);
      }
      await openIn(pool, me);
      await openIn(pool, provider);
      await openIn(pool, other);
    }
    mainnet.finalize();
    const pools = { meteora: solUsdc.address, meteora_damm_v2: dammSolUsdc.address };
    engine = { client: service().client(0), pools, provider: provider.address, symbol: 'meme', leastPools: 4, nulls };
  });

  testConformance(() => engine);

  describe('Declared differences', () => {
    it('Each null that is declared does occur', () => {
      assert.deepEqual(nulls.unused, []);
    });
  });
});
