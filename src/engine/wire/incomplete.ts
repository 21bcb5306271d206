/** Why an answer about an owner may lack positions or figures. Absent in an answer that is whole. Not in the contract. */
export interface WireIncomplete {
  /**
   * `indexing`: the history is still being read; `failed`: it cannot be read now; `unreadable`: the RPC does not give some of its transactions;
   * `pruned`: the RPC has no older history.
   */
  readonly reason: 'indexing' | 'failed' | 'unreadable' | 'pruned';
  /** Transactions of the owner that are read, and that are listed and not read. */
  readonly read: number;
  readonly left: number;
  /** ISO 8601. `unreadable`: from then on not all is known; `pruned`: what was before may be missing. Null: the time is not known. */
  readonly since: string | null;
  /** In English. */
  readonly message: string;
}
