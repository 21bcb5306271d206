/** Why a folder of ours cannot be used, and what the user can do about it: one sentence each. */
export interface FolderErrorDescription {
  readonly what: string;
  readonly advice: string;
}

/**
 * Words what the system says of a folder that cannot be written.
 * @param code of the system, such as "ENOSPC"; `undefined` where it gave none
 * @returns `undefined` where the code says nothing of the folder
 */
export function describeFolderError(code: string | undefined, folder: string): FolderErrorDescription | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return { what: `There is no space left on the disk for the folder ${folder}.`, advice: 'Free space on that disk, then try again.' };
    case 'EROFS':
      return { what: `The folder ${folder} is on a disk that is read-only.`, advice: 'Make that disk writable, then try again.' };
    case 'EACCES':
    case 'EPERM':
      return { what: `The folder ${folder} must not be written by your account.`, advice: 'Give your account the permission to write there, then try again.' };
    case 'ENOTDIR':
    case 'EEXIST':
      return { what: `There is a file where the folder ${folder} has to be.`, advice: 'Move that file away, then try again.' };
    default:
      return undefined;
  }
}
