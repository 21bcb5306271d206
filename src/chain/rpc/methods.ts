const SEARCHES: ReadonlySet<string> = new Set([
  'getProgramAccounts',
  'getProgramAccountsV2',
  'getTokenAccountsByOwner',
  'getTokenLargestAccounts',
]);

/** Whether a method searches all accounts: many providers refuse it, and it may take longer than others. */
export function isSearch(method: string): boolean {
  return SEARCHES.has(method);
}

/** Whether a method changes the chain, so that a second request may do it twice. */
export function isSending(method: string): boolean {
  return method.startsWith('send') || method === 'requestAirdrop';
}
