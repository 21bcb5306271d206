import { needPrograms } from '../programs';
import { Mainnet, type MainnetOptions } from './mainnet';

/**
 * Starts a little mainnet before the tests of a suite and stops it after them. Where the real programs are missing, the tests are skipped.
 * Call it in a `describe`, or at the top of a file for all its tests.
 * @returns gives the mainnet to a test
 */
export function useMainnet(options?: MainnetOptions): () => Mainnet {
  let mainnet: Mainnet | undefined;
  needPrograms();
  before(async () => {
    mainnet = await Mainnet.start(options);
  });
  after(() => mainnet?.stop());
  afterEach(() => mainnet?.faults.clear());
  return () => {
    if (mainnet === undefined) {
      throw new TypeError('The little mainnet runs only during tests');
    }
    return mainnet;
  };
}
