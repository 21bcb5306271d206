import assert from 'node:assert/strict';
import type { ChainService } from '../support/chain/useChainService';
import { useChainWithMarketData } from '../support/chain/useChainWithMarketData';
import type { ClientWorld } from '../support/conformance/clients/access';
import { testClients } from '../support/conformance/clients/clientTests';
import { testConformance } from '../support/conformance/conformanceTests';
import { AllowedNulls, DIFFERENCES_OF_CHAIN } from '../support/conformance/differences';
import type { EngineUnderTest } from '../support/conformance/engine';
import type { Deposit, LittlePool } from '../support/mainnet/world/pool';
import { needProgramsFor } from '../support/programs';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;
/** Pools that the data API lists. */
const LISTED_POOLS = 4;
/** Wallets by number: of the contract's world, and of the first client. */
const [OWNER, PROVIDER, OTHER, TRADER, FIRST_CLIENT] = [0, 1, 2, 3, 4] as const;

describe('The service over a chain, asked as the public service is', () => {
  const service = useChainWithMarketData('contract');
  needProgramsFor([
    // Its days must not be long ago.
    'The revenue endpoint follows the contract by day, week and month, over ranges and protocols',
    // The others are built by a process of its own.
    'The decrease-tx endpoint follows the contract for every output and both types',
    'The landing-decrease-tx endpoint lands a part of a position of each type and rejects unsigned transactions',
    'The endpoints add-tx and landing-add-tx follow the contract for every strategy and both types',
    'A deposit from SOL into an open position of meteora is built without a new position, and lands like an entry',
    'A deposit from SOL into an open position of meteora_damm_v2 is built without a new position, and lands like an entry',
    'The swap-tx endpoint quotes a swap of a token of the wallet: what is sold, expected and guaranteed, in smallest units',
    'A command-line tool can use every command',
    'A rebalance bot exits positions that are out of range and enters again around the price',
    'A dashboard reads and sums up everything, with the parameter names that it assumes',
  ]);

  describe('Responses compared with the published contract and the specification', () => {
    const nulls = new AllowedNulls(DIFFERENCES_OF_CHAIN);
    let engine: EngineUnderTest;
    before(async () => {
      engine = await worldOfContract(service(), nulls);
    });

    testConformance(() => engine);

    describe('Declared differences', () => {
      it('Each null that is declared does occur', () => {
        assert.deepEqual(nulls.unused, []);
      });
    });
  });

  describe('Clients written for the public service', () => {
    let client = FIRST_CLIENT;
    testClients(async () => worldOfClient(service(), client++));
  });
});

/** The owner has two closed positions and an open one in each of two pools, and others have open ones. */
async function worldOfContract(service: ChainService, nulls: AllowedNulls): Promise<EngineUnderTest> {
  const { mainnet } = service;
  const { solUsdc, dammSolUsdc } = mainnet.pools;
  const openIn = (pool: LittlePool, wallet: number): ReturnType<LittlePool['open']> =>
    pool.open(mainnet.wallet(wallet), pool.program === 'damm' ? { x: SOL } : { x: SOL, y: 150n * USDC });
  for (const pool of [solUsdc, dammSolUsdc]) {
    for (const [sell, amount] of [
      ['x', 10n * SOL],
      ['y', 1_500n * USDC],
    ] as const) {
      const { position } = await openIn(pool, OWNER);
      mainnet.advance({ seconds: 600 });
      await pool.swap(mainnet.wallet(TRADER), sell, amount);
      await pool.close(mainnet.wallet(OWNER), position);
    }
    for (const wallet of [OWNER, PROVIDER, OTHER]) {
      await openIn(pool, wallet);
    }
  }
  mainnet.finalize();
  const pools = { meteora: solUsdc.address, meteora_damm_v2: dammSolUsdc.address };
  const provider = mainnet.wallet(PROVIDER).address;
  return { client: service.client(OWNER), pools, provider, symbol: 'meme', leastPools: LISTED_POOLS, nulls };
}

/** The wallet of this number has a closed position and an open one in a pool of each type. */
async function worldOfClient(service: ChainService, number: number): Promise<ClientWorld> {
  const { mainnet } = service;
  const { solUsdc, dammSolUsdc } = mainnet.pools;
  const wallet = mainnet.wallet(number);
  const deposits: readonly (readonly [LittlePool, Deposit])[] = [
    [dammSolUsdc, { x: SOL }],
    [solUsdc, { x: SOL, y: 150n * USDC, bins: [-2, 2] }],
  ];
  for (const [pool, deposit] of deposits) {
    const { position } = await pool.open(wallet, deposit);
    mainnet.advance({ seconds: 600 });
    await pool.close(wallet, position);
    await pool.open(wallet, deposit);
  }
  mainnet.finalize();
  const { url, apiKey } = service.client(number).sandbox;
  return {
    access: { baseUrl: url, apiKey, wallet: wallet.keypair },
    leastPools: LISTED_POOLS,
    knowsAllProviders: false,
    // The position has liquidity up to two bins above the active one. A market maker has some 9,000 USDC in each bin.
    pushOutOfRange: async () => void (await solUsdc.swap(mainnet.wallet(TRADER), 'y', 60_000n * USDC)),
    audit: async () =>
      mainnet.chain
        .transactionsOf(wallet.address)
        .flatMap(({ signature, error }) => (error === null ? [] : [`Transaction ${signature} failed: ${JSON.stringify(error)}`])),
  };
}
