import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAM_FILES, programFolder } from '../../host/programFiles.mjs';
import { describeOnPrograms } from '../../support/programs';
import { useMainnet } from '../../support/mainnet/useMainnet';

describeOnPrograms('npm run programs', () => {
  const mainnet = useMainnet();

  it('takes the programs of a chain byte for byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'programs-'));
    try {
      await promisify(execFile)(process.execPath, [join('test', 'host', 'programs.mjs'), '--rpc', mainnet().rpcUrl, '--out', folder]);
      for (const { file } of PROGRAM_FILES) {
        assert.ok(readFileSync(join(folder, file)).equals(readFileSync(join(programFolder() ?? '', file))), file);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
