export declare const PROGRAM_FILES: readonly { readonly program: string; readonly file: string }[];
