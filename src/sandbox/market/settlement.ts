import type { Address } from '../../base/solana/address';
import type { Ledger } from '../chain/types';
import { StoreUseError } from '../../engine/store/sqliteStore';
import type { Participant } from '../store/workingSet';
import { vaultsOf, type Vault } from './accounts';
import type { Amounts, MarketPool } from './types';

/** A pool with its vaults and their balances on the chain. */
interface Entry {
  readonly pool: MarketPool;
  /** Derived on first use, because that takes a millisecond. */
  vaults: { readonly x: Vault; readonly y: Vault } | undefined;
  /** `undefined` if the vaults do not exist yet. */
  settled: Amounts | undefined;
}

/**
 * Moves tokens between the vaults of pools and the wallet of the rest of the world, so that the vaults on the chain match the pools.
 * A commit fails if a vault is not settled, because the difference would be lost.
 */
export class Settlement implements Participant {
  readonly #entries: readonly Entry[];
  /** Pools by the mints of their tokens. */
  readonly #byMint = new Map<Address, Entry[]>();
  #before: readonly (Amounts | undefined)[] | undefined;

  readonly #ledger: Ledger;
  readonly #world: Address;

  /** @param isNew no vault exists yet; otherwise all vaults match their pools */
  constructor(pools: readonly MarketPool[], ledger: Ledger, world: Address, isNew: boolean) {
    this.#ledger = ledger;
    this.#world = world;

    this.#entries = pools.map((pool) => ({ pool, vaults: undefined, settled: isNew ? undefined : pool.vaults }));
    for (const entry of this.#entries) {
      for (const { mint } of [entry.pool.tokenX, entry.pool.tokenY]) {
        this.#byMint.set(mint, [...(this.#byMint.get(mint) ?? []), entry]);
      }
    }
  }

  /** Balance of the rest of the world after settling, raw; negative if pools received more than it has. */
  spendable(mint: Address): bigint {
    let left = this.#ledger.tokenBalance(this.#world, mint);
    for (const { pool, settled } of this.#byMint.get(mint) ?? []) {
      const side = pool.tokenX.mint === mint ? 'x' : 'y';
      left -= pool.vaults[side] - (settled?.[side] ?? 0n);
    }
    return left;
  }

  settle(): void {
    const owed = new Map<Address, bigint>();
    const due = this.#entries.filter(isUnsettled);
    for (const entry of due) {
      const { pool, settled } = entry;
      const { x, y } = pool.vaults;
      add(owed, pool.tokenX.mint, (settled?.x ?? 0n) - x);
      add(owed, pool.tokenY.mint, (settled?.y ?? 0n) - y);
    }
    for (const [mint, amount] of owed) {
      if (amount !== 0n) {
        this.#ledger.credit(this.#world, mint, amount);
      }
    }
    for (const entry of due) {
      const { x, y } = entry.pool.vaults;
      const vaults = (entry.vaults ??= vaultsOf(entry.pool));
      this.#ledger.setTokenAccount(vaults.x.at, { ...vaults.x, payer: this.#world }, x);
      this.#ledger.setTokenAccount(vaults.y.at, { ...vaults.y, payer: this.#world }, y);
      entry.settled = { x, y };
    }
  }

  begin(): void {
    this.#before = this.#entries.map(({ settled }) => settled);
  }

  release(): void {
    this.#before = undefined;
  }

  rollBack(): void {
    this.#before?.forEach((settled, index) => {
      const entry = this.#entries[index];
      if (entry !== undefined) {
        entry.settled = settled;
      }
    });
    this.#before = undefined;
  }

  flush(): void {
    const unsettled = this.#entries.find(isUnsettled);
    if (unsettled !== undefined) {
      throw new StoreUseError(`The vaults of ${unsettled.pool.spec.key} were not settled before the commit`);
    }
  }
}

function isUnsettled({ pool, settled }: Entry): boolean {
  const { x, y } = pool.vaults;
  return settled?.x !== x || settled.y !== y;
}

function add(to: Map<Address, bigint>, mint: Address, amount: bigint): void {
  to.set(mint, (to.get(mint) ?? 0n) + amount);
}
