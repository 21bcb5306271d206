export const PROGRAM_FILES: readonly { readonly program: string; readonly file: string }[];
export function programFolder(): string | undefined;
export function programsMissing(): string;
