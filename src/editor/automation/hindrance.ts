/** How a window stands towards automation, whatever is on. */
export interface WindowStatus {
  /** It was stopped here, and that could not be written down. */
  readonly isStoppedHere: boolean;
  /** The user has confirmed in this VS Code the rules that are on. */
  readonly isConfirmed: boolean;
  /** The folder is trusted, or none is open. */
  readonly isTrusted: boolean;
  /** VS Code runs in a browser. */
  readonly isInBrowser: boolean;
  /** The service is the sandbox, whose money is pretended. */
  readonly isSandbox: boolean;
}

/** What keeps a window from taking part in automation, in sentences; `undefined`: nothing. */
export function disabledReasonOf({ isStoppedHere, isConfirmed, isTrusted, isInBrowser, isSandbox }: WindowStatus): string | undefined {
  if (isStoppedHere) {
    return 'It does nothing more in this window. That it is off could not be written down, so other windows may go on: stop it again, or close them.';
  }
  if (!isConfirmed) {
    return 'It is written down as on, and you did not confirm these rules in this VS Code: another one of yours may have turned it on, or the file was put there. This window does nothing. Start it here to confirm the rules, or stop it for all.';
  }
  if (!isTrusted) {
    return 'This folder is in Restricted Mode: nothing is signed in this window until you trust it. Another window of yours goes on with it.';
  }
  return isInBrowser && !isSandbox ? 'VS Code runs in a browser here: keys of real wallets are not used in this window. A desktop window of yours goes on with it.' : undefined;
}
