import { readSecretKey, wipe } from '../../wallet/keys';
import { SOLANA_ID } from '../shell/serviceChoice';
import type { Owners } from './owners';

/** A key in base58. `npm start -- --chain` sets it, together with the address of the RPC (`BINSIGHT_RPC_URL`). */
export const TEST_WALLET_VARIABLE = 'BINSIGHT_TEST_WALLET';

interface TestWalletOptions {
  /** The id of the Solana RPC in use. */
  readonly id: string;
  readonly owners: Pick<Owners, 'adoptTestWallet'>;
  /** Registers a secret with the log's redactor. */
  readonly hide: (secret: string) => void;
  /** {@link TEST_WALLET_VARIABLE} of the environment. */
  readonly secretKey: string | undefined;
}

/**
 * Adds the wallet of the test chain that VS Code was started with; does nothing if there is none. Never on mainnet: the environment is
 * no place for keys to real money.
 * @throws KeyError if the variable does not contain a key
 */
export async function adoptTestWallet({ id, owners, hide, secretKey }: TestWalletOptions): Promise<void> {
  if (secretKey === undefined || secretKey === '' || id === SOLANA_ID) {
    return;
  }
  hide(secretKey);
  const key = readSecretKey(secretKey);
  wipe(key);
  await owners.adoptTestWallet({ owner: key.address, secretKey }, id);
}
