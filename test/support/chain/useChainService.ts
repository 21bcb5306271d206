import bs58 from 'bs58';
import type { Mainnet, MainnetOptions } from '../mainnet/mainnet';
import { useMainnet } from '../mainnet/useMainnet';
import { TestClient } from '../sandbox/client';
import { type RunningChainService, serviceFolder, startChainService } from './serviceProcess';

/** A service over a little mainnet, in a process of its own. */
export interface ChainService {
  readonly mainnet: Mainnet;
  /** A client of the service that signs with the key of this wallet. */
  client(wallet: number): TestClient;
  /** Ends the process and starts it again on the same folder. */
  restart(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Gives the tests of a suite a little mainnet and a service over it, as `useMainnet` does.
 * @param args gives the command line of the service over this mainnet
 */
export function useChainService(
  args: (mainnet: Mainnet) => readonly string[] | Promise<readonly string[]> = () => [],
  world?: MainnetOptions,
): () => ChainService {
  const mainnet = useMainnet(world);
  const folder = serviceFolder();
  let service: RunningChainService | undefined;
  const start = async (): Promise<void> => {
    service = await startChainService({ rpcUrl: mainnet().rpcUrl, data: folder.path, args: await args(mainnet()) });
  };
  before(start);
  after(async () => {
    await service?.stop();
    folder.remove();
  });
  return () => ({
    mainnet: mainnet(),
    client: (number) => {
      if (service === undefined) {
        throw new TypeError('The service runs only during tests');
      }
      const { address, keypair } = mainnet().wallet(number);
      const { url, apiKey, pid } = service;
      return new TestClient({ url, apiKey, pid, owner: address, secretKey: bs58.encode(keypair.secretKey) });
    },
    restart: async (signal = 'SIGKILL') => {
      await service?.stop(signal);
      await start();
    },
  });
}
