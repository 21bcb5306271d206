import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as SplToken from '@solana/spl-token';

/** The token library, from node_modules: bundled, one of its parts breaks the stack traces of all errors that follow. */
export const splToken = createRequire(join(process.cwd(), 'package.json'))('@solana/spl-token') as typeof SplToken;
