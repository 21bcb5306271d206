import type { Mainnet } from '../support/mainnet/mainnet';
import type { Wallet } from '../support/mainnet/world/pool';
import { useChainWithMarketData } from '../support/chain/useChainWithMarketData';
import { testClients } from '../support/conformance/clients/clientTests';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;

describe('Clients written for the public service, on the service over a chain', () => {
  const service = useChainWithMarketData();
  let wallets = 0;

  testClients(async () => {
    const { mainnet } = service();
    const number = (wallets += 1);
    const wallet = mainnet.wallet(number);
    await openAndClose(mainnet, wallet);
    const { url, apiKey } = service().client(number).sandbox;
    return {
      access: { baseUrl: url, apiKey, wallet: wallet.keypair },
      leastPools: 4,
      knowsAllProviders: false,
      // Two bins above the active one have liquidity of the position; a market maker has some 9,000 USDC in each.
      pushOutOfRange: async () => void (await mainnet.pools.solUsdc.swap(mainnet.wallet(0), 'y', 60_000n * USDC)),
      audit: async () =>
        mainnet.chain
          .transactionsOf(wallet.address)
          .flatMap(({ signature, error }) => (error === null ? [] : [`Transaction ${signature} failed: ${JSON.stringify(error)}`])),
    };
  });
});

/** A closed position and an open one in a pool of each type. */
async function openAndClose(mainnet: Mainnet, wallet: Wallet): Promise<void> {
  const { solUsdc, dammSolUsdc } = mainnet.pools;
  for (const [pool, deposit] of [
    [dammSolUsdc, { x: SOL }],
    [solUsdc, { x: SOL, y: 150n * USDC, bins: [-2, 2] as const }],
  ] as const) {
    const { position } = await pool.open(wallet, deposit);
    mainnet.advance({ seconds: 600 });
    await pool.close(wallet, position);
    await pool.open(wallet, deposit);
  }
  mainnet.finalize();
}
