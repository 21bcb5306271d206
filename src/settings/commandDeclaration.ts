/** What a command may do and what it needs. `runCommand` (ui/shell/commands) enforces these traits. */
export interface CommandTraits {
  /** The command can end with signed transactions. No link may run it, and it always asks before it signs. */
  readonly movesFunds: boolean;
  /** Refused in an untrusted folder, because the command reads or writes secrets, or signs. */
  readonly needsTrust: boolean;
  /** The row that a view passes as the argument. `none`: arguments are ignored. `addressed`: any row with an address. `account`: a token, or the wallet. `positions`: all selected ones. */
  readonly argument:
    | 'position'
    | 'positions'
    | 'pool'
    | 'positionOrPool'
    | 'positionOrPlan'
    | 'addressed'
    | 'account'
    | 'wallet'
    | 'operation'
    | 'plan'
    | 'none';
}

export interface CommandDeclaration extends CommandTraits {
  /** English, in Title Case; with "…" if the command asks for input. */
  readonly title: string;
  /** A Codicon. */
  readonly icon?: string;
  /**
   * Listed in the command palette, or when it is. Other commands only make sense on a row or in a panel. One that is in no menu either is not
   * contributed to VS Code: Binsight's own messages, rows, panels and texts run it.
   */
  readonly inPalette: boolean | string;
  /** When the command is possible. Otherwise VS Code leaves it out of the palette, and shows it dimmed in menus. */
  readonly enablement?: string;
  readonly keybinding?: { readonly key: string; readonly mac: string; readonly when?: string };
  readonly menus?: readonly MenuItem[];
}

/** A place of a command in a menu. `group` has the order after "@". */
export interface MenuItem {
  readonly menu: 'view/title' | 'view/item/context' | 'editor/title';
  readonly when: string;
  readonly group: string;
}

/** Commands by subject, in the order of the README; in a subject by id. */
export type CommandSubjects = Readonly<Record<string, Readonly<Record<`binsight.${string}`, CommandDeclaration>>>>;
