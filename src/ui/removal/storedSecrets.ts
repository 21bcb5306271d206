import { SEAL_NAME } from '../../autoRebalance/consentStore';
import { profileSecretNames } from '../connection/serviceProfiles';
import { WEBHOOK_SECRET_NAME } from '../notices/webhook/webhookTarget';
import type { StateStore } from '../shell/editorAccess';
import type { Secrets } from '../shell/secrets';
import { nameOfKey, readIndex, walletOfName } from '../wallets/ownerIndex';
import { INDEX_NAME, LOCK_NAME } from '../wallets/owners';

/** The secrets that Binsight keeps, by name. Their values are not read. */
export interface StoredSecrets {
  readonly walletKeys: readonly string[];
  /** Of these, the keys whose wallet is in no list: a window ended between storing the key and listing the wallet. */
  readonly orphans: number;
  readonly others: readonly string[];
  /** False where VS Code cannot list secrets: there may be more, of services that no profile names any longer. */
  readonly isComplete: boolean;
}

/** Finds the secrets: by the list of VS Code where there is one, else by what the state of VS Code says. @throws SecretError */
export async function findSecrets(secrets: Pick<Secrets, 'names'>, state: StateStore): Promise<StoredSecrets> {
  const { owners } = readIndex(state.get(INDEX_NAME));
  const listed = await secrets.names();
  const names = listed ?? [
    ...owners.filter(({ canSign }) => canSign).map(({ address }) => nameOfKey(address)),
    ...profileSecretNames(state),
    WEBHOOK_SECRET_NAME,
    SEAL_NAME,
    LOCK_NAME,
  ];
  const known = new Set(owners.map(({ address }) => nameOfKey(address)));
  const walletKeys = names.filter((name) => walletOfName(name) !== undefined);
  return {
    walletKeys,
    orphans: walletKeys.filter((name) => !known.has(name)).length,
    others: names.filter((name) => walletOfName(name) === undefined),
    isComplete: listed !== undefined,
  };
}
