import bs58 from 'bs58';
import type { RawTransaction } from '../../base/insight/flows';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { WireError, WireReader } from '../../base/solana/wireReader';

/** An amount of a token. */
interface MintAmount {
  readonly mint: string;
  readonly raw: bigint;
}

/** Instructions of the token programs: Transfer, TransferChecked; and of the System program: Transfer. */
const [TRANSFER, TRANSFER_CHECKED, SYSTEM_TRANSFER] = [3, 12, 2] as const;
/** Longer data are no transfer. */
const LONGEST_TRANSFER = 40;
const TOKEN_PROGRAMS: ReadonlySet<string> = new Set<string>([PROGRAMS.token, PROGRAMS.token2022]);
const TIP_ACCOUNTS: ReadonlySet<string> = new Set<string>(JITO_TIP_ACCOUNTS);

/**
 * What a transaction hands from a wallet to others by instructions of its own, tips left out: swaps and pools take what they get inside of their
 * own instructions. A service takes its commission so.
 */
export function paidToOthers({ transaction, meta }: RawTransaction, owner: string): readonly MintAmount[] {
  if (meta === null || (meta.err !== null && meta.err !== undefined)) {
    return [];
  }
  const keys = [...transaction.message.accountKeys, ...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])];
  const tokenAccounts = new Map(
    [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])].map((one) => [keys[one.accountIndex] ?? '', one]),
  );
  // SOL that is wrapped goes to an account that a token program works on.
  const ofTokens = new Set(
    transaction.message.instructions
      .filter(({ programIdIndex }) => TOKEN_PROGRAMS.has(keys[programIdIndex] ?? ''))
      .flatMap(({ accounts }) => accounts.map((index) => keys[index])),
  );
  return transaction.message.instructions.flatMap(({ programIdIndex, accounts, data }): readonly MintAmount[] => {
    const program = keys[programIdIndex];
    const addresses = accounts.map((index) => keys[index] ?? '');
    const bytes = data.length > LONGEST_TRANSFER ? new Uint8Array() : bs58.decode(data);
    try {
      const reader = new WireReader(bytes);
      if (program === PROGRAMS.system && reader.uint(4) === SYSTEM_TRANSFER) {
        const [from = '', to = ''] = addresses;
        const isToOthers = from === owner && to !== owner && !TIP_ACCOUNTS.has(to) && !ofTokens.has(to);
        return isToOthers ? [{ mint: WRAPPED_SOL_MINT, raw: reader.uint64() }] : [];
      }
      if (!TOKEN_PROGRAMS.has(program ?? '')) {
        return [];
      }
      const kind = reader.uint(1);
      if (kind !== TRANSFER && kind !== TRANSFER_CHECKED) {
        return [];
      }
      const from = tokenAccounts.get(addresses[0] ?? '');
      const to = tokenAccounts.get(addresses[kind === TRANSFER ? 1 : 2] ?? '');
      return from?.owner === owner && to !== undefined && to.owner !== owner ? [{ mint: from.mint, raw: reader.uint64() }] : [];
    } catch (error) {
      if (error instanceof WireError) {
        return [];
      }
      throw error;
    }
  });
}
