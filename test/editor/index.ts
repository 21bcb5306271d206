import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from '../support/editor/runTests';

/** Called by VS Code in its extension host (`extensionTestsPath`): runs every test under test/editor. */
export const run = (): Promise<void> => runTests(dirname(fileURLToPath(import.meta.url)));
