import { Mainnet, type MainnetOptions } from './mainnet';

/**
 * Starts a little mainnet before the tests of a suite and stops it after them. It needs the real programs (`describeOnPrograms`), or a
 * recording of them. Call it in a `describe`; with a recording, also at the top of a file for all its tests.
 * @returns gives the mainnet to a test
 */
export function useMainnet(options?: MainnetOptions): () => Mainnet {
  let mainnet: Mainnet | undefined;
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
