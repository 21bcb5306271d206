import type { Address } from '../../../../src/base/solana/address';
import { RentRate } from '../../../../src/base/solana/rent';
import type { BlockhashLease, ChainAccount } from '../../../../src/sandbox/chain/types';
import { RPC_CODES, RpcMethodError } from '../../../../src/sandbox/rpc/method';
import { Blockhashes } from '../chain/blockhashes';
import { blockHeightOf, blockTimeOf } from '../chain/chainTime';
import type { ChainRecord, Landed, NodeChain } from '../chain/nodeChain';

/** A recorded chain: it can be read, and runs no transactions. */
export class FrozenChain implements NodeChain {
  readonly slot: number;
  readonly slotMs: number;
  readonly genesisHash: string;
  readonly #record: ChainRecord;
  readonly #accounts: ReadonlyMap<Address, Readonly<ChainAccount>>;
  readonly #blockhashes = new Blockhashes('recorded');

  constructor(record: ChainRecord) {
    this.#record = record;
    this.slot = record.slot;
    this.slotMs = record.slotMs;
    this.genesisHash = record.genesisHash;
    this.#accounts = new Map(record.accounts);
  }

  get transactionCount(): number {
    return this.#record.landed.length;
  }

  blockHeight(slot = this.slot): number {
    return blockHeightOf(slot);
  }

  blockTime(slot = this.slot): number {
    return blockTimeOf(this.#record, slot);
  }

  latestBlockhash(slot = this.slot): BlockhashLease {
    return this.#blockhashes.of(blockHeightOf(slot));
  }

  isBlockhashValid(blockhash: string, slot = this.slot): boolean {
    return this.#blockhashes.isValid(blockhash, blockHeightOf(slot));
  }

  minimumBalance(bytes: number): bigint {
    return RentRate.highest.minimumBalance(bytes);
  }

  account(of: Address): Readonly<ChainAccount> | undefined {
    return this.#accounts.get(of);
  }

  programAccounts(program: Address): readonly (readonly [Address, Readonly<ChainAccount>])[] {
    return this.#record.accounts.filter(([, account]) => account.program === program);
  }

  find(signature: string): Landed | undefined {
    return this.#record.landed.find((landed) => landed.signature === signature);
  }

  transactionsOf(address: Address): readonly Landed[] {
    return this.#record.landed.filter(({ execution }) => execution.lamports.some((change) => change.address === address));
  }

  simulate(): never {
    return refuse();
  }

  land(): never {
    return refuse();
  }

  landBundle(): never {
    return refuse();
  }
}

function refuse(): never {
  throw new RpcMethodError(RPC_CODES.methodNotFound, 'A recorded chain runs no transactions');
}
